"""Phones around a table: tapping, following each other, and a server that is killed."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from coatl_tools.referee.table import Table
from coatl_tools.rules.options import TableOptions
from tests.referee.evenings import REAL, begun
from tests.web.serving import LAPTOP, PHONE, Phone, Server

pytestmark = pytest.mark.xdist_group("web")
Houses = Callable[..., Server]
Phones = Callable[..., Phone]
NAME = "evening"
PAGE = f"/table/{NAME}"
SOON = 3000  # milliseconds in which a page has followed


def table_of(server: Server) -> Table:
    return Table.open(server.folder / "tables" / f"{NAME}.jsonl")


def set_up(
    server: Server, options: TableOptions | None = None, *commands: str, virtual: bool = True
) -> Table:
    folder = server.folder / "tables"
    folder.mkdir(exist_ok=True)
    options = options or TableOptions(players=("Ana", "Bo"))
    table = begun(folder / f"{NAME}.jsonl", options, 7 if virtual else None)
    if commands:
        table.do(*commands)
    return table


def go(phone: Phone, path: str) -> None:
    """Open a page; its pictures come later."""
    phone.page.goto(phone.base + path, wait_until="domcontentloaded")


def sit(phone: Phone, name: str) -> None:
    go(phone, PAGE)
    phone.page.get_by_role("button", name=name, exact=True).click()
    phone.page.locator("#own").get_by_text(name).wait_for(timeout=SOON)


def tap(phone: Phone, thing: str) -> None:
    phone.page.locator(f"button[data-thing={thing}]").first.click(timeout=SOON)


def says(phone: Phone, text: str, seconds: float = SOON / 1000) -> None:
    phone.page.locator(".status").get_by_text(text).last.wait_for(timeout=seconds * 1000)


def test_two_phones_play_and_neither_sees_the_others_hand(house: Houses, phone: Phones) -> None:
    server = house()
    table = set_up(server)
    hands = [player.hand for player in table.state.players]
    ana, bo = phone(server), phone(server, locale="pl-PL", color_scheme="dark")
    sit(ana, "Ana")
    sit(bo, "Bo")
    ana.page.locator("#tick-1").check()
    ana.page.locator("#tick-2").check()
    ana.page.get_by_role("button", name="Keep these").click()
    bo.page.get_by_role("button", name="Zatrzymaj te").click(timeout=SOON)
    says(ana, "Your turn")
    tap(ana, "space-1")
    says(bo, "Twoja kolej")
    tap(bo, "space-2")
    says(ana, "Your turn")
    for one in (ana, bo):
        assert one.axe() == []
        assert not one.is_wider_than_its_screen()
    ana.page.locator(".board button").first.click()
    ana.page.get_by_role("button", name="Begin a new Cóatl").click(timeout=SOON)
    ana.page.locator(".own .built").wait_for(timeout=SOON)
    ana.page.get_by_role("button", name="End the turn").click(timeout=SOON)
    says(bo, "Twoja kolej")
    secrets = [
        {*hands[0]} - {*table.state.supply, *hands[1]},
        {*hands[1]} - {*table.state.supply, *hands[0]},
    ]
    assert all(secrets)
    assert not any(bo.received(card) for card in secrets[0])
    assert not any(ana.received(card) for card in secrets[1])
    assert any(ana.received(card) for card in secrets[0])


def test_whoever_looks_follows_the_terminal_and_a_server_that_was_killed(
    house: Houses, phone: Phones
) -> None:
    server = house()
    table = set_up(server, None, "keep 1 2; keep 1 2")
    ana, screen = phone(server), phone(server, size=LAPTOP)
    sit(ana, "Ana")
    go(screen, f"{PAGE}/screen")
    table.do("take 3")  # as `coatl table do` does
    says(ana, "Bo")
    begin = time.monotonic()
    table.do("take 4")
    says(ana, "Your turn")
    screen.page.get_by_text("Bo takes from space 4").wait_for(timeout=SOON)
    assert time.monotonic() - begin < SOON / 1000 + 0.5
    server.kill()
    ana.page.locator(".lost-note").wait_for(timeout=SOON)
    server.start()
    ana.page.locator(".lost-note").wait_for(state="hidden", timeout=8000)
    table.do("take 5")
    says(ana, "Bo", 5)
    screen.page.get_by_text("Ana takes from space 5").wait_for(timeout=5000)
    assert "Ana (you)" in ana.page.locator("#own").inner_text()
    for one in (ana, screen):  # that it was gone for a moment
        one.complaints[:] = [line for line in one.complaints if "ERR_" not in line]


def test_taking_back_is_asked_and_answered(house: Houses, phone: Phones) -> None:
    server = house()
    set_up(server, None, "keep 1 2; keep 1 2")
    ana, bo = phone(server), phone(server, locale="fr-FR")
    sit(ana, "Ana")
    sit(bo, "Bo")
    tap(ana, "space-3")
    says(ana, "Awaited: an action by Bo.")
    ana.page.get_by_role("button", name="Ask to take back").click(timeout=SOON)
    bo.page.get_by_role("button", name="Non").click(timeout=SOON)
    ana.page.get_by_text("Bo does not agree").wait_for(timeout=SOON)
    ana.page.get_by_role("button", name="Ask to take back").click(timeout=SOON)
    assert bo.axe() == []
    bo.page.get_by_role("button", name="Je suis d’accord").click(timeout=SOON)
    says(ana, "Your turn")
    assert table_of(server).state.spaces[2]


def test_adams_turn_is_stepped_through(house: Houses, phone: Phones) -> None:
    server = house()
    set_up(server, TableOptions(players=("Ana",)), "keep 1 2 3")
    ana, screen = phone(server), phone(server, size=LAPTOP, color_scheme="dark")
    sit(ana, "Ana")
    go(screen, f"{PAGE}/screen")
    steps = ana.page.locator(".steps li")
    total = screen.page.locator(".steps li").count()
    assert total > 1
    assert screen.axe() == []
    following, done = ana.page.locator("[data-next-step]"), ana.page.locator("[data-after-steps]")
    for step in range(1, total):
        assert steps.locator("visible=true").count() == step
        assert not done.is_visible()
        following.click()
    assert ana.page.locator(".lit").count()
    assert ana.axe() == []
    done.click()
    says(ana, "Your turn")
    tap(ana, "space-8")
    says(ana, "A.D.A.M. plays its turn")


def test_real_pieces_are_reported_by_tapping(house: Houses, phone: Phones) -> None:
    server = house()
    set_up(server, REAL, virtual=False)
    table = phone(server, locale="fr-FR")
    go(table, PAGE)
    table.page.get_by_role("button", name="Nous tous").click()
    for space in range(1, 11):
        says(table, f"case {space} ")
        if space == 7:
            assert table.axe() == []
        table.page.locator(".report-piece").nth(space % 4).click(timeout=SOON)
    for card in ("t05", "T06", *(f"p0{number}" for number in range(1, 6))):
        field = table.page.locator("#drawn-card")
        field.fill(card)
        field.press("Enter")
        table.page.locator(f".recent li:first-child:has-text('{card.upper()}')").wait_for(
            timeout=SOON
        )
    assert table.axe() == []
    table.page.locator("#drawn-pictures summary").click()
    table.page.locator("button[value='supply P06']").click(timeout=SOON)
    table.page.locator("button[value='keep ? ?']").click(timeout=SOON)
    table.page.locator("button[value='keep ? ? ?']").wait_for(timeout=SOON)
    assert not table.is_wider_than_its_screen()
    assert table_of(server).state.players[0].hand == ("?", "?")


def test_the_pages_are_for_everybody(house: Houses, phone: Phones) -> None:
    server = house()
    set_up(server, None, "keep 1 2; keep 1 2")
    for size, locale, paths in [
        (PHONE, "en-GB", ("?watch", "/log")),
        (LAPTOP, "fr-FR", ("/screen", "")),
        (PHONE, "pl-PL", ("/screen", "/why")),
    ]:
        visitor = phone(server, size=size, locale=locale)
        for path in paths:
            go(visitor, PAGE + path)
            assert visitor.axe() == []
            assert not visitor.is_wider_than_its_screen()


def test_a_table_is_begun_and_joined(house: Houses, phone: Phones) -> None:
    visitor = phone(house(), locale="pl-PL")
    go(visitor, "/tables")
    visitor.page.locator("#more-options summary").click()
    assert visitor.axe() == []
    assert not visitor.is_wider_than_its_screen()
    visitor.page.locator("#name").fill("piątek")
    visitor.page.locator("#player0").fill("Ana")
    visitor.page.locator("main form button").click()
    visitor.page.get_by_role("button", name="Ana").click(timeout=SOON)
    visitor.page.locator("#tick-5").wait_for(timeout=SOON)
