"""Rates and means of many games, against values from tables and by hand."""

from __future__ import annotations

from math import inf, sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coatl_tools.simulation.statistics import (
    Estimate,
    RunningMean,
    compute_wilson_interval,
)

# Printed tables of the 97.5 % point of Student's t.
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262, 29: 2.045, 99: 1.984}


def compute_mean(values: list[float]) -> Estimate:
    running = RunningMean()
    for value in values:
        running.add(value)
    return running.mean()


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (50, 100, 0.4038, 0.5962)],
)
def test_the_interval_of_a_rate_is_wilsons(successes: int, n: int, low: float, high: float) -> None:
    assert compute_wilson_interval(successes, n) == pytest.approx((low, high), abs=1e-4)


def test_a_shared_victory_counts_as_a_part() -> None:
    assert compute_wilson_interval(7.5, 20)[0] > compute_wilson_interval(7, 20)[0]
    assert compute_wilson_interval(7.5, 20)[1] < compute_wilson_interval(8, 20)[1]


def test_of_no_games_no_rate_is_known() -> None:
    assert compute_wilson_interval(0, 0) == (0, 1)


@pytest.mark.parametrize(("successes", "n"), [(1, 0), (-1, 3), (4, 3)])
def test_more_successes_than_games_are_a_mistake(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="successes"):
        compute_wilson_interval(successes, n)


@given(st.integers(1, 10**12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_of_a_rate_holds_it_and_stays_a_rate(counted: tuple[int, int]) -> None:
    successes, n = counted
    low, high = compute_wilson_interval(successes, n)
    assert 0 <= low <= successes / n <= high <= 1


@pytest.mark.parametrize(("freedom", "factor"), STUDENT.items())
def test_the_interval_of_a_mean_is_students(freedom: int, factor: float) -> None:
    values = [float(Random(freedom + place).randrange(20, 80)) for place in range(freedom + 1)]
    found = compute_mean(values)
    half = factor * stdev(values) / sqrt(len(values))
    assert found.value == pytest.approx(fmean(values))
    assert found.high - found.value == pytest.approx(half, rel=1e-2 if freedom == 3 else 4e-3)
    assert found.value - found.low == pytest.approx(half, rel=1e-2 if freedom == 3 else 4e-3)


def test_a_single_value_says_nothing_of_the_spread() -> None:
    assert compute_mean([42]) == Estimate(42, -inf, inf, 1)
    with pytest.raises(ValueError, match="no values"):
        compute_mean([])


@given(st.lists(st.integers(-200, 200) | st.floats(-9, 9), min_size=2), st.randoms())
def test_neither_order_nor_portions_change_a_mean(values: list[float], chance: Random) -> None:
    whole = compute_mean(values)
    chance.shuffle(values)
    cut = chance.randrange(len(values))
    parts = RunningMean(), RunningMean()
    for place, value in enumerate(values):
        parts[place < cut].add(value)
    assert (parts[0] + parts[1]).mean() == whole
