"""The figures: shares with their intervals, by group."""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from benchmarks.photos.judge import JudgedCard, JudgedCoatl, judge_cards, judge_coatls
from benchmarks.photos.labels import LabelledPhoto, load_labels
from benchmarks.photos.readers import Reader, ReadPhoto, ReadProblem
from coatl_tools.errors import CoatlError
from coatl_tools.vision.stage_trace import Trace

CAMERA_GROUPS = (
    (50.0, "camera below 50°"),
    (65.0, "camera 50–65°"),
    (math.inf, "camera above 65°"),
)
DIFFICULTIES = ("easy", "medium", "hard")
RENDERED = "rendered photos"  # stands beside every figure: real ones will differ


class MeasuredShare(NamedTuple):
    """So many of so many."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """The share; of nothing, it is 0."""
        return self.part / self.whole if self.whole else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 %, after Wilson; of nothing, anywhere."""
        if not self.whole:
            return 0.0, 1.0
        z, n, p = 1.959964, self.whole, self.value
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)


class MeasuredPhoto(NamedTuple):
    """A photo, what was read and how right it is, and how long that took."""

    label: LabelledPhoto
    read: ReadPhoto
    coatls: tuple[JudgedCoatl, ...]
    cards: tuple[JudgedCard, ...]
    seconds: Mapping[str, float]  # by stage
    decoding: float  # seconds for the pixels alone: nobody can be faster

    @property
    def total(self) -> float:
        """Seconds of all stages."""
        return sum(self.seconds.values())


class ShareCounts(NamedTuple):
    """The figures of some photos. Silent and unsure ones are of those there and those found."""

    photos: int
    exact: MeasuredShare
    either_way: int  # exact ones whose direction was said to be unknown
    pieces: MeasuredShare
    silent: MeasuredShare
    unsure: MeasuredShare
    cards: MeasuredShare | None
    silent_cards: MeasuredShare | None
    unsure_cards: MeasuredShare | None


class PhotoFigures(NamedTuple):
    """All that was measured in a folder."""

    reader: str
    photos: tuple[MeasuredPhoto, ...]
    peak_megabytes: float

    def tally(self, photos: Sequence[MeasuredPhoto] | None = None) -> ShareCounts:
        """Return the figures of some of the photos, or of all."""
        photos = self.photos if photos is None else photos
        coatls = [coatl for photo in photos for coatl in photo.coatls]
        there = [coatl for coatl in coatls if coatl.expected]
        cards = [card for photo in photos for card in photo.cards]
        cards_there = sum(card.expected is not None for card in cards)
        return ShareCounts(
            len(photos),
            MeasuredShare(sum(coatl.exact for coatl in there), len(there)),
            sum(coatl.either_way for coatl in there),
            MeasuredShare(
                sum(coatl.pieces_right for coatl in there),
                sum(len(coatl.expected.pieces) for coatl in there if coatl.expected),
            ),
            MeasuredShare(sum(coatl.silent for coatl in coatls), len(coatls)),
            MeasuredShare(sum(coatl.unsure for coatl in coatls), len(coatls)),
            MeasuredShare(sum(card.exact for card in cards), cards_there) if cards else None,
            MeasuredShare(sum(card.silent for card in cards), len(cards)) if cards else None,
            MeasuredShare(sum(card.unsure for card in cards), len(cards)) if cards else None,
        )

    def by_difficulty(self) -> dict[str, ShareCounts]:
        """Return the figures of easy, medium and hard photos."""
        found = {photo.label.difficulty for photo in self.photos} - {""}
        order = [*DIFFICULTIES, *sorted(found - set(DIFFICULTIES))]
        return {
            name: self.tally([p for p in self.photos if p.label.difficulty == name])
            for name in order
            if name in found
        }

    def by_condition(self) -> dict[str, ShareCounts]:
        """Return the figures by table, light, blur and camera angle, each by itself."""
        groups = dict[tuple[int, str], list[MeasuredPhoto]]()
        for photo in self.photos:
            for i, name in enumerate(_list_conditions(photo.label)):
                groups.setdefault((i, name), []).append(photo)
        return {name: self.tally(groups[i, name]) for i, name in sorted(groups) if name}

    def milliseconds(self) -> dict[str, float]:
        """Return the median of each stage, of all of them, and of decoding the photo alone."""
        stages = {stage: None for photo in self.photos for stage in photo.seconds}
        found = {
            stage: statistics.median(photo.seconds.get(stage, 0.0) for photo in self.photos)
            for stage in stages
        }
        found["total"] = statistics.median(photo.total for photo in self.photos)
        found["lower bound: decoding"] = statistics.median(p.decoding for p in self.photos)
        return {name: seconds * 1e3 for name, seconds in found.items()}

    def worst(self) -> list[tuple[MeasuredPhoto, JudgedCoatl]]:
        """Wrong or unsure Cóatls: the silently wrong first, and of each sort the surest."""
        found = [
            (photo, coatl)
            for photo in self.photos
            for coatl in photo.coatls
            if coatl.unsure or not coatl.exact
        ]
        return sorted(
            found, key=lambda one: (not one[1].silent, one[1].exact, -_confidence(one[1]))
        )

    def as_json(self) -> dict[str, Any]:
        """Return what is stored, to look at later."""
        return {
            "photos": RENDERED,
            "reader": self.reader,
            "all": _counts_to_json(self.tally()),
            "by_difficulty": {n: _counts_to_json(t) for n, t in self.by_difficulty().items()},
            "by_condition": {n: _counts_to_json(t) for n, t in self.by_condition().items()},
            "milliseconds": {n: round(ms, 1) for n, ms in self.milliseconds().items()},
            "peak_megabytes": round(self.peak_megabytes),
        }


