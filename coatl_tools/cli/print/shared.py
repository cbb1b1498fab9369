"""What the commands of `coatl print` and `coatl export` share: options, and the order they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coatl_tools.cli.settings import FOLDER, Command, Settings, complete_names

if TYPE_CHECKING:
    from coatl_tools.printing.contents import Order
    from coatl_tools.printing.theme import ThemeName

BACKS = ("duplex-long", "duplex-short", "fold", "none")  # named here: a start loads no layouts


def _paper_names(context: click.Context) -> Iterable[str]:
    from coatl_tools.printing.layouts import Layouts
    from coatl_tools.printing.paper.papers import sheets_layout

    return sheets_layout(Layouts(context.params.get("layouts"))).papers


def _printer_names(_: click.Context) -> Iterable[str]:
    from coatl_tools.printing.paper.profiles import load_profiles, printers_file

    return load_profiles(printers_file())


complete_printer = complete_names(_printer_names)
paper_option = click.option(
    "--paper",
    metavar="NAME",
    default="a4",
    show_default=True,
    shell_complete=complete_names(_paper_names),
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
    type=FOLDER,
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


def out_option(*folders: str) -> Callable[[Command], Command]:
    """Where files are written."""
    return click.option(
        "--out",
        metavar="FOLDER",
        type=FOLDER,
        default=Path(*folders),
        show_default=True,
        help="The folder to write to.",
    )


def order_of(
    settings: Settings,
    theme: ThemeName = "full",
    layouts: Path | None = None,
    only: str | None = None,
    promo: bool = False,
    **more: Any,
) -> Order:
    """What the options ask for; the cards are the whole deck, or only some."""
    from coatl_tools.printing.component import Design
    from coatl_tools.printing.contents import Order
    from coatl_tools.printing.layouts import Layouts
    from coatl_tools.printing.selection import chosen_cards

    catalog = settings.catalog()
    deck = catalog.deck(promo)
    return Order(
        design=Design(settings.language, theme, Layouts(layouts)),
        cards=deck if only is None else chosen_cards(catalog, only),
        deck=deck,
        known_cards=tuple(catalog),
        **more,
    )
