"""Whether a card could be placed at some moment while a Cóatl grows (rule 3.9).

A card that a later piece breaks scores nothing, but it counts as one of those that a complete Cóatl
needs (rulings 9.12, 9.16). The moments of a growing Cóatl are the stretches of its final word that
hold the Cóatl as it was. This walks the final word once and follows every stretch at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import (
    Count,
    Multiset,
    Several,
    parts_of,
)
from coatl_tools.cards.requirement import (
    Sequence as Row,
)
from coatl_tools.pieces import Colour
from coatl_tools.players.planning.trackers import Ints
from coatl_tools.scoring.machines import Machine, machine_of
from coatl_tools.scoring.score import prophecy_colours

_Stretch: TypeAlias = tuple[Any, ...]  # the states of a card's machines
_Code: TypeAlias = tuple[bool, frozenset[_Stretch]]  # was it ever met? the stretches begun
DONE: _Code = (True, frozenset())


class _Way(NamedTuple):
    """One more piece: is the Cóatl then as it once was? May a stretch begin behind the piece?"""

    colour: int
    moment: bool = False
    tail: bool = False
    begins: bool = False


def breakable(card: Card) -> bool:
    """Whether a further piece can take away what a Cóatl has of this card."""
    for part in parts_of(card.requirement):
        match part:
            case Count() | Multiset():
                continue
            case Row(_, before, after) if before is None and after is None:
                continue
            case _:
                return True
    return False


class Ever:
    """Follows one card; codes are numbers of what is known, given out as they turn up."""

    def __init__(self, card: Card, closed_ends: bool) -> None:
        self._closed_ends = closed_ends
        several = isinstance(card.requirement, Several)
        needed = card.levels[0].count
        self._parts_needed, self._times_needed = (needed, 1) if several else (1, needed)
        beside = prophecy_colours((card,))
        self._machines: list[Machine] = [
            machine_of(part, self._times_needed, beside) for part in parts_of(card.requirement)
        ]
        self._codes: dict[_Code, int] = {}
        self._known: list[_Code] = []
        self._steps: dict[tuple[int, _Way], int] = {}
        self._number(DONE)

    @property
    def size(self) -> int:
        """More than any code that was given out."""
        return len(self._known)

    def met(self, codes: Ints) -> NDArray[np.bool_]:
        """Whether there was a moment."""
        there: NDArray[np.bool_] = codes == 0
        return there

    def start(self, closed: bool) -> int:
        """Before the first piece; a stretch may begin there."""
        return self._number((False, frozenset([self._begin(closed)])))

    def before(self, codes: Ints, colour: int, tail: bool = False) -> Ints:
        """A piece before the Cóatl: stretches go on, and one may begin behind it."""
        return self._each(codes, _Way(colour, begins=True))

    def through(self, codes: Ints, base: Sequence[int], tail: bool) -> Ints:
        """The Cóatl as it was; then each stretch is a moment."""
        for place, colour in enumerate(base, start=1):
            whole = place == len(base)
            codes = self._each(codes, _Way(colour, moment=whole, tail=whole and tail))
        return codes

    def behind(self, codes: Ints, colour: int, tail: bool) -> Ints:
        """A piece behind the Cóatl."""
        return self._each(codes, _Way(colour, moment=True, tail=tail))

    def alone(self, codes: Ints, colour: int, tail: bool) -> Ints:
        """A piece of a new Cóatl: any stretch of it may have been there first."""
        return self._each(codes, _Way(colour, moment=True, tail=tail, begins=True))

    def _each(self, codes: Ints, way: _Way) -> Ints:
        different, places = np.unique(codes, return_inverse=True)
        found = np.array([self._step(int(code), way) for code in different], dtype=np.int64)
        return found[places.reshape(codes.shape)] if len(found) else codes

    def _step(self, code: int, way: _Way) -> int:
        if code == 0:
            return 0
        key = (code, way)
        if key not in self._steps:
            self._steps[key] = self._number(self._after(self._known[code], way))
        return self._steps[key]

    def _after(self, code: _Code, way: _Way) -> _Code:
        stretches = frozenset(self._grown(stretch, Colour(way.colour)) for stretch in code[1])
        if way.moment and any(self._holds(stretch, way.tail) for stretch in stretches):
            return DONE
        if way.begins:
            stretches |= {self._begin(not self._closed_ends)}
        return False, stretches

    def _number(self, code: _Code) -> int:
        if code not in self._codes:
            self._codes[code] = len(self._known)
            self._known.append(code)
        return self._codes[code]

    def _begin(self, closed: bool) -> _Stretch:
        return tuple(machine.start(closed) for machine in self._machines)

    def _grown(self, stretch: _Stretch, colour: Colour) -> _Stretch:
        pairs = zip(self._machines, stretch, strict=True)
        return tuple(machine.step(state, colour) for machine, state in pairs)

    def _holds(self, stretch: _Stretch, tail: bool) -> bool:
        closed = tail or not self._closed_ends
        pairs = zip(self._machines, stretch, strict=True)
        met = sum(machine.count(state, closed) >= self._times_needed for machine, state in pairs)
        return met >= self._parts_needed


@lru_cache(maxsize=256)
def ever(card: Card, closed_ends: bool) -> Ever:
    """The one that follows this card."""
    return Ever(card, closed_ends)
