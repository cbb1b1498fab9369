"""What many games tell: a rate or a mean, and between which bounds the true one lies.

All intervals are of 95 %. Sums are exact, so that neither the order of the games nor the pieces
in which they are counted change a single digit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, pi, sqrt, tan
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
_UPPER = (1 + CONFIDENCE) / 2
_Z = NormalDist().inv_cdf(_UPPER)  # 1.96


class Mean(NamedTuple):
    """A mean and its interval. A single value says nothing of the spread: -inf to inf."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(slots=True)
class Running:
    """A mean that values are added to one by one, in memory that does not grow.

    >>> points = Running()
    >>> for value in (41, 52, 60):
    ...     points.add(value)
    >>> points.mean()
    Mean(mean=51.0, low=27.3..., high=74.6..., n=3)
    """

    n: int = 0
    total: int | Fraction = 0
    squares: int | Fraction = 0

    def add(self, value: float) -> None:
        """Count one more value."""
        exact = value if isinstance(value, int) else Fraction(value)
        self.n += 1
        self.total += exact
        self.squares += exact * exact

    def __add__(self, other: Running) -> Running:
        """Both together, as if all values had been added to one."""
        return Running(self.n + other.n, self.total + other.total, self.squares + other.squares)

    def mean(self) -> Mean:
        """The mean with its interval (Student's t); ValueError if there are no values."""
        if not self.n:
            raise ValueError("no values, no mean")
        mean = float(Fraction(self.total) / self.n)
        if self.n == 1:
            return Mean(mean, -inf, inf, 1)
        spread = Fraction(self.n * self.squares - self.total * self.total)
        half = _student(self.n - 1) * sqrt(spread / (self.n * self.n * (self.n - 1)))
        return Mean(mean, mean - half, mean + half, self.n)


def mean_interval(values: Iterable[float]) -> Mean:
    """The mean of values with its interval; ValueError if there are none."""
    running = Running()
    for value in values:
        running.add(value)
    return running.mean()


def wilson(successes: float, n: int) -> tuple[float, float]:
    """Wilson's interval of a rate: it stays within 0 and 1 and holds for few games too.

    A shared victory may count as a part of a success. Of no games nothing is known.

    >>> [round(bound, 3) for bound in wilson(8, 10)]
    [0.49, 0.943]
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}")
    if not n:
        return 0.0, 1.0
    rate, square = successes / n, _Z * _Z
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = _Z / (1 + square / n) * sqrt(rate * (1 - rate) / n + square / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return low, high


def _student(freedom: int) -> float:
    """How many standard errors an interval reaches to each side, for these degrees of freedom.

    Exact for one and two; else by Cornish and Fisher's series, good to one percent.
    """
    if freedom == 1:
        return tan(pi * (_UPPER - 0.5))
    if freedom == 2:
        return (2 * _UPPER - 1) / sqrt(2 * _UPPER * (1 - _UPPER))
    z = _Z
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
