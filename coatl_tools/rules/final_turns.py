"""The turns that are left to a table joined midway, worked out from whose turn it is."""

from __future__ import annotations

from coatl_tools.errors import PositionError
from coatl_tools.rules.box import BODY, COATLS_TO_END, KIND, PER_SPACE
from coatl_tools.rules.flow import no_bodies, third_coatl
from coatl_tools.rules.state import Ending, State, Turn


def final_turns(
    state: State, ending: Ending | None, final: bool | None
) -> tuple[int, tuple[Turn, ...]]:
    """The actions of this turn and the turns after it; PositionError if there can be no turn.

    `state` is the table without its end. `final` tells the two turns apart that a player may have
    after the body segments ran out (rule 6.2).
    """
    if ending is None:
        _check_not_ended(state)
        return 1, ()
    _check_cause(state, ending)
    triggered = third_coatl if ending.cause == "third" else no_bodies
    last = triggered(state._replace(turn=ending.player)).last
    places = [place for place, turn in enumerate(last) if turn.player == state.turn]
    if not places:
        raise PositionError("position.no_turn_left", _rule(ending), player=_name(state, state.turn))
    if len(places) > 1 and final is None:
        raise PositionError("position.which_turn", "6.2", player=_name(state, state.turn))
    place = places[-1] if final else places[0]
    return last[place].actions, last[place + 1 :]


def _check_not_ended(state: State) -> None:
    over = state.game.solo and not state.game.options.solo_final_turns  # ruling 9.8
    for name, player in zip(state.game.options.players, state.players, strict=True):
        if player.completed >= COATLS_TO_END:
            key = "position.over" if over else "position.end_third"
            rule = "7.9" if over else "6.1"
            raise PositionError(key, rule, ("position.player", {"player": name}))
    if bodies_gone(state):
        key = "position.over" if over else "position.end_bodies"
        raise PositionError(key, "7.9" if over else "6.2")


def _check_cause(state: State, ending: Ending) -> None:
    game = state.game
    if game.solo and not game.options.solo_final_turns:
        raise PositionError("position.over", "9.8")
    if ending.player not in game.order:
        raise PositionError("rules.no_player", _rule(ending), player=ending.player + 1)
    if ending.cause == "bodies":
        if not bodies_gone(state):
            raise PositionError("position.bodies_left", "6.2")
    elif ending.player >= game.size or state.players[ending.player].completed < COATLS_TO_END:
        name = _name(state, ending.player)
        raise PositionError("position.not_third", "6.1", player=name, number=COATLS_TO_END)


def bodies_gone(state: State) -> bool:
    """Whether rule 3.3 has ended the game: no body segments on the board, too few in the bag."""
    there = any(KIND[pieces[0]] == BODY for pieces in state.spaces if pieces)
    return not there and sum(state.bodies) < PER_SPACE[BODY]


def _rule(ending: Ending) -> str:
    return "6.2" if ending.cause == "bodies" else "6.1"


def _name(state: State, player: int) -> str:
    return state.game.names[player]
