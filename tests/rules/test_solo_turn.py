"""A.D.A.M.'s turn (rules 7.4 to 7.7; rulings 9.5, 9.10, 9.15)."""

from __future__ import annotations

from typing import Any

import pytest

from coatl_tools import load_cards
from coatl_tools.cards.card import CardKind
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.engine import Decision, apply_event, get_awaited
from coatl_tools.rules.events import parse_event
from coatl_tools.rules.solo.adam import (
    AdamRowPlace,
    DiscardPiece,
    NothingToTake,
    PutPiece,
    RowStaysShort,
    SearchSpaces,
    TakeLowest,
)
from coatl_tools.rules.state import Adam, FillDraw, GameState, Stage, SupplyDraw
from tests.rules.positions import (
    NORTH,
    after_adam,
    expect_refusal,
    is_legal,
    plan,
    play,
    row,
    scene,
    seat,
)

NO_YELLOW = "RR GG BB KK RG RR <R <G R> G>"
SUPPLY = "P39 P40 P41 P42 P43 P44"


def turn(adam: str, spaces: str = "RR GG BB YY KK RG <R <G R> G>", **more: Any) -> GameState:
    """A moment when A.D.A.M. plays with these cards."""
    more.setdefault("supply", SUPPLY)
    return scene(adam=adam, turn=ADAM_INDEX, spaces=spaces, **more)


def adam_of(state: GameState) -> Adam:
    assert state.adam is not None
    return state.adam


def all_but(*used: str) -> str:
    """All Prophecy cards of the base game but these."""
    cards = [c for c in load_cards().deck() if c.kind is CardKind.PROPHECY]
    left = [card.id for card in cards for _ in range(card.copies)]
    for card in " ".join(used).split():
        left.remove(card)
    return " ".join(left)


@pytest.mark.rule("7.4", "7.5")
def test_the_first_space_that_has_a_piece_for_the_leftmost_card_is_emptied() -> None:
    before = turn("P11 P12 P13")
    state = after_adam(before)
    assert state.spaces == (*before.spaces[:3], (), *before.spaces[4:])
    assert adam_of(state).row == row("P11:YY P12 P13")
    assert adam_of(state).discarded == ()
    assert get_awaited(state) == Decision(NORTH, Stage.READY)


@pytest.mark.rule("7.4")
def test_the_lower_of_two_spaces_is_taken_even_if_it_has_fewer_wanted_pieces() -> None:
    state = after_adam(turn("P11 P12 P13", "RR GG BY YY KK RG <Y <G R> G>"))
    assert state.spaces[2] == ()
    assert adam_of(state).row[0] == row("P11:Y")[0]


@pytest.mark.rule("7.4")
def test_all_ten_spaces_are_searched_before_the_next_card_is_looked_at() -> None:
    state = after_adam(turn("P11 P12 P13", "RR GG BB KK RG RR <R <G R> Y>"))
    assert state.spaces[9] == ()
    assert adam_of(state).row == row("P11:Y> P12 P13")


@pytest.mark.rule("7.5", "9.10")
def test_an_unwanted_piece_beside_a_wanted_one_leaves_the_game() -> None:
    state = after_adam(turn("P11 P13 P15", "RR GY BB YY KK RG <R <G R> G>"))
    assert adam_of(state).row == row("P11:Y P13 P15")
    assert adam_of(state).discarded == ("G",)


@pytest.mark.rule("7.5")
def test_a_piece_found_on_the_way_goes_on_the_card_that_needs_it() -> None:
    state = after_adam(turn("P11 P13 P14", "RR GY BB YY KK RG <R <G R> G>"))
    assert adam_of(state).row == row("P11:Y P13 P14:G")
    assert adam_of(state).discarded == ()


@pytest.mark.rule("7.5")
def test_a_piece_that_two_cards_need_goes_on_the_left_one() -> None:
    state = after_adam(turn("P14 P16 P11", "GY RR BB YY KK RG <R <G R> G>"))
    assert adam_of(state).row == row("P14:G P16:Y P11")


@pytest.mark.rule("7.4", "7.6")
def test_what_a_card_already_has_is_not_searched_for() -> None:
    state = after_adam(turn("P29:YY P12 P13", "YY GG BB RR KK RG <R <G R> G>"))
    assert state.spaces[0] == ("Y", "Y")
    assert adam_of(state).row == row("P12 P13 P44")


