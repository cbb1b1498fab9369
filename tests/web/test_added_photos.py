"""Several photos of one table on the page: another one is added, and both are read as one."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from typing import Any

import pytest

from coatl_tools.web.pages.photo.photo_address import MAX_SAID, PhotoAddress, TallyReturn
from coatl_tools.web.work.photo_jobs import MAX_JOINED_PHOTOS
from tests.vision.table_photos import Place, draw_table, take_photo
from tests.web.page_client import URL, PageClient, make_app_state
from tests.web.test_photo_page import EXAMPLE, NOBODY, finished, sent

pytestmark = pytest.mark.xdist_group("web")
LEFT, RIGHT = Place("<BBRBBKRBBYY>", ("P29", "P05"), x=-180), Place("<RGKKYBG>", ("P16",), x=40)
FAR = Place("<YRRGB>", ("P36",), x=200, y=-20)


@pytest.fixture(scope="module")
def photos() -> list[bytes]:
    """Two photos of one table, each of a part, and one of another table."""
    table = draw_table([LEFT, RIGHT, FAR], (640, 300))
    other = draw_table([Place("<KKRRYYG>", ("P45",))], (400, 300))
    boxes = (0, 0, 440, 300), (200, 0, 440, 300)
    return [*(take_photo(table, box, 3.5) for box in boxes), take_photo(other, (0, 0, 400, 300), 3)]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageClient]:
    with PageClient(make_app_state(tmp_path_factory.mktemp("photos"))) as visitor:
        visitor.visit("/")
        yield visitor


@pytest.fixture(scope="module")
def first(client: PageClient, photos: list[bytes]) -> str:
    """The address of the first photo, once it has been read."""
    address: str = sent(client, photos[0]).headers["location"]
    finished(client, address)
    return address


def more_url(page: str) -> str:
    """Where the page sends another photo."""
    found = re.search(r'action="(/photo/[0-9a-f]+/more[^"]*)"', page)
    assert found is not None
    return html.unescape(found[1])


def add(client: PageClient, url: str, data: bytes, name: str = "image.jpg") -> Any:
    return client.submit(url, files={"photo": (name, io.BytesIO(data), "image/jpeg")})


def coatls(page: str) -> list[str]:
    return [html.unescape(one) for one in re.findall(r'id="c\d+-picture".*?alt="([^:]*)', page)]


def test_another_photo_is_read_with_the_first_as_one(
    client: PageClient, first: str, photos: list[bytes]
) -> None:
    page = client.get(first, params={"fix": "1.2=K", "for": "player=Ana", "seat": "1"}).text
    answer = add(client, more_url(page), photos[1])
    assert answer.status_code == 303
    joined = finished(client, answer.headers["location"])
    assert set(coatls(joined)) == {"<BKRBBKRBBYY>", RIGHT.coatl, FAR.coatl}  # as it was corrected
    assert "2 photos of the table, read as one." in joined
    assert "could not be matched" not in joined
    assert "Give them to Ana" in joined
    assert len(re.findall(r"<h3>Card c\d+: P(?:29|05|16|36)<", joined)) == 4  # each seen once
    picture = re.search(r'<image href="([^"]+)"', joined)
    own = re.search(r'<image href="([^"]+)"', page)
    assert picture is not None
    assert own is not None
    assert client.get(picture[1]).content == client.get(own[1]).content  # the first photo
    back = re.search(r'href="([^"]+)"[^>]*><svg(?:(?!</a>).)*Without the last photo', joined, re.S)
    assert back is not None
    before = client.get(html.unescape(back[1])).text
    assert "<BKRBBKRBBYY>" in coatls(before)
    assert "Without the last photo" not in before
    third = finished(client, add(client, more_url(joined), photos[2]).headers["location"])
    assert "3 photos of the table" in third
    assert "“Photo 3” could not be matched with the other photos of the table." in third
    assert len(coatls(third)) == 4


def test_it_is_only_added_by_the_owner_and_from_an_own_page(
    client: PageClient, first: str, photos: list[bytes]
) -> None:
    files = {"photo": ("a.jpg", io.BytesIO(photos[1]), "image/jpeg")}
    foreign = client.post(f"{first}/more", files=files, headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403
    mine = dict(client.cookies)
    client.cookies.clear()
    stranger = client.post(
        f"{first}/more", files=files, headers={"origin": URL, "cookie": f"coatl-8642={'b' * 48}"}
    )
    client.cookies.update(mine)
    assert stranger.status_code == 404
    for gone in (NOBODY, "x", "%2e%2e"):
        answer = add(client, f"/photo/{gone}/more", photos[1])
        assert answer.status_code == 404
        assert 'type="file"' in answer.text


def test_what_is_no_photo_is_refused_and_the_reading_stays(client: PageClient, first: str) -> None:
    url = f"{first}/more?fix=1.2%3DK"
    for data, status, word in [
        (b"just a text", 422, "is not a photo"),
        (b"\xff\xd8\xff\xe0" + bytes(30_100_000), 413, "too large"),
    ]:
        answer = add(client, url, data)
        assert (answer.status_code, word in answer.text) == (status, True)
        assert "<BKRBBKRBBYY>" in coatls(answer.text)
        assert "fix=1.2" in more_url(answer.text)
    broken = add(client, url, EXAMPLE.read_bytes()[:60_000]).headers["location"]
    page = finished(client, broken)
    assert "“Photo 2” is cut off" in page
    back = re.search(r'href="(/photo/[^"]+fix[^"]+)"', page)
    assert back is not None
    assert "<BKRBBKRBBYY>" in coatls(client.get(html.unescape(back[1])).text)


def test_no_more_photos_are_joined_than_a_table_has_parts(
    client: PageClient, first: str, photos: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_JOINED_PHOTOS == 5
    for module in ("photo_page", "added_photos"):
        monkeypatch.setattr(f"coatl_tools.web.pages.photo.{module}.MAX_JOINED_PHOTOS", 1)
    assert "/more" not in client.get(first).text
    answer = add(client, f"{first}/more", photos[1])
    assert answer.status_code == 400
    assert "At most 1 photos of a table are read as one." in answer.text


def test_stopping_leads_back_and_deleting_deletes_all_photos(
    client: PageClient, photos: list[bytes]
) -> None:
    address = sent(client, photos[0]).headers["location"]
    finished(client, address)
    stopped = add(client, f"{address}/more?fix=1.2%3DK", photos[1]).headers["location"]
    path, _, query = stopped.partition("?")
    away = client.submit(f"{path}/away?{query}")
    assert away.headers["location"] == f"{address}?fix=1.2%3DK"
    joined = add(client, f"{address}/more", photos[1]).headers["location"]
    finished(client, joined)
    path, _, query = joined.partition("?")
    assert client.submit(f"{path}/away?{query}").headers["location"] == "/photo"
    for gone in (address, path, f"{address}/picture.jpg"):
        assert client.get(gone).status_code == 404


@pytest.mark.parametrize("before", ["", "x", "0" * 31, "//evil.example", f"{NOBODY}?fix=ok", "💥"])
def test_only_a_job_leads_back(client: PageClient, first: str, before: str) -> None:
    page = client.get(first, params={"before": before, "said": ["1.1=R"] * 999})
    assert page.status_code == 200
    assert "Without the last photo" not in page.text
    assert 'name="said"' not in page.text


def test_what_was_said_before_is_cut_to_what_an_address_holds() -> None:
    class Asked(dict[str, str]):
        def getlist(self, _: str) -> list[str]:
            return ["x" * 9000] * 9000

    found = PhotoAddress.read(NOBODY, Asked(before=NOBODY))  # type: ignore[arg-type]
    assert found.tally_return == TallyReturn()
    assert len(found.said) == MAX_SAID
    assert len(found.before_url) < 20_000
