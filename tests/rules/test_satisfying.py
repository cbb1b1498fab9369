"""Satisfying a card, as the engine sees it (rules 4.1 to 4.7)."""

from __future__ import annotations

import pytest

from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import Built
from tests.rules.positions import (
    NORTH,
    complete,
    expect_refusal,
    is_legal,
    play,
    scene,
    scores,
    seat,
)


def fits(card: str, coatl: str, closed_ends: bool = False) -> bool:
    """Whether a card of the hand may be placed beside an incomplete Cóatl."""
    state = scene(seat("", [coatl], hand=card), supply="", closed_ends=closed_ends)
    if is_legal(state, f"play {card} on 1"):
        return True
    assert expect_refusal(state, f"play {card} on 1").rule == "3.9"
    return False


def worth(coatl: str, card: str) -> int:
    """The points of a card beside a complete Cóatl."""
    state = scene(seat("", [complete(coatl, card)]), supply="")
    return compute_result(state).players[NORTH].points


@pytest.mark.rule("4.1")
@pytest.mark.parametrize("coatl", ["<YYYR", "YYY", "RYYY>"])
def test_any_kind_of_piece_meets_a_colour(coatl: str) -> None:
    assert fits("P11", coatl)


@pytest.mark.rule("4.2")
def test_a_piece_counts_once_on_a_card() -> None:
    assert worth("<YYYYYR>", "P11") == 3  # rule 4.2: YYY once in five yellow pieces
    assert worth("<YYYYYYR>", "P11") == 7


@pytest.mark.rule("4.2")
def test_different_cards_share_pieces() -> None:
    state = scene(seat("", ["YGB"], hand="P16 P19"))
    state = play(state, "play P16 on 1", "play P19 on 1")
    assert scores(state) == {"P16": 1, "P19": 1}


@pytest.mark.rule("4.3")
def test_a_sequence_is_read_from_head_to_tail() -> None:
    assert fits("P16", "YG")
    assert not fits("P16", "GY")


@pytest.mark.rule("4.3")
def test_the_end_where_a_piece_was_attached_matters() -> None:
    state = scene(seat("Y", ["G"], hand="P16"))
    assert is_legal(play(state, "add Y to 1 head"), "play P16 on 1")
    assert not is_legal(play(state, "add Y to 1 tail"), "play P16 on 1")


@pytest.mark.rule("4.4")
@pytest.mark.parametrize(
    ("card", "coatl", "fitting"),
    [
        ("P36", "YKR", True),
        ("P36", "YKKKKR", True),
        ("P36", "YR", False),
        ("P36", "YKGKR", False),
        ("P45", "KYRYK", True),
        ("P45", "KYRGBYK", True),
        ("P45", "KYYYK", True),
        ("P45", "KYYK", False),
    ],
)
def test_infinity_is_one_or_more_pieces(card: str, coatl: str, fitting: bool) -> None:
    assert fits(card, coatl) == fitting


@pytest.mark.rule("4.5")
@pytest.mark.parametrize(
    ("coatl", "fitting"), [("RYYG", True), ("YY", True), ("<YYG", True), ("YYY", False)]
)
def test_a_crossed_out_piece_has_another_colour_or_is_not_there(coatl: str, fitting: bool) -> None:
    assert fits("P06", coatl) == fitting


@pytest.mark.rule("4.5")
def test_two_occurrences_share_a_crossed_out_neighbour() -> None:
    assert worth("<YYRYY>", "P06") == 5


@pytest.mark.rule("4.5")
def test_a_later_piece_may_break_a_card() -> None:
    state = play(scene(seat("Y Y", ["YYR"], hand="P06")), "play P06 on 1")
    assert scores(state) == {"P06": 2}
    state = play(state, "add Y to 1 head")
    assert scores(state) == {"P06": 0}
    assert state.players[NORTH].coatls == (Built("YYYR", ("P06",)),)


@pytest.mark.rule("4.5")
def test_a_broken_card_scores_what_is_left_of_it() -> None:
    state = scene(seat("Y", ["YYRYY"], hand="P06"))
    state = play(state, "play P06 on 1", "add Y to 1 tail")
    assert scores(state) == {"P06": 2}


@pytest.mark.rule("9.11")
@pytest.mark.parametrize(
    ("coatl", "fitting"),
    [("YY", False), ("<YY", False), ("YYR", False), ("<YYR", True), ("RYYR", True)],
)
def test_with_closed_ends_an_open_end_is_not_no_piece(coatl: str, fitting: bool) -> None:
    assert fits("P06", coatl, closed_ends=True) == fitting


@pytest.mark.rule("9.11")
def test_closed_ends_change_nothing_once_the_coatl_is_closed() -> None:
    state = scene(seat("Y>", ["<RRY"], hand="P06"), closed_ends=True)
    state = play(state, "add Y> to 1 tail", "play P06 on 1", "complete")
    assert scores(state) == {"P06": 2}


@pytest.mark.rule("4.6")
@pytest.mark.parametrize(
    ("temple", "coatl", "points"),
    [
        ("T06", "<RYGGGG>", 3),  # R = Y
        ("T06", "<RRYGGG>", 0),
        ("T06", "<GGGGGG>", 0),  # at least one of each
        ("T09", "<RGBBBB>", 7),  # R = G, and 6 with head and tail
        ("T01", "<RGBBBBR>", 7),  # no yellow, and 7
        ("T01", "<RGBYBBR>", 3),
        ("T01", "<RGBBBB>", 3),
    ],
)
def test_equal_exactly_and_no_colour(temple: str, coatl: str, points: int) -> None:
    north = seat(coatl[-2:], [Built(coatl[:-2], ("P05",))], temples=temple)
    state = play(scene(north), f"add {coatl[-2:]} to 1 tail")
    assert is_legal(state, f"temple {temple} on 1") == bool(points)
    if points:
        assert scores(play(state, f"temple {temple} on 1"))[temple] == points


@pytest.mark.rule("4.7")
@pytest.mark.parametrize(
    ("coatl", "card", "points"),
    [
        ("<BBBR>", "P05", 2),
        ("<BBBBR>", "P05", 3),
        ("<BBBBBBR>", "P05", 5),
        ("<BBBBBBBBBR>", "P05", 5),
        ("<BBRBBRBB>", "P10", 5),
    ],
)
def test_only_the_highest_level_reached_scores(coatl: str, card: str, points: int) -> None:
    assert worth(coatl, card) == points
