"""Choosing Prophecy cards (rules 3.4, 3.5)."""

from __future__ import annotations

from itertools import permutations

import pytest

from coatl_tools.rules.engine import apply_event, get_awaited
from coatl_tools.rules.events import parse_event
from coatl_tools.rules.state import Built, DeckDraw, SupplyDraw
from tests.rules.positions import EAST, NORTH, expect_refusal, is_legal, play, scene, seat

THIRTEEN = "P01 P02 P03 P04 P05 P30 P31 P32 T14 T15"  # the red ones twice


@pytest.mark.rule("3.4")
@pytest.mark.parametrize("order", list(permutations(["choose P30", "choose P33", "draw"])))
def test_two_cards_from_the_supply_and_one_from_the_deck_in_any_order(
    order: tuple[str, ...],
) -> None:
    state = scene(seat(hand="P01 P16"))
    for line in order:  # rule 3.4: the rulebook's example
        state = apply_event(state, parse_event(line))
        if line == "draw":
            assert get_awaited(state) == DeckDraw(NORTH)
            state = apply_event(state, parse_event("drawn P40"))
    assert state.players[NORTH].hand == ("P01", "P16", "P30", "P33", "P40")
    assert state.supply == ("P31", "P32", "P34", "P35")
    assert expect_refusal(state, "choose P31").rule == "3.4"
    assert expect_refusal(state, "draw").rule == "3.4"
    assert play(state, "end").current_player == EAST


@pytest.mark.rule("3.4")
def test_one_card_is_enough() -> None:
    state = play(scene(), "choose P31", "end")
    assert state.players[NORTH].hand == ("P31",)
    assert state.current_player == EAST


@pytest.mark.rule("3.4")
def test_a_turn_does_not_end_without_an_action() -> None:
    assert expect_refusal(scene(seat(board="R")), "end").rule == "3"


@pytest.mark.rule("3.4")
def test_five_in_hand_is_the_limit() -> None:
    state = scene(seat(hand="P01 P01 P02 P16 P40"))
    assert expect_refusal(state, "choose P30").rule == "3.4"
    assert expect_refusal(state, "draw").rule == "3.4"


@pytest.mark.rule("3.4")
def test_only_cards_that_lie_face_up_are_chosen() -> None:
    error = expect_refusal(scene(), "choose P16")
    assert error.rule == "3.4"
    assert error.alternative.startswith("choose P3")


@pytest.mark.rule("3.4")
def test_both_copies_of_a_card_may_be_chosen() -> None:
    state = play(scene(supply="P05 P05 P30 P31 P32 P33"), "choose P05", "choose P05", "end")
    assert state.players[NORTH].hand == ("P05", "P05")


@pytest.mark.rule("3.4")
def test_with_nothing_to_take_no_card_is_chosen() -> None:
    long = Built("RRBBBKKYYGGRR", ("P05", "P30", "P31", "P32"))
    east = seat(coatls=[long], hand="P01 P02 P03 P04 P05", temples="T14")
    north = seat(hand="P01 P02 P03 P04")
    empty = scene(north, east, supply="", cards=THIRTEEN, piles=("T15", ""))
    assert empty.deck == 0
    assert expect_refusal(empty, "draw").rule == "3.4"
    assert expect_refusal(empty, "choose P05").rule == "3.4"


@pytest.mark.rule("3.4")
def test_choosing_does_not_go_on_with_another_action() -> None:
    state = play(scene(seat(board="R")), "choose P30")
    assert expect_refusal(state, "take 1").rule == "3"
    assert expect_refusal(state, "begin R").rule == "3"


@pytest.mark.rule("3.5")
def test_the_supply_is_refilled_to_six_at_the_end_of_the_turn() -> None:
    state = apply_event(apply_event(scene(), parse_event("choose P30")), parse_event("choose P35"))
    assert len(state.supply) == 4
    state = apply_event(state, parse_event("end"))
    assert state.draws == (SupplyDraw(), SupplyDraw())
    state = play(state, "supply P16", "supply P40")
    assert state.supply == ("P31", "P32", "P33", "P34", "P16", "P40")
    assert state.current_player == EAST


@pytest.mark.rule("3.5")
def test_a_blind_draw_leaves_the_supply_as_it_is() -> None:
    state = apply_event(play(scene(), "draw"), parse_event("end"))
    assert get_awaited(state) is not None
    assert state.draws == ()
    assert state.deck == 54 - 6 - 1


@pytest.mark.rule("3.4")
def test_a_drawn_card_must_be_one_that_the_deck_may_have() -> None:
    state = apply_event(scene(seat(hand="P40")), parse_event("draw"))
    assert "in the hand of North" in str(expect_refusal(state, "drawn P40"))
    assert expect_refusal(state, "drawn ?").rule == "9.17"
    assert is_legal(state, "drawn P41")
