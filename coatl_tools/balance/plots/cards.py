"""Plots with a row for every card: what it brings, whether it wins, what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from coatl_tools.balance.figures import CardFigures, Figures
from coatl_tools.balance.plots.canvas import MARKERS, ROW, Desk, Plot
from coatl_tools.balance.plots.shapes import in_numbers, name_rows, parts, say
from coatl_tools.balance.verdict import (
    Estimate,
    estimate_points,
    estimate_wins,
    is_own,
    middle_of,
    well_known,
)
from coatl_tools.cards.card import CardKind

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TOP_LEVEL = 4  # what is beyond counts with it: there are no more tints
Estimated = tuple[CardFigures, Estimate]


def card_points(desk: Desk, figures: Figures) -> Plot | None:
    """Points per appearance of every card."""
    return _dots(
        desk, figures, "card-points", "balance_per_appearance", estimate_points, desk.words.decimal
    )


def card_wins(desk: Desk, figures: Figures) -> Plot | None:
    """By how much more often than expected those win who placed the card."""

    def points(share: float) -> str:
        return desk.words.decimal(100 * share, 1, sign=True)

    return _dots(desk, figures, "card-wins", "balance_edge_axis", estimate_wins, points)


def _dots(
    desk: Desk,
    figures: Figures,
    name: str,
    title: str,
    estimate: Callable[[CardFigures], Estimate | None],
    said: Callable[[float], str],
) -> Plot | None:
    kinds = []
    for kind in CardKind:
        of_kind = [card for card in figures.cards if card.card.kind is kind]
        known = [(card, found) for card in of_kind if (found := estimate(card)) is not None]
        if known:
            kinds.append((kind, sorted(known, key=lambda pair: (-pair[1].value, pair[0].card.id))))
    if not kinds:
        return None
    sizes = [len(known) + 4 for _, known in kinds]
    figure, axes = desk.figure(ROW * sum(sizes) + 0.3, sizes)
    for (kind, known), panel in zip(kinds, axes, strict=True):
        _panel(desk, panel, known)
        panel.set_title(desk.words.kind_cards(kind))
        panel.set_xlabel(desk.label(title))
        in_numbers(panel, said)
        say(panel, [said(found.value) for _, found in known])
    first = [known[0][0].card.id for _, known in kinds]
    last = [known[-1][0].card.id for _, known in kinds]
    alt = desk.label(
        "balance_alt_dots", what=desk.label(title), most=", ".join(first), least=", ".join(last)
    )
    return desk.plot(name, figure, alt)


def _panel(desk: Desk, axes: Axes, known: Sequence[Estimated]) -> None:
    """One kind of cards: the middle half of the published ones is shaded."""
    middle = middle_of(well_known(found for card, found in known if not is_own(card.card)))
    if middle is not None:
        axes.axvspan(*middle, color=desk.theme.panel, alpha=0.8, lw=0)
    for place, (card, _) in enumerate(known):
        if is_own(card.card):
            _highlight(axes, place)
    lows = [found.low if isfinite(found.low) else found.value for _, found in known]
    highs = [found.high if isfinite(found.high) else found.value for _, found in known]
    axes.hlines(range(len(known)), lows, highs, color=desk.theme.ink, lw=1)
    for colour, marker in MARKERS.items():
        places = [place for place, (card, _) in enumerate(known) if card.card.colour is colour]
        axes.plot(
            [known[place][1].value for place in places],
            places,
            marker,
            color=desk.theme.card(colour).frame,
            mec=desk.theme.ink,
            mew=0.5,
            ms=8 if marker == "*" else 5.5,
        )
    _name_cards(axes, [card for card, _ in known])
    room = (max(highs) - min(lows)) * 0.03 or 0.5
    axes.set_xlim(min(lows) - room, max(highs) + room)
    if min(lows) < 0:
        axes.axvline(0, color=desk.theme.ink, lw=0.8, ls=(0, (4, 3)))


def _highlight(axes: Axes, place: int) -> None:
    axes.axhspan(place - 0.5, place + 0.5, color="#f6c667", alpha=0.6, lw=0, zorder=0)


def _name_cards(axes: Axes, cards: Sequence[CardFigures]) -> None:
    """Ids, one's own with an arrow and in bold letters."""
    labels = [f"▶ {card.card.id}" if is_own(card.card) else card.card.id for card in cards]
    name_rows(axes, labels)
    for tick, card in zip(axes.get_yticklabels(), cards, strict=True):
        if is_own(card.card):
            tick.set_fontweight("bold")


def card_fates(desk: Desk, figures: Figures) -> Plot | None:
    """What becomes of every card that somebody could have."""
    known = [card for card in figures.cards if card.appeared]
    if not known:
        return None
    known.sort(key=lambda card: (-card.placed / card.appeared, card.card.id))
    most = max(len(card.levels) for card in known) - 1
    top = min(most, TOP_LEVEL)
    names = [
        desk.label("balance_not_taken"),
        desk.label("balance_not_placed"),
        desk.label("balance_level_0"),
        *(desk.label("balance_level_n", level=level) for level in range(1, top + 1)),
    ]
    if most > top:
        names[-1] = desk.label("balance_level_more", level=top)
    shares = [_fates(card, top) for card in known]
    figure, (axes,) = desk.figure(ROW * len(known) + 1.5)
    parts(
        desk,
        axes,
        [card.card.id for card in known],
        shares,
        names,
        desk.label("balance_fates"),
        numbers=False,
    )
    _name_cards(axes, known)
    for place, card in enumerate(known):
        if is_own(card.card):
            _highlight(axes, place)
    said = [desk.words.part(card.placed, card.appeared) for card in known]
    say(axes, said)
    alt = desk.label(
        "balance_alt_fates",
        most=known[0].card.id,
        most_share=said[0],
        least=known[-1].card.id,
        least_share=said[-1],
    )
    return desk.plot("card-fates", figure, alt)


def _fates(card: CardFigures, top: int) -> list[float]:
    levels = [*card.levels[:top], sum(card.levels[top:])]
    levels += [0] * (top + 1 - len(levels))
    counts = [card.appeared - card.taken, card.taken - card.placed, *levels]
    return [count / card.appeared for count in counts]
