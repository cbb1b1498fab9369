"""The cards of the game, beside a second transcription of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from coatl_tools import CardDataError, UnknownCardError, load_cards
from coatl_tools.cards.card import CardKind, serialize_card
from coatl_tools.cards.catalog import compute_fingerprint
from coatl_tools.files.data_paths import CARDDATA
from tests import oracle
from tests.strategies import requirement_as_json

CARDS = load_cards()


@pytest.mark.parametrize("card_id", oracle.CARDS)
def test_every_card_is_what_the_reference_says(card_id: str) -> None:
    card, expected = CARDS[card_id], oracle.CARDS[card_id]
    data = serialize_card(card)
    assert data["kind"] == expected.kind
    assert data.get("colour") == expected.colour
    assert card.copies == expected.copies
    assert card.set == ("promo" if expected.promo else "base")
    assert data["requires"] == requirement_as_json(expected.requirement)
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


def test_the_cards_as_shipped_are_those_that_are_checked() -> None:
    from coatl_tools.cards.card_files import load_card_files
    from coatl_tools.cards.catalog import CARD_FILES

    assert list(load_cards()) == load_card_files([CARDDATA / name for name in CARD_FILES])


def test_the_cards_of_the_game_are_read_without_the_checker() -> None:
    code = "import sys, coatl_tools; coatl_tools.load_cards(); print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"points": {"1": 2, "2": 5}', '"points": {"1": 5, "2": 2}', "must increase"),
        ('"colour": "black"', '"colour": "pink"', "colour"),
        ('"id": "P07"', '"id": "P06"', "this id is taken"),
        ('"copies": 2', '"copies": 0', "copies"),
        ('"id": "P07"', '"note": 1, "id": "P07"', "note"),
    ],
)
def test_cards_of_the_game_that_were_changed_are_checked(
    old: str, new: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from coatl_tools.cards import catalog

    for name in catalog.CARD_FILES:
        text = (CARDDATA / name).read_text("utf-8")
        (tmp_path / name).write_text(text.replace(old, new, 1), "utf-8")
    monkeypatch.setattr(catalog, "CARDDATA", tmp_path)
    catalog._load_game_catalog.cache_clear()
    try:
        with pytest.raises(CardDataError, match=said):
            load_cards()
    finally:
        catalog._load_game_catalog.cache_clear()


def test_the_fingerprint_tells_cards_apart_but_not_their_order() -> None:
    cards = list(CARDS)
    assert compute_fingerprint(reversed(cards)) == compute_fingerprint(cards)
    assert compute_fingerprint(cards[1:]) != compute_fingerprint(cards)
