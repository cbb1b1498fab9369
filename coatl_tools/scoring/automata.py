"""Each requirement as a state machine that reads pieces one by one, from head to tail.

A sequence becomes a small automaton that counts its occurrences in one walk. The largest number
of non-overlapping occurrences (rule 4.2) is found by always taking the one that ends first: any
other choice ends later and leaves less room. An occurrence is an unbroken stretch of pieces, and
crossed-out neighbours are only looked at (rule 4.5), so which stretches are occurrences does not
depend on what was taken before. One state therefore is: the places of the sequence that stretches
begun since the last occurrence have come to, and whether a stretch may begin at the next piece.

An example: the sequence `Y Y !Y` (P06 and the like, without the first crossed-out piece), read on
`YYRYYY`. Places are numbered from 0: {0} means that a first yellow piece was seen.

| piece | places afterwards | |
|---|---|---|
| Y | {0} | a stretch has begun |
| Y | {0, 1} | it may end here, if no yellow piece follows; another one may have begun |
| R | {} | no yellow: counted, one occurrence, which ended one piece earlier |
| Y | {0} | |
| Y | {0, 1} | |
| Y | {0, 1} | yellow: the stretch of pieces 4 and 5 is none, that of 5 and 6 may be |
| end | | nothing follows: counted, the second occurrence |

With five colours, each state has five following states; `SequenceAutomaton` holds them as tuples.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    PieceSequence,
    SequenceElement,
    SingleRequirement,
)
from coatl_tools.errors import RequirementTooComplexError
from coatl_tools.pieces import Colour

MAX_AUTOMATON_STATES = 256
COLOURS = tuple(Colour)
_COLOUR_COUNT = len(COLOURS)


@dataclass(frozen=True, slots=True)
class SequenceAutomaton:
    """A minimal automaton over colours.

    `steps[state * 5 + colour]` is the next state, `counts[...]` is 1 where that step tells
    that an occurrence ended. `closing[state]` is 1 where one more is complete if the Cóatl
    ends here with nothing behind it. State 0 is the start; `open_start` is the start where
    the missing piece before the first does not count as "no piece there" (ruling 9.11).
    """

    steps: tuple[int, ...]
    counts: tuple[int, ...]
    closing: tuple[int, ...]
    open_start: int

    def start(self, closed: bool) -> int:
        """Return the start state; `closed` if there is certainly nothing before the first piece."""
        return 0 if closed else self.open_start

    def count(self, colours: Iterable[int], head_closed: bool, tail_closed: bool) -> int:
        """Count the largest number of non-overlapping occurrences (rule 4.2)."""
        state, found, steps, counts = self.start(head_closed), 0, self.steps, self.counts
        for colour in colours:
            edge = state * _COLOUR_COUNT + colour
            found += counts[edge]
            state = steps[edge]
        return found + self.closing[state] if tail_closed else found

    def ends(self, colours: tuple[int, ...], head_closed: bool, tail_closed: bool) -> list[int]:
        """Return where the occurrences end that `count` counts: 1 for the first piece."""
        state, found, delay = self.start(head_closed), [], 1 - self.counts_one_piece_late
        for index, colour in enumerate(colours):
            edge = state * _COLOUR_COUNT + colour
            if self.counts[edge]:
                found.append(index + delay)
            state = self.steps[edge]
        if tail_closed and self.closing[state]:
            found.append(len(colours))
        return found

    @property
    def counts_one_piece_late(self) -> bool:
        """Whether an occurrence is known only at the piece behind it: it has an `after`."""
        return any(self.closing)


@lru_cache(maxsize=4096)
def compile_sequence(sequence: PieceSequence) -> SequenceAutomaton:
    """Compile the automaton of a sequence; raises RequirementTooComplexError if it grows too
    large.
    """
    return _minimize_automaton(*_explore_states(sequence))


# The places reached; may a stretch begin at the next piece?
_SequenceState = tuple[frozenset[int], bool]


def _explore_states(sequence: PieceSequence) -> tuple[list[int], list[int], list[int], int]:
    """Explore every reachable state: steps, counts and closing of each, and the open start."""
    free = sequence.before is None
    starts: list[_SequenceState] = [(frozenset(), True), (frozenset(), free)]
    numbers: dict[_SequenceState, int] = {}
    for start in starts:
        numbers.setdefault(start, len(numbers))
    queue = deque(numbers)
    steps: list[int] = []
    counts: list[int] = []
    closing: list[int] = []
    last = len(sequence.elements) - 1
    while queue:
        places, _ = state = queue.popleft()
        closing.append(int(sequence.after is not None and last in places))
        for colour in COLOURS:
            following, counted = _advance_state(sequence, state, colour)
            if following not in numbers:
                if len(numbers) >= MAX_AUTOMATON_STATES:
                    raise RequirementTooComplexError(
                        "cards.intricate", sequence=str(sequence), states=MAX_AUTOMATON_STATES
                    )
                numbers[following] = len(numbers)
                queue.append(following)
            steps.append(numbers[following])
            counts.append(int(counted))
    return steps, counts, closing, numbers[starts[1]]


def _advance_state(
    sequence: PieceSequence, state: _SequenceState, colour: Colour
) -> tuple[_SequenceState, bool]:
    places, may_begin = state
    elements, last = sequence.elements, len(sequence.elements) - 1
    counted = False
    if sequence.after is not None and last in places and colour != sequence.after:
        places, counted = frozenset(), True  # it ended at the piece before this one
    reached = {
        place for place in places if elements[place].run and _element_fits(elements[place], colour)
    }
    reached |= {p + 1 for p in places if p < last and _element_fits(elements[p + 1], colour)}
    if may_begin and _element_fits(elements[0], colour):
        reached.add(0)
    if sequence.after is None and last in reached:
        reached, counted = set(), True
    return (frozenset(reached), colour != sequence.before), counted


def _element_fits(element: SequenceElement, colour: Colour) -> bool:
    return element.colour is None or element.colour == colour


def _minimize_automaton(
    steps: list[int], counts: list[int], closing: list[int], open_start: int
) -> SequenceAutomaton:
    """Merge states that no continuation tells apart, and number them in a canonical order."""
    size = len(closing)
    rows = [range(state * _COLOUR_COUNT, (state + 1) * _COLOUR_COUNT) for state in range(size)]
    group = _number_keys([(closing[s], *(counts[e] for e in rows[s])) for s in range(size)])
    while True:
        finer = _number_keys([(group[s], *(group[steps[e]] for e in rows[s])) for s in range(size)])
        if max(finer) == max(group):
            break
        group = finer
    number: dict[int, int] = {}  # breadth first from the starts: equal automata, equal numbers
    order: list[int] = []
    queue = deque([0])
    while queue or group[open_start] not in number:
        state = queue.popleft() if queue else open_start
        if group[state] not in number:
            number[group[state]] = len(number)
            order.append(state)
            queue.extend(steps[edge] for edge in rows[state])
    return SequenceAutomaton(
        steps=tuple(number[group[steps[edge]]] for state in order for edge in rows[state]),
        counts=tuple(counts[edge] for state in order for edge in rows[state]),
        closing=tuple(closing[state] for state in order),
        open_start=number[group[open_start]],
    )


def _number_keys(keys: list[tuple[int, ...]]) -> list[int]:
    numbers: dict[tuple[int, ...], int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def compile_count_changes(sequence: PieceSequence) -> SequenceAutomaton:
    """Compile an automaton that is equal for sequences that ask the same, as `R R+` and `R+ R` do.

    Two sequences that count the same on every Cóatl may learn of an occurrence at different
    pieces; here each step tells by how much it changes the count of the Cóatl so far.
    """
    automaton = compile_sequence(sequence)
    steps, closing = automaton.steps, automaton.closing
    by_step = [
        automaton.counts[edge] + closing[following] - closing[edge // _COLOUR_COUNT]
        for edge, following in enumerate(steps)
    ]
    return _minimize_automaton(list(steps), by_step, [0] * len(closing), 0)


MachineState: TypeAlias = Any  # whatever a machine remembers: small and hashable
MachineStates: TypeAlias = tuple[MachineState, ...]  # of all machines of a card


@dataclass(frozen=True, slots=True)
class RequirementMachine:
    """Reads pieces and knows how often its requirement is met so far."""

    start: Callable[[bool], MachineState]  # is there certainly no piece before the first?
    step: Callable[[MachineState, Colour], MachineState]
    count: Callable[[MachineState, bool], int]  # is there certainly no piece behind the last?
    hopeless: Callable[[MachineState], bool] = lambda state: False  # can no further piece help?


def find_relevant_colours(part: SingleRequirement) -> Iterable[Colour]:
    """Find the colours that a requirement tells apart from all others."""
    match part:
        case ColourCount(colour) | Absent(colour):
            return (colour,)
        case PieceSequence(elements, before, after):
            named = (*(element.colour for element in elements), before, after)
            return [colour for colour in named if colour is not None]
        case Multiset(needs):
            return [colour for colour, _ in needs]
        case Equal(first, second):
            return (first, second)
        case Length() | NoProphecy():
            return ()


def build_machine(
    part: SingleRequirement, most: int, beside: frozenset[Colour]
) -> RequirementMachine:
    """Build the machine of one requirement; it need not count beyond `most`."""
    match part:
        case ColourCount(wanted):
            return RequirementMachine(
                start=lambda closed: 0,
                step=lambda n, colour: min(n + (colour == wanted), most),
                count=lambda n, closed: n,
            )
        case PieceSequence():
            return _build_sequence_machine(part, most)
        case Multiset(needs):
            return RequirementMachine(
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
            return RequirementMachine(
                start=lambda closed: False,
                step=lambda seen, colour: seen or colour == unwanted,
                count=lambda seen, closed: int(not seen),
                hopeless=bool,
            )
        case Equal(first, second):
            return RequirementMachine(  # how many more of the first, and is there any of them?
                start=lambda closed: (0, False),
                step=lambda state, colour: (
                    state[0] + (colour == first) - (colour == second),
                    state[1] or colour == first,
                ),
                count=lambda state, closed: int(state == (0, True)),
            )
        case Length(pieces):
            return RequirementMachine(
                start=lambda closed: 0,
                step=lambda n, colour: min(n + 1, pieces + 1),
                count=lambda n, closed: int(n == pieces),
                hopeless=lambda n: n > pieces,
            )
        case NoProphecy(colour):
            met = colour not in beside
            return RequirementMachine(
                start=lambda closed: None,
                step=lambda state, colour: None,
                count=lambda state, closed: int(met),
                hopeless=lambda state: not met,
            )


def _build_sequence_machine(sequence: PieceSequence, most: int) -> RequirementMachine:
    automaton = compile_sequence(sequence)
    width = len(COLOURS)

    def step(state: tuple[int, int], colour: Colour) -> tuple[int, int]:
        place, found = state
        if found == most:
            return state
        edge = place * width + colour
        found += automaton.counts[edge]
        return (automaton.steps[edge] if found < most else 0), found  # once met, always met

    return RequirementMachine(
        start=lambda closed: (automaton.start(closed), 0),
        step=step,
        count=lambda state, closed: state[1] + (automaton.closing[state[0]] if closed else 0),
    )
