"""Options for how a table is played: edition, variants, rules by name, solo levels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from coatl_tools.cli.settings import CommandFunction, Settings
from coatl_tools.data_paths import EDITIONS
from coatl_tools.errors import CommandLineError
from coatl_tools.language import Language, parse_yes_or_no
from coatl_tools.rules.game import OPTION_RULES, TableOptions

_BOOLEAN_VALUES = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
_VARIANT_OPTIONS = (
    click.option("--tokens/--no-tokens", default=True, help="Play with Sacrifice tokens."),
    click.option("--promo", is_flag=True, help="Play with the promo cards too."),
    click.option("--golden", is_flag=True, help="Play with golden segments."),
    click.option("--fewer-bodies", is_flag=True, help="Fewer body segments, for 2 or 3 players."),
    click.option(
        "--rule",
        "rules",
        metavar="NAME=VALUE",
        multiple=True,
        help="Any option of a table by its name (repeatable): “coatl table new” lists them.",
    ),
)


def edition_option(otherwise: str) -> Callable[[CommandFunction], CommandFunction]:
    """Make the --edition option; `otherwise` is the default as its help describes it."""
    choice = click.Choice(EDITIONS, case_sensitive=False)
    return click.option("--edition", type=choice, help=f"Which rulebook; otherwise {otherwise}.")


def variant_options(command: CommandFunction) -> CommandFunction:
    """Add the options of variants; `collect_variants` evaluates them."""
    for option in reversed(_VARIANT_OPTIONS):
        command = option(command)
    return command


def collect_variants(
    settings: Settings,
    edition: str,
    tokens: bool,
    promo: bool,
    golden: bool,
    fewer_bodies: bool,
    rules: tuple[str, ...],
) -> dict[str, Any]:
    """Collect the options of a table by name; a --rule overrides the others."""
    values: dict[str, Any] = {
        "edition": edition,
        "tokens": tokens,
        "promo": promo,
        "golden_feathers": golden,
        "fewer_bodies": fewer_bodies,
    }
    return values | dict(_parse_rule_option(rule, settings.language) for rule in rules)


def parse_solo_levels(text: str) -> list[int]:
    """Parse levels such as `1,3`; raises CommandLineError if they are no numbers."""
    words = text.replace(",", " ").split()
    if not all(word.isdecimal() and len(word) < 4 for word in words):
        raise CommandLineError("options.levels", value=text[:40])
    return [int(word) for word in words]


def _parse_rule_option(text: str, language: Language) -> tuple[str, Any]:
    """Parse a rule's name, or the number of a ruling, and its value."""

    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise CommandLineError("options.rule", text=text[:40])
    name = {rule: option for option, rule in OPTION_RULES.items()}.get(name, name).replace("-", "_")
    default = getattr(TableOptions(), name, None)
    if name == "levels":
        return name, parse_solo_levels(value)
    if isinstance(default, bool):
        truth = _BOOLEAN_VALUES.get(value.lower(), parse_yes_or_no(value, language))
        return name, value if truth is None else truth
    if isinstance(default, int) and value.isdecimal():
        return name, int(value[:9])
    return name, value
