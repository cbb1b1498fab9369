"""The figures of a report as frozen values: counts, and the rates and means that follow from
them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from coatl_tools.cards.card import Card
from coatl_tools.simulation.statistics import Mean, RunningMean, compute_wilson_interval


class Rate(NamedTuple):
    """A share of n, with Wilson's interval."""

    share: float
    low: float
    high: float
    n: int


def compute_rate(part: float, n: int) -> Rate | None:
    """So many of n as a share; None of nothing."""
    return Rate(part / n, *compute_wilson_interval(min(part, n), n), n) if n else None


@dataclass(frozen=True)
class Distribution:
    """How often each whole number came up, from the smallest on."""

    counts: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, counted: Mapping[int, int]) -> Distribution:
        """From counts by number."""
        return cls(tuple(sorted((value, n) for value, n in counted.items() if n)))

    @cached_property
    def n(self) -> int:
        """How many numbers there are."""
        return sum(n for _, n in self.counts)

    @cached_property
    def mean(self) -> Mean | None:
        """Their mean with its interval; None of nothing."""
        total = sum(value * n for value, n in self.counts)
        squares = sum(value * value * n for value, n in self.counts)
        return RunningMean(self.n, total, squares).mean() if self.n else None

    def quantile(self, part: float) -> float:
        """The number below which such a part lies, between two neighbours as far as need be.

        >>> Distribution(((1, 1), (2, 1), (4, 2))).quantile(0.5)
        3.0
        """
        place = part * (self.n - 1)
        low, high = self._at(int(place)), self._at(min(int(place) + 1, self.n - 1))
        return low + (high - low) * (place - int(place))

    def _at(self, index: int) -> int:
        return self.counts[bisect_left(self._upto, index + 1)][0]

    @cached_property
    def _upto(self) -> list[int]:
        return list(accumulate(n for _, n in self.counts))

    def __add__(self, other: Distribution) -> Distribution:
        """Both together."""
        counted = dict(self.counts)
        for value, n in other.counts:
            counted[value] = counted.get(value, 0) + n
        return Distribution.of(counted)


def join_distributions(spreads: Iterable[Distribution]) -> Distribution:
    """All of them as one."""
    return sum(spreads, Distribution())


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
        """Games of several players come first."""
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
    """What those in one seat, or of one kind, have reached."""

    name: str  # of the seat or of the bot
    points: Distribution
    won: float
    uses: TurnUses

    @property
    def wins(self) -> Rate | None:
        """How often they win."""
        return compute_rate(self.won, self.points.n)


@dataclass(frozen=True)
class GroupFigures:
    """All about the games of one kind."""

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

    @property
    def uses(self) -> TurnUses:
        """What all players' turns are used for."""
        return TurnUses(*map(sum, zip(*(seat.uses for seat in self.seats), strict=True)))


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
    def appeared(self) -> int:
        """How often somebody could have it."""
        return self.points.n

    @property
    def placed(self) -> int:
        """How often it was laid beside a Cóatl."""
        return self.placed_points.n

    @property
    def broken(self) -> int:
        """How often it was placed and worth nothing in the end."""
        return dict(self.placed_points.counts).get(0, 0)

    @property
    def per_appearance(self) -> Mean | None:
        """Points for each time that it could be had."""
        return self._mean(self.points)

    @property
    def per_placing(self) -> Mean | None:
        """Points for each time that it was placed."""
        return self._mean(self.placed_points)

    def _mean(self, points: Distribution) -> Mean | None:
        """A mean whose interval stays within what the card can bring, and is never a point.

        Where all values are equal they seem to have no spread: as many others as Wilson allows
        may still be to come, and be worth nothing, or all that the card can bring.
        """
        if (mean := points.mean) is None:
            return None
        top = max(self.card.levels[-1].points, points.counts[-1][0])
        low, high = max(mean.low, 0.0), min(mean.high, float(top))
        if len(points.counts) == 1:
            others = compute_wilson_interval(0, points.n)[1]
            low, high = mean.mean * (1 - others), mean.mean + (top - mean.mean) * others
        return Mean(mean.mean, low, high, points.n)

    @property
    def wins(self) -> Rate | None:
        """How often a player who placed it has won."""
        return compute_rate(self.won, self.placed)

    @property
    def edge(self) -> Rate | None:
        """By how much more often than expected; below 0 if less often."""
        if (wins := self.wins) is None:
            return None
        usual = self.expected / self.placed
        return Rate(wins.share - usual, wins.low - usual, wins.high - usual, wins.n)


@dataclass(frozen=True)
class ReportFigures:
    """All that the games say."""

    games: int
    groups: tuple[GroupFigures, ...]
    cards: tuple[CardFigures, ...]

    @property
    def bots(self) -> tuple[str, ...]:
        """The kinds of bots that play."""
        return tuple(sorted({bot.name for group in self.groups for bot in group.bots}))
