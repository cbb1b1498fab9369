"""The difficulty levels (rule 7.10; rulings 9.7, 9.16)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from coatl_tools.cards.card import Card, CardKind, Level
from coatl_tools.cards.requirement import ColourCount, NoProphecy, Several
from coatl_tools.errors import OptionError
from coatl_tools.pieces import Colour
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.engine import Decision, apply_event, get_awaited
from coatl_tools.rules.events import parse_event
from coatl_tools.rules.game import Game
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.solo.adam import SearchSpaces
from coatl_tools.rules.state import AdamDraw, Built, DealDraw, GameState, Player, Stage
from tests.rules.positions import (
    NORTH,
    after_adam,
    answer_draws,
    complete,
    expect_refusal,
    first_turn,
    is_legal,
    plan,
    play,
    row,
    scene,
    seat,
    start_game,
    table,
)

SUPPLY = "P26 P28 P29 P32 P34 P35"
NO_YELLOW = "RR GG BB KK RG RR <R <G R> G>"
CLOSE = "add B> to 1 tail"

# What fits <RKKKBB>: blue P17, black P10 and P13, red P03, green P40.
COLOURFUL = "P03 P13 P17 P40"
TWO_BLACK = "P03 P10 P13 P17"


def solo(player: Player, *levels: int, **more: Any) -> GameState:
    """The player's turn at these levels."""
    return scene(player, adam="P11 P01 P06", levels=levels, supply=SUPPLY, **more)


def closing(hand: str, placed: str = "", *levels: int, **more: Any) -> GameState:
    """The player may close <RKKKB with a blue tail."""
    return solo(seat("B>", [Built("<RKKKB", tuple(placed.split()))], hand), *levels, **more)


@pytest.mark.rule("7.10")
@pytest.mark.parametrize("levels", [(0,), (6,), (1, 1), (True,), (1, 2, 3, 4, 5, 6)])
def test_there_are_five_levels(levels: tuple[int, ...]) -> None:
    with pytest.raises(OptionError):
        table(1, levels=levels)


@pytest.mark.rule("7.10")
def test_levels_are_for_the_solo_game() -> None:
    with pytest.raises(OptionError):
        table(2, levels=(1,))
    assert table(1, levels=(5, 1)).levels == (1, 5)


RICH = complete("<KKKKKKR>", "P03 P13")


@pytest.mark.rule("7.10")
def test_at_level_1_the_player_loses_without_a_temple() -> None:
    lost = compute_result(solo(seat(coatls=[RICH]), 1, fulfilled="P05")).winners
    assert lost == (ADAM_INDEX,)
    assert compute_result(solo(seat(coatls=[RICH]), 2, 3, 4, 5, fulfilled="P05")).winners == (
        NORTH,
    )


@pytest.mark.rule("7.10")
def test_at_level_1_one_temple_on_a_complete_coatl_is_enough() -> None:
    with_temple = complete("<RKR>", "P17", "T01")
    found = compute_result(solo(seat(coatls=[RICH, with_temple]), 1, fulfilled="P05"))
    assert found.winners == (NORTH,)
    assert found.adam is not None
    assert not found.adam.temple_missing


@pytest.mark.rule("7.10")
def test_at_level_1_a_temple_in_hand_is_no_help() -> None:
    state = solo(seat(coatls=[RICH], temples="T01"), 1, solo_temple_in_hand=True)
    found = compute_result(state)
    assert found.winners == (ADAM_INDEX,)
    assert found.adam is not None
    assert found.adam.temple_missing


@pytest.mark.rule("7.10")
def test_level_1_does_not_make_a_temple_compulsory_for_a_coatl() -> None:
    state = play(closing("P17", "", 1), CLOSE, "play P17 on 1")
    assert is_legal(state, "complete")


@pytest.mark.rule("7.10")
@pytest.mark.parametrize("line", ["choose P35", "draw"])
def test_at_level_2_four_in_hand_is_the_limit(line: str) -> None:
    four = seat(hand="P02 P16 P40 P41")
    assert expect_refusal(solo(four, 2), line).rule == "7.10"
    assert is_legal(solo(four, 1, 3, 4, 5), line)
    state = play(solo(seat(hand="P02 P16 P40"), 2), line)
    assert len(state.players[NORTH].hand) == 4
    assert expect_refusal(state, line).rule == "7.10"


