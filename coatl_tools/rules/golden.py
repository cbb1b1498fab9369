"""Golden Feathers: the action that a golden segment buys (rule 10.3)."""

from __future__ import annotations

from itertools import combinations_with_replacement

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.box import BOARD_SPACES, BODIES, FEATHER, piece_in_words
from coatl_tools.rules.events import LayGolden
from coatl_tools.rules.flow import actions_after, after_action
from coatl_tools.rules.state import State, joined, replaced, without
from coatl_tools.rules.supply_board import need_room

MOST_TAKEN = 2


def lay_golden(state: State, event: LayGolden) -> State:
    """A golden segment goes beside an opponent's board, body segments come back for it."""
    actions = actions_after(state, None)
    player = state.players[state.turn]
    if FEATHER not in player.board:
        raise IllegalActionError("rules.no_feather", "10.3")
    if not 0 <= event.player < state.game.size or event.player == state.turn:
        raise IllegalActionError("rules.no_opponent", "10.3")
    if not 1 <= len(event.pieces) <= MOST_TAKEN:
        raise IllegalActionError("rules.feather_takes", "10.3", most=MOST_TAKEN)
    opponent = state.players[event.player]
    board = opponent.board
    for piece in event.pieces:
        if piece not in BODIES or piece not in board:
            raise IllegalActionError("rules.opponent_lacks", "10.3", piece=piece_in_words(piece))
        board = without(board, piece)
    own = without(player.board, FEATHER)
    need_room(own, len(event.pieces), "10.3")
    opponent = opponent._replace(board=board, feathers=opponent.feathers + 1)
    player = player._replace(board=joined(own, *event.pieces))
    players = replaced(state.players, event.player, opponent)
    players = replaced(players, state.turn, player)
    return after_action(state._replace(actions=actions, players=players))


def goldens(state: State) -> list[LayGolden]:
    """Every way to lay a golden segment now."""
    player = state.players[state.turn]
    if FEATHER not in player.board:
        return []
    room = BOARD_SPACES - len(player.board) + 1
    found = []
    for index, opponent in enumerate(state.players):
        if index == state.turn:
            continue
        bodies = [piece for piece in BODIES if piece in opponent.board]
        found += [LayGolden(index, (piece,)) for piece in bodies if room >= 1]
        if room >= MOST_TAKEN:
            found += [
                LayGolden(index, pair)
                for pair in combinations_with_replacement(bodies, MOST_TAKEN)
                if pair[0] != pair[1] or opponent.board.count(pair[0]) >= MOST_TAKEN
            ]
    return found
