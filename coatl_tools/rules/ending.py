"""Who has won: every point explained, ties broken (rules 5.1 to 5.3, 8.1; ruling 9.14)."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.rules.box import FEATHER_POINTS
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import Built, Player, State
from coatl_tools.scoring.score import CardScore
from coatl_tools.scoring.scoreboard import scoreboard


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
    best: int  # the completed Cóatl that is worth most

    @property
    def rank(self) -> tuple[int, int, int]:
        """What is compared, the most important first."""
        return self.points, self.cards, self.best

    @property
    def scoreboard(self) -> tuple[int, int]:
        """Tokens of 50, and the position of the marker (rule 5.3)."""
        return scoreboard(self.points)


@dataclass(frozen=True, slots=True)
class Result:
    """Everybody's score, and who has won; several share a victory (ruling 9.14)."""

    players: tuple[PlayerResult, ...]
    winners: tuple[int, ...]


def result(state: State) -> Result:
    """The score as it stands: the final one when the game is over."""
    game = state.game
    players = tuple(
        _player_result(game, name, player)
        for name, player in zip(game.options.players, state.players, strict=True)
    )
    best = max(player.rank for player in players)
    winners = tuple(index for index, player in enumerate(players) if player.rank == best)
    return Result(players, winners)


def _player_result(game: Game, name: str, player: Player) -> PlayerResult:
    coatls = tuple(coatl_result(game, coatl) for coatl in player.coatls)
    complete = [coatl for coatl in coatls if coatl.complete]
    feathers = FEATHER_POINTS * player.feathers
    return PlayerResult(
        name=name,
        coatls=coatls,
        feathers=feathers,
        points=sum(coatl.points for coatl in coatls) + feathers,
        cards=sum(len(coatl.cards) for coatl in complete),
        best=max((coatl.points for coatl in complete), default=0),
    )


def coatl_result(game: Game, coatl: Built) -> CoatlResult:
    """What a Cóatl is worth now: all, half (rule 8.1) or none of its cards' points."""
    placed = [*coatl.prophecies, *filter(None, [coatl.temple])]
    scores = tuple(game.score(coatl.text, card, coatl.prophecies) for card in placed)
    points = sum(score.points for score in scores)
    if not coatl.complete:
        points = points // 2 if game.options.half_points else 0
    return CoatlResult(coatl.text, coatl.complete, scores, points)
