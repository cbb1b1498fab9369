"""The figures of a report as frozen values: counts, and the rates and means that follow from
them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from coatl_tools.cards.card import Card
from coatl_tools.simulation.statistics import Estimate, RunningMean, compute_wilson_interval


def compute_rate(part: float, n: int) -> Estimate | None:
    """Compute the share of `part` in n with Wilson's interval; None if n is 0."""
    return Estimate(part / n, *compute_wilson_interval(min(part, n), n), n) if n else None


@dataclass(frozen=True)
class Distribution:
    """How often each whole number came up, from the smallest on."""

    counts: tuple[tuple[int, int], ...] = ()

    @classmethod
    def from_counts(cls, counted: Mapping[int, int]) -> Distribution:
        """Make it from a count for each number."""
        return cls(tuple(sorted((value, n) for value, n in counted.items() if n)))

    @cached_property
    def n(self) -> int:
        """The number of values."""
        return sum(n for _, n in self.counts)

    @cached_property
    def mean(self) -> Estimate | None:
        """Their mean with its interval; None if there are no values."""
        total = sum(value * n for value, n in self.counts)
        squares = sum(value * value * n for value, n in self.counts)
        return RunningMean(self.n, total, squares).mean() if self.n else None

    def quantile(self, part: float) -> float:
        """Return the number below which a part (0 to 1) of the values lies, interpolated.

        >>> Distribution(((1, 1), (2, 1), (4, 2))).quantile(0.5)
        3.0
        """
        place = part * (self.n - 1)
        low, high = self._value_at(int(place)), self._value_at(min(int(place) + 1, self.n - 1))
        return low + (high - low) * (place - int(place))

    def _value_at(self, index: int) -> int:
        return self.counts[bisect_left(self._cumulative_counts, index + 1)][0]

    @cached_property
    def _cumulative_counts(self) -> list[int]:
        return list(accumulate(n for _, n in self.counts))


class GameGroup(NamedTuple):
    """Games of one kind: how many players, and in a solo game the levels of A.D.A.M."""

    size: int
    levels: str = ""

    @property
    def solo(self) -> bool:
        """Whether it is one player against A.D.A.M."""
        return self.size == 1

    @property
    def order(self) -> tuple[bool, int, str]:
        """The sort key: games of several players come first."""
        return self.solo, self.size, self.levels


class TurnUses(NamedTuple):
    """What turns are used for: how many actions of each kind, in so many turns."""

    turns: int
    takes: int
    choices: int
    assemblies: int
    tokens: int


@dataclass(frozen=True)
class PlayerFigures:
    """Points, victories and turns of the players in one seat, or of one kind of bot."""

    name: str  # of the seat or of the bot
    points: Distribution
    won: float
    uses: TurnUses

    @property
    def wins(self) -> Estimate | None:
        """The share of games that they win."""
        return compute_rate(self.won, self.points.n)


@dataclass(frozen=True)
class GroupFigures:
    """The figures of all games of one kind."""

    group: GameGroup
    games: int
    turns: Distribution  # of a game
    endings: Mapping[str, int]
    shared: int  # games without a single winner
    seats: tuple[PlayerFigures, ...]
    bots: tuple[PlayerFigures, ...]
    adam: PlayerFigures | None
    coatls: Distribution  # completed, per player
    unfinished: Distribution  # begun and not completed, per player
    pieces: Distribution  # of completed Cóatls
    coatl_points: Distribution  # of completed Cóatls


@dataclass(frozen=True)
class CardFigures:
    """What became of one card. A.D.A.M.'s cards are not among them: it does not choose."""

    card: Card
    points: Distribution  # of every appearance, 0 if it brought none
    taken: int
    placed_points: Distribution
    unfinished: int  # placed on a Cóatl that was never completed
    levels: tuple[int, ...]  # placed cards by the level that they ended at, from 0 on
    won: float
    expected: float  # victories, if the card made no difference

    @property
    def appearances(self) -> int:
        """How often a player could take it."""
        return self.points.n

    @property
    def placed(self) -> int:
        """How often it was placed beside a Cóatl."""
        return self.placed_points.n

    @property
    def worthless_placings(self) -> int:
        """How often it was placed and worth nothing in the end."""
        return dict(self.placed_points.counts).get(0, 0)

    @property
    def per_appearance(self) -> Estimate | None:
        """The mean points of an appearance."""
        return self._mean(self.points)

    @property
    def per_placing(self) -> Estimate | None:
        """The mean points of a placing."""
        return self._mean(self.placed_points)

    def _mean(self, points: Distribution) -> Estimate | None:
        """Compute a mean whose interval stays within the card's points and is never empty.

        Equal values seem to have no spread. Then the interval assumes that as many unseen values
        as Wilson's bound allows are 0, or the most that the card can score.
        """
        if (mean := points.mean) is None:
            return None
        top = max(self.card.levels[-1].points, points.counts[-1][0])
        low, high = max(mean.low, 0.0), min(mean.high, float(top))
        if len(points.counts) == 1:
            others = compute_wilson_interval(0, points.n)[1]
            low, high = mean.value * (1 - others), mean.value + (top - mean.value) * others
        return Estimate(mean.value, low, high, points.n)

    @property
    def wins(self) -> Estimate | None:
        """How often a player who placed it has won."""
        return compute_rate(self.won, self.placed)

    @property
    def win_surplus(self) -> Estimate | None:
        """By how much more often than expected they have won; below 0 if less often."""
        if (wins := self.wins) is None:
            return None
        expected = self.expected / self.placed
        bounds = wins.low - expected, wins.high - expected
        return Estimate(wins.value - expected, *bounds, wins.n)


@dataclass(frozen=True)
class ReportFigures:
    """All figures of a report."""

    games: int
    groups: tuple[GroupFigures, ...]
    cards: tuple[CardFigures, ...]

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots that play, sorted."""
        return tuple(sorted({bot.name for group in self.groups for bot in group.bots}))