@pytest.mark.rule("7.5")
def test_a_piece_too_many_goes_on_to_the_next_card_that_needs_it() -> None:
    state = after_adam(turn("P29:B P31 P12"))
    assert adam_of(state).row == row("P29:BB P31 P12")
    state = after_adam(turn("P29:YB P31 P12", "RR GG YY KK KK RG <R <G R> G>"))
    assert adam_of(state).row == row("P29:YBY P31:Y P12")


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(
    ("adam", "space", "after"),
    [
        ("P11 P12 P13", 1, "P11 P12:RR P13"),
        ("P11 P01 P13", 4, "P11 P01 P13:KK"),
        ("P11 P06 P14", 2, "P11 P06 P14:GG"),
    ],
)
def test_if_a_card_cannot_be_helped_the_next_one_is_searched_for(
    adam: str, space: int, after: str
) -> None:
    before = turn(adam, NO_YELLOW)
    found = plan(before)
    searches = [step for step in found.steps if isinstance(step, SearchSpaces)]
    assert [step.space for step in searches[:-1]] == [0] * (len(searches) - 1)
    assert searches[-1].space == found.space == space
    assert adam_of(after_adam(before)).row == row(after)


@pytest.mark.rule("7.4")
@pytest.mark.parametrize(
    ("spaces", "space", "pieces"),
    [
        (NO_YELLOW, 1, ("R", "R")),
        ("- - BK KK RG RR <R <G R> G>", 3, ("B", "K")),
        ("- - - - - KG <R <G R> G>", 6, ("G", "K")),
        ("- - - - - - - <G R> G>", 8, ("<G",)),
        ("- - - - - - - - - G>", 10, ("G>",)),
    ],
)
def test_if_no_card_can_be_helped_the_lowest_space_with_pieces_is_discarded(
    spaces: str, space: int, pieces: tuple[str, ...]
) -> None:
    before = turn("P11 P01 P06", spaces)
    assert plan(before).space == space
    state = after_adam(before)
    assert adam_of(state).row == row("P11 P01 P06")
    assert adam_of(state).discarded == pieces
    assert state.current_player == NORTH


@pytest.mark.rule("7.4")
def test_why_the_lowest_space_is_taken_can_be_told_from_the_steps() -> None:
    steps = plan(turn("P11 P01 P06", NO_YELLOW)).steps
    assert [type(step) for step in steps[:3]] == [SearchSpaces] * 3
    assert steps[3:] == (
        TakeLowest(1, ("R", "R"), 3),
        DiscardPiece("R", None),
        DiscardPiece("R", None),
    )


@pytest.mark.rule("7.4", "7.5")
@pytest.mark.parametrize("piece", ["<Y", "Y>"])
def test_heads_and_tails_count_as_any_piece(piece: str) -> None:
    spaces = NO_YELLOW.replace("<G", piece) if piece == "<Y" else NO_YELLOW.replace("G>", piece)
    state = after_adam(turn("P06:Y P12 P13", spaces))
    assert adam_of(state).row == row(f"P06:Y{piece} P12 P13")
    assert after_adam(turn("P06:<YYY> P12 P13", spaces)).adam == Adam(
        row("P12 P13 P44"), ("P06",), tuple(sorted(("<Y", "Y", "Y>", piece)))
    )


@pytest.mark.rule("9.5")
def test_a_coloured_need_goes_before_a_white_one() -> None:
    state = after_adam(turn("P45 P12 P11", "KR GG BB YY KK RG <R <G R> G>"))
    assert adam_of(state).row == row("P45:KR P12 P11")
    state = after_adam(state._replace(current_player=ADAM_INDEX, stage=Stage.ADAMS_TURN))
    assert adam_of(state).row == row("P45:KRYY P12 P11")


@pytest.mark.rule("9.5")
def test_a_piece_of_a_coloured_need_that_is_met_is_still_good_for_the_white_one() -> None:
    state = after_adam(turn("P45:KKY P12 P14", "KB GG BB YY KK RG <R <G R> G>"))
    assert adam_of(state).row == row("P45:KKYK P12 P14")
    assert adam_of(state).discarded == ("B",)


