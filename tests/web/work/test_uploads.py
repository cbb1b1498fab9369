"""Uploads are taken whole and small, or refused with a status that says why; never with 500."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Message

from coatl_tools.errors import RequestError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.web.work.uploads import (
    FORM_OVERHEAD_BYTES,
    MAX_FIELD_BYTES,
    MAX_FIELDS,
    UploadReader,
)

MOST = 100_000
FORM = "multipart/form-data; boundary=xyz"
PHOTO = (
    b'--xyz\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n'
    b"Content-Type: image/jpeg\r\n\r\n"
)
FIELD = b'--xyz\r\nContent-Disposition: form-data; name="card"\r\n\r\nP29\r\n'
END = b"\r\n--xyz--\r\n"


def app(uploads: UploadReader) -> Starlette:
    async def upload(request: Request) -> JSONResponse:
        try:
            found = await uploads.read(request)
        except RequestError as error:
            texts = [error.text(code) for code in LANGUAGE_CODES]
            return JSONResponse({"key": error.key, "texts": texts}, error.status)
        fields = dict(found.fields)
        return JSONResponse({"size": len(found.data), "name": found.name, "fields": fields})

    return Starlette(routes=[Route("/", upload, methods=["POST"])])


def post(uploads: UploadReader | None = None, **what: Any) -> httpx.Response:
    async def main() -> httpx.Response:
        transport = httpx.ASGITransport(app(uploads or UploadReader(MOST)))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.post("/", **what)

    return asyncio.run(main())


def status(body: bytes, kind: str = FORM, **headers: str) -> tuple[int, str]:
    answer = post(content=body, headers={"content-type": kind, **headers})
    said = answer.json()
    assert all(len(text) > 20 for text in said.get("texts", ()))
    return answer.status_code, said.get("key", "").removeprefix("web.work_upload_")


def test_a_photo_and_fields_arrive() -> None:
    answer = post(files={"photo": ("a.jpg", b"x" * MOST)}, data={"card": "P29"})
    assert answer.status_code == 200
    assert answer.json() == {"size": MOST, "name": "a.jpg", "fields": {"card": "P29"}}


def test_a_place_where_no_photo_was_chosen_is_no_photo() -> None:
    empty = PHOTO.replace(b"a.jpg", b"") + b"\r\n"
    assert status(empty + PHOTO + b"x" + END)[0] == 200
    assert status(empty + FIELD + END) == (400, "none")
    assert status(PHOTO + END)[0] == 200  # it has a name: whoever opens it says that it is empty


def test_what_is_no_form_with_one_photo_is_refused() -> None:
    assert status(b"x", "image/jpeg") == (415, "type")
    assert status(b"{}", "application/json") == (415, "type")
    assert status(b"a=b", "application/x-www-form-urlencoded") == (415, "type")
    assert status(b"x", "") == (415, "type")
    assert status(PHOTO + b"x" + END, "multipart/form-data") == (400, "broken")
    assert status(PHOTO + b"x" + END, "multipart/form-data; boundary=") == (400, "broken")
    assert status(PHOTO + b"x" + END, f"multipart/form-data; boundary={'x' * 5000}")[0] == 400
    assert status(PHOTO + b"x" + END, "multipart/form-data; boundary=abc") == (400, "broken")
    assert status(b"") == (400, "broken")
    assert status(FIELD + b"--xyz--\r\n") == (400, "none")
    assert status(PHOTO + b"x\r\n" + PHOTO + b"y" + END) == (400, "several")
    assert status((PHOTO + b"x\r\n") * 50 + END)[0] == 400


def test_what_is_cut_off_is_refused() -> None:
    whole = FIELD + PHOTO + b"x" * 5000 + END
    assert status(whole)[0] == 200
    for length in (1, 20, len(FIELD) + 30, len(FIELD) + len(PHOTO) + 9, len(whole) - 6):
        assert status(whole[:length]) == (400, "broken")


def test_too_much_is_refused() -> None:
    around = FIELD + PHOTO
    assert status(around + b"x" * (MOST + 1) + END) == (413, "large")
    assert status(around + b"x" * (MOST + FORM_OVERHEAD_BYTES) + END) == (413, "large")
    assert status(b"", **{"content-length": "9" * 30}) == (413, "large")
    assert status(b"", **{"content-length": "-1"}) == (400, "broken")
    assert status(b"", **{"content-length": "5, 5"}) == (400, "broken")


@pytest.mark.parametrize(
    "body",
    [
        FIELD.replace(b"P29", b"x" * (MAX_FIELD_BYTES + 1)) + PHOTO + b"x" + END,
        FIELD * (MAX_FIELDS + 1) + PHOTO + b"x" + END,
        PHOTO.replace(b"a.jpg", b"x" * 10_000) + b"x" + END,
        PHOTO.replace(b"Content-Type", b"X" * 10_000) + b"x" + END,
        PHOTO.replace(b"\r\n\r\n", b"\r\n" + b"X-A: b\r\n" * 50 + b"\r\n") + b"x" + END,
        PHOTO.replace(b' name="photo";', b"") + b"x" + END,
        PHOTO.replace(b"Content-Disposition", b"Content\x00Disposition") + b"x" + END,
        b"\x00" * 500,
    ],
)
def test_absurd_parts_are_refused(body: bytes) -> None:
    assert status(body)[0] == 400


@given(st.binary(max_size=200), st.integers(0, 300), st.integers(0, 30))
def test_no_bytes_make_a_mistake_of_ours(junk: bytes, at: int, gone: int) -> None:
    whole = FIELD + PHOTO + b"x" * 20 + END
    assert status(whole[:at] + junk + whole[at + gone :])[0] in (200, 400)


def streamed(uploads: UploadReader, messages: list[Message], wait: float = 0.0) -> tuple[str, int]:
    """What becomes of a body that comes in pieces, without its length; and how many were taken."""
    left: Iterator[Message] = iter(messages)
    taken = 0

    async def receive() -> Message:
        nonlocal taken
        await asyncio.sleep(wait)
        taken += 1
        return next(left)

    headers = [(b"content-type", FORM.encode())]
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    with pytest.raises(RequestError) as caught:
        asyncio.run(uploads.read(Request(scope, receive)))
    return f"{caught.value.status} {caught.value.key}", taken


def test_a_body_that_never_ends_is_left_at_the_limit() -> None:
    piece: Message = {"type": "http.request", "body": b"x" * 10_000, "more_body": True}
    first: Message = {"type": "http.request", "body": PHOTO, "more_body": True}
    said, taken = streamed(UploadReader(MOST), [first, *([piece] * 1000)])
    assert said == "413 web.work_upload_large"
    assert taken <= 2 + (MOST + FORM_OVERHEAD_BYTES) // 10_000


def test_whoever_hangs_up_or_takes_too_long_is_left() -> None:
    first: Message = {"type": "http.request", "body": PHOTO, "more_body": True}
    left: Message = {"type": "http.disconnect"}
    assert streamed(UploadReader(MOST), [first, left])[0] == "400 web.work_upload_broken"
    said, taken = streamed(UploadReader(MOST, seconds=0.1), [first] * 1000, wait=0.03)
    assert said == "408 web.work_upload_slow"
    assert taken < 10


def test_only_few_are_taken_in_at_once() -> None:
    now = most = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal now, most
        now += 1
        most = max(most, now)
        yield PHOTO
        await asyncio.sleep(0.01)
        yield b"x" + END
        now -= 1

    async def main() -> set[int]:
        transport = httpx.ASGITransport(app(UploadReader(MOST, at_once=2)))
        headers = {"content-type": FORM}
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            posts = [client.post("/", content=body(), headers=headers) for _ in range(6)]
            return {answer.status_code for answer in await asyncio.gather(*posts)}

    assert asyncio.run(main()) == {200}
    assert most == 2
