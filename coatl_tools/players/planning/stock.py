"""The pieces of a board, and every choice of some of them as one number."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour
from coatl_tools.rules.box import BODY, HEAD, KIND, TAIL, Pieces

Ints = NDArray[np.int64]


class Stock:
    """The different pieces of a board. A choice counts them in a mixed radix, none being 0."""

    def __init__(self, board: Pieces) -> None:
        self.pieces: Pieces = tuple(sorted(set(board)))
        self.counts = tuple(board.count(piece) for piece in self.pieces)
        self.shape = tuple(count + 1 for count in self.counts)
        self.colours = tuple(int(Colour[piece.strip("<>")]) for piece in self.pieces)
        strides = [1]
        for size in self.shape:
            strides.append(strides[-1] * size)
        self.strides, self.size = tuple(strides[:-1]), strides[-1]
        self.bodies = self._of(BODY)
        self.heads = self._of(HEAD)
        self.tails = self._of(TAIL)

    def _of(self, kind: str) -> tuple[int, ...]:
        return tuple(place for place, piece in enumerate(self.pieces) if KIND[piece] == kind)

    def left(self, choices: Ints, piece: int) -> NDArray[np.bool_]:
        """Whether one more of a piece is on the board beside these choices."""
        used: Ints = choices // self.strides[piece] % self.shape[piece]
        return used < self.counts[piece]

    @cached_property
    def numbers(self) -> Ints:
        """For each choice how many there are of each piece."""
        choices = np.arange(self.size)
        columns = [
            choices // stride % size for stride, size in zip(self.strides, self.shape, strict=True)
        ]
        return np.stack(columns, axis=1) if columns else np.zeros((1, 0), dtype=np.int64)

    @cached_property
    def colour_counts(self) -> Ints:
        """For each choice how many pieces of each colour."""
        found = np.zeros((self.size, len(Colour)), dtype=np.int64)
        for place, colour in enumerate(self.colours):
            found[:, colour] += self.numbers[:, place]
        return found

    @cached_property
    def lengths(self) -> Ints:
        """For each choice how many pieces."""
        total: Ints = self.numbers.sum(axis=1)
        return total

    @cached_property
    def ends(self) -> Ints:
        """For each choice how many heads and tails."""
        total: Ints = self.numbers[:, [*self.heads, *self.tails]].sum(axis=1)
        return total
