"""The options of a table: edition, variants and rulings, checked; as JSON, and in words."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from coatl_tools.errors import OptionError, escape_unprintable
from coatl_tools.files.data_paths import EDITIONS, Edition
from coatl_tools.language import Language, load_language
from coatl_tools.rules.constants import (
    ADAM_NAME,
    ADAM_ROW_SIZE,
    ADAM_ROW_SIZE_LEVEL_5,
    FEWER_BODIES_BY_PLAYERS,
    MAX_PLAYERS,
    SOLO_LEVELS,
    SPACE_KINDS,
)
from coatl_tools.rules.editions import DEFAULT_EDITION, EDITION_RULES

MAX_PLAYER_NAME_LENGTH = 30
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
            or len(name) > MAX_PLAYER_NAME_LENGTH
            or escape_unprintable(name) != name
        ):
            raise OptionError(
                "options.name",
                value=name[: 2 * MAX_PLAYER_NAME_LENGTH],
                most=MAX_PLAYER_NAME_LENGTH,
            )
    names = {unicodedata.normalize("NFC", name).casefold() for name in players}
    if len(names) < len(players):
        raise OptionError("options.same_name", names=", ".join(players))
    if names == {ADAM_NAME.casefold()}:
        raise OptionError("options.adams_name", value=players[0])
