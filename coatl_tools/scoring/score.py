"""One card on one Cóatl: how often it is met, what that pays, and by which pieces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.requirement import (
    Absent,
    Count,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    Sequence,
    Several,
    Single,
)
from coatl_tools.pieces import Coatl, Colour
from coatl_tools.scoring.automaton import compile_sequence

Occurrence = tuple[int, ...]  # the pieces it uses, 1 for the first


@dataclass(frozen=True, slots=True)
class Match:
    """How often one requirement is met, and by which pieces."""

    count: int
    occurrences: tuple[Occurrence, ...] = ()


@dataclass(frozen=True, slots=True)
class CardScore:
    """What a card is worth on a Cóatl, and why.

    `count` is the number of occurrences or, for several requirements at once, of those met;
    `level` the card's level that is paid, 0 for none. `parts` has one match a requirement.
    """

    card: Card
    count: int
    level: int
    points: int
    parts: tuple[Match, ...]

    @property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """The pieces of every occurrence of every requirement."""
        return tuple(found for part in self.parts for found in part.occurrences)

    @property
    def met(self) -> tuple[bool, ...]:
        """For each requirement whether it is met."""
        return tuple(part.count > 0 for part in self.parts)


def score(
    coatl: Coatl, card: Card, beside: Iterable[Card] = (), closed_ends: bool = False
) -> CardScore:
    """Score one card, alone or `beside` other cards: promo Temples look at their colours.

    >>> from coatl_tools import load_cards, parse
    >>> score(parse("<BBRBBKRBBYY>"), load_cards()["P10"]).points
    5

    With `closed_ends`, ruling 9.11, the open end of an incomplete Cóatl does not count as
    "no piece there" for a crossed-out neighbour. Raises RequirementTooIntricateError for a
    sequence that is beyond all use.
    """
    return score_beside(coatl, card, prophecy_colours((card, *beside)), closed_ends)


def score_beside(
    coatl: Coatl, card: Card, colours: frozenset[Colour], closed_ends: bool = False
) -> CardScore:
    """Score one card beside Prophecy cards of these card colours."""
    requirement = card.requirement
    if isinstance(requirement, Several):
        parts = tuple(match(coatl, part, colours, closed_ends) for part in requirement.parts)
        count = sum(part.count > 0 for part in parts)
    else:
        parts = (match(coatl, requirement, colours, closed_ends),)
        count = parts[0].count
    level = card.level(count)
    return CardScore(card, count, level, card.levels[level - 1].points if level else 0, parts)


def prophecy_colours(cards: Iterable[Card]) -> frozenset[Colour]:
    """The card colours of the Prophecy cards among these."""
    return frozenset(
        card.colour for card in cards if card.kind is CardKind.PROPHECY and card.colour is not None
    )


def match(
    coatl: Coatl,
    requirement: Single,
    beside: frozenset[Colour] = frozenset(),
    closed_ends: bool = False,
) -> Match:
    """Match one requirement on a Cóatl; `beside` are card colours of Prophecy cards."""
    colours = coatl.colours
    match requirement:
        case Count(colour):
            places = _places(colours, colour)
            return Match(len(places), tuple((place,) for place in places))
        case Sequence():
            return _match_sequence(coatl, requirement, closed_ends)
        case Multiset(needs):
            return _match_multiset(colours, needs)
        case Absent(colour):
            return Match(int(colour not in colours))
        case Equal(first, second):
            number = colours.count(first)
            return Match(int(number > 0 and number == colours.count(second)))
        case Length(pieces):
            return Match(int(len(colours) == pieces))
        case NoProphecy(colour):
            return Match(int(colour not in beside))


def _places(colours: tuple[Colour, ...], colour: Colour) -> list[int]:
    return [place for place, found in enumerate(colours, start=1) if found == colour]


def _match_multiset(colours: tuple[Colour, ...], needs: tuple[tuple[Colour, int], ...]) -> Match:
    times = min(colours.count(colour) // number for colour, number in needs)
    occurrences = []
    for turn in range(times):
        used: list[int] = []
        for colour, number in needs:
            used += _places(colours, colour)[turn * number : (turn + 1) * number]
        occurrences.append(tuple(sorted(used)))
    return Match(times, tuple(occurrences))


def _match_sequence(coatl: Coatl, sequence: Sequence, closed_ends: bool) -> Match:
    automaton = compile_sequence(sequence)
    head_closed, tail_closed = coatl.head or not closed_ends, coatl.tail or not closed_ends
    occurrences: list[Occurrence] = []
    used = 0
    for end in automaton.ends(coatl.colours, head_closed, tail_closed):
        begin = _begin(sequence, coatl.colours, used, end, head_closed)
        occurrences.append(tuple(range(begin, end + 1)))
        used = end
    return Match(len(occurrences), tuple(occurrences))


def _begin(
    sequence: Sequence, colours: tuple[Colour, ...], used: int, end: int, head_closed: bool
) -> int:
    """Where the shortest occurrence begins that ends at `end` and uses nothing up to `used`.

    Walks the sequence backwards from its end; the automaton has said that there is one.
    """
    tokens = sequence.tokens
    places = {len(tokens)}  # places whose pieces all lie behind the one looked at
    for position in range(end, used, -1):
        colour = colours[position - 1]
        reached: set[int] = set()
        for place in places:
            if place and tokens[place - 1].colour in (None, colour):
                reached.add(place - 1)
            if place < len(tokens) and tokens[place].run and tokens[place].colour in (None, colour):
                reached.add(place)
        places = reached
        if 0 in places and (
            sequence.before is None
            or (head_closed if position == 1 else colours[position - 2] != sequence.before)
        ):
            return position
    raise AssertionError(f"no occurrence of {sequence} ends at piece {end}")
