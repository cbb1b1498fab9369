"""Who comes in, from where, and what every answer says."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from starlette.types import Message

from coatl_tools.errors import FileError
from coatl_tools.web.server.app import create_app
from coatl_tools.web.server.app_state import ServerAddress
from coatl_tools.web.server.security import sanitize_redirect_path
from coatl_tools.web.server.sessions import (
    MAX_WRONG_PER_ADDRESS,
    MAX_WRONG_TOTAL,
    RATE_LIMIT_SECONDS,
    SESSIONS_FILE,
    CodeRateLimit,
    SessionStore,
    make_join_code,
    normalize_join_code,
)
from tests.web.page_client import HOST, PHONE, PORT, URL, PageClient, make_app_state


@pytest.fixture
def laptop(tmp_path: Path) -> PageClient:
    return PageClient(make_app_state(tmp_path))


@pytest.fixture
def phone(tmp_path: Path) -> PageClient:
    return PageClient(make_app_state(tmp_path, lan=True), PHONE)


def code_of(visitor: PageClient) -> str:
    return str(visitor.app.state.app_state.sessions.code)  # type: ignore[attr-defined]


def test_every_answer_forbids_what_pages_do_not_need(laptop: PageClient) -> None:
    for path in ("/", "/nowhere", "/static/live.js", "/art/icon.svg", "/score"):
        headers = laptop.visit(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers
    assert laptop.visit("/").headers["cache-control"] == "no-store"


def test_no_page_holds_a_script_or_a_style_of_its_own(laptop: PageClient) -> None:
    for path in ("/", "/score?c=<RBB", "/nowhere"):
        text = laptop.visit(path).text
        assert " style=" not in text
        assert "<style" not in text
        assert " onclick" not in text
        assert text.count("<script") == text.count('<script src="/static/')


def test_the_cookie_cannot_be_read_by_scripts_nor_sent_from_elsewhere(laptop: PageClient) -> None:
    cookie = laptop.visit("/").headers["set-cookie"]
    name, _, rest = cookie.partition("=")
    assert name == f"coatl-{PORT}"
    assert len(rest.partition(";")[0]) == 48
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "set-cookie" not in laptop.visit("/").headers  # it is known by now


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8642", "127.0.0.1:1", "127.0.0.1.evil.example:8642", "", "[::1"],
)
def test_a_name_that_is_not_ours_is_refused(laptop: PageClient, host: str) -> None:
    assert laptop.visit("/", headers={"host": host}).status_code == 421


def test_two_names_at_once_are_refused(laptop: PageClient) -> None:
    answer = laptop.get("/", headers=[("host", HOST), ("host", "evil.example")])
    assert answer.status_code == 421


@pytest.mark.parametrize("host", [HOST, "localhost:8642", "[::1]:8642", "192.168.1.5:8642"])
def test_names_and_numbers_of_this_machine_are_known(laptop: PageClient, host: str) -> None:
    assert laptop.visit("/", headers={"host": host}).status_code == 200


def test_the_usual_port_need_not_be_said() -> None:
    assert ServerAddress(80).is_own_host("localhost")
    assert not ServerAddress(8642).is_own_host("localhost")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "null"},
        {"origin": "http://evil.example"},
        {"origin": f"https://{HOST}"},
        {"origin": f"{URL}.evil.example"},
        {"referer": "http://evil.example/"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://evil.example", "sec-fetch-site": "same-origin"},
    ],
)
def test_what_comes_from_elsewhere_changes_nothing(
    laptop: PageClient, headers: dict[str, str]
) -> None:
    answer = laptop.post("/language", data={"language": "fr"}, headers=headers)
    assert answer.status_code == 403
    assert "coatl-language" not in answer.cookies


@pytest.mark.parametrize(
    "headers", [{"origin": URL}, {"sec-fetch-site": "same-origin"}, {"referer": f"{URL}/score"}]
)
def test_what_comes_from_our_pages_is_done(laptop: PageClient, headers: dict[str, str]) -> None:
    sent = {"language": "pl", "to": "/score?c=R"}
    answer = laptop.post("/language", data=sent, headers=headers, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/score?c=R")
    assert answer.cookies["coatl-language"] == "pl"
    assert "Punkty" in laptop.visit("/").text


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_other_methods_are_refused(laptop: PageClient, method: str) -> None:
    for path in ("/", "/score", "/static/live.js"):
        answer = laptop.request(method, path, headers={"origin": URL})
        assert answer.status_code == 405


def test_a_body_that_is_too_large_is_refused_before_it_is_read(laptop: PageClient) -> None:
    assert laptop.submit("/language", {"language": "x" * 70_000}).status_code == 413
    lies = {"content-length": "10", "origin": URL}
    assert laptop.post("/language", content=b"x" * 10, headers=lies).status_code < 500
    claims = {"content-length": "9" * 30, "origin": URL}
    assert laptop.post("/language", content=b"", headers=claims).status_code == 413


def test_the_chunks_of_a_body_without_a_length_are_counted_together(tmp_path: Path) -> None:
    """The client of the tests would send all chunks as one."""
    chunk = {"type": "http.request", "body": b"a" * 1000, "more_body": True}
    chunks = iter([chunk] * 1000)
    sent: list[Message] = []

    async def receive() -> Message:
        return next(chunks)

    async def send(message: Message) -> None:
        sent.append(message)

    headers = {
        "host": HOST,
        "origin": URL,
        "content-type": "application/x-www-form-urlencoded",
        "transfer-encoding": "chunked",
    }
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/language",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": PHONE,
    }
    asyncio.run(create_app(make_app_state(tmp_path))(scope, receive, send))
    assert sent[0]["status"] == 413
    assert sum(1 for _ in chunks) > 900  # most were never asked for


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        ("pl", "pl"),
        ("xx, fr;q=0.8, en;q=0.9", "en"),
        ("fr-CA,fr;q=0.9", "fr"),
        ("xx", "en"),
        ("fr;q=0, pl;q=0.1", "pl"),
        ("", "en"),
        (";;;q=,,", "en"),
        ("fr;q=nonsense, pl", "pl"),
        ("x" * 300, "en"),
    ],
)
def test_the_browser_says_which_language(laptop: PageClient, wishes: str, language: str) -> None:
    answer = laptop.visit("/", headers={"accept-language": wishes})
    assert f'<html lang="{language}">' in answer.text


# The door.


def test_without_lan_a_code_is_never_asked_for(laptop: PageClient) -> None:
    assert laptop.visit("/").status_code == 200


def test_a_phone_needs_the_code_for_everything_but_the_door(phone: PageClient) -> None:
    for path in ("/", "/score?c=R", "/tables", "/cards", "/art/card/P05.en.svg", "/nowhere"):
        answer = phone.visit(path)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/door?to=/")
    assert phone.submit("/tables").status_code == 403
    assert phone.visit("/static/style.css").status_code == 200
    assert phone.visit("/door?to=/cards").status_code == 200


def test_the_code_lets_a_phone_in_as_typed_or_from_the_qr_code(phone: PageClient) -> None:
    code = code_of(phone)
    typed = f" {code[:3].lower()}-{code[3:]} "
    answer = phone.submit("/door", {"code": typed, "to": "/score"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/score")
    assert phone.visit("/score").status_code == 200
    other = PageClient(phone.app.state.app_state, ("192.168.1.21", 1))  # type: ignore[attr-defined]
    assert other.visit("/score").status_code == 303
    assert other.visit(f"/join?code={code}&to=/score").headers["location"] == "/score"
    assert other.visit("/score").status_code == 200


def test_the_laptop_itself_needs_no_code(tmp_path: Path) -> None:
    laptop = PageClient(make_app_state(tmp_path, lan=True))
    shown = laptop.visit("/")
    assert shown.status_code == 200
    assert code_of(laptop) in shown.text  # for others to see
    assert 'class="qr"' in shown.text


def test_no_header_makes_a_phone_the_laptop(phone: PageClient) -> None:
    for name in ("x-forwarded-for", "x-real-ip", "forwarded", "x-client-ip"):
        assert phone.visit("/", headers={name: "127.0.0.1"}).status_code == 303


def test_guessing_is_slow(phone: PageClient) -> None:
    code = code_of(phone)
    for _ in range(MAX_WRONG_PER_ADDRESS):
        assert phone.submit("/door", {"code": "AAAAAA"}).status_code == 403
    answer = phone.submit("/door", {"code": code})
    assert answer.status_code == 429  # not even the right one
    assert 0 < int(answer.headers["retry-after"]) <= RATE_LIMIT_SECONDS + 1
    assert phone.visit(f"/join?code={code}").status_code == 429


def test_many_addresses_do_not_guess_faster() -> None:
    now = 0.0
    attempts = CodeRateLimit(lambda: now)
    for number in range(MAX_WRONG_TOTAL):
        assert attempts.seconds_to_wait(f"10.0.0.{number}") == 0
        attempts.record_wrong_code(f"10.0.0.{number}")
    assert attempts.seconds_to_wait("10.0.1.1") > 0
    now = RATE_LIMIT_SECONDS + 1
    assert attempts.seconds_to_wait("10.0.1.1") == 0


@pytest.mark.parametrize(
    "to",
    [
        "//evil.example",
        "///evil.example",
        "https://evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "\n/x",
        "",
    ],
)
def test_the_door_leads_nowhere_else(phone: PageClient, to: str) -> None:
    answer = phone.submit("/door", {"code": code_of(phone), "to": to})
    assert answer.headers["location"] == "/"
    assert sanitize_redirect_path(to) == "/"


# What is remembered.


def test_a_server_that_starts_again_knows_its_phones_and_its_code(tmp_path: Path) -> None:
    first = PageClient(make_app_state(tmp_path, lan=True), PHONE)
    code = code_of(first)
    first.submit("/door", {"code": code})
    again = PageClient(make_app_state(tmp_path, lan=True), PHONE)
    assert code_of(again) == code
    again.cookies = first.cookies
    assert again.visit("/").status_code == 200


def test_no_token_stands_in_the_file(tmp_path: Path) -> None:
    visitors = SessionStore(tmp_path)
    token = visitors.make_session_id()
    visitors.admit(visitors.find_session(token))
    text = (tmp_path / SESSIONS_FILE).read_text()
    assert token not in text
    assert (tmp_path / SESSIONS_FILE).stat().st_mode & 0o077 == 0
    assert SessionStore(tmp_path).find_session(token).admitted
    assert not SessionStore(tmp_path).find_session(visitors.make_session_id()).admitted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"code": 5, "visitors": []}',
        '{"code": "A B", "visitors": {"x": 1}}',
        '{"code": "ABC234", "visitors": {"x": {"admitted": 1, "seats": 5, "seen": "y"}}}',
        "[" * 20_000,
    ],
    ids=range(8),
)
def test_a_file_that_makes_no_sense_is_begun_anew(tmp_path: Path, text: str) -> None:
    (tmp_path / SESSIONS_FILE).write_text(text)
    visitors = SessionStore(tmp_path)
    assert normalize_join_code(visitors.code) == visitors.code != ""
    visitors.admit(visitors.find_session("x"))
    assert json.loads((tmp_path / SESSIONS_FILE).read_text())["code"] == visitors.code


def test_a_seat_has_one_visitor(tmp_path: Path) -> None:
    visitors = SessionStore(tmp_path)
    ana, bo = visitors.find_session("ana"), visitors.find_session("bo")
    visitors.take_seat(ana, "evening", 0)
    visitors.take_seat(bo, "evening", 0)
    assert visitors.find_session("ana").seat("evening") is None
    assert visitors.find_session("bo").seat("evening") == 0
    visitors.take_seat(bo, "evening", 1)
    assert visitors.taken_seats("evening") == {1}
    visitors.free_seat("evening", 1)
    assert visitors.taken_seats("evening") == set()


def test_old_visitors_are_forgotten(tmp_path: Path) -> None:
    now = 0.0
    visitors = SessionStore(tmp_path, lambda: now)
    visitors.admit(visitors.find_session("old"))
    now = 31 * 24 * 3600
    visitors.admit(visitors.find_session("new"))
    assert not visitors.find_session("old").admitted
    assert visitors.find_session("new").admitted


def test_codes_are_easy_to_read_and_hard_to_guess() -> None:
    codes = {make_join_code() for _ in range(200)}
    assert len(codes) == 200
    assert not set("".join(codes)) & set("0O1IL")


def test_whoever_comes_every_day_is_not_forgotten(tmp_path: Path) -> None:
    now = 0.0
    visitors = SessionStore(tmp_path, lambda: now)
    visitors.take_seat(visitors.find_session("ana"), "evening", 0)
    for day in range(1, 60):
        now = day * 24 * 3600.0
        assert visitors.refresh(visitors.find_session("ana"))
        assert not visitors.refresh(visitors.find_session("ana"))  # once a day is enough
    visitors.admit(visitors.find_session("bo"))
    assert visitors.find_session("ana").seat("evening") == 0


def test_who_knows_the_code_comes_in_though_many_came_before(tmp_path: Path) -> None:
    visitors = SessionStore(tmp_path)
    known = {
        str(number): {"admitted": True, "seats": {"kitchen": -1}, "seen": visitors.clock()}
        for number in range(500)
    }
    (tmp_path / SESSIONS_FILE).write_text(json.dumps({"code": "ABC234", "visitors": known}))
    visitors = SessionStore(tmp_path)
    visitors.admit(visitors.find_session("new"))
    assert visitors.find_session("new").admitted


def test_what_cannot_be_written_has_not_happened(tmp_path: Path) -> None:
    visitors = SessionStore(tmp_path)
    (tmp_path / SESSIONS_FILE).mkdir()
    with pytest.raises(FileError):
        visitors.take_seat(visitors.find_session("ana"), "evening", 0)
    assert visitors.taken_seats("evening") == set()


def test_phones_hear_nothing_of_where_files_lie(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    house = make_app_state(folder, lan=True)
    (folder / SESSIONS_FILE).mkdir()
    phone, laptop = PageClient(house, PHONE), PageClient(house)
    for visitor, told in ((phone, False), (laptop, True)):
        answer = visitor.visit(f"/join?code={house.sessions.code}")
        assert answer.status_code == 422
        assert (str(tmp_path) in answer.text) is told


def test_an_address_that_makes_no_sense_is_not_ours(laptop: PageClient) -> None:
    answer = laptop.post("/language", data={}, headers={"referer": "http://[bad"})
    assert answer.status_code == 403
