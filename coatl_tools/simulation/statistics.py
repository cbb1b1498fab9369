"""Statistics of simulated games: victories, points and endings, as rates and means with their
95 % intervals.

Sums are exact, so that neither the order of the games nor the portions in which they are counted
change a single digit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isfinite, pi, sqrt, tan
from statistics import NormalDist
from typing import Any, NamedTuple

from coatl_tools.simulation.chunks import Chunk, play_chunk
from coatl_tools.simulation.datasets import GameRows, PlayerDataRow
from coatl_tools.simulation.plan import SimulationPlan

CONFIDENCE = 0.95
_UPPER_QUANTILE = (1 + CONFIDENCE) / 2
_Z = NormalDist().inv_cdf(_UPPER_QUANTILE)  # 1.96


class Estimate(NamedTuple):
    """A mean or a rate, its interval, and from how many cases it comes.

    The mean of a single value says nothing of the spread: its interval is -inf to inf.
    """

    value: float
    low: float
    high: float
    n: int


@dataclass(slots=True)
class RunningMean:
    """A mean that values are added to one by one, in memory that does not grow.

    >>> points = RunningMean()
    >>> for value in (41, 52, 60):
    ...     points.add(value)
    >>> points.mean()
    Estimate(value=51.0, low=27.3..., high=74.6..., n=3)
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

    def __add__(self, other: RunningMean) -> RunningMean:
        """Return both together, as if all values had been added to one."""
        return RunningMean(self.n + other.n, self.total + other.total, self.squares + other.squares)

    def mean(self) -> Estimate:
        """Return the mean with its interval (Student's t); ValueError if there are no values."""
        if not self.n:
            raise ValueError("no values, no mean")
        mean = float(Fraction(self.total) / self.n)
        if self.n == 1:
            return Estimate(mean, -inf, inf, 1)
        spread = Fraction(self.n * self.squares - self.total * self.total)
        half = _student_t_quantile(self.n - 1) * sqrt(spread / (self.n * self.n * (self.n - 1)))
        return Estimate(mean, mean - half, mean + half, self.n)


