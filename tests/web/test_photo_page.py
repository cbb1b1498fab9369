"""A photo that is sent: refused in words if it is none, read if it is one, and nobody else's."""

from __future__ import annotations

import html
import io
import struct
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.page_client import URL, PageClient, make_app_state

pytestmark = pytest.mark.xdist_group("web")
EXAMPLE = Path(__file__).parents[2] / "docs" / "example-photo.jpg"
NOBODY = "0" * 32


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageClient]:
    with PageClient(make_app_state(tmp_path_factory.mktemp("photos"))) as visitor:
        visitor.visit("/")
        yield visitor


def sent(client: PageClient, data: bytes, name: str = "a.jpg", kind: str = "image/jpeg") -> Any:
    return client.submit("/photo", files={"photo": (name, io.BytesIO(data), kind)})


def followed(client: PageClient, address: str) -> Iterator[str]:
    """The page again and again, until the photo has been read."""
    for _ in range(600):
        text = client.get(address).text
        yield text
        if "data-events" not in text:
            return
        time.sleep(0.05)
    raise AssertionError("it is never finished")


def finished(client: PageClient, address: str) -> str:
    """The page once the photo has been looked at."""
    *_, last = followed(client, address)
    return last


def bomb() -> bytes:
    """The beginning of a PNG that says it has 50,000 × 50,000 pixels."""
    head = b"IHDR" + struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 1000) + b"IDAT" + bytes(40)


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "is empty"),
        (b"just a text", "is not a photo"),
        (b"GIF89a" + bytes(20), "is not a photo"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is not a photo"),
        (b"%PDF-1.7", "is not a photo"),
    ],
    ids=["empty", "text", "gif", "svg", "pdf"],
)
def test_what_is_no_photo_is_refused_at_once_with_the_form_again(
    client: PageClient, data: bytes, word: str
) -> None:
    answer = sent(client, data)
    assert answer.status_code == 422
    assert word in answer.text
    assert 'role="alert"' in answer.text
    assert answer.text.count('type="file"') == 2


def test_a_photo_that_is_too_large_is_refused(client: PageClient) -> None:
    answer = sent(client, b"\xff\xd8\xff\xe0" + bytes(30_100_000))
    assert (answer.status_code, "too large" in answer.text) == (413, True)


def test_a_body_beyond_all_measure_is_refused_unread(client: PageClient) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x", "content-length": "99999999999"}
    answer = client.submit("/photo", headers=headers, content=b"--x--")
    assert answer.status_code == 413


def test_no_photo_two_photos_and_what_is_no_form_are_refused(client: PageClient) -> None:
    assert client.submit("/photo", files={"photo": ("", b"")}).status_code in (400, 422)
    none = client.submit("/photo", files={"other": (None, "text")})
    assert (none.status_code, "No photo was sent" in none.text) == (400, True)
    two = [("photo", ("a.jpg", b"\xff\xd8\xff\xe0")), ("photo", ("b.jpg", b"\xff\xd8\xff\xe0"))]
    several = client.submit("/photo", files=two)
    assert (several.status_code, "one at a time" in several.text) == (400, True)
    for kind in ("image/jpeg", "application/json", "multipart/form-data", ""):
        wrong = client.submit("/photo", headers={"content-type": kind}, content=b"\xff\xd8\xff")
        assert wrong.status_code in (400, 415), kind
        assert 'type="file"' in wrong.text


def test_a_photo_from_another_page_is_refused(client: PageClient) -> None:
    answer = client.post(
        "/photo", files={"photo": ("a.jpg", b"x")}, headers={"origin": "http://evil.example"}
    )
    assert answer.status_code == 403


