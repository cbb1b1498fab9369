"""Options of `coatl print` and `coatl export`, and the print job that they make."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coatl_tools.cli.common_options import (
    FOLDER_TYPE,
    Settings,
    make_completer,
)

if TYPE_CHECKING:
    from coatl_tools.printing.layouts import ThemeName
    from coatl_tools.printing.print_job import PrintJob

BACK_CHOICES = (
    "duplex-long",
    "duplex-short",
    "fold",
    "none",
)  # named here: a start loads no layouts


def _list_papers(context: click.Context) -> Iterable[str]:
    from coatl_tools.printing.layouts import Layouts
    from coatl_tools.printing.paper.papers import load_sheets_layout

    return load_sheets_layout(Layouts(context.params.get("layouts"))).papers


def _list_printers(_: click.Context) -> Iterable[str]:
    from coatl_tools.printing.paper.printer_profiles import find_printers_file, load_profiles

    return load_profiles(find_printers_file())


complete_printer = make_completer(_list_printers)
paper_option = click.option(
    "--paper",
    metavar="NAME",
    default="a4",
    show_default=True,
    shell_complete=make_completer(_list_papers),
    help="The paper: a4, letter, or another of layouts/sheets.json.",
)

printer_option = click.option(
    "--printer",
    metavar="NAME",
    shell_complete=complete_printer,
    help="Correct the backs for this printer; “profile” lists them.",
)


layouts_option = click.option(
    "--layouts",
    metavar="FOLDER",
    type=FOLDER_TYPE,
    help="A folder with layout files of your own, in place of those of the same name.",
)

theme_option = click.option(
    "--theme",
    type=click.Choice(["full", "low-ink"]),
    default="full",
    show_default=True,
    help="The look; low-ink is a light design of lines.",
)

card_size_option = click.option(
    "--card-size",
    metavar="NAME",
    default="poker",
    show_default=True,
    help="The size of cards: 63x88, poker, bridge, japanese, tarot, or another of "
    "layouts/cards.json.",
)
only_option = click.option(
    "--only", metavar="CARDS", help="Only these cards, for example P01-P10,T03."
)
promo_option = click.option("--promo", is_flag=True, help="The promo cards too.")
golden_option = click.option("--golden", is_flag=True, help="The golden segments too.")


def make_print_job(
    settings: Settings,
    theme: ThemeName = "full",
    layouts: Path | None = None,
    only: str | None = None,
    promo: bool = False,
    **more: Any,
) -> PrintJob:
    """What the options ask for; the cards are the whole deck, or only some."""
    from coatl_tools.printing.items import Design
    from coatl_tools.printing.layouts import Layouts
    from coatl_tools.printing.print_job import PrintJob, select_cards

    catalog = settings.catalog()
    deck = catalog.deck(promo)
    return PrintJob(
        design=Design(settings.language, theme, Layouts(layouts)),
        cards=deck if only is None else select_cards(catalog, only),
        deck=deck,
        known_cards=tuple(catalog),
        **more,
    )
