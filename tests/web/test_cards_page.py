"""Browsing cards: search in three languages, one card with all that is known of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from coatl_tools import load_cards
from coatl_tools.cards.card_text import describe_card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.files.data_paths import LANGUAGE_CODES
from tests.web.page_client import PageClient, make_app_state
from tests.web.server_process import Phone, Server

pytestmark = pytest.mark.xdist_group("web")
CARDS = load_cards()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[PageClient]:
    with PageClient(make_app_state(tmp_path)) as visitor:
        yield visitor


def shown(text: str) -> list[str]:
    """The cards of a page, in their order."""
    return re.findall(r'id="card-([A-Z0-9-]+)"', text)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("q=p29", ["P29"]),
        ("q=bbyy", ["P29"]),
        ("q=exactement+8+pi%C3%A8ces", ["T02", "T19"]),
        ("q=exactement+8+pieces", ["T02", "T19"]),
        ("q=dok%C5%82adnie+8+fragment%C3%B3w", ["T02", "T19"]),
        ("q=dokladnie+8+fragmentow", ["T02", "T19"]),
        ("q=exactly+8+pieces&kind=promo", ["T19"]),
        ("q=zolta&points=7&kind=prophecy", ["P33", "P34", "P35", "P11"]),
        ("colour=Y&points=7", ["P33", "P34", "P35"]),
        ("kind=temple&colour=R", []),
    ],
)
def test_cards_are_found_by_words_and_choices(
    client: PageClient, asked: str, expected: list[str]
) -> None:
    answer = client.get(f"/cards?{asked}")
    assert answer.status_code == 200
    assert shown(answer.text) == expected


def test_all_cards_are_shown_in_the_language_that_is_asked_for(client: PageClient) -> None:
    french = {"accept-language": "fr-FR,fr;q=0.9,en;q=0.5"}
    answer = client.get("/cards", headers=french).text
    assert shown(answer) == [card.id for card in CARDS]
    assert "/art/card/P05.fr.svg" in answer
    polish = client.get("/cards?language=pl", headers=french).text
    assert "/art/card/P05.pl.svg" in polish
    assert 'href="/cards/P05?language=pl"' in polish


@pytest.mark.parametrize(
    "typed",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "x" * 3000,
        "\x00\x1b[31m\u202e\ud7ff",
        "{{ 7*7 }}",
        "%" * 50,
        "9" * 90,
    ],
)
def test_hostile_questions_do_no_harm(client: PageClient, typed: str) -> None:
    for name in ("q", "kind", "colour", "points", "language"):
        answer = client.get(f"/cards?{name}={quote(typed)}")
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
        assert "<img src=x" not in answer.text
        assert "\x1b" not in answer.text
        assert len(answer.text) < 200_000
        if name != "q":  # what is no choice is not chosen
            assert len(shown(answer.text)) == len(CARDS)


def test_half_a_character_is_no_question(client: PageClient) -> None:
    assert client.get("/cards?q=%ff%fe").status_code == 200


def test_a_card_is_told_in_all_languages(client: PageClient) -> None:
    for card in CARDS:
        answer = client.get(f"/cards/{card.id}")
        assert answer.status_code == 200
        text = answer.text.replace("&#39;", "'")
        for code in LANGUAGE_CODES:
            assert describe_card(card, code) in text
        assert f'href="/score?cards={card.id}"' in text
        assert text.count('class="coatl ') == len(card.levels)
    assert "P16" in client.get("/cards/p16", follow_redirects=False).headers["location"]


def test_an_example_pays_what_its_level_says(client: PageClient) -> None:
    text = client.get("/cards/P16").text  # yellow, then green
    assert "2 times: 3 points" in text
    assert "/art/coatl.svg?c=%3CYGYG%3E&amp;lit=1,2,3,4" in text


def test_there_is_a_way_from_card_to_card(client: PageClient) -> None:
    order = [card.id for card in CARDS]
    here: str | None = order[0]
    for card_id in order:
        assert here == card_id
        text = client.get(f"/cards/{here}").text
        found = re.search(r'href="/cards/([A-Z0-9]+)" rel="next"', text)
        here = found[1] if found else None
    assert here is None


def test_cards_of_ones_own_are_among_them(tmp_path: Path) -> None:
    house = make_app_state(tmp_path)
    house.catalog = Catalog([*CARDS, replace(CARDS["P16"], id="FAN-1", set="mine")])
    with PageClient(house) as visitor:
        assert shown(visitor.visit("/cards?kind=own").text) == ["FAN-1"]
        assert shown(visitor.visit("/cards?q=mine").text) == ["FAN-1"]
        assert "set: mine" in visitor.visit("/cards/FAN-1").text
        assert visitor.visit("/art/card/FAN-1.pl.svg").status_code == 200


@pytest.mark.parametrize("name", ["P99", "%3Cscript%3E", "P05.html", "x" * 500, "..%2f..%2fetc"])
def test_a_card_that_is_none_is_not_found(client: PageClient, name: str) -> None:
    answer = client.get(f"/cards/{name}")
    assert answer.status_code == 404
    assert "<script>" not in answer.text


def test_searching_while_typing(server: Server, phone: Callable[..., Phone]) -> None:
    page = phone(server, java_script_enabled=False).go("/cards?q=p")  # then a form is a form
    page.locator("#q").fill("dokładnie 8")
    page.locator("#q").press("Enter")
    page.locator("#number", has_text="2 cards").wait_for()

    page = phone(server).go("/cards")
    page.locator("#number", has_text="75 cards").wait_for()
    page.locator("#q").press_sequentially("exactement 8", delay=20)
    page.locator("#number", has_text="2 cards").wait_for()
    assert page.locator("#q").input_value() == "exactement 8"
    assert page.locator("#q").evaluate("box => document.activeElement === box")
    assert page.locator("#said").text_content() == "2 cards"
    assert page.url.endswith("/cards?q=exactement+8")
    page.get_by_label("Promo").check(force=True)
    page.locator("#number", has_text="1 card").wait_for()
    page.locator("#card-T19").click()
    page.get_by_role("heading", name="T19").wait_for()
    page.go_back()
    page.locator("#number", has_text="1 card").wait_for()
    assert page.locator("#q").input_value() == "exactement 8"
