"""A table as people see it when a turn begins: what is entered to join a game midway."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.rules.box import Pieces
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.state import Adam, Built, Ending, State


@dataclass(frozen=True, slots=True)
class PositionSeat:
    """What lies before a player. `?` is a card that the program does not know.

    Whether a Cóatl is complete is worked out: it is with a head and a tail.
    """

    board: Pieces = ()
    coatls: tuple[Built, ...] = ()
    hand: tuple[str, ...] = ()
    temples: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()  # those left
    golden: int = 0  # golden segments laid beside the board (rule 10.3)
    discarded: tuple[str, ...] = ()  # Prophecy cards put away face down
    shown: tuple[str, ...] = ()  # cards of the hand that everybody saw being taken
    temples_shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """A table at the start of a turn, as people see it.

    A `?` of `discards` is a card that nobody remembers; `below` is how many cards lie below the
    top of each Temple pile, None if nobody counted. `final` tells whether everybody's final turns
    have begun (rule 6.2), None where that follows from whose turn it is.
    """

    turn: int
    spaces: tuple[Pieces, ...]
    supply: tuple[str, ...]  # at a solo table from left to right
    tops: tuple[str, str]  # of the Temple piles; empty for an emptied pile
    seats: tuple[PositionSeat, ...]
    below: tuple[int | None, int | None] = (None, None)
    discards: tuple[str, ...] = ()
    adam: Adam | None = None
    ending: Ending | None = None
    final: bool | None = None
    passes: int = 0  # players who have just passed, one after the other


def position_of(state: State) -> Position:
    """What people see of a table at the start of a turn: `midway` leads back from there."""
    seats = tuple(
        PositionSeat(
            board=player.board,
            coatls=player.coatls,
            hand=_untold(player.hand),
            temples=player.temples,
            tokens=player.tokens,
            golden=player.feathers,
            discarded=_untold(player.discarded),
            shown=player.shown,
            temples_shown=player.temples_shown,
        )
        for player in state.players
    )
    one, other = state.piles
    final = None
    if state.ending and state.ending.cause == "bodies":
        final = all(turn.player != state.turn for turn in state.last)
    return Position(
        turn=state.turn,
        spaces=state.spaces,
        supply=state.supply,
        tops=(one.top, other.top),
        seats=seats,
        below=(one.below, other.below),
        discards=state.discards,
        adam=state.adam,
        ending=state.ending,
        final=final,
        passes=state.passes,
    )


def _untold(cards: tuple[str, ...]) -> tuple[str, ...]:
    """The cards of a hand, without what is known of hidden ones."""
    return tuple(card[:1] if card[0] == UNKNOWN else card for card in cards)