def compute_wilson_interval(successes: float, n: int) -> tuple[float, float]:
    """Compute Wilson's interval of a rate: it stays within 0 and 1, and holds for few games too.

    A shared victory may count as a part of a success. Of no games nothing is known.

    >>> [round(bound, 3) for bound in compute_wilson_interval(8, 10)]
    [0.49, 0.943]
    >>> compute_wilson_interval(0, 0)
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


def _student_t_quantile(freedom: int) -> float:
    """Compute how many standard errors an interval reaches to each side, by degrees of freedom.

    Exact for one and two; else by Cornish and Fisher's series, good to one percent.
    """
    if freedom == 1:
        return tan(pi * (_UPPER_QUANTILE - 0.5))
    if freedom == 2:
        return (2 * _UPPER_QUANTILE - 1) / sqrt(2 * _UPPER_QUANTILE * (1 - _UPPER_QUANTILE))
    z = _Z
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


DECIMAL_DIGITS = 6  # of a number behind the point: more would be noise
ENDINGS = ("third", "bodies", "passed")


@dataclass(slots=True)
class ResultCounts:
    """The results of a player, of a seat, or of all games at some levels."""

    wins: int = 0  # alone
    shared: int = 0  # games whose victory was shared
    won: Fraction = Fraction(0)  # with the shares of shared victories
    points: RunningMean = field(default_factory=RunningMean)
    margin: RunningMean = field(default_factory=RunningMean)
    coatls: RunningMean = field(default_factory=RunningMean)

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.points.n

    def add(self, row: PlayerDataRow, winners: int) -> None:
        """Count a game."""
        if row.won:
            self.wins += winners == 1
            self.shared += winners > 1
            self.won += Fraction(1, winners)
        self.points.add(row.points)
        self.margin.add(row.margin)
        self.coatls.add(row.coatls)

    def __add__(self, other: ResultCounts) -> ResultCounts:
        return ResultCounts(
            self.wins + other.wins,
            self.shared + other.shared,
            self.won + other.won,
            self.points + other.points,
            self.margin + other.margin,
            self.coatls + other.coatls,
        )

    def data(self) -> dict[str, Any]:
        """Return the results as JSON data."""
        score, rate = self.points.mean(), float(self.won / self.games)
        return {
            "wins": self.wins,
            "shared": self.shared,
            "win_rate": _round_for_json(rate),
            "win_interval": [
                _round_for_json(bound)
                for bound in compute_wilson_interval(float(self.won), self.games)
            ],
            "mean_score": _round_for_json(score.value),
            "score_interval": [_round_for_json(score.low), _round_for_json(score.high)],
            "mean_margin": _round_for_json(self.margin.mean().value),
            "mean_coatls": _round_for_json(self.coatls.mean().value),
        }


@dataclass(slots=True)
class SimulationSummary:
    """All that is counted of some games."""

    games: int = 0
    turns: RunningMean = field(default_factory=RunningMean)
    endings: Counter[str] = field(default_factory=Counter)
    players: dict[tuple[int, str], ResultCounts] = field(default_factory=dict)  # by number and bot
    seats: dict[int, ResultCounts] = field(default_factory=dict)
    # of solo games, the player's and A.D.A.M.'s by levels
    levels: dict[tuple[str, int], ResultCounts] = field(default_factory=dict)

    def add(self, played: GameRows) -> None:
        """Count a game."""
        (game,) = played.games
        self.games += 1
        self.turns.add(game.turns)
        self.endings[game.ending] += 1
        for row in played.players:
            places: list[tuple[dict[Any, ResultCounts], Any]] = [
                (self.players, (row.player, row.bot)),
                (self.seats, row.seat),
            ]
            if game.size == 1:
                places.append((self.levels, (game.levels, row.seat)))
            for records, key in places:
                records.setdefault(key, ResultCounts()).add(row, game.winners)

    def __add__(self, other: SimulationSummary) -> SimulationSummary:
        return SimulationSummary(
            self.games + other.games,
            self.turns + other.turns,
            self.endings + other.endings,
            _merge_counts(self.players, other.players),
            _merge_counts(self.seats, other.seats),
            _merge_counts(self.levels, other.levels),
        )

    def data(self, plan: SimulationPlan) -> dict[str, Any]:
        """Return the summary as JSON data; nothing in it depends on the machine or the day."""
        found = {
            "games": self.games,
            "seed": plan.seed,
            "edition": plan.options.edition,
            "players": [
                {"player": number, "bot": bot, **self.players[number, bot].data()}
                for number, bot in sorted(self.players)
            ],
            "endings": {ending: self.endings[ending] for ending in ENDINGS},
            "mean_turns": _round_for_json(self.turns.mean().value),
            "seats": [{"seat": seat, **self.seats[seat].data()} for seat in sorted(self.seats)],
        }
        return found | ({"adam": self._by_levels()} if self.levels else {})

    def _by_levels(self) -> list[dict[str, Any]]:
        """List how the player did against A.D.A.M. at each combination of levels."""
        return [
            {
                "levels": levels,
                "games": record.games,
                **record.data(),
                "adam_mean_score": _round_for_json(self.levels[levels, 2].points.mean().value),
            }
            for (levels, seat), record in sorted(self.levels.items())
            if seat == 1
        ]


def summarize_games(games: Iterable[GameRows]) -> SimulationSummary:
    """Count some games."""
    found = SimulationSummary()
    for played in games:
        found.add(played)
    return found


def summarize_chunk(plan: SimulationPlan, chunk: Chunk) -> SimulationSummary:
    """Play the games of a chunk, and return only their summary."""
    return summarize_games(play_chunk(plan, chunk))


def _merge_counts(
    some: dict[Any, ResultCounts], more: dict[Any, ResultCounts]
) -> dict[Any, ResultCounts]:
    keys = dict.fromkeys((*some, *more))
    return {key: some.get(key, ResultCounts()) + more.get(key, ResultCounts()) for key in keys}


def _round_for_json(value: float) -> float | None:
    """Round a number for JSON, which knows no infinity: there it is null."""
    return round(value, DECIMAL_DIGITS) if isfinite(value) else None
