"""What never changes in a game: the table's options and the cards in its decks."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.fingerprint import fingerprint
from coatl_tools.notation import parse
from coatl_tools.rules.box import (
    BODIES_PER_COLOUR,
    COLOURS,
    FEATHER_BODIES,
    FEATHERS,
    FEWER_BODIES,
    PROPHECIES_PER_COATL,
    Bag,
)
from coatl_tools.rules.options import TableOptions
from coatl_tools.scoring.placeable import Test, placeable_test
from coatl_tools.scoring.score import CardScore, score

Ids = tuple[str, ...]
REMEMBERED = 1 << 10  # answers to “which of these cards fit this Cóatl?”; more would not stay near


@dataclass(frozen=True)
class Game:
    """Options and cards, and what is worked out from them once."""

    options: TableOptions
    cards: tuple[Card, ...]
    size: int = field(init=False, compare=False, repr=False)  # the number of players
    coatl_limit: int = field(init=False, compare=False, repr=False)  # rule 8.2
    hidden_hands: bool = field(init=False, compare=False, repr=False)
    by_id: Mapping[str, Card] = field(init=False, compare=False, repr=False)
    tests: dict[str, Test | None] = field(init=False, compare=False, repr=False)
    prophecies: Ids = field(init=False, compare=False, repr=False)
    temples: Ids = field(init=False, compare=False, repr=False)
    # which of these cards (each once) may be placed on a Cóatl with these placed (rule 3.9)
    fitting: Callable[[str, Ids, Ids], Ids] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        known = {card.id: card for card in self.cards}
        closed_ends = self.options.closed_ends
        derived = {
            "size": len(self.options.players),
            "coatl_limit": self.options.coatl_limit or sys.maxsize,
            "hidden_hands": self.options.hidden_hands,
            "by_id": MappingProxyType(known),
            "tests": {name: placeable_test(card, closed_ends) for name, card in known.items()},
            "prophecies": _copies(self.cards, CardKind.PROPHECY),
            "temples": _copies(self.cards, CardKind.TEMPLE),
            "fitting": lru_cache(maxsize=REMEMBERED)(self._fitting),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type[Game], tuple[TableOptions, tuple[Card, ...]]]:
        return Game, (self.options, self.cards)

    @cached_property
    def fingerprint(self) -> str:
        """Tells these options and cards from others."""
        return f"{json.dumps(self.options.data(), sort_keys=True)} {fingerprint(self.cards)}"

    def is_prophecy(self, card: str) -> bool:
        """Whether this is the id of a Prophecy card of the game."""
        return card in self.by_id and self.by_id[card].kind is CardKind.PROPHECY

    def is_temple(self, card: str) -> bool:
        """Whether this is the id of a Temple card of the game."""
        return card in self.by_id and self.by_id[card].kind is CardKind.TEMPLE

    def satisfies(self, coatl: str, card: str, beside: Iterable[str]) -> bool:
        """Whether a Cóatl reaches the lowest level of a card (rules 3.9, 3.11)."""
        test = self.tests[card]
        if test is not None:
            return bool(test(coatl))
        return self.score(coatl, card, beside).level > 0

    def _fitting(self, coatl: str, cards: Ids, placed: Ids) -> Ids:
        if len(placed) >= PROPHECIES_PER_COATL:
            return ()
        tests = self.tests
        found = []
        for card in cards:
            if card not in placed:
                test = tests[card]
                if test(coatl) if test else self.satisfies(coatl, card, placed):
                    found.append(card)
        return tuple(dict.fromkeys(found)) if len(found) > 1 else tuple(found)

    def score(self, coatl: str, card: str, beside: Iterable[str]) -> CardScore:
        """What a card is worth on a Cóatl, beside these Prophecy cards."""
        cards = (self.by_id[other] for other in beside)
        return score(parse(coatl), self.by_id[card], cards, self.options.closed_ends)

    def body_bag(self) -> Bag:
        """The body segments at the start, the golden ones last (rules 1.2, 10.2, 10.3)."""
        number, feathers = BODIES_PER_COLOUR, 0
        if self.options.fewer_bodies:
            number = FEWER_BODIES[self.size]
        if self.options.golden_feathers:
            number, feathers = FEATHER_BODIES[self.size], FEATHERS[self.size]
        return (*(number for _ in COLOURS), feathers)


def _copies(cards: Iterable[Card], kind: CardKind) -> Ids:
    """The ids of a deck, sorted, each as often as there are copies of it."""
    return tuple(sorted(card.id for card in cards if card.kind is kind for _ in range(card.copies)))
