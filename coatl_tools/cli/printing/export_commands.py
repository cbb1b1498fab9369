"""Commands of `coatl export`: pictures, decks for card printers, a virtual table, cut files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import click

from coatl_tools.cli.printing.print_files import make_print_spec
from coatl_tools.cli.printing.print_options import (
    BACK_CHOICES,
    card_size_option,
    golden_option,
    layouts_option,
    only_option,
    paper_option,
    promo_option,
    theme_option,
)
from coatl_tools.cli.shared_options import (
    CommandFunction,
    Settings,
    json_option,
    out_option,
    shared_options,
)
from coatl_tools.cli.terminal.progress import ProgressBar
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import CommandLineError
from coatl_tools.files.atomic_writes import OutputFile, OutputFiles, write_files_together
from coatl_tools.printing.export.cut_files import CutFileExport
from coatl_tools.printing.export.picture_export import (
    GAME_CRAFTER,
    MAKE_PLAYING_CARDS,
    PICTURE_PARTS,
    DeckExport,
    PictureExport,
)
from coatl_tools.printing.export.tts_export import TtsExport, check_url_prefix
from coatl_tools.printing.items import check_bleed
from coatl_tools.printing.print_spec import select_parts

MIN_DPI, MAX_DPI = 20, 1200


def _combine_options(
    *options: Callable[[CommandFunction], CommandFunction],
) -> Callable[[CommandFunction], CommandFunction]:
    """Combine several options into one decorator."""
    return lambda command: reduce(lambda found, option: option(found), reversed(options), command)


def _game_options(target: str) -> Callable[[CommandFunction], CommandFunction]:
    """Make the options of a target that shows the whole game."""
    return _combine_options(
        only_option,
        promo_option,
        golden_option,
        card_size_option,
        theme_option,
        layouts_option,
        out_option("output", target),
        json_option,
        shared_options,
    )


@click.command()
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
@_game_options("png")
@click.pass_obj
def png(
    settings: Settings,
    /,
    what: str | None,
    only: str | None,
    dpi: float,
    bleed: float,
    out: Path,
    as_json: bool,
    **options: Any,
) -> None:
    """Make a PNG picture of every card, board, token and piece, named after it."""
    wanted = what if what is not None else "all" if only is None else "cards"
    kinds = select_parts(wanted, PICTURE_PARTS, "export.what")
    if not MIN_DPI <= dpi <= MAX_DPI:
        raise CommandLineError("export.dpi", dpi=dpi, least=MIN_DPI, most=MAX_DPI)
    check_bleed(bleed)
    spec = make_print_spec(settings, only=only, **options)
    _write_files(settings, out, PictureExport(spec, kinds, dpi, bleed), as_json, "export_png_next")


def _deck_options(target: str) -> Callable[[CommandFunction], CommandFunction]:
    """Make the options of a company that prints cards."""
    return _combine_options(
        only_option,
        promo_option,
        theme_option,
        layouts_option,
        out_option("output", target),
        json_option,
        shared_options,
    )


@click.command()
@_deck_options("mpc")
@click.pass_obj
def mpc(settings: Settings, /, out: Path, as_json: bool, **options: Any) -> None:
    """Make two decks for MakePlayingCards: 822 × 1122 pixels, poker size with bleed."""
    made = DeckExport(make_print_spec(settings, **options), MAKE_PLAYING_CARDS)
    _write_files(settings, out, made, as_json, "export_deck_next")


@click.command()
@_deck_options("gamecrafter")
@click.pass_obj
def gamecrafter(settings: Settings, /, out: Path, as_json: bool, **options: Any) -> None:
    """Make two decks for The Game Crafter: 825 × 1125 pixels, poker size with bleed."""
    made = DeckExport(make_print_spec(settings, **options), GAME_CRAFTER)
    _write_files(settings, out, made, as_json, "export_deck_next")


@click.command()
@click.option(
    "--prefix",
    metavar="URL",
    help="What the addresses of the pictures begin with, e.g. https://example.org/coatl/. "
    "Without it, the game reads them from the folder on this computer.",
)
@_game_options("tts")
@click.pass_obj
def tts(
    settings: Settings, /, prefix: str | None, out: Path, as_json: bool, **options: Any
) -> None:
    """Make a table for Tabletop Simulator: card sheets, pictures and a saved object."""
    address = check_url_prefix(Path(os.path.realpath(out)).as_uri() if prefix is None else prefix)
    made = TtsExport(make_print_spec(settings, **options), address)
    _write_files(settings, out, made, as_json, "export_tts_next", prefix=address)


@click.command()
@paper_option
@click.option(
    "--backs",
    type=click.Choice(BACK_CHOICES),
    default=BACK_CHOICES[0],
    show_default=True,
    help="How the sheets were printed: folded ones lie differently.",
)
@_combine_options(
    golden_option, layouts_option, out_option("output", "svg"), json_option, shared_options
)
@click.pass_obj
def svg(settings: Settings, /, paper: str, out: Path, as_json: bool, **options: Any) -> None:
    """Make cut files for the pieces, as “coatl print” lays them on paper."""
    made = CutFileExport(make_print_spec(settings, paper_name=paper, **options))
    _write_files(settings, out, made, as_json, "export_svg_next")


def _write_files(
    settings: Settings, out: Path, files: OutputFiles, as_json: bool, then: str, prefix: str = ""
) -> None:
    """Write files with a progress bar, then print what was written and what to do next."""
    with ProgressBar(len(files)) as bar:

        def counted() -> Iterator[OutputFile]:
            for count, file in enumerate(files, 1):
                yield file
                bar.update(count, count)

        written = write_files_together(out, counted())
    settings.done = True
    if as_json:
        print_json({"folder": str(out), "files": [str(path) for path in written]})
        return
    language = settings.language
    print(language.label("export_written", len(written), folder=out))
    print(language.label(then, prefix=prefix))
