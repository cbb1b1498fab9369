"""Finding a card by what it shows."""

from __future__ import annotations

import pytest

from coatl_tools import load_cards
from coatl_tools.cards.search import matching

CARDS = load_cards()
DECK = CARDS.deck()


def ids(typed: str, *first: str) -> list[str]:
    return [card.id for card in matching(typed, DECK, first)]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("p29", "P29"), ("P29", "P29"), ("bbyy", "P29"), ("ykrgb", "P33"), ("ky*yk", "P45")],
)
def test_a_card_by_its_id_or_its_row(typed: str, expected: str) -> None:
    assert ids(typed)[0] == expected


def test_several_words_all_count() -> None:
    assert ids("yellow 7") == ["P33", "P34", "P35"]
    assert ids("jaune 7 rk") == ids("żółta 7 rk") == ["P34"]
    assert ids("29") == ["P29"]
    assert ids("3=2") == ["P01", "P02", "P03", "P04", "P05"]
    assert ids("3x=2 k") == ["P03"]
    assert ids("t 12") == ["T12", "T06", "T10"]


def test_what_the_reader_thinks_likeliest_comes_first_among_equals() -> None:
    assert ids("", "P30", "P29")[:3] == ["P30", "P29", "P01"]
    assert ids("green 4", "P48")[0] == "P48"


def test_few_characters_are_enough_for_every_card() -> None:
    for card in CARDS:
        assert matching(card.id, CARDS)[0] == card


def test_nothing_fits_nonsense() -> None:
    assert ids("qq") == []
    assert ids("p29 bbbb") == []
    assert ids("9" * 500) == []
