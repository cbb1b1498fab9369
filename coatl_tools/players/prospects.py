"""What a Cóatl may come to: words of pieces that nobody may have yet, by the cards that they pay.

Words grow by one colour at a time, at the tail end; before that, some colours are put before the
Cóatl. Of each length those are kept that promise most: cards they fulfil, or come close to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import Count, NoProphecy, Several, Single
from coatl_tools.cards.requirement import Sequence as Row
from coatl_tools.pieces import Colour
from coatl_tools.players.planning.counted import Numbers, met_by_colours, rows_of
from coatl_tools.players.planning.trackers import Ints, tracker

Floats = NDArray[np.float32]
Letters = NDArray[np.int8]
WIDTH = len(Colour)
KEPT = 500  # words of each length
MOST_ADDED = 8  # pieces: as many as a board has spaces
BEFORE, BEFORE_ALONE = 2, 5  # pieces before the Cóatl, if the tail end is open too, and if not
NEAR = 0.45  # what the next level of a card counts, for each piece that it lacks


@dataclass(frozen=True, slots=True)
class Words:
    """Words that a Cóatl can become, with what cards there are of them: a row each.

    `before` and `behind` are the colours added, -1 for none; `codes` has a column for each tracker.
    """

    before: Letters
    behind: Letters
    counts: NDArray[np.int16]  # of each colour in the whole word
    codes: tuple[NDArray[np.int16], ...]

    def __len__(self) -> int:
        return len(self.counts)

    def where(self, rows: NDArray[Any]) -> Words:
        """Some of these words."""
        codes = tuple(column[rows] for column in self.codes)
        return Words(self.before[rows], self.behind[rows], self.counts[rows], codes)


def together(parts: Sequence[Words]) -> Words:
    """All words of several groups."""
    return Words(
        np.concatenate([part.before for part in parts]),
        np.concatenate([part.behind for part in parts]),
        np.concatenate([part.counts for part in parts]),
        tuple(map(np.concatenate, zip(*(part.codes for part in parts), strict=True))),
    )


class Cards:
    """Cards of which the points, and the hope for more, are looked up for many words at once."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)
        wanted = [wanted for card in cards for wanted in rows_of(card)]
        self.rows = tuple(dict.fromkeys(wanted))
        self.places = {row: place for place, row in enumerate(self.rows)}
        self.steps = [tracker(*row).steps.astype(np.int16) for row in self.rows]

    def points(self, card: Card, words: Words) -> Floats:
        """The points of a card on each word, once it is complete."""
        requirement, most = card.requirement, card.levels[-1].count
        if isinstance(requirement, Row):
            found: Floats = _by_code(card)[0][words.codes[self.places[requirement, most]]]
            return found
        if isinstance(requirement, Several):
            met = [self._met(part, 1, words) > 0 for part in requirement.parts]
            count: Numbers = np.sum(met, axis=0)
        else:
            count = self._met(requirement, most, words)
        paid: Floats = _worth(card, np.arange(int(count.max(initial=0)) + 1))[count]
        return paid

    def hope(self, card: Card, words: Words) -> Floats:
        """The points, and some of the next level's where it is near."""
        requirement, most = card.requirement, card.levels[-1].count
        if isinstance(requirement, Row):
            found: Floats = _by_code(card)[1][words.codes[self.places[requirement, most]]]
            return found
        if isinstance(requirement, Count):
            hopes: Floats = _by_count(card)[np.minimum(words.counts[:, requirement.colour], most)]
            return hopes
        return self.points(card, words)

    def _met(self, part: Single, most: int, words: Words) -> Numbers:
        match part:
            case Row():
                return tracker(part, most).closed[words.codes[self.places[part, most]]]
            case NoProphecy():  # as if: which cards will lie there is not known yet
                return np.ones(len(words), dtype=np.int64)
            case _:
                return met_by_colours(part, words.counts)


def _worth(card: Card, counts: Ints) -> Floats:
    """The points that a card pays for so many occurrences."""
    bounds = np.array([level.count for level in card.levels])
    worth = np.array([0, *(level.points for level in card.levels)], dtype=np.float32)
    paid: Floats = worth[np.searchsorted(bounds, counts, side="right")]
    return paid


@lru_cache(maxsize=512)
def _by_count(card: Card) -> Floats:
    """For so many pieces of its colour the points of a card, and some of the next level's."""
    most = card.levels[-1].count
    points = _worth(card, np.arange(most + 1))
    hopes = points.copy()
    for count in range(most - 1, -1, -1):
        hopes[count] = max(points[count], NEAR * hopes[count + 1] + (1 - NEAR) * points[count])
    return hopes


@lru_cache(maxsize=512)
def _by_code(card: Card) -> tuple[Floats, Floats]:
    """For each code of a card's sequence its points, and these with some of the next level's."""
    assert isinstance(card.requirement, Row)
    found = tracker(card.requirement, card.levels[-1].count)
    points = _worth(card, found.closed)
    hopes = points.copy()
    for _ in range(12):  # further off, hope is nothing
        best = hopes[found.steps].max(axis=1)
        hopes = np.maximum(hopes, np.float32(NEAR) * best + np.float32(1 - NEAR) * points)
    return points, hopes


def first_words(cards: Cards, text: str) -> Words:
    """The words before anything is put behind the Cóatl: what stands before it, and itself."""
    headed, tailed = text.startswith("<"), text.endswith(">")
    most = 0 if headed or not text else BEFORE_ALONE if tailed else BEFORE
    base = [int(Colour[letter]) for letter in text.strip("<>")]
    starts = [np.array([tracker(*row).start], dtype=np.int16) for row in cards.rows]
    layer = Words(
        np.full((1, most), -1, dtype=np.int8),
        np.full((1, MOST_ADDED), -1, dtype=np.int8),
        np.zeros((1, WIDTH), dtype=np.int16),
        tuple(starts),
    )
    layers = [] if most else [layer]
    for length in range(most):
        layer = _grown(cards, layer, layer.before, length)
        layers.append(layer)
    words = together(layers)
    codes = []
    for column, steps in zip(words.codes, cards.steps, strict=True):
        for colour in base:
            column = steps[column, colour]  # noqa: PLW2901 (it walks)
        codes.append(column)
    counts = words.counts + np.array([base.count(c) for c in range(WIDTH)], dtype=np.int16)
    return Words(words.before, words.behind, counts, tuple(codes))


def grown_behind(cards: Cards, words: Words, length: int) -> Words:
    """These words with every colour put behind them, of which so many are there already."""
    return _grown(cards, words, words.behind, length)


def _grown(cards: Cards, words: Words, side: Letters, length: int) -> Words:
    number = len(words)
    colours = np.tile(np.arange(WIDTH, dtype=np.int8), number)
    before, behind = np.repeat(words.before, WIDTH, axis=0), np.repeat(words.behind, WIDTH, axis=0)
    (before if side is words.before else behind)[:, length] = colours
    counts = np.repeat(words.counts, WIDTH, axis=0)
    counts[np.arange(number * WIDTH), colours] += 1
    codes = tuple(
        steps[column].reshape(-1) for column, steps in zip(words.codes, cards.steps, strict=True)
    )
    return Words(before, behind, counts, codes)
