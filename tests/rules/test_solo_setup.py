"""The solo table: what is on it, who begins, and the Prophecy row (7.1, 7.2; rulings 9.6, 9.9)."""

from __future__ import annotations

import pytest

from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.engine import Decision, apply_event, get_awaited
from coatl_tools.rules.events import ChooseCard, Keep, parse_event
from coatl_tools.rules.state import AdamDraw, DealDraw, GameState, Stage, SupplyDraw, TempleDraw
from tests.rules.positions import (
    NORTH,
    after_adam,
    answer_draws,
    expect_refusal,
    first_turn,
    is_legal,
    play,
    row,
    scene,
    seat,
    start_game,
)


def before_adam_draws() -> GameState:
    """A setup that now awaits A.D.A.M.'s first card."""
    state = start_game(1)
    while not isinstance(get_awaited(state), AdamDraw):
        state = apply_event(state, list_legal_actions(state)[0])
    return state


@pytest.mark.rule("7.1")
def test_the_bags_hold_16_bodies_3_heads_and_3_tails_of_each_colour() -> None:
    state = start_game(1)
    assert state.bodies == (16, 16, 16, 16, 16, 0)
    assert state.heads == state.tails == (3, 3, 3, 3, 3)
    state = answer_draws(state)
    assert sum(state.bodies) == 80 - 12
    assert all(state.spaces)


@pytest.mark.rule("7.1")
def test_two_players_still_have_24_bodies() -> None:
    assert start_game(2).bodies == (24, 24, 24, 24, 24, 0)


@pytest.mark.rule("7.1")
@pytest.mark.parametrize("line", ["pick <R", "future", "priest 1"])
def test_there_are_no_tokens(line: str) -> None:
    assert first_turn(1, tokens=True).players[NORTH].tokens == ()
    assert expect_refusal(scene(adam="P11 P12 P13"), line).rule


@pytest.mark.rule("7.1")
def test_adam_has_three_cards_in_a_row_from_left_to_right() -> None:
    state = before_adam_draws()
    assert state.draws.count(AdamDraw()) == 3
    for card in ("P40", "P16", "P11"):
        state = apply_event(state, parse_event(f"deal-adam {card}"))
    assert state.adam is not None
    assert state.adam.row == row("P40 P16 P11")
    assert (state.adam.fulfilled, state.adam.discarded) == ((), ())


@pytest.mark.rule("7.1")
def test_adams_cards_are_shown_and_come_from_the_deck() -> None:
    state = before_adam_draws()
    assert expect_refusal(state, "deal-adam ?").rule
    assert expect_refusal(state, f"deal-adam {state.supply[0]}").rule == "1.3"
    assert expect_refusal(state, "supply P40").rule == "7.1"
    assert is_legal(state, "deal-adam P40")
    state = answer_draws(state)
    assert state.deck == 54 - 6 - 3 - 5


@pytest.mark.rule("7.1")
def test_adam_is_dealt_no_card_at_a_table_of_two() -> None:
    assert start_game(2).adam is None
    assert AdamDraw() not in start_game(2).draws


@pytest.mark.rule("7.1")
def test_five_cards_are_dealt_to_the_player() -> None:
    assert start_game(1).draws.count(DealDraw(NORTH)) == 5
    assert len(answer_draws(start_game(1)).players[NORTH].hand) == 5


@pytest.mark.rule("7.1")
@pytest.mark.parametrize("number", [0, 1, 2, 4, 5])
def test_neither_fewer_nor_more_than_three_are_kept(number: int) -> None:
    state = answer_draws(start_game(1))
    hand = state.players[NORTH].hand
    error = expect_refusal(state, " ".join(("keep", *hand[:number])))
    assert error.rule == ("7.1" if number < 3 else "2.4")


@pytest.mark.rule("7.1")
def test_exactly_three_are_kept_and_two_discarded() -> None:
    state = answer_draws(start_game(1))
    hand = state.players[NORTH].hand
    assert len(set(hand)) == 5
    choices = list_legal_actions(state)
    assert len(choices) == 10  # rule 7.1: three of five
    assert all(isinstance(choice, Keep) and len(choice.cards) == 3 for choice in choices)
    state = play(state, f"keep {hand[0]} {hand[2]} {hand[4]}")
    assert state.players[NORTH].hand == (hand[0], hand[2], hand[4])
    assert state.players[NORTH].discarded == (hand[1], hand[3])


