"""Sacrifice tokens (rules 3.14 to 3.16)."""

from __future__ import annotations

import pytest

from coatl_tools.rules.engine import Decision, apply_event, get_awaited
from coatl_tools.rules.events import parse_event
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import Built, FillDraw, PileDraw, Stage, SupplyDraw
from tests.rules.positions import EAST, NORTH, expect_refusal, is_legal, play, scene, seat


@pytest.mark.rule("3.14")
@pytest.mark.parametrize(
    ("line", "board"),
    [
        ("pick <K", ("<K",)),
        ("pick Y>", ("Y>",)),
        ("pick Y K", ("K", "Y")),
        ("pick B B", ("B", "B")),
    ],
)
def test_perfect_pick_takes_what_one_wants_out_of_a_bag(line: str, board: tuple[str, ...]) -> None:
    before = scene()
    state = play(before, line)
    assert state.players[NORTH].board == board
    assert state.players[NORTH].tokens == ("see_the_future", "priest_commitment")
    assert state.spaces == before.spaces
    bags = [sum(bag) for bag in (state.bodies, state.heads, state.tails)]
    assert sum(bags) == 108 + 13 + 13 - len(board)
    assert state.current_player == EAST


@pytest.mark.rule("3.14")
@pytest.mark.parametrize(
    "line", ["pick", "pick R", "pick R G B", "pick <R R", "pick <R <G", "pick R> <R"]
)
def test_perfect_pick_takes_a_head_a_tail_or_two_bodies(line: str) -> None:
    assert expect_refusal(scene(), line).rule == "3.14"


@pytest.mark.rule("3.14")
def test_perfect_pick_takes_only_colours_that_the_bag_has() -> None:
    state = scene(seat(board="<R <R"))._replace(bodies=(1, 0, 2, 0, 0, 0))
    assert expect_refusal(state, "pick <R").rule == "3.14"  # rule 3.14: the third lies on the board
    assert expect_refusal(state, "pick R R").rule == "3.14"
    assert expect_refusal(state, "pick G B").rule == "3.14"
    assert is_legal(state, "pick B R")
    assert is_legal(state, "pick B B")


@pytest.mark.rule("3.14")
def test_perfect_pick_needs_room() -> None:
    state = scene(seat(board="B B B B B B B"))
    assert expect_refusal(state, "pick R R").rule == "3.14"
    assert is_legal(state, "pick <R")
    assert is_legal(scene(seat(board="B B B B B B")), "pick R R")
    assert expect_refusal(scene(seat(board="B B B B B B B B")), "pick <R").rule == "3.14"


@pytest.mark.rule("3.14")
def test_after_perfect_pick_every_empty_space_is_filled() -> None:
    state = apply_event(scene(spaces="RR - BB YY KK RG - <G R> -"), parse_event("pick K K"))
    assert state.draws == (FillDraw(2), FillDraw(7), FillDraw(10))
    assert all(play(state).spaces)


@pytest.mark.rule("3.15")
def test_see_the_future_renews_the_supply_then_the_hand() -> None:
    state = apply_event(scene(seat(hand="P01 P16 P40")), parse_event("future"))
    assert state.supply == ()
    assert state.discards == ("P30", "P31", "P32", "P33", "P34", "P35")
    assert state.draws == (SupplyDraw(),) * 6
    state = play(state)
    assert not set(state.supply) & set(state.discards)
    assert get_awaited(state) == Decision(NORTH, Stage.DISCARDING)
    state = play(state, "discard P01 P40")
    assert state.players[NORTH].hand == ("P16",)
    card = state.supply[0]
    state = play(state, f"choose {card}", "draw", "end")
    assert len(state.players[NORTH].hand) == 3
    assert card in state.players[NORTH].hand
    assert len(state.supply) == 6
    assert state.players[NORTH].tokens == ("perfect_pick", "priest_commitment")
    assert state.current_player == EAST


