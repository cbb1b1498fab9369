"""The two common Temple piles and the Temple cards in hands."""

from __future__ import annotations

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.events import UNKNOWN, DealTemple, TurnUpTemple
from coatl_tools.rules.flow import (
    after_draw,
    other_draw,
)
from coatl_tools.rules.hidden import known_card, not_there
from coatl_tools.rules.state import (
    Draw,
    Pile,
    PileDraw,
    Player,
    State,
    TempleDraw,
    joined,
    replaced,
    without,
)

_PILE_DRAWS = (PileDraw(1), PileDraw(2))


def top_of(state: State, pile: int, rule: str) -> str:
    """The card on top of a pile; IllegalActionError if there is none."""
    if not 1 <= pile <= len(state.piles):
        raise IllegalActionError("rules.no_pile", "2.3", pile=pile)
    if not state.piles[pile - 1].top:
        raise IllegalActionError("rules.pile_empty", rule, pile=pile)
    return state.piles[pile - 1].top


def take_top(state: State, pile: int) -> State:
    """The top of a pile is gone; the next card shows at once, if there is one (rule 2.3)."""
    below = state.piles[pile - 1].below
    left = Pile("", below)
    piles = (left, state.piles[1]) if pile == 1 else (state.piles[0], left)
    draws = (*state.draws, _PILE_DRAWS[pile - 1]) if below else state.draws
    return state._replace(piles=piles, draws=draws)


def answer_pile(state: State, draw: Draw, event: TurnUpTemple) -> State:
    """The next card of a pile shows."""
    if not isinstance(draw, PileDraw) or draw.pile != event.pile:
        raise other_draw(state)
    pile = Pile(event.card, state.piles[event.pile - 1].below - 1)
    piles = (pile, state.piles[1]) if event.pile == 1 else (state.piles[0], pile)
    free = _out_of_hiding(state, event.card)
    return _answered(state, state.players, piles, free)


def answer_temple(state: State, draw: Draw, event: DealTemple) -> State:
    """A player is dealt a Temple card, known or not."""
    if not isinstance(draw, TempleDraw) or draw.player != event.player:
        raise other_draw(state)
    free = state.temples_free
    if event.card != UNKNOWN:
        free = _out_of_hiding(state, event.card)
    elif not state.game.hidden_hands:
        raise IllegalActionError("rules.must_be_known", "9.17")
    player = state.players[event.player]
    player = player._replace(temples=joined(player.temples, event.card))
    players = replaced(state.players, event.player, player)
    return _answered(state, players, state.piles, free)


def _answered(
    state: State, players: tuple[Player, ...], piles: tuple[Pile, Pile], free: tuple[str, ...]
) -> State:
    return after_draw(
        state._replace(
            draws=state.draws[1:],
            drawn=state.drawn + 1,
            players=players,
            piles=piles,
            temples_free=free,
        )
    )


def _out_of_hiding(state: State, card: str) -> tuple[str, ...]:
    """`temples_free` without a card that shows now; IllegalActionError if it cannot be there."""
    known_card(state.game, card)
    if not state.game.is_temple(card):
        raise IllegalActionError("rules.no_temple_card", "1.3", card=card)
    if card not in state.temples_free:
        raise not_there(state, card)
    return without(state.temples_free, card)


def out_of_temples(state: State, player: Player, card: str) -> tuple[State, Player]:
    """Take a Temple card out of a hand, revealing it if it was hidden; or IllegalActionError."""
    if card in player.temples and card != UNKNOWN:
        shown = player.temples_shown
        return state, player._replace(
            temples=without(player.temples, card),
            temples_shown=without(shown, card) if card in shown else shown,
        )
    known_card(state.game, card)
    if not state.game.is_temple(card):
        raise IllegalActionError("rules.no_temple_card", "1.3", card=card)
    if UNKNOWN not in player.temples:
        raise IllegalActionError("rules.not_in_hand", "3.11", card=card)
    state = state._replace(temples_free=_out_of_hiding(state, card))
    return state, player._replace(temples=without(player.temples, UNKNOWN))


def temples_in_hand(state: State, player: Player) -> list[str]:
    """The different Temple cards that a hand has, or may turn out to have."""
    known = [card for card in dict.fromkeys(player.temples) if card != UNKNOWN]
    if UNKNOWN not in player.temples:
        return known
    return known + [card for card in dict.fromkeys(state.temples_free) if card not in known]
