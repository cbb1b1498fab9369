"""`coatl export`: pictures, decks for card printers, a virtual table, cut files."""

from __future__ import annotations

import click

from coatl_tools.cli.lazy_group import LazyGroup
from coatl_tools.cli.settings import language_option

_COMMANDS = {
    "gamecrafter": (
        "export_commands:gamecrafter",
        "Make two decks for The Game Crafter: 825 × 1125 pixels, poker size with bleed.",
    ),
    "mpc": (
        "export_commands:mpc",
        "Make two decks for MakePlayingCards: 822 × 1122 pixels, poker size with bleed.",
    ),
    "png": (
        "export_commands:png",
        "Make a PNG picture of every card, board, token and piece, named after it.",
    ),
    "svg": (
        "export_commands:svg",
        "Make cut files for the pieces, as “coatl print” lays them on paper.",
    ),
    "tts": (
        "export_commands:tts",
        "Make a table for Tabletop Simulator: card sheets, pictures and a saved object.",
    ),
}


@click.group(cls=LazyGroup, package="coatl_tools.cli.printing", lazy=_COMMANDS)
@language_option
def export() -> None:
    """Make pictures, decks for card printers, a virtual table, cut files."""
