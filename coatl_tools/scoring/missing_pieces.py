"""The fewest pieces that raise a card's level, and whether any can.

A breadth-first search over the states of a card's machines finds the shortest way, exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import (
    ColourCount,
    PieceSequence,
    Requirement,
    Several,
    split_requirement,
)
from coatl_tools.errors import RequirementTooComplexError
from coatl_tools.pieces import MAX_PIECES, Coatl, Colour, joins_head_to_tail
from coatl_tools.scoring.automata import (
    COLOURS,
    MachineStates,
    RequirementMachine,
    build_machine,
    find_relevant_colours,
)
from coatl_tools.scoring.score import collect_prophecy_colours

PieceRow: TypeAlias = tuple[Colour, ...]
Way = TypeVar("Way")  # how a state was reached
MAX_ADDED_PIECES = 30
MAX_SEARCH_STATES = 60_000  # states of a search; the cards of the game need some hundreds


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


def find_missing_pieces(
    coatl: Coatl,
    card: Card,
    target: int,
    beside: Iterable[Card] = (),
    closed_ends: bool = False,
) -> Extension | None:
    """Find the fewest pieces, attached at open ends, that bring the card's count to `target`.

    `beside` are the cards that lie beside the Cóatl. An empty extension means that the target is
    reached already.

    None if at most 30 pieces do not suffice; a complete Cóatl has no open end. Of several
    equally short ways, always the same one is returned. Raises RequirementTooComplexError
    where the search would take too long.
    """
    search = _PieceSearch(card.requirement, target, collect_prophecy_colours((card, *beside)))
    return search.find_shortest_extension(coatl, closed_ends)


def find_shortest_length(
    card: Card, target: int, most_pieces: int, most_of_a_colour: int, least_pieces: int = 1
) -> int | None:
    """Find the length of the shortest Cóatl that brings the card's count to `target`, or None."""
    found = find_shortest_row(card, target, most_pieces, most_of_a_colour, least_pieces)
    return None if found is None else len(found)


def find_shortest_row(
    card: Card, target: int, most_pieces: int, most_of_a_colour: int, least_pieces: int = 1
) -> PieceRow | None:
    """Find the shortest row of pieces that brings the card's count to `target`, or None.

    It has `least_pieces` to `most_pieces` pieces, and at most `most_of_a_colour` of each colour.
    """
    limited: frozenset[Colour] = frozenset()
    while True:
        beside = collect_prophecy_colours((card,))  # it lies beside the Cóatl itself
        search = _PieceSearch(card.requirement, target, beside, limited, most_of_a_colour)
        found = search.find_shortest_row(least_pieces, most_pieces)
        if found is None:
            return None
        too_many = {colour for colour in COLOURS if found.count(colour) > most_of_a_colour}
        if not too_many:
            return found
        limited |= too_many  # rarely needed: only then are these colours counted


