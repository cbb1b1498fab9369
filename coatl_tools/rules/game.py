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
from coatl_tools.errors import OptionError
from coatl_tools.notation import parse
from coatl_tools.pieces import Colour
from coatl_tools.rules.box import (
    ADAM,
    ADAM_CARDS,
    ADAM_CARDS_LEVEL_5,
    ADAM_NAME,
    BODIES_PER_COLOUR,
    COLOURS,
    FEATHER_BODIES,
    FEATHERS,
    FEWER_BODIES,
    HAND_LIMIT,
    HAND_LIMIT_LEVEL_2,
    PROPHECIES_PER_COATL,
    SOLO_BODIES,
    Bag,
)
from coatl_tools.rules.needs import Needs, needs_of
from coatl_tools.rules.options import TableOptions
from coatl_tools.scoring.placeable import Test, placeable_test
from coatl_tools.scoring.score import CardScore, score

Ids = tuple[str, ...]
MOST_NAMED = 10  # cards named in one message
REMEMBERED = 1 << 10  # answers to “which of these cards fit this Cóatl?”; more would not stay near


@dataclass(frozen=True)
class Game:
    """Options and cards, and what is worked out from them once."""

    options: TableOptions
    cards: tuple[Card, ...]
    size: int = field(init=False, compare=False, repr=False)  # the number of players
    coatl_limit: int = field(init=False, compare=False, repr=False)  # rule 8.2
    hidden_hands: bool = field(init=False, compare=False, repr=False)
    solo: bool = field(init=False, compare=False, repr=False)
    order: tuple[int, ...] = field(init=False, compare=False, repr=False)  # in which turns go
    names: tuple[str, ...] = field(init=False, compare=False, repr=False)  # A.D.A.M.'s is last
    hand_limit: int = field(init=False, compare=False, repr=False)
    different_colours: bool = field(init=False, compare=False, repr=False)  # level 3
    least_prophecies: int = field(init=False, compare=False, repr=False)  # to complete a Cóatl
    needs: Mapping[str, Needs] = field(init=False, compare=False, repr=False)  # of A.D.A.M.
    by_id: Mapping[str, Card] = field(init=False, compare=False, repr=False)
    tests: dict[str, Test | None] = field(init=False, compare=False, repr=False)
    prophecies: Ids = field(init=False, compare=False, repr=False)
    temples: Ids = field(init=False, compare=False, repr=False)
    # which of these cards (each once) may be placed on a Cóatl with these placed (rule 3.9)
    fitting: Callable[[str, Ids, Ids], Ids] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        known = {card.id: card for card in self.cards}
        closed_ends = self.options.closed_ends
        players, levels, solo = self.options.players, self.options.levels, self.options.solo
        derived = {
            "size": len(players),
            "solo": solo,
            "order": (ADAM, 0) if solo else tuple(range(len(players))),  # rule 7.1
            "names": (*players, ADAM_NAME) if solo else players,
            "hand_limit": HAND_LIMIT_LEVEL_2 if 2 in levels else HAND_LIMIT,
            "different_colours": 3 in levels,
            "least_prophecies": PROPHECIES_PER_COATL if 4 in levels else 1,  # rule 3.10
            "needs": MappingProxyType(_needs(self.cards) if solo else {}),
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

    @property
    def adam_cards(self) -> int:
        """How many cards A.D.A.M. begins with (rules 7.1, 7.10)."""
        return ADAM_CARDS_LEVEL_5 if 5 in self.options.levels else ADAM_CARDS

    @property
    def adam_refill(self) -> int:
        """Up to how many cards A.D.A.M. refills its row (rule 7.7, ruling 9.7)."""
        return self.options.level5_refill if 5 in self.options.levels else ADAM_CARDS

    def top_points(self, card: str) -> int:
        """What a card is worth at its highest level: all that A.D.A.M. knows (rule 7.8)."""
        return self.by_id[card].levels[-1].points

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
        taken = self.colours_taken(placed)
        if taken:
            cards = tuple(card for card in cards if self.by_id[card].colour not in taken)
        for card in cards:
            if card not in placed:
                test = tests[card]
                if test(coatl) if test else self.satisfies(coatl, card, placed):
                    found.append(card)
        return tuple(dict.fromkeys(found)) if len(found) > 1 else tuple(found)

    def colours_taken(self, placed: Ids) -> set[Colour | None]:
        """The card colours that may not join these cards on a Cóatl: at level 3, theirs."""
        if not self.different_colours:
            return set()
        return {self.by_id[card].colour for card in placed}

    def score(self, coatl: str, card: str, beside: Iterable[str]) -> CardScore:
        """What a card is worth on a Cóatl, beside these Prophecy cards."""
        cards = (self.by_id[other] for other in beside)
        return score(parse(coatl), self.by_id[card], cards, self.options.closed_ends)

    def body_bag(self) -> Bag:
        """The body segments at the start, the golden ones last (rules 1.2, 7.1, 10.2, 10.3)."""
        number, feathers = SOLO_BODIES if self.solo else BODIES_PER_COLOUR, 0
        if self.options.fewer_bodies:
            number = FEWER_BODIES[self.size]
        if self.options.golden_feathers:
            number, feathers = FEATHER_BODIES[self.size], FEATHERS[self.size]
        return (*(number for _ in COLOURS), feathers)


def _copies(cards: Iterable[Card], kind: CardKind) -> Ids:
    """The ids of a deck, sorted, each as often as there are copies of it."""
    return tuple(sorted(card.id for card in cards if card.kind is kind for _ in range(card.copies)))


def _needs(cards: Iterable[Card]) -> dict[str, Needs]:
    """What A.D.A.M. needs for each Prophecy card; OptionError for cards where nobody can tell."""
    found = {card.id: needs_of(card) for card in cards if card.kind is CardKind.PROPHECY}
    senseless = [card for card, needs in found.items() if needs is None]
    if senseless:
        shown = ", ".join(senseless[:MOST_NAMED]) + (", …" if len(senseless) > MOST_NAMED else "")
        raise OptionError("options.solo_cards", n=len(senseless), cards=shown)
    return {card: needs for card, needs in found.items() if needs is not None}
