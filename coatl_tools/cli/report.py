"""`coatl report`: what simulated games say about the cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from coatl_tools.cli.shared_options import (
    FOLDER_TYPE,
    Settings,
    json_option,
    language_option,
    out_option,
)
from coatl_tools.cli.terminal.progress import ProgressBar
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.report.counting import count_bytes, count_games, open_sources
from coatl_tools.report.dataset_reader import SimulationSource
from coatl_tools.report.formatting import ReportFormatter
from coatl_tools.report.json_export import serialize_figures
from coatl_tools.report.page import write_report
from coatl_tools.report.plots import PLOT_FUNCTIONS, check_matplotlib


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=FOLDER_TYPE)
@out_option("report")
@json_option
@language_option
@click.pass_obj
def report(settings: Settings, folders: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Make a page about the balance of cards, seats and bots.

    DIR is a folder made by “coatl simulate --out DIR”; several, for example for 2, 3 and 4
    players, are counted together. With --json, all figures are printed and nothing is written.
    """
    sources = open_sources(folders)
    if not as_json:
        editions = sorted({source.plan.options.edition for source in sources})
        print(settings.language.label("edition_played", edition=", ".join(editions)))
    _make_report(settings, sources, None if as_json else out)


def write_simulation_report(settings: Settings, folder: Path, out: Path) -> None:
    """Write the page about the simulation in a folder."""
    _make_report(settings, open_sources([folder]), out)


def _make_report(settings: Settings, sources: Sequence[SimulationSource], out: Path | None) -> None:
    """Write the page about these simulations, or print its figures as JSON if `out` is None."""
    if out is not None:
        check_matplotlib()  # before a million games are read
    with ProgressBar(count_bytes(sources)) as bar:
        figures = count_games(sources, bar.update)
    if out is None:
        print_json(serialize_figures(figures, sources))
        return

    with ProgressBar(len(PLOT_FUNCTIONS)) as bar:
        page, *plots = write_report(out, figures, sources, settings.language, bar.update)
    settings.done = True
    games = ReportFormatter(settings.language).format_count(figures.games)
    print(
        settings.language.label(
            "balance_done", figures.games, file=page, games=games, plots=len(plots)
        )
    )
