"""Where the editions differ (rules 8.1 to 8.5)."""

from __future__ import annotations

import pytest

from coatl_tools.errors import OptionError
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import Built, Ending
from coatl_tools.rules.table_options import TableOptions
from tests.rules.positions import (
    EAST,
    NORTH,
    complete,
    expect_refusal,
    final_turn,
    is_legal,
    play,
    scene,
    seat,
    table,
)

TWO = (complete("<YGB>", "P16"), complete("<KGB>", "P20"))


@pytest.mark.rule("8.1")
@pytest.mark.parametrize(("edition", "points"), [("en", 0), ("fr", 0), ("pl", 2)])
def test_incomplete_coatls_score_half_rounded_down_only_in_polish(
    edition: str, points: int
) -> None:
    north = seat("", [Built("BBYYG", ("P29", "P16"))])  # 4 + 1
    assert compute_result(scene(north, edition=edition)).players[NORTH].points == points


@pytest.mark.rule("8.1")
def test_each_incomplete_coatl_is_rounded_on_its_own() -> None:
    north = seat("", [Built("YG", ("P16",)), Built("YBR", ("P18",))])  # 1 and 1
    assert compute_result(scene(north, edition="pl")).players[NORTH].points == 0


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("edition", ["en", "pl"])
def test_a_fourth_coatl_may_be_begun_and_four_may_score(edition: str) -> None:
    open_coatls = [Built("<YGK", ("P19",)), Built("<RRR", ("P12",))]
    north = seat("B> K>", [*TWO, *open_coatls])
    state = play(scene(north, edition=edition), "add B> to 3 tail", "complete")
    state = play(state, "add K> to 4 tail", "complete", "end")
    player = compute_result(state).players[NORTH]
    assert all(coatl.complete for coatl in player.coatls)
    assert player.points == 1 + 1 + 0 + 3
    assert state.ending == Ending("third", NORTH)


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("others", [(), (complete("<RKY>", "P17"),)])
def test_in_french_no_fourth_coatl_is_begun(others: tuple[Built, ...]) -> None:
    coatls = [*TWO, *(others or ("Y",))]
    state = scene(seat("R", coatls), edition="fr")
    assert expect_refusal(state, "begin R").rule == "8.2"
    assert is_legal(scene(seat("R", coatls), edition="en"), "begin R")
    assert is_legal(scene(seat("R", TWO), edition="fr"), "begin R")


@pytest.mark.rule("8.3")
@pytest.mark.parametrize("token", ["pick <K", "future", "priest 1"])
@pytest.mark.parametrize("first", [("take 1",), ("draw",), ("begin R",)])
def test_in_french_a_token_is_only_the_first_action(token: str, first: tuple[str, ...]) -> None:
    players = seat(), seat("R")
    for edition in ("en", "pl"):
        state = play(final_turn(scene(*players, turn=EAST, edition=edition)), *first)
        assert is_legal(state, token)
    state = final_turn(scene(*players, turn=EAST, edition="fr"))
    assert is_legal(state, token)
    assert expect_refusal(play(state, *first), token).rule == "8.3"


@pytest.mark.rule("8.3")
def test_in_french_a_second_token_is_no_second_action() -> None:
    state = play(final_turn(scene(turn=EAST, edition="fr")), "pick <K")
    assert expect_refusal(state, "priest 1").rule == "8.3"
    assert is_legal(state, "take 1")


@pytest.mark.rule("8.4")
@pytest.mark.parametrize("edition", ["en", "fr", "pl"])
def test_the_value_of_a_completed_coatl_is_always_shown(edition: str) -> None:
    north = seat("B>", [Built("<YGK", ("P16",))], temples="T05")
    state = play(scene(north, edition=edition), "add B> to 1 tail", "temple T05 on 1")
    coatl = compute_result(state).players[NORTH].coatls[0]
    assert (coatl.points, coatl.complete) == (4, True)


@pytest.mark.rule("8.5")
def test_a_table_picks_an_edition() -> None:
    assert TableOptions().edition == "en"
    assert [table(edition=edition).edition for edition in ("en", "fr", "pl")] == ["en", "fr", "pl"]
    with pytest.raises(OptionError):
        table(edition="de")
