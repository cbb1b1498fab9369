"""Counting all complete Cóatls of each length at once, by the level of a card that they reach.

Rows of pieces that lead a card's machines to the same state are one entry with a number, so
nothing is sampled and no row is looked at by itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from math import comb, perm, prod
from typing import TypeAlias

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import Equal, Multiset, Sequence, Several, parts_of
from coatl_tools.errors import RequirementTooIntricateError
from coatl_tools.pieces import Colour
from coatl_tools.scoring.automaton import COLOURS
from coatl_tools.scoring.machines import States, machine_of, told_apart
from coatl_tools.scoring.score import prophecy_colours

BODIES_OF_A_COLOUR = 24  # rule 1.2
BODIES = BODIES_OF_A_COLOUR * len(COLOURS)
MAX_WORK = 6_000_000  # additions; the cards of the game need some thousands, for 15 pieces
_NEW_STATE = 25  # a state that is met for the first time costs as much as so many additions
_LEVEL = 5  # and to ask for its level, as so many

Ways: TypeAlias = list[int]  # by level: those that reach none, exactly level 1, exactly 2, …
Terms: TypeAlias = dict[int, int]  # numbers of rows, by what else has to be known of them
Reached: TypeAlias = dict[States, Terms]


def ways_evenly(card: Card, most_bodies: int) -> Iterator[Ways]:
    """The colourings of a Cóatl with 1, 2, 3, … bodies; any colour goes with any other.

    Raises RequirementTooIntricateError, as the others do, where there is too much to count.
    """
    chart = _Chart(card)
    reached = chart.any_piece(chart.start)
    for _ in range(most_bodies):
        reached = chart.any_piece(reached)
        yield chart.by_level(_summed(chart.any_piece(reached)))


def ways_from_the_bag(card: Card, most_bodies: int) -> Iterator[Ways]:
    """The same, by the ways to draw the bodies from a full bag, every segment by itself."""
    ordered = any(isinstance(part, Sequence) for part in parts_of(card.requirement))
    return (_piece_by_piece if ordered else _colour_by_colour)(_Chart(card), most_bodies)


def _colour_by_colour(chart: _Chart, most_bodies: int) -> Iterator[Ways]:
    """Where no order matters: first all bodies of one colour, then all of the next.

    A term's key is how many bodies there are.
    """
    reached = chart.any_piece(chart.any_piece(chart.start))  # head and tail
    for kind, (_, colours) in enumerate(chart.kinds):
        bag = BODIES_OF_A_COLOUR * colours
        found: defaultdict[States, Terms] = defaultdict(dict)
        for begun, terms in reached.items():
            states = begun
            for number in range(min(bag, most_bodies - min(terms)) + 1):
                few = {n: ways for n, ways in terms.items() if n + number <= most_bodies}
                chart.add(found[states], few, number, comb(bag, number))
                states = chart.steps(states)[kind]
        reached = found
    ways = [chart.no_ways() for _ in range(most_bodies + 1)]
    for states, terms in reached.items():
        level = chart.level(states)
        for bodies, number in terms.items():
            ways[bodies][level] += number
    yield from ways[1:]


def _piece_by_piece(chart: _Chart, most_bodies: int) -> Iterator[Ways]:
    """Where the order matters: a body behind the other.

    How likely a row is depends on how many of each colour it has; but to keep these numbers for
    every row would make far too many entries. Where most colours lead on to the same state, *any*
    body leads there, less those few that do not: only these are pinned down to their colour. How
    many ways there are to draw any body is known at the end, when the pinned ones are drawn.
    Colours whose numbers the requirement compares are always pinned down: their numbers and the
    states go together. A term's key is how many of each kind are pinned down.
    """
    pins = _Pins(chart)
    reached = chart.any_piece(chart.start)
    for bodies in range(1, most_bodies + 1):
        found: defaultdict[States, Terms] = defaultdict(dict)
        for states, terms in reached.items():
            steps = chart.steps(states)
            usual = pins.usual(steps)
            if usual is not None:
                chart.add(found[usual], terms, 0, 1)
            for kind, following in enumerate(steps):
                if kind in pins.always:
                    chart.add(found[following], terms, pins.one(kind), 1)
                elif usual is not None and following != usual:
                    chart.add(found[following], terms, pins.one(kind), 1)
                    chart.add(found[usual], terms, pins.one(kind), -1)
        reached = {states: pins.possible(terms) for states, terms in found.items()}
        drawn = {states: {0: pins.draws(terms, bodies)} for states, terms in reached.items()}
        yield chart.by_level(_summed(chart.any_piece(drawn)))


def _summed(reached: Reached) -> dict[States, int]:
    return {states: sum(terms.values()) for states, terms in reached.items()}


class _Pins:
    """Numbers of bodies that are pinned down to a kind of colour, packed into one number each."""

    BITS = BODIES.bit_length()

    def __init__(self, chart: _Chart) -> None:
        self._bags = [BODIES_OF_A_COLOUR * colours for _, colours in chart.kinds]
        self.always = chart.numbered
        self._any = sum(bag for kind, bag in enumerate(self._bags) if kind not in self.always)
        self._known: dict[int, tuple[int, int, int]] = {}

    def usual(self, steps: list[States]) -> States | None:
        """Where most colours lead to, of those that are not always pinned down; None if all are."""
        colours: Counter[States] = Counter()
        for kind, following in enumerate(steps):
            if kind not in self.always:
                colours[following] += self._bags[kind]
        return max(colours, key=colours.__getitem__, default=None)

    def one(self, kind: int) -> int:
        """One body of this kind."""
        return 1 << kind * self.BITS

    def possible(self, terms: Terms) -> Terms:
        """The terms that count: not those that have cancelled out, or want more than there are."""
        return {pins: number for pins, number in terms.items() if number and self._drawn(pins)[0]}

    def draws(self, terms: Terms, bodies: int) -> int:
        """The ways to draw so many bodies: the pinned ones, then any others up to the number."""
        total = 0
        for pins, number in terms.items():
            ways, pinned, of_any = self._drawn(pins)
            total += number * ways * perm(self._any - of_any, bodies - pinned)
        return total

    def _drawn(self, pins: int) -> tuple[int, int, int]:
        """The ways to draw the pinned ones, each from those of its kind; how many they are.

        And how many of these are not always pinned down.
        """
        if pins not in self._known:
            mask = (1 << self.BITS) - 1
            numbers = [pins >> kind * self.BITS & mask for kind in range(len(self._bags))]
            ways = prod(perm(bag, number) for bag, number in zip(self._bags, numbers, strict=True))
            of_any = sum(n for kind, n in enumerate(numbers) if kind not in self.always)
            self._known[pins] = ways, sum(numbers), of_any
        return self._known[pins]


class _Chart:
    """The states of a card's machines, charted as they are met; it stops what takes too long.

    `kinds` are the colours that the requirement tells apart, all others as one, with the number
    of colours that each stands for; `numbered` are those kinds whose numbers it compares.
    """

    def __init__(self, card: Card) -> None:
        self._card = card
        parts = parts_of(card.requirement)
        self._several = isinstance(card.requirement, Several)
        most = 1 if self._several else card.levels[-1].count
        beside = prophecy_colours((card,))  # it lies beside the Cóatl itself
        self._machines = [machine_of(part, most, beside) for part in parts]
        told = sorted({colour for part in parts for colour in told_apart(part)})
        others = [colour for colour in COLOURS if colour not in told]
        self.kinds: list[tuple[Colour, int]] = [(colour, 1) for colour in told]
        if others:
            self.kinds.append((others[0], len(others)))
        compared = [part for part in parts if isinstance(part, Equal | Multiset)]
        numbered = {colour for part in compared for colour in told_apart(part)}
        self.numbered = {kind for kind, (colour, _) in enumerate(self.kinds) if colour in numbered}
        self._steps: dict[States, list[States]] = {}
        self._work = 0

    @property
    def start(self) -> Reached:
        """No piece yet."""
        return {tuple(machine.start(True) for machine in self._machines): {0: 1}}

    def any_piece(self, reached: Reached) -> Reached:
        """Attach a piece, any colour being as likely as any other: a head or tail always is."""
        found: defaultdict[States, Terms] = defaultdict(dict)
        for states, terms in reached.items():
            for following, (_, colours) in zip(self.steps(states), self.kinds, strict=True):
                self.add(found[following], terms, 0, colours)
        return found

    def steps(self, states: States) -> list[States]:
        """The states behind a piece of each kind."""
        if states not in self._steps:
            self._spend(_NEW_STATE)
            self._steps[states] = [
                tuple(m.step(s, colour) for m, s in zip(self._machines, states, strict=True))
                for colour, _ in self.kinds
            ]
        return self._steps[states]

    def add(self, to: Terms, terms: Terms, further: int, times: int) -> None:
        """Add terms to others, so many times, their keys raised."""
        self._spend(1 + len(terms))
        for key, number in terms.items():
            to[key + further] = to.get(key + further, 0) + number * times

    def by_level(self, numbers: dict[States, int]) -> Ways:
        """Numbers of complete Cóatls by the level that they reach."""
        ways = self.no_ways()
        for states, number in numbers.items():
            ways[self.level(states)] += number
        return ways

    def no_ways(self) -> Ways:
        """None of any level."""
        return [0] * (len(self._card.levels) + 1)

    def level(self, states: States) -> int:
        """The level that complete Cóatls with these states reach."""
        self._spend(_LEVEL)
        counts = [m.count(s, True) for m, s in zip(self._machines, states, strict=True)]
        count = sum(n > 0 for n in counts) if self._several else counts[0]
        return self._card.level(count)

    def _spend(self, work: int) -> None:
        self._work += work
        if self._work > MAX_WORK:
            raise RequirementTooIntricateError(
                "cards.intricate_odds", card=self._card.id, most=MAX_WORK // 1_000_000
            )
