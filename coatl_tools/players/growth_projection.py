"""The arrangements that a Cóatl may grow into, with pieces nobody may have yet, and their points.

Arrangements grow by one colour at a time, at the tail end; before that, some colours are put before
the Cóatl. Of each length those are kept that promise most: cards they fulfil, or come close to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import (
    ColourCount,
    NoProphecy,
    PieceSequence,
    Several,
    SingleRequirement,
)
from coatl_tools.pieces import Colour
from coatl_tools.players.planning.arrangements import CountArray, count_by_colours, list_sequences
from coatl_tools.scoring.batch import IntArray, get_sequence_table

FloatArray = NDArray[np.float32]
ColourArray = NDArray[np.int8]
COLOUR_COUNT = len(Colour)
ROWS_KEPT = 500  # arrangements of each length
MAX_ADDED_PIECES = 8  # pieces: as many as a board has spaces
MAX_BEFORE = 2  # pieces before a Cóatl whose tail end is open too
MAX_BEFORE_ALONE = 5  # pieces before a Cóatl that has its tail
NEXT_LEVEL_WEIGHT = 0.45  # what the next level of a card counts, for each piece that it lacks


@dataclass(frozen=True, slots=True)
class ProjectedArrangements:
    """Arrangements that a Cóatl can become, with what cards ask of them: a row each.

    `before` and `behind` are the colours added, -1 for none; `codes` has a column for each
    sequence table.
    """

    before: ColourArray
    behind: ColourArray
    counts: NDArray[np.int16]  # of each colour in the whole arrangement
    codes: tuple[NDArray[np.int16], ...]

    def __len__(self) -> int:
        return len(self.counts)

    def select_rows(self, rows: NDArray[Any]) -> ProjectedArrangements:
        """Select some of these arrangements."""
        codes = tuple(column[rows] for column in self.codes)
        return ProjectedArrangements(self.before[rows], self.behind[rows], self.counts[rows], codes)


def concatenate_projections(parts: Sequence[ProjectedArrangements]) -> ProjectedArrangements:
    """Join several groups of arrangements into one."""
    return ProjectedArrangements(
        np.concatenate([part.before for part in parts]),
        np.concatenate([part.behind for part in parts]),
        np.concatenate([part.counts for part in parts]),
        tuple(map(np.concatenate, zip(*(part.codes for part in parts), strict=True))),
    )


class CardPointTables:
    """Looks up the points of cards, and the hope for more, for many arrangements at once."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)
        wanted = [wanted for card in cards for wanted in list_sequences(card)]
        self.rows = tuple(dict.fromkeys(wanted))
        self.places = {row: place for place, row in enumerate(self.rows)}
        self.steps = [get_sequence_table(*row).steps.astype(np.int16) for row in self.rows]

    def points(self, card: Card, arrangements: ProjectedArrangements) -> FloatArray:
        """Return the points of a card on each arrangement, once it is complete."""
        requirement, most = card.requirement, card.levels[-1].count
        if isinstance(requirement, PieceSequence):
            found: FloatArray = _get_points_by_code(card)[0][
                arrangements.codes[self.places[requirement, most]]
            ]
            return found
        if isinstance(requirement, Several):
            met = [self._count_met(part, 1, arrangements) > 0 for part in requirement.parts]
            count: CountArray = np.sum(met, axis=0)
        else:
            count = self._count_met(requirement, most, arrangements)
        paid: FloatArray = _get_points_by_count(card, np.arange(int(count.max(initial=0)) + 1))[
            count
        ]
        return paid

    def estimate_points(self, card: Card, arrangements: ProjectedArrangements) -> FloatArray:
        """Estimate the points, and some of the next level's where it is near."""
        requirement, most = card.requirement, card.levels[-1].count
        if isinstance(requirement, PieceSequence):
            found: FloatArray = _get_points_by_code(card)[1][
                arrangements.codes[self.places[requirement, most]]
            ]
            return found
        if isinstance(requirement, ColourCount):
            hopes: FloatArray = _get_hopes_by_count(card)[
                np.minimum(arrangements.counts[:, requirement.colour], most)
            ]
            return hopes
        return self.points(card, arrangements)

    def _count_met(
        self, part: SingleRequirement, most: int, arrangements: ProjectedArrangements
    ) -> CountArray:
        match part:
            case PieceSequence():
                return get_sequence_table(part, most).closed[
                    arrangements.codes[self.places[part, most]]
                ]
            case NoProphecy():  # taken as met: which cards will lie there is not known yet
                return np.ones(len(arrangements), dtype=np.int64)
            case _:
                return count_by_colours(part, arrangements.counts)


