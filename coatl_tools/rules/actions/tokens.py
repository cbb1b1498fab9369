"""The Sacrifice tokens: when they may be used, and what each of the three does (3.14 to 3.16)."""

from __future__ import annotations

from collections import Counter

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.actions.supply_board import (
    BAG_FIELDS,
    check_room,
    get_bag,
    list_supply_board_draws,
    remove_from_bag,
)
from coatl_tools.rules.actions.temples import get_pile_top, take_pile_top
from coatl_tools.rules.actions.turns import (
    continue_after_action,
    count_actions_after,
    list_prophecy_supply_draws,
    rebuild_deck_if_needed,
)
from coatl_tools.rules.constants import (
    BODY,
    FEATHER,
    KIND_OF_PIECE,
    PERFECT_PICK,
    PIECES_PER_SPACE,
    PRIEST_COMMITMENT,
    SEE_THE_FUTURE,
)
from coatl_tools.rules.events import (
    PerfectPick,
    PriestCommitment,
    SeeTheFuture,
)
from coatl_tools.rules.state import (
    DISCARDING,
    READY,
    GameState,
    Player,
    add_sorted,
    remove_item,
    replace_current_player,
)

_TOKEN_RULES = {PERFECT_PICK: "3.14", SEE_THE_FUTURE: "3.15", PRIEST_COMMITMENT: "3.16"}


def spend_token(state: GameState, token: str) -> tuple[int, Player]:
    """Spend a token: return the actions left and the player without it.

    IllegalActionError if it may not be used now.
    """
    actions = count_actions_after(state, None)
    player = state.players[state.current_player]
    if not state.game.options.tokens:
        raise IllegalActionError("rules.no_tokens", "7.1" if state.game.solo else "2.1")
    if token not in player.tokens:
        raise IllegalActionError("rules.token_used", _TOKEN_RULES[token])
    if not can_use_tokens(state):
        raise IllegalActionError("rules.token_first", "8.3")
    return actions, player._replace(tokens=remove_item(player.tokens, token))


def can_use_tokens(state: GameState) -> bool:
    """Tell whether a token may be used at this moment of a turn (rule 8.3)."""
    return state.stage is READY or not state.game.options.tokens_first


def use_priest_commitment(state: GameState, event: PriestCommitment) -> GameState:
    """Take the top card of a Temple pile into the hand (rule 3.16)."""
    actions, player = spend_token(state, PRIEST_COMMITMENT)
    card = get_pile_top(state, event.pile, "3.16")
    player = player._replace(
        temples=add_sorted(player.temples, card),
        temples_shown=add_sorted(player.temples_shown, card),
    )
    state = replace_current_player(state, player, actions_left=actions)
    return continue_after_action(take_pile_top(state, event.pile))


def use_perfect_pick(state: GameState, event: PerfectPick) -> GameState:
    """Take pieces of one's choice out of a bag; then fill every empty space (rule 3.14)."""
    actions, player = spend_token(state, PERFECT_PICK)
    kinds = Counter(KIND_OF_PIECE.get(piece, "") for piece in event.pieces)
    kind = next(iter(kinds), "")
    if FEATHER in event.pieces:
        raise IllegalActionError("rules.pick_no_feather", "10.3")
    if kinds != {kind: PIECES_PER_SPACE.get(kind)}:
        pieces = " ".join(event.pieces)
        raise IllegalActionError("rules.pick_what", "3.14", pieces=pieces, n=PIECES_PER_SPACE[BODY])
    check_room(player.board, len(event.pieces), "3.14")
    bag = remove_from_bag(get_bag(state, kind), event.pieces, "3.14")
    player = player._replace(board=add_sorted(player.board, *event.pieces))
    state = replace_current_player(state, player, actions_left=actions, **{BAG_FIELDS[kind]: bag})
    return continue_after_action(state._replace(draws=list_supply_board_draws(state)))


def use_see_the_future(state: GameState, _: SeeTheFuture) -> GameState:
    """Discard the face-up supply and refill it (rule 3.15)."""
    actions, player = spend_token(state, SEE_THE_FUTURE)
    state = replace_current_player(
        state,
        player,
        stage=DISCARDING,
        actions_left=actions,
        supply=(),
        discards=add_sorted(state.discards, *state.supply),
    )
    return rebuild_deck_if_needed(state._replace(draws=list_prophecy_supply_draws(state)))
