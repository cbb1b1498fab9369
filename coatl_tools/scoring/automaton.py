"""Each sequence as a small automaton that counts its occurrences in one walk.

The largest number of non-overlapping occurrences (rule 4.2) is found by always taking the one
that ends first: any other choice ends later and leaves less room. An occurrence is an unbroken
stretch of pieces, and crossed-out neighbours are only looked at (rule 4.5), so which stretches
are occurrences does not depend on what was taken before. One state therefore is:
the places of the sequence that stretches begun since the last occurrence have come to, and
whether a stretch may begin at the next piece.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from coatl_tools.cards.requirement import Sequence, Token
from coatl_tools.errors import RequirementTooIntricateError
from coatl_tools.pieces import Colour

MAX_STATES = 256
COLOURS = tuple(Colour)
_WIDTH = len(COLOURS)


@dataclass(frozen=True, slots=True)
class Automaton:
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
        """The first state, for a first piece with certainly nothing before it, or not."""
        return 0 if closed else self.open_start

    def count(self, colours: Iterable[int], head_closed: bool, tail_closed: bool) -> int:
        """The largest number of non-overlapping occurrences (rule 4.2)."""
        state, found, steps, counts = self.start(head_closed), 0, self.steps, self.counts
        for colour in colours:
            edge = state * _WIDTH + colour
            found += counts[edge]
            state = steps[edge]
        return found + self.closing[state] if tail_closed else found

    def ends(self, colours: tuple[int, ...], head_closed: bool, tail_closed: bool) -> list[int]:
        """Where the occurrences end that `count` counts: 1 for the first piece."""
        state, found, delay = self.start(head_closed), [], 1 - self.delayed
        for index, colour in enumerate(colours):
            edge = state * _WIDTH + colour
            if self.counts[edge]:
                found.append(index + delay)
            state = self.steps[edge]
        if tail_closed and self.closing[state]:
            found.append(len(colours))
        return found

    @property
    def delayed(self) -> bool:
        """Whether an occurrence is known only at the piece behind it: it has an `after`."""
        return any(self.closing)


@lru_cache(maxsize=4096)
def compile_sequence(sequence: Sequence) -> Automaton:
    """The automaton of a sequence; raises RequirementTooIntricateError if it grows too large."""
    return _minimal(*_explore(sequence))


_State = tuple[frozenset[int], bool]  # places reached, may a stretch begin at the next piece?


def _explore(sequence: Sequence) -> tuple[list[int], list[int], list[int], int]:
    """Every state that can be reached, in the order in which they are found."""
    free = sequence.before is None
    starts: list[_State] = [(frozenset(), True), (frozenset(), free)]
    numbers: dict[_State, int] = {}
    for start in starts:
        numbers.setdefault(start, len(numbers))
    queue = deque(numbers)
    steps: list[int] = []
    counts: list[int] = []
    closing: list[int] = []
    last = len(sequence.tokens) - 1
    while queue:
        places, _ = state = queue.popleft()
        closing.append(int(sequence.after is not None and last in places))
        for colour in COLOURS:
            following, counted = _step(sequence, state, colour)
            if following not in numbers:
                if len(numbers) >= MAX_STATES:
                    raise RequirementTooIntricateError(
                        "cards.intricate", sequence=str(sequence), states=MAX_STATES
                    )
                numbers[following] = len(numbers)
                queue.append(following)
            steps.append(numbers[following])
            counts.append(int(counted))
    return steps, counts, closing, numbers[starts[1]]


def _step(sequence: Sequence, state: _State, colour: Colour) -> tuple[_State, bool]:
    places, may_begin = state
    tokens, last = sequence.tokens, len(sequence.tokens) - 1
    counted = False
    if sequence.after is not None and last in places and colour != sequence.after:
        places, counted = frozenset(), True  # it ended at the piece before this one
    reached = {place for place in places if tokens[place].run and _fits(tokens[place], colour)}
    reached |= {p + 1 for p in places if p < last and _fits(tokens[p + 1], colour)}
    if may_begin and _fits(tokens[0], colour):
        reached.add(0)
    if sequence.after is None and last in reached:
        reached, counted = set(), True
    return (frozenset(reached), colour != sequence.before), counted


def _fits(token: Token, colour: Colour) -> bool:
    return token.colour is None or token.colour == colour


def _minimal(steps: list[int], counts: list[int], closing: list[int], open_start: int) -> Automaton:
    """Merge states that no continuation tells apart, and number them in a canonical order."""
    size = len(closing)
    rows = [range(state * _WIDTH, (state + 1) * _WIDTH) for state in range(size)]
    group = _numbered([(closing[s], *(counts[e] for e in rows[s])) for s in range(size)])
    while True:
        finer = _numbered([(group[s], *(group[steps[e]] for e in rows[s])) for s in range(size)])
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
    return Automaton(
        steps=tuple(number[group[steps[edge]]] for state in order for edge in rows[state]),
        counts=tuple(counts[edge] for state in order for edge in rows[state]),
        closing=tuple(closing[state] for state in order),
        open_start=number[group[open_start]],
    )


def _numbered(keys: list[tuple[int, ...]]) -> list[int]:
    numbers: dict[tuple[int, ...], int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def changes(sequence: Sequence) -> Automaton:
    """What a sequence asks, however it is written: equal for `R R+` and `R+ R`.

    Two sequences that count the same on every Cóatl may learn of an occurrence at different
    pieces; here each step tells by how much it changes the count of the Cóatl so far.
    """
    automaton = compile_sequence(sequence)
    steps, closing = automaton.steps, automaton.closing
    by_step = [
        automaton.counts[edge] + closing[following] - closing[edge // _WIDTH]
        for edge, following in enumerate(steps)
    ]
    return _minimal(list(steps), by_step, [0] * len(closing), 0)
