"""Numbers, groups and cards as texts of the report, in one language."""

from __future__ import annotations

from math import isfinite

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.language import Language
from coatl_tools.report.figures import GameGroup, Rate
from coatl_tools.simulation.statistics import Mean

DASH = "–"


class ReportFormatter:
    """How things are said in a report."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.label = language.label

    @property
    def no_data(self) -> str:
        """What stands where there is nothing to show."""
        return self.label("balance_no_data")

    def count(self, number: int) -> str:
        """A whole number, its thousands apart."""
        return f"{number:,}".replace(",", self.language.typography.thousands)

    def decimal(self, number: float, digits: int = 2, sign: bool = False) -> str:
        """A number with so many digits behind the decimal sign; with its own sign if wanted."""
        text = f"{number:{'+' if sign else ''}.{digits}f}"
        if not float(text):
            text = text.lstrip("+-")  # no zero is below 0
        return text.replace("-", "−").replace(".", self.language.typography.decimal)

    def percent(self, share: float, digits: int = 0, sign: bool = False) -> str:
        """A share of 1."""
        return self.label("balance_percent", share=self.decimal(100 * share, digits, sign))

    def part(self, part: float, whole: float) -> str:
        """A part of a whole in percent; a dash of nothing."""
        return self.percent(part / whole) if whole else DASH

    def between(self, low: float, high: float, digits: int = 2) -> str:
        """From one number to another."""
        return f"{self.decimal(low, digits)}{DASH}{self.decimal(high, digits)}"

    def mean(self, mean: Mean | None, digits: int = 2) -> str:
        """A mean and its interval; a dash where there is none."""
        if mean is None:
            return DASH
        said = self.decimal(mean.mean, digits)
        return (
            f"{said} ({self.between(mean.low, mean.high, digits)})" if isfinite(mean.low) else said
        )

    def rate(self, rate: Rate | None) -> str:
        """A rate and its interval, in percent."""
        if rate is None:
            return DASH
        between = f"{self.decimal(100 * rate.low, 0)}{DASH}{self.percent(rate.high)}"
        return f"{self.percent(rate.share)} ({between})"

    def group(self, group: GameGroup) -> str:
        """Games of one kind."""
        if not group.solo:
            return self.label("balance_players", group.size)
        if not group.levels:
            return self.label("balance_solo")
        return self.label("balance_solo_levels", levels=group.levels)

    def kind(self, card: Card) -> str:
        """Prophecy or Temple."""
        return self.label(card.kind.value)

    def colour(self, card: Card) -> str:
        """Its card colour with its symbol; a dash for a Temple card."""
        if card.colour is None:
            return DASH
        return f"{card.colour.symbol} {self.language.colours[card.colour]['card']}"

    def kind_cards(self, kind: CardKind) -> str:
        """The cards of a kind."""
        return self.label("prophecy_row" if kind is CardKind.PROPHECY else "temple_piles")