@pytest.mark.rule("9.16")
def test_at_level_2_the_setup_stays_as_it_is() -> None:
    state = start_game(1, levels=(2,))
    assert state.draws.count(DealDraw(NORTH)) == 5
    state = answer_draws(state)
    assert expect_refusal(state, "keep").rule == "7.1"
    assert len(first_turn(1, levels=(2,)).players[NORTH].hand) == 3


@pytest.mark.rule("7.10")
def test_level_2_has_no_say_on_temples_in_hand() -> None:
    state = solo(seat(hand="P02 P16 P40", temples="T01"), 2)
    assert is_legal(state, "draw")


@pytest.mark.rule("7.10")
def test_at_level_3_no_second_card_of_a_colour_joins_a_coatl() -> None:
    player = seat(coatls=[Built("RKKKG", ("P17",))], hand="P03 P13 P20")
    assert expect_refusal(solo(player, 3), "play P20 on 1").rule == "7.10"
    assert is_legal(solo(player, 3), "play P13 on 1")
    assert is_legal(solo(player, 3), "play P03 on 1")
    assert is_legal(solo(player, 1, 2, 4, 5), "play P20 on 1")


@pytest.mark.rule("9.16")
def test_level_3_counts_from_the_first_card_of_an_incomplete_coatl() -> None:
    state = solo(seat(coatls=["RKKKG"], hand="P13 P17 P20"), 3)
    assert is_legal(state, "play P17 on 1")
    assert is_legal(state, "play P20 on 1")
    state = play(state, "play P20 on 1")
    assert expect_refusal(state, "play P17 on 1").rule == "7.10"
    assert is_legal(state, "play P13 on 1")


@pytest.mark.rule("7.10")
def test_at_level_3_each_coatl_has_colours_of_its_own() -> None:
    coatls = [Built("RKKKG", ("P17",)), Built("KG")]
    state = solo(seat(coatls=coatls, hand="P20"), 3)
    assert is_legal(state, "play P20 on 2")
    assert not is_legal(state, "play P20 on 1")


@pytest.mark.rule("9.16")
def test_level_3_holds_for_the_cards_placed_with_the_closing_piece() -> None:
    state = play(closing(TWO_BLACK, "", 3), CLOSE, "play P13 on 1")
    assert expect_refusal(state, "play P10 on 1").rule == "7.10"
    assert is_legal(state, "play P03 on 1")
    assert is_legal(state, "complete")


@pytest.mark.rule("7.10")
def test_a_broken_card_still_takes_its_colour() -> None:
    built = Built("<RKKK", ("P08",))
    state = solo(seat(coatls=[built], hand="P13"), 3)
    assert expect_refusal(state, "play P13 on 1").rule == "7.10"


@pytest.mark.rule("7.10", "9.16")
def test_at_level_4_a_coatl_is_closed_only_if_four_cards_are_there_for_it() -> None:
    assert is_legal(closing(COLOURFUL, "", 4), CLOSE)
    assert expect_refusal(closing("P03 P13 P17", "", 4), CLOSE).rule == "7.10"
    assert is_legal(closing("P03 P13 P17", "", 1, 2, 3, 5), CLOSE)


@pytest.mark.rule("9.16")
@pytest.mark.parametrize(
    ("placed", "hand"),
    [
        ("P03", "P13 P17 P40"),
        ("P03 P13", "P17 P40"),
        ("P03 P13 P17", "P40"),
        ("P03 P13 P17 P40", ""),
        ("", "P03 P10 P13 P17 P40"),
    ],
)
def test_cards_placed_before_count_for_the_four(placed: str, hand: str) -> None:
    state = closing(hand, placed, 4)
    assert is_legal(state, CLOSE)
    if placed and hand:
        fewer = closing(" ".join(hand.split()[1:]), placed, 4)
        assert expect_refusal(fewer, CLOSE).rule == "7.10"


@pytest.mark.rule("9.16")
@pytest.mark.parametrize("hand", ["P03 P03 P13 P17", "P02 P03 P13 P17", "P03 P13 P16 P17 P36"])
def test_the_four_are_different_and_fit(hand: str) -> None:
    assert expect_refusal(closing(hand, "", 4), CLOSE).rule == "7.10"


@pytest.mark.rule("9.16")
def test_a_card_that_only_the_closing_piece_satisfies_counts() -> None:
    before = closing("P03 P10 P13 P17", "", 4)
    assert not is_legal(before, "play P10 on 1")
    assert is_legal(before, CLOSE)