def measure(
    folder: Path,
    reader: Reader,
    *,
    name: str = "",
    only: str = "",
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> PhotoFigures:
    """Read every labelled photo of a folder; raises LabelsError for what is none."""
    labels = load_labels(folder, only)
    photos = list[MeasuredPhoto]()
    for photo in labels:
        photos.append(_measure_photo(photo, reader))
        progress(len(photos), len(labels))
    return PhotoFigures(name, tuple(photos), measure_peak_megabytes())


def _measure_photo(photo: LabelledPhoto, reader: Reader) -> MeasuredPhoto:
    decoding = measure_decoding(photo.path)
    trace = Trace()
    try:
        read = reader(photo.path, trace)
    except CoatlError as error:  # refused: nothing was read, and it was said
        read = ReadPhoto(problems=(ReadProblem(error.key),))
    return MeasuredPhoto(
        photo,
        read,
        judge_coatls(photo, read),
        judge_cards(photo, read),
        dict(trace.seconds),
        decoding,
    )


def measure_decoding(path: Path) -> float:
    """How long the pixels of a JPEG take, without anything else."""
    data = np.frombuffer(path.read_bytes(), np.uint8)
    begin = time.perf_counter()
    if data.size:
        cv2.imdecode(data, cv2.IMREAD_COLOR)
    return time.perf_counter() - begin


def measure_peak_megabytes() -> float:
    """Measure the most memory that this process has had; 0 where the system does not tell."""
    try:
        import resource  # noqa: PLC0415 (Windows has none)
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def _counts_to_json(tally: ShareCounts) -> dict[str, Any]:
    return {
        name: (
            {
                "part": value.part,
                "whole": value.whole,
                "share": round(value.value, 4),
                "interval": [round(end, 4) for end in value.interval],
            }
            if isinstance(value, MeasuredShare)
            else value
        )
        for name, value in tally._asdict().items()
    }


def _confidence(coatl: JudgedCoatl) -> float:
    return coatl.read.confidence if coatl.read else 0.0


def _list_conditions(photo: LabelledPhoto) -> Sequence[str]:
    """Table, light, blur and camera angle, each nothing if it is not known."""
    known = photo.conditions
    words = [f"{key}: {known[key]}" if key in known else "" for key in ("table", "light", "blur")]
    angle = known.get("camera_deg")
    if not isinstance(angle, int | float):
        return [*words, ""]
    return [*words, next(name for limit, name in CAMERA_GROUPS if angle <= limit)]
