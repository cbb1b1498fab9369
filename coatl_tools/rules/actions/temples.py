"""The two common Temple piles and the Temple cards in hands."""

from __future__ import annotations

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.actions.turns import continue_after_draw, make_wrong_draw_error
from coatl_tools.rules.events import UNKNOWN_CARD, DealTemple, TurnUpTemple
from coatl_tools.rules.hidden_cards import check_card_exists, make_card_elsewhere_error
from coatl_tools.rules.state import (
    GameState,
    Pile,
    PileDraw,
    Player,
    TempleDraw,
    add_sorted,
    remove_item,
    replace_item,
)

_PILE_DRAWS = (PileDraw(1), PileDraw(2))


def get_pile_top(state: GameState, pile: int, rule: str) -> str:
    """Return the card on top of a pile; IllegalActionError if there is none."""
    if not 1 <= pile <= len(state.piles):
        raise IllegalActionError("rules.no_pile", "2.3", pile=pile)
    if not state.piles[pile - 1].top:
        raise IllegalActionError("rules.pile_empty", rule, pile=pile)
    return state.piles[pile - 1].top


def take_pile_top(state: GameState, pile: int) -> GameState:
    """Take the top of a pile; the next card shows at once, if there is one (rule 2.3)."""
    below = state.piles[pile - 1].below
    piles = replace_item(state.piles, pile - 1, Pile("", below))
    draws = (*state.draws, _PILE_DRAWS[pile - 1]) if below else state.draws
    return state._replace(piles=piles, draws=draws)


def answer_pile_draw(state: GameState, draw: PileDraw, event: TurnUpTemple) -> GameState:
    """Turn up the next card of a pile."""
    if draw.pile != event.pile:
        raise make_wrong_draw_error(state)
    place = event.pile - 1
    pile = Pile(event.card, state.piles[place].below - 1)
    free = _take_free_temple(state, event.card)
    return continue_after_draw(
        state, piles=replace_item(state.piles, place, pile), unlocated_temples=free
    )


def answer_temple_draw(state: GameState, draw: TempleDraw, event: DealTemple) -> GameState:
    """Deal a Temple card to a player, known or not."""
    if draw.player != event.player:
        raise make_wrong_draw_error(state)
    free = state.unlocated_temples
    if event.card != UNKNOWN_CARD:
        free = _take_free_temple(state, event.card)
    elif not state.game.hidden_hands:
        raise IllegalActionError("rules.must_be_known", "9.17")
    player = state.players[event.player]
    player = player._replace(temples=add_sorted(player.temples, event.card))
    players = replace_item(state.players, event.player, player)
    return continue_after_draw(state, players=players, unlocated_temples=free)


def _take_free_temple(state: GameState, card: str) -> tuple[str, ...]:
    """Return `unlocated_temples` without this card; IllegalActionError if it is not among them."""
    check_card_exists(state.game, card)
    if not state.game.is_temple(card):
        raise IllegalActionError("rules.no_temple_card", "1.3", card=card)
    if card not in state.unlocated_temples:
        raise make_card_elsewhere_error(state, card)
    return remove_item(state.unlocated_temples, card)


def take_temple_from_hand(state: GameState, player: Player, card: str) -> tuple[GameState, Player]:
    """Take a Temple card out of a hand, even a hidden one; IllegalActionError if not there."""
    if card in player.temples and card != UNKNOWN_CARD:
        shown = player.temples_shown
        return state, player._replace(
            temples=remove_item(player.temples, card),
            temples_shown=remove_item(shown, card) if card in shown else shown,
        )
    check_card_exists(state.game, card)
    if not state.game.is_temple(card):
        raise IllegalActionError("rules.no_temple_card", "1.3", card=card)
    if UNKNOWN_CARD not in player.temples:
        raise IllegalActionError("rules.not_in_hand", "3.11", card=card)
    state = state._replace(unlocated_temples=_take_free_temple(state, card))
    return state, player._replace(temples=remove_item(player.temples, UNKNOWN_CARD))


def list_temples_in_hand(state: GameState, player: Player) -> list[str]:
    """List the different Temple cards that a hand has, or may turn out to have."""
    known = [card for card in dict.fromkeys(player.temples) if card != UNKNOWN_CARD]
    if UNKNOWN_CARD not in player.temples:
        return known
    return known + [card for card in dict.fromkeys(state.unlocated_temples) if card not in known]
