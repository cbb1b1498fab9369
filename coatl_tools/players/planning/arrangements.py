"""Every way to attach pieces of a board to a Cóatl, as far as the cards can tell them apart.

Pieces go before the first one (the outermost may be a head) and behind the last one (the outermost
may be a tail). Arrangements that use the same pieces and leave all sequence tables alike are one:
the first found is kept. `Inventory` writes a choice of pieces as one number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    PieceSequence,
    Several,
    SingleRequirement,
    split_requirement,
)
from coatl_tools.pieces import Colour, joins_head_to_tail
from coatl_tools.players.planning.requirement_tables import (
    PlaceabilityTracker,
    SequenceTables,
)
from coatl_tools.rules.constants import BODY, HEAD, KIND_OF_PIECE, TAIL, Pieces
from coatl_tools.scoring.batch import IntArray

ChoiceArray = NDArray[np.int64]


class Inventory:
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
        self.bodies = self._list_of_kind(BODY)
        self.heads = self._list_of_kind(HEAD)
        self.tails = self._list_of_kind(TAIL)

    def _list_of_kind(self, kind: str) -> tuple[int, ...]:
        return tuple(
            place for place, piece in enumerate(self.pieces) if KIND_OF_PIECE[piece] == kind
        )

    def has_left(self, choices: ChoiceArray, piece: int) -> NDArray[np.bool_]:
        """Tell for each choice whether the board has one more of a piece."""
        used: ChoiceArray = choices // self.strides[piece] % self.shape[piece]
        return used < self.counts[piece]

    @cached_property
    def numbers(self) -> ChoiceArray:
        """For each choice how many there are of each piece."""
        choices = np.arange(self.size)
        columns = [
            choices // stride % size for stride, size in zip(self.strides, self.shape, strict=True)
        ]
        return np.stack(columns, axis=1) if columns else np.zeros((1, 0), dtype=np.int64)

    @cached_property
    def colour_counts(self) -> ChoiceArray:
        """For each choice how many pieces of each colour."""
        found = np.zeros((self.size, len(Colour)), dtype=np.int64)
        for place, colour in enumerate(self.colours):
            found[:, colour] += self.numbers[:, place]
        return found

    @cached_property
    def lengths(self) -> ChoiceArray:
        """For each choice how many pieces."""
        total: ChoiceArray = self.numbers.sum(axis=1)
        return total

    @cached_property
    def ends(self) -> ChoiceArray:
        """For each choice how many heads and tails."""
        total: ChoiceArray = self.numbers[:, [*self.heads, *self.tails]].sum(axis=1)
        return total


NO_NODE = -1
_MAX_PACKED_KEY = 1 << 62  # the limit of a key that fits into one number


@dataclass(frozen=True, slots=True)
class ArrangementLayer:
    """Arrangements of equal length: pieces used, codes of the sequence tables, how they grew."""

    used: IntArray
    codes: IntArray  # a column for each sequence table, then one for each `PlaceabilityTracker`
    head: NDArray[np.bool_]
    node: IntArray

    def __len__(self) -> int:
        return len(self.used)

    def select_rows(self, rows: IntArray | NDArray[np.bool_]) -> ArrangementLayer:
        """Return some of these arrangements."""
        return ArrangementLayer(self.used[rows], self.codes[rows], self.head[rows], self.node[rows])


def concatenate_layers(layers: list[ArrangementLayer]) -> ArrangementLayer:
    """Join several layers into one."""
    if len(layers) == 1:
        return layers[0]
    return ArrangementLayer(
        np.concatenate([layer.used for layer in layers]),
        np.concatenate([layer.codes for layer in layers]),
        np.concatenate([layer.head for layer in layers]),
        np.concatenate([layer.node for layer in layers]),
    )


@dataclass(frozen=True, slots=True)
class Arrangements:
    """The arrangements of one Cóatl: a row each."""

    used: IntArray
    codes: IntArray
    head: NDArray[np.bool_]
    tail: NDArray[np.bool_]
    node: IntArray


class ArrangementFinder:
    """Finds the arrangements of one Cóatl; `text` is empty for a new one."""

    def __init__(
        self,
        text: str,
        stock: Inventory,
        sequence_tables: SequenceTables,
        placeability: tuple[PlaceabilityTracker, ...] = (),
        closed_ends: bool = False,
        merge: bool = True,
    ) -> None:
        self.stock, self.sequence_tables, self.placeability = stock, sequence_tables, placeability
        self.headed, self.tailed = text.startswith("<"), text.endswith(">")
        self.base = tuple(int(Colour[letter]) for letter in text.strip("<>"))
        self._closed_ends, self._merge = closed_ends, merge
        # of each node: which arrangement it came from, and by which piece
        self._parents: list[IntArray] = []
        self._pieces: list[IntArray] = []
        self._nodes = 0

    def find(self) -> Arrangements:
        """Find all arrangements, also with no piece added, unless the Cóatl is a new one."""
        before = self._find_before()
        by_length: dict[int, list[ArrangementLayer]] = {}
        for length, layer in before.items():
            by_length.setdefault(length, []).append(self._walk_base(layer))
        found: list[tuple[ArrangementLayer, bool]] = []
        lengths = range(len(self.stock.lengths) and int(self.stock.lengths.max()) + 1)
        for length in lengths:
            if length not in by_length:
                continue
            layer = self._merge_alike(concatenate_layers(by_length[length]))
            if self.base or length:
                found.append((layer, self.tailed))
            if self.tailed:
                continue
            found += [(ended, True) for ended in self._add_tails(layer)]
            grown = self._add_piece(layer, self.stock.bodies, behind=True)
            if grown is not None:
                by_length.setdefault(length + 1, []).append(grown)
        tails = [np.full(len(layer), tail) for layer, tail in found]
        arrangements = concatenate_layers([layer for layer, _ in found])
        return self._drop_illegal(
            Arrangements(
                arrangements.used,
                arrangements.codes,
                arrangements.head,
                np.concatenate(tails),
                arrangements.node,
            )
        )

    def list_attached(self, node: int) -> tuple[Pieces, Pieces]:
        """List the pieces before and behind the Cóatl of an arrangement, from head to tail."""
        parents = np.concatenate(self._parents) if self._parents else np.zeros(0, dtype=np.int64)
        pieces = np.concatenate(self._pieces) if self._pieces else np.zeros(0, dtype=np.int64)
        halves: tuple[list[str], list[str]] = ([], [])
        while node != NO_NODE:
            code = int(pieces[node])
            halves[code % 2].append(self.stock.pieces[code // 2])
            node = int(parents[node])
        return tuple(reversed(halves[0])), tuple(reversed(halves[1]))

    def _find_before(self) -> dict[int, ArrangementLayer]:
        """Find what may stand before the first piece of the Cóatl, by its length."""
        start = self._start(closed=self.headed or not self._closed_ends)
        bare = ArrangementLayer(
            np.zeros(1, dtype=np.int64), start, np.array([self.headed]), np.array([NO_NODE])
        )
        found = {0: [bare]}
        if self.headed:
            return {0: bare}
        first = ArrangementLayer(bare.used, self._start(closed=True), np.array([True]), bare.node)
        headed = self._add_piece(first, self.stock.heads)
        if headed is not None:
            found[1] = [headed]
        if not self.base:  # all other pieces of a new Cóatl come behind its first one
            return {length: concatenate_layers(layers) for length, layers in found.items()}
        length = 0
        while length in found:
            layer = self._merge_alike(concatenate_layers(found[length]))
            found[length] = [layer]
            grown = self._add_piece(layer, self.stock.bodies)
            length += 1
            if grown is not None:
                found.setdefault(length, []).append(grown)
        return {length: layers[0] for length, layers in found.items()}

    def _start(self, closed: bool) -> IntArray:
        own = self.sequence_tables.get_start_codes(closed)
        others = [tracker.get_start_code(closed) for tracker in self.placeability]
        return np.hstack([own, np.array([others], dtype=int)])

    def _walk_base(self, layer: ArrangementLayer) -> ArrangementLayer:
        """Return the same arrangements with the Cóatl itself behind them."""
        split = len(self.sequence_tables.each)
        codes = layer.codes.copy()
        codes[:, :split] = self.sequence_tables.walk(codes[:, :split], self.base)
        for place, tracker in enumerate(self.placeability, start=split):
            codes[:, place] = tracker.step_through(codes[:, place], self.base, self.tailed)
        return ArrangementLayer(layer.used, codes, layer.head, layer.node)

    def _add_tails(self, layer: ArrangementLayer) -> list[ArrangementLayer]:
        ended = self._add_piece(layer, self.stock.tails, behind=True, tail=True)
        return [] if ended is None else [ended]

    def _add_piece(
        self,
        layer: ArrangementLayer,
        pieces: tuple[int, ...],
        behind: bool = False,
        tail: bool = False,
    ) -> ArrangementLayer | None:
        """Return the arrangements with one more of these pieces, or None if none is left."""
        grown, split = [], len(self.sequence_tables.each)
        for piece in pieces:
            rows = np.flatnonzero(self.stock.has_left(layer.used, piece))
            if not len(rows):
                continue
            colour = self.stock.colours[piece]
            codes = np.empty((len(rows), layer.codes.shape[1]), dtype=np.int64)
            codes[:, :split] = self.sequence_tables.step(layer.codes[rows, :split], colour)
            for place, tracker in enumerate(self.placeability, start=split):
                step = tracker.step_behind if behind and self.base else tracker.step_before
                if not self.base:
                    step = tracker.step_new_coatl
                codes[:, place] = step(layer.codes[rows, place], colour, tail)
            self._parents.append(layer.node[rows])
            self._pieces.append(np.full(len(rows), piece * 2 + behind))
            node = np.arange(self._nodes, self._nodes + len(rows))
            self._nodes += len(rows)
            used = layer.used[rows] + self.stock.strides[piece]
            grown.append(ArrangementLayer(used, codes, layer.head[rows], node))
        return concatenate_layers(grown) if grown else None

    def _merge_alike(self, layer: ArrangementLayer) -> ArrangementLayer:
        """Keep one each of the arrangements that nothing tells apart."""
        if not self._merge or len(layer) == 1:
            return layer
        sizes = [*self.sequence_tables.sizes, *(tracker.size for tracker in self.placeability)]
        room = self.stock.size * 2
        for size in sizes:
            room *= size
        if room >= _MAX_PACKED_KEY:
            keys = np.column_stack([layer.used, layer.head, layer.codes])
            _, first = np.unique(keys, axis=0, return_index=True)
            return layer.select_rows(np.sort(first))
        key = layer.used * 2 + layer.head
        for place, size in enumerate(sizes):
            key = key * size + layer.codes[:, place]
        _, first = np.unique(key, return_index=True)
        return layer.select_rows(np.sort(first))

    def _drop_illegal(self, arrangements: Arrangements) -> Arrangements:
        """Drop the arrangements where a head and a tail touch (rule 3.10)."""
        length = self.stock.lengths[arrangements.used] + len(self.base)
        good = ~joins_head_to_tail(length, arrangements.head, arrangements.tail)
        if good.all():
            return arrangements
        return Arrangements(
            arrangements.used[good],
            arrangements.codes[good],
            arrangements.head[good],
            arrangements.tail[good],
            arrangements.node[good],
        )


CountArray: TypeAlias = NDArray[np.integer[Any]]


def list_sequences(card: Card) -> list[tuple[PieceSequence, int]]:
    """List the sequences of a card, and how far each is counted."""
    most = 1 if isinstance(card.requirement, Several) else card.levels[-1].count
    return [
        (part, most)
        for part in split_requirement(card.requirement)
        if isinstance(part, PieceSequence)
    ]


def count_by_colours(part: SingleRequirement, counts: CountArray) -> CountArray:
    """Count how often arrangements meet a requirement, from a row of colour counts for each.

    ValueError for a sequence, or cards beside the Cóatl: colour counts do not tell.
    """
    met: NDArray[np.bool_]
    match part:
        case ColourCount(colour):
            return counts[:, colour]
        case Multiset(needs):
            times: CountArray = np.min([counts[:, colour] // n for colour, n in needs], axis=0)
            return times
        case Absent(colour):
            met = counts[:, colour] == 0
        case Equal(first, second):
            met = (counts[:, first] == counts[:, second]) & (counts[:, first] > 0)
        case Length(pieces):
            met = counts.sum(axis=1) == pieces
        case PieceSequence() | NoProphecy():
            raise ValueError("the colours alone do not tell")
    return met.astype(np.int64)
