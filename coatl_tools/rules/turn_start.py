"""What holds whenever a turn begins: piles, supplies and rows have been refilled."""

from __future__ import annotations

from coatl_tools.errors import PositionError
from coatl_tools.rules.box import BODY, KIND, SUPPLY_CARDS
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.flow import cards_to_draw
from coatl_tools.rules.state import State
from coatl_tools.rules.supply_board import fill


def check_piles(state: State) -> None:
    """Raise PositionError unless the Temple piles hold all cards that lie nowhere else (2.3)."""
    hidden = sum(player.temples.count(UNKNOWN) for player in state.players)
    left = len(state.temples_free) - hidden
    buried = any(pile.below and not pile.top for pile in state.piles)
    below = [pile.below for pile in state.piles]
    if sum(below) != left or min(below) < 0 or buried:
        raise PositionError("position.piles", "2.3", left=max(0, left))


def check_supply(state: State) -> None:
    """Raise PositionError unless the Prophecy supply is full, as far as cards go (3.5, 7.7)."""
    cards, supply = cards_to_draw(state), state.supply
    if len(supply) < SUPPLY_CARDS and cards:
        raise PositionError(
            "position.refill",
            "3.5",
            ("rules.seen_supply", {}),
            cards=SUPPLY_CARDS,
            n=len(supply),
            left=cards,
        )
    if state.adam and supply and len(state.adam.row) < state.game.adam_refill:
        raise PositionError(
            "position.adam_short",
            "7.7",
            ("rules.seen_adam", {}),
            cards=state.game.adam_refill,
            n=len(state.adam.row),
        )


def check_board(state: State) -> None:
    """Raise PositionError unless the Supply board has been filled where that is due (3.2)."""
    left = {KIND[pieces[0]] for pieces in state.spaces if pieces}
    if not (BODY in left and len(left) > 1) and fill(state):
        raise PositionError("position.replenish", "3.2")
