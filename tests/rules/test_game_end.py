"""How a game ends (rules 6.1 to 6.3)."""

from __future__ import annotations

from itertools import product

import pytest

from coatl_tools.rules.engine import Decision, get_awaited
from coatl_tools.rules.state import Built, Ending, GameState, Player, Stage
from tests.rules.positions import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    complete,
    expect_refusal,
    final_turn,
    is_legal,
    play,
    scene,
    seat,
)

TWO = (complete("<YGB>", "P16"), complete("<KGB>", "P20"))
TWO_MORE = (complete("<RKY>", "P17"), complete("<YBY>", "P18"))
CLOSE = ("add B> to 3 tail", "complete", "end")


def about_to_end() -> Player:
    """A player one tail away from a third complete Cóatl."""
    return seat("B>", [*TWO, Built("<YGK", ("P19",))])


def ended_by(player: int, players: int) -> GameState:
    seats = [seat("R G") for _ in range(players)]
    seats[player] = about_to_end()
    return play(scene(*seats, turn=player), *CLOSE)


@pytest.mark.rule("6.1")
def test_the_example_of_four_players() -> None:
    state = ended_by(EAST, 4)  # rule 6.1: player 2 of 4 completes a third Cóatl
    assert state.ending == Ending("third", EAST)
    for player in (SOUTH, WEST):  # players 3 and 4: two actions
        assert get_awaited(state) == Decision(player, Stage.READY)
        state = play(state, "begin R", "draw")
        assert expect_refusal(state, "begin G").rule == "3"
        state = play(state, "end")
    assert get_awaited(state) == Decision(NORTH, Stage.READY)  # player 1: one
    state = play(state, "begin R")
    assert expect_refusal(state, "draw").rule == "3"
    state = play(state, "end")
    assert get_awaited(state) is None  # player 2: none
    assert state.stage is Stage.OVER


@pytest.mark.rule("6.1")
@pytest.mark.parametrize(("players", "trigger"), [(2, 0), (2, 1), (3, 0), (3, 2), (4, 0), (4, 3)])
def test_those_later_in_turn_order_have_two_actions_those_earlier_one(
    players: int, trigger: int
) -> None:
    state = ended_by(trigger, players)
    played: list[tuple[int, int]] = []
    while state.stage is not Stage.OVER:
        actions = 1
        turns, player = state.turns_ended, state.current_player
        state = play(state, f"take {len(played) + 1}")
        if state.turns_ended == turns:
            actions = 2
            state = play(state, f"take {len(played) + 4}")
        assert state.turns_ended == turns + 1
        played.append((player, actions))
    others = [(trigger + step) % players for step in range(1, players)]
    assert played == [(other, 2 if other > trigger else 1) for other in others]


@pytest.mark.rule("6.1")
def test_the_second_action_is_optional_the_first_is_not() -> None:
    state = final_turn(scene(seat(), turn=EAST))
    assert expect_refusal(state, "end").rule == "3"
    state = play(state, "take 1")
    assert get_awaited(state) == Decision(EAST, Stage.BETWEEN)
    assert expect_refusal(state, "pass").rule == "3"
    assert play(state, "end").stage is Stage.OVER


# Each kind of action, as it is done first and as it is done second.
KINDS = {
    "take": (["take 1"], ["take 2"]),
    "choose": (["draw"], ["draw"]),
    "assemble": (["begin R"], ["begin G"]),
    "pick": (["pick <K"], ["pick <K"]),
    "future": (["future", "discard", "draw"], ["future", "discard", "draw"]),
    "priest": (["priest 1"], ["priest 2"]),
}
# What merely goes on with the first action is no second one.
SAME_ACTION = {("choose", "choose"), ("assemble", "assemble"), ("future", "choose")}
PAIRS = [pair for pair in product(KINDS, KINDS) if pair[0] != pair[1] or pair[0] in list(KINDS)[:3]]


@pytest.mark.rule("6.1", "9.13")
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_turn_of_two_actions_takes_any_two(first: str, second: str) -> None:
    state = final_turn(scene(seat(), seat("R G"), turn=EAST))
    state = play(state, *KINDS[first][0])
    state = play(state, *KINDS[second][1])
    if (first, second) in SAME_ACTION:
        assert is_legal(state, "take 5")
    elif state.stage is not Stage.OVER:
        others = [kind for kind in KINDS if kind not in (first, second, "choose", "assemble")]
        for kind in others:
            assert expect_refusal(state, KINDS[kind][1][0]).rule == "3"
    if state.stage is not Stage.OVER:
        state = play(state, "end")
    assert state.stage is Stage.OVER
    assert len(state.supply) == 6


