"""`coatl export`: the game for other targets than paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coatl_tools.cli.print.shared import FOLDER, layouts_option, paper_option, theme_option
from coatl_tools.cli.settings import Command, Settings, json_option, language_option, shared_options
from coatl_tools.errors import CommandLineError

if TYPE_CHECKING:
    from coatl_tools.printing.contents import Order
    from coatl_tools.printing.folder import Files, Made
    from coatl_tools.printing.theme import ThemeName

LEAST_DPI, MOST_DPI = 20, 1200
WHAT = ("cards", "boards", "tokens", "pieces")

_only = click.option("--only", metavar="CARDS", help="Only these cards: P01-P10,T03.")
_promo = click.option("--promo", is_flag=True, help="The promo cards too.")
_golden = click.option("--golden", is_flag=True, help="The golden segments too.")
_size = click.option("--card-size", default="poker", show_default=True, help="The size of cards.")


def _out(target: str) -> Callable[[Command], Command]:
    return click.option(
        "--out",
        metavar="DIR",
        type=FOLDER,
        default=Path("output") / target,
        show_default=True,
        help="The folder to write to.",
    )


def _all(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options at once."""
    return lambda command: reduce(lambda found, option: option(found), reversed(options), command)


@click.group()
@language_option
def export() -> None:
    """Make pictures, decks for card printers, a virtual table, cut files."""


@export.command()
@click.option(
    "--what",
    metavar="PARTS",
    help="What to draw: cards, boards, tokens, pieces or all; several with commas. Default: all, "
    "or the cards if some are chosen with --only.",
)
@click.option("--dpi", type=float, default=300, show_default=True, help="Pixels per inch.")
@click.option(
    "--bleed", type=float, default=0, show_default=True, help="Millimetres beyond the edge."
)
@_all(
    _only,
    _promo,
    _golden,
    _size,
    theme_option,
    layouts_option,
    _out("png"),
    json_option,
    shared_options,
)
@click.pass_obj
def png(
    settings: Settings,
    what: str | None,
    dpi: float,
    bleed: float,
    only: str | None,
    promo: bool,
    golden: bool,
    card_size: str,
    theme: ThemeName,
    layouts: Path | None,
    out: Path,
    as_json: bool,
) -> None:
    """A PNG picture of every card, board, token and piece, named after it."""
    from coatl_tools.printing.component import BLEED
    from coatl_tools.printing.export.pngs import PictureExport

    kinds = _kinds(what if what is not None else "cards" if only else "all")
    if not LEAST_DPI <= dpi <= MOST_DPI:
        raise CommandLineError("export.dpi", dpi=f"{dpi:g}", least=LEAST_DPI, most=MOST_DPI)
    if not 0 <= bleed <= BLEED or math.isnan(bleed):
        raise CommandLineError("export.bleed", bleed=f"{bleed:g}", most=f"{BLEED:g}")
    order = _order(settings, layouts, theme, only, promo, golden=golden, card_size=card_size)
    _write(settings, out, PictureExport(order, kinds, dpi, bleed), as_json, "export_png_next")


@export.command()
@_all(_only, _promo, theme_option, layouts_option, _out("mpc"), json_option, shared_options)
@click.pass_obj
def mpc(
    settings: Settings,
    only: str | None,
    promo: bool,
    theme: ThemeName,
    layouts: Path | None,
    out: Path,
    as_json: bool,
) -> None:
    """Two decks for MakePlayingCards: 822 × 1122 pixels, poker size with bleed."""
    from coatl_tools.printing.export.decks import MAKE_PLAYING_CARDS, DeckExport

    order = _order(settings, layouts, theme, only, promo)
    _write(settings, out, DeckExport(order, MAKE_PLAYING_CARDS), as_json, "export_deck_next")


