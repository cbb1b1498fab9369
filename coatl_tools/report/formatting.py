"""Numbers, groups and cards as texts of the report, in one language."""

from __future__ import annotations

from math import isfinite

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.language import Language
from coatl_tools.report.report_figures import GameGroup, GroupFigures, PlayerFigures
from coatl_tools.simulation.statistics import Estimate

DASH = "–"


class ReportFormatter:
    """Formats numbers and names things in the language of a report."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.label = language.label

    @property
    def no_data(self) -> str:
        """The text shown where there are no data."""
        return self.label("balance_no_data")

    def format_count(self, number: int) -> str:
        """Format a whole number with separated thousands."""
        return f"{number:,}".replace(",", self.language.typography.thousands)

    def format_decimal(self, number: float, digits: int = 2, sign: bool = False) -> str:
        """Format a number with so many decimals; with `sign`, a plus stands before it."""
        text = f"{number:{'+' if sign else ''}.{digits}f}"
        if not float(text):
            text = text.lstrip("+-")  # no zero is below 0
        return text.replace("-", "−").replace(".", self.language.typography.decimal)

    def format_percent(self, share: float) -> str:
        """Format a share (0 to 1) in percent."""
        return self.label("balance_percent", share=self.format_decimal(100 * share, 0))

    def format_part(self, part: float, whole: float) -> str:
        """Format a part of a whole in percent; a dash if the whole is 0."""
        return self.format_percent(part / whole) if whole else DASH

    def format_mean(self, mean: Estimate | None, digits: int = 2) -> str:
        """Format a mean and its interval; a dash for None."""
        if mean is None:
            return DASH
        value = self.format_decimal(mean.value, digits)
        if not isfinite(mean.low):
            return value
        low, high = (self.format_decimal(bound, digits) for bound in (mean.low, mean.high))
        return f"{value} ({low}{DASH}{high})"

    def format_rate(self, rate: Estimate | None) -> str:
        """Format a rate and its interval in percent; a dash for None."""
        if rate is None:
            return DASH
        between = f"{self.format_decimal(100 * rate.low, 0)}{DASH}{self.format_percent(rate.high)}"
        return f"{self.format_percent(rate.value)} ({between})"

    def describe_group(self, group: GameGroup) -> str:
        """Name a group of games by its players, or its levels of A.D.A.M."""
        if not group.solo:
            return self.label("balance_players", group.size)
        if not group.levels:
            return self.label("balance_solo")
        return self.label("balance_solo_levels", levels=group.levels)

    def list_players(self, group: GroupFigures) -> list[tuple[str, PlayerFigures]]:
        """List the seats of a group, and A.D.A.M., with their names."""
        key = "balance_player" if group.group.solo else "balance_seat"
        players = [(self.label(key, seat=seat.name), seat) for seat in group.seats]
        return players if group.adam is None else [*players, ("A.D.A.M.", group.adam)]

    def describe_kind(self, card: Card) -> str:
        """Name the kind of a card: Prophecy or Temple."""
        return self.label(card.kind.value)

    def describe_colour(self, card: Card) -> str:
        """Name the card colour with its symbol; a dash for a Temple card."""
        if card.colour is None:
            return DASH
        return f"{card.colour.symbol} {self.language.colours[card.colour]['name']}"

    def describe_cards_of_kind(self, kind: CardKind) -> str:
        """Name the cards of a kind."""
        return self.label("prophecy_row" if kind is CardKind.PROPHECY else "temple_piles")
