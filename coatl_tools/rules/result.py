"""The result of a game: every point explained, ties broken (rules 5.1 to 5.3, 7.8, 8.1; 9.14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from coatl_tools.rules.constants import ADAM_INDEX, ADAM_NAME, FEATHER_POINTS
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import Adam, Built, GameState
from coatl_tools.scoring.score import CardScore, locate_on_scoreboard


@dataclass(frozen=True, slots=True)
class CoatlResult:
    """What a Cóatl is worth, and by which cards."""

    coatl: str
    complete: bool
    cards: tuple[CardScore, ...]
    points: int


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """A player's score. `cards` and `best` break ties (rule 5.2)."""

    name: str
    coatls: tuple[CoatlResult, ...]
    feathers: int  # points for golden segments (rule 10.3)
    points: int
    cards: int  # beside completed Cóatls
    temples: int  # of these, Temple cards
    best: int  # the completed Cóatl that is worth most

    @property
    def rank(self) -> tuple[int, int, int]:
        """What is compared, the most important first."""
        return self.points, self.cards, self.best

    @property
    def scoreboard(self) -> tuple[int, int]:
        """Tokens of 50, and the position of the marker (rule 5.3)."""
        return locate_on_scoreboard(self.points)


@dataclass(frozen=True, slots=True)
class AdamResult:
    """A.D.A.M.'s score: each fulfilled card at its highest level (rule 7.8)."""

    cards: tuple[tuple[str, int], ...]
    points: int
    temple_missing: bool  # the player has lost at level 1 for want of a Temple card (rule 7.10)
    name: str = ADAM_NAME


@dataclass(frozen=True, slots=True)
class GameResult:
    """Everybody's score, and who has won; several share a victory (ruling 9.14).

    At a solo table either the player (0) or A.D.A.M. (`ADAM_INDEX`) has.
    """

    players: tuple[PlayerResult, ...]
    winners: tuple[int, ...]
    adam: AdamResult | None = None


class ScorableSeat(Protocol):
    """The part of a player's things that scores points; it lies open to all."""

    @property
    def coatls(self) -> tuple[Built, ...]:
        """The Cóatls, with the cards beside them."""

    @property
    def feathers(self) -> int:
        """Golden segments laid beside the board (rule 10.3)."""


def compute_result(state: GameState) -> GameResult:
    """Compute the score as it stands: the final one when the game is over."""
    return compute_standing(state.game, state.players, state.adam)


def compute_standing(game: Game, seats: Sequence[ScorableSeat], adam: Adam | None) -> GameResult:
    """Compute the result from what lies open on the table, for example from a view's seats."""
    players = tuple(
        _compute_player_result(game, name, seat)
        for name, seat in zip(game.options.players, seats, strict=True)
    )
    if adam:
        return _compute_solo_result(game, players[0], adam)
    best = max(player.rank for player in players)
    winners = tuple(index for index, player in enumerate(players) if player.rank == best)
    return GameResult(players, winners)


def _compute_solo_result(game: Game, player: PlayerResult, adam: Adam) -> GameResult:
    """Compute the result of a solo game.

    The player needs more points than A.D.A.M. (7.8), and at level 1 a Temple card too (7.10).
    """
    cards = tuple((card, game.top_points(card)) for card in adam.fulfilled)
    points = sum(worth for _, worth in cards)
    missing = 1 in game.options.levels and not player.temples
    wins = player.points > points and not missing
    return GameResult((player,), (0 if wins else ADAM_INDEX,), AdamResult(cards, points, missing))


def _compute_player_result(game: Game, name: str, player: ScorableSeat) -> PlayerResult:
    coatls = tuple(compute_coatl_result(game, coatl) for coatl in player.coatls)
    complete = [coatl for coatl in coatls if coatl.complete]
    feathers = FEATHER_POINTS * player.feathers
    return PlayerResult(
        name=name,
        coatls=coatls,
        feathers=feathers,
        points=sum(coatl.points for coatl in coatls) + feathers,
        cards=sum(len(coatl.cards) for coatl in complete),
        temples=sum(bool(coatl.temple) for coatl in player.coatls if coatl.complete),
        best=max((coatl.points for coatl in complete), default=0),
    )


def compute_coatl_result(game: Game, coatl: Built) -> CoatlResult:
    """Compute what a Cóatl is worth now: all, half (rule 8.1) or none of its cards' points."""
    placed = [*coatl.prophecies, *filter(None, [coatl.temple])]
    scores = tuple(game.score(coatl.text, card, coatl.prophecies) for card in placed)
    points = sum(score.points for score in scores)
    if not coatl.complete:
        points = points // 2 if game.options.half_points else 0
    return CoatlResult(coatl.text, coatl.complete, scores, points)