@pytest.mark.rule("9.5")
def test_the_steps_tell_a_white_need_from_a_coloured_one() -> None:
    steps = plan(turn("P45:YY P12 P13", "KR GG BB YY KK RG <R <G R> G>")).steps
    spot = AdamRowPlace("P45", 1)
    assert steps[1:] == (
        PutPiece("K", spot, False, (0, 0, 0, 0, 1, 1), None),
        PutPiece("R", spot, True, (0, 0, 0, 0, 1, 0), None),
    )


@pytest.mark.rule("9.5")
def test_a_white_need_of_the_leftmost_card_beats_a_coloured_need_of_a_later_one() -> None:
    state = after_adam(turn("P45 P12 P13"))
    assert state.spaces[0] == ()
    assert adam_of(state).row == row("P45:R P12:R P13")


@pytest.mark.rule("9.5")
def test_a_coloured_need_of_the_left_card_beats_a_white_need_of_a_later_one() -> None:
    state = after_adam(turn("P12 P45 P13"))
    assert adam_of(state).row == row("P12:RR P45 P13")


@pytest.mark.rule("9.5")
@pytest.mark.parametrize(
    ("adam", "space"),
    [("P45 P12 P13", 1), ("P45:KKYY P12 P13", 1), ("P45:B P12 P13", 4), ("P45:BYY P12 P13", 5)],
)
def test_in_the_search_a_white_need_is_met_by_any_piece(adam: str, space: int) -> None:
    assert plan(turn(adam)).space == space


@pytest.mark.rule("9.5")
@pytest.mark.parametrize("piece", ["<G", "<Y", "<K"])
def test_a_white_need_takes_a_head_as_well(piece: str) -> None:
    state = turn("P45:KKYY P12 P13", f"- - - - - - - {piece} - -")
    assert plan(state).fulfilled == ("P45",)


@pytest.mark.rule("9.5")
@pytest.mark.parametrize(
    ("space", "after", "discarded"),
    [("RB", "P45:KKYR P15:B P13", ()), ("BR", "P45:KKYB P15 P13", ("R",))],
)
def test_pieces_are_placed_in_the_order_in_which_they_lie_on_the_space(
    space: str, after: str, discarded: tuple[str, ...]
) -> None:
    state = after_adam(turn("P45:KKY P15 P13", f"{space} GG BB YY KK RG <R <G R> G>"))
    assert adam_of(state).row == row(after)
    assert adam_of(state).discarded == discarded


@pytest.mark.rule("9.5")
@pytest.mark.parametrize(
    ("pieces", "last", "passed_on"), [("BYB", "<Y", "B"), ("YBB", "<Y", "Y"), ("YBY", "<B", "Y")]
)
def test_pieces_are_passed_on_in_the_order_in_which_they_lay_on_the_card(
    pieces: str, last: str, passed_on: str
) -> None:
    before = turn(f"P29:{pieces} P46:KKG P12", f"- - - - - RR {last} - - -")
    assert adam_of(after_adam(before)).row == row(f"P46:KKG{passed_on} P12 P44")


@pytest.mark.rule("7.6")
def test_a_card_with_all_its_pieces_goes_to_the_fulfilled_pile() -> None:
    state = after_adam(turn("P14 P29:YBB P13", "RR RR BY RR RR RR <R <R R> R>", fulfilled="P05"))
    assert adam_of(state).fulfilled == ("P05", "P29")
    assert adam_of(state).row == row("P14 P13 P44")
    assert adam_of(state).discarded == ("B", "B", "B", "Y", "Y")


@pytest.mark.rule("7.6")
def test_pieces_of_a_fulfilled_card_are_offered_to_the_others_from_the_left() -> None:
    state = after_adam(turn("P29:BBY P15 P11", "RR GG GG KK KK RG <Y <G R> G>"))
    assert adam_of(state).row == row("P15:BB P11:Y<Y P44")
    assert adam_of(state).discarded == ()


@pytest.mark.rule("7.6")
def test_what_one_card_has_no_use_for_is_offered_to_the_next() -> None:
    state = after_adam(turn("P15:BBBBB P29:B P23:B", "RR GG GG KK KK RG <B <G R> G>"))
    assert adam_of(state).row == row("P29:BB P23:BB P44")
    assert adam_of(state).discarded == ("<B", "B", "B", "B")


