"""Requirements as tables that numpy follows piece by piece, for many arrangements at once.

`SequenceTables` count sequences. `PlaceabilityTracker` tells whether a card could be placed at
some moment while a Cóatl grows (rule 3.9): a card that a later piece breaks scores nothing, but is
one of those that a complete Cóatl needs (rulings 9.12, 9.16). The moments are the stretches of the
final arrangement that hold the Cóatl as it was; it is walked once, for all stretches together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import (
    ColourCount,
    Multiset,
    PieceSequence,
    Several,
    split_requirement,
)
from coatl_tools.pieces import Colour
from coatl_tools.scoring.automata import RequirementMachine, build_machine
from coatl_tools.scoring.batch import IntArray, get_sequence_table
from coatl_tools.scoring.score import collect_prophecy_colours

COLOUR_COUNT = len(Colour)


class SequenceTables:
    """Several sequence tables side by side, with tables of one shape."""

    def __init__(self, wanted: Iterable[tuple[PieceSequence, int]]) -> None:
        self.wanted = tuple(dict.fromkeys(wanted))
        self.each = [get_sequence_table(sequence, most) for sequence, most in self.wanted]
        self.sizes = tuple(len(each.counts) for each in self.each)
        largest = max(self.sizes, default=1)
        self.steps = np.zeros((len(self.each), largest, COLOUR_COUNT), dtype=np.int64)
        for table, each in zip(self.steps, self.each, strict=True):
            table[: len(each.steps)] = each.steps
        self._rows = np.arange(len(self.each))

    def get_start_codes(self, closed: bool) -> IntArray:
        """Return the codes before the first piece.

        `closed` if the absence of one before it counts for crossed-out neighbours (ruling 9.11).
        """
        begin = [each.start if closed else each.open_start for each in self.each]
        return np.array([begin], dtype=np.int64).reshape(1, len(self.each))

    def step(self, codes: IntArray, colour: int) -> IntArray:
        """Return the codes after one more piece."""
        following: IntArray = self.steps[self._rows, codes, colour]
        return following

    def walk(self, codes: IntArray, colours: Sequence[int]) -> IntArray:
        """Return the codes after several pieces."""
        for colour in colours:
            codes = self.step(codes, colour)
        return codes

    def count(self, place: int, codes: IntArray, closed: NDArray[np.bool_] | bool) -> IntArray:
        """Count the sequence at this place of `wanted`; `closed` if nothing can come behind."""
        mine, each = codes[:, place], self.each[place]
        return np.where(closed, each.closed[mine], each.counts[mine])


# Of a card's machines, one for each part of its requirement, at the end of one stretch.
_MachineStates: TypeAlias = tuple[Any, ...]
# Was the card ever met? The different machine states of all stretches begun.
_TrackerState: TypeAlias = tuple[bool, frozenset[_MachineStates]]
ALREADY_MET: _TrackerState = (True, frozenset())


class _PieceStep(NamedTuple):
    """One more piece. A stretch may end with it (`moment`), or begin behind it (`begins`)."""

    colour: int
    moment: bool = False
    tail: bool = False
    begins: bool = False


def is_breakable(card: Card) -> bool:
    """Tell whether a further piece can make a Cóatl fail a card that it satisfied."""
    for part in split_requirement(card.requirement):
        match part:
            case ColourCount() | Multiset():
                continue
            case PieceSequence(_, before, after) if before is None and after is None:
                continue
            case _:
                return True
    return False


class PlaceabilityTracker:
    """Follows one card; codes number the states of the tracker as they turn up.

    All steps for one piece are called alike: with the codes, its colour, and whether it is a tail.
    """

    def __init__(self, card: Card, closed_ends: bool) -> None:
        self._closed_ends = closed_ends
        several = isinstance(card.requirement, Several)
        needed = card.levels[0].count
        self._parts_needed, self._times_needed = (needed, 1) if several else (1, needed)
        beside = collect_prophecy_colours((card,))
        self._machines: list[RequirementMachine] = [
            build_machine(part, self._times_needed, beside)
            for part in split_requirement(card.requirement)
        ]
        self._codes: dict[_TrackerState, int] = {}
        self._states: list[_TrackerState] = []
        self._steps: dict[tuple[int, _PieceStep], int] = {}
        self._get_code(ALREADY_MET)

    @property
    def size(self) -> int:
        """More than any code that was given out."""
        return len(self._states)

    def was_ever_met(self, codes: IntArray) -> NDArray[np.bool_]:
        """Tell for each code whether there was a moment when the card could be placed."""
        there: NDArray[np.bool_] = codes == 0
        return there

    def get_start_code(self, closed: bool) -> int:
        """Return the code before the first piece, where a stretch may begin.

        `closed` if the absence of one before it counts for crossed-out neighbours (ruling 9.11).
        """
        return self._get_code((False, frozenset([self._begin_stretch(closed)])))

    def step_before(self, codes: IntArray, colour: int, tail: bool) -> IntArray:
        """Return the codes after a piece before the Cóatl; a stretch may begin behind it.

        A tail is never put there, so `tail` is not used.
        """
        return self._step_all(codes, _PieceStep(colour, begins=True))

    def step_through(self, codes: IntArray, base: Sequence[int], tail: bool) -> IntArray:
        """Return the codes after the pieces of the Cóatl as it was; each stretch may end there."""
        for place, colour in enumerate(base, start=1):
            whole = place == len(base)
            codes = self._step_all(codes, _PieceStep(colour, moment=whole, tail=whole and tail))
        return codes

    def step_behind(self, codes: IntArray, colour: int, tail: bool) -> IntArray:
        """Return the codes after a piece behind the Cóatl."""
        return self._step_all(codes, _PieceStep(colour, moment=True, tail=tail))

    def step_new_coatl(self, codes: IntArray, colour: int, tail: bool) -> IntArray:
        """Return the codes after a piece of a new Cóatl, which may begin and end with any piece."""
        return self._step_all(codes, _PieceStep(colour, moment=True, tail=tail, begins=True))

    def _step_all(self, codes: IntArray, piece: _PieceStep) -> IntArray:
        different, places = np.unique(codes, return_inverse=True)
        found = np.array([self._step(int(code), piece) for code in different], dtype=np.int64)
        return found[places.reshape(codes.shape)] if len(found) else codes

    def _step(self, code: int, piece: _PieceStep) -> int:
        if code == 0:
            return 0
        key = (code, piece)
        if key not in self._steps:
            self._steps[key] = self._get_code(self._advance(self._states[code], piece))
        return self._steps[key]

    def _advance(self, state: _TrackerState, piece: _PieceStep) -> _TrackerState:
        stretches = frozenset(
            self._grow_stretch(stretch, Colour(piece.colour)) for stretch in state[1]
        )
        if piece.moment and any(self._is_stretch_met(stretch, piece.tail) for stretch in stretches):
            return ALREADY_MET
        if piece.begins:
            stretches |= {self._begin_stretch(not self._closed_ends)}
        return False, stretches

    def _get_code(self, state: _TrackerState) -> int:
        """Return the number of a state; a new one gets the next number."""
        if state not in self._codes:
            self._codes[state] = len(self._states)
            self._states.append(state)
        return self._codes[state]

    def _begin_stretch(self, closed: bool) -> _MachineStates:
        return tuple(machine.start(closed) for machine in self._machines)

    def _grow_stretch(self, stretch: _MachineStates, colour: Colour) -> _MachineStates:
        pairs = zip(self._machines, stretch, strict=True)
        return tuple(machine.step(state, colour) for machine, state in pairs)

    def _is_stretch_met(self, stretch: _MachineStates, tail: bool) -> bool:
        closed = tail or not self._closed_ends
        pairs = zip(self._machines, stretch, strict=True)
        met = sum(machine.count(state, closed) >= self._times_needed for machine, state in pairs)
        return met >= self._parts_needed


@lru_cache(maxsize=256)
def get_placeability_tracker(card: Card, closed_ends: bool) -> PlaceabilityTracker:
    """Return the `PlaceabilityTracker` of a card, which is made once."""
    return PlaceabilityTracker(card, closed_ends)
