"""Every requirement as a small machine that reads pieces one by one, from head to tail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from coatl_tools.cards.requirement import (
    Absent,
    Count,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    Sequence,
    Single,
)
from coatl_tools.pieces import Colour
from coatl_tools.scoring.automaton import COLOURS, compile_sequence

State: TypeAlias = Any  # whatever a machine remembers: small and hashable
States: TypeAlias = tuple[State, ...]  # of all machines of a card


@dataclass(frozen=True, slots=True)
class Machine:
    """Reads pieces and knows how often its requirement is met so far."""

    start: Callable[[bool], State]  # is there certainly no piece before the first?
    step: Callable[[State, Colour], State]
    count: Callable[[State, bool], int]  # is there certainly no piece behind the last?
    hopeless: Callable[[State], bool] = lambda state: False  # can no further piece help?


def told_apart(part: Single) -> Iterable[Colour]:
    """The colours that a requirement tells apart from all others."""
    match part:
        case Count(colour) | Absent(colour):
            return (colour,)
        case Sequence(tokens, before, after):
            named = (*(token.colour for token in tokens), before, after)
            return [colour for colour in named if colour is not None]
        case Multiset(needs):
            return [colour for colour, _ in needs]
        case Equal(first, second):
            return (first, second)
        case Length() | NoProphecy():
            return ()


def machine_of(part: Single, most: int, beside: frozenset[Colour]) -> Machine:
    """The machine of one requirement; it need not count beyond `most`."""
    match part:
        case Count(wanted):
            return Machine(
                start=lambda closed: 0,
                step=lambda n, colour: min(n + (colour == wanted), most),
                count=lambda n, closed: n,
            )
        case Sequence():
            return _sequence_machine(part, most)
        case Multiset(needs):
            return Machine(
                start=lambda closed: (0,) * len(needs),
                step=lambda numbers, colour: tuple(
                    min(n + (colour == wanted), need * most)
                    for n, (wanted, need) in zip(numbers, needs, strict=True)
                ),
                count=lambda numbers, closed: min(
                    n // need for n, (_, need) in zip(numbers, needs, strict=True)
                ),
            )
        case Absent(unwanted):
            return Machine(
                start=lambda closed: False,
                step=lambda seen, colour: seen or colour == unwanted,
                count=lambda seen, closed: int(not seen),
                hopeless=bool,
            )
        case Equal(first, second):
            return Machine(  # how many more of the first, and is there any of them?
                start=lambda closed: (0, False),
                step=lambda state, colour: (
                    state[0] + (colour == first) - (colour == second),
                    state[1] or colour == first,
                ),
                count=lambda state, closed: int(state == (0, True)),
            )
        case Length(pieces):
            return Machine(
                start=lambda closed: 0,
                step=lambda n, colour: min(n + 1, pieces + 1),
                count=lambda n, closed: int(n == pieces),
                hopeless=lambda n: n > pieces,
            )
        case NoProphecy(colour):
            met = colour not in beside
            return Machine(
                start=lambda closed: None,
                step=lambda state, colour: None,
                count=lambda state, closed: int(met),
                hopeless=lambda state: not met,
            )


def _sequence_machine(sequence: Sequence, most: int) -> Machine:
    automaton = compile_sequence(sequence)
    width = len(COLOURS)

    def step(state: tuple[int, int], colour: Colour) -> tuple[int, int]:
        place, found = state
        if found == most:
            return state
        edge = place * width + colour
        found += automaton.counts[edge]
        return (automaton.steps[edge] if found < most else 0), found  # once met, always met

    return Machine(
        start=lambda closed: (automaton.start(closed), 0),
        step=step,
        count=lambda state, closed: state[1] + (automaton.closing[state[0]] if closed else 0),
    )
