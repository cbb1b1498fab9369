"""How hard a card is, in words and figures, for any screen."""

from __future__ import annotations

from fractions import Fraction

from coatl_tools.cards.card import Level
from coatl_tools.language import Language
from coatl_tools.scoring.odds import Draw

NEVER = "–"
MODELS = {Draw.BOX: "odds_box", Draw.EVEN: "odds_even"}


def level_name(level: Level) -> str:
    """A level as it stands on the card: how often, and what that pays."""
    return f"{level.count}× = {level.points}"


def percent_of(share: Fraction, language: Language, digits: int = 1) -> str:
    """A share in percent; what is neither never nor always does not look like it."""
    least = Fraction(1, 100 * 10**digits)
    if not share:
        return NEVER
    if share < least:
        shown = f"<{_decimal(float(100 * least), digits, language)}"
    elif 1 - least < share < 1:
        shown = f">{_decimal(float(100 * (1 - least)), digits, language)}"
    else:
        shown = _decimal(float(100 * share), digits if share < 1 else 0, language)
    return language.label("percent_share", share=shown)


def points_of(points: Fraction, language: Language) -> str:
    """Points on average; a few that are paid hardly ever do not look like none."""
    if not points:
        return NEVER
    tiny = points < Fraction(1, 100)
    shown = _decimal(max(0.01, float(points)), 2, language)
    return f"<{shown}" if tiny else shown


def _decimal(value: float, digits: int, language: Language) -> str:
    return f"{value:.{digits}f}".replace(".", language.label("decimal_point"))