class _PieceSearch:
    """The machines of one requirement, and when enough of it is met."""

    def __init__(
        self,
        requirement: Requirement,
        target: int,
        beside: frozenset[Colour],
        limited: frozenset[Colour] = frozenset(),
        most_of_a_colour: int = MAX_PIECES,
    ) -> None:
        parts = split_requirement(requirement)
        several = isinstance(requirement, Several)
        self._parts_needed = target if several else 1
        self._times_needed = 1 if several else target
        self._machines = [build_machine(part, self._times_needed, beside) for part in parts]
        self._limits = [
            _build_limit_machine(colour, most_of_a_colour) for colour in sorted(limited)
        ]
        self._ordered = any(isinstance(part, PieceSequence) for part in parts)
        mentioned = {colour for part in parts for colour in find_relevant_colours(part)} | limited
        others = [colour for colour in COLOURS if colour not in mentioned]
        self._palette = (*sorted(mentioned), *others[:1])  # all others are alike

    def find_shortest_row(self, least_pieces: int, most_pieces: int) -> tuple[Colour, ...] | None:
        """Find the shortest row within these numbers of pieces that meets the target, or None."""
        row = _SearchFrontier[PieceRow]({self._start(closed=True): ()})
        for length in range(most_pieces + 1):
            for states, word in row.newest:
                if length >= least_pieces and self._is_met(states, closed=True):
                    return word
            if length < least_pieces:  # what was too short may be met again
                row.forget()
            row.grow(self._extend_rows(row))
        return None

    def find_shortest_extension(self, coatl: Coatl, closed_ends: bool) -> Extension | None:
        """Find the shortest extension of a Cóatl that meets the target.

        Attached pieces may be of any kind: the outermost one closes its end, which matters with
        `closed_ends`, unless a head and a tail would touch (rule 3.10).
        """
        grows_behind = not coatl.tail
        grows_before = not coatl.head and (self._ordered or not grows_behind)
        # Four frontiers grow side by side, by one piece in each round, so that what is found first
        # is shortest. They are four because closed ends count differently (ruling 9.11), and the
        # machines read from head to tail: whether the head end is closed is decided before they
        # read anything, whether the tail end is, after the last piece.
        # Pieces put before the Cóatl: the first of them may be a head, or none of them is.
        bare = _SearchFrontier[PieceRow]({self._start(coatl.head or not closed_ends): ()})
        may_be_headed = closed_ends and grows_before
        headed = _SearchFrontier[PieceRow]({self._start(closed=True): ()} if may_be_headed else {})
        # Pieces put behind it: none of them yet, or at least one, which may close the tail end.
        still = _SearchFrontier[Extension]({})
        grown = _SearchFrontier[Extension]({})
        alone = len(coatl) == 1
        for added in range(min(MAX_ADDED_PIECES, MAX_PIECES - len(coatl)) + 1):
            crossing = [(states, Extension(u, ())) for states, u in bare.newest]
            if added and not joins_head_to_tail(len(coatl) + added, True, coatl.tail):
                crossing += [(states, Extension(u, (), head=True)) for states, u in headed.newest]
            still.grow((self._walk(states, coatl), extension) for states, extension in crossing)
            for states, extension in grown.newest:
                touching = joins_head_to_tail(len(coatl) + len(extension), coatl.head, True)
                if self._is_met(states, not closed_ends):
                    return extension
                if self._is_met(states, not touching):
                    return replace(extension, tail=True)
            for states, extension in still.newest:
                if self._is_met(states, coatl.tail or not closed_ends):
                    return extension
            # Beside a single head or tail, the first piece may not close the other end (rule 3.10),
            # though the same states reached by a further piece may: let them be reached again.
            if alone and added == 1:
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
                bare.grow(self._extend_rows(bare))
                headed.grow(self._extend_rows(headed))
            else:
                bare.newest = []
            if not (bare.newest or headed.newest or grown.newest):
                return None
        return None

    def _start(self, closed: bool) -> MachineStates:
        return tuple(machine.start(closed) for machine in (*self._machines, *self._limits))

    def _step(self, states: MachineStates, colour: Colour) -> MachineStates:
        machines = (*self._machines, *self._limits)
        return tuple(m.step(state, colour) for m, state in zip(machines, states, strict=True))

    def _steps(self, states: MachineStates) -> Iterator[tuple[Colour, MachineStates]]:
        """Yield every next piece after which the target can still be met, and the new states."""
        for colour in self._palette:
            following = self._step(states, colour)
            if self._can_still_be_met(following):
                yield colour, following

    def _extend_rows(
        self, frontier: _SearchFrontier[PieceRow]
    ) -> Iterator[tuple[MachineStates, PieceRow]]:
        for states, word in frontier.newest:
            for colour, following in self._steps(states):
                yield following, (*word, colour)

    def _walk(self, states: MachineStates, coatl: Coatl) -> MachineStates:
        for colour in coatl.colours:
            states = self._step(states, colour)
        return states

    def _is_met(self, states: MachineStates, closed: bool) -> bool:
        met = sum(
            machine.count(state, closed) >= self._times_needed
            for machine, state in zip(self._machines, states, strict=False)
        )
        return met >= self._parts_needed

    def _can_still_be_met(self, states: MachineStates) -> bool:
        parts = len(self._machines)
        hope = sum(
            not machine.hopeless(state)
            for machine, state in zip(self._machines, states, strict=False)
        )
        return hope >= self._parts_needed and not any(
            limit.hopeless(state) for limit, state in zip(self._limits, states[parts:], strict=True)
        )


class _SearchFrontier(Generic[Way]):
    """The states that a search has reached so far, each once, and those of its last round.

    The first state does not count as reached: a later step that leads back to it is new.
    """

    def __init__(self, first: dict[MachineStates, Way]) -> None:
        self._seen: set[MachineStates] = set()
        self.newest = list(first.items())

    def forget(self) -> None:
        """Let states be reached again."""
        self._seen.clear()

    def grow(self, found: Iterable[tuple[MachineStates, Way]]) -> None:
        """Go on to those of these states that are new.

        Raises RequirementTooComplexError beyond `MAX_SEARCH_STATES`.
        """
        newest = []
        for states, way in found:
            if states not in self._seen:
                self._seen.add(states)
                newest.append((states, way))
        if len(self._seen) > MAX_SEARCH_STATES:
            raise RequirementTooComplexError("cards.intricate_search")
        self.newest = newest


def _build_limit_machine(colour: Colour, most: int) -> RequirementMachine:
    """Build a machine that is hopeless beyond `most` pieces of a colour: the box has no more."""
    counting = build_machine(ColourCount(colour), most + 1, frozenset())
    return replace(counting, hopeless=lambda n: n > most)