@pytest.mark.rule("7.6")
def test_pieces_go_to_a_card_at_the_left_too() -> None:
    state = after_adam(turn("P11 P29:YYB P13", "RR GG GG KK KK RG <B <G R> G>"))
    assert adam_of(state).row == row("P11:YY P13 P44")
    assert adam_of(state).discarded == ("<B", "B")


@pytest.mark.rule("7.6")
def test_a_card_at_the_left_may_be_completed_by_one_at_its_right() -> None:
    state = after_adam(turn("P11:YYYY P29:YYB P16", "RR GG GG KK KK RG <B <G R> G>"))
    assert adam_of(state).fulfilled == ("P29", "P11")
    assert adam_of(state).row == row("P16:YYY P44 P43")
    assert adam_of(state).discarded == ("<B", "B", "Y", "Y", "Y")


@pytest.mark.rule("7.6", "9.15")
def test_a_fulfilled_card_may_complete_the_next_and_that_one_a_third() -> None:
    state = after_adam(turn("P10:BBB P29:YY P31:KK", "RR GG RR GG GG RG <B <G R> G>"))
    assert adam_of(state).fulfilled == ("P10", "P29", "P31")
    assert adam_of(state).row == row("P44 P43 P42")
    assert adam_of(state).discarded == ("<B", "B", "B", "B", "K", "K", "Y", "Y")
    assert state.supply[3:] == ("P39", "P40", "P41")


@pytest.mark.rule("7.6", "9.15")
def test_one_fulfilled_card_may_complete_two() -> None:
    state = after_adam(turn("P10:BBB P29:YY P23:KK", "RR GG RR GG GG RG <B <G R> G>"))
    assert adam_of(state).fulfilled == ("P10", "P29", "P23")
    assert adam_of(state).discarded == ("<B", "B", "B", "B", "K", "K", "Y", "Y")


@pytest.mark.rule("9.15")
@pytest.mark.parametrize("space", ["YR", "RY"])
def test_of_two_cards_completed_at_once_the_left_one_comes_first(space: str) -> None:
    state = after_adam(turn("P11:YYYYY P12:RRRRR P24", f"{space} GG BB YY KK RG <R <G R> G>"))
    assert adam_of(state).fulfilled == ("P11", "P12", "P24")
    state = after_adam(turn("P12:RRRRR P11:YYYYY P13", f"GG {space} BB YY KK GG <R <G R> G>"))
    assert adam_of(state).fulfilled == ("P12", "P11")
    assert adam_of(state).row == row("P13 P44 P43")


@pytest.mark.rule("9.15")
def test_two_completed_cards_give_each_other_nothing() -> None:
    state = after_adam(turn("P11:YYYYY P06:YYY P13"))
    assert adam_of(state).fulfilled == ("P11", "P06")
    assert adam_of(state).discarded == ("Y",) * 10
    assert adam_of(state).row == row("P13 P44 P43")


@pytest.mark.rule("9.15")
def test_both_completed_cards_offer_their_pieces_the_left_one_first() -> None:
    spaces = "GG YR BB KK KK GG <R <G R> G>"
    state = after_adam(turn("P12:RRRRR P24:YRR P48:Y", spaces))
    assert adam_of(state).fulfilled == ("P12", "P24", "P48")
    state = after_adam(turn("P12:RRRRR P24:YRR P46:KKG", spaces))
    assert adam_of(state).row == row("P46:KKGR P44 P43")


@pytest.mark.rule("9.15")
def test_leftover_pieces_are_not_for_the_new_cards() -> None:
    state = after_adam(turn("P11:YYYYY P12 P13", supply="P30 P31 P32 P33 P29 P16"))
    assert adam_of(state).row == row("P12 P13 P16")
    assert adam_of(state).discarded == ("Y",) * 7


@pytest.mark.rule("7.7")
def test_new_cards_join_at_the_right_from_the_right_end_of_the_supply() -> None:
    state = after_adam(turn("P11:YYYYY P13 P12:RRRRR", "YR GG BB YY KK RG <R <G R> G>"))
    assert adam_of(state).row == row("P13 P44 P43")
    assert state.supply[2:] == ("P39", "P40", "P41", "P42")
    assert len(state.supply) == 6


@pytest.mark.rule("7.7")
def test_without_a_fulfilled_card_no_card_is_taken() -> None:
    before = turn("P11 P12 P13")
    state = apply_event(before, parse_event("adam"))
    assert state.supply == before.supply
    assert state.draws == ()


