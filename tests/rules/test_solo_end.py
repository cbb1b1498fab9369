"""How a solo game ends and who has won (rules 7.8, 7.9; rulings 9.2, 9.8)."""

from __future__ import annotations

from typing import Any

import pytest

from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.engine import Decision, get_awaited
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import Built, Ending, GameState, Player, Stage
from tests.rules.positions import (
    NORTH,
    after_adam,
    complete,
    expect_refusal,
    is_legal,
    play,
    row,
    scene,
    seat,
)

TWO = (complete("<YGB>", "P16"), complete("<KGB>", "P20"))
CLOSE = ("add B> to 3 tail", "complete")
SUPPLY = "P39 P40 P41 P42 P43 P44"
LAST_BODIES = "YY - - - - - <R <G R> G>"


def about_to_end(board: str = "B>") -> Player:
    """A player one tail away from a third complete Cóatl."""
    return seat(board, [*TWO, Built("<GBK", ("P19",))])


def solo(*players: Player, adam: str = "P11 P12 P13", **more: Any) -> GameState:
    return scene(*players, adam=adam, supply=SUPPLY, **more)


def no_bag(state: GameState) -> GameState:
    return state._replace(bodies=(0,) * 6)


def fulfilled(state: GameState) -> tuple[str, ...]:
    assert state.adam is not None
    return state.adam.fulfilled


def is_over(state: GameState) -> bool:
    return (
        get_awaited(state) is None and state.stage is Stage.OVER and not list_legal_actions(state)
    )


@pytest.mark.rule("7.9", "9.8")
def test_the_third_coatl_ends_the_game_with_the_players_turn() -> None:
    state = play(solo(about_to_end("B> R")), *CLOSE)
    assert state.ending == Ending("third", NORTH)
    assert get_awaited(state) == Decision(NORTH, Stage.ASSEMBLING)
    state = play(state, "begin R")
    assert not is_over(state)
    state = play(state, "end")
    assert is_over(state)
    assert state.players[NORTH].completed == 3
    assert expect_refusal(state, "adam").rule == "7.9"


@pytest.mark.rule("7.9")
def test_the_second_coatl_ends_nothing() -> None:
    player = seat("B>", [TWO[0], Built("<GBK", ("P19",))])
    state = play(solo(player), "add B> to 2 tail", "complete", "end")
    assert state.ending is None
    assert get_awaited(state) == Decision(ADAM_INDEX, Stage.ADAMS_TURN)


@pytest.mark.rule("9.8")
def test_with_final_turns_adam_plays_once_more_after_the_third_coatl() -> None:
    before = solo(about_to_end(), adam="P11:YYYYY P12 P13", solo_final_turns=True)
    state = play(before, *CLOSE, "end")
    assert get_awaited(state) == Decision(ADAM_INDEX, Stage.ADAMS_TURN)
    assert fulfilled(state) == ()
    state = after_adam(state)
    assert is_over(state)
    assert fulfilled(state) == ("P11",)
    found = compute_result(state).adam
    assert found is not None
    assert found.points == 7


@pytest.mark.rule("7.9", "9.8")
def test_no_bodies_left_in_the_players_turn_end_the_game() -> None:
    state = play(no_bag(solo(seat(), spaces=LAST_BODIES)), "take 1")
    assert state.ending == Ending("bodies", NORTH)
    assert is_over(state)
    assert state.players[NORTH].board == ("Y", "Y")


@pytest.mark.rule("9.8")
def test_with_final_turns_both_play_once_more_after_the_player_took_the_last_bodies() -> None:
    before = no_bag(solo(seat(), adam="P12 P11 P13", spaces=LAST_BODIES, solo_final_turns=True))
    state = play(before, "take 1")
    assert get_awaited(state) == Decision(ADAM_INDEX, Stage.ADAMS_TURN)
    state = after_adam(state)
    assert state.adam is not None
    assert state.adam.row == row("P12:<R P11 P13")
    assert get_awaited(state) == Decision(NORTH, Stage.READY)
    assert is_over(play(state, "take 8"))


@pytest.mark.rule("7.9", "9.8")
def test_no_bodies_left_in_adams_turn_end_the_game_once_it_has_fulfilled() -> None:
    before = no_bag(solo(adam="P11:YYYYY P06:YYY P13", turn=ADAM_INDEX, spaces=LAST_BODIES))
    state = after_adam(before)
    assert state.ending == Ending("bodies", ADAM_INDEX)
    assert is_over(state)
    assert fulfilled(state) == ("P11", "P06")
    assert state.adam is not None
    assert state.adam.row == row("P13 P44 P43")
    found = compute_result(state).adam
    assert found is not None
    assert found.points == 7 + 5


