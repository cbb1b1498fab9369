"""What never changes in a game: its table's options (`TableOptions`), the cards in play
(`Game`).
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL, Card, CardKind
from coatl_tools.cards.catalog import compute_fingerprint
from coatl_tools.errors import OptionError, escape_unprintable
from coatl_tools.files.data_paths import EDITIONS, Edition
from coatl_tools.language import Language, load_language
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
    MAX_PLAYERS,
    SOLO_BODIES_PER_COLOUR,
    SOLO_LEVELS,
    SPACE_KINDS,
    Bag,
)
from coatl_tools.rules.editions import DEFAULT_EDITION, EDITION_RULES
from coatl_tools.rules.solo.needs import Needs, find_needs
from coatl_tools.scoring.placement_check import PlacementTest, build_placement_test
from coatl_tools.scoring.score import CardScore, score_card

MAX_NAME_LENGTH = 30
MAX_VALUE_LENGTH = 40
FIXED_RULINGS = ("9.1", "9.2", "9.4", "9.5", "9.10", "9.12", "9.13", "9.14", "9.15", "9.16")


# Which rule each option is about.
OPTION_RULES = {
    "players": "2.2",
    "edition": "8.5",
    "tokens": "2.1",
    "promo": "10.1",
    "fewer_bodies": "10.2",
    "golden_feathers": "10.3",
    "hidden_hands": "9.17",
    "temple_required": "9.3",
    "space_kinds": "9.6",
    "levels": "7.10",
    "level5_refill": "9.7",
    "solo_final_turns": "9.8",
    "solo_temple_in_hand": "9.9",
    "closed_ends": "9.11",
}


class OptionRow(NamedTuple):
    """One line of a table's rules, for its user: an option with its value, or a fixed ruling."""

    name: str
    value: str
    rule: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """Every choice a table makes, checked; raises OptionError, naming the option.

    One player alone plays against A.D.A.M., and without tokens (rule 7.1).

    >>> TableOptions(players=("North", "South"), edition="fr").coatl_limit
    3
    >>> TableOptions(players=("North",), levels=(2, 5)).tokens
    False
    """

    players: tuple[str, ...] = ("North", "South")
    edition: Edition = DEFAULT_EDITION
    tokens: bool = True
    promo: bool = False
    fewer_bodies: bool = False
    golden_feathers: bool = False
    hidden_hands: bool = False
    temple_required: bool = False
    space_kinds: str = SPACE_KINDS
    levels: tuple[int, ...] = ()
    level5_refill: int = ADAM_ROW_SIZE_LEVEL_5
    solo_final_turns: bool = False
    solo_temple_in_hand: bool = False
    closed_ends: bool = False

    def __post_init__(self) -> None:
        for option in fields(self):
            _check_type(option.name, getattr(self, option.name), option.default)
        _check_players(self.players)
        if self.solo:
            object.__setattr__(self, "tokens", False)
        _check_levels(self.levels, self.solo)
        object.__setattr__(self, "levels", tuple(sorted(self.levels)))
        if self.edition not in EDITIONS:
            raise OptionError("options.edition", value=self.edition)
        if self.fewer_bodies and len(self.players) not in FEWER_BODIES_BY_PLAYERS:
            raise OptionError("options.fewer_bodies", n=len(self.players))
        if self.golden_feathers and self.solo:
            raise OptionError("options.golden_feathers")
        if sorted(self.space_kinds) != sorted(SPACE_KINDS):
            raise OptionError(
                "options.space_kinds", value=self.space_kinds[:40], example=SPACE_KINDS
            )
        if self.level5_refill not in (ADAM_ROW_SIZE, ADAM_ROW_SIZE_LEVEL_5):
            raise OptionError("options.level5_refill", value=self.level5_refill)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> TableOptions:
        """Return the options that JSON holds; raises OptionError, naming the option."""
        unknown = [name for name in data if name not in OPTION_RULES]
        if unknown:
            raise OptionError(
                "options.unknown", name=str(unknown[0])[:40], names=", ".join(OPTION_RULES)
            )
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        return cls(**values)

    def data(self) -> dict[str, Any]:
        """Return the options as JSON holds them."""
        return {name: _to_json_value(getattr(self, name)) for name in OPTION_RULES}

    @property
    def solo(self) -> bool:
        """Whether this is one player against A.D.A.M. (section 7)."""
        return len(self.players) == 1

    @property
    def half_points(self) -> bool:
        """Whether an incomplete Cóatl scores half (rule 8.1)."""
        return EDITION_RULES[self.edition].half_points

    @property
    def coatl_limit(self) -> int | None:
        """How many Cóatls a player may begin in all (rule 8.2); None for no limit."""
        return EDITION_RULES[self.edition].coatl_limit

    @property
    def tokens_first(self) -> bool:
        """Whether a token is used only as the first action of a turn (rule 8.3)."""
        return EDITION_RULES[self.edition].tokens_first

    def list_rules(self, lang: str = "en") -> list[OptionRow]:
        """List every option with its value, then the rulings that are the same at every table."""
        language = load_language(lang)
        lines = [
            OptionRow(name, self._format_value(name, language), rule, language.option(name))
            for name, rule in OPTION_RULES.items()
        ]
        lines.append(OptionRow("", "", "", language.ruling("discards")))
        return lines + [OptionRow("", "", rule, language.ruling(rule)) for rule in FIXED_RULINGS]

    def _format_value(self, name: str, language: Language) -> str:
        value = getattr(self, name)
        if isinstance(value, bool):
            return language.label("yes" if value else "no")
        if isinstance(value, tuple):
            return ", ".join(map(str, value)) or language.label("none")
        return str(value)


