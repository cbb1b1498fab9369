"""A board shown to the program, through the pages: photographed, marked, saved, read."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator
from html import unescape

import cv2
import pytest

from coatl_tools.vision.boards.learned_boards import load_learned_boards
from coatl_tools.web.server.app_state import AppState
from tests.vision.board_photos import Pixels
from tests.vision.test_learned_boards import FILLED, NOTHING, blank_board
from tests.vision.unknown_boards import BoardPhoto, draw_unknown_board, photograph_board
from tests.web.table_clients import (
    PAGE,
    TableClient,
    find_error,
    find_matches,
    find_table,
    open_table_clients,
)

pytestmark = pytest.mark.xdist_group("web")
LINE = r'name="line"[^>]* value="([^"]*)"'
MARKS = r'data-marks="([^"]*)"'


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory) -> AppState:
    """A house with a table of real pieces whose Supply board is still empty."""
    return open_table_clients(tmp_path_factory.mktemp("tables"), seed=None)


@pytest.fixture
def table(house: AppState) -> Iterator[TableClient]:
    with TableClient(house, seat=0) as client:
        yield client


@pytest.fixture(scope="module")
def bare() -> BoardPhoto:
    return photograph_board(draw_unknown_board(4), NOTHING, 104)


def send(table: TableClient, pixels: Pixels, page: str) -> str:
    """The address of a photo that was sent."""
    data = cv2.imencode(".jpg", pixels)[1].tobytes()
    answer = table.submit(f"{PAGE}/{page}", files={"photo": ("a.jpg", io.BytesIO(data))})
    assert answer.status_code == 303
    return str(answer.headers["location"])


def wait(table: TableClient, address: str) -> str:
    """The page once its job is done."""
    for _ in range(1200):
        text = table.get(address).text
        if "data-events" not in text:
            return str(text)
        time.sleep(0.05)
    raise AssertionError("it is never finished")


def mark_all(table: TableClient, text: str, photo: BoardPhoto) -> str:
    """Mark all spaces, one after the other; the address in the end."""
    address = ""
    for space, (x, y) in enumerate(photo.places, start=1):
        assert f"Tap the middle of space {space} " in text
        before = find_matches(MARKS, text)
        address = f"{before}{'&' if '?' in before else '?'}at={x:.0f},{y:.0f}"
        text = table.get(address).text
        assert len(re.findall('class="mark"', text)) == space
    assert "All spaces are marked." in text
    return address


def save(table: TableClient, address: str, name: str) -> str:
    """The page after the marks of an address were sent with a name."""
    page, _, query = address.partition("?")
    fields = {"at": re.findall("at=([0-9,]+)", query), "name": name}
    answer = table.submit(page, fields)
    if answer.status_code != 303:
        return str(answer.text)
    return wait(table, answer.headers["location"])


def test_a_board_is_marked_and_saved_and_its_photos_are_answers(
    house: AppState, table: TableClient, bare: BoardPhoto
) -> None:
    assert f'href="{PAGE}/board"' in table.get(f"{PAGE}/photo").text
    assert "ten spaces, once" in table.get(f"{PAGE}/board").text
    address = send(table, bare.pixels, "board")
    marked = mark_all(table, wait(table, address), bare)
    assert not house.boards_path.exists()
    text = save(table, marked, "bought")
    assert "The board “bought” is saved." in text
    assert len(re.findall('class="mark"', text)) == 10
    assert "pieces lay on these spaces" not in text
    assert [*load_learned_boards(house.boards_path)] == ["bought"]
    assert "Boards that are known: bought" in table.get(f"{PAGE}/photo").text
    filled = photograph_board(draw_unknown_board(4), FILLED, 204, turn=-20.0)
    line = find_matches(LINE, wait(table, send(table, filled.pixels, "photo")))
    assert table.fill_in("say", line=line).status_code == 303
    spaces = find_table(house).state.spaces
    assert [sorted(pieces) for pieces in spaces] == [sorted(pieces) for pieces in FILLED]


def test_marks_are_taken_back_and_typed_and_wrong_ones_are_refused(
    table: TableClient, bare: BoardPhoto
) -> None:
    address = send(table, bare.pixels, "board")
    assert "Tap the middle of space 1 " in wait(table, address)
    typed = table.visit(f"{address}?at=500,400&x=300&y=350")
    assert typed.headers["location"] == f"{address}?at=500,400&at=300,350"
    text = table.get(typed.headers["location"]).text
    assert "Tap the middle of space 3 " in text
    assert unescape(find_matches('id="undo"[^>]* href="([^"]*)"', text)) == f"{address}?at=500,400"
    for more, said in (
        ("at=501,401", "Spaces 1 and 3 are in nearly the same place"),
        ("at=9000,1", "Space 3 is outside the photo"),
        ("at=here", "“here” is no place"),
        ("at=1,1+2,2", "is no place"),
    ):
        wrong = table.get(f"{typed.headers['location']}&{more}")
        assert wrong.status_code == 400
        assert said in find_error(wrong)
        assert "Tap the middle of space 3 " in wrong.text  # the two before it are kept
    few = table.submit(address, {"at": ["500,400"], "name": "x"})
    assert (few.status_code, "all 10 spaces are needed" in find_error(few)) == (400, True)


def test_a_board_that_cannot_be_learned_or_named_is_not_saved(
    house: AppState, table: TableClient, bare: BoardPhoto
) -> None:
    plain = photograph_board(blank_board(), NOTHING, 1)
    marked = mark_all(table, wait(table, send(table, plain.pixels, "board")), plain)
    assert "could not be found again" in save(table, marked, "plain")
    marked = mark_all(table, wait(table, send(table, bare.pixels, "board")), bare)
    assert "cannot be the name of a board" in save(table, marked, "x" * 41)
    assert "cannot be the name of a board" in save(table, marked, " ")
    assert not house.boards_path.exists()


def test_a_broken_file_of_boards_is_told_without_its_path(
    house: AppState, table: TableClient, bare: BoardPhoto
) -> None:
    house.boards_path.parent.mkdir(parents=True)
    house.boards_path.write_text('{"boards": 3}')
    answer = table.get(f"{PAGE}/photo")
    assert "A file on the laptop cannot be read" in answer.text
    text = wait(table, send(table, bare.pixels, "photo"))
    assert "A file on the laptop cannot be read" in text
    marked = mark_all(table, wait(table, send(table, bare.pixels, "board")), bare)
    assert "A file on the laptop cannot be read" in save(table, marked, "x")
    assert "boards.json" not in answer.text + text


def test_who_only_watches_shows_no_board(house: AppState) -> None:
    with TableClient(house, seat=None) as watcher:
        assert watcher.get(f"{PAGE}/board").status_code == 403
        data = {"photo": ("a.jpg", io.BytesIO(b"x"))}
        assert watcher.submit(f"{PAGE}/board", files=data).status_code == 403


def test_what_is_no_photo_of_a_board_is_refused(table: TableClient, bare: BoardPhoto) -> None:
    none = table.submit(f"{PAGE}/board", files={"photo": ("a.jpg", io.BytesIO(b"x"))})
    assert (none.status_code, "is not a photo" in none.text) == (422, True)
    address = send(table, bare.pixels, "photo")
    wait(table, address)
    job = address.rpartition("/")[2]
    assert table.get(f"{PAGE}/board/{job}").status_code == 404
    assert table.submit(f"{PAGE}/board/{job}", {"name": "x"}).status_code == 404
    assert table.get(f"{PAGE}/board/nothing").status_code == 404
