"""What is missing for the next level: never more pieces than needed, and they do it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import find_missing_pieces, load_cards, parse_coatl, score_card
from coatl_tools.cards.requirement import Several
from coatl_tools.pieces import Coatl
from coatl_tools.scoring.missing_pieces import Extension, find_shortest_length
from tests import oracle
from tests.strategies import colour_rows, example_count, make_card, make_coatl, requirements

CARDS = load_cards()
LIMIT = 3


def letters(extension: Extension | None) -> tuple[str, str] | None:
    if extension is None:
        return None
    before, behind = (
        "".join(colour.name for colour in end) for end in (extension.head_end, extension.tail_end)
    )
    return before, behind


def extended(coatl: Coatl, extension: Extension) -> Coatl:
    """The Cóatl that the extension makes."""
    colours = (*extension.head_end, *coatl.colours, *extension.tail_end)
    return Coatl(colours, coatl.head or extension.head, coatl.tail or extension.tail)


def check_missing(
    requirement: Any, word: str, ends: tuple[bool, bool], target: int, closed_ends: bool
) -> None:
    card, coatl = make_card(requirement), make_coatl(word, *ends)
    found = find_missing_pieces(coatl, card, target, closed_ends=closed_ends)
    expected = oracle.fewest(
        requirement, word, target, coatl.head, coatl.tail, closed_ends, limit=LIMIT
    )
    if expected is None:
        assert found is None or len(found) > LIMIT
    else:
        assert found is not None
        assert len(found) == expected
    if found is not None:
        made = extended(coatl, found)
        assert score_card(made, card, (), closed_ends).count >= target


@settings(max_examples=120)
@given(
    requirements(),
    colour_rows(4, "RGB"),
    st.tuples(st.booleans(), st.booleans()),
    st.integers(1, 3),
    st.booleans(),
)
def test_missing_is_the_fewest(
    requirement: Any, word: str, ends: tuple[bool, bool], target: int, closed_ends: bool
) -> None:
    check_missing(requirement, word, ends, target, closed_ends)


@pytest.mark.soak
@settings(max_examples=example_count(20_000) // 10)
@given(
    requirements(),
    colour_rows(6, "RGB"),
    st.tuples(st.booleans(), st.booleans()),
    st.integers(1, 3),
    st.booleans(),
)
def test_missing_is_the_fewest_very_often(
    requirement: Any, word: str, ends: tuple[bool, bool], target: int, closed_ends: bool
) -> None:
    check_missing(requirement, word, ends, target, closed_ends)


@pytest.mark.parametrize(
    ("coatl", "card_id", "target", "expected"),
    [
        ("<YK", "P33", 1, ("", "RGB")),
        ("GB>", "P33", 1, ("YKR", "")),
        ("KRG", "P33", 1, ("Y", "B")),
        ("<BB", "P05", 3, ("", "B")),
        ("RRBB", "P07", 2, ("", "RR")),
        ("<RBGK", "P33", 1, ("", "YKRGB")),
        ("<RBG>", "P33", 1, None),  # complete
        ("<RBGG", "T03", 2, None),  # it has green already
        ("<RBRBRBRBRB", "T03", 2, None),  # longer than 9 already
    ],
)
def test_examples(coatl: str, card_id: str, target: int, expected: tuple[str, str] | None) -> None:
    assert letters(find_missing_pieces(parse_coatl(coatl), CARDS[card_id], target)) == expected


def test_with_closed_ends_a_lone_head_is_not_closed_by_a_tail() -> None:
    # <R and a red tail would touch (rule 3.10), so a body and one more piece are needed.
    found = find_missing_pieces(parse_coatl("<R"), CARDS["P07"], 1, closed_ends=True)
    assert found is not None
    assert len(found) == 2


@pytest.mark.parametrize(
    ("coatl", "parts", "target", "pieces"),
    [
        ("<G", [("sequence", ("G", "!G")), *(("absent", c) for c in "RBYK")], 5, 2),
        (
            "<B",
            [("sequence", ("!B", "*+", "R", "!G")), ("equal", "R", "B")]
            + [("absent", c) for c in "RYK"],
            4,
            2,
        ),
        ("R>", [("sequence", ("!R", "R")), *(("absent", c) for c in "GBYK")], 5, 2),
    ],
)
def test_what_one_piece_cannot_close_two_can(
    coatl: str, parts: list[Any], target: int, pieces: int
) -> None:
    requirement: Any = ("several", tuple(parts))
    read = parse_coatl(coatl)
    found = find_missing_pieces(read, make_card(requirement), target, closed_ends=True)
    assert found is not None
    assert len(found) == pieces
    word = coatl.strip("<>")
    expected = oracle.fewest(requirement, word, target, read.head, read.tail, True, limit=3)
    assert expected == pieces
    assert score_card(extended(read, found), make_card(requirement), (), True).count >= target


def test_nothing_missing_is_not_nothing_found() -> None:
    found = find_missing_pieces(parse_coatl("<BBB"), CARDS["P05"], 3)
    assert found
    assert len(found) == 0


def test_the_box_is_not_exceeded() -> None:
    assert find_missing_pieces(parse_coatl("R" * 150), CARDS["P33"], 1) is None
    assert find_missing_pieces(parse_coatl("R" * 145), CARDS["P33"], 1) is not None


def test_long_ways_are_found() -> None:
    assert letters(find_missing_pieces(parse_coatl("<R"), make_card(("length", 25)), 1)) == (
        "",
        "R" * 24,
    )


def test_the_cards_beside_matter() -> None:
    beside = [CARDS["P43"]]  # green
    assert find_missing_pieces(parse_coatl("<YKYKRGB"), CARDS["T19"], 2) is not None
    assert find_missing_pieces(parse_coatl("<YKYKRGB"), CARDS["T19"], 2, beside) is None


@settings(max_examples=25)
@given(requirements("RB"), st.integers(1, 3))
def test_shortest_is_the_shortest(requirement: Any, target: int) -> None:
    from itertools import product

    card = make_card(requirement)
    lengths = (
        length
        for length in range(1, 6)
        for letters in product("RBK", repeat=length)
        if oracle.count(requirement, "".join(letters)) >= target
    )
    assert find_shortest_length(card, target, 5, 26) == next(lengths, None)


@pytest.mark.parametrize(
    ("requirement", "target", "length"),
    [
        (("count", "R"), 26, 26),
        (("count", "R"), 27, None),  # rule 1.2: 24 bodies, and one head and one tail fit
        (("sequence", ("R", "R", "R")), 8, 24),
        (("sequence", ("R", "R", "R")), 9, None),
        (("sequence", ("R", "R", "*")), 10, 30),
        (("sequence", ("R", "B")), 15, 30),
        (("sequence", ("R", "B")), 16, None),
        (("several", (("absent", "R"), ("equal", "R", "B"))), 2, None),
        (("several", (("length", 7), ("length", 8))), 2, None),
        (("several", (("equal", "R", "G"), ("equal", "G", "B"), ("length", 7))), 3, 7),
        (("several", (("no_prophecy", "red"), ("absent", "R"))), 2, 1),
        (("multiset", {"R": 13, "B": 13}), 1, 26),
        (("multiset", {"R": 13, "B": 13}), 2, None),
    ],
)
def test_what_the_box_holds_limits_a_level(
    requirement: Any, target: int, length: int | None
) -> None:
    assert find_shortest_length(make_card(requirement, {target: 1}), target, 30, 26) == length


def test_every_level_of_every_card_is_within_reach() -> None:
    for card in CARDS:
        for level in card.levels:
            length = find_shortest_length(card, level.count, 30, 26)
            assert length is not None
            if not isinstance(card.requirement, Several):
                assert length >= level.count
