"""The tally page: two players, Cóatls tapped together, who has won; and addresses made to hurt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Run
from tests.strategies import example_count
from tests.web.page_client import PageClient, make_app_state
from tests.web.server_process import LAPTOP, PHONE, Phone, Server

Pairs = list[tuple[str, str]]

ANA = [
    ("player", "Ana"),
    ("coatl", "<BBRBBKRBBYY>.P29.P10.P05.T03"),
    ("coatl", "<GGYG>.P16"),
    ("coatl", "YBGYBBG.P38"),
]
BO = [("player", "Bo"), ("coatl", "<RKKRRR>.P02"), ("coatl", "<YYYYB>.P11.P01")]
EXAMPLE = [*ANA, *BO, ("edition", "pl")]  # that of docs/example-tally.json
SOLO = [*ANA, ("adam", "P11.P12")]


def url(pairs: Pairs, path: str = "/tally") -> str:
    return f"{path}?{urlencode(pairs)}"


@pytest.fixture
def laptop(tmp_path: Path) -> PageClient:
    return PageClient(make_app_state(tmp_path))


def test_the_page_says_what_the_command_says(laptop: PageClient, run: Run) -> None:
    page = unescape(laptop.visit(url(EXAMPLE)).text)
    example = Path(__file__).parents[2] / "docs/example-tally.json"
    told = json.loads(run("table", "tally", str(example), "--json").out)
    for player in told["players"]:
        seat = re.search(rf">{player['name']}</span>(.*?)</section>", page, re.S)
        assert seat is not None
        badges = [int(n) for n in re.findall(r"badge[^>]*>(\d+) points?<", seat[1])]
        assert badges == [player["points"], *(coatl["points"] for coatl in player["coatls"])]
    plain = run("table", "tally", str(example), "--plain").out.strip()
    shared = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.S)
    assert shared is not None
    assert shared[1] == plain
    assert told["winners"] == ["Ana"]
    assert "Ana wins." in page


def test_an_address_in_other_words_leads_to_the_plain_one(laptop: PageClient) -> None:
    told = [("player", " Ana "), ("player", ""), ("player", "Bo"), ("coatl", "rbb p5"), ("x", "1")]
    answer = laptop.visit(url(told))
    assert answer.status_code == 303
    plain = answer.headers["location"]
    assert parse_qsl(urlsplit(plain).query) == [
        ("player", "Ana"), ("player", "Bo"), ("coatl", "RBB.P05")]  # fmt: skip
    assert laptop.visit(plain).status_code == 200


def test_every_link_leads_to_a_page(laptop: PageClient) -> None:
    feathers = [*ANA, *BO, ("golden", "2"), ("feathers", "1")]
    for told in (EXAMPLE, feathers, SOLO, [*EXAMPLE, ("at", "2.2")], [*SOLO, ("at", "adam")]):
        page = laptop.visit(url(told)).text
        links = {unescape(link) for link in re.findall(r'href="(/tally\?[^"]*)"', page)}
        assert links
        for link in sorted(links)[::9]:
            answer = laptop.visit(link.partition("#")[0])
            assert answer.status_code == 200, link


def test_a_player_who_was_one_too_many_is_removed(laptop: PageClient) -> None:
    page = laptop.visit(url(EXAMPLE)).text
    links = [unescape(link) for link in re.findall(r'href="(/tally\?[^"]*)"', page)]
    assert url([*BO, ("edition", "pl")]) in links
    assert url([*ANA, ("edition", "pl")]) in links


def test_photos_know_whose_they_are(laptop: PageClient) -> None:
    page = unescape(laptop.visit(url(EXAMPLE)).text)
    found = [parse_qs(urlsplit(link).query) for link in re.findall(r'href="(/photo\?[^"]*)"', page)]
    assert [(one["seat"], parse_qsl(one["for"][0])) for one in found] == [
        (["1"], EXAMPLE), (["2"], EXAMPLE)]  # fmt: skip


def test_forms_carry_all_that_they_do_not_ask(laptop: PageClient) -> None:
    """As a browser would send them: the fields in their order, those not ticked left out."""
    told = [("player", "Ana"), ("coatl", "<RRR.P02"), ("golden", "1"), ("player", "Bo"),
            ("coatl", "<B"), ("coatl", "YY.P01"), ("golden", "2"), ("feathers", "1")]  # fmt: skip
    for at in ([], [("at", "2.1")]):
        page = laptop.visit(url([*told, *at])).text
        forms = re.findall(r'<form action="/tally"(.*?)</form>', page, re.S)
        assert len(forms) == (1 if at else 2)
        for form in forms:
            sent = [
                (unescape(name), unescape(value))
                for field in re.findall(r"<input[^>]*>", form)
                for name, value in re.findall(r'name="([^"]*)" value="([^"]*)"', field)
                if "checkbox" not in field or "checked" in field
            ]
            answer = laptop.visit(url(sent))
            again = answer.headers["location"] if answer.status_code == 303 else url(sent)
            assert sorted(parse_qsl(urlsplit(again).query)) == sorted([*told, *at])
            assert parse_qsl(urlsplit(again).query)[:7] == told[:7]


def test_a_card_that_is_used_up_cannot_be_chosen(laptop: PageClient) -> None:
    told = [("player", "Ana"), ("coatl", "<YYYYB>.P11.P01"), ("player", "Bo"),
            ("coatl", "<YYYYB>"), ("at", "2.1")]  # fmt: skip
    page = laptop.visit(url(told)).text
    assert 'id="card-P11"' not in page
    assert "P11 · used up" in page
    assert 'id="card-P01"' in page  # there are two of it


def test_the_picture_to_share_is_a_png(laptop: PageClient) -> None:
    answer = laptop.visit(url(EXAMPLE, "/tally.png"))
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG\r\n")
    assert laptop.visit("/tally.png").status_code == 404
    wrong = laptop.visit(
        url([("player", "Ana"), ("player", "Bo"), ("coatl", "<RRR>")], "/tally.png")
    )
    assert wrong.status_code == 400
    assert "Rule 3.10" in wrong.text


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ([("player", str(n)) for n in range(5)], "A table has 1 to 4 players"),
        ([("player", "x" * 31)], "cannot be the name of a player"),
        ([("player", "A"), *[("coatl", "R")] * 7], "more than 6 Cóatls"),
        ([("player", "A"), ("coatl", "R" * 401)], "longer than any Cóatl"),
        ([("player", "A"), ("coatl", "R" + ".P05" * 20)], "more than 12 cards"),
        ([("player", "A"), ("adam", ".".join(["P05"] * 61))], "more than a tally can"),
        ([("player", "A"), ("adam", "P99")], "P99"),
        ([("player", "A"), ("golden", "many")], "many"),
        ([("player", "A"), ("golden", "9" * 300)], "200"),
        ([("player", "A"), ("level", "6")], "6"),
        ([("x", "")] * 5000, "more than a tally can"),
    ],
    ids=range(11),
)
def test_what_exceeds_is_said(laptop: PageClient, told: Pairs, said: str) -> None:
    answer = laptop.visit(url(told))
    assert answer.status_code == 400
    assert said in unescape(re.search(r'role="alert"[^>]*>([^<]*)<', answer.text)[1])  # type: ignore[index]


@pytest.mark.parametrize(
    "told",
    [
        [("player", "<script>alert(1)</script>"), ("coatl", "<script>alert(1)</script>")],
        [("player", "A\x00\x1b[31m\u202e"), ("coatl", "\x00\ud83d\ude00"[0])],
        [("player", "A"), ("coatl", "R.<script>alert(1)</script>")],
        [("player", "A"), ("edition", "<script>alert(1)</script>")],
        [("player", "A.D.A.M."), ("coatl", "RR.P05")],
        [("coatl", "RR"), ("golden", "3"), ("at", "9.9")],
        [("player", ""), ("coatl", "RR")],
        [("player", "A"), ("at", "../../x")],
        [("player", "A"), ("at", "1.6")],
    ],
    ids=range(9),
)
def test_odd_addresses_are_answered_without_harm(laptop: PageClient, told: Pairs) -> None:
    for path in ("/tally", "/tally.png"):
        answer = laptop.visit(url(told, path))
        for _ in range(3):
            if answer.status_code == 303:
                answer = laptop.visit(answer.headers["location"])
        assert answer.status_code in (200, 400, 404)
        assert "<script>alert" not in answer.text


KEYS = ["player", "player", "coatl", "coatl", "golden", "adam", "at", "level", "edition", "promo"]
VALUES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["Ana", "Bo", "<RRR>.P02", "RBB", "1.1", "2.1", "adam", "3", ".", "..P05"]),
)


@given(pairs=st.lists(st.tuples(st.sampled_from(KEYS), VALUES), max_size=14))
@settings(
    max_examples=example_count(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_no_address_breaks_the_page(laptop: PageClient, pairs: Pairs) -> None:
    answer = laptop.visit(url([(k, v.encode(errors="replace").decode()) for k, v in pairs]))
    if answer.status_code == 303:
        answer = laptop.visit(answer.headers["location"])
    assert answer.status_code in (200, 400)


def test_one_request_is_answered_in_three_languages(laptop: PageClient) -> None:
    for language, word in [("en", "wins"), ("fr", "gagne"), ("pl", "wygrywa")]:
        page = laptop.visit(url(EXAMPLE), headers={"accept-language": language}).text
        assert f"Ana {word}" in page


@pytest.mark.xdist_group("web")
def test_two_players_are_tallied_by_tapping(server: Server, phone: Callable[..., Phone]) -> None:
    visitor = phone(server)
    page = visitor.go("/tally")
    page.get_by_label("Player 1").fill("Ana")
    page.get_by_label("Player 2").fill("Bo")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/tally?player=Ana&player=Bo")
    page.locator("#seat-1").get_by_role("link", name="Add a Cóatl").click()
    page.get_by_text("Heads").click()
    page.locator(".add").get_by_role("link", name="yellow head").click()
    page.wait_for_url("**coatl=%3CY&**")
    for pieces in ("YY", "YYY", "YYYB"):
        colour = "blue" if pieces[-1] == "B" else "yellow"
        page.locator(".add").get_by_role("link", name=f"{colour} body segment").click()
        page.wait_for_url(f"**coatl=%3C{pieces}&**")
    page.go_back()  # undoes the last piece
    page.wait_for_url("**coatl=%3CYYY&**")
    page.get_by_text("Tails").click()
    page.locator(".add").get_by_role("link", name="blue tail").click()
    page.wait_for_url("**coatl=%3CYYYB%3E&**")
    page.locator("#card-P01").click()
    page.wait_for_url("**%3CYYYB%3E.P01&**")
    assert visitor.axe() == []
    assert not visitor.is_wider_than_its_screen()
    page.get_by_role("link", name="Done").first.click()
    page.wait_for_url("**#seat-1")
    assert page.locator("#result").get_by_text("Ana is ahead.", exact=True).is_visible()
    page.locator("#seat-2").get_by_role("link", name="Add a Cóatl").click()
    page.get_by_label("Or type it").fill("<RKKRRR> P02 P13")
    page.get_by_role("button", name="Read").click()
    page.wait_for_url("**%3CRKKRRR%3E.P02.P13&**")
    page.get_by_role("link", name="Done").first.click()
    page.wait_for_url("**#seat-2")
    wins = page.locator("#result tr.wins")
    assert wins.get_by_text("winner").is_visible()
    assert "Bo" in wins.locator("th").inner_text()
    assert page.locator("[data-say]").inner_text() == "Bo wins."
    assert page.locator(".track g").count() == 2
    assert visitor.axe() == []
    assert not visitor.is_wider_than_its_screen()


@pytest.mark.xdist_group("web")
def test_long_names_stay_on_the_screen(server: Server, phone: Callable[..., Phone]) -> None:
    visitor = phone(server, locale="pl-PL")
    lying = ("coatl", "<RRRR>.P02")
    long = [("player", "W" * 30), lying, ("player", "M" * 30), lying]
    for told in (long, [*long, ("at", "1.1")], [*long[:2], ("coatl", "Q" * 200)]):
        opened(visitor, told)
        assert not visitor.is_wider_than_its_screen()


@pytest.mark.soak
@pytest.mark.xdist_group("web")
def test_every_page_of_a_tally_is_for_everybody(
    server: Server, phone: Callable[..., Phone]
) -> None:
    for size, scheme in [(PHONE, "light"), (LAPTOP, "dark")]:
        for locale in ("en-GB", "fr-FR", "pl-PL"):
            visitor = phone(server, size=size, locale=locale, color_scheme=scheme)
            for told in (EXAMPLE, SOLO, [*SOLO, ("at", "adam")], [*EXAMPLE, ("at", "2.2")], []):
                page_is_for_everybody(visitor, told)


def page_is_for_everybody(visitor: Phone, told: Pairs) -> None:
    opened(visitor, told)
    assert visitor.axe() == [], told
    assert not visitor.is_wider_than_its_screen()


def opened(visitor: Phone, told: Pairs) -> None:
    """The page with all that can be unfolded."""
    page = visitor.go(url(told))
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