@pytest.mark.rule("9.8")
def test_in_its_last_turn_adam_still_places_pieces() -> None:
    before = no_bag(solo(adam="P12 P11 P13", turn=ADAM_INDEX, spaces="RY - - - - - <R <G R> G>"))
    state = after_adam(before)
    assert is_over(state)
    assert state.adam is not None
    assert state.adam.row == row("P12:R P11:Y P13")


@pytest.mark.rule("9.8")
def test_with_final_turns_the_player_comes_to_equal_turns_first() -> None:
    before = solo(
        seat(), adam="P11 P12 P13", turn=ADAM_INDEX, spaces=LAST_BODIES, solo_final_turns=True
    )
    state = after_adam(no_bag(before))
    assert state.ending == Ending("bodies", ADAM_INDEX)
    order = []
    for line in ("take 10", "adam", "take 8"):
        order.append(state.current_player)
        state = play(state, line)
    assert order == [NORTH, ADAM_INDEX, NORTH]
    assert is_over(state)


@pytest.mark.rule("9.8")
def test_each_final_turn_after_the_last_bodies_has_one_action() -> None:
    before = solo(seat("R"), turn=ADAM_INDEX, spaces=LAST_BODIES, solo_final_turns=True)
    state = play(after_adam(no_bag(before)), "begin R")
    assert expect_refusal(state, "take 7").rule == "3"
    assert play(state, "end").current_player == ADAM_INDEX


@pytest.mark.rule("6.3", "9.8")
def test_a_third_coatl_after_the_last_bodies_changes_nothing() -> None:
    before = solo(about_to_end(), turn=ADAM_INDEX, spaces=LAST_BODIES, solo_final_turns=True)
    state = play(after_adam(no_bag(before)), *CLOSE, "end")
    assert state.ending == Ending("bodies", ADAM_INDEX)
    assert state.current_player == ADAM_INDEX
    state = after_adam(state)
    assert get_awaited(state) == Decision(NORTH, Stage.READY)
    assert is_over(play(state, "take 10"))


@pytest.mark.rule("6.3", "9.8")
def test_the_last_bodies_after_a_third_coatl_change_nothing() -> None:
    before = no_bag(solo(about_to_end(), spaces=LAST_BODIES, solo_final_turns=True))
    state = after_adam(play(before, *CLOSE, "end"))
    assert state.ending == Ending("third", NORTH)
    assert is_over(state)


@pytest.mark.rule("7.9")
def test_two_bodies_in_the_bag_are_enough_to_go_on() -> None:
    before = solo(adam="P11 P12 P13", turn=ADAM_INDEX, spaces=LAST_BODIES)
    state = after_adam(before._replace(bodies=(1, 1, 0, 0, 0, 0)))
    assert state.ending is None
    assert sorted(state.spaces[0]) == ["G", "R"]
    assert state.current_player == NORTH


@pytest.mark.rule("7.9")
def test_an_empty_bag_ends_nothing_while_bodies_lie_on_the_board() -> None:
    before = no_bag(solo(adam="P11 P12 P13", turn=ADAM_INDEX, spaces="YY RR - - - - <R <G R> G>"))
    state = after_adam(before)
    assert state.ending is None
    assert state.current_player == NORTH


@pytest.mark.rule("7.8")
@pytest.mark.parametrize(
    ("card", "points"),
    [
        ("P01", 5), ("P05", 5), ("P06", 5), ("P10", 5), ("P11", 7), ("P15", 7), ("P16", 5),
        ("P22", 5), ("P23", 5), ("P26", 6), ("P29", 4), ("P33", 7), ("P36", 6), ("P44", 6),
        ("P45", 4), ("P49", 4), ("P50", 3), ("P53", 4),
    ],
)  # fmt: skip
def test_adam_scores_a_fulfilled_card_at_its_highest_level(card: str, points: int) -> None:
    state = scene(adam="", supply="", fulfilled=card, promo=True)
    found = compute_result(state).adam
    assert found is not None
    assert found.cards == ((card, points),)
    assert found.points == points


@pytest.mark.rule("7.8")
def test_adams_points_are_the_sum_over_its_fulfilled_cards() -> None:
    found = compute_result(solo(adam="P11:YYYYY P12:RR P13", fulfilled="P01 P01 P29 P33")).adam
    assert found is not None
    assert found.points == 5 + 5 + 4 + 7
    assert found.name == "A.D.A.M."


@pytest.mark.rule("7.8")
def test_adam_never_takes_a_temple() -> None:
    before = solo(adam="P11:YYYYY P06:YYY P13", turn=ADAM_INDEX)
    after = after_adam(before)
    assert after.piles == before.piles
    assert after.unlocated_temples == before.unlocated_temples


SEVEN = complete("<YYYYYYK>", "P11")


