"""How hard a card is: the exact share of random complete Cóatls that reach each of its levels.

All Cóatls of a length are counted at once. Rows of pieces that lead a card's machines to the same
state are one entry with a number, so nothing is sampled and no row is looked at by itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import comb, perm, prod
from typing import TypeAlias

from coatl_tools.cards.card import Card, Level
from coatl_tools.cards.card_text import format_count
from coatl_tools.cards.requirement import (
    Equal,
    Multiset,
    PieceSequence,
    Several,
    depends_on_cards,
    split_requirement,
)
from coatl_tools.components.counts import get_component_count
from coatl_tools.errors import RequirementTooComplexError
from coatl_tools.language import Language
from coatl_tools.pieces import MIN_COMPLETE_PIECES, Coatl, Colour
from coatl_tools.scoring.automata import (
    COLOURS,
    MachineStates,
    build_machine,
    find_relevant_colours,
)
from coatl_tools.scoring.missing_pieces import find_shortest_row
from coatl_tools.scoring.score import collect_prophecy_colours

BODIES_PER_COLOUR = get_component_count("pieces", "body")  # rule 1.2
BODIES_IN_BAG = BODIES_PER_COLOUR * len(COLOURS)
MAX_COUNTING_WORK = 6_000_000  # additions; the cards of the game need some thousands, for 15 pieces
_NEW_STATE_COST = 25  # a state that is met for the first time costs as much as so many additions
_LEVEL_COST = 5  # and to ask for its level, as so many

LevelCounts: TypeAlias = list[int]  # by level: those that reach none, exactly level 1, exactly 2, …
TermCounts: TypeAlias = dict[int, int]  # numbers of rows, by what else has to be known of them
ReachedStates: TypeAlias = dict[MachineStates, TermCounts]


def count_even_draws(card: Card, most_bodies: int) -> Iterator[LevelCounts]:
    """Count the colourings of Cóatls with 1, 2, 3, … bodies by the level that they reach.

    Every piece may have any colour. Raises RequirementTooComplexError, as `count_bag_draws` does,
    where there is too much to count.
    """
    chart = _StateChart(card)
    reached = chart.add_any_piece(chart.start)
    for _ in range(most_bodies):
        reached = chart.add_any_piece(reached)
        yield chart.by_level(_sum_terms(chart.add_any_piece(reached)))


def count_bag_draws(card: Card, most_bodies: int) -> Iterator[LevelCounts]:
    """Count the ways to draw Cóatls with 1, 2, 3, … bodies from a full bag, by level reached."""
    ordered = any(isinstance(part, PieceSequence) for part in split_requirement(card.requirement))
    return (_count_by_piece if ordered else _count_by_colour)(_StateChart(card), most_bodies)


def _count_by_colour(chart: _StateChart, most_bodies: int) -> Iterator[LevelCounts]:
    """Count where the order does not matter: first all bodies of one colour, then of the next.

    A term's key is how many bodies there are.
    """
    reached = chart.add_any_piece(chart.add_any_piece(chart.start))  # head and tail
    for kind, (_, colours) in enumerate(chart.kinds):
        bag = BODIES_PER_COLOUR * colours
        found: defaultdict[MachineStates, TermCounts] = defaultdict(dict)
        for begun, terms in reached.items():
            states = begun
            for number in range(min(bag, most_bodies - min(terms)) + 1):
                few = {n: ways for n, ways in terms.items() if n + number <= most_bodies}
                chart.add(found[states], few, number, comb(bag, number))
                states = chart.steps(states)[kind]
        reached = found
    ways = [chart.zero_counts() for _ in range(most_bodies + 1)]
    for states, terms in reached.items():
        level = chart.level(states)
        for bodies, number in terms.items():
            ways[bodies][level] += number
    yield from ways[1:]


def _count_by_piece(chart: _StateChart, most_bodies: int) -> Iterator[LevelCounts]:
    """Count where the order matters: one body behind the other.

    How likely a row is depends on how many of each colour it has; but to keep these numbers for
    every row would make far too many entries. Where most colours lead on to the same state, *any*
    body leads there, less those few that do not: only these are pinned down to their colour. How
    many ways there are to draw any body is known at the end, when the pinned ones are drawn.
    Colours whose numbers the requirement compares are always pinned down: their numbers and the
    states go together. A term's key is how many of each kind are pinned down.
    """
    pins = _PinnedBodies(chart)
    reached = chart.add_any_piece(chart.start)
    for bodies in range(1, most_bodies + 1):
        found: defaultdict[MachineStates, TermCounts] = defaultdict(dict)
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
        yield chart.by_level(_sum_terms(chart.add_any_piece(drawn)))


def _sum_terms(reached: ReachedStates) -> dict[MachineStates, int]:
    return {states: sum(terms.values()) for states, terms in reached.items()}


class _PinnedBodies:
    """Numbers of bodies that are pinned down to a kind of colour, packed into one number each."""

    BITS = BODIES_IN_BAG.bit_length()

    def __init__(self, chart: _StateChart) -> None:
        self._bags = [BODIES_PER_COLOUR * colours for _, colours in chart.kinds]
        self.always = chart.numbered
        self._any = sum(bag for kind, bag in enumerate(self._bags) if kind not in self.always)
        self._known: dict[int, tuple[int, int, int]] = {}

    def usual(self, steps: list[MachineStates]) -> MachineStates | None:
        """Return the state that most colours not always pinned down lead to; None if all are."""
        colours: Counter[MachineStates] = Counter()
        for kind, following in enumerate(steps):
            if kind not in self.always:
                colours[following] += self._bags[kind]
        return max(colours, key=colours.__getitem__, default=None)

    def one(self, kind: int) -> int:
        """Return the key of one pinned body of this kind."""
        return 1 << kind * self.BITS

    def possible(self, terms: TermCounts) -> TermCounts:
        """Drop the terms that have cancelled out, or need more bodies than there are."""
        return {pins: number for pins, number in terms.items() if number and self._drawn(pins)[0]}

    def draws(self, terms: TermCounts, bodies: int) -> int:
        """Count the ways to draw so many bodies: the pinned ones, then any others."""
        total = 0
        for pins, number in terms.items():
            ways, pinned, of_any = self._drawn(pins)
            total += number * ways * perm(self._any - of_any, bodies - pinned)
        return total

    def _drawn(self, pins: int) -> tuple[int, int, int]:
        """Return the ways to draw the pinned bodies, each from those of its kind, and two numbers:
        of all pinned bodies, and of those whose kind is not always pinned down.
        """
        if pins not in self._known:
            mask = (1 << self.BITS) - 1
            numbers = [pins >> kind * self.BITS & mask for kind in range(len(self._bags))]
            ways = prod(perm(bag, number) for bag, number in zip(self._bags, numbers, strict=True))
            of_any = sum(n for kind, n in enumerate(numbers) if kind not in self.always)
            self._known[pins] = ways, sum(numbers), of_any
        return self._known[pins]


class _StateChart:
    """The states of a card's machines, charted as they are met; it stops what takes too long.

    `kinds` are the colours that the requirement tells apart, all others as one, with the number
    of colours that each stands for; `numbered` are those kinds whose numbers it compares.
    """

    def __init__(self, card: Card) -> None:
        self._card = card
        parts = split_requirement(card.requirement)
        self._several = isinstance(card.requirement, Several)
        most = 1 if self._several else card.levels[-1].count
        beside = collect_prophecy_colours((card,))  # it lies beside the Cóatl itself
        self._machines = [build_machine(part, most, beside) for part in parts]
        told = sorted({colour for part in parts for colour in find_relevant_colours(part)})
        others = [colour for colour in COLOURS if colour not in told]
        self.kinds: list[tuple[Colour, int]] = [(colour, 1) for colour in told]
        if others:
            self.kinds.append((others[0], len(others)))
        compared = [part for part in parts if isinstance(part, Equal | Multiset)]
        numbered = {colour for part in compared for colour in find_relevant_colours(part)}
        self.numbered = {kind for kind, (colour, _) in enumerate(self.kinds) if colour in numbered}
        self._steps: dict[MachineStates, list[MachineStates]] = {}
        self._work = 0

    @property
    def start(self) -> ReachedStates:
        """The states before the first piece."""
        return {tuple(machine.start(True) for machine in self._machines): {0: 1}}

    def add_any_piece(self, reached: ReachedStates) -> ReachedStates:
        """Attach a piece of any colour, all equally likely, as for every head and tail."""
        found: defaultdict[MachineStates, TermCounts] = defaultdict(dict)
        for states, terms in reached.items():
            for following, (_, colours) in zip(self.steps(states), self.kinds, strict=True):
                self.add(found[following], terms, 0, colours)
        return found

    def steps(self, states: MachineStates) -> list[MachineStates]:
        """Return the states behind a piece of each kind."""
        if states not in self._steps:
            self._spend(_NEW_STATE_COST)
            self._steps[states] = [
                tuple(m.step(s, colour) for m, s in zip(self._machines, states, strict=True))
                for colour, _ in self.kinds
            ]
        return self._steps[states]

    def add(self, to: TermCounts, terms: TermCounts, further: int, times: int) -> None:
        """Add `terms` to the terms `to`, multiplied by `times`, their keys raised by `further`."""
        self._spend(1 + len(terms))
        for key, number in terms.items():
            to[key + further] = to.get(key + further, 0) + number * times

    def by_level(self, numbers: dict[MachineStates, int]) -> LevelCounts:
        """Sum the numbers of complete Cóatls by the level that they reach."""
        ways = self.zero_counts()
        for states, number in numbers.items():
            ways[self.level(states)] += number
        return ways

    def zero_counts(self) -> LevelCounts:
        """Return a count of zero for every level."""
        return [0] * (len(self._card.levels) + 1)

    def level(self, states: MachineStates) -> int:
        """Return the level that complete Cóatls with these states reach."""
        self._spend(_LEVEL_COST)
        counts = [m.count(s, True) for m, s in zip(self._machines, states, strict=True)]
        count = sum(n > 0 for n in counts) if self._several else counts[0]
        return self._card.level(count)

    def _spend(self, work: int) -> None:
        self._work += work
        if self._work > MAX_COUNTING_WORK:
            raise RequirementTooComplexError(
                "cards.intricate_odds", card=self._card.id, most=MAX_COUNTING_WORK // 1_000_000
            )


END_PIECES = 2  # a complete Cóatl has one head and one tail
MAX_COMPLETE_PIECES = END_PIECES + BODIES_IN_BAG
DEFAULT_LENGTHS = range(3, 16)
MAX_EXAMPLE_PIECES = 30  # pieces of a shortest Cóatl; `cards validate` looks no further either


class DrawModel(Enum):
    """What a random Cóatl is."""

    BOX = "box"  # its pieces are drawn from full bags (rule 1.2), and none is put back
    EVEN = "even"  # every piece has any of the five colours, whatever the others have


@dataclass(frozen=True, slots=True)
class LengthOdds:
    """A random complete Cóatl of so many pieces.

    `exactly` has how likely it is to end at each level: at none, at 1, at 2 and so on. `points`
    is what the card pays on average.
    """

    pieces: int
    exactly: tuple[Fraction, ...]
    points: Fraction

    def at_least(self, level: int) -> Fraction:
        """Return how likely it is to reach this level or a higher one."""
        return sum(self.exactly[level:], Fraction())


@dataclass(frozen=True, slots=True)
class CardOdds:
    """How hard a card is, on Cóatls of several lengths.

    `examples` has the shortest complete Cóatl for each level, None if none of up to 30 pieces
    reaches it.
    """

    card: Card
    draw: DrawModel
    lengths: tuple[LengthOdds, ...]
    examples: tuple[Coatl | None, ...]

    @property
    def shortest(self) -> tuple[int | None, ...]:
        """The length of the shortest complete Cóatl for each level."""
        return tuple(None if example is None else len(example) for example in self.examples)

    @property
    def ignores_other_cards(self) -> bool:
        """Whether other cards beside the Cóatl would matter; the odds are for none there."""
        return depends_on_cards(self.card.requirement)


def compute_odds(
    card: Card, lengths: Iterable[int] = DEFAULT_LENGTHS, draw: DrawModel = DrawModel.BOX
) -> CardOdds:
    """Compute how likely a random complete Cóatl of each of these lengths is to reach each level.

    >>> from coatl_tools import load_cards
    >>> compute_odds(load_cards()["P12"], [3], DrawModel.EVEN).lengths[0].at_least(1)
    Fraction(1, 125)

    Raises ValueError for a length that no complete Cóatl has, RequirementTooComplexError for
    a requirement that would take too long to count.
    """
    wanted = sorted(set(lengths))
    if not all(MIN_COMPLETE_PIECES <= pieces <= MAX_COMPLETE_PIECES for pieces in wanted):
        raise ValueError(
            f"a complete Cóatl has {MIN_COMPLETE_PIECES} to {MAX_COMPLETE_PIECES} pieces"
        )
    count = count_even_draws if draw is DrawModel.EVEN else count_bag_draws
    counted = enumerate(
        count(card, max(wanted, default=END_PIECES) - END_PIECES), start=MIN_COMPLETE_PIECES
    )
    found = [
        _compute_length_odds(card, pieces, ways) for pieces, ways in counted if pieces in wanted
    ]
    return CardOdds(card, draw, tuple(found), _find_examples(card))


def _compute_length_odds(card: Card, pieces: int, ways: LevelCounts) -> LengthOdds:
    paid = sum(level.points * number for level, number in zip(card.levels, ways[1:], strict=True))
    total = sum(ways)
    exactly = tuple(Fraction(number, total) for number in ways)
    return LengthOdds(pieces, exactly, Fraction(paid, total))


def _find_examples(card: Card) -> tuple[Coatl | None, ...]:
    found: list[Coatl | None] = []
    most_of_a_colour = BODIES_PER_COLOUR + END_PIECES
    for level in card.levels:
        row = None
        if None not in found:  # otherwise a higher level is not reached either
            row = find_shortest_row(
                card, level.count, MAX_EXAMPLE_PIECES, most_of_a_colour, MIN_COMPLETE_PIECES
            )
        found.append(None if row is None else Coatl(row, head=True, tail=True))
    return tuple(found)


NEVER_SIGN = "–"
DRAW_MODEL_LABELS = {DrawModel.BOX: "odds_box", DrawModel.EVEN: "odds_even"}


def format_level(card: Card, level: Level) -> str:
    """Write a level as it stands on the card: how often, and what that pays."""
    return f"{format_count(card, level)} = {level.points}"


def format_percent(share: Fraction, language: Language, digits: int = 1) -> str:
    """Format a share in percent; what is nearly 0 or 100 % is shown as "<0.1" or ">99.9"."""
    least = Fraction(1, 100 * 10**digits)
    if not share:
        return NEVER_SIGN
    if share < least:
        shown = f"<{_format_decimal(float(100 * least), digits, language)}"
    elif 1 - least < share < 1:
        shown = f">{_format_decimal(float(100 * (1 - least)), digits, language)}"
    else:
        shown = _format_decimal(float(100 * share), digits if share < 1 else 0, language)
    return language.label("percent_share", share=shown)


def format_mean_points(points: Fraction, language: Language) -> str:
    """Format average points; what would be rounded to 0 is shown as "<0.01"."""
    if not points:
        return NEVER_SIGN
    tiny = points < Fraction(1, 100)
    shown = _format_decimal(max(0.01, float(points)), 2, language)
    return f"<{shown}" if tiny else shown


def _format_decimal(value: float, digits: int, language: Language) -> str:
    return language.typography.format_decimal(value, digits)


def pick_evenly_spaced(numbers: Sequence[int], most: int) -> list[int]:
    """Pick some of the numbers, evenly spread, the first and the last among them."""
    last = len(numbers) - 1
    steps = min(most - 1, last) or 1
    return sorted({numbers[round(Fraction(last * step, steps))] for step in range(steps + 1)})
