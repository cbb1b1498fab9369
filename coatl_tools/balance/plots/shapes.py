"""The kinds of plots that there are: intervals, parts of a whole, boxes, columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from coatl_tools.balance.figures import Spread
from coatl_tools.balance.plots.canvas import SIZE, Desk, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import Locator

HATCHES = ("", "//////", "......", "", "\\\\\\\\\\\\", "", "xxxxxx")
NARROW_SHARE = 0.085  # of the width; a narrower part has no room for its number


def name_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Rows from top to bottom, each with its name."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def say(axes: Axes, texts: Sequence[str]) -> None:
    """What is written behind each row, right of the plot."""
    for place, text in enumerate(texts):
        axes.annotate(
            text,
            (1, place),
            (4, 0),
            ("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            fontsize=SIZE - 0.5,
            annotation_clip=False,
        )


def in_numbers(axes: Axes, text: Callable[[float], str]) -> None:
    """Numbers along the axis as the language writes them."""
    axes.xaxis.set_major_formatter(lambda value, _: text(value))


def intervals(desk: Desk, axes: Axes, rows: Sequence[Row]) -> None:
    """Dots with their intervals, and a line across where one would expect them."""
    for place, row in enumerate(rows):
        if isfinite(row.low):
            axes.plot([row.low, row.high], [place] * 2, color=desk.theme.ink, lw=1.4)
        axes.plot(row.value, place, "o", color=desk.theme.accent, ms=5)
        if row.mark is not None:
            axes.plot(row.mark, place, "|", color=desk.theme.ink, ms=12, mew=1)
    name_rows(axes, [row.label for row in rows])
    say(axes, [row.text for row in rows])


def parts(
    desk: Desk,
    axes: Axes,
    labels: Sequence[str],
    shares: Sequence[Sequence[float]],
    names: Sequence[str],
    title: str,
    numbers: bool = True,
) -> None:
    """Each row as a bar of parts, told apart by tint and hatching; the names stand above."""
    from matplotlib.collections import PolyCollection  # noqa: PLC0415 (optional, and slow)
    from matplotlib.patches import Patch  # noqa: PLC0415 (optional, and slow)

    styles: list[dict[str, Any]] = [
        {"facecolor": desk.tints[index], "hatch": HATCHES[index]} for index in range(len(names))
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
        bars = PolyCollection(corners, edgecolor=desk.theme.ink, lw=0.4, zorder=1, **style)
        axes.add_collection(bars)
        for place, (left, width) in enumerate(zip(lefts, widths, strict=True)):
            if numbers and width >= NARROW_SHARE:
                _number(axes, left + width / 2, place, desk.words.percent(width))
        lefts = [left + width for left, width in zip(lefts, widths, strict=True)]
    name_rows(axes, labels)
    axes.set_title(title)
    axes.set_xlim(0, 1)
    in_numbers(axes, desk.words.percent)
    handles = [
        Patch(label=name, edgecolor=desk.theme.ink, lw=0.4, **style)
        for name, style in zip(names, styles, strict=True)
    ]
    axes.figure.legend(
        handles=handles, loc="outside upper left", ncols=2, handlelength=1.6, columnspacing=1.2
    )


def _number(axes: Axes, x: float, y: float, text: str) -> None:
    """A number that can be read on any tint."""
    axes.text(
        x,
        y,
        text,
        ha="center",
        va="center",
        fontsize=SIZE - 0.5,
        bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.9},
    )


def boxes(desk: Desk, axes: Axes, labels: Sequence[str], spreads: Sequence[Spread]) -> None:
    """A box for each: its middle half, its median, whiskers over nine of ten, its mean."""
    stats: list[dict[str, Any]] = [
        {
            "q1": spread.quantile(0.25),
            "med": spread.quantile(0.5),
            "q3": spread.quantile(0.75),
            "whislo": spread.quantile(0.05),
            "whishi": spread.quantile(0.95),
            "mean": spread.mean.mean if spread.mean else 0,
            "fliers": [],
        }
        for spread in spreads
    ]
    ink, light = desk.theme.ink, desk.tints[2]
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
        meanprops={"marker": "D", "mfc": desk.theme.accent, "mec": "white", "ms": 5, "mew": 0.6},
    )
    name_rows(axes, labels)
    say(axes, [desk.words.mean(spread.mean, 1) for spread in spreads])


def columns(desk: Desk, axes: Axes, spread: Spread, title: str) -> None:
    """How often each number came up, as a share."""
    values = [value for value, _ in spread.counts]
    step = max(1, -(-(max(values) - min(values) + 1) // 40))
    binned: dict[int, int] = {}
    for value, n in spread.counts:
        binned[value // step * step] = binned.get(value // step * step, 0) + n
    axes.bar(
        [value + (step - 1) / 2 for value in binned],
        [n / spread.n for n in binned.values()],
        step * 0.9,
        color=desk.tints[3],
        edgecolor=desk.theme.ink,
        lw=0.4,
    )
    median = spread.quantile(0.5)
    axes.axvline(median, color=desk.theme.accent, lw=1.4, ls="--")
    axes.set_title(title)
    axes.grid(axis="y")
    axes.yaxis.set_major_formatter(lambda value, _: desk.words.percent(value))
    axes.yaxis.set_major_locator(_few())


def _few() -> Locator:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 (optional, and slow)

    return MaxNLocator(3, steps=[1, 2, 5, 10])
