"""Plot how hard cards are: a panel for each card, a line for each level."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.ticker import FixedLocator, MaxNLocator

from coatl_tools.cards.card_text import describe_card
from coatl_tools.files.atomic_writes import write_file_atomically
from coatl_tools.language import Language
from coatl_tools.printing.drawing.typography import REGULAR, find_font_file
from coatl_tools.scoring.odds import DRAW_MODEL_LABELS, CardOdds, format_level, pick_evenly_spaced

MAX_PLOT_CARDS = 24  # a picture with more takes long to draw, and nobody takes it in
DOTS_PER_INCH = 120
PANEL_INCHES = (4.6, 3.5)  # inches; a card alone has more
SINGLE_PANEL_INCHES = (8.0, 5.0)
MAX_TICKS = 15
SCALE_TOPS = (0.05, 0.1, 0.25, 0.5, 1)  # where the scale may end
MAX_LEVEL_LINES = 10  # of levels in a panel
NAME_HEIGHT = 0.08  # that the name of a line takes, of the height of a panel
MARKERS = "os^DvPX*<>"
LINE_COLOURS = ("#1b5e8c", "#b3402a", "#2e7d32", "#7b3f98", "#8a6d00", "#333333")
PLOT_STYLE: Any = {
    "font.family": "Source Sans Pro",
    "svg.hashsalt": "coatl",  # the same names inside, every time
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw_odds_plot(path: Path, found: Sequence[CardOdds], language: Language) -> None:
    """Draw a panel for each card into a .png or .svg file; FileError if it cannot be written."""
    fontManager.addfont(str(find_font_file(REGULAR)))
    with mpl.rc_context(PLOT_STYLE):
        drawn = io.BytesIO()
        kind = path.suffix.lower().removeprefix(".")
        metadata = {"Date": None} if kind == "svg" else {"Software": None}  # same bytes every time
        _draw_figure(found, language).savefig(drawn, format=kind, metadata=metadata)
    write_file_atomically(path, drawn.getvalue())


def _draw_figure(found: Sequence[CardOdds], language: Language) -> Figure:
    alone = len(found) == 1
    across = min(len(found), 2 if len(found) <= 4 else 3)
    down = -(-len(found) // across)
    width, height = (
        SINGLE_PANEL_INCHES if alone else (PANEL_INCHES[0] * across, PANEL_INCHES[1] * down + 0.5)
    )
    figure = Figure(figsize=(width, height), dpi=DOTS_PER_INCH, layout="constrained")
    FigureCanvasAgg(figure)
    panels = list(figure.subplots(down, across, squeeze=False).flat)
    most = max(length.at_least(1) for card_odds in found for length in card_odds.lengths)
    top = next(top for top in SCALE_TOPS if most <= top)  # the same for all cards
    for axes, card_odds in zip(panels, found, strict=False):
        _draw_panel(axes, card_odds, language, 88 if alone else 48, top)
    for axes in panels[len(found) :]:
        axes.set_axis_off()
    figure.supxlabel(
        _format_plot_notes(found, language, letters=int(17 * width)), fontsize=9, color="#444444"
    )
    return figure


def _format_plot_notes(found: Sequence[CardOdds], language: Language, letters: int) -> str:
    notes = [language.label(DRAW_MODEL_LABELS[found[0].draw])]
    others = [card_odds.card.id for card_odds in found if card_odds.ignores_other_cards]
    if others:
        notes.append(language.label("odds_alone", ids=", ".join(others)))
    return fill(" ".join(notes), letters)


def _draw_panel(
    axes: Axes, card_odds: CardOdds, language: Language, letters: int, top: float
) -> None:
    card, lengths = card_odds.card, card_odds.lengths
    pieces = [length.pieces for length in lengths]
    names: list[tuple[float, str, str]] = []
    for number in pick_evenly_spaced(range(1, len(card.levels) + 1), MAX_LEVEL_LINES):
        shares = [float(length.at_least(number)) for length in lengths]
        ink = LINE_COLOURS[(number - 1) % len(LINE_COLOURS)]
        marker = MARKERS[(number - 1) % len(MARKERS)]
        axes.plot(pieces, shares, color=ink, marker=marker, markersize=5, clip_on=False, zorder=3)
        names.append((shares[-1], format_level(card, card.levels[number - 1]), ink))
    axes.set_ylim(0, top)
    axes.set_xlim(min(pieces[0], pieces[-1] - 1), pieces[-1])  # the names stand at the last
    _label_lines(axes, names, top)
    title = f"{card.id}: {describe_card(card, language.code)}"
    axes.set_title(fill(title, letters), loc="left", fontsize=11, pad=10)
    axes.set_xlabel(language.label("pieces"))
    axes.set_ylabel(language.label("odds_share"))
    axes.grid(axis="y", color="#dddddd")
    axes.xaxis.set_major_locator(
        FixedLocator(pieces) if len(pieces) <= MAX_TICKS else MaxNLocator(integer=True)
    )
    axes.yaxis.set_major_formatter(lambda share, _: language.label("percent", round(100 * share)))


def _label_lines(axes: Axes, names: Sequence[tuple[float, str, str]], top: float) -> None:
    """Write each line's name at its end; where ends lie close together, above each other."""
    heights: list[float] = []
    for share, _, _ in reversed(names):  # the highest level is the lowest line
        heights.append(max(share, heights[-1] + NAME_HEIGHT * top) if heights else share)
    ceiling = top
    beside = axes.get_yaxis_transform()
    for (_, name, ink), height in zip(names, reversed(heights), strict=True):
        ceiling = min(height, ceiling)
        axes.text(1.04, ceiling, name, transform=beside, va="center", color=ink)
        ceiling -= NAME_HEIGHT * top
