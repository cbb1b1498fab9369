"""Extras beyond the base game: promo cards, fewer bodies, Golden Feathers (rules 10.1 to 10.3)."""

from __future__ import annotations

import pytest

from coatl_tools import load_cards
from coatl_tools.errors import OptionError
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.events import LayGolden
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import Built, Ending, GameState, Player
from tests.rules.positions import (
    EAST,
    NORTH,
    SOUTH,
    answer_draws,
    complete,
    expect_refusal,
    is_legal,
    play,
    scene,
    scores,
    seat,
    start_game,
    table,
)


@pytest.mark.rule("10.1")
def test_the_option_decides_whether_promo_cards_are_in_play() -> None:
    everything = load_cards()
    assert "P50" not in new_game(table(), everything).game.by_id
    assert "P50" in new_game(table(promo=True), everything).game.by_id
    with pytest.raises(OptionError):
        new_game(table(promo=True), everything.deck())


@pytest.mark.rule("10.1")
def test_promo_cards_join_the_decks() -> None:
    state = start_game(promo=True)
    assert state.deck == 54 + 6
    assert len(state.game.temples) == 15 + 5
    assert not state.game.is_prophecy("P56")
    assert not start_game().game.is_prophecy("P50")


@pytest.mark.rule("10.1")
def test_a_promo_prophecy_wants_pieces_in_any_order() -> None:
    state = scene(seat("Y", ["GRGY"], hand="P50"), promo=True)
    assert expect_refusal(state, "play P50 on 1").rule == "3.9"
    state = play(state, "add Y to 1 head", "play P50 on 1")
    assert scores(state) == {"P50": 3}


@pytest.mark.rule("10.1")
@pytest.mark.parametrize(("prophecy", "points"), [("P16", 3), ("P01", 0)])
def test_a_promo_temple_minds_the_prophecies_beside_it(prophecy: str, points: int) -> None:
    north = seat("G>", [Built("<YYY", (prophecy,) if prophecy == "P01" else ())], "P16", "T17")
    state = play(scene(north, promo=True), "add G> to 1 tail")
    if prophecy == "P16":
        state = play(state, "play P16 on 1")
    assert is_legal(state, "temple T17 on 1") == bool(points)  # rule 10.1: no red Prophecy
    if points:
        assert scores(play(state, "temple T17 on 1"))["T17"] == points


@pytest.mark.rule("10.1")
def test_a_promo_temple_of_three_requirements() -> None:
    def worth(coatl: str, cards: str) -> int:
        return scores(scene(seat("", [complete(coatl, cards, "T16")]), promo=True))["T16"]

    assert worth("<RBRBGGGGGG>", "P14") == 10  # rule 10.1: no blue Prophecy, R = B, 10 pieces
    assert worth("<RBRBGGGGG>", "P14") == 6
    assert worth("<RBGGG>", "P22") == 3


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(("players", "bodies"), [(2, 14), (3, 18)])
def test_fewer_bodies_for_fewer_players(players: int, bodies: int) -> None:
    state = start_game(players, fewer_bodies=True)
    assert state.bodies == (bodies,) * 5 + (0,)
    assert state.heads == state.tails == (3,) * 5


@pytest.mark.rule("10.2")
def test_four_players_need_all_bodies() -> None:
    with pytest.raises(OptionError) as caught:
        table(4, fewer_bodies=True)
    assert "4" in str(caught.value)


@pytest.mark.rule("10.3")
@pytest.mark.parametrize(("players", "bodies", "golden"), [(2, 14, 4), (3, 18, 5), (4, 24, 6)])
def test_golden_segments_are_in_the_body_bag(players: int, bodies: int, golden: int) -> None:
    state = start_game(players, golden_feathers=True)
    assert state.bodies == (bodies,) * 5 + (golden,)
    assert state.heads == state.tails == (3,) * 5
    assert is_legal(state, "fill 1 F F")
    assert not is_legal(start_game(players), "fill 1 F R")


def golden(*players: Player, spaces: str = "RR GG BB YY KK RF <R <G R> G>") -> GameState:
    return scene(*players, spaces=spaces, golden_feathers=True)


