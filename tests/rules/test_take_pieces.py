"""Taking pieces and replenishing (rules 3.1 to 3.3)."""

from __future__ import annotations

import pytest

from coatl_tools.rules.engine import apply_event, get_awaited
from coatl_tools.rules.events import parse_event
from coatl_tools.rules.state import Ending, FillDraw, GameState
from tests.rules.positions import EAST, NORTH, expect_refusal, is_legal, play, scene, seat

EMPTY = (0, 0, 0, 0, 0, 0)


def awaited_spaces(state: GameState) -> list[int]:
    return [draw.space for draw in state.draws if isinstance(draw, FillDraw)]


@pytest.mark.rule("3.1")
@pytest.mark.parametrize(
    ("space", "board"), [(1, ("R", "R")), (6, ("G", "R")), (7, ("<R",)), (10, ("G>",))]
)
def test_all_that_lies_on_a_space_is_taken(space: int, board: tuple[str, ...]) -> None:
    state = play(scene(), f"take {space}")
    assert state.players[NORTH].board == board
    assert state.spaces[space - 1] == ()
    assert state.current_player == EAST


@pytest.mark.rule("3.1")
def test_an_empty_space_has_nothing_to_take() -> None:
    state = play(scene(), "take 3")
    assert expect_refusal(state, "take 3").rule == "3.1"


@pytest.mark.rule("1.4")
@pytest.mark.parametrize("space", [0, 11])
def test_the_supply_board_has_ten_spaces(space: int) -> None:
    assert expect_refusal(scene(), f"take {space}").rule == "1.4"


@pytest.mark.rule("1.5", "3.1")
def test_there_must_be_room_for_both_segments() -> None:
    state = scene(seat(board="B B B B B B B"))
    error = expect_refusal(state, "take 1")
    assert error.rule == "3.1"
    assert error.alternative.startswith("take ")
    assert play(state, "take 7").players[NORTH].board == ("<R", *"BBBBBBB")
    assert is_legal(scene(seat(board="B B B B B B")), "take 1")


@pytest.mark.rule("1.5", "3.1")
def test_a_full_board_takes_nothing() -> None:
    state = scene(seat(board="B B B B B B B B"))
    for space in range(1, 11):
        assert expect_refusal(state, f"take {space}").rule == "3.1"


@pytest.mark.rule("3.1")
def test_taking_is_the_whole_turn() -> None:
    state = play(scene(seat(), seat(board="R")), "take 1")
    assert expect_refusal(state, "end").rule == "3"
    assert is_legal(state, "begin R")


@pytest.mark.rule("3.2")
def test_taking_the_last_bodies_fills_every_empty_space() -> None:
    state = scene(spaces="- - BB - - - - <G R> -")
    state = apply_event(state, parse_event("take 3"))
    assert awaited_spaces(state) == [1, 2, 3, 4, 5, 6, 7, 10]
    state = play(state)
    assert all(state.spaces)
    assert state.current_player == EAST


@pytest.mark.rule("3.2")
def test_taking_the_last_head_or_tail_fills_every_empty_space() -> None:
    state = scene(spaces="RR - BB - - - - - R> -")
    state = apply_event(state, parse_event("take 9"))
    assert awaited_spaces(state) == [2, 4, 5, 6, 7, 8, 9, 10]


@pytest.mark.rule("3.2")
@pytest.mark.parametrize("line", ["take 1", "take 7"])
def test_nothing_is_filled_while_bodies_and_a_head_or_tail_are_left(line: str) -> None:
    state = apply_event(scene(spaces="RR - BB - - - <R - R> -"), parse_event(line))
    assert state.draws == ()
    assert state.current_player == EAST


@pytest.mark.rule("3.2")
def test_the_pieces_are_laid_before_the_game_goes_on() -> None:
    state = apply_event(scene(spaces="RR - - - - - <R <G R> G>"), parse_event("take 1"))
    assert get_awaited(state) == FillDraw(1)
    assert expect_refusal(state, "take 7").rule == "3.2"
    assert expect_refusal(state, "fill 2 R G").rule == "3.2"
    assert expect_refusal(play(state), "fill 1 R G").rule == "3.2"


@pytest.mark.rule("3.2")
def test_the_lowest_spaces_are_filled_as_far_as_the_bags_go() -> None:
    state = scene(spaces="- RR - - - - - - R> -")
    state = state._replace(bodies=(0, 3, 0, 0, 2, 0), heads=(0, 0, 1, 0, 0), tails=(0, 0, 0, 0, 0))
    state = apply_event(state, parse_event("take 2"))
    assert awaited_spaces(state) == [1, 2, 7]
    state = play(state)
    # a body space gets two segments or none: one is left over
    assert [len(space) for space in state.spaces] == [2, 2, 0, 0, 0, 0, 1, 0, 1, 0]
    assert sum(state.bodies) == 1
    assert state.ending is None


@pytest.mark.rule("3.2")
def test_a_space_gets_only_what_the_bag_holds() -> None:
    state = scene(spaces="RR - - - - - <R <G R> G>")._replace(bodies=(1, 2, 0, 0, 0, 0))
    state = apply_event(state, parse_event("take 1"))
    assert expect_refusal(state, "fill 1 R R").rule == "1.2"
    assert expect_refusal(state, "fill 1 R B").rule == "1.2"
    assert is_legal(state, "fill 1 R G")
    assert is_legal(state, "fill 1 G G")


@pytest.mark.rule("3.3")
@pytest.mark.parametrize("left", [0, 1])
def test_no_bodies_on_the_board_nor_for_a_space_in_the_bag_bring_the_end(left: int) -> None:
    state = scene(spaces="RR - - - - - <R <G R> G>")._replace(bodies=(left, 0, 0, 0, 0, 0))
    state = play(state, "take 1")
    assert state.ending == Ending("bodies", NORTH)
    assert not any(state.spaces[:6])


@pytest.mark.rule("3.3")
def test_two_bodies_in_the_bag_fill_a_space_and_the_game_goes_on() -> None:
    state = scene(spaces="RR - - - - - <R <G R> G>")._replace(bodies=(1, 1, 0, 0, 0, 0))
    state = play(state, "take 1")
    assert sorted(state.spaces[0]) == ["G", "R"]
    assert state.ending is None


@pytest.mark.rule("3.3")
def test_an_empty_bag_does_not_bring_the_end_while_bodies_lie_on_the_board() -> None:
    state = scene(spaces="RR GG - - - - <R <G R> G>")._replace(bodies=EMPTY)
    assert play(state, "take 1").ending is None


@pytest.mark.rule("3.2")
def test_when_heads_and_tails_have_run_out_bodies_are_filled_up_after_each_take() -> None:
    state = scene(spaces="RR GG BB YY KK RG - - - -")
    state = state._replace(heads=(0,) * 5, tails=(0,) * 5)
    state = apply_event(state, parse_event("take 1"))
    assert awaited_spaces(state) == [1]
