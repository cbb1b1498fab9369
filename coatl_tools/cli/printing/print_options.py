"""Options of `coatl print` and `coatl export`.

This module is light: it loads nothing that draws, so that help and shell completion are quick.
"""

from __future__ import annotations

from collections.abc import Iterable

import click

from coatl_tools.cli.shared_options import (
    FOLDER_TYPE,
    make_completer,
)

# named here, and not taken from the layouts, which take long to load
BACK_CHOICES = ("duplex-long", "duplex-short", "fold", "none")


def _list_papers(context: click.Context) -> Iterable[str]:
    # layouts are checked by pydantic: loaded only to complete a paper's name
    from coatl_tools.printing.layouts import Layouts  # noqa: PLC0415
    from coatl_tools.printing.paper.papers import load_sheets_layout  # noqa: PLC0415

    return load_sheets_layout(Layouts(context.params.get("layouts"))).papers


def _list_printers(_: click.Context) -> Iterable[str]:
    # as above: only to complete a printer's name
    from coatl_tools.printing.paper.printer_profiles import (  # noqa: PLC0415
        find_printers_file,
        load_printer_profiles,
    )

    return load_printer_profiles(find_printers_file())


complete_printer = make_completer(_list_printers)
paper_option = click.option(
    "--paper",
    metavar="NAME",
    default="a4",
    show_default=True,
    shell_complete=make_completer(_list_papers),
    help="The paper: a4, letter, or another one in layouts/sheets.json.",
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
    help="A folder with your own layout files; they replace those of the same name.",
)

theme_option = click.option(
    "--theme",
    type=click.Choice(["full", "low-ink"]),
    default="full",
    show_default=True,
    help="The look; low-ink draws outlines and saves ink.",
)

card_size_option = click.option(
    "--card-size",
    metavar="NAME",
    default="poker",
    show_default=True,
    help="The size of cards: 63x88, poker, bridge, japanese, tarot, or another one in "
    "layouts/cards.json.",
)
only_option = click.option(
    "--only", metavar="CARDS", help="Only these cards, for example P01-P10,T03."
)
promo_option = click.option("--promo", is_flag=True, help="Include the promo cards.")
golden_option = click.option("--golden", is_flag=True, help="Include the golden segments.")
