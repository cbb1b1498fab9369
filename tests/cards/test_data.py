"""The cards of the game, beside a second transcription of them."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from coatl_tools import UnknownCardError, load_cards
from coatl_tools.cards.card import CardKind
from coatl_tools.cards.model import card_data
from coatl_tools.resources import CARDDATA
from tests import oracle
from tests.strategies import as_json

CARDS = load_cards()


@pytest.mark.parametrize("card_id", oracle.CARDS)
def test_every_card_is_what_the_reference_says(card_id: str) -> None:
    card, expected = CARDS[card_id], oracle.CARDS[card_id]
    data = card_data(card)
    assert data["kind"] == expected.kind
    assert data.get("colour") == expected.colour
    assert card.copies == expected.copies
    assert card.set == ("promo" if expected.promo else "base")
    assert data["requires"] == as_json(expected.requirement)
    assert {level.count: level.points for level in card.levels} == expected.levels


def test_there_are_75_cards_and_no_other() -> None:
    assert [card.id for card in CARDS] == sorted(
        oracle.CARDS, key=lambda card_id: (oracle.CARDS[card_id].promo, card_id)
    )


def test_rule_1_3_54_prophecies_by_colour_and_15_temples() -> None:
    base = CARDS.deck()
    copies = Counter[str]()
    for card in base:
        copies[card.colour.word if card.colour is not None else "temple"] += card.copies
    assert copies == {"red": 10, "black": 10, "blue": 10, "yellow": 10, "green": 14, "temple": 15}


def test_rule_1_2_components_hold_150_pieces() -> None:
    components = json.loads((CARDDATA / "components.json").read_text("utf-8"))
    assert 5 * sum(components["pieces"].values()) == 150 == components["totals"]["pieces"]


def test_the_deck_has_promo_cards_only_on_request() -> None:
    assert len(CARDS.deck()) == 64
    assert len(CARDS.deck(promo=True)) == 75
    assert all(card.kind in CardKind for card in CARDS)


@pytest.mark.parametrize("written", ["P05", "p05", "p5", " P5 ", "P005"])
def test_ids_are_read_leniently(written: str) -> None:
    assert CARDS[written].id == "P05"


@pytest.mark.parametrize("written", ["P99", "X", "", "P0", "5", "💥" * 100])
def test_an_unknown_id_is_an_error(written: str) -> None:
    with pytest.raises(UnknownCardError):
        CARDS[written]


def test_an_unknown_id_suggests_its_neighbours() -> None:
    with pytest.raises(UnknownCardError, match="P55"):
        CARDS["P555"]
