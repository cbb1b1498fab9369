"""What a player can build with: all that matters for an assembly, and nothing hidden."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.rules.box import FEATHER, Pieces
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import Built, Turn
from coatl_tools.rules.views import View


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


def situation_of(seen: View, seat: int | None = None) -> Situation:
    """A seat of a table as somebody sees it; without a seat, that of the one who looks.

    ValueError if a spectator names no seat.
    """
    seat = seen.player if seat is None else seat
    if seat is None:
        raise ValueError("a spectator has no board: name a seat")
    mine = seen.seats[seat]
    one, other = seen.piles
    return Situation(
        game=seen.game,
        board=tuple(piece for piece in mine.board if piece != FEATHER),  # rule 10.3
        coatls=mine.coatls,
        hand=tuple(card for card in mine.hand if card != UNKNOWN),
        temples=tuple(card for card in mine.temples if card != UNKNOWN),
        tops=(one.top, other.top),
        last=_is_last(seen, seat),
        closing=seen.closing if seen.turn == seat else 0,
    )


def _is_last(seen: View, seat: int) -> bool:
    """Whether the seat has no turn after the one that is played, or that it plays next."""
    if seen.ending is None:
        return False
    turns = [Turn(seen.turn, seen.actions), *seen.last]
    return sum(turn.player == seat for turn in turns) <= 1
