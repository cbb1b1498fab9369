"""The score of a game, ties and the scoreboard (rules 5.1 to 5.4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import Built, Player
from tests.rules.positions import EAST, NORTH, complete, play, scene, seat

TWO = complete("<YYYR>", "P01")  # 3 yellow: 2 points
THREE = complete("<YYYR>", "P11")


def winners(*players: Player) -> tuple[int, ...]:
    return compute_result(scene(*players)).winners


@pytest.mark.rule("5.4")
def test_the_rulebooks_example_is_worth_17() -> None:
    north = seat("Y>", ["<BBRBBKRBBY"], hand="P29 P10 P05", temples="T03")
    state = play(scene(north), "add Y> to 1 tail", "play P29 on 1", "play P10 on 1")
    state = play(state, "play P05 on 1", "temple T03 on 1")
    coatl = compute_result(state).players[NORTH].coatls[0]
    found = {score.card.id: score.points for score in coatl.cards}
    assert found == {"P29": 4, "P10": 5, "P05": 5, "T03": 3}
    assert coatl.points == 17
    assert coatl.cards[1].count == 3


@pytest.mark.rule("5.1")
def test_a_score_is_the_sum_over_completed_coatls() -> None:
    coatls = [THREE, complete("<BBYY>", "P29", "T05"), Built("KGKG", ("P20",))]
    player = compute_result(scene(seat("", coatls))).players[NORTH]
    assert [coatl.points for coatl in player.coatls] == [3, 4 + 3, 0]
    assert player.points == 10
    assert player.cards == 3
    assert player.best == 7


@pytest.mark.rule("5.1")
def test_cards_in_hand_and_pieces_score_nothing() -> None:
    player = compute_result(scene(seat("R G <B", [THREE], hand="P01 P16", temples="T01"))).players[
        NORTH
    ]
    assert player.points == 3


@pytest.mark.rule("5.1")
def test_most_points_win() -> None:
    assert winners(seat("", [TWO]), seat("", [THREE])) == (EAST,)


@pytest.mark.rule("5.2")
def test_a_tie_goes_to_more_cards_beside_completed_coatls() -> None:
    ones = complete("<YGRYB>", "P16 P18")  # one point each
    assert winners(seat("", [TWO]), seat("", [ones])) == (EAST,)


@pytest.mark.rule("5.2")
def test_a_temple_counts_among_the_cards_of_a_tie() -> None:
    with_temple = complete("<YYYRK>", "P06", "T03")  # YYY is no pair: 0, no green: 3
    assert winners(seat("", [THREE]), seat("", [with_temple])) == (EAST,)


@pytest.mark.rule("5.2")
def test_cards_beside_incomplete_coatls_do_not_break_a_tie() -> None:
    unfinished = Built("RKRK", ("P17",))
    east = seat("", [complete("<RRRY>", "P02"), unfinished])
    assert winners(seat("", [TWO]), east) == (NORTH, EAST)


@pytest.mark.rule("5.2")
def test_then_a_tie_goes_to_the_best_single_coatl() -> None:
    north = seat("", [THREE, complete("<RRRY>", "P12")])  # 3 + 3
    east = seat("", [complete("<BBYY>", "P29"), complete("<RRKR>", "P02")])  # 4 + 2
    assert winners(north, east) == (EAST,)


@pytest.mark.rule("5.2")
def test_what_is_still_a_tie_is_a_shared_victory() -> None:
    north, east = seat("", [TWO]), seat("", [complete("<RRRY>", "P02")])
    assert winners(north, east) == (NORTH, EAST)
    assert winners(north, east, seat("", [THREE])) == (2,)


@pytest.mark.rule("5.3")
@pytest.mark.parametrize(
    ("points", "shown"),
    [(0, (0, 0)), (1, (0, 1)), (50, (0, 50)), (51, (1, 1)), (63, (1, 13)), (100, (1, 50))],
)
def test_a_marker_that_passes_50_gets_a_token(points: int, shown: tuple[int, int]) -> None:
    player = compute_result(scene()).players[NORTH]
    assert replace(player, points=points).scoreboard == shown


@pytest.mark.rule("8.1")
def test_in_the_polish_edition_an_incomplete_coatl_scores_half() -> None:
    coatls = [complete("<YYYR>", "P11"), Built("BBYY", ("P29", "P18")), Built("KKKG", ("P13",))]
    polish = compute_result(scene(seat("", coatls), edition="pl")).players[NORTH]
    assert [coatl.points for coatl in polish.coatls] == [3, 2, 1]  # rule 8.1: 5 // 2, 3 // 2
    assert polish.points == 6
