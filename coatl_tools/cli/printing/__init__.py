"""`coatl print` and `coatl export`: the game on paper and for other targets."""

from __future__ import annotations

from typing import Any

import click

from coatl_tools.cli.lazy_group import LazyGroup
from coatl_tools.cli.printing.print_options import (
    BACK_CHOICES,
    card_size_option,
    golden_option,
    layouts_option,
    only_option,
    paper_option,
    printer_option,
    promo_option,
    theme_option,
)
from coatl_tools.cli.shared_options import (
    Settings,
    json_option,
    language_option,
    out_option,
    shared_options,
)

_PRINT_COMMANDS = {
    "calibrate": (
        "printers:calibrate",
        "Make a two-sided sheet with targets, to measure how far the backs are off.",
    ),
    "check": (
        "checks:check",
        "Check PDF files before printing; exit code 1 if anything is wrong.",
    ),
    "profile": (
        "printers:profile",
        "Save how far a printer is off, as measured on the sheet of “calibrate”.",
    ),
    "layouts": (
        "checks:layouts",
        "Check layout files and list every problem; exit code 1 if there is any.",
    ),
}


@click.group(
    name="print",
    cls=LazyGroup,
    package=__name__,
    lazy=_PRINT_COMMANDS,
    invoke_without_command=True,
)
@click.option(
    "--what",
    metavar="PARTS",
    help="What to print: cards, boards, pieces, tokens, rules, mat or all; several with commas. "
    "Default: all, or the cards if some are chosen with --only.",
)
@paper_option
@theme_option
@layouts_option
@click.option(
    "--backs",
    type=click.Choice(BACK_CHOICES),
    default=BACK_CHOICES[0],
    show_default=True,
    help="How backs get behind fronts: the printer flips on the long or the short edge, you fold, "
    "or there are no backs.",
)
@click.option(
    "--bleed",
    metavar="MM",
    type=float,
    default=0.0,
    help="How far to print beyond the cuts, at most 3 mm. Default: 0; neighbours share a cut.",
)
@card_size_option
@only_option
@promo_option
@golden_option
@printer_option
@out_option("output")
@json_option
@shared_options
@click.pass_context
def print_game(context: click.Context, /, **options: Any) -> None:
    """Make the whole game as PDF files, to print and play.

    Without a command: cards, boards, pieces, tokens, rules and the photo mat, in a folder.
    """
    if context.invoked_subcommand is None:
        # What draws is heavy: loaded here, not to print help or to complete a word.
        from coatl_tools.cli.printing.print_files import print_parts  # noqa: PLC0415

        print_parts(context.ensure_object(Settings), **options)


_EXPORT_COMMANDS = {
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


@click.group(cls=LazyGroup, package=__name__, lazy=_EXPORT_COMMANDS)
@language_option
def export() -> None:
    """Make pictures, decks for card printers, a virtual table, cut files."""
