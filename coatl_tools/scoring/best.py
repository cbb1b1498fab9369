"""All cards that a Cóatl fulfils, and the best legal set of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.requirement import NoProphecy, depends_on_cards, parts_of
from coatl_tools.pieces import Coatl, Colour
from coatl_tools.scoring.score import CardScore, score, score_beside

MAX_PROPHECIES = 4  # rule 3.9


@dataclass(frozen=True, slots=True)
class BestSet:
    """The cards of a set, scored beside each other."""

    scores: tuple[CardScore, ...]

    @property
    def total(self) -> int:
        """What the whole set is worth."""
        return sum(found.points for found in self.scores)


def fulfilled(coatl: Coatl, cards: Iterable[Card], closed_ends: bool = False) -> list[CardScore]:
    """The cards that score something, the most points first; each as if it lay there alone."""
    scores = (score(coatl, card, (), closed_ends) for card in cards)
    return sorted((found for found in scores if found.points), key=_by_points)


def best_set(
    coatl: Coatl,
    cards: Iterable[Card],
    different_colours: bool = False,
    closed_ends: bool = False,
) -> BestSet:
    """The most valuable set: at most 4 different Prophecy cards and 1 Temple card.

    `different_colours` is difficulty level 3 (rule 7.10). A card may ask that no Prophecy card
    of some colour lies beside the Cóatl. So for every choice of colours to do without, cards
    are scored as if all the other colours lay there, and the best of them are taken. None of
    these sets is worth less than so counted, and the best set is among them: it does without
    some choice of colours itself.
    """
    different = {card.id: card for card in cards}.values()  # rule 3.9
    worth = fulfilled(coatl, different, closed_ends)
    fixed = [found for found in worth if not depends_on_cards(found.card.requirement)]
    varying = [found.card for found in worth if depends_on_cards(found.card.requirement)]
    named = {
        part.colour
        for card in varying
        for part in parts_of(card.requirement)
        if isinstance(part, NoProphecy)
    }
    best = BestSet(())
    for absent in chain.from_iterable(
        combinations(sorted(named), n) for n in range(len(named) + 1)
    ):
        present = frozenset(named.difference(absent))
        scores = [*fixed, *(score_beside(coatl, card, present, closed_ends) for card in varying)]
        found = _best_without(absent, sorted(scores, key=_by_points), different_colours)
        if found.total > best.total:
            best = found
    chosen = [found.card for found in best.scores]
    return BestSet(tuple(score(coatl, card, chosen, closed_ends) for card in chosen))


def _best_without(
    absent: tuple[Colour, ...], scores: Iterable[CardScore], different_colours: bool
) -> BestSet:
    """The first cards of a list by points that are a legal set without these card colours."""
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
    return BestSet((*prophecies[:MAX_PROPHECIES], *temple))


def _by_points(found: CardScore) -> tuple[int, str]:
    return -found.points, found.card.id
