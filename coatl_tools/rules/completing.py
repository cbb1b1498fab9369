"""Which Prophecy cards a closed Cóatl can get: one at least (rule 3.10), at level 4 four (9.16)."""

from __future__ import annotations

from coatl_tools.rules.game import Ids
from coatl_tools.rules.hidden import from_hand, hidden_in, may_hold
from coatl_tools.rules.state import Player, State, without


def can_complete(state: State, player: Player, coatl: str, placed: Ids) -> bool:
    """Whether a closed Cóatl with these cards beside it has enough, or the hand may have them."""
    wanted = state.game.least_prophecies - len(placed)
    if wanted <= 0:
        return True
    cards = state.game.fitting(coatl, may_hold(state, player), placed)
    if wanted == 1:
        return bool(cards)
    if _most(state, player, cards) < wanted:
        return False
    return any(placeable(state, player, coatl, placed, card) for card in cards)


def placeable(state: State, player: Player, coatl: str, placed: Ids, card: str) -> bool:
    """Whether a closed Cóatl can still be completed once this fitting card lies beside it."""
    if card in player.hand:
        player = player._replace(hand=without(player.hand, card))
    else:
        found = from_hand(state, player, card)
        if found is None:
            return False
        free, player = found
        state = state._replace(free=free)
    return can_complete(state, player, coatl, (*placed, card))


def _most(state: State, player: Player, cards: Ids) -> int:
    """At most so many of these cards can lie beside one Cóatl: a bound that spares a search."""
    game = state.game

    def kinds(some: list[str]) -> set[object]:
        return {game.by_id[card].colour if game.different_colours else card for card in some}

    known = kinds([card for card in cards if card in player.hand])
    others = kinds([card for card in cards if card not in player.hand]) - known
    return len(known) + min(len(others), len(hidden_in(player.hand)))