@pytest.mark.rule("3.15")
def test_see_the_future_may_discard_the_whole_hand_or_nothing() -> None:
    state = play(scene(seat(hand="P01 P16 P40 P41 P42")), "future")
    assert is_legal(state, "discard")
    state = play(state, "discard P01 P16 P40 P41 P42", *["draw"] * 5)
    assert len(state.players[NORTH].hand) == 5
    assert expect_refusal(state, "draw").rule == "3.4"


@pytest.mark.rule("3.15")
@pytest.mark.parametrize("line", ["draw", "end", "take 1", "begin R", "pick <R"])
def test_see_the_future_goes_on_with_the_discards(line: str) -> None:
    state = play(scene(seat("R", hand="P01")), "future")
    assert expect_refusal(state, line).rule == "3.15"


@pytest.mark.rule("3.15")
def test_only_cards_of_the_hand_are_discarded() -> None:
    state = play(scene(seat(hand="P01")), "future")
    assert expect_refusal(state, "discard P16").rule == "3.15"
    assert expect_refusal(state, "discard P01 P01").rule == "3.15"
    assert expect_refusal(scene(seat(hand="P01")), "discard P01").rule


@pytest.mark.rule("3.16")
def test_priest_commitment_takes_the_top_temple_of_a_pile() -> None:
    state = scene(seat(temples="T01"))
    below = state.piles[1].below
    state = apply_event(state, parse_event("priest 2"))
    assert state.players[NORTH].temples == ("T01", "T15")
    assert get_awaited(state) == PileDraw(2)
    state = play(state)
    assert state.piles[1].below == below - 1
    assert state.players[NORTH].tokens == ("perfect_pick", "see_the_future")
    assert state.current_player == EAST


@pytest.mark.rule("2.3")
@pytest.mark.parametrize("pile", [0, 3])
def test_there_are_two_temple_piles(pile: int) -> None:
    assert expect_refusal(scene(), f"priest {pile}").rule == "2.3"


@pytest.mark.rule("3.16")
def test_temples_do_not_count_for_the_hand_limit() -> None:
    state = scene(seat(hand="P01 P02 P16 P40", temples="T01 T02 T03"))
    assert is_legal(state, "draw")
    assert is_legal(scene(seat(hand="P01 P02 P16 P40 P41", temples="T01 T02")), "priest 1")


@pytest.mark.rule("3.16")
def test_each_coatl_takes_one_temple_and_the_others_score_nothing() -> None:
    north = seat("B>", [Built("<GK", ("P20",))], temples="T01 T05")
    state = play(scene(north), "add B> to 1 tail", "temple T01 on 1", "end")
    points = compute_result(state).players[NORTH]
    assert points.points == 3  # rule 3.16: no yellow; KG is not there any more
    assert points.cards == 2
    assert state.players[NORTH].temples == ("T05",)


@pytest.mark.rule("3.14", "3.15", "3.16")
@pytest.mark.parametrize(
    ("lines", "rule"),
    [
        (["pick <K"], "3.14"),
        (["future", "discard", "draw", "end"], "3.15"),
        (["priest 1"], "3.16"),
    ],
)
def test_each_token_is_used_once(lines: list[str], rule: str) -> None:
    state = play(scene(), *lines, "take 1")
    assert state.current_player == NORTH
    assert expect_refusal(state, lines[0]).rule == rule


@pytest.mark.rule("3.14", "3.15", "3.16")
@pytest.mark.parametrize("line", ["pick <K", "future", "priest 1"])
def test_a_token_takes_the_place_of_the_action(line: str) -> None:
    state = play(scene(seat("R")), "begin R")
    assert expect_refusal(state, line).rule == "3"
    state = play(scene(), "choose P30")
    assert expect_refusal(state, line).rule == "3"


@pytest.mark.rule("3.14")
def test_a_sacrificed_token_can_be_the_last_one() -> None:
    state = scene(seat(tokens=("priest_commitment",)))
    assert expect_refusal(state, "pick <K").rule == "3.14"
    assert play(state, "priest 1").players[NORTH].tokens == ()
