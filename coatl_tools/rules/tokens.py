"""The Sacrifice tokens: when they may be used, and Priest Commitment."""

from __future__ import annotations

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.box import PERFECT_PICK, PRIEST_COMMITMENT, SEE_THE_FUTURE
from coatl_tools.rules.events import PriestCommitment
from coatl_tools.rules.flow import actions_after, after_action
from coatl_tools.rules.state import (
    READY,
    Player,
    State,
    joined,
    replaced,
    without,
)
from coatl_tools.rules.temples import take_top, top_of

_RULES = {PERFECT_PICK: "3.14", SEE_THE_FUTURE: "3.15", PRIEST_COMMITMENT: "3.16"}


def spent(state: State, token: str) -> tuple[int, Player]:
    """The actions left and the player without this token; IllegalActionError if not allowed."""
    actions = actions_after(state, None)
    player = state.players[state.turn]
    if not state.game.options.tokens:
        raise IllegalActionError("rules.no_tokens", "7.1" if state.game.solo else "2.1")
    if token not in player.tokens:
        raise IllegalActionError("rules.token_used", _RULES[token])
    if not may_use_tokens(state):
        raise IllegalActionError("rules.token_first", "8.3")
    return actions, player._replace(tokens=without(player.tokens, token))


def may_use_tokens(state: State) -> bool:
    """Whether this moment of a turn allows a token (rule 8.3)."""
    return state.stage is READY or not state.game.options.tokens_first


def priest_commitment(state: State, event: PriestCommitment) -> State:
    """Take the top card of a Temple pile into the hand (rule 3.16)."""
    actions, player = spent(state, PRIEST_COMMITMENT)
    card = top_of(state, event.pile, "3.16")
    player = player._replace(
        temples=joined(player.temples, card), temples_shown=joined(player.temples_shown, card)
    )
    state = state._replace(actions=actions, players=replaced(state.players, state.turn, player))
    return after_action(take_top(state, event.pile))