def _to_json_value(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _format_json(value: object) -> str:
    """Format a value as JSON, so that "1" and 1 look different, cut to `MAX_VALUE_LENGTH`."""
    try:
        return escape_unprintable(json.dumps(value, ensure_ascii=False, default=str))[
            :MAX_VALUE_LENGTH
        ]
    except (ValueError, RecursionError):  # a number of thousands of digits, a list inside itself
        return "…"


def _check_type(name: str, value: object, default: object) -> None:
    """Raise OptionError for a value that is not of the same type as the default."""
    shown = _format_json(value)
    if isinstance(default, bool) and not isinstance(value, bool):
        raise OptionError("options.yes_or_no", name=name, value=shown)
    if isinstance(default, str) and not isinstance(value, str):
        raise OptionError("options.text", name=name, value=shown)
    if name == "level5_refill" and (not isinstance(value, int) or isinstance(value, bool)):
        raise OptionError("options.level5_refill", value=shown)
    if name == "players" and not (
        isinstance(value, tuple) and all(isinstance(item, str) for item in value)
    ):
        raise OptionError("options.names", value=shown)
    if name == "levels" and not isinstance(value, tuple):
        raise OptionError("options.levels", value=shown)


def _check_levels(levels: tuple[int, ...], solo: bool) -> None:
    known = [level for level in levels if type(level) is int and level in SOLO_LEVELS]
    if len(set(known)) < len(levels):
        raise OptionError("options.levels", value=_format_json(levels))
    if levels and not solo:
        raise OptionError("options.levels_solo")


def _check_players(players: tuple[str, ...]) -> None:
    if not 1 <= len(players) <= MAX_PLAYERS:
        raise OptionError("options.players", n=len(players))
    for name in players:
        if (
            not name
            or name != name.strip()
            or len(name) > MAX_NAME_LENGTH
            or escape_unprintable(name) != name
        ):
            raise OptionError(
                "options.name", value=name[: 2 * MAX_NAME_LENGTH], most=MAX_NAME_LENGTH
            )
    names = {unicodedata.normalize("NFC", name).casefold() for name in players}
    if len(names) < len(players):
        raise OptionError("options.same_name", names=", ".join(players))
    if names == {ADAM_NAME.casefold()}:
        raise OptionError("options.adams_name", value=players[0])


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
