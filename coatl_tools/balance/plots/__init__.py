"""The plots of a report, drawn with matplotlib; it is only loaded when something is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from coatl_tools.balance.figures import Figures
from coatl_tools.balance.plots import cards, games
from coatl_tools.balance.plots.canvas import Desk, Plot, check_matplotlib, drawing
from coatl_tools.balance.words import Words

PLOTS = {
    "card-points": cards.card_points,
    "card-wins": cards.card_wins,
    "card-fates": cards.card_fates,
    "scores": games.scores,
    "lengths": games.lengths,
    "endings": games.endings,
    "coatls": games.coatls,
    "pieces": games.pieces,
    "uses": games.uses,
    "adam": games.adam,
    "bots": games.bots,
}


def draw_plots(
    figures: Figures, words: Words, notice: Callable[[int], None] = lambda _: None
) -> Mapping[str, Plot]:
    """Every plot that there is something to show in; `notice` is told how many are done.

    BalanceError if matplotlib is missing.
    """
    found: dict[str, Plot] = {}
    with drawing():
        desk = Desk(words)
        for done, (name, draw) in enumerate(PLOTS.items()):
            notice(done)
            if (plot := draw(desk, figures)) is not None:
                found[name] = plot
    return found


__all__ = ["PLOTS", "Plot", "check_matplotlib", "draw_plots"]
