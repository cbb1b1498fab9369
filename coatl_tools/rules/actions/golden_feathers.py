"""The Golden Feathers variant: the action that a golden segment buys (rule 10.3)."""

from __future__ import annotations

from itertools import combinations_with_replacement

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.actions.supply_board import check_room
from coatl_tools.rules.actions.turns import continue_after_action, count_actions_after
from coatl_tools.rules.constants import BOARD_SPACES, BODIES, FEATHER, phrase_piece
from coatl_tools.rules.events import LayGolden
from coatl_tools.rules.state import (
    GameState,
    add_sorted,
    remove_item,
    replace_current_player,
    replace_item,
)

MAX_SEGMENTS_TAKEN = 2


def lay_golden_segment(state: GameState, event: LayGolden) -> GameState:
    """Lay a golden segment beside an opponent's board, and take body segments for it."""
    actions = count_actions_after(state, None)
    player = state.players[state.current_player]
    if FEATHER not in player.board:
        raise IllegalActionError("rules.no_feather", "10.3")
    if not 0 <= event.player < state.game.size or event.player == state.current_player:
        raise IllegalActionError("rules.no_opponent", "10.3")
    if not 1 <= len(event.pieces) <= MAX_SEGMENTS_TAKEN:
        raise IllegalActionError("rules.feather_takes", "10.3", most=MAX_SEGMENTS_TAKEN)
    opponent = state.players[event.player]
    board = opponent.board
    for piece in event.pieces:
        if piece not in BODIES or piece not in board:
            raise IllegalActionError("rules.opponent_lacks", "10.3", piece=phrase_piece(piece))
        board = remove_item(board, piece)
    own = remove_item(player.board, FEATHER)
    check_room(own, len(event.pieces), "10.3")
    opponent = opponent._replace(board=board, feathers=opponent.feathers + 1)
    player = player._replace(board=add_sorted(own, *event.pieces))
    state = state._replace(players=replace_item(state.players, event.player, opponent))
    return continue_after_action(replace_current_player(state, player, actions_left=actions))


def list_golden_actions(state: GameState) -> list[LayGolden]:
    """List every way to lay a golden segment now."""
    player = state.players[state.current_player]
    if FEATHER not in player.board:
        return []
    room = BOARD_SPACES - len(player.board) + 1
    found = []
    for index, opponent in enumerate(state.players):
        if index == state.current_player:
            continue
        bodies = [piece for piece in BODIES if piece in opponent.board]
        found += [LayGolden(index, (piece,)) for piece in bodies if room >= 1]
        if room >= MAX_SEGMENTS_TAKEN:
            found += [
                LayGolden(index, pair)
                for pair in combinations_with_replacement(bodies, MAX_SEGMENTS_TAKEN)
                if pair[0] != pair[1] or opponent.board.count(pair[0]) >= MAX_SEGMENTS_TAKEN
            ]
    return found
