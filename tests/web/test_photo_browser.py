"""A photo in a browser: sent, read, corrected by tapping, scored, shared; in three languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from coatl_tools import load_cards
from coatl_tools.notation import parse_coatl
from coatl_tools.scoring.score_sheet import score_card_set
from coatl_tools.vision.stage_trace import Pixels
from tests.vision.card_photos import face
from tests.vision.table_photos import Place, draw_published_face, draw_table, take_photo
from tests.web.server_process import LAPTOP, PHONE, Phone, Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.xdist_group("web")
EXAMPLE = Path(__file__).parents[2] / "docs" / "example-photo.jpg"
READ, CARD = "<YYYGBBYYGRBYGR>", "P16"
CORRECTED = "<YYBGBBYYGRBYGR>"


def coatl(page: Page) -> str:
    """The Cóatl that the page shows, in its notation."""
    said = page.locator("#c1-picture img").get_attribute("alt") or ""
    return said.partition(":")[0]


def points(page: Page) -> str:
    return page.locator(".sheet .points").inner_text()


def test_a_photo_becomes_points(server: Server, phone: Callable[..., Phone]) -> None:
    visitor = phone(server)
    page = visitor.go("/photo")
    assert visitor.axe() == []
    page.set_input_files("#choose", EXAMPLE)
    page.wait_for_selector("#photo", timeout=60_000)
    assert coatl(page) == READ
    read = page.url
    assert page.locator("#photo a.piece").count() == 14
    _a_piece_is_changed_in_the_photo(visitor, page)
    _a_card_is_chosen(page)
    _the_language_is_another(visitor, page)
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    assert visitor.axe() == []
    assert not visitor.is_wider_than_its_screen()
    page.goto(read)
    assert coatl(page) == READ
    page.locator("form[action$='/away'] button").click()
    page.wait_for_url("**/photo")
    assert page.locator("#take").count() == 1


def _a_piece_is_changed_in_the_photo(visitor: Phone, page: Page) -> None:
    third = page.locator("#photo a.piece").nth(2)
    third.scroll_into_view_if_needed()
    third.click(force=True)
    popover = page.locator("#c1-3-change")
    assert popover.is_visible()
    assert visitor.axe() == []
    popover.locator("#c1-3-colour-body-B").click()
    page.wait_for_url("**fix=1.3%3DB**")
    page.wait_for_selector("#c1-3:focus")  # where one was
    assert coatl(page) == CORRECTED
    page.go_back()
    page.wait_for_selector(f"#c1-picture img[alt^='{READ}']")
    page.go_forward()
    page.wait_for_selector(f"#c1-picture img[alt^='{CORRECTED}']")


def _a_card_is_chosen(page: Page) -> None:
    expected = score_card_set(parse_coatl(CORRECTED), [load_cards()[CARD]]).total
    page.locator(f"#c1-card-{CARD}").click()
    page.wait_for_selector(".scored-card")
    assert points(page) == f"{expected} points"
    row = page.locator(".scored-card")
    assert "lit=" in (row.locator("img.coatl").get_attribute("src") or "")
    page.locator("#c1-share summary").click()
    shared = page.locator("#c1-shared").input_value()
    assert CORRECTED in shared
    assert CARD in shared
    with page.expect_download() as download:
        page.locator("#c1-share a[download]").click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    tally = page.locator("a[href^='/tally?']").get_attribute("href") or ""
    assert f".{CARD}" in tally


def _the_language_is_another(visitor: Phone, page: Page) -> None:
    for code, word in [("fr", "Ce que montre la photo"), ("pl", "Co widać na zdjęciu")]:
        page.locator(f".languages button[value={code}]").click()
        page.wait_for_selector(f"html[lang={code}]")
        assert page.locator("h1").inner_text() == word
        assert coatl(page) == CORRECTED
        assert page.locator(".scored-card").count() == 1
        assert not visitor.is_wider_than_its_screen()


@pytest.mark.parametrize("draw_face", [face, draw_published_face], ids=["printed", "published"])
def test_choosing_a_photo_is_the_only_tap_to_the_score(
    server: Server, phone: Callable[..., Phone], tmp_path: Path, draw_face: Callable[[str], Pixels]
) -> None:
    cards = ("P29", "P11", "P05", "P01", "T03")
    table = draw_table([Place("<BBRBBKRBBYY>", cards, y=-50)], (420, 300), draw_face)
    path = tmp_path / "snake.jpg"
    path.write_bytes(take_photo(table, (0, 0, 420, 300), 4.0))
    visitor = phone(server)
    page = visitor.go("/photo")
    page.set_input_files("#take", path)
    page.wait_for_selector(".sheet", timeout=60_000)
    catalog = load_cards()
    expected = score_card_set(parse_coatl("<BBRBBKRBBYY>"), [catalog[one] for one in cards])
    assert points(page) == f"{expected.total} points"
    assert page.locator(".scored-card").count() == len(cards)
    first = page.locator(".headline .points")
    assert first.inner_text() == points(page)
    box = first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < PHONE[1]  # seen without scrolling
    assert visitor.axe() == []


def test_a_photo_of_a_whole_table_becomes_a_tally_of_all_players(
    server: Server, phone: Callable[..., Phone], tmp_path: Path
) -> None:
    laid = [
        Place("<BBRBBKRBBYY>", ("P29", "P10", "P05", "P01", "T03"), y=150),
        Place("<RGKKYBG>", ("P16", "P11", "T02"), y=150, side=90),
        Place("<YRRGB>", ("P36", "P31", "T01"), y=150, side=180),
    ]
    path = tmp_path / "table.jpg"
    path.write_bytes(take_photo(draw_table(laid, (860, 680)), (0, 0, 860, 680), 3.5))
    visitor = phone(server)
    page = visitor.go("/photo")
    page.set_input_files("#take", path)
    page.wait_for_selector(".owners", timeout=60_000)
    assert page.locator(".owner > h3").count() == page.locator("#photo .flag").count() == 3
    assert visitor.axe() == []
    assert not visitor.is_wider_than_its_screen()
    page.locator("#move-2").click()
    page.locator("#move-2-to a", has_text="Player 1").click()
    page.wait_for_url("**fix=2%401**")
    assert page.locator(".owner > h3").count() == 2
    page.go_back()
    page.wait_for_selector("#photo .flag >> nth=2")
    page.locator(".owners a.primary", has_text="Tally for 3 players").click()
    page.wait_for_selector(".seats")
    notations = page.locator(".seat img.coatl.coatl").evaluate_all("all => all.map(one => one.alt)")
    assert [text.partition(":")[0] for text in notations][:1] == [laid[0].coatl]
    assert page.locator(".seat").count() == 3
    assert page.locator(".seat .beside li").count() == 11


def test_a_second_photo_is_added_by_choosing_it(
    server: Server, phone: Callable[..., Phone], tmp_path: Path
) -> None:
    laid = [Place("<BBRBBKRBBYY>", ("P29",), x=-180), Place("<RGKKYBG>", ("P16",), x=40)]
    table = draw_table([*laid, Place("<YRRGB>", ("P36",), x=200, y=-20)], (640, 300))
    paths = tmp_path / "left.jpg", tmp_path / "right.jpg"
    for path, left in zip(paths, (0, 200), strict=True):
        path.write_bytes(take_photo(table, (left, 0, 440, 300), 3.5))
    visitor = phone(server)
    page = visitor.go("/photo")
    page.set_input_files("#take", paths[0])
    page.wait_for_selector("#add-photo", timeout=60_000)
    assert page.locator("section .coatl[alt^='<YRRGB>']").count() == 0
    page.locator("#add-photo summary").click()
    assert visitor.axe() == []
    page.set_input_files("#take", paths[1])
    page.wait_for_selector("#c3-picture", timeout=60_000)
    assert page.locator("section .coatl[alt^='<YRRGB>']").count() > 0
    assert visitor.axe() == []
    assert not visitor.is_wider_than_its_screen()
    page.locator("a", has_text="Without the last photo").click()
    page.wait_for_url("**/photo/*")
    assert page.locator("#c3-picture").count() == 0


def _look_again_until_it_is_read(page: Page) -> None:
    for _ in range(600):
        if page.locator("#photo").count():
            return
        page.locator("#again").click()
    raise AssertionError("it is never read")


def test_without_a_script_a_photo_is_sent_by_its_button_and_looked_at_by_a_link(
    server: Server, phone: Callable[..., Phone]
) -> None:
    page = phone(server, java_script_enabled=False).go("/photo")
    page.set_input_files("#choose", EXAMPLE)
    page.locator("form[action='/photo'] button").click()
    _look_again_until_it_is_read(page)
    assert coatl(page) == READ
    page.locator("#add-photo summary").click()
    page.set_input_files("#choose", EXAMPLE)
    page.locator("#add-photo button").click()
    _look_again_until_it_is_read(page)
    assert page.locator("h2[id^=c]").count() == 1  # the same photo shows the same Cóatl
    assert "2 photos of the table" in page.locator("main").inner_text()


def test_what_was_found_so_far_is_for_everybody(
    server: Server, phone: Callable[..., Phone]
) -> None:
    visitor = phone(server, size=(320, 600), color_scheme="dark")
    page = visitor.go("/photo")
    silence = {"content_type": "text/event-stream", "body": "retry: 60000\n\n"}
    page.route("**/events", lambda route: route.fulfill(**silence))  # the page stays as it is
    page.set_input_files("#take", EXAMPLE)
    page.wait_for_selector("#again")
    while not page.locator(".findings .first").count():
        assert not page.locator("#photo").count()
        page.locator("#again").click()
        page.wait_for_selector("html:not([aria-busy])")
    assert visitor.axe() == []
    assert not visitor.is_wider_than_its_screen()
    found = page.locator("main [data-say]").inner_text()
    assert found == "Found so far: 14 pieces. Not checked yet."
    assert page.locator("#said").inner_text() == found
