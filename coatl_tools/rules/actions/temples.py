"""The two common Temple piles and the Temple cards in hands."""

from __future__ import annotations

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.actions.turns import continue_after_draw, make_wrong_draw_error
from coatl_tools.rules.events import UNKNOWN_CARD, DealTemple, TurnUpTemple
from coatl_tools.rules.hidden_cards import check_card_exists, make_card_elsewhere_error
from coatl_tools.rules.state import (
    Draw,
    GameState,
    Pile,
    PileDraw,
    Player,
    TempleDraw,
    add_sorted,
    remove_item,
    replace_player,
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
    left = Pile("", below)
    piles = (left, state.piles[1]) if pile == 1 else (state.piles[0], left)
    draws = (*state.draws, _PILE_DRAWS[pile - 1]) if below else state.draws
    return state._replace(piles=piles, draws=draws)


def answer_pile_draw(state: GameState, draw: Draw, event: TurnUpTemple) -> GameState:
    """Turn up the next card of a pile."""
    if not isinstance(draw, PileDraw) or draw.pile != event.pile:
        raise make_wrong_draw_error(state)
    pile = Pile(event.card, state.piles[event.pile - 1].below - 1)
    piles = (pile, state.piles[1]) if event.pile == 1 else (state.piles[0], pile)
    free = _take_free_temple(state, event.card)
    return _finish_temple_draw(state, state.players, piles, free)


def answer_temple_draw(state: GameState, draw: Draw, event: DealTemple) -> GameState:
    """Deal a Temple card to a player, known or not."""
    if not isinstance(draw, TempleDraw) or draw.player != event.player:
        raise make_wrong_draw_error(state)
    free = state.unlocated_temples
    if event.card != UNKNOWN_CARD:
        free = _take_free_temple(state, event.card)
    elif not state.game.hidden_hands:
        raise IllegalActionError("rules.must_be_known", "9.17")
    player = state.players[event.player]
    player = player._replace(temples=add_sorted(player.temples, event.card))
    players = replace_player(state.players, event.player, player)
    return _finish_temple_draw(state, players, state.piles, free)


def _finish_temple_draw(
    state: GameState, players: tuple[Player, ...], piles: tuple[Pile, Pile], free: tuple[str, ...]
) -> GameState:
    return continue_after_draw(
        state._replace(
            draws=state.draws[1:],
            draws_answered=state.draws_answered + 1,
            players=players,
            piles=piles,
            unlocated_temples=free,
        )
    )


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
