"""What a seat may come to: the finished Cóatls it can strive for, their points and their price.

Every word that a Cóatl can become with a few more pieces of any colour is looked at, whoever has
the pieces now. It is worth the points of its cards less what the turns cost that lead there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import (
    Absent,
    Count,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    Several,
    Single,
)
from coatl_tools.cards.requirement import Sequence as Row
from coatl_tools.pieces import Colour
from coatl_tools.players.planning.trackers import Ints, Tracker, tracker
from coatl_tools.rules.box import BOARD_SPACES

Floats = NDArray[np.float32]
MOST_BOTH, MOST_ONE = 5, 6  # pieces that are thought of: at two open ends, at one
WIDTH = len(Colour)


@dataclass(frozen=True, slots=True)
class Shape:
    """All ways to add pieces at the open ends of a Cóatl; they do not depend on the Cóatl itself.

    `first` and `last` are the colours of the outermost pieces where these close an end, `inner`
    counts the colours of all others, `all` those of all pieces.
    """

    parts: tuple[tuple[int, int], ...]  # pieces before and behind, for each block of words
    all: NDArray[np.int16]
    inner: Floats
    first: Ints
    last: Ints
    builds: Floats  # turns of assembling: a board has 8 spaces


@lru_cache(maxsize=16)
def _words(length: int) -> Ints:
    """Every word of a length, a row each, in the order of a tree whose branches are colours."""
    codes = np.arange(WIDTH**length)
    columns = [codes // WIDTH ** (length - 1 - place) % WIDTH for place in range(length)]
    return np.stack(columns, axis=1) if columns else np.zeros((1, 0), dtype=np.int64)


@lru_cache(maxsize=8)
def shape(head: bool, tail: bool, new: bool) -> Shape:
    """The ways to close a Cóatl that has a head or a tail already, or to build a new one."""
    if head and tail:
        parts = [(0, 0)]
    elif new:
        parts = [(0, n) for n in range(3, MOST_ONE + 1)]
    elif head:
        parts = [(0, n) for n in range(1, MOST_ONE + 1)]
    elif tail:
        parts = [(n, 0) for n in range(1, MOST_ONE + 1)]
    else:
        lengths = range(1, MOST_BOTH)
        parts = [(b, n) for b in lengths for n in lengths if b + n <= MOST_BOTH]
    blocks = []
    for before, behind in parts:
        left, right = _words(before), _words(behind)
        both = np.hstack([np.repeat(left, len(right), axis=0), np.tile(right, (len(left), 1))])
        blocks.append(both)
    counts, inner, firsts, lasts = [], [], [], []
    for block in blocks:
        number = np.stack([(block == colour).sum(axis=1) for colour in range(WIDTH)], axis=1)
        counts.append(number)
        first = block[:, 0] if block.shape[1] and not head else np.zeros(len(block), dtype=int)
        last = block[:, -1] if block.shape[1] and not tail else np.zeros(len(block), dtype=int)
        within = number.copy()
        if not head:
            within[np.arange(len(block)), first] -= 1
        if not tail:
            within[np.arange(len(block)), last] -= 1
        inner.append(within)
        firsts.append(first)
        lasts.append(last)
    return Shape(
        tuple(parts),
        np.concatenate(counts).astype(np.int16),
        np.concatenate(inner).astype(np.float32),
        np.concatenate(firsts),
        np.concatenate(lasts),
        np.concatenate([_builds(block) for block in blocks]),
    )


def _builds(block: Ints) -> Floats:
    """How many turns it takes to assemble words of this length."""
    turns = 1 if block.shape[1] <= BOARD_SPACES else 2
    return np.full(len(block), turns, dtype=np.float32)


class _Words:
    """The words that one Cóatl can become, and what cards ask of them."""

    def __init__(self, text: str) -> None:
        self.shape = shape_of(text)
        self._base = tuple(int(Colour[letter]) for letter in text.strip("<>"))
        counts = [self._base.count(colour) for colour in range(WIDTH)]
        self._counts = self.shape.all + np.array(counts, dtype=np.int16)

    def points(self, card: Card) -> Floats:
        """The points of a card on each word."""
        requirement, most = card.requirement, card.levels[-1].count
        if isinstance(requirement, Row):
            found = tracker(requirement, most)
            by_code: Floats = _worth(card, found.closed)[self._codes(found)]
            return by_code
        if isinstance(requirement, Several):
            met = [self._met(part, 1) > 0 for part in requirement.parts]
            count: NDArray[np.integer[Any]] = np.sum(met, axis=0)
        else:
            count = self._met(requirement, most)
        by_count: Floats = _worth(card, np.arange(int(count.max()) + 1))[count]
        return by_count

    def _codes(self, found: Tracker) -> NDArray[np.int16]:
        """The codes of a tracker at the end of every word."""
        steps = found.steps.astype(np.int16)
        lefts = [np.array([found.start], dtype=np.int16)]
        for _ in range(max(before for before, _ in self.shape.parts)):
            lefts.append(steps[lefts[-1]].reshape(-1))
        blocks = []
        for before in sorted({before for before, _ in self.shape.parts}):
            layer = lefts[before]
            for colour in self._base:
                layer = steps[layer, colour]
            lengths = [behind for b, behind in self.shape.parts if b == before]
            for number in range(max(lengths) + 1):
                if number:
                    layer = steps[layer].reshape(-1)
                if number in lengths:
                    blocks.append(layer)
        return np.concatenate(blocks)

    def _met(self, part: Single, most: int) -> NDArray[np.integer[Any]]:
        """How often each word meets a requirement."""
        counts = self._counts
        met: NDArray[np.bool_]
        match part:
            case Count(colour):
                return counts[:, colour]
            case Row():
                found = tracker(part, most)
                return found.closed[self._codes(found)]
            case Multiset(needs):
                times: Ints = np.min([counts[:, colour] // n for colour, n in needs], axis=0)
                return times
            case Absent(colour):
                met = counts[:, colour] == 0
            case Equal(first, second):
                met = (counts[:, first] == counts[:, second]) & (counts[:, first] > 0)
            case Length(pieces):
                met = counts.sum(axis=1) == pieces
            case NoProphecy():  # as if: which cards will lie there is not known yet
                met = np.ones(len(counts), dtype=bool)
        return met.astype(np.int64)


def word_at(text: str, row: int) -> tuple[str, str]:
    """The colours that a word has before the Cóatl and behind it."""
    for before, behind in shape_of(text).parts:
        size = WIDTH ** (before + behind)
        if row < size:
            letters = _words(before + behind)[row]
            word = "".join(Colour(letter).name for letter in letters)
            return word[:before], word[before:]
        row -= size
    raise ValueError("there is no such word")


def shape_of(text: str) -> Shape:
    """The ways to close this Cóatl, or to build a new one if there is none."""
    return shape(text.startswith("<"), text.endswith(">"), not text)


@lru_cache(maxsize=32)
def _words_of(text: str) -> _Words:
    return _Words(text)


@lru_cache(maxsize=1024)
def points_on(text: str, card: Card) -> Floats:
    """The points that a card has on each word that a Cóatl can become."""
    return _words_of(text).points(card)


def _worth(card: Card, counts: Ints) -> Floats:
    """The points that a card pays for so many occurrences."""
    bounds = np.array([level.count for level in card.levels])
    worth = np.array([0, *(level.points for level in card.levels)], dtype=np.float32)
    paid: Floats = worth[np.searchsorted(bounds, counts, side="right")]
    return paid
