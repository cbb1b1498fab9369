"""The figures: shares with their intervals, by group."""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from benchmarks.photos.card_judge import JudgedCard, judge_cards
from benchmarks.photos.judge import JudgedCoatl, judge_coatls
from benchmarks.photos.labels import LabelledPhoto, load_labels
from benchmarks.photos.readers import Reader, ReadPhoto, ReadProblem
from coatl_tools.errors import CoatlError
from coatl_tools.vision.stage_trace import Trace

CAMERA_GROUPS = (
    (50.0, "camera below 50°"),
    (65.0, "camera 50–65°"),
    (math.inf, "camera above 65°"),
)
FIRST_CONDITIONS = ("case", "table", "light", "blur", "glare")
CARD_WIDTHS = (
    (100.0, "up to 100 pixels wide"),
    (150.0, "100–150 pixels wide"),
    (250.0, "150–250 pixels wide"),
    (math.inf, "above 250 pixels wide"),
)
COVERED_SHARES = (
    (0.02, "not covered"),
    (0.2, "up to 20 % covered"),
    (0.4, "20–40 % covered"),
    (math.inf, "above 40 % covered"),
)
DIFFICULTIES = ("easy", "medium", "hard")
RENDERED = "rendered or composed photos"  # stands beside every figure: real ones will differ


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


class CardShares(NamedTuple):
    """The figures of the cards in some photos."""

    right: MeasuredShare  # and sure; of those there
    silent: MeasuredShare  # wrong and sure; of those there and those found
    missed: MeasuredShare  # not found; of those there
    unsure: MeasuredShare  # of those there and those found
    exact: MeasuredShare  # right, sure or not; of those there
    corner_error: float | None  # millimetres, the median
    at_coatl: MeasuredShare  # at its Cóatl; of those found whose Cóatl is known
    elsewhere: MeasuredShare  # at another one, and nobody was told; of the same


