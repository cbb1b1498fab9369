"""Score cards on one Cóatl: how often a card is met, by which pieces, and what it pays; the best
legal set of cards; where a total stands on the scoreboard.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL, Card, CardKind
from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    PieceSequence,
    Several,
    SingleRequirement,
    depends_on_cards,
    split_requirement,
)
from coatl_tools.components.counts import get_component_count
from coatl_tools.pieces import Coatl, Colour
from coatl_tools.scoring.automata import compile_sequence

Occurrence = tuple[int, ...]  # the pieces it uses, 1 for the first


@dataclass(frozen=True, slots=True)
class RequirementMatch:
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
    parts: tuple[RequirementMatch, ...]

    @property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """The pieces of every occurrence of every requirement."""
        return tuple(found for part in self.parts for found in part.occurrences)

    @property
    def met(self) -> tuple[bool, ...]:
        """For each requirement whether it is met."""
        return tuple(part.count > 0 for part in self.parts)


def score_card(
    coatl: Coatl, card: Card, beside: Iterable[Card] = (), closed_ends: bool = False
) -> CardScore:
    """Score one card, alone or `beside` other cards: promo Temples look at their colours.

    >>> from coatl_tools import load_cards, parse_coatl
    >>> score_card(parse_coatl("<BBRBBKRBBYY>"), load_cards()["P10"]).points
    5

    With `closed_ends`, ruling 9.11, the open end of an incomplete Cóatl does not count as
    "no piece there" for a crossed-out neighbour. Raises RequirementTooComplexError for a
    sequence whose automaton would be too large.
    """
    return score_card_beside_colours(
        coatl, card, collect_prophecy_colours((card, *beside)), closed_ends
    )


def score_card_beside_colours(
    coatl: Coatl, card: Card, colours: frozenset[Colour], closed_ends: bool = False
) -> CardScore:
    """Score one card beside Prophecy cards of these card colours."""
    requirement = card.requirement
    if isinstance(requirement, Several):
        parts = tuple(
            match_requirement(coatl, part, colours, closed_ends) for part in requirement.parts
        )
        count = sum(part.count > 0 for part in parts)
    else:
        parts = (match_requirement(coatl, requirement, colours, closed_ends),)
        count = parts[0].count
    level = card.level(count)
    return CardScore(card, count, level, card.levels[level - 1].points if level else 0, parts)


def collect_prophecy_colours(cards: Iterable[Card]) -> frozenset[Colour]:
    """Collect the card colours of the Prophecy cards among these."""
    return frozenset(
        card.colour for card in cards if card.kind is CardKind.PROPHECY and card.colour is not None
    )


def match_requirement(
    coatl: Coatl,
    requirement: SingleRequirement,
    beside: frozenset[Colour] = frozenset(),
    closed_ends: bool = False,
) -> RequirementMatch:
    """Match one requirement on a Cóatl; `beside` are card colours of Prophecy cards."""
    colours = coatl.colours
    match requirement:
        case ColourCount(colour):
            places = _find_positions(colours, colour)
            return RequirementMatch(len(places), tuple((place,) for place in places))
        case PieceSequence():
            return _match_sequence(coatl, requirement, closed_ends)
        case Multiset(needs):
            return _match_multiset(colours, needs)
        case Absent(colour):
            return RequirementMatch(int(colour not in colours))
        case Equal(first, second):
            number = colours.count(first)
            return RequirementMatch(int(number > 0 and number == colours.count(second)))
        case Length(pieces):
            return RequirementMatch(int(len(colours) == pieces))
        case NoProphecy(colour):
            return RequirementMatch(int(colour not in beside))


def _find_positions(colours: tuple[Colour, ...], colour: Colour) -> list[int]:
    return [place for place, found in enumerate(colours, start=1) if found == colour]


def _match_multiset(
    colours: tuple[Colour, ...], needs: tuple[tuple[Colour, int], ...]
) -> RequirementMatch:
    times = min(colours.count(colour) // number for colour, number in needs)
    occurrences = []
    for turn in range(times):
        used: list[int] = []
        for colour, number in needs:
            used += _find_positions(colours, colour)[turn * number : (turn + 1) * number]
        occurrences.append(tuple(sorted(used)))
    return RequirementMatch(times, tuple(occurrences))


def _match_sequence(coatl: Coatl, sequence: PieceSequence, closed_ends: bool) -> RequirementMatch:
    automaton = compile_sequence(sequence)
    head_closed, tail_closed = coatl.head or not closed_ends, coatl.tail or not closed_ends
    occurrences: list[Occurrence] = []
    used = 0
    for end in automaton.ends(coatl.colours, head_closed, tail_closed):
        begin = _find_occurrence_start(sequence, coatl.colours, used, end, head_closed)
        occurrences.append(tuple(range(begin, end + 1)))
        used = end
    return RequirementMatch(len(occurrences), tuple(occurrences))


def _find_occurrence_start(
    sequence: PieceSequence, colours: tuple[Colour, ...], used: int, end: int, head_closed: bool
) -> int:
    """Find where the shortest occurrence begins that ends at `end` and uses nothing up to `used`.

    Walks the sequence backwards from its end; the automaton has said that there is one.
    """
    elements = sequence.elements
    places = {len(elements)}  # places whose pieces all lie behind the one looked at
    for position in range(end, used, -1):
        colour = colours[position - 1]
        reached: set[int] = set()
        for place in places:
            if place and elements[place - 1].colour in (None, colour):
                reached.add(place - 1)
            if (
                place < len(elements)
                and elements[place].run
                and elements[place].colour in (None, colour)
            ):
                reached.add(place)
        places = reached
        if 0 in places and (
            sequence.before is None
            or (head_closed if position == 1 else colours[position - 2] != sequence.before)
        ):
            return position
    raise AssertionError(f"no occurrence of {sequence} ends at piece {end}")


@dataclass(frozen=True, slots=True)
class BestSet:
    """The cards of a set, scored beside each other."""

    scores: tuple[CardScore, ...]

    @property
    def total(self) -> int:
        """What the whole set is worth."""
        return sum(found.points for found in self.scores)


def find_fulfilled_cards(
    coatl: Coatl, cards: Iterable[Card], closed_ends: bool = False
) -> list[CardScore]:
    """Find the cards that score something, the most points first; each as if it lay there alone."""
    scores = (score_card(coatl, card, (), closed_ends) for card in cards)
    return sorted((found for found in scores if found.points), key=_points_order)


def find_best_set(
    coatl: Coatl,
    cards: Iterable[Card],
    different_colours: bool = False,
    closed_ends: bool = False,
) -> BestSet:
    """Find the most valuable set: at most 4 different Prophecy cards and 1 Temple card.

    `different_colours` is difficulty level 3 (rule 7.10). A card may ask that no Prophecy card
    of some colour lies beside the Cóatl. So for every choice of colours to do without, cards
    are scored as if all the other colours lay there, and the best of them are taken. Each of
    these sets is worth at least what was counted, and the best set is among them: it, too, does
    without some choice of colours.
    """
    different = {card.id: card for card in cards}.values()  # rule 3.9
    worth = find_fulfilled_cards(coatl, different, closed_ends)
    fixed = [found for found in worth if not depends_on_cards(found.card.requirement)]
    varying = [found.card for found in worth if depends_on_cards(found.card.requirement)]
    named = {
        part.colour
        for card in varying
        for part in split_requirement(card.requirement)
        if isinstance(part, NoProphecy)
    }
    best = BestSet(())
    for absent in chain.from_iterable(
        combinations(sorted(named), n) for n in range(len(named) + 1)
    ):
        present = frozenset(named.difference(absent))
        scores = [
            *fixed,
            *(score_card_beside_colours(coatl, card, present, closed_ends) for card in varying),
        ]
        found = _choose_without_colours(
            absent, sorted(scores, key=_points_order), different_colours
        )
        if found.total > best.total:
            best = found
    chosen = [found.card for found in best.scores]
    return BestSet(tuple(score_card(coatl, card, chosen, closed_ends) for card in chosen))


def _choose_without_colours(
    absent: tuple[Colour, ...], scores: Iterable[CardScore], different_colours: bool
) -> BestSet:
    """Choose the best legal set without these card colours, from scores sorted by points."""
    prophecies: list[CardScore] = []
    temples: list[CardScore] = []
    taken: set[Colour | None] = set(absent)
    for found in scores:
        if found.card.kind is CardKind.TEMPLE:
            temples.append(found)
        elif found.card.colour not in taken and found.points:
            prophecies.append(found)
            if different_colours:
                taken.add(found.card.colour)
    temple = [found for found in temples[:1] if found.points]
    return BestSet((*prophecies[:MAX_PROPHECIES_PER_COATL], *temple))


def _points_order(found: CardScore) -> tuple[int, str]:
    return -found.points, found.card.id


LAST_SCOREBOARD_POSITION = get_component_count("scoreboard", "last_position")


def locate_on_scoreboard(total: int) -> tuple[int, int]:
    """Return how many tokens of 50 lie beside the marker, and the marker's position (rule 5.3).

    >>> locate_on_scoreboard(50), locate_on_scoreboard(63), locate_on_scoreboard(0)
    ((0, 50), (1, 13), (0, 0))
    """
    if total == 0:
        return 0, 0
    tokens, position = divmod(total - 1, LAST_SCOREBOARD_POSITION)
    return tokens, position + 1
