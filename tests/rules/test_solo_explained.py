"""What is said of A.D.A.M.'s turn: each step, and why."""

from __future__ import annotations

import pytest

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.solo.adam import explain_adam_turn
from tests.rules.positions import plan
from tests.rules.test_solo_turn import NO_YELLOW, all_but, turn


@pytest.mark.rule("7.4", "7.5", "7.6", "7.7", "9.5", "9.15")
def test_a_whole_turn_is_explained() -> None:
    state = turn(
        "P13 P11:YYYYY P45:KK",
        "RR GG BB GY GG RG <R <G R> G>",
        supply="P30 P31 P32 P33 P34 P16",
    )
    said = explain_adam_turn(plan(state))
    expected = [
        ("P13", "lacks", "6 black", "No space"),
        ("P11", "lacks", "1 yellow", "Space 4", "first", "green body", "yellow body"),
        ("P45", "green body", "any colour", "lacks", "2 yellow"),
        ("P11", "yellow body", "all its pieces"),
        ("P11", "fulfilled", "7 points"),
        ("P45", "P11", "yellow body", "×2", "all its pieces"),
        ("P11", "out of the game", "no other card", "yellow body", "×4"),
        ("P45", "fulfilled", "4 points"),
        ("P13", "P45", "black body", "×2", "lacks", "4 black"),
        ("P45", "out of the game", "green body", "yellow body"),
        ("P11, P45", "fulfilled pile"),
        ("P16", "rightmost", "3 green", "3 yellow"),
        ("P34", "rightmost"),
    ]
    assert len(said) == len(expected)
    for line, parts in zip(said, expected, strict=True):
        assert [part for part in parts if part.lower() not in line.lower()] == [], line


@pytest.mark.rule("7.5")
def test_an_explanation_tells_identical_cards_apart() -> None:
    said = explain_adam_turn(plan(turn("P01:YYYYY P01 P12", "RR GG BB RR KK RG <Y <G R> G>")))
    assert "P01 (card 1 from the left)" in said[0]
    assert any("card 2 from the left" in line and "card 1" in line for line in said)


@pytest.mark.rule("7.4")
@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_every_language_names_cards_spaces_and_pieces(language: str) -> None:
    said = explain_adam_turn(plan(turn("P11 P13 P15", NO_YELLOW.replace("G>", "Y>"))), language)
    assert "P11" in said[0]
    assert "10" in said[0]
    assert len(said) == 2


@pytest.mark.rule("7.4", "9.15")
def test_a_discard_is_explained_when_no_card_can_be_helped_and_when_there_is_none() -> None:
    helpless = explain_adam_turn(plan(turn("P11 P01 P06", NO_YELLOW)))
    assert "the lowest-numbered" in helpless[3]
    assert "space 1" in helpless[3]
    none = explain_adam_turn(plan(turn("", NO_YELLOW, supply="", fulfilled=all_but())))
    assert "no card" in none[0]
    assert "space 1" in none[0]
