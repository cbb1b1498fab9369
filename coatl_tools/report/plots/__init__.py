"""The plots of a report, drawn with matplotlib, which is only loaded when something is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from coatl_tools.report.formatting import ReportFormatter
from coatl_tools.report.plots import card_plots, game_plots
from coatl_tools.report.plots.charts import Plot, PlotCanvas, check_matplotlib, use_plot_style
from coatl_tools.report.report_figures import ReportFigures

PLOT_FUNCTIONS = {
    "card-points": card_plots.plot_card_points,
    "card-wins": card_plots.plot_card_wins,
    "card-fates": card_plots.plot_card_outcomes,
    "scores": game_plots.plot_scores,
    "lengths": game_plots.plot_lengths,
    "endings": game_plots.plot_endings,
    "coatls": game_plots.plot_coatls,
    "pieces": game_plots.plot_pieces,
    "uses": game_plots.plot_turn_uses,
    "adam": game_plots.plot_adam,
    "bots": game_plots.plot_bots,
}


def draw_plots(
    figures: ReportFigures,
    formatter: ReportFormatter,
    notice: Callable[[int], None] = lambda _: None,
) -> Mapping[str, Plot]:
    """Draw every plot that has data; `notice` is told how many are done.

    ReportError if matplotlib is missing.
    """
    found: dict[str, Plot] = {}
    with use_plot_style():
        canvas = PlotCanvas(formatter)
        for done, (name, draw) in enumerate(PLOT_FUNCTIONS.items()):
            notice(done)
            if (plot := draw(canvas, figures)) is not None:
                found[name] = plot
    return found


__all__ = ["PLOT_FUNCTIONS", "Plot", "check_matplotlib", "draw_plots"]
