"""Sequences followed piece by piece: tables that numpy walks, for many words at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.requirement import Sequence as Row
from coatl_tools.pieces import Colour
from coatl_tools.scoring.automaton import compile_sequence

Ints = NDArray[np.int64]
WIDTH = len(Colour)


class Tracker(NamedTuple):
    """One sequence, counted up to a limit. A code is a state of its automaton and a count."""

    steps: Ints  # code, colour -> code
    counts: Ints  # code -> occurrences, if the end is open
    closed: Ints  # code -> occurrences, if nothing can come behind
    start: int
    open_start: int  # where the missing piece before the first does not count (ruling 9.11)


@lru_cache(maxsize=1024)
def tracker(sequence: Row, most: int) -> Tracker:
    """The tables of a sequence, counted no further than `most`."""
    automaton = compile_sequence(sequence)
    size = len(automaton.closing)
    steps = np.array(automaton.steps, dtype=np.int64).reshape(size, 1, WIDTH)
    counts = np.array(automaton.counts, dtype=np.int64).reshape(size, 1, WIDTH)
    found = np.arange(most + 1, dtype=np.int64).reshape(1, most + 1, 1)
    codes = steps * (most + 1) + np.minimum(found + counts, most)
    reached = np.tile(np.arange(most + 1, dtype=np.int64), size)
    closing = np.repeat(np.array(automaton.closing, dtype=np.int64), most + 1)
    return Tracker(
        steps=codes.reshape(size * (most + 1), WIDTH),
        counts=reached,
        closed=np.minimum(reached + closing, most),
        start=0,
        open_start=automaton.open_start * (most + 1),
    )


class Trackers:
    """Several trackers side by side, with tables of one shape."""

    def __init__(self, wanted: Iterable[tuple[Row, int]]) -> None:
        self.wanted = tuple(dict.fromkeys(wanted))
        self.each = [tracker(sequence, most) for sequence, most in self.wanted]
        self.sizes = tuple(len(each.counts) for each in self.each)
        largest = max(self.sizes, default=1)
        self.steps = np.zeros((len(self.each), largest, WIDTH), dtype=np.int64)
        for table, each in zip(self.steps, self.each, strict=True):
            table[: len(each.steps)] = each.steps
        self._rows = np.arange(len(self.each))

    def start(self, closed: bool) -> Ints:
        """The codes before the first piece."""
        begin = [each.start if closed else each.open_start for each in self.each]
        return np.array([begin], dtype=np.int64).reshape(1, len(self.each))

    def after(self, codes: Ints, colour: int) -> Ints:
        """The codes after one more piece."""
        following: Ints = self.steps[self._rows, codes, colour]
        return following

    def walked(self, codes: Ints, colours: Sequence[int]) -> Ints:
        """The codes after several pieces."""
        for colour in colours:
            codes = self.after(codes, colour)
        return codes

    def count(self, place: int, codes: Ints, closed: NDArray[np.bool_] | bool) -> Ints:
        """How often the sequence at this place of `wanted` occurs, by whether the end is closed."""
        mine, each = codes[:, place], self.each[place]
        return np.where(closed, each.closed[mine], each.counts[mine])
