"""Options for how a table is played: edition, variants, rules by name, solo levels."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

import click

from coatl_tools.cli.shared_options import CommandFunction
from coatl_tools.errors import CommandLineError
from coatl_tools.files.data_paths import EDITIONS
from coatl_tools.language import Language, parse_yes_or_no
from coatl_tools.rules.constants import SOLO_LEVELS
from coatl_tools.rules.table_options import OPTION_RULES, TableOptions

_BOOLEAN_VALUES = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
_VARIANTS = ("tokens", "promo", "golden_feathers", "fewer_bodies", "rules")
_tokens_option = click.option(
    "--tokens/--no-tokens", default=True, help="Play with Sacrifice tokens."
)
_promo_option = click.option("--promo", is_flag=True, help="Play with the promo cards too.")
_golden_option = click.option(
    "--golden", "golden_feathers", is_flag=True, help="Play with golden segments."
)
_fewer_bodies_option = click.option(
    "--fewer-bodies", is_flag=True, help="Fewer body segments, for 2 or 3 players."
)
_rule_option = click.option(
    "--rule",
    "rules",
    metavar="NAME=VALUE",
    multiple=True,
    help="Any option of a table by its name (repeatable): “coatl table new” lists them.",
)
level_option = click.option(
    "--level",
    "levels",
    type=click.IntRange(SOLO_LEVELS[0], SOLO_LEVELS[-1]),
    multiple=True,
    help="A difficulty level of a solo game (repeatable).",
)


def edition_option(otherwise: str) -> Callable[[CommandFunction], CommandFunction]:
    """Make the --edition option; `otherwise` is the default as its help describes it."""
    choice = click.Choice(EDITIONS, case_sensitive=False)
    return click.option("--edition", type=choice, help=f"Which rulebook; otherwise {otherwise}.")


def variant_options(command: CommandFunction) -> CommandFunction:
    """Add the options of variants, which the command gets as one value for `collect_variants`."""

    @wraps(command)
    def with_variants(*args: Any, **values: Any) -> Any:
        variants = {name: values.pop(name) for name in _VARIANTS}
        return command(*args, variants=variants, **values)

    found = _fewer_bodies_option(_rule_option(cast(CommandFunction, with_variants)))
    return _tokens_option(_promo_option(_golden_option(found)))


def collect_variants(variants: dict[str, Any], edition: str, language: Language) -> dict[str, Any]:
    """Collect the options of a table by name; a --rule overrides the others."""
    named = dict(_parse_rule_option(rule, language) for rule in variants["rules"])
    flags = {name: value for name, value in variants.items() if name != "rules"}
    return {"edition": edition, **flags, **named}


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
