"""Finding a card by what it shows."""

from __future__ import annotations

import pytest

from coatl_tools import load_cards
from coatl_tools.cards.card_text import describe_card
from coatl_tools.cards.search import find_cards
from coatl_tools.pieces import Colour

CARDS = load_cards()
DECK = CARDS.deck()


def ids(typed: str, *first: str) -> list[str]:
    return [card.id for card in find_cards(typed, DECK, first)]


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
        assert find_cards(card.id, CARDS)[0] == card


@pytest.mark.parametrize(
    "typed",
    [
        "exactly 8 pieces",
        "exactement 8 pièces",
        "EXACTEMENT pieces 8",
        "dokładnie 8 fragmentów",
        "dokladnie 8 fragm",
    ],
)
def test_who_browses_writes_words_of_any_language_with_or_without_accents(typed: str) -> None:
    found = find_cards(typed, DECK, in_text=True)
    assert found
    assert all("exactly 8 pieces" in describe_card(card).lower() for card in found)
    assert find_cards(typed, DECK) == []


def test_a_colour_is_first_that_of_the_frame_then_that_of_a_piece() -> None:
    found = find_cards("niebieska", CARDS, in_text=True)
    framed = [card for card in CARDS if card.colour is Colour.B]
    assert found[: len(framed)] == framed
    assert all("blue" in describe_card(card) for card in found[len(framed) :])
    assert found[len(framed) :]


def test_kinds_and_sets_are_words_too() -> None:
    assert {card.kind.value for card in find_cards("świątynia", CARDS, in_text=True)} == {"temple"}
    assert {card.set for card in find_cards("promo", CARDS, in_text=True)} == {"promo"}


def test_nothing_fits_nonsense() -> None:
    assert ids("qq") == []
    assert ids("p29 bbbb") == []
    assert ids("9" * 500) == []
