"""Requests that no browser sends: none breaks the server, and none makes it tell a secret."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import string
import struct
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.routing import Route

from coatl_tools import load_cards
from coatl_tools.referee.journal import TableHeader
from coatl_tools.referee.table import Table
from coatl_tools.referee.table_creation import create_journal
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.web.server.app import list_routes
from tests.strategies import example_count
from tests.web.page_client import PageClient, make_app_state
from tests.web.server_process import Server

ROOT = Path(__file__).parents[2]
SECRETS = (b"root:", b"Traceback", b"coatl_tools/", b"site-packages", b"BEGIN", b"visitors")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "tables").mkdir()
    table = Table(_begun(folder / "tables"))
    table.advance_automatically()
    running = Server(folder)
    yield running
    assert running.stop() == ""  # nothing was a mistake of ours


def _begun(folder: Path):  # type: ignore[no-untyped-def] # a journal
    header = TableHeader(TableOptions(players=("Ana", "Bo")), load_cards().deck(), 1)
    return create_journal(folder, "evening", header)


def sent(server: Server, data: bytes, and_no_more: bool = False) -> bytes:
    """Raw bytes to the server; what comes back until it hangs up, which it may do at once."""
    found = b""
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection,
        contextlib.suppress(ConnectionError),
    ):
        connection.sendall(data)
        if and_no_more:
            connection.shutdown(socket.SHUT_WR)
        while more := connection.recv(1 << 16):
            found += more
    return found


def request(server: Server, line: str, *headers: str, body: bytes = b"") -> bytes:
    host = f"Host: 127.0.0.1:{server.port}"
    lines = [f"{line} HTTP/1.1", host, "Connection: close", *headers, "", ""]
    return sent(server, "\r\n".join(lines).encode("latin-1") + body)


def lives(server: Server) -> bool:
    return request(server, "GET /").startswith(b"HTTP/1.1 200")


PATHS = [
    "/static/../../../../etc/passwd",
    "/static/..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/static/%2e%2e/%2e%2e/app.py",
    "/static/....//....//app.py",
    "/static/%00",
    "/static//etc/passwd",
    "/art/card/..%2f..%2f.phones.json",
    "/table/..%2f.phones",
    "/table/..%2f..%2fetc%2fpasswd",
    "/table/%00",
    "/table/evening%2f..%2f..",
    "/table/.phones.json",
    "/table/evening.jsonl",
    "/table/" + "a" * 3000,
    "/photo/../../etc/passwd",
    "/photo/" + "f" * 32,
    "/photo/" + "f" * 32 + "/picture.jpg",
    "/photo/" + "f" * 32 + "/events",
    "/print/" + "0" * 32,
    "/print/" + "0" * 32 + "/..%2f..%2fx.pdf",
    "/cards/..%2f..%2fx",
    "/cards/%F0%28%8C%BC",
    "/cards?q=" + "%F0%28%8C%BC" * 50,
    "/score?c=" + "%3C" * 2000,
    "/tally?" + "&".join(["player=A"] * 400),
    "/tally?player=%00%1b&coatl=<<<>>>",
    "/score?c=R&c=B&cards[]=P05&%00=%00",
    "//evil.example/",
    "/\\evil.example",
    "/%0d%0aset-cookie:x=y",
    "/door?to=//evil.example",
    "/join?code=" + "A" * 5000,
    "/" + "x" * 15000,
]


@pytest.mark.parametrize("path", PATHS, ids=range(len(PATHS)))
def test_no_address_leads_out_or_breaks_anything(server: Server, path: str) -> None:
    answer = request(server, f"GET {path}")
    status = int(answer.split(b" ", 2)[1])
    assert 200 <= status < 500
    assert not any(secret in answer for secret in SECRETS)
    assert b"\r\nset-cookie: x=y" not in answer.lower()
    location = re.search(rb"(?i)\r\nlocation: ([^\r]*)", answer)
    assert location is None or (location[1].startswith(b"/") and not location[1].startswith(b"//"))


RAW = [
    b"",
    b"\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),  # TLS
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    b"GET /\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",  # no host
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: " + b"a" * 100_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: a\r\n" * 20_000 + b"\r\n",
    b"GET " + b"/a" * 50_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /language HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    b"POST /language HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
    b"POST /language HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    b"POST /photo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nshort",
    bytes(range(256)) * 20,
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
]


@pytest.mark.parametrize("data", RAW, ids=range(len(RAW)))
def test_bytes_that_are_no_request_break_nothing(server: Server, data: bytes) -> None:
    answer = sent(server, data, and_no_more=True)
    assert not answer.startswith((b"HTTP/1.1 5", b"HTTP/1.1 2"))
    assert not any(secret in answer for secret in SECRETS)
    assert lives(server)


COOKIES = [
    "coatl-{port}=" + "f" * 48,
    "coatl-{port}=" + "F" * 48,
    "coatl-{port}=../../../etc/passwd",
    "coatl-{port}=" + "a" * 6000,
    "coatl-{port}=; coatl-{port}=" + "0" * 48,
    'coatl-{port}="\\073\\015\\012"',
    "coatl-language=../../x",
    "=;=;;;===" * 100,
    "a" * 9000,
    "coatl-{port}=\xff\xfe",
]


@pytest.mark.parametrize("cookie", COOKIES, ids=range(len(COOKIES)))
def test_a_forged_cookie_is_nobody(server: Server, cookie: str) -> None:
    header = f"Cookie: {cookie.replace('{port}', str(server.port))}"
    answer = request(server, "GET /table/evening", header)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b'name="seat"' in answer  # it is asked who it is


def post(server: Server, path: str, body: bytes, kind: str, *headers: str) -> bytes:
    host = f"127.0.0.1:{server.port}"
    return request(
        server,
        f"POST {path}",
        f"Origin: http://{host}",
        f"Content-Length: {len(body)}",
        f"Content-Type: {kind}",
        *headers,
        body=body,
    )


def _bomb() -> bytes:
    """A PNG that says of itself to have 50,000 by 50,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    head = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(1 << 20), 9)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=xx"


