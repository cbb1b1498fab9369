"""How one table plays: who, by which edition, with which variants and rulings."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, get_args

from coatl_tools.errors import OptionError, visible
from coatl_tools.language import Language, load_language
from coatl_tools.rules.box import ADAM_NAME, FEWER_BODIES, LEVELS, SPACE_KINDS

Edition = Literal["en", "fr", "pl"]
MAX_NAME = 30
MAX_SHOWN_VALUE = 40
FIXED_RULINGS = ("9.1", "9.2", "9.4", "9.5", "9.10", "9.12", "9.13", "9.14", "9.15", "9.16")


# Which rule each option is about.
RULES = {
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


class Line(NamedTuple):
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
    edition: Edition = "en"
    tokens: bool = True
    promo: bool = False
    fewer_bodies: bool = False
    golden_feathers: bool = False
    hidden_hands: bool = False
    temple_required: bool = False
    space_kinds: str = SPACE_KINDS
    levels: tuple[int, ...] = ()
    level5_refill: int = 4
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
        if self.edition not in get_args(Edition):
            raise OptionError("options.edition", value=self.edition)
        if self.fewer_bodies and len(self.players) not in FEWER_BODIES:
            raise OptionError("options.fewer_bodies", n=len(self.players))
        if self.golden_feathers and self.solo:
            raise OptionError("options.golden_feathers")
        if sorted(self.space_kinds) != sorted(SPACE_KINDS):
            raise OptionError(
                "options.space_kinds", value=self.space_kinds[:40], example=SPACE_KINDS
            )
        if self.level5_refill not in (3, 4):
            raise OptionError("options.level5_refill", value=self.level5_refill)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> TableOptions:
        """The options that JSON holds; raises OptionError, naming the option."""
        unknown = [name for name in data if name not in RULES]
        if unknown:
            raise OptionError("options.unknown", name=str(unknown[0])[:40], names=", ".join(RULES))
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        return cls(**values)

    def data(self) -> dict[str, Any]:
        """The options as JSON holds them."""
        return {name: _plain(getattr(self, name)) for name in RULES}

    @property
    def solo(self) -> bool:
        """Whether this is one player against A.D.A.M. (section 7)."""
        return len(self.players) == 1

    @property
    def half_points(self) -> bool:
        """Whether an incomplete Cóatl scores half (rule 8.1)."""
        return self.edition == "pl"

    @property
    def coatl_limit(self) -> int | None:
        """How many Cóatls a player may begin in all (rule 8.2); None for no limit."""
        return 3 if self.edition == "fr" else None

    @property
    def tokens_first(self) -> bool:
        """Whether a token is used only as the first action of a turn (rule 8.3)."""
        return self.edition == "fr"

    def listing(self, language: str = "en") -> list[Line]:
        """Every option with its value, then the rulings that are the same at every table."""
        words = load_language(language)
        lines = [
            Line(name, self._shown(name, words), rule, words.option(name))
            for name, rule in RULES.items()
        ]
        lines.append(Line("", "", "", words.ruling("discards")))
        return lines + [Line("", "", rule, words.ruling(rule)) for rule in FIXED_RULINGS]

    def _shown(self, name: str, words: Language) -> str:
        value = getattr(self, name)
        if isinstance(value, bool):
            return words.label("yes" if value else "no")
        if isinstance(value, tuple):
            return ", ".join(map(str, value)) or words.label("none")
        return str(value)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _as_written(value: object) -> str:
    """A value as JSON has it, so that "1" and 1 look different; its beginning, if it is long."""
    try:
        return visible(json.dumps(value, ensure_ascii=False, default=str))[:MAX_SHOWN_VALUE]
    except (ValueError, RecursionError):  # a number of thousands of digits, a list inside itself
        return "…"


def _check_type(name: str, value: object, default: object) -> None:
    """Raise OptionError for a value that is not of the kind of the default one."""
    shown = _as_written(value)
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
    known = [level for level in levels if type(level) is int and level in LEVELS]
    if len(set(known)) < len(levels):
        raise OptionError("options.levels", value=_as_written(levels))
    if levels and not solo:
        raise OptionError("options.levels_solo")


def _check_players(players: tuple[str, ...]) -> None:
    if not 1 <= len(players) <= 4:
        raise OptionError("options.players", n=len(players))
    for name in players:
        if not name or name != name.strip() or len(name) > MAX_NAME or visible(name) != name:
            raise OptionError("options.name", value=name[: 2 * MAX_NAME], most=MAX_NAME)
    names = {unicodedata.normalize("NFC", name).casefold() for name in players}
    if len(names) < len(players):
        raise OptionError("options.same_name", names=", ".join(players))
    if names == {ADAM_NAME.casefold()}:
        raise OptionError("options.adams_name", value=players[0])