@pytest.mark.rule("6.1")
def test_a_third_action_is_refused_even_of_a_kind_done_before() -> None:
    state = final_turn(scene(seat(), seat("R G"), turn=EAST))
    state = play(state, "begin R", "draw")
    assert expect_refusal(state, "begin G").rule == "3"
    assert expect_refusal(state, "take 1").rule == "3"


@pytest.mark.rule("6.1")
def test_the_one_who_triggered_plays_the_turn_to_its_end() -> None:
    seats = [about_to_end()._replace(board=("B>", "R")), seat()]
    state = play(scene(*seats), "add B> to 3 tail", "complete", "begin R")
    assert state.current_player == NORTH
    assert play(state, "end").current_player == EAST


LAST_BODIES = "RR - - - - - <R <G R> G>"


def out_of_bodies(trigger: int, *players: Player) -> GameState:
    """A player takes the last body segments; the bag is empty."""
    state = scene(*players, turn=trigger, spaces=LAST_BODIES)
    return play(state._replace(bodies=(0,) * 6), "take 1")


@pytest.mark.rule("6.2")
def test_without_bodies_all_have_equal_turns_and_then_one_more() -> None:
    state = out_of_bodies(EAST, seat(), seat(), seat())
    assert state.ending == Ending("bodies", EAST)
    order = []
    while state.stage is not Stage.OVER:
        order.append(state.current_player)
        state = play(state, "take 7")
        assert state.turns_ended == len(order) + 1  # one action a turn
    assert order == [SOUTH, NORTH, EAST, SOUTH]


@pytest.mark.rule("6.2")
def test_when_the_last_player_takes_the_last_bodies_only_the_final_turns_are_left() -> None:
    state = out_of_bodies(EAST, seat(), seat())
    order = []
    while state.stage is not Stage.OVER:
        order.append(state.current_player)
        state = play(state, "take 7")
    assert order == [NORTH, EAST]


@pytest.mark.rule("6.2")
def test_when_the_first_player_takes_the_last_bodies_the_others_come_to_equal_turns() -> None:
    state = out_of_bodies(NORTH, seat(), seat(), seat())
    assert [turn.player for turn in state.final_turns] == [SOUTH, NORTH, EAST, SOUTH]
    assert state.current_player == EAST
    assert {turn.actions for turn in state.final_turns} == {1}


@pytest.mark.rule("6.3")
def test_a_third_coatl_after_the_bodies_ran_out_changes_nothing() -> None:
    state = out_of_bodies(NORTH, seat(), about_to_end())
    state = play(state, *CLOSE)
    assert state.ending == Ending("bodies", NORTH)
    state = play(state, "take 7")
    assert get_awaited(state) == Decision(EAST, Stage.READY)
    assert play(state, "take 7").stage is Stage.OVER


@pytest.mark.rule("6.3")
def test_running_out_of_bodies_after_a_third_coatl_changes_nothing() -> None:
    state = scene(about_to_end(), seat(), seat(), spaces=LAST_BODIES)._replace(bodies=(0,) * 6)
    state = play(state, *CLOSE, "take 1")
    assert state.ending == Ending("third", NORTH)
    state = play(state, "end", "take 7", "end")
    assert state.stage is Stage.OVER


@pytest.mark.rule("6.3")
def test_another_third_coatl_changes_nothing() -> None:
    state = scene(about_to_end(), seat("K>", [*TWO_MORE, Built("<RRR", ("P02",))]), seat())
    state = play(state, *CLOSE, "add K> to 3 tail", "complete", "end")
    assert state.ending == Ending("third", NORTH)
    state = play(state, "take 1", "end")
    assert state.stage is Stage.OVER


@pytest.mark.rule("6.1")
@pytest.mark.parametrize("line", ["take 1", "draw", "end", "pass"])
def test_nothing_happens_after_the_end(line: str) -> None:
    state = play(final_turn(scene(turn=EAST), actions=1), "take 2")
    assert get_awaited(state) is None
    assert expect_refusal(state, line).rule
    assert not is_legal(state, line)
