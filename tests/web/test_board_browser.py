"""The spaces of a board marked in a browser: with a finger, with keys, with numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.vision.board_photos import write_photo
from tests.vision.test_learned_boards import NOTHING
from tests.vision.unknown_boards import BoardPhoto, draw_unknown_board, photograph_board
from tests.web.server_process import Phone, Server
from tests.web.table_clients import PAGE, open_table_clients

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.xdist_group("web")


def test_a_board_is_marked_by_taps_keys_and_numbers(
    house: Callable[..., Server], phone: Callable[..., Phone], tmp_path: Path
) -> None:
    server = house()
    open_table_clients(server.folder / "tables", seed=None)
    visitor = phone(server, has_touch=True)
    photo = photograph_board(draw_unknown_board(4), NOTHING, 104)
    page = visitor.go(PAGE)
    page.get_by_role("button", name="Ana").click()
    page.wait_for_selector("#pieces-photo")
    page.goto(f"{server.url}{PAGE}/board")
    assert visitor.axe() == []
    page.set_input_files("#choose", write_photo(tmp_path / "board.jpg", photo.pixels))
    page.wait_for_selector("[data-next='1']", timeout=60_000)
    assert visitor.axe() == []
    assert not visitor.is_wider_than_its_screen()
    _tap(page, photo, 1)
    page.wait_for_selector("[data-next='2']")
    _tap(page, photo, 2, 3)  # at once: one waits for the other
    page.wait_for_selector("[data-next='4']")
    page.go_back()
    page.wait_for_selector("[data-next='3']")
    _move_and_mark(page)
    page.wait_for_selector("[data-next='4']")
    page.keyboard.press("Backspace")
    page.wait_for_selector("[data-next='3']")
    _type(page, photo, 3)
    page.wait_for_selector("[data-next='4']")
    for space in range(4, 11):
        page.wait_for_selector(f"[data-next='{space}']")
        _tap(page, photo, space)
    page.wait_for_selector("#board-name")
    near = page.url.partition("?at=")[2].replace("%2C", ",").split("&at=")
    for text, (x, y) in zip(near, photo.places, strict=True):
        left, top = map(int, text.split(","))
        assert abs(left - x) < 5
        assert abs(top - y) < 5
    assert page.locator(".mark").count() == 10
    assert visitor.axe() == []
    page.fill("#board-name", "bought")
    page.locator("form.panel button.primary").click()
    page.wait_for_selector(".notice:has-text('“bought” is saved')", timeout=60_000)
    assert (server.folder / "config" / "coatl" / "boards.json").exists()


def _tap(page: Page, photo: BoardPhoto, *spaces: int) -> None:
    box = page.locator("#photo svg").bounding_box()
    assert box is not None
    for space in spaces:
        x, y = photo.places[space - 1] * box["width"] / photo.pixels.shape[1]
        page.touchscreen.tap(box["x"] + x, box["y"] + y)


def _move_and_mark(page: Page) -> None:
    """Mark some place with keys alone."""
    page.locator("#photo").focus()
    for key in ("ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown", "ArrowLeft", "Enter"):
        page.keyboard.press(key)


def _type(page: Page, photo: BoardPhoto, space: int) -> None:
    page.locator("#type summary").click()
    x, y = photo.places[space - 1]
    page.locator("input[name=x]").fill(f"{x:.0f}")
    page.locator("input[name=y]").fill(f"{y:.0f}")
    page.keyboard.press("Enter")
