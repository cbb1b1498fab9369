"""Plots about whole games: scores, lengths, endings, Cóatls, turns, A.D.A.M. and bots."""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.report.figures import (
    Distribution,
    GroupFigures,
    PlayerFigures,
    Rate,
    ReportFigures,
)
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

BOX_HEIGHT = 0.3  # inches that a row of a box takes
MAX_COATLS_SHOWN = 4  # that have a part of their own
MAX_PANELS = 6  # more groups than that are boxes below each other
HEADING_HEIGHT = 0.9  # inches for title, axis and the like


def plot_scores(desk: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Scores by number of players and seat."""
    rows: list[tuple[str, Distribution]] = []
    for found in figures.groups:
        group = desk.words.group(found.group)
        for seat in found.seats:
            place = desk.label(
                "balance_player" if found.group.solo else "balance_seat", seat=seat.name
            )
            rows.append((f"{group}\n{place}", seat.points))
        if found.adam is not None:
            rows.append((f"{group}\nA.D.A.M.", found.adam.points))
    return _plot_boxes(desk, "scores", "points", "balance_alt_scores", rows)


def _plot_boxes(
    desk: PlotCanvas, name: str, title: str, alt: str, rows: Sequence[tuple[str, Distribution]]
) -> Plot | None:
    rows = [(label, spread) for label, spread in rows if spread.n]
    if not rows:
        return None
    lines = max(label.count("\n") for label, _ in rows) + 1
    figure, (axes,) = desk.figure((BOX_HEIGHT + 0.1 * lines) * len(rows) + HEADING_HEIGHT)
    draw_boxes(desk, axes, [label for label, _ in rows], [spread for _, spread in rows])
    axes.set_title(desk.label(title))
    format_axis(axes, lambda value: desk.words.decimal(value, 0))
    said = "; ".join(
        f"{label.replace(chr(10), ', ')}: {desk.words.mean(spread.mean, 1)}"
        for label, spread in rows
    )
    return desk.plot(name, figure, desk.label(alt, rows=said))


def plot_lengths(desk: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """How many turns games take."""
    found = [group for group in figures.groups if group.turns.n]
    if not found:
        return None
    if len(found) > MAX_PANELS:
        rows = [(desk.words.group(group.group), group.turns) for group in found]
        return _plot_boxes(desk, "lengths", "balance_turns", "balance_alt_lengths", rows)
    figure, panels = desk.figure(1.25 * len(found) + 0.4, [1] * len(found))
    said = []
    for group, axes in zip(found, panels, strict=True):
        median = desk.words.decimal(group.turns.quantile(0.5), 0)
        title = desk.label(
            "balance_turns_title", group=desk.words.group(group.group), median=median
        )
        draw_histogram(desk, axes, group.turns, title)
        said.append(title)
    panels[-1].set_xlabel(desk.label("balance_turns"))
    low = min(group.turns.counts[0][0] for group in found)
    high = max(group.turns.counts[-1][0] for group in found)
    for axes in panels:
        axes.set_xlim(low - 1, high + 1)
    return desk.plot("lengths", figure, desk.label("balance_alt_lengths", rows="; ".join(said)))


def plot_endings(desk: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """How games end."""
    names = [
        desk.label("balance_third"),
        desk.label("balance_bodies"),
        desk.label("balance_passed"),
    ]
    rows = [
        (desk.words.group(found.group), [found.endings.get(key, 0) for key in ENDINGS])
        for found in figures.groups
    ]
    return _plot_shares(desk, "endings", "balance_endings", rows, names)


ENDINGS = ("third", "bodies", "passed")


def plot_coatls(desk: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """How many Cóatls players complete."""
    most = max(
        (found.coatls.counts[-1][0] for found in figures.groups if found.coatls.n), default=0
    )
    top = min(most, MAX_COATLS_SHOWN)
    names = [desk.label("balance_coatls_n", number) for number in range(top + 1)]
    if most > top:
        names[-1] = desk.label("balance_coatls_more", top)
    rows = []
    for found in figures.groups:
        counts = [0] * (top + 1)
        for number, n in found.coatls.counts:
            counts[max(0, min(number, top))] += n
        rows.append((desk.words.group(found.group), counts))
    return _plot_shares(desk, "coatls", "balance_coatls", rows, names)


def plot_pieces(desk: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """How long completed Cóatls are."""
    rows = [(desk.words.group(found.group), found.pieces) for found in figures.groups]
    return _plot_boxes(desk, "pieces", "balance_pieces_title", "balance_alt_pieces", rows)


def plot_turn_uses(desk: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """What turns are used for, bot by bot if there are several."""
    names = [
        desk.label("balance_takes"),
        desk.label("balance_choices"),
        desk.label("balance_assemblies"),
        desk.label("balance_tokens"),
    ]
    rows = []
    for found in figures.groups:
        for bot in found.bots:
            rows.append((_describe_bot_row(desk, figures, found, bot), list(bot.uses[1:])))
    return _plot_shares(desk, "uses", "balance_uses", rows, names)


def _describe_bot_row(
    desk: PlotCanvas, figures: ReportFigures, found: GroupFigures, bot: PlayerFigures
) -> str:
    group = desk.words.group(found.group)
    return group if len(figures.bots) < 2 else f"{group}\n{shorten_bot_name(bot.name)}"


def shorten_bot_name(name: str) -> str:
    """A bot's name as a plot has room for it."""
    return name if len(name) <= 16 else f"{name[:15]}…"


def _plot_shares(
    desk: PlotCanvas,
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
    figure, (axes,) = desk.figure(max(0.34, ROW_HEIGHT * lines) * len(rows) + HEADING_HEIGHT + 0.6)
    draw_stacked_bars(desk, axes, [label for label, _ in rows], shares, names, desk.label(title))
    said = "; ".join(
        f"{label.replace(chr(10), ', ')}: "
        + ", ".join(
            f"{part} {desk.words.percent(share)}" for part, share in zip(names, row, strict=True)
        )
        for (label, _), row in zip(rows, shares, strict=True)
    )
    return desk.plot(
        name, figure, desk.label("balance_alt_parts", what=desk.label(title), rows=said)
    )


def plot_adam(desk: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """How often the player beats A.D.A.M., level by level."""
    rows = [
        _make_win_row(desk, desk.words.group(found.group), wins, None)
        for found in figures.groups
        if found.adam is not None and (wins := found.seats[0].wins) is not None
    ]
    return _plot_win_rates(desk, "adam", "balance_adam_wins", rows)


def plot_bots(desk: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """How often each kind of bot wins, if several play."""
    if len(figures.bots) < 2:
        return None
    rows = [
        _make_win_row(
            desk,
            _describe_bot_row(desk, figures, found, bot),
            wins,
            None if found.group.solo else 1 / found.group.size,
        )
        for found in figures.groups
        for bot in found.bots
        if (wins := bot.wins) is not None
    ]
    return _plot_win_rates(desk, "bots", "balance_bot_wins", rows)


def _make_win_row(desk: PlotCanvas, label: str, wins: Rate, expected: float | None) -> IntervalRow:
    return IntervalRow(label, wins.share, wins.low, wins.high, desk.words.rate(wins), expected)


def _plot_win_rates(
    desk: PlotCanvas, name: str, title: str, rows: list[IntervalRow]
) -> Plot | None:
    if not rows:
        return None
    figure, (axes,) = desk.figure(0.36 * len(rows) + HEADING_HEIGHT)
    draw_intervals(desk, axes, rows)
    axes.set_title(desk.label(title))
    axes.set_xlim(0, 1)
    format_axis(axes, desk.words.percent)
    said = "; ".join(f"{row.label.replace(chr(10), ', ')}: {row.text}" for row in rows)
    return desk.plot(
        name, figure, desk.label("balance_alt_parts", what=desk.label(title), rows=said)
    )
