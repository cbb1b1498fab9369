"""Plots with a row for each card: its points, its victories, what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from coatl_tools.cards.card import CardKind
from coatl_tools.report.plots.charts import (
    MARKER_BY_COLOUR,
    ROW_HEIGHT,
    Plot,
    PlotCanvas,
    annotate_rows,
    draw_stacked_bars,
    format_axis,
    name_rows,
)
from coatl_tools.report.report_figures import CardFigures, ReportFigures
from coatl_tools.report.verdicts import (
    find_middle_half,
    is_own_card,
    select_well_known,
)
from coatl_tools.simulation.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_LEVEL_SHOWN = 4  # higher levels count with it: there are no more tints
EstimatedCard = tuple[CardFigures, Estimate]


def plot_card_points(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot the points per appearance of every card."""
    known = [(card, card.per_appearance) for card in figures.cards]
    number = canvas.formatter.format_decimal
    return _plot_estimates(canvas, known, "card-points", "balance_per_appearance", number)


def plot_card_wins(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot how much more often than expected those win who placed the card."""

    def format_points(share: float) -> str:
        return canvas.formatter.format_decimal(100 * share, 1, sign=True)

    known = [(card, card.win_surplus) for card in figures.cards]
    return _plot_estimates(canvas, known, "card-wins", "balance_edge_axis", format_points)


def _plot_estimates(
    canvas: PlotCanvas,
    estimates: Sequence[tuple[CardFigures, Estimate | None]],
    name: str,
    title: str,
    format_value: Callable[[float], str],
) -> Plot | None:
    kinds = []
    for kind in CardKind:
        of_kind = [(card, found) for card, found in estimates if card.card.kind is kind]
        known = [(card, found) for card, found in of_kind if found is not None]
        if known:
            kinds.append((kind, sorted(known, key=lambda pair: (-pair[1].value, pair[0].card.id))))
    if not kinds:
        return None
    sizes = [len(known) + 4 for _, known in kinds]
    figure, axes = canvas.new_figure(ROW_HEIGHT * sum(sizes) + 0.3, sizes)
    for (kind, known), panel in zip(kinds, axes, strict=True):
        _draw_panel(canvas, panel, known)
        panel.set_title(canvas.formatter.describe_cards_of_kind(kind))
        panel.set_xlabel(canvas.label(title))
        format_axis(panel, format_value)
        annotate_rows(panel, [format_value(found.value) for _, found in known])
    first = [known[0][0].card.id for _, known in kinds]
    last = [known[-1][0].card.id for _, known in kinds]
    alt = canvas.label(
        "balance_alt_dots", what=canvas.label(title), most=", ".join(first), least=", ".join(last)
    )
    return canvas.save_plot(name, figure, alt)


def _draw_panel(canvas: PlotCanvas, axes: Axes, known: Sequence[EstimatedCard]) -> None:
    """Draw the cards of one kind; the middle half of the published ones is shaded."""
    middle = find_middle_half(
        select_well_known(found for card, found in known if not is_own_card(card.card))
    )
    if middle is not None:
        axes.axvspan(*middle, color=canvas.theme.panel, alpha=0.8, lw=0)
    for place, (card, _) in enumerate(known):
        if is_own_card(card.card):
            _highlight_row(axes, place)
    lows = [found.low if isfinite(found.low) else found.value for _, found in known]
    highs = [found.high if isfinite(found.high) else found.value for _, found in known]
    axes.hlines(range(len(known)), lows, highs, color=canvas.theme.ink, lw=1)
    for colour, marker in MARKER_BY_COLOUR.items():
        places = [place for place, (card, _) in enumerate(known) if card.card.colour is colour]
        axes.plot(
            [known[place][1].value for place in places],
            places,
            marker,
            color=canvas.theme.card(colour).frame,
            mec=canvas.theme.ink,
            mew=0.5,
            ms=8 if marker == "*" else 5.5,
        )
    _name_cards(axes, [card for card, _ in known])
    room = (max(highs) - min(lows)) * 0.03 or 0.5
    axes.set_xlim(min(lows) - room, max(highs) + room)
    if min(lows) < 0:
        axes.axvline(0, color=canvas.theme.ink, lw=0.8, ls=(0, (4, 3)))


def _highlight_row(axes: Axes, place: int) -> None:
    axes.axhspan(place - 0.5, place + 0.5, color="#f6c667", alpha=0.6, lw=0, zorder=0)


def _name_cards(axes: Axes, cards: Sequence[CardFigures]) -> None:
    """Label the rows with ids; a player's own cards have an arrow and bold letters."""
    labels = [f"▶ {card.card.id}" if is_own_card(card.card) else card.card.id for card in cards]
    name_rows(axes, labels)
    for tick, card in zip(axes.get_yticklabels(), cards, strict=True):
        if is_own_card(card.card):
            tick.set_fontweight("bold")


def plot_card_outcomes(canvas: PlotCanvas, figures: ReportFigures) -> Plot | None:
    """Plot what becomes of every card that appeared."""
    known = [card for card in figures.cards if card.appearances]
    if not known:
        return None
    known.sort(key=lambda card: (-card.placed / card.appearances, card.card.id))
    most = max(len(card.levels) for card in known) - 1
    top = min(most, MAX_LEVEL_SHOWN)
    names = [
        canvas.label("balance_not_taken"),
        canvas.label("balance_not_placed"),
        canvas.label("balance_level_0"),
        *(canvas.label("balance_level_n", level=level) for level in range(1, top + 1)),
    ]
    if most > top:
        names[-1] = canvas.label("balance_level_more", level=top)
    shares = [_compute_outcome_shares(card, top) for card in known]
    figure, (axes,) = canvas.new_figure(ROW_HEIGHT * len(known) + 1.5)
    draw_stacked_bars(
        canvas,
        axes,
        [card.card.id for card in known],
        shares,
        names,
        canvas.label("balance_fates"),
        numbers=False,
    )
    _name_cards(axes, known)
    for place, card in enumerate(known):
        if is_own_card(card.card):
            _highlight_row(axes, place)
    shares_placed = [canvas.formatter.format_part(card.placed, card.appearances) for card in known]
    annotate_rows(axes, shares_placed)
    alt = canvas.label(
        "balance_alt_fates",
        most=known[0].card.id,
        most_share=shares_placed[0],
        least=known[-1].card.id,
        least_share=shares_placed[-1],
    )
    return canvas.save_plot("card-fates", figure, alt)


def _compute_outcome_shares(card: CardFigures, top: int) -> list[float]:
    levels = [*card.levels[:top], sum(card.levels[top:])]
    levels += [0] * (top + 1 - len(levels))
    counts = [card.appearances - card.taken, card.taken - card.placed, *levels]
    return [count / card.appearances for count in counts]