def test_what_cannot_be_decoded_is_said_and_then_a_good_photo_is_read(client: PageClient) -> None:
    good = EXAMPLE.read_bytes()
    wrong = {"is cut off": good[:60_000], "pixels": bomb()}
    addresses = {word: sent(client, data) for word, data in wrong.items()}
    for word, answer in addresses.items():
        assert answer.status_code == 303
        text = finished(client, answer.headers["location"])
        assert word in text
        assert 'type="file"' in text  # the form again
        assert client.get(answer.headers["location"] + "/picture.jpg").status_code == 404

    address = sent(client, good).headers["location"]
    text = finished(client, address)
    assert "&lt;YYYGBBYYGRBYGR&gt;" in text
    assert "Everything was read with certainty." in text
    assert "IMG" not in text
    picture = client.get(f"{address}/picture.jpg")
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.content[:3] == b"\xff\xd8\xff"
    again = client.get(f"{address}/picture.jpg", headers={"if-none-match": picture.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    _is_nobody_elses(client, address)
    _hostile_addresses_do_no_harm(client, address)
    _is_put_away(client, address)


def test_the_photo_and_what_was_found_so_far_are_shown_while_it_is_read(
    client: PageClient,
) -> None:
    address = sent(client, EXAMPLE.read_bytes()).headers["location"]
    *waiting, last = followed(client, address)
    early = next(text for text in waiting if "<image" in text)
    picture = html.unescape(early.split('<image href="')[1].split('"')[0])
    assert client.get(picture).content[:3] == b"\xff\xd8\xff"
    assert f'href="{picture}"' in last  # so the browser has it already
    found = [text for text in waiting if "Not checked yet." in text]
    assert found
    assert all(text.count("data-say") == 1 for text in waiting)
    assert '<g class="first first-' in found[-1]
    assert '<a href="#c1' not in found[-1]  # nothing can be corrected yet
    assert "Not checked yet." not in last


def _is_nobody_elses(client: PageClient, address: str) -> None:
    mine, other = dict(client.cookies), {"cookie": f"coatl-8642={'a' * 48}"}
    client.cookies.clear()
    for path in (address, f"{address}/picture.jpg", f"{address}/events"):
        assert client.get(path, headers=other).status_code == 404, path
    away = client.post(f"{address}/away", headers={"origin": URL, **other})
    assert away.status_code == 404
    client.cookies.update(mine)
    assert client.get(address).status_code == 200


def _hostile_addresses_do_no_harm(client: PageClient, address: str) -> None:
    for said, word in [
        (["<script>alert(1)</script>"], "&lt;script&gt;alert(1)&lt;/script&gt;"),
        (["9" * 3000], "too long for a correction"),
        (["1.1=R"] * 1000, "more than 60 corrections"),
        (["+R"] * 60, "at most 12 Cóatls"),
        ([f"1={'R' * 150}", f"+{'B' * 150}"], "with 150 pieces"),
        (["1.99=R", "\x00", "\u202e", ";;;"], "has no piece 99"),
        (["+T03@1", "c1=\"'>", "c999999-"], "“c999999-” is not a correction"),
    ]:
        answer = client.get(address, params={"fix": said})
        assert answer.status_code == 400, said
        assert word in answer.text
        assert "<script>alert" not in answer.text
        assert 'id="c1-1"' in answer.text  # the rest of the page is usable
    for odd in ({"for": "player=" * 3000}, {"for": "&" * 500, "seat": "-9" * 99}, {"whole": "💥"}):
        assert client.get(address, params=odd).status_code == 200
    foreign = client.get(address, params={"for": "//evil.example/?player=Ana", "seat": "1"}).text
    assert 'href="/tally?%2F%2Fevil.example' in foreign


def _is_put_away(client: PageClient, address: str) -> None:
    answer = client.submit(f"{address}/away")
    assert (answer.status_code, answer.headers["location"]) == (303, "/photo")
    gone = client.get(address)
    assert gone.status_code == 404
    assert "photos are deleted after a while" in gone.text
    assert 'type="file"' in gone.text
    assert client.get(f"{address}/picture.jpg").status_code == 404


@pytest.mark.parametrize("job", [NOBODY, "%2e%2e", "x" * 5000, "💥", "1'; --", "{job}"])
def test_a_job_that_is_none_is_gone(client: PageClient, job: str) -> None:
    for path in (f"/photo/{job}", f"/photo/{job}/picture.jpg", f"/photo/{job}/events"):
        assert client.get(path).status_code == 404
    assert client.submit(f"/photo/{job}/away").status_code == 404