@pytest.mark.rule("9.15")
def test_when_the_supply_runs_out_the_row_stays_short() -> None:
    adam = "P11:YYYYY P12:RRRRR P13"
    others = all_but("P11 P12 P13 P40")
    before = turn(adam, "YR GG BB YY KK RG <R <G R> G>", supply="P40", fulfilled=others)
    assert plan(before).steps[-1] == RowStaysShort(2)
    state = after_adam(before)
    assert adam_of(state).row == row("P13 P40")
    assert (state.supply, state.deck) == ((), 0)
    assert state.current_player == NORTH


@pytest.mark.rule("9.15")
def test_adam_plays_with_the_cards_it_has() -> None:
    others = all_but("P11 P13")
    state = turn("P11 P13", NO_YELLOW, supply="", fulfilled=others)
    assert plan(state).space == 4
    assert adam_of(after_adam(state)).row == row("P11 P13:KK")
    state = turn("P11", NO_YELLOW, supply="", fulfilled=all_but("P11"))
    assert adam_of(after_adam(state)).discarded == ("R", "R")


@pytest.mark.rule("9.15")
def test_without_any_card_the_lowest_space_with_pieces_is_discarded() -> None:
    before = turn("", "- YK BB YY KK RG <R <G R> G>", supply="", fulfilled=all_but())
    assert plan(before).steps == (
        TakeLowest(2, ("Y", "K"), 0),
        DiscardPiece("Y", None),
        DiscardPiece("K", None),
    )
    state = after_adam(before)
    assert adam_of(state).discarded == ("K", "Y")
    assert adam_of(state).row == ()


@pytest.mark.rule("9.15")
def test_the_last_card_fulfilled_leaves_adam_without_any() -> None:
    before = turn("P11:YYYYY", supply="", fulfilled=all_but("P11"))
    state = after_adam(before)
    assert adam_of(state).row == ()
    assert adam_of(state).fulfilled[-1] == "P11"


@pytest.mark.rule("7.2", "7.7")
def test_an_empty_deck_is_rebuilt_for_the_row() -> None:
    used = f"P11 P12 P13 {SUPPLY} P48 P49"
    before = turn("P11:YYYYY P12 P13", fulfilled=all_but(used), discards="P48 P49")
    state = apply_event(before, parse_event("adam"))
    assert state.draws == (SupplyDraw(),)
    assert (state.deck, state.discards) == (2, ())
    assert not is_legal(state, "supply P01")
    state = play(state, "supply P49")
    assert state.supply == ("P49", "P39", "P40", "P41", "P42", "P43")


@pytest.mark.rule("7.7")
def test_fulfilled_cards_never_come_back() -> None:
    before = turn("P11:YYYYY P12 P13", fulfilled=all_but(f"P11 P12 P13 {SUPPLY}"))
    state = after_adam(before)
    assert state.supply == ("P39", "P40", "P41", "P42", "P43")
    assert state.current_player == NORTH


@pytest.mark.rule("7.5")
def test_of_two_identical_cards_the_left_one_is_served_first() -> None:
    state = after_adam(turn("P01:YYYY P01:Y P12", "RR YG BB YY KK RG <R <G R> G>"))
    assert adam_of(state).row == row("P01:YYYYY P01:Y P12")


@pytest.mark.rule("7.6")
def test_an_identical_card_gets_the_pieces_of_the_first() -> None:
    state = after_adam(turn("P01:YYYYY P01 P12", "RR GG BB RR KK RG <Y <G R> G>"))
    assert adam_of(state).fulfilled == ("P01", "P01")
    assert adam_of(state).discarded == ("<Y", "Y", "Y", "Y", "Y", "Y")
    assert adam_of(state).row == row("P12 P44 P43")


@pytest.mark.rule("7.6")
def test_two_identical_cards_may_be_fulfilled_at_once() -> None:
    state = after_adam(turn("P01:YYYYY P12 P01:YYYYY"))
    assert adam_of(state).fulfilled == ("P01", "P01")
    assert adam_of(state).row == row("P12 P44 P43")
    assert adam_of(state).discarded == ("Y",) * 12