@pytest.mark.rule("9.16")
def test_the_closing_piece_may_be_a_head() -> None:
    player = seat("<R", [Built("KKKBB>", ("P03",))], "P10 P13 P17")
    assert is_legal(solo(player, 4), "add <R to 1 head")
    fewer = player._replace(hand=("P10", "P13"))
    assert expect_refusal(solo(fewer, 4), "add <R to 1 head").rule == "7.10"


@pytest.mark.rule("9.16")
def test_filling_up_to_four_is_then_compulsory() -> None:
    state = play(closing(COLOURFUL, "", 4, piles=("T01", "T02")), CLOSE)
    for card in COLOURFUL.split():
        assert get_awaited(state) == Decision(NORTH, Stage.CLOSING)
        assert expect_refusal(state, "complete").rule == "7.10"
        assert expect_refusal(state, "temple T01 on 1 from pile 1").rule == "7.10"
        assert not is_legal(state, "end")
        state = play(state, f"play {card} on 1")
    assert is_legal(state, "temple T01 on 1 from pile 1")
    state = play(state, "complete")
    assert state.players[NORTH].completed == 1


@pytest.mark.rule("9.16")
def test_the_player_chooses_which_four_of_five() -> None:
    state = play(closing(f"P10 {COLOURFUL}", "", 4), CLOSE)
    state = play(state, "play P10 on 1", "play P13 on 1", "play P40 on 1")
    assert is_legal(state, "play P03 on 1")
    assert is_legal(state, "play P17 on 1")
    state = play(state, "play P17 on 1")
    assert expect_refusal(state, "play P03 on 1").rule == "3.9"
    assert play(state, "complete").players[NORTH].hand == ("P03",)


@pytest.mark.rule("7.10")
def test_without_level_4_one_card_is_enough() -> None:
    state = play(closing("P17", "", 1, 2, 3, 5), CLOSE, "play P17 on 1")
    assert is_legal(state, "complete")


@pytest.mark.rule("7.10")
def test_level_4_leaves_incomplete_coatls_alone() -> None:
    state = solo(seat("B K K>", ["<RK", "KB"], hand="P17"), 4)
    assert is_legal(state, "add B to 1 tail")
    assert is_legal(state, "add K> to 2 tail")
    assert is_legal(state, "play P17 on 1")
    assert is_legal(play(state, "play P17 on 1"), "end")


@pytest.mark.rule("9.16")
def test_levels_3_and_4_ask_for_four_colours() -> None:
    assert is_legal(closing(TWO_BLACK, "", 4), CLOSE)
    assert expect_refusal(closing(TWO_BLACK, "", 3, 4), CLOSE).rule == "7.10"
    assert is_legal(closing(COLOURFUL, "", 3, 4), CLOSE)
    assert is_legal(closing("P03 P10 P17", "P40", 3, 4), CLOSE)
    assert expect_refusal(closing("P03 P10 P17", "P13", 3, 4), CLOSE).rule == "7.10"


@pytest.mark.rule("9.16")
def test_at_levels_3_and_4_either_card_of_a_colour_will_do() -> None:
    state = play(closing(f"P10 {COLOURFUL}", "", 3, 4), CLOSE)
    assert is_legal(state, "play P13 on 1")
    state = play(state, "play P10 on 1")
    assert expect_refusal(state, "play P13 on 1").rule == "7.10"
    state = play(state, "play P40 on 1", "play P17 on 1", "play P03 on 1", "complete")
    assert state.players[NORTH].hand == ("P13",)


@pytest.mark.rule("9.16")
@pytest.mark.parametrize(
    ("hand", "placed", "legal"),
    [
        ("? ? ? ?", "", True),
        ("? ? ?", "", False),
        ("? ? ?", "P03", True),
        ("? P03 P13 P17", "", True),
        ("? P03 P10 P13", "", True),
        ("? P02 P03 P13", "", False),
        ("? ? P02 P03 P13", "", True),
        ("?", "P03 P13", False),
    ],
)
def test_level_4_with_hidden_cards_allows_what_some_hand_allows(
    hand: str, placed: str, legal: bool
) -> None:
    state = closing(hand, placed, 4, hidden_hands=True)
    assert is_legal(state, CLOSE) is legal


