"""Comparing the cards that were read with those that are there: by place, or else by their ids."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.photos.judge import match_coatls
from benchmarks.photos.labels import LabelledCard, LabelledPhoto
from benchmarks.photos.readers import ReadCard, ReadPhoto
from coatl_tools.vision.homography import measure_overlap

MIN_OVERLAP = 0.4  # of the smaller outline, from which a reading is of that card
MAX_AREA_RATIO = 3.0  # a row of pieces that is taken for a card is not the card that it is on
CARD_WIDTH = 63.0  # millimetres


class JudgedCard(NamedTuple):
    """A card that is there, was read, or both."""

    expected: LabelledCard | None  # nothing: found where there is none
    read: ReadCard | None  # nothing: not found
    corner_error: float | None = None  # millimetres, on average; nothing without four corners
    at_its_coatl: bool | None = None  # nothing: nobody labelled it, or it was not found
    place_doubted: bool = False  # somebody was told that it may lie at another Cóatl

    @property
    def exact(self) -> bool:
        """Whether its id was read, surely or not."""
        if self.expected is None or self.read is None:
            return False
        return self.expected.id == self.read.id

    @property
    def right_and_sure(self) -> bool:
        """Whether it was read, and nothing is left to ask."""
        return self.exact and not self.unsure

    @property
    def silent(self) -> bool:
        """Whether it is told for sure, and wrong."""
        return self.read is not None and self.read.sure and not self.exact

    @property
    def missed(self) -> bool:
        """Whether it was not found."""
        return self.read is None

    @property
    def unsure(self) -> bool:
        """Whether it was found, and the reader says that it does not know."""
        return self.read is not None and not self.read.sure


def judge_cards(photo: LabelledPhoto, read: ReadPhoto) -> tuple[JudgedCard, ...]:
    """Every card that is there, then those read where there is none; nothing without labels."""
    if photo.cards is None:
        return ()
    coatls = match_coatls(photo.coatls, read.coatls)
    found = _match_cards(photo.cards, read.cards)
    doubted = {problem.card for problem in read.problems if problem.code == "card_between"}
    judged = []
    for card, i in zip(photo.cards, found, strict=True):
        if i is None:
            judged.append(JudgedCard(card, None))
            continue
        other = read.cards[i]
        there = None if card.coatl is None else coatls[card.coatl]
        known = card.has_place and (card.coatl is None or there is not None)
        judged.append(
            JudgedCard(
                card,
                other,
                _measure_corner_error(card, other),
                other.coatl == there if known else None,
                i in doubted,
            )
        )
    extra = [
        card
        for i, card in enumerate(read.cards)
        if i not in found and card.id not in photo.other_cards
    ]
    return (*judged, *(JudgedCard(None, card) for card in extra))


def _match_cards(
    expected: Sequence[LabelledCard], read: Sequence[ReadCard]
) -> tuple[int | None, ...]:
    """For each card that is there, the index of the one that was read, the best fits first."""
    fits = [
        (fit, i, j)
        for i, one in enumerate(expected)
        for j, other in enumerate(read)
        if (fit := _rate_match(one, other)) > 0
    ]
    found: dict[int, int] = {}
    for _, i, j in sorted(fits, key=lambda fit: (-fit[0], *fit[1:])):
        if i not in found and j not in found.values():
            found[i] = j
    return tuple(found.get(i) for i in range(len(expected)))


def _rate_match(expected: LabelledCard, read: ReadCard) -> float:
    """How well a reading fits a card, at most 2; 0 if it is of another one."""
    same = float(expected.id == read.id)
    if not expected.corners or len(read.outline) < 3:  # a doubtful one comes before a wrong one
        return 1.0 + same if same else 0.5 if not read.sure else 0.25
    one, other = np.array(expected.corners), np.array(read.outline)
    areas = _measure_area(one), _measure_area(other)
    overlap = measure_overlap(one, other)
    if overlap < MIN_OVERLAP or max(areas) > MAX_AREA_RATIO * min(areas):
        return 0.0
    return overlap * min(areas) / max(areas) + same  # of cards that overlap, its own


def _measure_area(points: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    x, y = points[:, 0], points[:, 1]
    return max(abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2, 1e-6)


def _measure_corner_error(expected: LabelledCard, read: ReadCard) -> float | None:
    """Measure how far the corners are off, from whichever one the reading begins."""
    if not expected.corners or len(read.outline) != 4:
        return None
    errors = (
        sum(math.dist(a, b) for a, b in zip(expected.corners, turned, strict=True)) / 4
        for way in (read.outline, read.outline[::-1])
        for start in range(4)
        for turned in [(*way[start:], *way[:start])]
    )
    return min(errors) * CARD_WIDTH / expected.width