def _get_points_by_count(card: Card, counts: IntArray) -> FloatArray:
    """Return the points that a card pays for so many occurrences."""
    bounds = np.array([level.count for level in card.levels])
    worth = np.array([0, *(level.points for level in card.levels)], dtype=np.float32)
    paid: FloatArray = worth[np.searchsorted(bounds, counts, side="right")]
    return paid


@lru_cache(maxsize=512)
def _get_hopes_by_count(card: Card) -> FloatArray:
    """Return a card's points by number of pieces of its colour, with some of the next level's."""
    most = card.levels[-1].count
    points = _get_points_by_count(card, np.arange(most + 1))
    hopes = points.copy()
    for count in range(most - 1, -1, -1):
        hopes[count] = max(
            points[count],
            NEXT_LEVEL_WEIGHT * hopes[count + 1] + (1 - NEXT_LEVEL_WEIGHT) * points[count],
        )
    return hopes


@lru_cache(maxsize=512)
def _get_points_by_code(card: Card) -> tuple[FloatArray, FloatArray]:
    """Return for each code of a card's sequence its points, without and with hope for more."""
    assert isinstance(card.requirement, PieceSequence)
    found = get_sequence_table(card.requirement, card.levels[-1].count)
    points = _get_points_by_count(card, found.closed)
    hopes = points.copy()
    for _ in range(12):  # from further off, the hope is too small to matter
        best = hopes[found.steps].max(axis=1)
        hopes = np.maximum(
            hopes, np.float32(NEXT_LEVEL_WEIGHT) * best + np.float32(1 - NEXT_LEVEL_WEIGHT) * points
        )
    return points, hopes


def start_projection(cards: CardPointTables, text: str) -> ProjectedArrangements:
    """Make the arrangements of the Cóatl itself and what is put before it, nothing behind it."""
    headed, tailed = text.startswith("<"), text.endswith(">")
    most = 0 if headed or not text else MAX_BEFORE_ALONE if tailed else MAX_BEFORE
    base = [int(Colour[letter]) for letter in text.strip("<>")]
    starts = [np.array([get_sequence_table(*row).start], dtype=np.int16) for row in cards.rows]
    layer = ProjectedArrangements(
        np.full((1, most), -1, dtype=np.int8),
        np.full((1, MAX_ADDED_PIECES), -1, dtype=np.int8),
        np.zeros((1, COLOUR_COUNT), dtype=np.int16),
        tuple(starts),
    )
    layers = [] if most else [layer]
    for length in range(most):
        layer = _extend_by_colour(cards, layer, layer.before, length)
        layers.append(layer)
    arrangements = concatenate_projections(layers)
    codes = []
    for column, steps in zip(arrangements.codes, cards.steps, strict=True):
        for colour in base:
            column = steps[column, colour]  # noqa: PLW2901 (it walks)
        codes.append(column)
    counts = arrangements.counts + np.array(
        [base.count(c) for c in range(COLOUR_COUNT)], dtype=np.int16
    )
    return ProjectedArrangements(arrangements.before, arrangements.behind, counts, tuple(codes))


def extend_at_tail(
    cards: CardPointTables, arrangements: ProjectedArrangements, length: int
) -> ProjectedArrangements:
    """Extend arrangements, which have `length` pieces added behind, by a piece of every colour."""
    return _extend_by_colour(cards, arrangements, arrangements.behind, length)


def _extend_by_colour(
    cards: CardPointTables, arrangements: ProjectedArrangements, side: ColourArray, length: int
) -> ProjectedArrangements:
    number = len(arrangements)
    colours = np.tile(np.arange(COLOUR_COUNT, dtype=np.int8), number)
    before, behind = (
        np.repeat(arrangements.before, COLOUR_COUNT, axis=0),
        np.repeat(arrangements.behind, COLOUR_COUNT, axis=0),
    )
    (before if side is arrangements.before else behind)[:, length] = colours
    counts = np.repeat(arrangements.counts, COLOUR_COUNT, axis=0)
    counts[np.arange(number * COLOUR_COUNT), colours] += 1
    codes = tuple(
        steps[column].reshape(-1)
        for column, steps in zip(arrangements.codes, cards.steps, strict=True)
    )
    return ProjectedArrangements(before, behind, counts, codes)
