"""What is said of cards of one's own: no more than the games allow."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from coatl_tools.report.report_figures import CardFigures, Distribution
from coatl_tools.report.verdicts import CardStrength, CardVerdict, judge_own_cards
from tests.report.random_datasets import DECK, OWN_CARD

PROPHECIES = [card for card in DECK if card.id[0] == "P"]


def figures(mean: int, n: int = 1000, won: float = 0.5, off: int = 1) -> CardFigures:
    """A card of one's own: so many points on average, by turns so many more and less."""
    counts = {mean - off: n // 2, mean + off: n - n // 2}
    spread = Distribution.from_counts(counts)
    return CardFigures(OWN_CARD, spread, n, spread, 0, (0, 0, n), won * n, n / 2)


def published(n: int = 1000) -> list[CardFigures]:
    """49 cards with 1, 2, … 49 points on average, who win from 26 % to 74 %."""
    found = []
    for points, card in enumerate(PROPHECIES, 1):
        spread = Distribution.from_counts({points - 1: n // 2, points + 1: n - n // 2})
        won = n * (0.25 + points / 100)
        found.append(CardFigures(card, spread, n, spread, 0, (0, 0, n), won, n / 2))
    return found


def verdict(own: CardFigures, others: Sequence[CardFigures] | None = None) -> CardVerdict:
    (found,) = judge_own_cards([*(published() if others is None else others), own])
    return found


@pytest.mark.parametrize(
    ("points", "judgement"),
    [
        (60, CardStrength.TOO_STRONG),
        (42, CardStrength.STRONG),
        (37, CardStrength.UNCLEAR),  # the bound of the middle half lies within the interval
        (25, CardStrength.FITS),
        (8, CardStrength.WEAK),
        (1, CardStrength.TOO_WEAK),
    ],
)
def test_points_are_compared_with_the_middle_half(points: int, judgement: CardStrength) -> None:
    assert verdict(figures(points)).points.judgement is judgement


@pytest.mark.parametrize("points", [48, 42, 25, 8, 2])
def test_what_varies_much_cannot_be_told_by_its_mean(points: int) -> None:
    found = verdict(figures(points, n=100, off=100)).points
    assert found.judgement is CardStrength.UNCLEAR
    assert found.estimate is not None
    assert found.estimate.value == points


def test_it_is_said_how_many_cards_have_less() -> None:
    found = verdict(figures(48)).points
    assert (found.more_than, found.peers) == (47, 49)
    assert found.surely_more_than == 47  # intervals are ±0.06
    assert found.middle_half == (13.0, 37.0)


def test_those_of_its_card_colour_are_looked_at_apart() -> None:
    found = verdict(figures(48)).points
    assert found.colour_middle_half == (8.25, 12.75)  # P06 to P15 are black


@pytest.mark.parametrize("n", [2, 10, 29])
def test_few_cases_tell_nothing(n: int) -> None:
    assert verdict(figures(500, n)).points.judgement is CardStrength.UNCLEAR


def test_cards_that_hardly_appeared_are_no_measure() -> None:
    found = verdict(figures(500), published(20)).points
    assert (found.peers, found.middle_half, found.judgement) == (0, None, CardStrength.UNCLEAR)
    assert verdict(figures(500), published(30)).points.peers == 49


def test_a_card_that_never_appeared_has_no_verdict() -> None:
    nothing = CardFigures(OWN_CARD, Distribution(), 0, Distribution(), 0, (0, 0, 0), 0, 0)
    assert verdict(nothing).judgement is CardStrength.NO_DATA


def test_two_measures_that_disagree_are_told() -> None:
    assert verdict(figures(60, won=0.1)).judgement is CardStrength.DISAGREE
    assert verdict(figures(60, won=0.5)).judgement is CardStrength.TOO_STRONG
    assert verdict(figures(25, won=0.95)).judgement is CardStrength.TOO_STRONG


def test_published_cards_have_no_verdict() -> None:
    assert judge_own_cards(published()) == ()
