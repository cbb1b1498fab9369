"""Options that choose how a table is played, for every command that makes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from coatl_tools.cli.settings import Command, Settings
from coatl_tools.errors import CommandLineError
from coatl_tools.resources import CODES

if TYPE_CHECKING:
    from coatl_tools.language import Language

_TRUTH = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
_OPTIONS = (
    click.option("--tokens/--no-tokens", default=True, help="Play with Sacrifice tokens."),
    click.option("--promo", is_flag=True, help="Play with the promo cards too."),
    click.option("--golden", is_flag=True, help="Play with golden segments."),
    click.option("--fewer-bodies", is_flag=True, help="Fewer body segments, for 2 or 3 players."),
    click.option(
        "--rule",
        "rules",
        metavar="NAME=VALUE",
        multiple=True,
        help="Any option of a table by its name (repeatable): `coatl table new` lists them.",
    ),
)


def edition_option(otherwise: str) -> Callable[[Command], Command]:
    """Whose rulebook is played, with what holds if nobody says it."""
    choice = click.Choice(CODES, case_sensitive=False)
    return click.option("--edition", type=choice, help=f"Whose rulebook; otherwise {otherwise}.")


def variant_options(command: Command) -> Command:
    """What else may be chosen; `variants` tells what it comes to."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def variants(
    settings: Settings,
    edition: str,
    tokens: bool,
    promo: bool,
    golden: bool,
    fewer_bodies: bool,
    rules: tuple[str, ...],
) -> dict[str, Any]:
    """The options of a table by their names; what a --rule says comes first."""
    values: dict[str, Any] = {
        "edition": edition.lower(),
        "tokens": tokens,
        "promo": promo,
        "golden_feathers": golden,
        "fewer_bodies": fewer_bodies,
    }
    return values | dict(_rule(rule, settings.language) for rule in rules)


def level_numbers(text: str) -> list[int]:
    """The levels of `1,3`; CommandLineError if these are no numbers."""
    words = text.replace(",", " ").split()
    if not all(word.isdecimal() and len(word) < 4 for word in words):
        raise CommandLineError("options.levels", value=text[:40])
    return [int(word) for word in words]


def _rule(text: str, language: Language) -> tuple[str, Any]:
    """A name, or the number of a ruling, and its value."""
    from coatl_tools.language import means_yes
    from coatl_tools.rules.options import RULES, TableOptions

    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise CommandLineError("options.rule", text=text[:40])
    name = {rule: option for option, rule in RULES.items()}.get(name, name).replace("-", "_")
    default = getattr(TableOptions(), name, None)
    if name == "levels":
        return name, level_numbers(value)
    if isinstance(default, bool):
        truth = _TRUTH.get(value.lower(), means_yes(value, language))
        return name, value if truth is None else truth
    if isinstance(default, int) and value.isdecimal():
        return name, int(value[:9])
    return name, value
