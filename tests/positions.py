"""Positions as people would write them down, made from states."""

from __future__ import annotations

from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.position.position import Position, PositionSeat
from coatl_tools.rules.state import GameState


def extract_position(state: GameState) -> Position:
    """Extract what people see of a table at the start of a turn; `build_state` is the reverse."""
    seats = tuple(
        PositionSeat(
            board=player.board,
            coatls=player.coatls,
            hand=_forget_hidden_details(player.hand),
            temples=player.temples,
            tokens=player.tokens,
            golden=player.feathers,
            discarded=_forget_hidden_details(player.discarded),
            shown=player.shown,
            temples_shown=player.temples_shown,
        )
        for player in state.players
    )
    one, other = state.piles
    final = None
    if state.ending and state.ending.cause == "bodies":
        final = all(turn.player != state.current_player for turn in state.final_turns)
    return Position(
        turn=state.current_player,
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


def _forget_hidden_details(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards of a hand, hidden ones as a plain `?`."""
    return tuple(card[:1] if card[0] == UNKNOWN_CARD else card for card in cards)