def _file(data: bytes, name: str = "photo") -> bytes:
    head = f'--xx\r\nContent-Disposition: form-data; name="{name}"; filename="a.jpg"\r\n\r\n'
    return head.encode() + data + b"\r\n--xx--\r\n"


JPEG = (ROOT / "docs" / "example-photo.jpg").read_bytes()
BODIES = [
    ("/photo", b"", FORM),
    ("/photo", b"x" * 100, "application/json"),
    ("/photo", b"", MULTIPART),
    ("/photo", b"--xx", MULTIPART),
    ("/photo", _file(b""), MULTIPART),
    ("/photo", _file(b"GIF89a" + bytes(100)), MULTIPART),
    ("/photo", _file(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), MULTIPART),
    ("/photo", _file(b"%PDF-1.7\n" + bytes(100)), MULTIPART),
    ("/photo", _file(JPEG)[:-40], MULTIPART),
    ("/photo", _file(JPEG), "multipart/form-data"),
    ("/photo", _file(JPEG), "multipart/form-data; boundary=" + "x" * 500),
    ("/photo", _file(JPEG, "elsewhere")[:2000], MULTIPART),
    ("/photo", _file(JPEG)[:-8] + _file(JPEG), MULTIPART),
    ("/language", b"language=" + b"x" * 65_000, FORM),
    ("/language", b"&".join([b"a=b"] * 5000), FORM),
    ("/language", b"%ff%fe=%00", FORM),
    ("/tables", b"{" * 10_000, "application/json"),
    ("/tables", json.dumps({"name": {"$gt": ""}, "players": [[[]]]}).encode(), "application/json"),
    ("/tables", b"name=..%2f..%2fx&player1=A", FORM),
    ("/tables", b"name=.phones&player1=A", FORM),
    ("/table/evening/sit", b"seat=-1", FORM),
    ("/table/evening/sit", b"seat=99999999999999999999", FORM),
    ("/table/evening/sit", b"seat=\xd9\xa1", FORM),
    ("/table/evening/do", b"entries=1&event=take+3", FORM),
    ("/table/evening/do", b"entries=x", FORM),
    ("/table/evening/free", b"seat=x", FORM),
    ("/table/evening/agree", b"number=1", FORM),
    ("/table/nowhere/do", b"entries=1&event=take+3", FORM),
    ("/print", b"what=..%2f..%2fetc&paper=x&language=xx", FORM),
    ("/door", b"code=" + b"A" * 60_000, FORM),
]


