"""The chart types of the plots (intervals, stacked bars, boxes, histograms) and the canvas they
are drawn on, which makes the same PNG in every run.
"""

from __future__ import annotations

import base64
import contextlib
import io
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from coatl_tools.errors import ReportError
from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing.typography import BOLD, REGULAR, SEMIBOLD, find_font_file
from coatl_tools.printing.layouts import Layouts, Theme, load_theme
from coatl_tools.report.formatting import ReportFormatter
from coatl_tools.report.report_figures import Distribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import Locator


FIGURE_WIDTH = 4.3  # inches: narrow, so that letters can be read on a phone
DPI = 200
FONT_SIZE = 9.0  # of letters, in points
ROW_HEIGHT = 0.19  # inches that a row of a plot takes
MARKER_BY_COLOUR = {
    Colour.R: "^",
    Colour.G: "o",
    Colour.B: "s",
    Colour.Y: "*",
    Colour.K: "D",
    None: "P",
}
BACKGROUND_COLOUR = "#fffdf8"  # the ground of a plot, bright in every light


class Plot(NamedTuple):
    """A finished plot."""

    name: str
    alt: str  # what it shows, for those who do not see it
    png: bytes
    width: int  # on a page, in CSS pixels
    height: int

    @property
    def data_url(self) -> str:
        """The picture itself as a `data:` URL."""
        return f"data:image/png;base64,{base64.b64encode(self.png).decode()}"


class IntervalRow(NamedTuple):
    """A row of a plot: its label, a value with its interval, and the text beside it."""

    label: str
    value: float
    low: float
    high: float
    text: str
    expected: float | None = None  # marked by a line across


