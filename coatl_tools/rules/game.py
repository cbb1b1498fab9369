"""What never changes in a game: its table's options, the cards in play, and what follows from
them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL, Card, CardKind
from coatl_tools.cards.catalog import compute_fingerprint
from coatl_tools.errors import OptionError
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Colour
from coatl_tools.rules.constants import (
    ADAM_INDEX,
    ADAM_NAME,
    ADAM_ROW_SIZE,
    ADAM_ROW_SIZE_LEVEL_5,
    BODIES_PER_COLOUR,
    COLOURS,
    FEATHER_BODIES_BY_PLAYERS,
    FEATHERS_BY_PLAYERS,
    FEWER_BODIES_BY_PLAYERS,
    HAND_LIMIT,
    HAND_LIMIT_LEVEL_2,
    SOLO_BODIES_PER_COLOUR,
    Bag,
)
from coatl_tools.rules.solo.needs import Needs, find_needs
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.scoring.placement_check import PlacementTest, build_placement_test
from coatl_tools.scoring.score import CardScore, score_card

CardIds = tuple[str, ...]
MAX_CARDS_NAMED = 10  # cards named in one message
# Answers to “which of these cards fit this Cóatl?”: more would be too many for a fast cache.
FITTING_CACHE_SIZE = 1 << 10


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
    tests: dict[str, PlacementTest | None] = field(init=False, compare=False, repr=False)
    prophecies: CardIds = field(init=False, compare=False, repr=False)
    temples: CardIds = field(init=False, compare=False, repr=False)
    # (Cóatl, cards, cards placed there) -> those of the cards that may be placed too (rule 3.9)
    fitting: Callable[[str, CardIds, CardIds], CardIds] = field(
        init=False, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        known = {card.id: card for card in self.cards}
        closed_ends = self.options.closed_ends
        players, levels, solo = self.options.players, self.options.levels, self.options.solo
        derived = {
            "size": len(players),
            "solo": solo,
            "order": (ADAM_INDEX, 0) if solo else tuple(range(len(players))),  # rule 7.1
            "names": (*players, ADAM_NAME) if solo else players,
            "hand_limit": HAND_LIMIT_LEVEL_2 if 2 in levels else HAND_LIMIT,
            "different_colours": 3 in levels,
            "least_prophecies": MAX_PROPHECIES_PER_COATL if 4 in levels else 1,  # rule 3.10
            "needs": MappingProxyType(_find_all_needs(self.cards) if solo else {}),
            "coatl_limit": self.options.coatl_limit or sys.maxsize,
            "hidden_hands": self.options.hidden_hands,
            "by_id": MappingProxyType(known),
            "tests": {
                name: build_placement_test(card, closed_ends) for name, card in known.items()
            },
            "prophecies": _list_card_copies(self.cards, CardKind.PROPHECY),
            "temples": _list_card_copies(self.cards, CardKind.TEMPLE),
            "fitting": lru_cache(maxsize=FITTING_CACHE_SIZE)(self._find_fitting),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type[Game], tuple[TableOptions, tuple[Card, ...]]]:
        return Game, (self.options, self.cards)

    @cached_property
    def fingerprint(self) -> str:
        """A text that tells these options and cards from others."""
        return (
            f"{json.dumps(self.options.data(), sort_keys=True)} {compute_fingerprint(self.cards)}"
        )

    @property
    def adam_cards(self) -> int:
        """How many cards A.D.A.M. begins with (rules 7.1, 7.10)."""
        return ADAM_ROW_SIZE_LEVEL_5 if 5 in self.options.levels else ADAM_ROW_SIZE

    @property
    def adam_refill(self) -> int:
        """The number of cards up to which A.D.A.M. refills its row (rule 7.7, ruling 9.7)."""
        return self.options.level5_refill if 5 in self.options.levels else ADAM_ROW_SIZE

    def top_points(self, card: str) -> int:
        """Return what a card is worth at its highest level: all that A.D.A.M. knows (rule 7.8)."""
        return self.by_id[card].levels[-1].points

    def is_prophecy(self, card: str) -> bool:
        """Tell whether this is the id of a Prophecy card of the game."""
        return card in self.by_id and self.by_id[card].kind is CardKind.PROPHECY

    def is_temple(self, card: str) -> bool:
        """Tell whether this is the id of a Temple card of the game."""
        return card in self.by_id and self.by_id[card].kind is CardKind.TEMPLE

    def satisfies(self, coatl: str, card: str, beside: Iterable[str]) -> bool:
        """Tell whether a Cóatl reaches the lowest level of a card (rules 3.9, 3.11)."""
        test = self.tests[card]
        if test is not None:
            return bool(test(coatl))
        return self.score(coatl, card, beside).level > 0

    def _find_fitting(self, coatl: str, cards: CardIds, placed: CardIds) -> CardIds:
        if len(placed) >= MAX_PROPHECIES_PER_COATL:
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

    def colours_taken(self, placed: CardIds) -> set[Colour | None]:
        """Return the card colours that may not be placed beside these cards: at level 3, theirs."""
        if not self.different_colours:
            return set()
        return {self.by_id[card].colour for card in placed}

    def score(self, coatl: str, card: str, beside: Iterable[str]) -> CardScore:
        """Return what a card is worth on a Cóatl, beside these Prophecy cards."""
        cards = (self.by_id[other] for other in beside)
        return score_card(parse_coatl(coatl), self.by_id[card], cards, self.options.closed_ends)

    def body_bag(self) -> Bag:
        """Return the bag of body segments at the start, golden ones last (1.2, 7.1, 10.2, 10.3)."""
        number, feathers = SOLO_BODIES_PER_COLOUR if self.solo else BODIES_PER_COLOUR, 0
        if self.options.fewer_bodies:
            number = FEWER_BODIES_BY_PLAYERS[self.size]
        if self.options.golden_feathers:
            number, feathers = FEATHER_BODIES_BY_PLAYERS[self.size], FEATHERS_BY_PLAYERS[self.size]
        return (*(number for _ in COLOURS), feathers)


def _list_card_copies(cards: Iterable[Card], kind: CardKind) -> CardIds:
    """List the ids of a deck, sorted, each as often as there are copies of it."""
    return tuple(sorted(card.id for card in cards if card.kind is kind for _ in range(card.copies)))


def _find_all_needs(cards: Iterable[Card]) -> dict[str, Needs]:
    """Find what A.D.A.M. needs for each Prophecy card; OptionError if a card does not tell."""
    found = {card.id: find_needs(card) for card in cards if card.kind is CardKind.PROPHECY}
    senseless = [card for card, needs in found.items() if needs is None]
    if senseless:
        shown = ", ".join(senseless[:MAX_CARDS_NAMED]) + (
            ", …" if len(senseless) > MAX_CARDS_NAMED else ""
        )
        raise OptionError("options.solo_cards", n=len(senseless), cards=shown)
    return {card: needs for card, needs in found.items() if needs is not None}