@pytest.mark.rule("7.1")
def test_hidden_cards_are_kept_by_three_as_well() -> None:
    state = answer_draws(start_game(1, hidden_hands=True), hidden=True)
    assert expect_refusal(state, "keep ? ?").rule == "7.1"
    assert play(state, "keep ? ? ?").players[NORTH].hand == ("?", "?", "?")


@pytest.mark.rule("7.1")
def test_adam_has_the_first_turn_and_then_turns_alternate() -> None:
    state = first_turn(1)
    assert get_awaited(state) == Decision(ADAM_INDEX, Stage.ADAMS_TURN)
    assert list_legal_actions(state) == [parse_event("adam")]
    state = after_adam(state)
    assert get_awaited(state) == Decision(NORTH, Stage.READY)
    state = play(state, "draw", "end")
    assert get_awaited(state) == Decision(ADAM_INDEX, Stage.ADAMS_TURN)


@pytest.mark.rule("7.1")
@pytest.mark.parametrize("line", ["take 1", "draw", "begin R", "pass", "end", "keep"])
def test_the_player_waits_while_adam_plays(line: str) -> None:
    state = scene(seat("R"), adam="P11 P12 P13", turn=ADAM_INDEX)
    assert not is_legal(state, line)
    assert expect_refusal(state, line).rule


@pytest.mark.rule("7.1")
def test_adam_plays_only_in_its_own_turn_and_only_at_a_solo_table() -> None:
    assert not is_legal(scene(adam="P11 P12 P13"), "adam")
    assert expect_refusal(scene(), "adam").rule == "7.1"


@pytest.mark.rule("7.1", "9.9")
def test_two_temples_lie_face_up_on_two_piles_and_the_player_has_none() -> None:
    state = first_turn(1)
    assert all(pile.top for pile in state.piles)
    assert [1 + pile.below for pile in state.piles] == [8, 7]
    assert state.players[NORTH].temples == ()
    assert TempleDraw(NORTH) not in start_game(1).draws


@pytest.mark.rule("9.9")
def test_the_next_temple_of_a_pile_shows_when_the_top_was_placed() -> None:
    state = scene(seat("Y>", ["<KKK"], hand="P03"), adam="P11 P12 P13", piles=("T14", "T05"))
    below = state.piles[1].below
    state = play(state, "add Y> to 1 tail", "play P03 on 1", "temple T05 on 1 from pile 2")
    assert state.piles[1].top not in ("", "T05")
    assert state.piles[1].below == below - 1


@pytest.mark.rule("9.9")
def test_a_table_may_deal_the_player_one_temple() -> None:
    state = first_turn(1, solo_temple_in_hand=True)
    assert len(state.players[NORTH].temples) == 1
    assert [1 + pile.below for pile in state.piles] == [7, 7]


@pytest.mark.rule("7.2")
def test_the_row_of_the_setup_grows_at_the_left() -> None:
    state = start_game(1)
    while not isinstance(get_awaited(state), SupplyDraw):
        state = apply_event(state, list_legal_actions(state)[0])
    state = play(state, *(f"supply P4{number}" for number in range(6)))
    assert state.supply == ("P45", "P44", "P43", "P42", "P41", "P40")


@pytest.mark.rule("7.2")
def test_cards_slide_right_and_new_ones_come_in_at_the_left() -> None:
    state = scene(adam="P11 P12 P13", supply="P30 P31 P32 P33 P34 P35")
    state = play(state, "choose P31", "choose P34")
    assert state.supply == ("P30", "P32", "P33", "P35")
    state = play(state, "end", "supply P40", "supply P41")
    assert state.supply == ("P41", "P40", "P30", "P32", "P33", "P35")


@pytest.mark.rule("7.2")
def test_the_row_is_refilled_only_at_the_end_of_the_turn() -> None:
    state = play(scene(adam="P11 P12 P13"), "choose P35", "draw")
    assert state.supply == ("P30", "P31", "P32", "P33", "P34")
    assert len(play(state, "end").supply) == 6


@pytest.mark.rule("7.2")
def test_a_blind_draw_moves_no_card_of_the_row() -> None:
    before = scene(adam="P11 P12 P13")
    assert play(before, "draw", "end").supply == before.supply


@pytest.mark.rule("7.2")
def test_adam_takes_at_the_right_end_and_the_row_slides() -> None:
    state = scene(adam="P11:YYYYY P12 P13", turn=ADAM_INDEX)
    state = after_adam(state, "supply P40")
    assert state.adam is not None
    assert state.adam.row == row("P12 P13 P35")
    assert state.supply == ("P40", "P30", "P31", "P32", "P33", "P34")


