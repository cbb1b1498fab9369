"""What is still missing: the fewest pieces that raise a card's level, and whether any can.

Every requirement becomes a small machine that reads pieces one by one; a breadth-first search
over the states of a card's machines finds the shortest way, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import (
    Absent,
    Count,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    Requirement,
    Sequence,
    Several,
    Single,
    parts_of,
)
from coatl_tools.errors import RequirementTooIntricateError
from coatl_tools.pieces import MAX_PIECES, Coatl, Colour
from coatl_tools.scoring.automaton import COLOURS, compile_sequence
from coatl_tools.scoring.score import prophecy_colours

State: TypeAlias = Any  # whatever a machine remembers: small and hashable
States: TypeAlias = tuple[State, ...]  # of all machines of a card
Word: TypeAlias = tuple[Colour, ...]
Way = TypeVar("Way")  # how a state was reached
MAX_ADDED = 30
MAX_SEEN = 60_000  # states of a search; the cards of the game need some hundreds


@dataclass(frozen=True, slots=True)
class Machine:
    """Reads pieces and knows how often its requirement is met so far."""

    start: Callable[[bool], State]  # is there certainly no piece before the first?
    step: Callable[[State, Colour], State]
    count: Callable[[State, bool], int]  # is there certainly no piece behind the last?
    hopeless: Callable[[State], bool] = lambda state: False  # can no further piece help?


@dataclass(frozen=True, slots=True)
class Extension:
    """Pieces to attach: some before the first piece, some behind the last one.

    `head`, `tail`: with closed ends, the outermost of them has to be a head, or a tail.
    """

    head_end: tuple[Colour, ...]
    tail_end: tuple[Colour, ...]
    head: bool = False
    tail: bool = False

    def __len__(self) -> int:
        return len(self.head_end) + len(self.tail_end)

    def __bool__(self) -> bool:
        return True  # nothing to attach is an answer too


def missing(
    coatl: Coatl,
    card: Card,
    target: int,
    beside: Iterable[Card] = (),
    closed_ends: bool = False,
) -> Extension | None:
    """The fewest pieces, attached at open ends, that bring the card's count to `target`.

    `beside` are the cards that lie beside the Cóatl. An extension by nothing means that it is
    reached already.

    None if no pieces do, at most 30 of them: a complete Cóatl is closed. Which pieces of
    several equally short ways are named is arbitrary but always the same. Raises
    RequirementTooIntricateError where the search would take too long.
    """
    search = _Search(card.requirement, target, prophecy_colours((card, *beside)))
    return search.extend(coatl, closed_ends)


def shortest(card: Card, target: int, most_pieces: int, most_of_a_colour: int) -> int | None:
    """The length of the shortest Cóatl that brings the card's count to `target`, or None."""
    limited: frozenset[Colour] = frozenset()
    while True:
        beside = prophecy_colours((card,))  # it lies beside the Cóatl itself
        search = _Search(card.requirement, target, beside, limited, most_of_a_colour)
        found = search.from_nothing(most_pieces)
        if found is None:
            return None
        too_many = {colour for colour in COLOURS if found.count(colour) > most_of_a_colour}
        if not too_many:
            return len(found)
        limited |= too_many  # rarely needed: only then are these colours counted


def shortest_word(card: Card, target: int) -> tuple[Colour, ...] | None:
    """The fewest pieces of a new Cóatl that bring the card's count to `target`, or None."""
    return _Search(card.requirement, target, prophecy_colours((card,))).from_nothing(MAX_ADDED)


