"""The screenshots of the README: `make screenshots`. Needs Chromium and the packages for tests.

A photo that is read, a score, a table in the middle of a game from a seed, and a screen for all.
"""

from __future__ import annotations

import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from coatl_tools import load_cards
from coatl_tools.players import choose_move, get_bot
from coatl_tools.referee.journal import TableHeader
from coatl_tools.referee.table import Table
from coatl_tools.referee.table_creation import create_journal
from coatl_tools.rules.engine import Decision, get_awaited
from coatl_tools.rules.table_options import TableOptions
from tests.programs import BROWSER, BROWSER_ARGUMENTS
from tests.web.server_process import Server

DOCS = Path(__file__).parent
PHONE = {"width": 360, "height": 740}
TELEVISION = {"width": 1600, "height": 900}
SEED, EVENTS = 7, 60


def main() -> None:
    """Take all of them."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as running:
        folder = Path(name)
        (folder / "tables").mkdir()
        _play(folder / "tables")
        server = Server(folder)
        browser = running.chromium.launch(executable_path=BROWSER, args=BROWSER_ARGUMENTS)
        try:
            phones = [_photo(browser, server), _score(browser, server), _table(browser, server)]
            _side_by_side(phones, DOCS / "serve-phones.jpg")
            _screen(browser, server)
        finally:
            browser.close()
            server.stop()


def _play(folder: Path) -> None:
    """Play a game of two, some way into it; the next to play is the first of them."""
    header = TableHeader(TableOptions(players=("Ana", "Zoë")), load_cards().deck(), SEED)
    table = Table(create_journal(folder, "evening", header))
    table.advance_automatically()
    player = get_bot("greedy")
    while len(table.history.events) < EVENTS or table.state.current_player != 0:
        awaited = get_awaited(table.state)
        assert isinstance(awaited, Decision)
        for event in choose_move(table.state, awaited.player, player, SEED).events:
            table.do(str(event))
            if get_awaited(table.state) != awaited:
                break


def _page(browser: Browser, server: Server, size: dict[str, int], dark: bool = False) -> Page:
    context = browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        locale="en-GB",
        color_scheme="dark" if dark else "light",
        device_scale_factor=2 if size is PHONE else 1,
    )
    page = context.new_page()
    page.goto(server.url)
    return page


def _taken(page: Page) -> bytes:
    page.wait_for_load_state("load")
    page.wait_for_timeout(1500)  # pictures further down come later
    return page.screenshot()


def _photo(browser: Browser, server: Server) -> bytes:
    page = _page(browser, server, PHONE)
    page.goto(f"{server.url}/photo")
    page.locator("input[type=file]").last.set_input_files(DOCS / "example-photo.jpg")
    page.locator(".pieces").wait_for(timeout=60_000)
    return _taken(page)


def _score(browser: Browser, server: Server) -> bytes:
    page = _page(browser, server, PHONE)
    page.goto(f"{server.url}/score?c=%3CBBRBBKRBBYY%3E&cards=P29,P10,P05")
    page.locator(".total").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.querySelector('#points').offsetTop - 16)")
    return _taken(page)


def _table(browser: Browser, server: Server) -> bytes:
    page = _page(browser, server, PHONE, dark=True)
    page.goto(f"{server.url}/table/evening")
    page.get_by_role("button", name="Ana").click()
    page.get_by_text("(you)").wait_for()
    return _taken(page)


def _screen(browser: Browser, server: Server) -> None:
    page = _page(browser, server, TELEVISION, dark=True)
    page.goto(f"{server.url}/table/evening/screen")
    (DOCS / "serve-screen.png").write_bytes(_taken(page))


def _side_by_side(pictures: list[bytes], path: Path) -> None:
    """Phones beside each other, in one picture."""
    shots = [Image.open(BytesIO(one)).convert("RGB") for one in pictures]
    gap, (width, height) = 40, shots[0].size
    whole = Image.new("RGB", (len(shots) * width + (len(shots) - 1) * gap, height), "white")
    for number, shot in enumerate(shots):
        whole.paste(shot, (number * (width + gap), 0))
    whole = whole.resize((whole.width * 3 // 5, whole.height * 3 // 5), Image.Resampling.LANCZOS)
    whole.save(path, quality=88, optimize=True)


if __name__ == "__main__":
    main()
