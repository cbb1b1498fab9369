"""The report as files: the page, and its plots beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from coatl_tools.balance.figures import Figures
from coatl_tools.balance.page import page
from coatl_tools.balance.plots import PLOTS, draw_plots
from coatl_tools.balance.source import Source
from coatl_tools.balance.words import Words
from coatl_tools.documents import file_errors
from coatl_tools.language import Language
from coatl_tools.printing.folder import Made, write_all

PAGE, BESIDE = "report.html", "plots"


def write_report(
    folder: Path,
    figures: Figures,
    sources: Sequence[Source],
    language: Language,
    notice: Callable[[int], None] = lambda _: None,
) -> list[Path]:
    """Write all files, or none: FileError. BalanceError if nothing can be drawn.

    The first of their paths is the page's. `notice` is told how many plots are drawn.
    """
    words = Words(language)
    plots = draw_plots(figures, words, notice)
    text = page(figures, sources, plots, words)
    made = [Made(PurePosixPath(PAGE), text.encode())]
    made += [Made(PurePosixPath(BESIDE, f"{name}.png"), plot.png) for name, plot in plots.items()]
    paths = write_all(folder, made)
    for name in set(PLOTS) - set(plots):  # of an earlier report, which showed more
        old = folder / BESIDE / f"{name}.png"
        with file_errors(old):
            old.unlink(missing_ok=True)
    return paths