@pytest.mark.parametrize(("path", "body", "kind"), BODIES, ids=range(len(BODIES)))
def test_no_form_breaks_anything(server: Server, path: str, body: bytes, kind: str) -> None:
    answer = post(server, path, body, kind)
    if answer or len(body) < 100_000:  # before so much has come, it may hang up
        assert 200 <= int(answer.split(b" ", 2)[1]) < 500
    assert lives(server)
    assert not any(secret in answer for secret in SECRETS)
    assert sorted(path.name for path in (server.folder / "tables").glob("*.jsonl")) == [
        "evening.jsonl"
    ]


def test_a_bomb_and_a_cut_off_photo_are_told_and_the_server_lives(server: Server) -> None:
    for data in (_bomb(), JPEG[: len(JPEG) // 2]):
        answer = post(server, "/photo", _file(data), MULTIPART)
        assert answer.split(b" ", 2)[1] == b"303"
        cookie = re.search(rb"(?i)set-cookie: ([^;]+)", answer)
        place = re.search(rb"(?i)location: ([^\r]+)", answer)
        assert cookie is not None
        assert place is not None
        for _ in range(200):
            page = request(server, f"GET {place[1].decode()}", f"Cookie: {cookie[1].decode()}")
            if b"data-error" in page:
                break
            time.sleep(0.1)
        else:
            pytest.fail("it was never told")
        assert lives(server)


def test_who_says_little_for_long_keeps_nobody_waiting(server: Server) -> None:
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
    for connection in slow:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
    assert lives(server)
    for connection in slow:
        connection.close()


def every_address() -> list[tuple[str, str]]:
    """Each route with the methods that it has, its places filled in."""
    found = []
    for route in list_routes():
        if isinstance(route, Route):
            path = re.sub(r"\{size[^}]*\}", "180", route.path)
            path = path.replace("{name}", "evening", 1) if "/table/" in path else path
            path = re.sub(r"\{[^}]*\}", "x", path)
            found += [(method, path) for method in sorted(route.methods or ())]
    return found


texts = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(
    ["0", "-1", "1", "99999999999999999999", "evening", "P05", "<RBB>", "../x", "\x00", "true"]
)
fields = st.dictionaries(
    st.sampled_from(
        [
            "c",
            "cards",
            "q",
            "fix",
            "player",
            "coatl",
            "at",
            "seat",
            "entries",
            "event",
            "card",
            "line",
            "number",
            "name",
            "language",
            "to",
            "code",
            "what",
            "paper",
            "only",
            "cards1",
            "kind",
            "colour",
            "points",
            "lit",
            "edition",
            "adam",
            "golden",
            "watch",
            "for",
        ]
    )
    | st.text(string.ascii_letters, max_size=8),
    texts,
    max_size=6,
)


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> PageClient:
    folder = tmp_path_factory.mktemp("fuzzed")
    Table(_begun(folder)).advance_automatically()
    return PageClient(make_app_state(folder))


def asked(visitor: PageClient, address: tuple[str, str], fields: dict[str, str]) -> None:
    method, path = address
    if path.endswith("/events"):
        return  # it would not end
    if method == "POST":
        answer = visitor.submit(path, fields)
    else:
        answer = visitor.request(method, path, params=fields, follow_redirects=False)
    assert answer.status_code < 500, answer.text[:300]


@pytest.mark.parametrize("address", every_address(), ids=lambda one: f"{one[0]} {one[1]}")
@settings(max_examples=4)
@given(fields)
def test_fuzzed_fields_never_break_a_page(
    visitor: PageClient, address: tuple[str, str], fields: dict[str, str]
) -> None:
    asked(visitor, address, fields)


@pytest.mark.soak
@settings(max_examples=example_count(100))
@given(st.sampled_from(every_address()), fields)
def test_fuzzed_fields_never_break_any_page(
    visitor: PageClient, address: tuple[str, str], fields: dict[str, str]
) -> None:
    asked(visitor, address, fields)
