"""Assembling: pieces, cards, completing (rules 3.6 to 3.13)."""

from __future__ import annotations

import pytest

from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import Built, Ending, Stage
from tests.rules.positions import (
    EAST,
    NORTH,
    complete,
    expect_refusal,
    is_legal,
    play,
    scene,
    scores,
    seat,
)

# Five cards that this Cóatl satisfies: YG, GB, YB, YK, KG.
FIVE = "YGBYBYKG"
FIVE_CARDS = "P16 P19 P18 P21 P20"


@pytest.mark.rule("3.6")
@pytest.mark.parametrize("piece", ["<K", "K", "K>"])
def test_a_coatl_begins_with_any_piece(piece: str) -> None:
    state = play(scene(seat(board=f"{piece} R")), f"begin {piece}")
    north = state.players[NORTH]
    assert north.coatls == (Built(piece),)
    assert north.board == ("R",)
    assert play(state, "end").current_player == EAST


@pytest.mark.rule("3.6")
def test_two_incomplete_coatls_are_the_most() -> None:
    state = play(scene(seat(board="R G B Y")), "begin R", "begin G")
    error = expect_refusal(state, "begin B")
    assert error.rule == "3.6"
    assert is_legal(state, "add B to 1 head")
    assert is_legal(state, "add B to 2 tail")


@pytest.mark.rule("3.6")
def test_completed_coatls_leave_room_for_new_ones() -> None:
    north = seat("R", [complete("<YGB>", "P16"), complete("<KGB>", "P20"), "Y"])
    assert is_legal(scene(north), "begin R")


@pytest.mark.rule("3.6")
def test_only_pieces_of_the_own_board_are_used() -> None:
    state = scene(seat("R", ["G"]), seat("K"))
    assert expect_refusal(state, "begin K").rule == "3.6"
    assert expect_refusal(state, "add K to 1 head").rule == "3.6"
    assert expect_refusal(state, "begin <R").rule == "3.6"


@pytest.mark.rule("3.6")
def test_only_own_coatls_and_cards_are_used() -> None:
    state = scene(seat("R", hand="P02"), seat("", ["YG"], hand="P16"))
    assert expect_refusal(state, "add R to 1 head").rule == "3.6"
    state = scene(seat("R", ["YG"], hand="P02"), seat(hand="P16"))
    assert expect_refusal(state, "play P16 on 1").rule == "3.6"
    assert expect_refusal(state, "play T01 on 1").rule == "1.3"


@pytest.mark.rule("3.6")
def test_steps_come_in_any_order_and_number() -> None:
    state = scene(seat("R G <Y Y B", ["YG"], hand="P16 P18"))
    state = play(state, "begin R", "play P16 on 1", "add B to 2 head", "add Y to 2 head")
    state = play(state, "play P18 on 2", "add <Y to 1 head", "add G to 2 tail", "end")
    assert state.players[NORTH].coatls == (Built("<YYG", ("P16",)), Built("YBRG", ("P18",)))
    assert state.players[NORTH].board == ()
    assert state.current_player == EAST


@pytest.mark.rule("3.6")
def test_assembling_is_at_least_one_step_and_no_other_action() -> None:
    state = scene(seat("R"))
    assert expect_refusal(state, "end").rule == "3"
    state = play(state, "begin R")
    assert expect_refusal(state, "take 1").rule == "3"
    assert expect_refusal(state, "choose P30").rule == "3"
    assert expect_refusal(state, "future").rule == "3"


@pytest.mark.rule("3.7")
def test_a_piece_goes_to_the_end_that_was_said() -> None:
    state = scene(seat("R B <K Y>", ["G"]))
    state = play(state, "add R to 1 head", "add B to 1 tail", "add <K to 1 head")
    assert state.players[NORTH].coatls[0].text == "<KRGB"
    assert play(scene(seat("Y>", ["G"])), "add Y> to 1 tail").players[0].coatls[0].text == "GY>"


@pytest.mark.rule("3.7")
@pytest.mark.parametrize(
    ("coatl", "line"),
    [
        ("G", "add <R to 1 tail"),
        ("G", "add R> to 1 head"),
        ("<GB", "add B to 1 head"),
        ("<GB", "add <R to 1 head"),
        ("GB>", "add B to 1 tail"),
        ("GB>", "add R> to 1 tail"),
        ("G", "add B to 1 middle"),
    ],
)
def test_head_and_tail_are_the_ends(coatl: str, line: str) -> None:
    state = scene(seat("<R B R>", [coatl], hand="P19"))
    assert expect_refusal(state, line).rule == "3.7"


@pytest.mark.rule("3.8")
def test_placed_pieces_stay_where_they_are() -> None:
    state = scene(seat("<R B R> K", ["<YG", "GB"], hand="P16 P19"), spaces="RR - - - - - <R - - -")
    before = [coatl.text for coatl in state.players[NORTH].coatls]
    for event in list_legal_actions(state):
        after = [coatl.text for coatl in apply_event(state, event).players[NORTH].coatls]
        assert len(after) >= 2
        assert all(old in new for old, new in zip(before, after, strict=False))


