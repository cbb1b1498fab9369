"""The figures for people: tables, the worst first, and pictures of what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import cv2
import numpy as np

from benchmarks.photos.figures import (
    RENDERED,
    MeasuredPhoto,
    MeasuredShare,
    PhotoFigures,
    ShareCounts,
)
from benchmarks.photos.judge import JudgedCoatl
from benchmarks.photos.labels import format_pieces
from coatl_tools.vision.picture import load_picture

COLUMNS = ("exact", "pieces right", "silently wrong", "not sure")
CARD_COLUMNS = ("cards exact", "silently wrong", "not sure")


def render_grid(figures: PhotoFigures) -> Iterable[str]:
    """All of it, line by line."""
    whole = figures.tally()
    yield (
        f"{RENDERED}: {whole.photos}, with {whole.exact.whole} Cóatls of {whole.pieces.whole} "
        f"pieces; reader: {figures.reader}"
    )
    yield "shares with their 95 % intervals (Wilson), and of how many"
    yield ""
    yield from _render_counts({"all": whole} | figures.by_difficulty(), "by difficulty")
    yield ""
    yield from _render_counts(figures.by_condition(), "by condition")
    if whole.either_way:
        yield f"exact, but from which end was said to be unknown: {whole.either_way}"
    if whole.cards is not None:
        yield ""
        yield from _render_card_counts({"all": whole} | figures.by_difficulty())
    yield ""
    yield f"milliseconds a photo, the median ({RENDERED})"
    for stage, milliseconds in figures.milliseconds().items():
        yield f"  {stage:<24}{milliseconds:>8.1f}"
    yield f"peak memory of the process: {figures.peak_megabytes:.0f} MB"
    yield ""
    yield from _render_worst(figures)


def _render_counts(tallies: Mapping[str, ShareCounts], title: str) -> Iterable[str]:
    yield f"{title:<24}{'photos':>7}  {''.join(f'{name:<29}' for name in COLUMNS)}".rstrip()
    for name, tally in tallies.items():
        shares = (tally.exact, tally.pieces, tally.silent, tally.unsure)
        yield f"{name:<24}{tally.photos:>7}  {''.join(map(_format_share, shares))}".rstrip()


def _render_card_counts(tallies: Mapping[str, ShareCounts]) -> Iterable[str]:
    yield f"{'cards':<24}{'photos':>7}  {''.join(f'{name:<29}' for name in CARD_COLUMNS)}".rstrip()
    for name, tally in tallies.items():
        shares = (tally.cards, tally.silent_cards, tally.unsure_cards)
        shown = "".join(_format_share(share) for share in shares if share is not None)
        yield f"{name:<24}{tally.photos:>7}  {shown}".rstrip()


def _format_share(share: MeasuredShare) -> str:
    low, high = share.interval
    shown = f"{share.value:>6.1%} [{low:.1%}–{high:.1%}] of {share.whole}"
    return f"{shown:<29}"


def _render_worst(figures: PhotoFigures) -> Iterable[str]:
    worst = figures.worst()
    yield f"wrong or not sure, worst first: {len(worst)} ({RENDERED})"
    for photo, coatl in worst:
        read = format_pieces(coatl.read.pieces) if coatl.read else "missed"
        expected = format_pieces(coatl.expected.pieces) if coatl.expected else "nothing"
        confidence = f"{coatl.read.confidence:.2f}" if coatl.read else "–"
        yield (
            f"  {photo.label.path.name}  {_describe_coatl(coatl):<14} {expected} → {read}  "
            f"{confidence}  {' '.join(coatl.codes)}"
        ).rstrip()


def _describe_coatl(coatl: JudgedCoatl) -> str:
    if coatl.silent:
        return "silently wrong"
    return "right, unsure" if coatl.exact else "wrong, unsure"


def write_wrong_photos(figures: PhotoFigures, folder: Path) -> int:
    """Write a picture of each photo with something wrong or unsure; answers how many."""
    folder.mkdir(parents=True, exist_ok=True)
    photos = {photo.label.path: photo for photo, _ in figures.worst()}
    for path, photo in photos.items():
        written, data = cv2.imencode(".png", _draw_photo(photo))
        assert written
        (folder / f"{path.stem}.png").write_bytes(data.tobytes())
    return len(photos)


def _draw_photo(photo: MeasuredPhoto) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Draw the photo with all that was read, and beneath it what is expected and read."""
    picture = load_picture(photo.label.path)
    drawn = picture.pixels.copy()
    width = drawn.shape[1]
    thick = max(2, width // 600)
    for coatl in photo.read.coatls:
        for i, outline in enumerate(coatl.outlines):
            points = np.array(outline, float) / picture.file_pixels_per_pixel
            if not len(points):
                continue
            cv2.polylines(drawn, [np.rint(points).astype(np.int32)], True, (255, 0, 255), thick)
            x, y = points.mean(axis=0)
            _write_label(drawn, f"{i + 1}{format_pieces((coatl.pieces[i],))}", (x, y), width / 1800)
    strip = np.zeros((max(1, len(photo.coatls)) * width // 40, width, 3), np.uint8)
    for i, judged in enumerate(photo.coatls):
        expected = format_pieces(judged.expected.pieces) if judged.expected else "nothing"
        read = format_pieces(judged.read.pieces) if judged.read else "missed"
        verdict = "right" if judged.exact and not judged.unsure else _describe_coatl(judged)
        line = f"{expected} -> {read}: {verdict}"
        _write_label(strip, line, (8, (i + 0.75) * width / 40), width / 1600)
    return np.vstack([drawn, strip])


def _write_label(
    picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
    text: str,
    place: tuple[float, float],
    scale: float,
) -> None:
    """Text that can be read on anything."""
    at = (round(place[0]), round(place[1]))
    for colour, thick in (((0, 0, 0), 5), ((255, 255, 255), 2)):
        width = max(1, round(thick * scale))
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, width, cv2.LINE_AA)
