"""The figures for people: tables, the worst first, and pictures of what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import cv2
import numpy as np

from benchmarks.photos.card_judge import JudgedCard
from benchmarks.photos.figures import (
    RENDERED,
    CardShares,
    MeasuredPhoto,
    MeasuredShare,
    PhotoFigures,
    ShareCounts,
)
from benchmarks.photos.judge import JudgedCoatl
from benchmarks.photos.labels import format_pieces
from coatl_tools.vision.picture import load_picture

COLUMNS = ("exact", "pieces right", "silently wrong", "not sure")
CARD_COLUMNS = ("right and sure", "wrong and sure", "not found", "not sure", "at its Cóatl")
EXPECTED_COLOUR, READ_COLOUR = (0, 220, 0), (255, 0, 255)  # BGR
COLUMN_WIDTH, NAME_WIDTH = 29, 26  # characters


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
    if whole.hidden.whole:
        yield f"cut off or covered, and said: {_format_share(whole.hidden)}"
    if whole.at_player.whole:
        yield f"at its player: {_format_share(whole.at_player)}"
    if whole.cards is not None:
        yield ""
        yield from _render_cards(figures, whole.cards)
    yield ""
    yield f"milliseconds a photo, the median ({RENDERED})"
    for stage, milliseconds in figures.milliseconds().items():
        yield f"  {stage:<24}{milliseconds:>8.1f}"
    yield f"peak memory of the process: {figures.peak_megabytes:.0f} MB"
    yield ""
    yield from _render_worst(figures)
    if whole.cards is not None:
        yield ""
        yield from _render_worst_cards(figures)


def _render_counts(tallies: Mapping[str, ShareCounts], title: str) -> Iterable[str]:
    yield _render_row(title, "photos", COLUMNS)
    for name, tally in tallies.items():
        shares = (tally.exact, tally.pieces, tally.silent, tally.unsure)
        if tally.silent.whole:
            yield _render_row(name, tally.photos, map(_format_share, shares))


def _render_cards(figures: PhotoFigures, whole: CardShares) -> Iterable[str]:
    groups = {"all": whole}
    for tallies in (figures.by_difficulty(), figures.by_condition()):
        groups |= {name: tally.cards for name, tally in tallies.items() if tally.cards}
    groups |= figures.by_card()
    yield _render_row("cards", "cards", CARD_COLUMNS)
    for name, shares in groups.items():
        shown = (shares.right, shares.silent, shares.missed, shares.unsure, shares.at_coatl)
        if shares.right.whole:
            yield _render_row(name, shares.right.whole, map(_format_share, shown))
    yield f"right, whether sure or not: {_format_share(whole.exact)}"
    if whole.elsewhere.whole:
        yield f"at another Cóatl, and not said: {_format_share(whole.elsewhere)}"
    if whole.corner_error is not None:
        yield f"corners are off by {whole.corner_error:.1f} mm (median)"


def _render_row(name: str, count: object, cells: Iterable[str]) -> str:
    shown = "".join(f"{cell:<{COLUMN_WIDTH}}" for cell in cells)
    return f"{name:<{NAME_WIDTH}}{count:>7}  {shown}".rstrip()


def _format_share(share: MeasuredShare) -> str:
    low, high = share.interval
    return f"{share.value:>6.1%} [{low:.1%}–{high:.1%}] of {share.whole}"


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


def _render_worst_cards(figures: PhotoFigures) -> Iterable[str]:
    worst = figures.worst_cards()
    yield f"cards wrong, not found or not sure, worst first: {len(worst)} ({RENDERED})"
    for photo, card in worst:
        expected = card.expected.id if card.expected else "nothing"
        read = "not found" if card.read is None else card.read.id or "?"
        yield f"  {photo.label.path.name}  {_describe_card(card):<14} {expected} → {read}"


def _describe_card(card: JudgedCard) -> str:
    if card.silent:
        return "wrong, sure"
    if card.right_and_sure:
        return "at another Cóatl" if card.at_its_coatl is False else "right"
    return "not found" if card.missed else "right, unsure" if card.exact else "wrong, unsure"


def _describe_coatl(coatl: JudgedCoatl) -> str:
    if coatl.silent:
        return "silently wrong"
    return "right, unsure" if coatl.exact else "wrong, unsure"


def write_wrong_photos(figures: PhotoFigures, folder: Path) -> int:
    """Write a picture of each photo with something wrong or unsure; answers how many."""
    folder.mkdir(parents=True, exist_ok=True)
    worst = [*figures.worst(), *figures.worst_cards()]
    photos = {photo.label.path: photo for photo, _ in worst}
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
            cv2.polylines(drawn, [np.rint(points).astype(np.int32)], True, READ_COLOUR, thick)
            x, y = points.mean(axis=0)
            _write_label(drawn, f"{i + 1}{format_pieces((coatl.pieces[i],))}", (x, y), width / 1800)
    _draw_cards(drawn, photo.cards, picture.file_pixels_per_pixel)
    strip = np.zeros((max(1, len(photo.coatls)) * width // 40, width, 3), np.uint8)
    for i, judged in enumerate(photo.coatls):
        expected = format_pieces(judged.expected.pieces) if judged.expected else "nothing"
        read = format_pieces(judged.read.pieces) if judged.read else "missed"
        verdict = "right" if judged.exact and not judged.unsure else _describe_coatl(judged)
        line = f"{expected} -> {read}: {verdict}"
        _write_label(strip, line, (8, (i + 0.75) * width / 40), width / 1600)
    return np.vstack([drawn, strip])


def _draw_cards(
    drawn: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
    cards: Iterable[JudgedCard],
    file_pixels_per_pixel: float,
) -> None:
    """Draw the outline of each card as it is and as it was read, and what was read."""
    width = drawn.shape[1]
    for card in cards:
        expected = card.expected.corners if card.expected else ()
        read = card.read.outline if card.read else ()
        for outline, colour in ((expected, EXPECTED_COLOUR), (read, READ_COLOUR)):
            points = np.array(outline, float).reshape(-1, 2) / file_pixels_per_pixel
            lines = np.rint(points).astype(np.int32)
            cv2.polylines(drawn, [lines], True, colour, max(2, width // 600))
        if read or expected:
            x, y = np.array(read or expected, float).mean(axis=0) / file_pixels_per_pixel
            _write_label(drawn, _name_card(card), (x - width / 14, y), width / 2400)


def _name_card(card: JudgedCard) -> str:
    expected = card.expected.id if card.expected else "nothing"
    read = "" if card.read is None else f" -> {card.read.id or '?'}"
    return f"{expected}{read}: {_describe_card(card)}".replace("ó", "o")  # OpenCV has no ó


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