class PlotCanvas:
    """Makes empty figures and saves them, with the theme and language of the report."""

    def __init__(self, formatter: ReportFormatter) -> None:
        self.formatter = formatter
        self.label = formatter.label
        self.theme: Theme = load_theme("full", Layouts())

    @property
    def tints(self) -> list[str]:
        """The colours of the parts of a whole, from light to dark."""
        return ["#f1e7d0", "#dcc9a1", "#a9c7b4", "#6ea28e", "#3f7a67", "#1d4a3e", "#0b231d"]

    def new_figure(self, height: float, rows: Sequence[float] = (1,)) -> tuple[Figure, list[Axes]]:
        """Make an empty figure, `height` inches high, with axes below each other."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 (optional, and slow)
        from matplotlib.figure import Figure  # noqa: PLC0415 (optional, and slow)

        figure = Figure((FIGURE_WIDTH, height), dpi=DPI, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(len(rows), 1, squeeze=False, height_ratios=list(rows))
        return figure, list(axes[:, 0])

    def save_plot(self, name: str, figure: Figure, alt: str) -> Plot:
        """Save the figure as a PNG, with its text for those who do not see it."""
        data = io.BytesIO()
        figure.savefig(data, format="png", metadata={"Software": None})
        width, height = (round(inches * 112) for inches in figure.get_size_inches())
        return Plot(name, alt, data.getvalue(), width, height)


def check_matplotlib() -> None:
    """Raise ReportError, which says how to install it, if matplotlib is missing."""
    if find_spec("matplotlib") is None:
        raise ReportError("balance.no_matplotlib")


@contextlib.contextmanager
def use_plot_style() -> Iterator[None]:
    """Use our fonts and colours while plots are drawn; ReportError without matplotlib."""
    check_matplotlib()
    import matplotlib  # noqa: PLC0415 (optional, and slow)
    from matplotlib.font_manager import fontManager  # noqa: PLC0415 (optional, and slow)

    known = {font.fname for font in fontManager.ttflist}
    for face in (REGULAR, SEMIBOLD, BOLD):
        if str(find_font_file(face)) not in known:
            fontManager.addfont(find_font_file(face))
    ink = load_theme("full", Layouts()).ink
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # whatever the user's own settings are
        matplotlib.rcParams.update(
            {
                "font.family": "Source Sans Pro",
                "font.size": FONT_SIZE,
                "axes.titlesize": FONT_SIZE + 1,
                "axes.titleweight": "bold",
                "axes.titlelocation": "left",
                "axes.labelsize": FONT_SIZE,
                "xtick.labelsize": FONT_SIZE,
                "ytick.labelsize": FONT_SIZE,
                "legend.fontsize": FONT_SIZE - 0.5,
                "legend.frameon": False,
                "text.color": ink,
                "axes.edgecolor": ink,
                "axes.labelcolor": ink,
                "xtick.color": ink,
                "ytick.color": ink,
                "figure.facecolor": BACKGROUND_COLOUR,
                "axes.facecolor": BACKGROUND_COLOUR,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "axes.axisbelow": True,
                "axes.grid": True,
                "axes.grid.axis": "x",
                "grid.color": "#e2d8c4",
                "grid.linewidth": 0.6,
                "hatch.linewidth": 0.5,
                "hatch.color": ink,
                "text.parse_math": False,
            }
        )
        yield


HATCHES = ("", "//////", "......", "", "\\\\\\\\\\\\", "", "xxxxxx")
NARROW_SHARE = 0.085  # of the width; a narrower part has no room for its number


def name_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Set the labels of the rows, from top to bottom."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def annotate_rows(axes: Axes, texts: Sequence[str]) -> None:
    """Write a text beside each row, right of the plot."""
    for place, text in enumerate(texts):
        axes.annotate(
            text,
            (1, place),
            (4, 0),
            ("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            fontsize=FONT_SIZE - 0.5,
            annotation_clip=False,
        )


def format_axis(axes: Axes, text: Callable[[float], str]) -> None:
    """Write the numbers along the x axis as the language does."""
    axes.xaxis.set_major_formatter(lambda value, _: text(value))


def draw_intervals(canvas: PlotCanvas, axes: Axes, rows: Sequence[IntervalRow]) -> None:
    """Draw values as dots with their intervals, and a line across at what is expected."""
    for place, row in enumerate(rows):
        if isfinite(row.low):
            axes.plot([row.low, row.high], [place] * 2, color=canvas.theme.ink, lw=1.4)
        axes.plot(row.value, place, "o", color=canvas.theme.accent, ms=5)
        if row.expected is not None:
            axes.plot(row.expected, place, "|", color=canvas.theme.ink, ms=12, mew=1)
    name_rows(axes, [row.label for row in rows])
    annotate_rows(axes, [row.text for row in rows])


def draw_stacked_bars(
    canvas: PlotCanvas,
    axes: Axes,
    labels: Sequence[str],
    shares: Sequence[Sequence[float]],
    names: Sequence[str],
    title: str,
    numbers: bool = True,
) -> None:
    """Draw each row as a bar of parts, with their own tint and hatching; the key is above."""
    from matplotlib.collections import PolyCollection  # noqa: PLC0415 (optional, and slow)
    from matplotlib.patches import Patch  # noqa: PLC0415 (optional, and slow)

    styles: list[dict[str, Any]] = [
        {"facecolor": canvas.tints[index], "hatch": HATCHES[index]} for index in range(len(names))
    ]
    lefts = [0.0] * len(shares)
    for index, style in enumerate(styles):
        widths = [row[index] for row in shares]
        # one shape for all bars of a part: hatching hundreds of them one by one takes seconds
        corners = [
            [(left, y - 0.36), (left + width, y - 0.36), (left + width, y + 0.36), (left, y + 0.36)]
            for y, (left, width) in enumerate(zip(lefts, widths, strict=True))
            if width
        ]
        bars = PolyCollection(corners, edgecolor=canvas.theme.ink, lw=0.4, zorder=1, **style)
        axes.add_collection(bars)
        for place, (left, width) in enumerate(zip(lefts, widths, strict=True)):
            if numbers and width >= NARROW_SHARE:
                _draw_number(axes, left + width / 2, place, canvas.formatter.format_percent(width))
        lefts = [left + width for left, width in zip(lefts, widths, strict=True)]
    name_rows(axes, labels)
    axes.set_title(title)
    axes.set_xlim(0, 1)
    format_axis(axes, canvas.formatter.format_percent)
    handles = [
        Patch(label=name, edgecolor=canvas.theme.ink, lw=0.4, **style)
        for name, style in zip(names, styles, strict=True)
    ]
    axes.figure.legend(
        handles=handles, loc="outside upper left", ncols=2, handlelength=1.6, columnspacing=1.2
    )


def _draw_number(axes: Axes, x: float, y: float, text: str) -> None:
    """Draw a number that can be read on any tint."""
    axes.text(
        x,
        y,
        text,
        ha="center",
        va="center",
        fontsize=FONT_SIZE - 0.5,
        bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.9},
    )


def draw_boxes(
    canvas: PlotCanvas, axes: Axes, labels: Sequence[str], distributions: Sequence[Distribution]
) -> None:
    """Draw a box for each: middle half, median, mean, and whiskers from 5 to 95 %."""
    stats: list[dict[str, Any]] = [
        {
            "q1": distribution.quantile(0.25),
            "med": distribution.quantile(0.5),
            "q3": distribution.quantile(0.75),
            "whislo": distribution.quantile(0.05),
            "whishi": distribution.quantile(0.95),
            "mean": distribution.mean.value if distribution.mean else 0,
            "fliers": [],
        }
        for distribution in distributions
    ]
    ink, light = canvas.theme.ink, canvas.tints[2]
    axes.bxp(
        stats,
        positions=range(len(stats)),
        orientation="horizontal",
        widths=0.6,
        showmeans=True,
        showfliers=False,
        patch_artist=True,
        boxprops={"facecolor": light, "edgecolor": ink, "lw": 0.8},
        medianprops={"color": ink, "lw": 1.8},
        whiskerprops={"color": ink, "lw": 0.8},
        capprops={"color": ink, "lw": 0.8},
        meanprops={"marker": "D", "mfc": canvas.theme.accent, "mec": "white", "ms": 5, "mew": 0.6},
    )
    name_rows(axes, labels)
    annotate_rows(
        axes, [canvas.formatter.format_mean(distribution.mean, 1) for distribution in distributions]
    )


def draw_histogram(canvas: PlotCanvas, axes: Axes, distribution: Distribution, title: str) -> None:
    """Draw how often each number came up, as a share of all."""
    values = [value for value, _ in distribution.counts]
    step = max(1, -(-(max(values) - min(values) + 1) // 40))
    binned: dict[int, int] = {}
    for value, n in distribution.counts:
        binned[value // step * step] = binned.get(value // step * step, 0) + n
    axes.bar(
        [value + (step - 1) / 2 for value in binned],
        [n / distribution.n for n in binned.values()],
        step * 0.9,
        color=canvas.tints[3],
        edgecolor=canvas.theme.ink,
        lw=0.4,
    )
    median = distribution.quantile(0.5)
    axes.axvline(median, color=canvas.theme.accent, lw=1.4, ls="--")
    axes.set_title(title)
    axes.grid(axis="y")
    axes.yaxis.set_major_formatter(lambda value, _: canvas.formatter.format_percent(value))
    axes.yaxis.set_major_locator(_make_tick_locator())


def _make_tick_locator() -> Locator:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 (optional, and slow)

    return MaxNLocator(3, steps=[1, 2, 5, 10])
