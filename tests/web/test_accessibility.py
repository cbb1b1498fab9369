"""Every page is for everybody: any screen, any light, three languages, no eyes, no mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.table_options import TableOptions
from tests.referee.typed_tables import begin_table
from tests.web.server_process import LAPTOP, PHONE, Phone, Server

pytestmark = pytest.mark.xdist_group("web")
SCREENS: list[dict[str, Any]] = [
    {"size": PHONE, "locale": "en-GB", "color_scheme": "light"},
    {"size": LAPTOP, "locale": "fr-FR", "color_scheme": "dark"},
    {"size": PHONE, "locale": "pl-PL", "color_scheme": "dark"},
    {"size": (320, 600), "locale": "fr-FR", "color_scheme": "light"},
    {"size": (768, 1024), "locale": "pl-PL", "color_scheme": "light"},
    {"size": (1920, 1080), "locale": "en-GB", "color_scheme": "dark"},
]
PAGES = [
    "/",
    "/score?c=%3CBBRBBKRBBYY%3E&cards=P29,P10,T03",
    "/photo",
    "/table/everybody",
    "/tally?player=Ana&coatl=%3CBBRBB%3E.P29&player=Bo&coatl=%3CRRRRKKK&edition=pl",
    "/cards/P05",
    "/table/everybody?watch",
    "/cards?q=8",
    "/table/everybody/screen",
    "/print",
    "/tally",
    "/table/everybody/log",
    "/tables",
    "/score",
    "/door",
]


@pytest.fixture
def everybody(server: Server) -> None:
    """A table to look at."""
    folder: Path = server.folder / "tables"
    folder.mkdir(exist_ok=True)
    if not (folder / "everybody.jsonl").exists():
        options = TableOptions(players=("Ana", "Bo", "Cy"))
        begin_table(folder / "everybody.jsonl", options, 7).do("keep 1 2; keep 1 2; keep 1 2")


def is_for_everybody(visitor: Phone, path: str) -> None:
    page = visitor.page
    page.goto(visitor.base + path, wait_until="domcontentloaded")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert visitor.axe() == [], path
    assert not visitor.is_wider_than_its_screen(), path
    assert page.locator("html").get_attribute("lang") in LANGUAGE_CODES
    assert page.locator("h1").count() == 1, path


@pytest.mark.usefixtures("everybody")
@pytest.mark.parametrize("number", range(3))
def test_a_screen_and_its_share_of_the_pages(
    server: Server, phone: Callable[..., Phone], number: int
) -> None:
    visitor = phone(server, **SCREENS[number])
    for path in PAGES[number::3]:
        is_for_everybody(visitor, path)


@pytest.mark.soak
@pytest.mark.usefixtures("everybody")
@pytest.mark.parametrize("number", range(len(SCREENS)))
def test_every_screen_and_every_page(
    server: Server, phone: Callable[..., Phone], number: int
) -> None:
    visitor = phone(server, **SCREENS[number])
    for path in PAGES:
        is_for_everybody(visitor, path)


@pytest.mark.parametrize(
    ("locale", "word"), [("en-GB", "Score"), ("fr-FR", "Compter"), ("pl-PL", "Punkty")]
)
def test_the_browser_says_which_language(
    server: Server, phone: Callable[..., Phone], locale: str, word: str
) -> None:
    page = phone(server, locale=locale).go("/")
    assert page.get_by_role("main").get_by_text(word, exact=True).is_visible()