@pytest.mark.rule("7.8")
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("P29", NORTH),
        ("P26", NORTH),
        ("P33", ADAM_INDEX),
        ("P45 P50", ADAM_INDEX),
        ("P29 P45", ADAM_INDEX),
    ],
)
def test_the_player_must_score_more_than_adam(cards: str, winner: int) -> None:
    state = scene(seat(coatls=[SEVEN]), adam="P12", supply="", fulfilled=cards, promo=True)
    found = compute_result(state)
    assert found.players[NORTH].points == 7
    assert found.winners == (winner,)


@pytest.mark.rule("7.8")
def test_a_tie_is_adams_whatever_the_player_has_beside_the_coatls() -> None:
    coatls = [complete("<YGB>", "P16 P19"), complete("<YBK>", "P18", "T05")]
    state = scene(seat(coatls=coatls), adam="P12", supply="", fulfilled="P26")
    assert compute_result(state).players[NORTH].points == 1 + 1 + 1 + 3
    assert compute_result(state).players[NORTH].cards == 4
    assert compute_result(state).winners == (ADAM_INDEX,)


@pytest.mark.rule("7.8")
def test_without_any_point_adam_wins() -> None:
    assert compute_result(solo(seat())).winners == (ADAM_INDEX,)


@pytest.mark.rule("7.8", "7.10")
def test_at_level_1_more_points_do_not_help_without_a_temple() -> None:
    state = play(solo(about_to_end(), levels=(1,), piles=("T05", "T04")), *CLOSE, "end")
    found = compute_result(state)
    assert is_over(state)
    assert found.adam is not None
    assert found.players[NORTH].points > found.adam.points
    assert found.winners == (ADAM_INDEX,)
    assert found.adam.temple_missing


@pytest.mark.rule("7.8", "7.10")
def test_at_level_1_a_temple_on_the_last_coatl_saves_the_player() -> None:
    before = solo(about_to_end(), levels=(1,), piles=("T05", "T04"))
    state = play(before, CLOSE[0], "temple T05 on 3 from pile 1", "end")
    assert is_over(state)
    assert compute_result(state).winners == (NORTH,)


@pytest.mark.rule("7.8")
def test_at_level_1_with_a_temple_but_too_few_points_the_player_loses() -> None:
    coatl = complete("<YGB>", "P16", "T05")
    found = compute_result(solo(seat(coatls=[coatl]), levels=(1,), fulfilled="P29"))
    assert found.winners == (ADAM_INDEX,)
    assert found.adam is not None
    assert not found.adam.temple_missing


def stuck() -> Player:
    """A player who can do nothing: no room, no piece to attach, no card to place."""
    return seat("R> R> R> G> G> G> B> B>", ["<RY", "<GK"], "P06 P07 P08 P09 P10")


@pytest.mark.rule("9.2")
def test_passing_does_not_end_the_game_while_adam_can_play() -> None:
    state = solo(stuck(), spaces="RR GG BB YY KK RG <R <G - -")
    for _ in range(3):
        assert is_legal(state, "pass")
        state = play(state, "pass")
        assert get_awaited(state) == Decision(ADAM_INDEX, Stage.ADAMS_TURN)
        state = after_adam(state)
        assert get_awaited(state) == Decision(NORTH, Stage.READY)
    assert state.adam is not None
    assert state.adam.row == row("P11:YY P12:RRR P13")


@pytest.mark.rule("9.2")
def test_the_game_ends_when_adam_finds_nothing_after_the_player_passed() -> None:
    state = no_bag(solo(stuck(), spaces="- " * 10))._replace(heads=(0,) * 5, tails=(0,) * 5)
    state = play(state, "pass")
    assert get_awaited(state) == Decision(ADAM_INDEX, Stage.ADAMS_TURN)
    assert is_over(after_adam(state))


@pytest.mark.rule("9.2")
def test_a_player_who_can_act_does_not_pass() -> None:
    state = solo(seat("R"))
    assert expect_refusal(state, "pass").rule == "9.2"


def half_built() -> Player:
    """Complete Cóatls worth 1 and 5, and an incomplete one worth 7."""
    return seat(coatls=[TWO[0], complete("<YYYYYYK>", "P01"), Built("KKKKKK", ("P13",))])


@pytest.mark.rule("7.8", "8.1")
@pytest.mark.parametrize(("edition", "points"), [("en", 6), ("fr", 6), ("pl", 9)])
def test_polish_half_points_count_against_adam_too(edition: str, points: int) -> None:
    before = scene(half_built(), adam="P12", supply="", fulfilled="P33", edition=edition)
    found = compute_result(before)
    assert found.players[NORTH].points == points
    assert found.winners == ((NORTH,) if edition == "pl" else (ADAM_INDEX,))


@pytest.mark.rule("7.8")
def test_adams_unfinished_cards_score_nothing_in_any_edition() -> None:
    for edition in ("en", "fr", "pl"):
        found = compute_result(solo(adam="P11:YYYYY P12:RRRRR P13:KKKKK", edition=edition)).adam
        assert found is not None
        assert found.points == 0
