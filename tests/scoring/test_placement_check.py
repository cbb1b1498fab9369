"""The quick test whether a card may be placed says what the scorer says."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards, parse_coatl, score_card
from coatl_tools.scoring.placement_check import build_placement_test
from tests.strategies import colour_rows, example_count, make_card, requirements, sequences

ENDS = ("", "<"), ("", ">")


@pytest.mark.parametrize("closed_ends", [False, True])
def test_all_cards_on_all_short_coatls(closed_ends: bool) -> None:
    tests = [(card, build_placement_test(card, closed_ends)) for card in load_cards()]
    known = [(card, test) for card, test in tests if test is not None]
    assert {card.id for card, test in tests if test is None} == {f"T{n}" for n in range(16, 21)}
    for length in (1, 3, 4):
        for letters in product("RGBYK", repeat=length):
            for head, tail in product(*ENDS) if length != 1 else [("", ""), ("<", ""), ("", ">")]:
                text = head + "".join(letters) + tail
                coatl = parse_coatl(text)
                for card, test in known[length::3]:
                    placeable = score_card(coatl, card, closed_ends=closed_ends).level > 0
                    assert bool(test(text)) == placeable, (text, card.id)


def check(requirement: Any, word: str, ends: int, needed: int, closed_ends: bool) -> None:
    card = make_card(requirement, {needed: 1})
    test = build_placement_test(card, closed_ends)
    text = ("<" if ends & 1 else "") + word + (">" if ends & 2 else "")
    coatl = parse_coatl(text)
    if test is not None:
        assert bool(test(text)) == (score_card(coatl, card, closed_ends=closed_ends).level > 0)


ASKED = (
    st.one_of(requirements(), sequences("RB", 6)),
    colour_rows(14, "RGBY", least=3),
    st.integers(0, 3),
    st.integers(1, 3),
    st.booleans(),
)


@settings(max_examples=200)
@given(*ASKED)
def test_made_up_cards(
    requirement: Any, word: str, ends: int, needed: int, closed_ends: bool
) -> None:
    check(requirement, word, ends, needed, closed_ends)


@pytest.mark.soak
@settings(max_examples=example_count(20_000))
@given(*ASKED)
def test_many_made_up_cards(
    requirement: Any, word: str, ends: int, needed: int, closed_ends: bool
) -> None:
    check(requirement, word, ends, needed, closed_ends)


def test_a_monster_of_runs_does_not_hang() -> None:
    card = make_card(("sequence", ("R+",) * 30), {1: 1})
    test = build_placement_test(card)
    assert test is not None
    assert not test("R" * 29)
    assert test("<" + "R" * 40 + ">")
