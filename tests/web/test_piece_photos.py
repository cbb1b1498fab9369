"""Photos of drawn pieces at a table, through the pages: read, doubted, sent as an answer."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from coatl_tools.rules.constants import Pieces
from coatl_tools.web.server.app_state import AppState
from tests.vision.board_photos import Pixels, draw_board_photo
from tests.web.table_clients import (
    PAGE,
    TableClient,
    find_error,
    find_matches,
    find_table,
    open_table_clients,
)

pytestmark = pytest.mark.xdist_group("web")
FILLED: tuple[Pieces, ...] = (
    *(("R", "G"), ("B", "B"), ("Y", "K"), ("G", "Y"), ("R", "R"), ("K", "B")),
    *(("<R",), ("<G",), ("B>",), ("Y>",)),
)
LINE = r'name="line"[^>]* value="([^"]*)"'


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory) -> AppState:
    """A house with a table of real pieces whose Supply board is still empty."""
    return open_table_clients(tmp_path_factory.mktemp("tables"), seed=None)


@pytest.fixture
def table(house: AppState) -> Iterator[TableClient]:
    with TableClient(house, seat=0) as client:
        yield client


def send(table: TableClient, pixels: Pixels) -> str:
    """The address of a photo that was sent."""
    data = cv2.imencode(".jpg", pixels)[1].tobytes()
    answer = table.submit(f"{PAGE}/photo", files={"photo": ("a.jpg", io.BytesIO(data))})
    assert answer.status_code == 303
    return str(answer.headers["location"])


def read(table: TableClient, address: str) -> str:
    """The page once the photo has been looked at."""
    for _ in range(1200):
        text = table.get(address).text
        if "data-events" not in text:
            return str(text)
        time.sleep(0.05)
    raise AssertionError("it is never finished")


def test_a_photo_of_the_supply_board_is_sent_as_the_answer(
    house: AppState, table: TableClient
) -> None:
    assert f'href="{PAGE}/photo"' in table.page()
    assert 'type="file"' in table.get(f"{PAGE}/photo").text
    text = read(table, send(table, draw_board_photo(FILLED)))
    assert "Everything was read with certainty." in text
    line = find_matches(LINE, text)
    assert line == "RG BB YK GY RR KB <R <G B> Y>"
    assert table.fill_in("say", line=line).status_code == 303
    assert find_table(house).state.spaces == FILLED


def test_what_was_not_read_is_asked_and_never_sent_by_itself(
    house: AppState, table: TableClient
) -> None:
    address = send(table, draw_board_photo((*FILLED[:3], (), *FILLED[4:])))
    text = read(table, address)
    assert "Space 4 looks empty, but pieces come there." in text
    line = find_matches(LINE, text)
    assert line.split()[3] == "?"
    assert table.fill_in("say", line=line).status_code == 400
    corrected = table.get(f"{address}?fix=4%3DGY").text
    assert find_matches(LINE, corrected).split()[3] == "GY"
    wrong = table.get(f"{address}?fix=nonsense")
    assert (wrong.status_code, "says nothing about a space" in find_error(wrong)) == (400, True)
    assert not any(find_table(house).state.spaces)
    assert table.get(address.replace(PAGE, "")).status_code == 404  # no photo of Cóatls


def test_who_only_watches_sends_no_photo(house: AppState) -> None:
    with TableClient(house, seat=None) as watcher:
        assert watcher.get(f"{PAGE}/photo").status_code == 403
        answer = watcher.submit(f"{PAGE}/photo", files={"photo": ("a.jpg", io.BytesIO(b"x"))})
        assert answer.status_code == 403


def test_what_is_no_photo_is_refused_and_one_without_pieces_is_said(table: TableClient) -> None:
    none = table.submit(f"{PAGE}/photo", files={"photo": ("a.jpg", io.BytesIO(b"x"))})
    assert (none.status_code, "is not a photo" in none.text) == (422, True)
    noise = np.random.default_rng(1).integers(100, 140, (600, 800, 3)).astype(np.uint8)
    text = read(table, send(table, noise))
    assert "No Supply board was found in the photo" in text