@pytest.mark.rule("7.6")
def test_of_two_identical_cards_one_may_be_fulfilled_and_the_other_stay() -> None:
    state = after_adam(turn("P01:YYYYY P16 P01", "RR GG BB RR KK RG <Y <G R> G>"))
    assert adam_of(state).fulfilled == ("P01",)
    assert adam_of(state).row == row("P16:YYY P01:YY<Y P44")
    assert adam_of(state).discarded == ()


@pytest.mark.rule("9.10")
def test_discarded_pieces_leave_the_game() -> None:
    before = turn("P11 P13 P15", "RR GY BB YY KK RG <R <G R> G>", discarded="<K<K<K")
    state = after_adam(before)
    bags = (before.bodies, before.heads, before.tails)
    assert (state.bodies, state.heads, state.tails) == bags
    assert adam_of(state).discarded == ("<K", "<K", "<K", "G")
    before = turn("P11 P13 P15", "RR GG BB KK KK RG - - - Y>", discarded="<K<K<K")
    state = apply_event(before, parse_event("adam"))
    assert expect_refusal(state, "fill 7 <K").rule == "1.2"
    assert is_legal(state, "fill 7 <Y")


@pytest.mark.rule("3.2", "7.4")
def test_taking_the_last_bodies_fills_every_empty_space() -> None:
    state = apply_event(turn("P11 P12 P13", "- - - YG - - <R - R> -"), parse_event("adam"))
    spaces = (1, 2, 3, 4, 5, 6, 8, 10)
    assert state.draws == tuple(FillDraw(space) for space in spaces)
    state = play(state)
    assert all(state.spaces)
    assert state.current_player == NORTH


@pytest.mark.rule("3.2", "7.4")
@pytest.mark.parametrize("spaces", ["RR - BB KK RR GG - - - Y>", "RR - BB KK RR GG <Y - - -"])
def test_taking_the_last_head_or_tail_fills_every_empty_space(spaces: str) -> None:
    state = apply_event(turn("P11 P12 P13", spaces), parse_event("adam"))
    fills = tuple(FillDraw(space) for space in (2, 7, 8, 9, 10))
    assert state.draws == fills
    assert play(state).current_player == NORTH


@pytest.mark.rule("3.2", "7.4")
def test_nothing_is_filled_while_bodies_and_a_head_or_tail_are_left() -> None:
    state = apply_event(turn("P11 P12 P13", "- - - YG - RR <R - - -"), parse_event("adam"))
    assert state.draws == ()
    assert [bool(pieces) for pieces in state.spaces] == [False] * 5 + [True, True] + [False] * 3


@pytest.mark.rule("3.2", "7.7")
def test_pieces_come_onto_the_board_before_cards_into_the_row() -> None:
    state = apply_event(turn("P11:YYYYY P12 P13", "- - - YG - - <R <G R> G>"), parse_event("adam"))
    assert state.draws == (*(FillDraw(n) for n in range(1, 7)), SupplyDraw())


@pytest.mark.rule("7.4")
def test_adam_takes_nothing_from_an_empty_board() -> None:
    before = turn("P11 P12 P13", "- - - - - - - - - -", solo_final_turns=True)
    assert plan(before).steps[-1] == NothingToTake()
    state = after_adam(before)
    assert adam_of(state) == adam_of(before)
    assert state.current_player == NORTH


@pytest.mark.rule("7.4")
def test_the_players_things_are_not_touched() -> None:
    before = turn("P11 P12 P13")._replace(players=(seat("R <G", ["<RY"], "P01 P16", "T01"),))
    assert after_adam(before).players == before.players


@pytest.mark.rule("9.15")
def test_a_card_completed_on_the_way_is_next_if_it_is_the_leftmost() -> None:
    state = turn("P06:YYY P11:YY P12:RRRRR P46:KKG", "YR GG BB YY KK RG <R <G R> G>", levels=(5,))
    found = plan(state)
    assert found.fulfilled == ("P06", "P11", "P12")
    assert found.row[0] == row("P46:KKGY")[0]


@pytest.mark.rule("7.4")
def test_adam_plays_only_in_its_turn() -> None:
    error = expect_refusal(scene(adam="P11 P12 P13"), "adam")
    assert (error.rule, error.key) == ("7.4", "rules.not_adams_turn")
    assert expect_refusal(scene(), "adam").rule == "7.1"