@export.command()
@_all(_only, _promo, theme_option, layouts_option, _out("gamecrafter"), json_option, shared_options)
@click.pass_obj
def gamecrafter(
    settings: Settings,
    only: str | None,
    promo: bool,
    theme: ThemeName,
    layouts: Path | None,
    out: Path,
    as_json: bool,
) -> None:
    """Two decks for The Game Crafter: 825 × 1125 pixels, poker size with bleed."""
    from coatl_tools.printing.export.decks import GAME_CRAFTER, DeckExport

    order = _order(settings, layouts, theme, only, promo)
    _write(settings, out, DeckExport(order, GAME_CRAFTER), as_json, "export_deck_next")


@export.command()
@click.option(
    "--prefix",
    metavar="URL",
    help="What the addresses of the pictures begin with, e.g. https://example.org/coatl/. "
    "Without it, the game reads them from the folder on this computer.",
)
@_all(
    _only,
    _promo,
    _golden,
    _size,
    theme_option,
    layouts_option,
    _out("tts"),
    json_option,
    shared_options,
)
@click.pass_obj
def tts(
    settings: Settings,
    prefix: str | None,
    only: str | None,
    promo: bool,
    golden: bool,
    card_size: str,
    theme: ThemeName,
    layouts: Path | None,
    out: Path,
    as_json: bool,
) -> None:
    """A table for Tabletop Simulator: card sheets, pictures and a saved object."""
    from coatl_tools.printing.export.tts import TableExport, checked_prefix

    address = checked_prefix(out.resolve().as_uri() if prefix is None else prefix)
    order = _order(settings, layouts, theme, only, promo, golden=golden, card_size=card_size)
    made = TableExport(order, address)
    _write(settings, out, made, as_json, "export_tts_next", prefix=address)


@export.command()
@paper_option
@click.option(
    "--backs",
    type=click.Choice(["duplex-long", "duplex-short", "fold", "none"]),
    default="duplex-long",
    show_default=True,
    help="How the sheets were printed: folded ones lie differently.",
)
@_all(_golden, layouts_option, _out("svg"), json_option, shared_options)
@click.pass_obj
def svg(
    settings: Settings,
    paper: str,
    backs: str,
    golden: bool,
    layouts: Path | None,
    out: Path,
    as_json: bool,
) -> None:
    """Cut files for the pieces, as `coatl print` lays them on paper."""
    from coatl_tools.printing.export.piece_cuts import CutExport

    order = _order(settings, layouts, golden=golden, paper_name=paper, backs=backs)
    _write(settings, out, CutExport(order), as_json, "export_svg_next")


def _kinds(what: str) -> list[str]:
    from coatl_tools.printing.contents import ALL

    words = [word.strip().lower() for word in what.split(",") if word.strip()]
    for word in words or [what]:
        if word not in (*WHAT, ALL):
            names = ", ".join((*WHAT, ALL))
            raise CommandLineError("export.what", name=word[:40], names=names)
    return [kind for kind in WHAT if kind in words or ALL in words]


def _order(
    settings: Settings,
    layouts: Path | None,
    theme: ThemeName = "full",
    only: str | None = None,
    promo: bool = False,
    **more: Any,
) -> Order:
    from coatl_tools.printing.component import Design
    from coatl_tools.printing.contents import Order
    from coatl_tools.printing.layouts import Layouts
    from coatl_tools.printing.selection import chosen_cards

    catalog = settings.catalog()
    return Order(
        design=Design(settings.language, theme, Layouts(layouts)),
        cards=catalog.deck(promo) if only is None else chosen_cards(catalog, only),
        known_cards=tuple(catalog),
        **more,
    )


def _write(
    settings: Settings, out: Path, files: Files, as_json: bool, then: str, prefix: str = ""
) -> None:
    """Write the files, showing how far it is, and say what is there and what to do with it."""
    from coatl_tools.cli.progress import Bar
    from coatl_tools.printing.folder import write_all

    with Bar(len(files)) as bar:

        def counted() -> Iterator[Made]:
            for count, file in enumerate(files, 1):
                yield file
                bar.show(count, count)

        written = write_all(out, counted())
    settings.done = True
    if as_json:
        from coatl_tools.cli.screen import print_json

        print_json({"folder": str(out), "files": [str(path) for path in written]})
        return
    language = settings.language
    print(language.label("export_written", len(written), folder=out))
    print(language.label(then, prefix=prefix))
