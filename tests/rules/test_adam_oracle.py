"""Turns of A.D.A.M. worked out by hand from the rules."""

import copy
from typing import Any

import pytest

from tests.adam_oracle import slots, turn

KINDS = "bbbbbbhhtt"
CARDS: dict[str, dict[str, Any]] = {
    "YYYYYY": {"requires": {"count": "Y"}, "points": {"3": 2, "4": 3, "5": 4, "6": 5}},
    "RK": {"requires": {"sequence": "R K"}, "points": {"1": 1}},
    "RR": {"requires": {"sequence": "!R R R !R"}, "points": {"1": 2}},
    "RB": {"requires": {"sequence": "R B"}, "points": {"1": 3}},
    "RG": {"requires": {"sequence": "R G"}, "points": {"1": 4}},
    "GB": {"requires": {"sequence": "G B"}, "points": {"1": 5}},
    "R*R": {"requires": {"sequence": "R *+ R"}, "points": {"1": 6}},
    "K": {"requires": {"count": "K"}, "points": {"1": 7}},
    "none": {"requires": {"absent": "R"}, "points": {"1": 1}},
}
BOARD = ["KK", "KG", "YB", "GG", "RB", "RR", ["<K"], ["<Y"], ["G>"], ["B>"]]


def table(row: list[tuple[str, str]], board: list[Any] = BOARD, **more: Any) -> dict[str, Any]:
    """Lay a table; the pieces of the row are written as words, those of the board as letters."""
    return {
        "spaces": [list(space) for space in board],
        "kinds": KINDS,
        "bags": {"b": 60, "h": 10, "t": 10},
        "row": [{"card": card, "pieces": pieces.split()} for card, pieces in row],
        "supply": ["YYYYYY", "RK", "RR", "RB", "RG", "GB"],
        "undrawn": 20,
        "cards": CARDS,
        "refill_to": 3,
    } | more


def row_of(result: dict[str, Any]) -> list[tuple[str, str]]:
    """Write a row as `table` takes it."""
    return [(entry["card"], " ".join(entry["pieces"])) for entry in result["row"]]


@pytest.mark.parametrize(
    ("requires", "points", "expected"),
    [
        ({"count": "Y"}, {"3": 2, "6": 5}, "YYYYYY"),
        ({"sequence": "!Y Y Y !Y"}, {"1": 2, "2": 5}, "YYYY"),
        ({"sequence": "G Y+ K"}, {"1": 2, "2": 6}, "GYKGYK"),
        ({"sequence": "K Y *+ * K"}, {"1": 4}, "KY**K"),
        ({"multiset": {"Y": 2, "G": 1}}, {"1": 3, "2": 6}, "YYGYYG"),
        ({"equal": ["R", "B"]}, {"1": 3}, "RB"),
        ({"several": [{"equal": ["R", "B"]}, {"count": "Y"}]}, {"1": 3, "2": 6}, "RBY"),
        ({"several": [{"absent": "R"}, {"sequence": "B G"}]}, {"2": 6}, "BG"),
        ({"several": [{"count": "R"}, {"count": "B"}]}, {"1": 3}, None),
        ({"several": [{"absent": "R"}, {"length": 9}]}, {"1": 3, "2": 6}, None),
        ({"no_prophecy": "blue"}, {"1": 3}, None),
        ({"count": "Y"}, {"9": 1, "10": 2}, "YYYYYYYYYY"),
    ],
)
def test_slots_are_the_pieces_of_the_highest_level(
    requires: dict[str, Any], points: dict[str, int], expected: str | None
) -> None:
    """Rule 7.3."""
    found = slots(requires, points)
    assert (found and sorted(found)) == (expected and sorted(expected))


def test_a_space_with_a_wanted_and_an_unwanted_piece() -> None:
    """The unwanted blue one is discarded, and the first card decides (rules 7.4, 7.5)."""
    before = table([("YYYYYY", ""), ("RK", ""), ("RR", "")])
    result = turn(copy.deepcopy(before))
    assert result["space"] == 3
    assert result["spaces"] == [s if n != 2 else [] for n, s in enumerate(before["spaces"])]
    assert row_of(result) == [("YYYYYY", "Y"), ("RK", ""), ("RR", "")]
    assert result["discarded"] == ["B"]
    assert (result["fulfilled"], result["points"]) == ([], 0)
    assert result["supply"] == before["supply"]
    assert (result["fills"], result["ended"], result["supply_draws"]) == ([], False, 0)


def test_the_second_card_is_helped_if_the_first_cannot() -> None:
    """The first card lacks only red, which is not there; the third does not matter (rule 7.4)."""
    board = ["YY", "BG", "", "", "", "", ["<K"], "", "", ["Y>"]]
    result = turn(table([("RR", "<R"), ("GB", ""), ("YYYYYY", "")], board))
    assert result["space"] == 2
    assert row_of(result) == [("RR", "<R"), ("YYYYYY", ""), ("GB", "")]
    assert result["fulfilled"] == ["GB"]
    assert result["discarded"] == ["B", "G"]


