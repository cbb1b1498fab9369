"""What all plots share: paper, letters, and the way to a PNG that is the same in every run."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from coatl_tools.balance.words import Words
from coatl_tools.errors import BalanceError
from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing.font_files import BOLD, REGULAR, SEMIBOLD, file_of
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.theme import Theme, load_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 4.3  # inches: narrow, so that letters can be read on a phone
DPI = 200
SIZE = 9.0  # of letters, in points
ROW = 0.19  # inches that a row of a plot takes
MARKERS = {Colour.R: "^", Colour.G: "o", Colour.B: "s", Colour.Y: "*", Colour.K: "D", None: "P"}
BARE = "#fffdf8"  # the ground of a plot, bright in every light


class Plot(NamedTuple):
    """A finished plot."""

    name: str
    alt: str  # what it shows, for those who do not see it
    png: bytes
    width: int  # of a page that shows it, in CSS pixels
    height: int


class Row(NamedTuple):
    """A line of a plot: its name, a number with its interval, and what is written behind it."""

    label: str
    value: float
    low: float
    high: float
    text: str
    mark: float | None = None  # what was to be expected


class Desk:
    """Inks, words, and empty figures."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.label = words.label
        self.theme: Theme = load_theme("full", Layouts())

    @property
    def tints(self) -> list[str]:
        """From light to dark, for parts of a whole."""
        return ["#f1e7d0", "#dcc9a1", "#a9c7b4", "#6ea28e", "#3f7a67", "#1d4a3e", "#0b231d"]

    def figure(self, height: float, rows: Sequence[float] = (1,)) -> tuple[Figure, list[Axes]]:
        """An empty figure of so many inches, with axes below each other."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 (optional, and slow)
        from matplotlib.figure import Figure  # noqa: PLC0415 (optional, and slow)

        figure = Figure((WIDTH, height), dpi=DPI, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(len(rows), 1, squeeze=False, height_ratios=list(rows))
        return figure, list(axes[:, 0])

    def plot(self, name: str, figure: Figure, alt: str) -> Plot:
        """The figure as a PNG."""
        data = io.BytesIO()
        figure.savefig(data, format="png", metadata={"Software": None})
        width, height = (round(inches * 112) for inches in figure.get_size_inches())
        return Plot(name, alt, data.getvalue(), width, height)


def check_matplotlib() -> None:
    """Raise BalanceError if it is missing, saying how to get it."""
    if find_spec("matplotlib") is None:
        raise BalanceError("balance.no_matplotlib")


@contextlib.contextmanager
def drawing() -> Iterator[None]:
    """While plots are drawn: our letters and lines; BalanceError if matplotlib is missing."""
    check_matplotlib()
    import matplotlib  # noqa: PLC0415 (optional, and slow)
    from matplotlib.font_manager import fontManager  # noqa: PLC0415 (optional, and slow)

    known = {font.fname for font in fontManager.ttflist}
    for face in (REGULAR, SEMIBOLD, BOLD):
        if str(file_of(face)) not in known:
            fontManager.addfont(file_of(face))
    ink = load_theme("full", Layouts()).ink
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # whatever the user's own settings are
        matplotlib.rcParams.update(
            {
                "font.family": "Source Sans Pro",
                "font.size": SIZE,
                "axes.titlesize": SIZE + 1,
                "axes.titleweight": "bold",
                "axes.titlelocation": "left",
                "axes.labelsize": SIZE,
                "xtick.labelsize": SIZE,
                "ytick.labelsize": SIZE,
                "legend.fontsize": SIZE - 0.5,
                "legend.frameon": False,
                "text.color": ink,
                "axes.edgecolor": ink,
                "axes.labelcolor": ink,
                "xtick.color": ink,
                "ytick.color": ink,
                "figure.facecolor": BARE,
                "axes.facecolor": BARE,
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
