"""Card text in three languages: from the requirement alone, with the right grammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coatl_tools import describe_card, load_cards
from coatl_tools.cards.card_text import describe_level
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from tests.strategies import make_card, requirements

STRANGE: list[Any] = [
    ("sequence", ("R",)),
    ("sequence", ("!R", "R", "!B")),
    ("sequence", ("!R", "R+", "*", "B", "!R")),
    ("sequence", ("!K", "Y", "G")),
    ("sequence", ("Y", "G", "!K")),
    ("sequence", ("R+", "R+")),
    ("sequence", ("*", "*", "G", "G", "G", "G", "G")),
    ("multiset", {"K": 5}),
    ("multiset", {"Y": 1}),
    ("multiset", {"R": 1, "B": 5, "Y": 22}),
    ("length", 1),
    ("length", 2),
    ("length", 22),
    ("absent", "B"),
    ("equal", "G", "K"),
    ("several", (("count", "R"), ("sequence", ("K", "K")), ("no_prophecy", "green"))),
]


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_golden_text_of_all_cards(code: str, golden: Callable[[str, str], None]) -> None:
    language = load_language(code)
    lines = []
    for card in load_cards():
        lines.append(f"{card.id}  {describe_card(card, code)}")
        lines += [f"     {describe_level(card, level, language)}" for level in card.levels]
    lines += [describe_card(make_card(requirement), code) for requirement in STRANGE]
    golden(f"cards.{code}.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("code", "number", "phrase"),
    [
        ("en", 1, "1 black piece"),
        ("en", 2, "2 black pieces"),
        ("fr", 1, "1 pièce noire"),
        ("fr", 2, "2 pièces noires"),
        ("pl", 1, "1 czarny fragment"),
        ("pl", 2, "2 czarne fragmenty"),
        ("pl", 4, "4 czarne fragmenty"),
        ("pl", 5, "5 czarnych fragmentów"),
        ("pl", 12, "12 czarnych fragmentów"),
        ("pl", 22, "22 czarne fragmenty"),
        ("pl", 25, "25 czarnych fragmentów"),
    ],
)
def test_numbers_take_their_form(code: str, number: int, phrase: str) -> None:
    card = make_card(("count", "K"), {number: 1})
    assert describe_level(card, card.levels[0], load_language(code)).startswith(phrase)


@given(requirements("RGBYK"), st.sampled_from(LANGUAGE_CODES))
def test_every_requirement_can_be_said(requirement: Any, code: str) -> None:
    text = describe_card(make_card(requirement), code)
    assert text[0].isupper() or text[0].isdigit()
    assert text.endswith(".")
    assert not {"{", "}"} & set(text)
    assert "  " not in text
    assert "None" not in text