class _Search:
    """The machines of one requirement, and when enough of it is met."""

    def __init__(
        self,
        requirement: Requirement,
        target: int,
        beside: frozenset[Colour],
        limited: frozenset[Colour] = frozenset(),
        most_of_a_colour: int = MAX_PIECES,
    ) -> None:
        parts = parts_of(requirement)
        several = isinstance(requirement, Several)
        self._parts_needed = target if several else 1
        self._times_needed = 1 if several else target
        self._machines = [_machine(part, self._times_needed, beside) for part in parts]
        self._limits = [_limit(colour, most_of_a_colour) for colour in sorted(limited)]
        self._ordered = any(isinstance(part, Sequence) for part in parts)
        mentioned = {colour for part in parts for colour in _mentioned(part)} | limited
        others = [colour for colour in COLOURS if colour not in mentioned]
        self._palette = (*sorted(mentioned), *others[:1])  # all others are alike

    def from_nothing(self, most_pieces: int) -> tuple[Colour, ...] | None:
        """The shortest row of pieces that meets the target."""
        row = _Frontier[Word]({self._start(closed=True): ()})
        for length in range(most_pieces + 1):
            for states, word in row.newest:
                if length and self._met(states, closed=True):
                    return word
            row.grow(self._grown(row))
        return None

    def extend(self, coatl: Coatl, closed_ends: bool) -> Extension | None:
        """The shortest extension of a Cóatl that meets the target.

        Attached pieces may be of any kind: the outermost one closes its end, which matters with
        `closed_ends`, unless a head and a tail would touch (rule 3.10).
        """
        grows_behind = not coatl.tail
        grows_before = not coatl.head and (self._ordered or not grows_behind)
        # Pieces put before the Cóatl: the first of them may be a head, or none of them is.
        bare = _Frontier[Word]({self._start(coatl.head or not closed_ends): ()})
        may_be_headed = closed_ends and grows_before
        headed = _Frontier[Word]({self._start(closed=True): ()} if may_be_headed else {})
        # Pieces put behind it; before and after the first of them its end differs.
        still = _Frontier[Extension]({})
        grown = _Frontier[Extension]({})
        alone = len(coatl) == 1
        for added in range(min(MAX_ADDED, MAX_PIECES - len(coatl)) + 1):
            crossing = [(states, Extension(u, ())) for states, u in bare.newest]
            if added > (1 if alone and coatl.tail else 0):
                crossing += [(states, Extension(u, (), head=True)) for states, u in headed.newest]
            still.grow((self._walk(states, coatl), extension) for states, extension in crossing)
            for states, extension in grown.newest:
                touching = alone and coatl.head and len(extension.tail_end) == 1
                if self._met(states, not closed_ends):
                    return extension
                if self._met(states, not touching):
                    return replace(extension, tail=True)
            for states, extension in still.newest:
                if self._met(states, coatl.tail or not closed_ends):
                    return extension
            if alone and added == 1:  # what this piece could not close, a further one may
                grown.forget()
                headed.forget()
            if grows_behind:
                grown.grow(
                    (states, replace(extension, tail_end=(*extension.tail_end, colour)))
                    for frontier in (still, grown)
                    for known, extension in frontier.newest
                    for colour, states in self._steps(known)
                )
            if grows_before:
                bare.grow(self._grown(bare))
                headed.grow(self._grown(headed))
            else:
                bare.newest = []
            if not (bare.newest or headed.newest or grown.newest):
                return None
        return None

    def _start(self, closed: bool) -> States:
        return tuple(machine.start(closed) for machine in (*self._machines, *self._limits))

    def _step(self, states: States, colour: Colour) -> States:
        machines = (*self._machines, *self._limits)
        return tuple(m.step(state, colour) for m, state in zip(machines, states, strict=True))

    def _steps(self, states: States) -> Iterator[tuple[Colour, States]]:
        """Every following piece that leaves hope."""
        for colour in self._palette:
            following = self._step(states, colour)
            if self._hopeful(following):
                yield colour, following

    def _grown(self, frontier: _Frontier[Word]) -> Iterator[tuple[States, Word]]:
        for states, word in frontier.newest:
            for colour, following in self._steps(states):
                yield following, (*word, colour)

    def _walk(self, states: States, coatl: Coatl) -> States:
        for colour in coatl.colours:
            states = self._step(states, colour)
        return states

    def _met(self, states: States, closed: bool) -> bool:
        met = sum(
            machine.count(state, closed) >= self._times_needed
            for machine, state in zip(self._machines, states, strict=False)
        )
        return met >= self._parts_needed

    def _hopeful(self, states: States) -> bool:
        parts = len(self._machines)
        hope = sum(
            not machine.hopeless(state)
            for machine, state in zip(self._machines, states, strict=False)
        )
        return hope >= self._parts_needed and not any(
            limit.hopeless(state) for limit, state in zip(self._limits, states[parts:], strict=True)
        )


class _Frontier(Generic[Way]):
    """States that steps have reached so far, each once, and those that the last one reached.

    A step may lead back to the first state: having begun, it is a different place.
    """

    def __init__(self, first: dict[States, Way]) -> None:
        self._seen: set[States] = set()
        self.newest = list(first.items())

    def forget(self) -> None:
        """Let states be reached again."""
        self._seen.clear()

    def grow(self, found: Iterable[tuple[States, Way]]) -> None:
        """Go on to the states among these that are new."""
        newest = []
        for states, way in found:
            if states not in self._seen:
                self._seen.add(states)
                newest.append((states, way))
        if len(self._seen) > MAX_SEEN:
            raise RequirementTooIntricateError("cards.intricate_search")
        self.newest = newest


def _mentioned(part: Single) -> Iterable[Colour]:
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


def _machine(part: Single, most: int, beside: frozenset[Colour]) -> Machine:
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
        edge = place * width + colour
        return automaton.steps[edge], min(found + automaton.counts[edge], most)

    return Machine(
        start=lambda closed: (automaton.start(closed), 0),
        step=step,
        count=lambda state, closed: state[1] + (automaton.closing[state[0]] if closed else 0),
    )


def _limit(colour: Colour, most: int) -> Machine:
    """No more than so many pieces of a colour: not a requirement, but what the box holds."""
    counting = _machine(Count(colour), most + 1, frozenset())
    return replace(counting, hopeless=lambda n: n > most)