def test_none_helped_discards_the_lowest_space() -> None:
    """Space 1 is empty, so it is space 2 (rule 7.4)."""
    board = ["", "YK", "YY", "", "", "", ["<K"], "", "", ["Y>"]]
    result = turn(table([("GB", ""), ("RG", ""), ("RB", "")], board))
    assert result["space"] == 2
    assert result["discarded"] == ["Y", "K"]
    assert row_of(result) == [("GB", ""), ("RG", ""), ("RB", "")]


def test_a_coloured_need_comes_before_a_white_one() -> None:
    """The <R on the card is on a red need, so two more needs are open: red and white (9.5)."""
    result = turn(table([("R*R", "<R"), ("GB", ""), ("RB", "")], ["RB", *BOARD[1:]]))
    assert result["space"] == 1
    assert result["fulfilled"] == ["R*R"]  # R on the red need, B on the white one
    # <R goes to RB, R is of no use, B goes to GB
    assert result["discarded"] == ["R"]
    assert row_of(result) == [("GB", "B"), ("RB", "<R"), ("GB", "")]


def test_a_white_need_matches_any_piece_in_the_search() -> None:
    """Only the white need is open: space 1 has a piece for it (rule 9.5)."""
    result = turn(table([("R*R", "R R>"), ("K", ""), ("RB", "")], ["GK", *BOARD[1:]]))
    assert result["space"] == 1  # green for the white need, then black for the second card
    assert result["fulfilled"] == ["R*R", "K"]
    # the R goes from the first card to the third; R> and G are of no use; nor is then the K
    assert result["discarded"] == ["R>", "G", "K"]
    assert row_of(result) == [("RB", "R"), ("GB", ""), ("RG", "")]
    assert result["points"] == 13


def test_a_white_need_that_is_met_wants_nothing_more() -> None:
    """The K is on the white need, so the black ones of space 1 are not wanted (rule 7.4)."""
    board = ["KK", "RR", *BOARD[2:]]
    result = turn(table([("R*R", "K <R"), ("RR", ""), ("GB", "")], board))
    assert result["space"] == 2
    # the first red one completes the first card, the second goes to RR; then K is of no use,
    # the <R completes RR, and the R is of no use; nor are the R and <R of RR
    assert result["fulfilled"] == ["R*R", "RR"]
    assert result["discarded"] == ["K", "R", "R", "<R"]
    assert row_of(result) == [("GB", ""), ("GB", ""), ("RG", "")]


def test_a_white_need_of_the_left_card_beats_a_coloured_one_of_the_next() -> None:
    """The left card takes the tail, though RR wants red (rule 9.5)."""
    board = ["", "", "BB", "", "", "", "", "", ["R>"], ""]
    result = turn(table([("K", ""), ("R*R", ""), ("RR", "R")], board))
    assert result["space"] == 3  # the white need again
    assert row_of(result) == [("K", ""), ("R*R", "B"), ("RR", "R")]
    assert result["discarded"] == ["B"]

    board = ["", "", "", "", "", "", "", "", ["R>"], ""]
    result = turn(table([("K", ""), ("R*R", "R R"), ("RR", "")], board))
    # RR gets the first two red ones of R*R and is then complete too
    assert result["fulfilled"] == ["R*R", "RR"]
    assert result["discarded"] == ["R>", "R", "R"]


@pytest.mark.rule("9.15")
def test_a_cascade_of_three() -> None:
    """Each card gives the next what it lacks (rule 7.6)."""
    board = ["RY", *BOARD[1:]]
    result = turn(table([("RK", "K"), ("RG", "<G"), ("RB", "B>")], board))
    # Y is discarded; RK gives R to RG and loses K; RG gives R to RB and loses <G;
    # RB has nobody to give to: what it had comes in the order B>, R
    assert result["space"] == 1
    assert result["discarded"] == ["Y", "K", "<G", "B>", "R"]
    assert result["fulfilled"] == ["RK", "RG", "RB"]
    assert result["points"] == 8
    assert row_of(result) == [("GB", ""), ("RG", ""), ("RB", "")]  # rule 9.15: nothing for them
    assert result["supply"] == ["YYYYYY", "RK", "RR"]
    assert result["supply_draws"] == 3


def test_two_completed_at_once_and_one_between_them_joins() -> None:
    """The leftmost completed card is always the next one (rule 9.15)."""
    board = ["RG", *BOARD[1:]]
    row = [("RK", "K"), ("RB", "B"), ("GB", "B>"), ("YYYYYY", "")]
    result = turn(table(row, board, refill_to=4))
    assert result["fulfilled"] == ["RK", "RB", "GB"]
    assert result["discarded"] == ["K", "B", "R", "B>", "G"]
    assert row_of(result) == [("YYYYYY", ""), ("GB", ""), ("RG", ""), ("RB", "")]


