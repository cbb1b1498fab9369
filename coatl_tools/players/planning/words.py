"""Every way to put pieces of a board to a Cóatl, as far as they differ for the cards.

Pieces go before the first one (the outermost may be a head) and behind the last one (the outermost
may be a tail). Ways that use the same pieces and leave all trackers alike are one: of them, the
first found is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour
from coatl_tools.players.planning.ever import Ever
from coatl_tools.players.planning.stock import Stock
from coatl_tools.players.planning.trackers import Ints, Trackers
from coatl_tools.rules.box import Pieces

NOWHERE = -1
_PACKED = 1 << 62  # what a number can hold that tells words apart


@dataclass(frozen=True, slots=True)
class Layer:
    """Words that have come equally far: pieces used, codes of the trackers, how they were made."""

    used: Ints
    codes: Ints  # a column for each tracker, then one for each `Ever`
    head: NDArray[np.bool_]
    node: Ints

    def __len__(self) -> int:
        return len(self.used)

    def where(self, rows: Ints | NDArray[np.bool_]) -> Layer:
        """Some of these words."""
        return Layer(self.used[rows], self.codes[rows], self.head[rows], self.node[rows])


def together(layers: list[Layer]) -> Layer:
    """All words of several layers."""
    if len(layers) == 1:
        return layers[0]
    return Layer(
        np.concatenate([layer.used for layer in layers]),
        np.concatenate([layer.codes for layer in layers]),
        np.concatenate([layer.head for layer in layers]),
        np.concatenate([layer.node for layer in layers]),
    )


@dataclass(frozen=True, slots=True)
class Found:
    """The words of one Cóatl: a row each."""

    used: Ints
    codes: Ints
    head: NDArray[np.bool_]
    tail: NDArray[np.bool_]
    node: Ints


class Words:
    """Finds the words of one Cóatl; `text` is empty for a new one."""

    def __init__(
        self,
        text: str,
        stock: Stock,
        trackers: Trackers,
        evers: tuple[Ever, ...] = (),
        closed_ends: bool = False,
        merge: bool = True,
    ) -> None:
        self.stock, self.trackers, self.evers = stock, trackers, evers
        self.headed, self.tailed = text.startswith("<"), text.endswith(">")
        self.base = tuple(int(Colour[letter]) for letter in text.strip("<>"))
        self._closed_ends, self._merge = closed_ends, merge
        self._parents: list[Ints] = []  # of nodes: where a word came from, and by which piece
        self._pieces: list[Ints] = []
        self._nodes = 0

    def find(self) -> Found:
        """All words, that of no piece added too; of a new Cóatl none that has no piece."""
        before = self._before()
        by_length: dict[int, list[Layer]] = {}
        for length, layer in before.items():
            by_length.setdefault(length, []).append(self._through_base(layer))
        found: list[tuple[Layer, bool]] = []
        lengths = range(len(self.stock.lengths) and int(self.stock.lengths.max()) + 1)
        for length in lengths:
            if length not in by_length:
                continue
            layer = self._merged(together(by_length[length]))
            if self.base or length:
                found.append((layer, self.tailed))
            if self.tailed:
                continue
            found += [(ended, True) for ended in self._ended(layer)]
            grown = self._grown(layer, self.stock.bodies, behind=True)
            if grown is not None:
                by_length.setdefault(length + 1, []).append(grown)
        tails = [np.full(len(layer), tail) for layer, tail in found]
        words = together([layer for layer, _ in found])
        return self._legal(
            Found(words.used, words.codes, words.head, np.concatenate(tails), words.node)
        )

    def attached(self, node: int) -> tuple[Pieces, Pieces]:
        """The pieces that a word has before its Cóatl and behind it, from head to tail."""
        parents = np.concatenate(self._parents) if self._parents else np.zeros(0, dtype=np.int64)
        pieces = np.concatenate(self._pieces) if self._pieces else np.zeros(0, dtype=np.int64)
        halves: tuple[list[str], list[str]] = ([], [])
        while node != NOWHERE:
            code = int(pieces[node])
            halves[code % 2].append(self.stock.pieces[code // 2])
            node = int(parents[node])
        return tuple(reversed(halves[0])), tuple(reversed(halves[1]))

    def _before(self) -> dict[int, Layer]:
        """What may stand before the first piece of the Cóatl, by its length."""
        start = self._start(closed=self.headed or not self._closed_ends)
        bare = Layer(
            np.zeros(1, dtype=np.int64), start, np.array([self.headed]), np.array([NOWHERE])
        )
        found = {0: [bare]}
        if self.headed:
            return {0: bare}
        first = Layer(bare.used, self._start(closed=True), np.array([True]), bare.node)
        headed = self._grown(first, self.stock.heads)
        if headed is not None:
            found[1] = [headed]
        if not self.base:  # all other pieces of a new Cóatl come behind its first one
            return {length: together(layers) for length, layers in found.items()}
        length = 0
        while length in found:
            layer = self._merged(together(found[length]))
            found[length] = [layer]
            grown = self._grown(layer, self.stock.bodies)
            length += 1
            if grown is not None:
                found.setdefault(length, []).append(grown)
        return {length: layers[0] for length, layers in found.items()}

    def _start(self, closed: bool) -> Ints:
        own = self.trackers.start(closed)
        return np.hstack([own, np.array([[ever.start(closed) for ever in self.evers]], dtype=int)])

    def _through_base(self, layer: Layer) -> Layer:
        """The same words with the Cóatl itself behind them."""
        split = len(self.trackers.each)
        codes = layer.codes.copy()
        codes[:, :split] = self.trackers.walked(codes[:, :split], self.base)
        for place, ever in enumerate(self.evers, start=split):
            codes[:, place] = ever.through(codes[:, place], self.base, self.tailed)
        return Layer(layer.used, codes, layer.head, layer.node)

    def _ended(self, layer: Layer) -> list[Layer]:
        ended = self._grown(layer, self.stock.tails, behind=True, tail=True)
        return [] if ended is None else [ended]

    def _grown(
        self, layer: Layer, pieces: tuple[int, ...], behind: bool = False, tail: bool = False
    ) -> Layer | None:
        """These words with one more piece, of any of these kinds that are left."""
        grown, split = [], len(self.trackers.each)
        for piece in pieces:
            rows = np.flatnonzero(self.stock.left(layer.used, piece))
            if not len(rows):
                continue
            colour = self.stock.colours[piece]
            codes = np.empty((len(rows), layer.codes.shape[1]), dtype=np.int64)
            codes[:, :split] = self.trackers.after(layer.codes[rows, :split], colour)
            for place, ever in enumerate(self.evers, start=split):
                step = ever.behind if behind and self.base else ever.before
                if not self.base:
                    step = ever.alone
                codes[:, place] = step(layer.codes[rows, place], colour, tail)
            self._parents.append(layer.node[rows])
            self._pieces.append(np.full(len(rows), piece * 2 + behind))
            node = np.arange(self._nodes, self._nodes + len(rows))
            self._nodes += len(rows)
            used = layer.used[rows] + self.stock.strides[piece]
            grown.append(Layer(used, codes, layer.head[rows], node))
        return together(grown) if grown else None

    def _merged(self, layer: Layer) -> Layer:
        """One word each of those that nothing tells apart."""
        if not self._merge or len(layer) == 1:
            return layer
        sizes = [*self.trackers.sizes, *(ever.size for ever in self.evers)]
        room = self.stock.size * 2
        for size in sizes:
            room *= size
        if room >= _PACKED:
            keys = np.column_stack([layer.used, layer.head, layer.codes])
            _, first = np.unique(keys, axis=0, return_index=True)
            return layer.where(np.sort(first))
        key = layer.used * 2 + layer.head
        for place, size in enumerate(sizes):
            key = key * size + layer.codes[:, place]
        _, first = np.unique(key, return_index=True)
        return layer.where(np.sort(first))

    def _legal(self, words: Found) -> Found:
        """Without those where a head and a tail touch (rule 3.10)."""
        length = self.stock.lengths[words.used] + len(self.base)
        good = ~(words.head & words.tail & (length < 3))
        if good.all():
            return words
        return Found(
            words.used[good],
            words.codes[good],
            words.head[good],
            words.tail[good],
            words.node[good],
        )