@pytest.mark.rule("9.16")
def test_hidden_cards_cannot_be_more_different_than_the_cards_there_are() -> None:
    player = seat("B>", ["<RK"], "? ? ? ? ?")
    assert expect_refusal(solo(player, 4, hidden_hands=True), CLOSE).rule == "7.10"
    assert is_legal(solo(player, hidden_hands=True), CLOSE)


@pytest.mark.rule("9.16")
def test_hidden_cards_are_none_of_those_that_lie_elsewhere() -> None:
    built = Built("<RKB", ("P17", "P40"))
    state = solo(seat("B>", [built], "? ?"), 4, hidden_hands=True)
    assert expect_refusal(state, CLOSE).rule == "7.10"
    built = Built("<RKKKB", ("P03", "P17", "P40"))
    state = solo(seat("B>", [built], "?"), 4, hidden_hands=True)
    assert is_legal(state, CLOSE)
    state = solo(seat("B>", [built], "?"), 4, hidden_hands=True, fulfilled="P10 P13")
    assert expect_refusal(state, CLOSE).rule == "7.10"


@pytest.mark.rule("9.16")
@pytest.mark.parametrize(("levels", "legal"), [((4,), True), ((3, 4), False)])
def test_a_hidden_card_cannot_mend_two_cards_of_a_colour(
    levels: tuple[int, ...], legal: bool
) -> None:
    state = closing("? P03 P10 P13", "", *levels, hidden_hands=True)
    assert is_legal(state, CLOSE) is legal


@pytest.mark.rule("9.16")
def test_hidden_cards_are_placed_so_that_four_can_still_be_reached() -> None:
    state = play(closing("? P03 P13", "P17", 3, 4, hidden_hands=True), CLOSE)
    assert expect_refusal(state, "play P10 on 1").rule == "7.10"
    assert is_legal(state, "play P40 on 1")
    state = play(state, "play P40 on 1", "play P03 on 1")
    assert expect_refusal(state, "complete").rule == "7.10"
    state = play(state, "play P13 on 1", "complete")
    assert state.players[NORTH].hand == ()


def picky(name: str, colour: Colour, other: Colour) -> Card:
    """A card of one's own that lies beside no Prophecy card of another colour."""
    parts = Several((ColourCount(Colour.K), NoProphecy(other)))
    return Card(name, CardKind.PROPHECY, parts, (Level(2, 3),), colour, set="own")


def with_own(state: GameState, *cards: Card) -> GameState:
    """The same moment, with these cards in the game and in the player's hand."""
    player = state.players[NORTH]
    hand = tuple(sorted((*player.hand, *(card.id for card in cards))))
    game = Game(state.game.options, (*state.game.cards, *cards))
    return state._replace(game=game, players=(player._replace(hand=hand),))


@pytest.mark.rule("9.16")
def test_at_level_4_two_cards_that_exclude_each_other_are_not_both_counted() -> None:
    black, red = picky("X01", Colour.K, Colour.R), picky("X02", Colour.R, Colour.K)
    state = with_own(closing("P17 P40", "", 4), black, red)
    assert expect_refusal(state, CLOSE).rule == "7.10"
    assert is_legal(with_own(closing("P17 P40 P13", "", 4), black, red), CLOSE)


@pytest.mark.rule("9.16")
def test_at_level_4_no_card_is_placed_that_shuts_out_the_fourth() -> None:
    red = picky("X02", Colour.R, Colour.K)
    state = play(with_own(closing("P13 P17 P40", "", 4), red), CLOSE)
    assert expect_refusal(state, "play P13 on 1").rule == "7.10"
    state = play(state, "play X02 on 1", "play P13 on 1", "play P17 on 1", "play P40 on 1")
    assert is_legal(state, "complete")


@pytest.mark.rule("7.10")
def test_at_level_5_adam_begins_with_four_cards() -> None:
    state = start_game(1, levels=(5,))
    assert state.draws.count(AdamDraw()) == 4
    found = first_turn(1, levels=(5,)).adam
    assert found is not None
    assert len(found.row) == 4
    assert start_game(1, levels=(1, 2, 3, 4)).draws.count(AdamDraw()) == 3