@pytest.mark.rule("3.9")
def test_a_coatl_holds_four_prophecies_at_most() -> None:
    state = scene(seat("R", [FIVE], hand=FIVE_CARDS))
    state = play(state, "play P16 on 1", "play P19 on 1", "play P18 on 1", "play P21 on 1")
    assert expect_refusal(state, "play P20 on 1").rule == "3.9"


@pytest.mark.rule("3.9")
def test_no_two_identical_prophecies_on_a_coatl() -> None:
    state = scene(seat("R", ["YYY", "GYYY"], hand="P01 P01"))
    state = play(state, "play P01 on 1")
    assert expect_refusal(state, "play P01 on 1").rule == "3.9"
    assert is_legal(state, "play P01 on 2")


@pytest.mark.rule("3.9")
def test_a_card_is_placed_once_its_lowest_level_is_reached() -> None:
    state = scene(seat("Y Y Y", ["YY"], hand="P01"))
    assert expect_refusal(state, "play P01 on 1").rule == "3.9"
    state = play(state, "add Y to 1 head", "play P01 on 1")
    assert scores(state) == {"P01": 2}
    state = play(state, "add Y to 1 head", "add Y to 1 tail")
    assert scores(state) == {"P01": 4}


@pytest.mark.rule("3.10")
@pytest.mark.parametrize(
    ("coatl", "line"), [("<RG", "add K> to 1 tail"), ("RGK>", "add <R to 1 head")]
)
def test_a_coatl_is_not_closed_if_no_prophecy_fits_it(coatl: str, line: str) -> None:
    state = scene(seat("<R K>", [coatl], hand="P16 P36"))
    assert expect_refusal(state, line).rule == "3.10"
    assert is_legal(scene(seat("<R K>", [Built(coatl, ("P02",))])), line)


@pytest.mark.rule("3.10")
def test_the_closing_piece_itself_may_make_a_card_fit() -> None:
    state = scene(seat("B>", ["<RG"], hand="P19"))
    assert expect_refusal(state, "play P19 on 1").rule == "3.9"
    state = play(state, "add B> to 1 tail")
    assert state.stage is Stage.CLOSING
    state = play(state, "play P19 on 1", "complete")
    assert state.players[NORTH].coatls == (complete("<RGB>", "P19"),)


@pytest.mark.rule("3.10")
@pytest.mark.parametrize(("piece", "line"), [("<R", "K> to 1 tail"), ("K>", "<R to 1 head")])
def test_head_and_tail_are_never_joined_directly(piece: str, line: str) -> None:
    state = scene(seat("<R K>", [piece], hand="P17"))
    assert expect_refusal(state, f"add {line}").rule == "3.10"


@pytest.mark.rule("3.10")
def test_a_coatl_is_completed_before_anything_else_happens() -> None:
    state = scene(seat("B> Y", ["<RG", "YG"], hand="P19 P16"))
    state = play(state, "add B> to 1 tail")
    for line in ("end", "begin Y", "add Y to 2 head", "play P16 on 2", "take 1", "choose P30"):
        assert expect_refusal(state, line).rule == "3.10"
    assert expect_refusal(state, "pass").rule == "3.10"


@pytest.mark.rule("3.10")
def test_a_closed_coatl_is_not_completed_without_a_prophecy() -> None:
    state = play(scene(seat("B>", ["<RG"], hand="P19", temples="T01")), "add B> to 1 tail")
    error = expect_refusal(state, "complete")
    assert (error.rule, error.alternative) == ("3.10", "play P19 on 1")
    assert expect_refusal(state, "temple T01 on 1").rule == "3.10"


@pytest.mark.rule("3.10")
def test_as_many_prophecies_as_wanted_join_the_closing_piece_four_in_all() -> None:
    north = seat("G>", [Built("<YGBYBYK", ("P16",))], hand="P19 P18 P21 P20")
    state = play(scene(north), "add G> to 1 tail")
    assert is_legal(state, "complete")
    state = play(state, "play P19 on 1", "play P20 on 1", "play P21 on 1")
    assert expect_refusal(state, "play P18 on 1").rule == "3.9"
    state = play(state, "complete", "end")
    assert state.players[NORTH].coatls == (complete("<YGBYBYKG>", "P16 P19 P20 P21"),)
    assert state.players[NORTH].hand == ("P18",)


@pytest.mark.rule("3.11")
@pytest.mark.parametrize(
    ("line", "piles"),
    [
        ("temple T01 on 1", ("T14", "T15")),
        ("temple T14 on 1 from pile 1", ("T14", "T15")),
        ("temple T14 on 1 from pile 2", ("T15", "T14")),
    ],
)
def test_a_temple_comes_from_the_hand_or_the_top_of_a_pile(
    line: str, piles: tuple[str, str]
) -> None:
    north = seat("B>", [Built("<GK", ("P20",))], temples="T01")
    before = scene(north, piles=piles)
    state = play(before, "add B> to 1 tail", line)
    coatl = state.players[NORTH].coatls[0]
    assert coatl == complete("<GKB>", "P20", line.split()[1])
    left = state.players[NORTH].temples
    assert left == (() if "pile" not in line else ("T01",))
    for number, (old, new) in enumerate(zip(before.piles, state.piles, strict=True), start=1):
        taken = line.endswith(f"pile {number}")
        assert new.below == old.below - taken
        assert (new.top != old.top) == taken


