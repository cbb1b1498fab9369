"""`coatl report`: what simulated games say about the cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from coatl_tools.cli.print.shared import out_option
from coatl_tools.cli.progress import Bar
from coatl_tools.cli.settings import FOLDER, Settings, json_option, language_option


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=FOLDER)
@out_option("report")
@json_option
@language_option
@click.pass_obj
def report(settings: Settings, folders: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Make a page about the balance of cards, seats and bots.

    DIR is a folder that “coatl simulate --out DIR” has filled; several, for example for 2, 3 and
    4 players, are counted together. With --json all figures are printed, and nothing is written.
    """
    make_report(settings, folders, None if as_json else out)


def make_report(settings: Settings, folders: Sequence[Path], out: Path | None) -> None:
    """Write the page about these simulations, or (None) print its figures as JSON."""
    from coatl_tools.balance.gather import gather, open_sources, size_of

    sources = open_sources(folders)
    if out is not None:
        from coatl_tools.balance.plots import check_matplotlib

        check_matplotlib()  # before a million games are read
    with Bar(size_of(sources)) as bar:
        figures = gather(sources, bar.show)
    if out is None:
        from coatl_tools.balance.as_json import figures_data
        from coatl_tools.cli.screen import print_json

        print_json(figures_data(figures, sources))
        return
    from coatl_tools.balance.folder import write_report
    from coatl_tools.balance.plots import PLOTS
    from coatl_tools.balance.words import Words

    with Bar(len(PLOTS)) as bar:
        page, *plots = write_report(out, figures, sources, settings.language, bar.show)
    settings.done = True
    games = Words(settings.language).count(figures.games)
    print(
        settings.language.label(
            "balance_done", figures.games, file=page, games=games, plots=len(plots)
        )
    )