@pytest.mark.rule("7.4", "7.10")
def test_at_level_5_adam_searches_for_its_fourth_card_too() -> None:
    before = scene(
        adam="P11 P01 P06 P13", turn=ADAM_INDEX, levels=(5,), spaces=NO_YELLOW, supply=SUPPLY
    )
    searches = [step for step in plan(before).steps if isinstance(step, SearchSpaces)]
    assert [step.on.card for step in searches] == ["P11", "P01", "P06", "P13"]
    state = after_adam(before)
    assert state.adam is not None
    assert state.adam.row == row("P11 P01 P06 P13:KK")


@pytest.mark.rule("9.7")
@pytest.mark.parametrize(
    ("refill", "adam", "after"),
    [
        (4, "P11:YYYYY P12 P13 P14", "P12 P13 P14 P35"),
        (3, "P11:YYYYY P12 P13 P14", "P12 P13 P14"),
        (4, "P11:YYYYY P06:YYY P13 P14", "P13 P14 P35 P34"),
        (3, "P11:YYYYY P06:YYY P13 P14", "P13 P14 P35"),
        (3, "P11:YYYYY P12 P13", "P12 P13 P35"),
        (4, "P11 P12 P13 P14", "P11:YY P12 P13 P14"),
        (3, "P11 P12 P13 P14", "P11:YY P12 P13 P14"),
    ],
)
def test_at_level_5_the_row_is_refilled_to_four_or_three(
    refill: int, adam: str, after: str
) -> None:
    before = scene(adam=adam, turn=ADAM_INDEX, levels=(5,), level5_refill=refill, supply=SUPPLY)
    state = after_adam(before)
    assert state.adam is not None
    assert state.adam.row == row(after)


@pytest.mark.rule("9.7")
def test_level_5_refills_to_four_unless_the_table_says_three() -> None:
    assert table(1, levels=(5,)).level5_refill == 4
    for refill in (2, 5):
        with pytest.raises(OptionError):
            table(1, levels=(5,), level5_refill=refill)


@pytest.mark.rule("9.7")
def test_without_level_5_the_row_is_refilled_to_three() -> None:
    before = scene(adam="P11:YYYYY P12 P13", turn=ADAM_INDEX, level5_refill=4, supply=SUPPLY)
    state = after_adam(before)
    assert state.adam is not None
    assert state.adam.row == row("P12 P13 P35")


COMBINATIONS = [levels for number in range(6) for levels in combinations((1, 2, 3, 4, 5), number)]


@pytest.mark.rule("7.10")
def test_there_are_32_combinations() -> None:
    assert len(set(COMBINATIONS)) == 32


@pytest.mark.rule("7.10")
@pytest.mark.parametrize("levels", COMBINATIONS, ids=str)
def test_any_combination_of_levels_does_what_each_level_does(levels: tuple[int, ...]) -> None:
    start = first_turn(1, levels=levels)
    assert start.adam is not None
    assert len(start.adam.row) == (4 if 5 in levels else 3)

    state = solo(seat(hand="P02 P16 P40"), *levels)
    while is_legal(state, "draw"):
        state = play(state, "draw")
    assert len(state.players[NORTH].hand) == (4 if 2 in levels else 5)

    two_blue = seat(coatls=[Built("RKKKG", ("P17",))], hand="P20")
    assert is_legal(solo(two_blue, *levels), "play P20 on 1") is (3 not in levels)

    assert is_legal(closing("P03 P13 P17", "", *levels), CLOSE) is (4 not in levels)
    assert is_legal(closing("P03 P10 P13 P17", "", *levels), CLOSE) is not {3, 4}.issubset(levels)
    four = play(closing(COLOURFUL, "", *levels), CLOSE, "play P03 on 1")
    assert is_legal(four, "complete") is (4 not in levels)

    ending = solo(seat(coatls=[RICH]), *levels, fulfilled="P05")
    assert compute_result(ending).winners == ((ADAM_INDEX,) if 1 in levels else (NORTH,))

    before = scene(adam="P11:YYYYY P12 P13", turn=ADAM_INDEX, levels=levels, supply=SUPPLY)
    after = apply_event(before, parse_event("adam")).adam
    assert after is not None
    assert len(after.row) == (4 if 5 in levels else 3)


@pytest.mark.rule("9.16")
def test_at_level_4_a_card_that_comes_to_light_must_leave_four_possible() -> None:
    state = play(closing("? ? ? ?", "", 4, hidden_hands=True), CLOSE)
    error = expect_refusal(state, "reveal 1 P12")
    assert (error.rule, error.key) == ("7.10", "rules.could_not_fill_known")
    assert is_legal(state, "reveal 1 P03")