@pytest.mark.rule("3.11")
def test_placing_a_temple_is_optional() -> None:
    north = seat("B>", [Built("<GK", ("P20",))], temples="T01")
    state = play(scene(north), "add B> to 1 tail", "complete")
    assert state.players[NORTH].temples == ("T01",)


@pytest.mark.rule("3.11")
def test_a_temple_must_have_a_requirement_met() -> None:
    north = seat("B>", [Built("<GY", ("P19",))], temples="T01 T05", hand="P38")
    state = play(scene(north, piles=("T06", "T15")), "add B> to 1 tail")
    assert (
        expect_refusal(state, "temple T01 on 1").rule == "3.11"
    )  # rule 3.11: neither no Y nor 7 pieces
    assert expect_refusal(state, "temple T06 on 1 from pile 1").rule == "3.11"
    assert is_legal(state, "temple T05 on 1")  # no R, though not 11 pieces


@pytest.mark.rule("2.3", "3.11")
def test_only_the_top_of_a_pile_is_in_play() -> None:
    north = seat("B>", [Built("<GK", ("P20",))], temples="T01")
    state = play(scene(north), "add B> to 1 tail")
    assert expect_refusal(state, "temple T05 on 1 from pile 1").rule == "2.3"
    assert expect_refusal(state, "temple T14 on 1 from pile 2").rule == "2.3"
    assert expect_refusal(state, "temple T14 on 1").rule == "3.11"
    assert expect_refusal(state, "temple T14 on 1 from pile 3").rule == "2.3"
    assert expect_refusal(state, "temple P16 on 1").rule == "1.3"


@pytest.mark.rule("3.11")
def test_a_temple_is_placed_only_right_after_the_closing_piece() -> None:
    north = seat("B>", [Built("<GK", ("P20",))], temples="T01 T05")
    state = scene(north)
    assert expect_refusal(state, "temple T01 on 1").rule == "3.11"
    state = play(state, "add B> to 1 tail", "complete")
    assert expect_refusal(state, "temple T01 on 1").rule == "3.11"


@pytest.mark.rule("3.11")
def test_a_coatl_takes_one_temple() -> None:
    north = seat("B>", [Built("<GK", ("P20",))], temples="T01 T05")
    state = play(scene(north), "add B> to 1 tail", "temple T01 on 1")
    assert expect_refusal(state, "temple T05 on 1").rule == "3.11"
    assert expect_refusal(state, "temple T14 on 1 from pile 1").rule == "3.11"


@pytest.mark.rule("3.11")
def test_a_temple_goes_to_the_coatl_just_closed() -> None:
    north = seat("B>", [Built("<GK", ("P20",)), "G"], temples="T01")
    state = play(scene(north), "add B> to 1 tail")
    assert expect_refusal(state, "temple T01 on 2").rule == "3.10"


@pytest.mark.rule("3.12")
def test_nothing_is_added_to_a_complete_coatl() -> None:
    north = seat("B> Y", [Built("<YGK", ("P20",))], hand="P16")
    state = play(scene(north), "add B> to 1 tail", "complete")
    assert expect_refusal(state, "play P16 on 1").rule == "3.12"
    assert expect_refusal(state, "add Y to 1 head").rule == "3.12"


@pytest.mark.rule("3.12")
def test_the_value_of_a_complete_coatl_is_known_and_the_turn_goes_on() -> None:
    north = seat("B> Y", [Built("<YGK", ("P16",))], temples="T05")
    state = play(scene(north), "add B> to 1 tail", "temple T05 on 1")
    assert compute_result(state).players[NORTH].coatls[0].points == 4  # rule 3.12: YG 1, no red 3
    state = play(state, "begin Y", "end")
    assert len(state.players[NORTH].coatls) == 2
    assert state.current_player == EAST


@pytest.mark.rule("3.13")
def test_the_third_complete_coatl_brings_the_end_after_the_turn() -> None:
    two = [complete("<YGB>", "P16"), complete("<KGB>", "P20")]
    north = seat("B> Y", [*two, Built("<YGK", ("P19",))])
    state = play(scene(north), "add B> to 3 tail", "complete")
    assert state.ending == Ending("third", NORTH)
    assert state.current_player == NORTH
    state = play(state, "begin Y", "end")
    assert state.current_player == EAST
    assert state.stage is Stage.READY


@pytest.mark.rule("3.13")
def test_the_second_complete_coatl_ends_nothing() -> None:
    north = seat("B>", [complete("<YGB>", "P16"), Built("<YGK", ("P19",))])
    state = play(scene(north), "add B> to 2 tail", "complete", "end")
    assert state.ending is None