@pytest.mark.rule("10.3")
def test_a_golden_segment_is_taken_like_others_and_fills_a_space() -> None:
    state = play(golden(), "take 6")
    assert state.players[NORTH].board == ("F", "R")
    full = golden(seat("F B B B B B B"))
    assert expect_refusal(full, "take 6").rule == "3.1"


@pytest.mark.rule("10.3")
def test_nobody_builds_with_a_golden_segment() -> None:
    state = golden(seat("F R", ["G"]))
    assert expect_refusal(state, "begin F").rule == "10.3"
    assert expect_refusal(state, "add F to 1 head").rule == "10.3"


@pytest.mark.rule("10.3")
def test_perfect_pick_takes_no_golden_segment() -> None:
    assert expect_refusal(golden(), "pick F R").rule == "10.3"


@pytest.mark.rule("10.3")
def test_golden_segments_are_bodies_when_the_board_is_replenished() -> None:
    state = golden(spaces="FR FB - - - - <R <G R> G>")
    state = play(state, "take 1")
    assert sum(map(bool, state.spaces[:6])) == 1  # rule 10.3: FB is left
    last = state._replace(bodies=(0, 0, 0, 0, 1, 1))
    assert play(last, "take 2").ending is None
    last = state._replace(bodies=(0, 0, 0, 0, 0, 1))
    assert play(last, "take 2").ending == Ending("bodies", EAST)


@pytest.mark.rule("10.3")
def test_a_golden_segment_buys_bodies_from_an_opponent() -> None:
    state = golden(seat("F"), seat("R R B <G"), seat("K"))
    state = play(state, "golden 2 R B")
    assert state.players[NORTH].board == ("B", "R")
    assert state.players[EAST].board == ("<G", "R")
    assert compute_result(state).players[EAST].points == 2
    assert compute_result(state).players[EAST].feathers == 2
    assert state.current_player == EAST
    boards = [player.board for player in state.players]
    assert all("F" not in board for board in boards)


@pytest.mark.rule("10.3")
def test_one_body_is_enough_and_two_are_the_most() -> None:
    state = golden(seat("F"), seat("R R R"))
    assert is_legal(state, "golden 2 R")
    assert is_legal(state, "golden 2 R R")
    assert expect_refusal(state, "golden 2").rule == "10.3"
    assert expect_refusal(state, "golden 2 R R R").rule == "10.3"


@pytest.mark.rule("10.3")
@pytest.mark.parametrize("line", ["golden 2 <G", "golden 2 G>", "golden 2 F", "golden 2 B B"])
def test_only_bodies_that_the_opponent_has_are_taken(line: str) -> None:
    state = golden(seat("F"), seat("<G G> F B R"))
    assert expect_refusal(state, line).rule == "10.3"


@pytest.mark.rule("10.3")
@pytest.mark.parametrize("line", ["golden 0 K", "golden 1 R", "golden 4 R", "golden 3 K K"])
def test_the_golden_segment_goes_to_an_opponent(line: str) -> None:
    state = golden(seat("F R"), seat("R"), seat("K"))
    assert expect_refusal(state, line).rule == "10.3"
    assert is_legal(state, f"golden {SOUTH + 1} K")


@pytest.mark.rule("10.3")
def test_the_space_of_the_golden_segment_is_room() -> None:
    east = seat("R R")
    assert is_legal(golden(seat("F B B B B B B B"), east), "golden 2 R")
    assert expect_refusal(golden(seat("F B B B B B B B"), east), "golden 2 R R").rule == "10.3"
    assert is_legal(golden(seat("F B B B B B B"), east), "golden 2 R R")


@pytest.mark.rule("10.3")
def test_without_a_golden_segment_or_the_variant_there_is_no_such_action() -> None:
    assert expect_refusal(golden(seat("R"), seat("R")), "golden 2 R").rule == "10.3"
    assert expect_refusal(scene(seat("R"), seat("R")), "golden 2 R").rule == "10.3"


@pytest.mark.rule("10.3")
def test_laying_a_golden_segment_is_an_action() -> None:
    state = play(golden(seat("F R"), seat("R")), "begin R")
    assert expect_refusal(state, "golden 2 R").rule == "3"
    assert not any(
        isinstance(event, LayGolden) for event in list_legal_actions(answer_draws(state))
    )
