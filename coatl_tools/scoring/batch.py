"""Many Cóatls at once: lines of text become arrays, cards become tables to look up in.

A sequence's automaton is turned into a table that takes several pieces at a step, so a Cóatl
of 16 pieces costs six look-ups a card; everything else follows from the numbers of colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards import requirement as asked
from coatl_tools.cards.card import Card
from coatl_tools.errors import NotationError
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import MAX_PIECES, Coatl, Colour, joins_head_to_tail
from coatl_tools.scoring.automata import COLOURS, compile_sequence
from coatl_tools.scoring.score import collect_prophecy_colours

BLOCK_ROWS = 16_384  # rows at a time: large enough for numpy, small enough for the cache
PointsArray = NDArray[np.int16]
IntArray = NDArray[np.int64]
_Numbers = NDArray[np.int16]
_States = NDArray[np.intp]
_Counts = _Numbers | _States

_CODE_COUNT = len(COLOURS) + 1  # 0 is "no piece", 1 to 5 are the colours
# Of a look-up: a state's row in the table has 2 ** 8 places, of which 6 ** 3 are used.
_PIECES_PER_STEP = 3
_MANY_STATES = 4096  # beyond so many, a look-up takes one piece, or tables would grow too large
_UNKNOWN_CODE = _CODE_COUNT
_CODE_BY_BYTE = np.full(256, _UNKNOWN_CODE, np.uint8)
for _colour in COLOURS:
    _CODE_BY_BYTE[ord(_colour.name)] = _CODE_BY_BYTE[ord(_colour.name.lower())] = _colour + 1


def score_many(
    coatls: Iterable[Coatl | str], cards: Sequence[Card], closed_ends: bool = False
) -> PointsArray:
    """Score every Cóatl (row) on every card (column), each card as if it lay alone.

    Raises NotationError at the first text that is no Cóatl; its `source` is that text.

    >>> from coatl_tools import load_cards
    >>> score_many(["<RBBYYG>", "<BBYY"], [load_cards()["P29"]]).tolist()
    [[4], [4]]
    """
    if isinstance(coatls, str):
        raise TypeError("score_many takes many Cóatls, not one text")
    scorer = BatchScorer(cards, closed_ends)
    blocks: list[PointsArray] = []
    rows = iter(coatls)
    while lines := [row if isinstance(row, str) else str(row) for row in islice(rows, BLOCK_ROWS)]:
        block = parse_block(lines)
        for error in block.errors.values():
            raise error
        blocks.append(scorer.points(block))
    return np.concatenate(blocks) if blocks else np.zeros((0, len(cards)), np.int16)


@dataclass(frozen=True, slots=True)
class CoatlBlock:
    """Cóatls as arrays: `codes[place, row]`, 0 where there is no piece any more."""

    codes: NDArray[np.uint8]
    lengths: _Numbers
    heads: NDArray[np.bool_]
    tails: NDArray[np.bool_]
    texts: list[str]  # canonical
    errors: dict[int, NotationError] = field(default_factory=dict)  # by row


def parse_block(lines: Sequence[str]) -> CoatlBlock:
    """Read one Cóatl per line, at least one; unreadable ones are in `errors`, and score as R."""
    block, readable = _parse_canonical(lines)
    if readable.all():
        return block
    texts = block.texts
    errors: dict[int, NotationError] = {}
    for row in np.flatnonzero(~readable).tolist():
        try:
            texts[row] = str(parse_coatl(lines[row]))
        except NotationError as error:
            errors[row] = error
            texts[row] = "R"
    return replace(_parse_canonical(texts)[0], errors=errors)


def _parse_canonical(lines: Sequence[str]) -> tuple[CoatlBlock, NDArray[np.bool_]]:
    """Read all lines of letters, with < before or > behind; also return which lines those are."""
    text = "\n".join(lines)
    if text.count("\n") != len(lines) - 1:
        text = "\n".join(line.replace("\n", " ") for line in lines)
    raw = np.frombuffer(f"{text}\n".encode("ascii", "replace"), np.uint8)
    ends = np.flatnonzero(raw == ord("\n"))
    begins = np.concatenate(([0], ends[:-1] + 1))
    filled = ends > begins
    heads = filled & (raw[begins] == ord("<"))
    tails = filled & (raw[ends - 1] == ord(">"))
    begins = begins + heads
    lengths = ends - begins - tails
    readable = (lengths > 0) & (lengths <= MAX_PIECES) & ~joins_head_to_tail(lengths, heads, tails)
    lengths = np.where(readable, lengths, 0)
    places = np.arange(lengths.max(initial=1))[:, None]
    known = _CODE_BY_BYTE[raw]
    codes = known[np.minimum(begins + places, len(raw) - 1)]
    codes[places >= lengths] = 0
    readable &= ~(codes == _UNKNOWN_CODE).any(axis=0)
    codes[:, ~readable] = 0
    texts = text.upper().split("\n") if text.isascii() else [line.upper() for line in lines]
    return CoatlBlock(codes, lengths.astype(np.int16), heads, tails, texts), readable


class BatchScorer:
    """Cards compiled for scoring block after block."""

    def __init__(self, cards: Sequence[Card], closed_ends: bool = False) -> None:
        self.cards = tuple(cards)
        self._closed_ends = closed_ends
        self._payments = [_list_points_by_count(card) for card in self.cards]
        self._tables: dict[tuple[asked.PieceSequence, int], _SequenceLookup] = {}
        for card, paid in zip(self.cards, self._payments, strict=True):
            for part in asked.split_requirement(card.requirement):
                if isinstance(part, asked.PieceSequence):
                    most = 1 if isinstance(card.requirement, asked.Several) else len(paid) - 1
                    if (part, most) not in self._tables:
                        self._tables[part, most] = _SequenceLookup(part, most)

    def points(self, block: CoatlBlock) -> PointsArray:
        """Return the points of every row on every card."""
        look = _BlockFacts(block, self._closed_ends)
        points = np.empty((len(self.cards), len(block.texts)), np.int16)
        for row, (card, paid) in enumerate(zip(self.cards, self._payments, strict=True)):
            np.take(paid, self._count(card, len(paid) - 1, look), out=points[row])
        return points.T

    def _count(self, card: Card, most: int, look: _BlockFacts) -> _Counts:
        """Count how often a card is met, no further than its highest level."""
        beside = collect_prophecy_colours((card,))  # it lies there alone
        if not isinstance(card.requirement, asked.Several):
            return self._part(card.requirement, most, look, beside)
        met = np.zeros(len(look.lengths), np.intp)
        for part in card.requirement.parts:
            met += self._part(part, 1, look, beside)
        return met

    def _part(
        self, part: asked.SingleRequirement, most: int, look: _BlockFacts, beside: frozenset[Colour]
    ) -> _Counts:
        match part:
            case asked.ColourCount(colour):
                return np.minimum(look.numbers[colour], most)
            case asked.PieceSequence():
                return self._tables[part, most].count(look)
            case asked.Multiset(needs):
                times = look.lengths
                for colour, need in needs:
                    times = np.minimum(times, look.numbers[colour] // need)
                return np.minimum(times, most)
            case asked.Absent(colour):
                return _convert_to_numbers(look.numbers[colour] == 0)
            case asked.Equal(first, second):
                number = look.numbers[first]
                return _convert_to_numbers((number > 0) & (number == look.numbers[second]))
            case asked.Length(pieces):
                return _convert_to_numbers(look.lengths == pieces)
            case asked.NoProphecy(colour):
                return np.full(len(look.lengths), colour not in beside, np.int16)


def _convert_to_numbers(values: NDArray[np.bool_]) -> _Numbers:
    return values.astype(np.int16)


def _list_points_by_count(card: Card) -> NDArray[np.int16]:
    """List the points by count, up to the highest level."""
    paid = np.zeros(card.levels[-1].count + 1, np.int16)
    if isinstance(card.requirement, asked.Several):
        paid = np.zeros(max(len(paid), len(card.requirement.parts) + 1), np.int16)
    for level in card.levels:
        paid[level.count :] = level.points
    return paid


class _BlockFacts:
    """What all cards need to know of a block, worked out once."""

    def __init__(self, block: CoatlBlock, closed_ends: bool) -> None:
        self.lengths = block.lengths
        self.head_closed = block.heads if closed_ends else None
        self.tail_closed = block.tails if closed_ends else None
        self.numbers: dict[Colour, _Numbers] = {
            colour: (block.codes == colour + 1).sum(axis=0, dtype=np.int16) for colour in COLOURS
        }
        self._codes = block.codes
        self._steps: dict[int, list[_States]] = {}

    def steps(self, pieces: int) -> list[_States]:
        """Pack every `pieces` neighbouring pieces of the rows into one number."""
        if pieces not in self._steps:
            starts = range(0, len(self._codes), pieces)
            self._steps[pieces] = [
                _pack_pieces(self._codes[at : at + pieces], pieces) for at in starts
            ]
        return self._steps[pieces]


def _pack_pieces(places: NDArray[np.uint8], pieces: int) -> _States:
    packed = np.zeros(places.shape[1], np.intp)
    for index in range(pieces):
        packed *= _CODE_COUNT
        if index < len(places):
            packed += places[index]
    return packed


class SequenceTable(NamedTuple):
    """One sequence, counted up to a limit. A code is a state of its automaton and a count."""

    steps: IntArray  # code, colour -> code
    counts: IntArray  # code -> occurrences, if the end is open
    closed: IntArray  # code -> occurrences, if nothing can come behind
    start: int
    open_start: int  # where the missing piece before the first does not count (ruling 9.11)


@lru_cache(maxsize=1024)
def get_sequence_table(sequence: asked.PieceSequence, most: int) -> SequenceTable:
    """Return the tables of a sequence, counted no further than `most`."""
    automaton = compile_sequence(sequence)
    size = len(automaton.closing)
    steps = np.array(automaton.steps, dtype=np.int64).reshape(size, 1, len(COLOURS))
    counts = np.array(automaton.counts, dtype=np.int64).reshape(size, 1, len(COLOURS))
    found = np.arange(most + 1, dtype=np.int64).reshape(1, most + 1, 1)
    codes = steps * (most + 1) + np.minimum(found + counts, most)
    reached = np.tile(np.arange(most + 1, dtype=np.int64), size)
    closing = np.repeat(np.array(automaton.closing, dtype=np.int64), most + 1)
    return SequenceTable(
        steps=codes.reshape(size * (most + 1), len(COLOURS)),
        counts=reached,
        closed=np.minimum(reached + closing, most),
        start=0,
        open_start=automaton.open_start * (most + 1),
    )


class _SequenceLookup:
    """A sequence's automaton as one flat table: a state and some pieces in, a state out.

    A state here is a state of the automaton with the number of occurrences found so far, at
    most `most`, and stands in the table already multiplied by the length of a row.
    """

    def __init__(self, sequence: asked.PieceSequence, most: int) -> None:
        coded = get_sequence_table(sequence, most)
        size = len(coded.counts)
        single = np.empty((size, _CODE_COUNT), np.intp)
        single[:, 0] = np.arange(size)  # no piece, no change
        single[:, 1:] = coded.steps
        self._closed: _States = coded.closed.astype(np.intp)
        self._open: _States = coded.counts.astype(np.intp)
        self._pieces = _PIECES_PER_STEP if size <= _MANY_STATES else 1
        self._shift = (_CODE_COUNT**self._pieces - 1).bit_length()
        table = np.zeros((size, 1 << self._shift), np.intp)
        packed = single
        for _ in range(self._pieces - 1):
            packed = single[packed].reshape(size, -1)
        table[:, : packed.shape[1]] = packed << self._shift
        self._table = table.ravel()
        self._start_closed = coded.start << self._shift
        self._start_open = coded.open_start << self._shift

    def count(self, look: _BlockFacts) -> _States:
        """Count how often each row of the block meets the sequence."""
        state: _States | int = self._start_closed
        if look.head_closed is not None:
            state = np.where(look.head_closed, self._start_closed, self._start_open)
        for packed in look.steps(self._pieces):
            state = self._table.take(packed + state)
        ended: _States = np.asarray(state) >> self._shift
        closed: _States = self._closed.take(ended)
        if look.tail_closed is None:
            return closed
        return np.where(look.tail_closed, closed, self._open.take(ended))
