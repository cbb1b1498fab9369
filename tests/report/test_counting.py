"""What is counted, against games worked out by hand."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coatl_tools.report.counting import GameCounter
from coatl_tools.report.report_figures import (
    CardFigures,
    Distribution,
    GameGroup,
    ReportFigures,
    TurnUses,
    compute_rate,
)
from coatl_tools.simulation.datasets import GameRows
from tests.report.handmade_games import CARDS, GAMES
from tests.report.random_datasets import DECK, make_plan, random_games


def counted(games: Iterable[GameRows] = GAMES) -> ReportFigures:
    tally = GameCounter(CARDS)
    for played in games:
        tally.add(played)
    return tally.figures()


def card(card_id: str) -> CardFigures:
    return next(found for found in counted().cards if found.card.id == card_id)


def test_what_becomes_of_a_card_is_counted() -> None:
    found = card("P01")
    assert (found.appearances, found.taken, found.placed) == (5, 4, 4)
    assert found.levels == (1, 1, 1, 0, 1)
    assert (found.worthless_placings, found.unfinished) == (1, 0)


def test_the_mean_of_points_has_students_interval_within_what_the_card_can_bring() -> None:
    mean = card("P01").per_appearance  # 3, 0, 0, 5, 2: s² = 4.5, t(4) = 2.776
    assert mean is not None
    assert (mean.value, mean.low, mean.n) == (2.0, 0.0, 5)
    assert mean.high == pytest.approx(2 + 2.776 * (4.5 / 5) ** 0.5, abs=0.03)
    placed = card("P01").per_placing
    assert placed is not None
    assert (placed.value, placed.high, placed.n) == (2.5, 5.0, 4)


def test_a_victory_counts_by_its_share_and_is_expected_by_the_number_of_players() -> None:
    found = card("P01")
    assert found.won == 3.5
    assert found.expected == pytest.approx(1 / 2 + 1 / 2 + 1 / 3 + 1 / 2)  # solo: one of two won
    assert found.wins is not None
    assert found.wins.value == 3.5 / 4
    assert found.win_surplus is not None
    assert found.win_surplus.value == pytest.approx(3.5 / 4 - found.expected / 4)


def test_a_card_beside_an_incomplete_coatl_is_placed_and_worth_nothing() -> None:
    found = card("P11")
    assert (found.appearances, found.taken, found.placed) == (4, 3, 2)  # dealt and left: not taken
    assert (found.worthless_placings, found.unfinished, found.levels) == (1, 1, (0, 2, 0))


def test_cards_of_adam_are_not_counted() -> None:
    assert sum(found.appearances for found in counted().cards) == 12  # of 14 rows


def test_groups_are_by_players_and_the_solo_game_comes_last() -> None:
    groups = counted().groups
    assert [found.group for found in groups] == [GameGroup(2), GameGroup(3), GameGroup(1)]
    two, _, solo = groups
    assert (two.games, two.shared, two.endings) == (2, 1, {"bodies": 1, "third": 1})
    assert two.turns.counts == ((20, 1), (24, 1))
    assert [seat.won for seat in two.seats] == [1.5, 0.5]
    assert two.seats[0].points.counts == ((15, 1), (20, 1))
    assert two.seats[0].uses == TurnUses(turns=20, takes=10, choices=4, assemblies=4, tokens=2)
    assert two.coatls.counts == ((2, 4),)
    assert two.pieces.counts == ((6, 1), (8, 1))  # only of completed ones
    assert two.adam is None
    assert solo.adam is not None
    assert (len(solo.seats), solo.adam.won, solo.adam.points.counts) == (1, 1.0, ((9, 1), (19, 1)))
    assert counted().bots == ("random",)


def test_no_game_has_no_mean_and_no_rate() -> None:
    none = counted(())
    assert none.games == 0
    for found in none.cards:
        assert (found.per_appearance, found.wins, found.win_surplus) == (None, None, None)
    assert compute_rate(0, 0) is None
    assert Distribution().mean is None


@given(st.integers(1, 12), st.integers(1, 6))
def test_what_was_always_the_same_may_still_differ(games: int, points: int) -> None:
    spread = Distribution(((points if points < 6 else 0, games),))
    found = CardFigures(CARDS[0], spread, games, spread, 0, (0, 0, 0, 0, games), 0, 0)
    mean = found.per_appearance
    assert mean is not None
    assert 0 <= mean.low <= mean.value <= mean.high <= 5
    assert mean.high - mean.low > 0.5  # no certainty from a dozen games


def test_the_order_of_games_changes_no_digit() -> None:
    games = [*random_games(make_plan(40, 3), seed=5)]
    mixed = random.Random(1).sample(games, len(games))
    one, other = GameCounter(DECK), GameCounter(DECK)
    for played, another in zip(games, mixed, strict=True):
        one.add(played)
        other.add(another)
    assert one.figures() == other.figures()


@given(st.lists(st.integers(-50, 120), min_size=1), st.sampled_from([0, 0.05, 0.25, 0.5, 0.9, 1]))
def test_quantiles_are_those_of_numpy(values: list[int], part: float) -> None:
    spread = Distribution.from_counts({value: values.count(value) for value in values})
    assert spread.n == len(values)
    assert spread.quantile(part) == pytest.approx(float(np.quantile(values, part)))
