"""What a simulation comes to: victories, points and endings, counted game by game.

A tally is a few numbers however many games there are, and tallies can be added: the sums are
exact, so that any portions give the same summary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from typing import Any

from coatl_tools.simulation.parts import Part, play_part
from coatl_tools.simulation.plan import Plan
from coatl_tools.simulation.playing import Played
from coatl_tools.simulation.rows import PlayerRow
from coatl_tools.simulation.statistics import Running, wilson

DIGITS = 6  # of a number behind the point: more would be noise
ENDINGS = ("third", "bodies", "passed")


@dataclass(slots=True)
class Record:
    """How somebody did, or a seat, or everybody at some levels."""

    wins: int = 0  # alone
    shared: int = 0  # games whose victory was shared
    won: Fraction = Fraction(0)  # with the shares of shared victories
    points: Running = field(default_factory=Running)
    margin: Running = field(default_factory=Running)
    coatls: Running = field(default_factory=Running)

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.points.n

    def add(self, row: PlayerRow, winners: int) -> None:
        """Count a game."""
        if row.won:
            self.wins += winners == 1
            self.shared += winners > 1
            self.won += Fraction(1, winners)
        self.points.add(row.points)
        self.margin.add(row.margin)
        self.coatls.add(row.coatls)

    def __add__(self, other: Record) -> Record:
        return Record(
            self.wins + other.wins,
            self.shared + other.shared,
            self.won + other.won,
            self.points + other.points,
            self.margin + other.margin,
            self.coatls + other.coatls,
        )

    def data(self) -> dict[str, Any]:
        """For programs."""
        score, rate = self.points.mean(), float(self.won / self.games)
        return {
            "wins": self.wins,
            "shared": self.shared,
            "win_rate": _rounded(rate),
            "win_interval": [_rounded(bound) for bound in wilson(float(self.won), self.games)],
            "mean_score": _rounded(score.mean),
            "score_interval": [_rounded(score.low), _rounded(score.high)],
            "mean_margin": _rounded(self.margin.mean().mean),
            "mean_coatls": _rounded(self.coatls.mean().mean),
        }


@dataclass(slots=True)
class Tally:
    """All that is counted of some games."""

    games: int = 0
    turns: Running = field(default_factory=Running)
    endings: Counter[str] = field(default_factory=Counter)
    players: dict[tuple[int, str], Record] = field(default_factory=dict)  # by number and bot
    seats: dict[int, Record] = field(default_factory=dict)
    # of solo games, the player's and A.D.A.M.'s by levels
    levels: dict[tuple[str, int], Record] = field(default_factory=dict)

    def add(self, played: Played) -> None:
        """Count a game."""
        (game,) = played.games
        self.games += 1
        self.turns.add(game.turns)
        self.endings[game.ending] += 1
        for row in played.players:
            places: list[tuple[dict[Any, Record], Any]] = [
                (self.players, (row.player, row.bot)),
                (self.seats, row.seat),
            ]
            if game.size == 1:
                places.append((self.levels, (game.levels, row.seat)))
            for records, key in places:
                records.setdefault(key, Record()).add(row, game.winners)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.turns + other.turns,
            self.endings + other.endings,
            _merged(self.players, other.players),
            _merged(self.seats, other.seats),
            _merged(self.levels, other.levels),
        )

    def data(self, plan: Plan) -> dict[str, Any]:
        """The summary for programs: nothing in it depends on the machine or the day."""
        found = {
            "games": self.games,
            "seed": plan.seed,
            "edition": plan.options.edition,
            "players": [
                {"player": number, "bot": bot, **self.players[number, bot].data()}
                for number, bot in sorted(self.players)
            ],
            "endings": {ending: self.endings[ending] for ending in ENDINGS},
            "mean_turns": _rounded(self.turns.mean().mean),
            "seats": [{"seat": seat, **self.seats[seat].data()} for seat in sorted(self.seats)],
        }
        return found | ({"adam": self._by_levels()} if self.levels else {})

    def _by_levels(self) -> list[dict[str, Any]]:
        """How the player did against A.D.A.M. at each combination of levels."""
        return [
            {
                "levels": levels,
                "games": record.games,
                **record.data(),
                "adam_mean_score": _rounded(self.levels[levels, 2].points.mean().mean),
            }
            for (levels, seat), record in sorted(self.levels.items())
            if seat == 1
        ]


def tally(games: Iterable[Played]) -> Tally:
    """Count some games."""
    found = Tally()
    for played in games:
        found.add(played)
    return found


def part_tally(plan: Plan, part: Part) -> Tally:
    """Play the games of a part, and keep nothing of them but the numbers."""
    return tally(play_part(plan, part))


def _merged(some: dict[Any, Record], more: dict[Any, Record]) -> dict[Any, Record]:
    keys = dict.fromkeys((*some, *more))
    return {key: some.get(key, Record()) + more.get(key, Record()) for key in keys}


def _rounded(value: float) -> float | None:
    """A number for JSON, which knows no infinity: there it is null."""
    return round(value, DIGITS) if isfinite(value) else None