class ShareCounts(NamedTuple):
    """The figures of some photos. Silent and unsure ones are of those there and those found."""

    photos: int
    exact: MeasuredShare  # of those that can be read: nothing covers them, and all is in the photo
    either_way: int  # exact ones whose direction was said to be unknown
    pieces: MeasuredShare
    silent: MeasuredShare
    unsure: MeasuredShare
    hidden: MeasuredShare  # told to be in doubt; of those that are cut off or partly covered
    at_player: MeasuredShare  # at their player; of those found whose player is known
    cards: CardShares | None


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
        whole = [coatl for coatl in there if coatl.expected and coatl.expected.readable]
        hidden = [coatl for coatl in there if coatl.expected and not coatl.expected.readable]
        owned = [coatl for coatl in there if coatl.at_its_player is not None]
        cards = [card for photo in photos for card in photo.cards]
        return ShareCounts(
            len(photos),
            _count_share(coatl.exact for coatl in whole),
            sum(coatl.either_way for coatl in whole),
            MeasuredShare(
                sum(coatl.pieces_right for coatl in whole),
                sum(len(coatl.expected.pieces) for coatl in whole if coatl.expected),
            ),
            _count_share(coatl.silent for coatl in coatls),
            _count_share(coatl.unsure for coatl in coatls),
            _count_share(not coatl.silent for coatl in hidden),
            _count_share(bool(coatl.at_its_player) for coatl in owned),
            measure_cards(cards) if any(photo.label.cards for photo in photos) or cards else None,
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
        """Return the figures by case, table, light and so on, each by itself."""
        groups = dict[tuple[int, str], list[MeasuredPhoto]]()
        for photo in self.photos:
            for place, name in _list_conditions(photo.label):
                groups.setdefault((place, name), []).append(photo)
        of_many = {name.partition(": ")[0] for (_, name), some in groups.items() if len(some) > 1}
        return {
            name: self.tally(some)
            for (_, name), some in sorted(groups.items())
            if ": " not in name or name.partition(": ")[0] in of_many  # others name single photos
        }

    def by_card(self) -> dict[str, CardShares]:
        """Return the figures of cards by how wide they are, and how much of them is covered."""
        groups = dict[str, list[JudgedCard]]()
        for name in [name for _, name in (*CARD_WIDTHS, *COVERED_SHARES)]:
            groups[name] = []
        for judged in (card for photo in self.photos for card in photo.cards):
            if judged.expected is None or not judged.expected.corners:
                continue
            values = judged.expected.width, judged.expected.covered
            for value, limits in zip(values, (CARD_WIDTHS, COVERED_SHARES), strict=True):
                groups[next(name for limit, name in limits if value <= limit)].append(judged)
        return {name: measure_cards(found) for name, found in groups.items() if found}

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

    def worst_cards(self) -> list[tuple[MeasuredPhoto, JudgedCard]]:
        """Wrong, missed or unsure cards, or such at another Cóatl: the silently wrong first."""
        found = [
            (photo, card)
            for photo in self.photos
            for card in photo.cards
            if not card.right_and_sure or card.at_its_coatl is False
        ]
        return sorted(found, key=lambda one: (not one[1].silent, not one[1].missed))

    def as_json(self) -> dict[str, Any]:
        """Return what is stored, to look at later."""
        return {
            "photos": RENDERED,
            "reader": self.reader,
            "all": _counts_to_json(self.tally()),
            "by_difficulty": {n: _counts_to_json(t) for n, t in self.by_difficulty().items()},
            "by_condition": {n: _counts_to_json(t) for n, t in self.by_condition().items()},
            "by_card": {n: _counts_to_json(t) for n, t in self.by_card().items()},
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


def measure_cards(cards: Sequence[JudgedCard]) -> CardShares:
    """Measure the figures of some cards."""
    there = [card for card in cards if card.expected is not None]
    placed = [card for card in there if card.at_its_coatl is not None]
    errors = [card.corner_error for card in there if card.corner_error is not None]
    return CardShares(
        _count_share(card.right_and_sure for card in there),
        _count_share(card.silent for card in cards),
        _count_share(card.missed for card in there),
        _count_share(card.unsure for card in cards),
        _count_share(card.exact for card in there),
        statistics.median(errors) if errors else None,
        _count_share(bool(card.at_its_coatl) for card in placed),
        _count_share(not card.at_its_coatl and not card.place_doubted for card in placed),
    )


def _count_share(found: Iterable[bool]) -> MeasuredShare:
    answers = list(found)
    return MeasuredShare(sum(answers), len(answers))


def _counts_to_json(tally: ShareCounts | CardShares) -> dict[str, Any]:
    return {name: _value_to_json(value) for name, value in tally._asdict().items()}


def _value_to_json(value: Any) -> Any:
    if isinstance(value, MeasuredShare):
        return {
            "part": value.part,
            "whole": value.whole,
            "share": round(value.value, 4),
            "interval": [round(end, 4) for end in value.interval],
        }
    if isinstance(value, CardShares):
        return _counts_to_json(value)
    return round(value, 2) if isinstance(value, float) else value


def _confidence(coatl: JudgedCoatl) -> float:
    return coatl.read.confidence if coatl.read else 0.0


def _list_conditions(photo: LabelledPhoto) -> Iterable[tuple[int, str]]:
    """Yield each condition that has words, or is there or not, and the camera's angle."""
    for key, value in photo.conditions.items():
        place = FIRST_CONDITIONS.index(key) if key in FIRST_CONDITIONS else len(FIRST_CONDITIONS)
        if isinstance(value, bool):
            yield place, key if value else f"no {key}"
        elif isinstance(value, str) and value:
            yield place, f"{key}: {value}"
    angle = photo.conditions.get("camera_deg")
    if isinstance(angle, int | float):
        name = next(name for limit, name in CAMERA_GROUPS if angle <= limit)
        yield len(FIRST_CONDITIONS) + 1, name
