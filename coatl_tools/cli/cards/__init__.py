"""`coatl cards`: list, show and check the cards, and tell how hard they are."""

from __future__ import annotations

import click

from coatl_tools.cli.lazy_group import LazyGroup
from coatl_tools.cli.shared_options import language_option

_COMMANDS = {
    "list": ("show:list_cards", "List all cards, or those that match the filters."),
    "odds": ("odds:odds", "Show how hard cards are: how many random Cóatls reach each level."),
    "schema": (
        "validate:schema",
        "Print the JSON Schema of the data files, for editors that check and complete.",
    ),
    "show": ("show:show", "Show cards: drawn, in words, with their levels."),
    "validate": (
        "validate:validate",
        "Check card data and list every problem; exit code 1 if there is any.",
    ),
}


@click.group(cls=LazyGroup, package=__name__, lazy=_COMMANDS)
@language_option
def cards() -> None:
    """List, show and check cards, the game's and your own."""
