"""How hard cards are, as a picture: a line for each level, with a marker and a name of its own."""

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

from coatl_tools.cards.wording import describe
from coatl_tools.cli.odds_screen import spread
from coatl_tools.documents import write_document
from coatl_tools.language import Language
from coatl_tools.printing.drawing.font_files import REGULAR, file_of
from coatl_tools.scoring.odds import CardOdds
from coatl_tools.scoring.odds_words import MODELS, level_name

MOST_CARDS = 24  # a picture with more takes long to draw, and nobody takes it in
DOTS_PER_INCH = 120
PANEL = (4.6, 3.5)  # inches; a card alone has more
ALONE = (8.0, 5.0)
MOST_TICKS = 15
TOPS = (0.05, 0.1, 0.25, 0.5, 1)  # of the scale
MOST_LINES = 10  # of levels in a panel
NAME_HEIGHT = 0.08  # that the name of a line takes, of the height of a panel
MARKERS = "os^DvPX*<>"
INKS = ("#1b5e8c", "#b3402a", "#2e7d32", "#7b3f98", "#8a6d00", "#333333")
STYLE: Any = {
    "font.family": "Source Sans Pro",
    "svg.hashsalt": "coatl",  # the same names inside, every time
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw_plot(path: Path, found: Sequence[CardOdds], language: Language) -> None:
    """Draw a panel for each card into a .png or .svg file; FileError if it cannot be written."""
    fontManager.addfont(str(file_of(REGULAR)))
    with mpl.rc_context(STYLE):
        drawn = io.BytesIO()
        kind = path.suffix.lower().removeprefix(".")
        metadata = {"Date": None} if kind == "svg" else {"Software": None}  # same bytes every time
        _figure(found, language).savefig(drawn, format=kind, metadata=metadata)
    write_document(path, drawn.getvalue())


def _figure(found: Sequence[CardOdds], language: Language) -> Figure:
    alone = len(found) == 1
    across = min(len(found), 2 if len(found) <= 4 else 3)
    down = -(-len(found) // across)
    width, height = ALONE if alone else (PANEL[0] * across, PANEL[1] * down + 0.5)
    figure = Figure(figsize=(width, height), dpi=DOTS_PER_INCH, layout="constrained")
    FigureCanvasAgg(figure)
    panels = list(figure.subplots(down, across, squeeze=False).flat)
    most = max(length.at_least(1) for card_odds in found for length in card_odds.lengths)
    top = next(top for top in TOPS if most <= top)  # the same for all cards
    for axes, card_odds in zip(panels, found, strict=False):
        _panel(axes, card_odds, language, 88 if alone else 48, top)
    for axes in panels[len(found) :]:
        axes.set_axis_off()
    figure.supxlabel(_notes(found, language, letters=int(17 * width)), fontsize=9, color="#444444")
    return figure


def _notes(found: Sequence[CardOdds], language: Language, letters: int) -> str:
    notes = [language.label(MODELS[found[0].draw])]
    others = [card_odds.card.id for card_odds in found if card_odds.as_if_alone]
    if others:
        notes.append(language.label("odds_alone", ids=", ".join(others)))
    return fill(" ".join(notes), letters)


def _panel(axes: Axes, card_odds: CardOdds, language: Language, letters: int, top: float) -> None:
    card, lengths = card_odds.card, card_odds.lengths
    pieces = [length.pieces for length in lengths]
    names: list[tuple[float, str, str]] = []
    for number in spread(range(1, len(card.levels) + 1), MOST_LINES):
        shares = [float(length.at_least(number)) for length in lengths]
        ink, marker = INKS[(number - 1) % len(INKS)], MARKERS[(number - 1) % len(MARKERS)]
        axes.plot(pieces, shares, color=ink, marker=marker, markersize=5, clip_on=False, zorder=3)
        names.append((shares[-1], level_name(card.levels[number - 1]), ink))
    axes.set_ylim(0, top)
    axes.set_xlim(min(pieces[0], pieces[-1] - 1), pieces[-1])  # the names stand at the last
    _name_lines(axes, names, top)
    title = f"{card.id}: {describe(card, language.code)}"
    axes.set_title(fill(title, letters), loc="left", fontsize=11, pad=10)
    axes.set_xlabel(language.label("pieces"))
    axes.set_ylabel(language.label("odds_share"))
    axes.grid(axis="y", color="#dddddd")
    axes.xaxis.set_major_locator(
        FixedLocator(pieces) if len(pieces) <= MOST_TICKS else MaxNLocator(integer=True)
    )
    axes.yaxis.set_major_formatter(lambda share, _: language.label("percent", round(100 * share)))


def _name_lines(axes: Axes, names: Sequence[tuple[float, str, str]], top: float) -> None:
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
