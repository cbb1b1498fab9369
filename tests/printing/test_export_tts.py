"""Tabletop Simulator: sheets within its limits, and a saved object that names what is there."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from PIL import Image

from coatl_tools import load_cards
from coatl_tools.errors import CommandLineError
from coatl_tools.language import load_language
from coatl_tools.printing.export.picture_export import make_decks
from coatl_tools.printing.export.raster import render_pictures
from coatl_tools.printing.export.tts_export import (
    TtsExport,
    check_url_prefix,
    make_cell_spec,
    split_into_sheets,
)
from coatl_tools.printing.export.tts_objects import MM_PER_UNIT, TILE_HEIGHT
from coatl_tools.printing.items import Design, Item
from coatl_tools.printing.print_spec import PrintSpec
from tests.printing.sample_faces import make_plain_face

pytestmark = pytest.mark.xdist_group("tts")  # its pictures are drawn once
PREFIX = "https://example.org/coatl/"
Object = dict[str, Any]
SOME = ("P01", "P02", "P03", "P04", "P05", "P11", "P36", "T01", "T03")


def game(language: str = "en", golden: bool = False, some: bool = False) -> PrintSpec:
    cards = [card for card in load_cards().deck() if not some or card.id in SOME]
    return PrintSpec(Design(load_language(language)), cards, golden=golden)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """A table with some of the cards, its pictures drawn."""
    return {str(file.path): file.content for file in TtsExport(game(some=True), PREFIX)}


@pytest.fixture(scope="module")
def saved() -> Object:
    """The whole table."""
    return TtsExport(game(), PREFIX).make_saved_object()


def everything(objects: list[Object]) -> Iterator[Object]:
    for one in objects:
        yield one
        yield from everything(one.get("ContainedObjects", []))


def named(saved: Object, kind: str) -> list[Object]:
    return [one for one in saved["ObjectStates"] if one["Name"] == kind]


def addresses(data: object) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key.endswith("URL") and value:
                yield value
            yield from addresses(value)
    elif isinstance(data, list):
        for value in data:
            yield from addresses(value)


def test_sheets_keep_the_limits(files: dict[str, bytes]) -> None:
    sizes = {name: Image.open(io.BytesIO(files[name])).size for name in files if "-1.png" in name}
    assert sizes["prophecy-1.png"] == (4090, 2 * 573)
    assert sizes["temple-1.png"] == (2 * 409, 573)
    for _, found in ((deck, split_into_sheets(deck, 1)) for deck in make_decks(game(), "poker")):
        (sheet,) = found
        assert (sheet.columns, sheet.rows) == (10, 6 if len(sheet.items) == 54 else 2)


def test_every_cell_shows_its_card(files: dict[str, bytes]) -> None:
    saved = json.loads(files["coatl.json"])
    items = {
        item.name: item for deck in make_decks(game(some=True), "poker") for item in deck.items
    }
    for deck in named(saved, "DeckCustom"):
        ((_, entry),) = deck["CustomDeck"].items()
        name = entry["FaceURL"].removeprefix(PREFIX)
        sheet = np.asarray(Image.open(io.BytesIO(files[name])))
        wide, tall = sheet.shape[1] // entry["NumWidth"], sheet.shape[0] // entry["NumHeight"]
        cards = deck["ContainedObjects"]
        specs = [make_cell_spec(card["Nickname"], items[card["Nickname"]]) for card in cards]
        for card, picture in zip(cards, render_pictures(specs), strict=True):
            row, column = divmod(card["CardID"] % 100, entry["NumWidth"])
            seen = sheet[row * tall : (row + 1) * tall, column * wide : (column + 1) * wide]
            assert np.array_equal(seen, picture), card["Nickname"]


def test_every_card_of_a_deck_has_a_cell(saved: Object) -> None:
    prophecy, temple = named(saved, "DeckCustom")
    assert (len(prophecy["DeckIDs"]), len(temple["DeckIDs"])) == (54, 15)
    for deck in (prophecy, temple):
        ((key, entry),) = deck["CustomDeck"].items()
        assert entry["NumWidth"] <= 10
        assert entry["NumHeight"] <= 7
        ids = [card["CardID"] for card in deck["ContainedObjects"]]
        assert ids == deck["DeckIDs"]
        assert len(set(ids)) == len(ids)
        for card in deck["ContainedObjects"]:
            sheet_key, index = divmod(card["CardID"], 100)
            assert str(sheet_key) == key
            assert index < entry["NumWidth"] * entry["NumHeight"]
            assert card["CustomDeck"] == deck["CustomDeck"]
    backs = {
        entry["BackURL"] for deck in (prophecy, temple) for entry in deck["CustomDeck"].values()
    }
    assert len(backs) == 2


def test_cells_are_not_stretched() -> None:
    item = Item("card", make_plain_face("card", 63.5, 88.9, "#cc0000"))
    (found,) = render_pictures([make_cell_spec("card", item)])
    white = found[:, :, 1].astype(float) / 255
    across, down = white.sum(axis=1).max(), white.sum(axis=0).max()
    assert across == pytest.approx(down, abs=0.7)


def test_more_cards_than_cells_make_more_sheets() -> None:
    deck = make_decks(game(), "poker")[0]
    many = type(deck)(deck.kind, deck.items * 3)
    sheets = split_into_sheets(many, 4)
    assert [(sheet.key, len(sheet.items)) for sheet in sheets] == [(4, 70), (5, 70), (6, 22)]
    assert (sheets[0].columns, sheets[0].rows) == (10, 7)
    assert (sheets[2].columns, sheets[2].rows) == (10, 3)
    spec = sheets[0].make_cell_specs()[0]
    assert spec.width * 10 <= 4096
    assert spec.height * 7 <= 4096


def test_the_bags_hold_the_pieces_and_give_them_at_random(saved: Object) -> None:
    bags = named(saved, "Bag")
    held = [len(bag["ContainedObjects"]) for bag in bags]
    assert held == [15, 120, 15]  # rule 1.2
    assert {bag["Bag"]["Order"] for bag in bags} == {2}
    counted = Counter(piece["Nickname"] for bag in bags for piece in bag["ContainedObjects"])
    assert counted["Red head"] == counted["Black tail"] == 3
    assert counted["Blue body segment"] == 24
    assert len(counted) == 15


def test_golden_segments_join_the_bodies() -> None:
    saved = TtsExport(game(golden=True), PREFIX).make_saved_object()
    heads, bodies, tails = named(saved, "Bag")
    assert len(bodies["ContainedObjects"]) == 126
    assert (len(heads["ContainedObjects"]), len(tails["ContainedObjects"])) == (15, 15)


def test_boards_tokens_and_markers_are_there(saved: Object) -> None:
    tiles = Counter(one["Nickname"] for one in saved["ObjectStates"])
    assert tiles["Supply"] == 1
    assert [tiles[f"Player board {n}"] for n in (1, 2, 3, 4)] == [1] * 4
    assert tiles["Perfect Pick"] == tiles["See the Future"] == tiles["Priest Commitment"] == 4
    assert tiles["First player"] == 1
    assert tiles["Score marker: red"] == 1
    supply = named(saved, "Custom_Tile")[0]["CustomImage"]
    assert supply["ImageURL"] != supply["ImageSecondaryURL"]  # the scoreboard is its back
    cut_out = {one["Nickname"] for one in named(saved, "Custom_Token")}
    assert {"First player", "Score marker: red"} <= cut_out
    tokens = [one for one in named(saved, "Custom_Tile") if one["Tags"] == ["token"]]
    assert {one["CustomImage"]["ImageSecondaryURL"] for one in tokens} == {
        f"{PREFIX}back-tokens.png"
    }


def test_every_address_has_the_prefix_and_its_file(files: dict[str, bytes]) -> None:
    found = set(addresses(json.loads(files["coatl.json"])))
    assert {address.removeprefix(PREFIX) for address in found} == set(files) - {"coatl.json"}


def test_every_object_has_what_the_game_reads(saved: Object) -> None:
    found = list(everything(saved["ObjectStates"]))
    guids = [one["GUID"] for one in found]
    assert len(set(guids)) == len(guids)
    assert all(len(guid) == 6 and int(guid, 16) >= 0 for guid in guids)
    for one in found:
        place = one["Transform"]
        assert all(place[f"scale{axis}"] > 0 for axis in "XYZ")
        assert all(abs(place[f"pos{axis}"]) < 30 for axis in "XYZ")
        assert isinstance(one["Nickname"], str)
        assert one["Nickname"]
        assert isinstance(one["Tags"], list)


def test_nothing_lies_on_anything_else(files: dict[str, bytes], saved: Object) -> None:
    def half(one: Object) -> tuple[float, float]:
        if one["Name"] in ("Custom_Tile", "Custom_Token"):
            name = one["CustomImage"]["ImageURL"].removeprefix(PREFIX)
            wide, tall = Image.open(io.BytesIO(files[name])).size
            height = one["Transform"]["scaleZ"] * TILE_HEIGHT
            return height * wide / tall / 2, height / 2
        return (
            (1.0, 1.0) if one["Name"] == "Bag" else (63.5 / MM_PER_UNIT / 2, 88.9 / MM_PER_UNIT / 2)
        )

    for one, other in combinations(saved["ObjectStates"], 2):
        a, b = one["Transform"], other["Transform"]
        (aw, ah), (bw, bh) = half(one), half(other)
        apart = (
            abs(a["posX"] - b["posX"]) >= aw + bw - 0.02
            or abs(a["posZ"] - b["posZ"]) >= ah + bh - 0.02
        )
        assert apart, (one["Nickname"], other["Nickname"])


@pytest.mark.parametrize(
    ("language", "deck", "text"),
    [
        ("en", "Prophecy", "3 yellow pieces in a row."),
        ("fr", "Prophétie", "3 pièces jaunes"),
        ("pl", "Proroctwo", "3 żółte fragmenty"),
    ],
)
def test_cards_say_what_they_ask(language: str, deck: str, text: str) -> None:
    saved = TtsExport(game(language), PREFIX).make_saved_object()
    first = named(saved, "DeckCustom")[0]
    assert first["Nickname"] == deck
    card = next(card for card in first["ContainedObjects"] if card["Nickname"] == "P11")
    assert card["Description"].startswith(text)
    assert card["Tags"] == ["prophecy", "black", "base"]


def test_the_saved_object_is_the_same_each_time() -> None:
    first, second = (json.dumps(TtsExport(game(), PREFIX).make_saved_object()) for _ in range(2))
    assert first == second


def test_prefixes() -> None:
    assert check_url_prefix("https://example.org/a") == "https://example.org/a/"
    assert check_url_prefix("file:///games/coatl/") == "file:///games/coatl/"
    assert check_url_prefix("https://x.org/?file=") == "https://x.org/?file="
    for wrong in (
        "",
        "coatl",
        "ftp://x/",
        "javascript:1",
        "https://",
        "https://a b/",
        "http://a\n",
    ):
        with pytest.raises(CommandLineError, match="not an address"):
            check_url_prefix(wrong)
