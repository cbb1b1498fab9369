"""The tally of a game that nobody refereed: scores, ties, winners, and tables that cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.cards.card import parse_card
from coatl_tools.errors import CoatlError, OptionError, PositionError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.notation import parse_coatl
from coatl_tools.referee.presentation.result_text import (
    describe_coatl,
    describe_result,
    rank_all_seats,
    rank_players,
)
from coatl_tools.referee.tally import Tally, TallySeat, parse_tally, score_tally
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.result import GameResult, compute_result
from coatl_tools.rules.state import Stage
from coatl_tools.rules.table_options import TableOptions
from tests.rules.random_games import choose_builder, play_random_game, solo_tables, tables
from tests.strategies import colour_rows, make_coatl

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = json.loads((DOCS / "example-tally.json").read_text("utf-8"))
CARDS = tuple(load_cards())


def tallied(data: dict[str, Any]) -> GameResult:
    return score_tally(parse_tally(data, CARDS), CARDS)


def players(*coatls: list[str], **more: Any) -> dict[str, Any]:
    names = ("Ana", "Bo", "Cy", "Di")
    return {
        "players": [
            {"name": name, "coatls": own} for name, own in zip(names, coatls, strict=False)
        ],
        **more,
    }


def test_the_example_is_tallied() -> None:
    found = tallied(EXAMPLE)
    ana, bo = found.players
    assert [coatl.points for coatl in ana.coatls] == [17, 1, 3]  # rules 5.4, 8.1
    assert (ana.points, bo.points) == (21, 9)
    assert found.winners == (0,)


def test_the_docs_show_the_example() -> None:
    page = (DOCS / "tables.md").read_text("utf-8")
    assert json.loads(page.split("```json\n")[2].split("```")[0]) == EXAMPLE


@pytest.mark.parametrize(("edition", "points"), [("en", 0), ("fr", 0), ("pl", 3)])
def test_rule_8_1_an_incomplete_coatl_counts_half_in_the_polish_edition(
    edition: str, points: int
) -> None:
    found = tallied(players(["YBGYBBG P38"], [], edition=edition))
    assert found.players[0].points == points


def test_ruling_9_11_closed_ends() -> None:
    for closed_ends in (False, True):
        found = tallied(players(["BB P10"], [], closed_ends=closed_ends))
        (coatl,) = found.players[0].coatls
        assert bool(coatl.cards[0].points) is not closed_ends


def test_rule_5_2_more_cards_break_a_tie() -> None:
    found = tallied(players(["<RRRR> P02"], ["<RKKRRR> P02 P13"]))
    assert [player.points for player in found.players] == [3, 3]
    assert found.winners == (1,)
    assert [player.name for _, player in rank_players(found)] == ["Bo", "Ana"]
    said = " ".join(describe_result(found))
    assert "Bo and Ana have the same number of points. The number of cards" in said
    assert "2 to 1 (rule 5.2)" in said


def test_rule_5_2_then_the_best_coatl() -> None:
    found = tallied(players(["<RRRR> P02", "<YYYY> P01"], ["<KKKK> P03 P13"]))
    ana, bo = found.players
    assert (ana.points, ana.cards, ana.best) == (6, 2, 3)
    assert (bo.points, bo.cards, bo.best) == (6, 2, 6)
    assert found.winners == (1,)
    assert "The best single Cóatl decides: 6 to 3" in " ".join(describe_result(found))


def test_ruling_9_14_a_shared_victory() -> None:
    found = tallied(players(["<RRRR> P02"], ["<RRRR> P02"], []))
    assert found.winners == (0, 1)
    assert [place for place, _ in rank_players(found)] == [1, 1, 3]
    assert describe_result(found)[-1] == "Shared victory: Ana, Bo."
    assert describe_result(found, over=False)[-1] == "Ahead together: Ana, Bo."


def solo(*coatls: str, fulfilled: str, **more: Any) -> GameResult:
    return tallied(players([*coatls], adam={"fulfilled": fulfilled}, **more))


def test_rule_7_8_the_player_needs_more_points_than_adam() -> None:
    won = solo("<YYYYB> P11 P01", fulfilled="P10")
    assert (won.players[0].points, won.winners) == (6, (0,))
    lost = solo("<YYYYB> P11", fulfilled="P10")
    assert lost.winners == (ADAM_INDEX,)
    assert describe_result(lost)[-1] == "A.D.A.M. wins."
    assert "A.D.A.M. has more points than Ana: 5 to 3 (rule 7.8)." in describe_result(lost)


def test_rule_7_8_a_tie_is_adams() -> None:
    tied = solo("<YYYYYY> P01", fulfilled="P10")
    assert tied.winners == (ADAM_INDEX,)
    assert any("5 to 5: a tie goes to A.D.A.M." in line for line in describe_result(tied))


def test_rule_7_10_level_1_asks_for_a_temple_card() -> None:
    found = solo("<YYYYB> P11 P01", fulfilled="", levels=[1])
    assert found.winners == (ADAM_INDEX,)
    assert any("Temple card" in line and "7.10" in line for line in describe_result(found))


def test_rule_10_3_golden_segments_count() -> None:
    data = players(["<RRRR> P02"], [])
    data["players"][1]["golden"] = 2
    found = tallied(data)
    assert (found.players[1].feathers, found.winners) == (4, (1,))
    data["players"][0]["golden"] = 9
    with pytest.raises(PositionError, match=r"Rule 10\.3.*beside the board of Ana"):
        tallied(data)


def test_own_cards_count() -> None:
    data = {"id": "X01", "kind": "prophecy", "colour": "red", "requires": {"count": "R"}}
    own = parse_card(data | {"points": {"1": 40}}, "own")
    cards = (*CARDS, own)
    assert (
        score_tally(parse_tally(players(["<RGB> X01"], []), cards), cards).players[0].points == 40
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (players(["<RRRR> P02 P01 P03 P04 P05"], []), "Rule 3.9, Ana, Cóatl 1: A Cóatl holds"),
        (players(["<RRRR> P02 P02"], []), "Rule 3.9, Ana, Cóatl 1"),
        (players(["<RRRR>"], []), "Rule 3.10, Ana, Cóatl 1"),
        (players(["RRRR T01"], []), "Rule 3.11, Ana, Cóatl 1"),
        (players(["R", "R", "R"], []), "Rule 3.6, Ana"),
        (players(["<RRRR> P06"], ["<RRRR> P06"]), "Rule 1.3: Card P06 lies in too many places"),
        (players(["<RRRR> P55"], []), "Rule 1.3, Ana, Cóatl 1: This game has no card “P55”"),
        (players(["R" * 25], []), "Rule 1.2: There are not that many: red body segment"),
        (players(["<RG"] * 2, ["<RG"] * 2), "Rule 1.2: There are not that many: red head"),
        (players(["<RQ>"], []), "players.0.coatls.0: Piece 2 is unknown"),
        (players(["<RRRR> P02"]), "adam: "),
        (players([], [], adam={"fulfilled": ""}), "adam: "),
        (players([], adam={"fulfilled": "T01"}), "Card T01 is not a Prophecy card"),
        (players([], [], snow=True), "snow is unknown"),
        ({}, "players is missing"),
    ],
)
def test_what_cannot_be_is_refused(data: dict[str, Any], said: str) -> None:
    with pytest.raises(PositionError) as caught:
        tallied(data)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        players(),
        players([], [], levels=[1]),
        players([], [], edition="de"),
        {"players": [{"name": "Ana"}, {"name": "ana"}]},
        {"players": [{"name": "Ana", "golden": 1}], "adam": {"fulfilled": ""}},
    ],
)
def test_options_that_make_no_game_are_refused(data: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        tallied(data)


@settings(max_examples=10)
@given(tables() | solo_tables(), st.integers(0, 2**32))
def test_the_tally_of_a_finished_game_is_its_result(options: TableOptions, seed: int) -> None:
    *_, (state, event) = play_random_game(options, seed, choose_builder)
    state = apply_event(state, event)
    assert state.stage is Stage.OVER
    seats = tuple(TallySeat(player.coatls, player.feathers) for player in state.players)
    fulfilled = state.adam.fulfilled if state.adam else ()
    found = score_tally(Tally(options, seats, fulfilled), load_cards().deck(options.promo))
    assert found == compute_result(state)
    for language in LANGUAGE_CODES:
        said = describe_result(found, language)
        assert not any("{" in line for line in said)
        assert all(line.endswith(".") for line in said)


@given(colour_rows(8, least=3), st.booleans(), st.booleans())
def test_a_spoken_coatl_can_be_typed_again(letters: str, head: bool, tail: bool) -> None:
    text = str(make_coatl(letters, head, tail))
    for language in LANGUAGE_CODES:
        assert str(parse_coatl(describe_coatl(text, load_language(language)))) == text


def test_hostile_data_is_refused_in_words() -> None:
    hostile: list[Any] = [
        {"players": 3},
        {"players": [{"name": "A", "coatls": [["R"]]}] * 2},
        {"players": [{"name": "A\x1b[31m"}, {"name": "B"}]},
        {"players": [{"name": "A", "coatls": ["R" * 10**5]}, {"name": "B"}]},
        {"players": [{"name": "A", "coatls": ["R P\x00"]}, {"name": "B"}], "levels": [10**30]},
    ]
    for data in hostile:
        with pytest.raises(CoatlError) as caught:
            tallied(data)
        assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("fulfilled", "names"), [("P10", ["Ana", "A.D.A.M."]), ("P10 P33", ["A.D.A.M.", "Ana"])]
)
def test_adam_has_a_place_and_its_name_one_full_stop(fulfilled: str, names: list[str]) -> None:
    found = solo("<YYYYB> P11 P01", fulfilled=fulfilled)
    assert [(one.rank, one.result.name) for one in rank_all_seats(found)] == [
        *enumerate(names, start=1)
    ]
    assert [one.wins for one in rank_all_seats(found)] == [True, False]
    for language in LANGUAGE_CODES:
        assert not any(".." in line for line in describe_result(found, language))