def test_four_cards_refilled_to_three_take_nothing_after_the_first() -> None:
    """The option of ruling 9.7."""
    result = turn(table([("K", ""), ("RR", ""), ("RB", ""), ("RG", "")]))
    assert result["fulfilled"] == ["K"]
    assert row_of(result) == [("RR", ""), ("RB", ""), ("RG", "")]
    assert len(result["supply"]) == 6
    assert result["supply_draws"] == 0


def test_a_short_row_plays_on() -> None:
    """Ruling 9.15: the supply has one card for two places."""
    result = turn(table([("K", ""), ("RR", "")], supply=["GB"], undrawn=0))
    assert result["fulfilled"] == ["K"]
    assert result["discarded"] == ["K", "K"]
    assert row_of(result) == [("RR", ""), ("GB", "")]
    assert (result["supply"], result["supply_draws"]) == ([], 0)


def test_an_empty_row_discards_the_lowest_space() -> None:
    """Ruling 9.15."""
    result = turn(table([], supply=[], undrawn=0))
    assert (result["space"], result["discarded"], result["row"]) == (1, ["K", "K"], [])


def test_the_row_is_refilled_from_the_right_end() -> None:
    """Rules 7.7 and 7.2, with two cards left to draw for three places."""
    row = [("K", ""), ("YYYYYY", ""), ("K", "")]
    result = turn(table(row, supply=["RK", "RR", "RB", "RG", "GB"], undrawn=2))
    assert result["fulfilled"] == ["K", "K"]
    assert row_of(result) == [("YYYYYY", ""), ("GB", ""), ("RG", "")]
    assert result["supply"] == ["RK", "RR", "RB"]
    assert result["supply_draws"] == 2


def test_replenish_when_the_last_body_is_taken() -> None:
    """Rule 3.2: 5 bodies fill two spaces, one head fills one, and 9 is not empty."""
    board = ["", "", "", "KK", "", "", "", "", ["G>"], ""]
    bags = {"b": 5, "h": 1, "t": 3}
    result = turn(table([("RK", ""), ("RR", ""), ("RB", "")], board, bags=bags))
    assert result["space"] == 4
    assert result["fills"] == [1, 2, 7, 10]
    assert result["ended"] is False


def test_replenish_when_the_last_head_or_tail_is_taken() -> None:
    """Rule 3.2; the body bag is too small, but there are bodies on the board."""
    board = ["YY", "", "", "", "", "", "", "", ["K>"], ""]
    bags = {"b": 1, "h": 3, "t": 1}
    result = turn(table([("RK", ""), ("RR", ""), ("RB", "")], board, bags=bags))
    assert result["space"] == 9
    assert result["fills"] == [7, 8, 9]
    assert result["ended"] is False


@pytest.mark.rule("9.8")
def test_the_end() -> None:
    """Rule 3.3: one body in the bag fills no space; heads and tails still come."""
    board = ["", "", "", "KK", "", "", ["<Y"], "", "", ""]
    bags = {"b": 1, "h": 0, "t": 1}
    result = turn(table([("K", ""), ("RR", ""), ("RB", "")], board, bags=bags))
    assert result["fills"] == [9]
    assert result["ended"] is True
    assert result["fulfilled"] == ["K"]  # ruling 9.8: the turn is played to its end
    assert result["supply_draws"] == 1


def test_nothing_left_to_take() -> None:
    """An empty board with empty bags."""
    bags = {"b": 0, "h": 0, "t": 0}
    result = turn(table([("K", ""), ("RR", ""), ("RB", "")], [""] * 10, bags=bags))
    assert (result["space"], result["discarded"], result["fills"]) == (0, [], [])
    assert result["ended"] is True


def test_the_table_is_not_changed() -> None:
    """A turn is a pure function, also in what it gives back."""
    before = table([("RK", "K"), ("RG", "<G"), ("RB", "B>")], ["RY", *BOARD[1:]])
    kept = copy.deepcopy(before)
    result = turn(before)
    result["row"][0]["pieces"].append("R")
    result["spaces"][3].append("R")
    assert before == kept


def test_cards_and_pieces_that_cannot_be_are_refused() -> None:
    """A card without needs (rule 7.3), and a piece that its card does not need."""
    with pytest.raises(ValueError, match="none"):
        turn(table([("none", "")]))
    with pytest.raises(ValueError, match="Y"):
        turn(table([("RK", "Y")]))


def test_the_supply_is_only_refilled_in_a_turn_that_took_from_it() -> None:
    """Rule 7.2: a short supply stays short if A.D.A.M. took no card."""
    result = turn(table([("YYYYYY", ""), ("RK", ""), ("RR", "")], supply=["GB"]))
    assert (result["supply"], result["supply_draws"]) == (["GB"], 0)