@pytest.mark.rule("7.2")
@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("choose P01", ("P30", "P31", "P32", "P01", "P33")),
        ("choose P01 copy 1", ("P30", "P31", "P32", "P01", "P33")),
        ("choose P01 copy 2", ("P30", "P01", "P31", "P32", "P33")),
    ],
)
def test_which_of_two_identical_cards_is_chosen_matters(line: str, left: tuple[str, ...]) -> None:
    state = scene(adam="P11 P12 P13", supply="P30 P01 P31 P32 P01 P33")
    state = play(state, line)
    assert state.supply == left
    assert state.players[NORTH].hand == ("P01",)


@pytest.mark.rule("7.2")
def test_both_copies_are_listed_and_a_third_is_refused() -> None:
    state = scene(adam="P11 P12 P13", supply="P30 P01 P31 P32 P01 P33")
    assert ChooseCard("P01", 1) in list_legal_actions(state)
    assert ChooseCard("P01", 2) in list_legal_actions(state)
    assert expect_refusal(state, "choose P01 copy 3").rule
    assert expect_refusal(state, "choose P30 copy 2").rule
    assert is_legal(play(state, "choose P01 copy 2"), "choose P01")
    assert not is_legal(play(state, "choose P01 copy 2"), "choose P01 copy 2")


@pytest.mark.rule("7.2")
def test_the_copy_left_at_the_right_end_is_adams_next_card() -> None:
    before = scene(adam="P11:YYYYY P12 P13", supply="P01 P30 P31 P32 P33 P01")
    rows = []
    for line in ("choose P01 copy 1", "choose P01 copy 2"):
        state = after_adam(play(before, line, "end"))
        assert state.adam is not None
        rows.append([wanted.card for wanted in state.adam.row])
    assert rows == [["P12", "P13", "P01"], ["P12", "P13", "P33"]]


@pytest.mark.rule("9.6")
def test_spaces_1_to_6_are_for_bodies_7_and_8_for_heads_9_and_10_for_tails() -> None:
    spaces = answer_draws(start_game(1)).spaces
    assert [len(pieces) for pieces in spaces] == [2] * 6 + [1] * 4
    assert all(piece in "RGBYK" for pieces in spaces[:6] for piece in pieces)
    assert all(pieces[0].startswith("<") for pieces in spaces[6:8])
    assert all(pieces[0].endswith(">") for pieces in spaces[8:])


@pytest.mark.rule("7.2", "9.6")
@pytest.mark.parametrize(
    ("spaces", "taken"),
    [
        ("RR YK BB GG KK YY <Y <Y Y> Y>", 2),
        ("RR GG BB GG KK YY <Y <Y Y> Y>", 6),
        ("RR GG BB GG KK RR <R <Y Y> Y>", 8),
        ("RR GG BB GG KK RR <R <G Y> Y>", 9),
        ("RR GG BB GG KK RR <R <G R> Y>", 10),
    ],
)
def test_adam_goes_through_the_spaces_in_the_order_of_their_numbers(
    spaces: str, taken: int
) -> None:
    before = scene(adam="P11 P12 P13", turn=ADAM_INDEX, spaces=spaces)
    after = after_adam(before)
    emptied = [n for n, pieces in enumerate(after.spaces, 1) if pieces != before.spaces[n - 1]]
    assert emptied == [taken]


@pytest.mark.rule("9.6")
def test_adam_goes_by_the_numbers_that_the_table_gives_the_spaces() -> None:
    spaces = "R> Y> <Y <G YY RR GG BB KK RG"
    before = scene(adam="P11 P12 P13", turn=ADAM_INDEX, spaces=spaces, space_kinds="tthhbbbbbb")
    after = after_adam(before)
    assert after.spaces[1] == ()
    assert after.spaces[2:] == before.spaces[2:]
    assert after.adam is not None
    assert after.adam.row == row("P11:Y> P12 P13")


@pytest.mark.rule("7.2")
def test_which_of_identical_cards_matters_only_in_a_solo_game() -> None:
    error = expect_refusal(scene(supply="P05 P05 P30 P31 P32 P33"), "choose P05 copy 2")
    assert (error.rule, error.key) == ("7.2", "rules.copy_only_solo")


@pytest.mark.rule("7.1")
def test_a_token_in_a_solo_game_is_refused_by_its_own_rule() -> None:
    assert expect_refusal(scene(adam="P11 P12 P13"), "priest 1").rule == "7.1"
