"""Plots about whole games: scores, lengths, endings, Cóatls, turns, A.D.A.M. and bots."""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.report.plots.charts import (
    ROW_HEIGHT,
    IntervalRow,
    Plot,
    PlotCanvas,
    draw_boxes,
    draw_histogram,
    draw_intervals,
    draw_stacked_bars,
    format_axis,
)
from coatl_tools.report.report_figures import (
    Distribution,
    GroupFigures,
    PlayerFigures,
    ReportFigures,
)
from coatl_tools.simulation.statistics import ENDINGS, Estimate

BOX_HEIGHT = 0.3  # inches that the row of a box takes
MAX_COATLS_SHOWN = 4  # the largest number of Cóatls with a part of its own
MAX_PANELS = 6  # more groups than that are boxes below each other
HEADING_HEIGHT = 0.9  # inches for title, axis and the like


def plot_scores(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot the scores by number of players and seat."""
    rows: list[tuple[str, Distribution]] = []
    for found in figures.groups:
        group = canvas.formatter.describe_group(found.group)
        for name, players in canvas.formatter.list_players(found):
            rows.append((f"{group}\n{name}", players.points))
    return _plot_boxes(canvas, "scores", "points", "balance_alt_scores", rows)


def _plot_boxes(
    canvas: PlotCanvas, name: str, title: str, alt: str, rows: Sequence[tuple[str, Distribution]]
) -> Plot | None:
    rows = [(label, distribution) for label, distribution in rows if distribution.n]
    if not rows:
        return None
    lines = max(label.count("\n") for label, _ in rows) + 1
    figure, (axes,) = canvas.new_figure((BOX_HEIGHT + 0.1 * lines) * len(rows) + HEADING_HEIGHT)
    draw_boxes(
        canvas, axes, [label for label, _ in rows], [distribution for _, distribution in rows]
    )
    axes.set_title(canvas.label(title))
    format_axis(axes, lambda value: canvas.formatter.format_decimal(value, 0))
    descriptions = "; ".join(
        f"{label.replace(chr(10), ', ')}: {canvas.formatter.format_mean(distribution.mean, 1)}"
        for label, distribution in rows
    )
    return canvas.save_plot(name, figure, canvas.label(alt, rows=descriptions))


def plot_lengths(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot how many turns games take."""
    found = [group for group in figures.groups if group.turns.n]
    if not found:
        return None
    if len(found) > MAX_PANELS:
        rows = [(canvas.formatter.describe_group(group.group), group.turns) for group in found]
        return _plot_boxes(canvas, "lengths", "balance_turns", "balance_alt_lengths", rows)
    figure, panels = canvas.new_figure(1.25 * len(found) + 0.4, [1] * len(found))
    descriptions = []
    for group, axes in zip(found, panels, strict=True):
        median = canvas.formatter.format_decimal(group.turns.quantile(0.5), 0)
        title = canvas.label(
            "balance_turns_title", group=canvas.formatter.describe_group(group.group), median=median
        )
        draw_histogram(canvas, axes, group.turns, title)
        descriptions.append(title)
    panels[-1].set_xlabel(canvas.label("balance_turns"))
    low = min(group.turns.counts[0][0] for group in found)
    high = max(group.turns.counts[-1][0] for group in found)
    for axes in panels:
        axes.set_xlim(low - 1, high + 1)
    return canvas.save_plot(
        "lengths", figure, canvas.label("balance_alt_lengths", rows="; ".join(descriptions))
    )


def plot_endings(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot how games end."""
    names = [
        canvas.label("balance_third"),
        canvas.label("balance_bodies"),
        canvas.label("balance_passed"),
    ]
    rows = [
        (
            canvas.formatter.describe_group(found.group),
            [found.endings.get(key, 0) for key in ENDINGS],
        )
        for found in figures.groups
    ]
    return _plot_shares(canvas, "endings", "balance_endings", rows, names)


def plot_coatls(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot how many Cóatls players complete."""
    most = max(
        (found.coatls.counts[-1][0] for found in figures.groups if found.coatls.n), default=0
    )
    top = min(most, MAX_COATLS_SHOWN)
    names = [canvas.label("balance_coatls_n", number) for number in range(top + 1)]
    if most > top:
        names[-1] = canvas.label("balance_coatls_more", top)
    rows = []
    for found in figures.groups:
        counts = [0] * (top + 1)
        for number, n in found.coatls.counts:
            counts[max(0, min(number, top))] += n
        rows.append((canvas.formatter.describe_group(found.group), counts))
    return _plot_shares(canvas, "coatls", "balance_coatls", rows, names)


def plot_pieces(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot how long completed Cóatls are."""
    rows = [
        (canvas.formatter.describe_group(found.group), found.pieces) for found in figures.groups
    ]
    return _plot_boxes(canvas, "pieces", "balance_pieces_title", "balance_alt_pieces", rows)


def plot_turn_uses(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot what turns are used for, bot by bot if there are several."""
    names = [
        canvas.label("balance_takes"),
        canvas.label("balance_choices"),
        canvas.label("balance_assemblies"),
        canvas.label("balance_tokens"),
    ]
    rows = []
    for found in figures.groups:
        for bot in found.bots:
            rows.append((_describe_bot_row(canvas, figures, found, bot), list(bot.uses[1:])))
    return _plot_shares(canvas, "uses", "balance_uses", rows, names)


def _describe_bot_row(
    canvas: PlotCanvas, figures: ReportFigures, found: GroupFigures, bot: PlayerFigures
) -> str:
    group = canvas.formatter.describe_group(found.group)
    return group if len(figures.bots) < 2 else f"{group}\n{shorten_bot_name(bot.name)}"


def shorten_bot_name(name: str) -> str:
    """Shorten a bot's name to what a plot has room for."""
    return name if len(name) <= 16 else f"{name[:15]}…"


def _plot_shares(
    canvas: PlotCanvas,
    name: str,
    title: str,
    rows: Sequence[tuple[str, Sequence[int]]],
    names: list[str],
) -> Plot | None:
    rows = [(label, counts) for label, counts in rows if sum(counts) > 0]
    if not rows:
        return None
    shares = [[count / sum(counts) for count in counts] for _, counts in rows]
    lines = max(label.count("\n") for label, _ in rows) + 1
    figure, (axes,) = canvas.new_figure(
        max(0.34, ROW_HEIGHT * lines) * len(rows) + HEADING_HEIGHT + 0.6
    )
    draw_stacked_bars(
        canvas, axes, [label for label, _ in rows], shares, names, canvas.label(title)
    )
    descriptions = "; ".join(
        f"{label.replace(chr(10), ', ')}: "
        + ", ".join(
            f"{part} {canvas.formatter.format_percent(share)}"
            for part, share in zip(names, row, strict=True)
        )
        for (label, _), row in zip(rows, shares, strict=True)
    )
    return canvas.save_plot(
        name, figure, canvas.label("balance_alt_parts", what=canvas.label(title), rows=descriptions)
    )


def plot_adam(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot how often the player beats A.D.A.M., level by level."""
    rows = [
        _make_win_row(canvas, canvas.formatter.describe_group(found.group), wins, None)
        for found in figures.groups
        if found.adam is not None and (wins := found.seats[0].wins) is not None
    ]
    return _plot_win_rates(canvas, "adam", "balance_adam_wins", rows)


def plot_bots(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot how often each kind of bot wins, if several play."""
    if len(figures.bots) < 2:
        return None
    rows = [
        _make_win_row(
            canvas,
            _describe_bot_row(canvas, figures, found, bot),
            wins,
            None if found.group.solo else 1 / found.group.size,
        )
        for found in figures.groups
        for bot in found.bots
        if (wins := bot.wins) is not None
    ]
    return _plot_win_rates(canvas, "bots", "balance_bot_wins", rows)


def _make_win_row(
    canvas: PlotCanvas, label: str, wins: Estimate, expected: float | None
) -> IntervalRow:
    return IntervalRow(
        label, wins.value, wins.low, wins.high, canvas.formatter.format_rate(wins), expected
    )


def _plot_win_rates(
    canvas: PlotCanvas, name: str, title: str, rows: list[IntervalRow]
) -> Plot | None:
    if not rows:
        return None
    figure, (axes,) = canvas.new_figure(0.36 * len(rows) + HEADING_HEIGHT)
    draw_intervals(canvas, axes, rows)
    axes.set_title(canvas.label(title))
    axes.set_xlim(0, 1)
    format_axis(axes, canvas.formatter.format_percent)
    descriptions = "; ".join(f"{row.label.replace(chr(10), ', ')}: {row.text}" for row in rows)
    return canvas.save_plot(
        name, figure, canvas.label("balance_alt_parts", what=canvas.label(title), rows=descriptions)
    )
