"""What the planner is given, a situation and a goal, and what it returns, a plan."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.rules.constants import FEATHER, Pieces
from coatl_tools.rules.events import UNKNOWN_CARD, Action
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import Built, Turn
from coatl_tools.rules.views import View


@dataclass(frozen=True, slots=True)
class AssemblyStep:
    """One step: an event as the referee reads it, and by how much it changes the points."""

    event: Action
    points: int


@dataclass(frozen=True, slots=True)
class AssemblyPlan:
    """An assembly. No steps: whatever is built now, nothing is gained.

    `points` is what all steps bring: the cards beside the player's Cóatls at the levels that they
    then have, less what they are worth before. In a last turn (`Situation.last`) the cards of
    incomplete Cóatls count as in the end, for nothing or half (rule 8.1).
    """

    steps: tuple[AssemblyStep, ...]
    points: int
    coatls: tuple[Built, ...]  # as they are then
    board: Pieces  # what is left on it
    hand: tuple[str, ...]


POINT_WEIGHT = 10_000  # far more than all that breaks ties can come to


@dataclass(frozen=True, slots=True)
class AssemblyGoal:
    """Weights of an assembly: a point gained, and what else there is to it.

    `closed[n]` is for a Cóatl completed with n Prophecy cards. `POINTS_NOW_GOAL` is for advice to
    people: points alone, and of equal assemblies the one that keeps most open. It completes no
    Cóatl in vain, uses the fewest pieces, and of these rather body segments than heads and tails.
    """

    point: int = POINT_WEIGHT
    piece: int = -20
    end: int = -5  # more for a head or a tail
    card: int = -1
    closed: tuple[int, int, int, int, int] = (-200,) * 5


POINTS_NOW_GOAL = AssemblyGoal()
# Nothing comes after a last turn: ties are broken by cards beside complete Cóatls (rule 5.2).
LAST_TURN_GOAL = AssemblyGoal(closed=(0, 100, 200, 300, 400))


@dataclass(frozen=True, slots=True)
class Situation:
    """A player's board, Cóatls and cards, as far as they are known.

    `tops` are the cards on the Temple piles, empty for none. `last` tells that no turn of this
    player comes after this one: cards beside an incomplete Cóatl then count as in the end.
    `closing` is the number of a Cóatl that was closed and is not complete yet (rule 3.10), or 0.
    """

    game: Game
    board: Pieces = ()
    coatls: tuple[Built, ...] = ()
    hand: tuple[str, ...] = ()
    temples: tuple[str, ...] = ()  # in the hand
    tops: tuple[str, str] = ("", "")
    last: bool = False
    closing: int = 0


def make_situation(view: View, seat: int | None = None) -> Situation:
    """Make the situation of a seat from a view; by default, of the viewer's own seat.

    ValueError if a spectator names no seat.
    """
    seat = view.player if seat is None else seat
    if seat is None:
        raise ValueError("a spectator has no board: name a seat")
    mine = view.seats[seat]
    one, other = view.piles
    return Situation(
        game=view.game,
        board=tuple(piece for piece in mine.board if piece != FEATHER),  # rule 10.3
        coatls=mine.coatls,
        hand=tuple(card for card in mine.hand if card != UNKNOWN_CARD),
        temples=tuple(card for card in mine.temples if card != UNKNOWN_CARD),
        tops=(one.top, other.top),
        last=_is_last_turn(view, seat),
        closing=view.closing if view.current_player == seat else 0,
    )


def _is_last_turn(view: View, seat: int) -> bool:
    """Tell whether the seat has no turn after its current or next one."""
    if view.ending is None:
        return False
    turns = [Turn(view.current_player, view.actions_left), *view.final_turns]
    return sum(turn.player == seat for turn in turns) <= 1
