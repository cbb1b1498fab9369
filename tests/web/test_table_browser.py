"""Phones around a table: tapping, following each other, and a server that is killed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from coatl_tools.players.bot import choose_move, get_bot
from coatl_tools.referee.table import Table
from coatl_tools.rules.state import OVER
from coatl_tools.rules.table_options import TableOptions
from tests.referee.typed_tables import REAL, begin_table
from tests.web.server_process import LAPTOP, Phone, Server

pytestmark = pytest.mark.xdist_group("web tables")
Houses = Callable[..., Server]
Phones = Callable[..., Phone]
TWO = TableOptions(players=("Ana", "Bo"))
SET_UP = "keep 1 2; keep 1 2"
BLANK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88"/>'
LATE = 72  # turns after which much lies on a table of four
SOON = 3000  # milliseconds in which a page has followed


@pytest.fixture
def sketching(phone: Phones) -> Phones:
    """Phones that are shown blank cards: to draw them all, over and over, takes the time."""

    def visit(server: Server, **options: Any) -> Phone:
        opened = phone(server, **options)
        opened.context.route(
            re.compile("/art/(card|back)/"),
            lambda asked: asked.fulfill(content_type="image/svg+xml", body=BLANK),
        )
        return opened

    return visit


def set_up(
    server: Server, name: str, options: TableOptions = TWO, *commands: str, virtual: bool = True
) -> Table:
    folder = server.folder / "tables"
    folder.mkdir(exist_ok=True)
    table = begin_table(folder / f"{name}.jsonl", options, 7 if virtual else None)
    if commands:
        table.do(*commands)
    return table


def now(table: Table) -> Table:
    return Table.open(table.journal.path)


def go(phone: Phone, path: str) -> None:
    """Open a page; its pictures come later."""
    phone.page.goto(phone.base + path, wait_until="domcontentloaded")


def sit(phone: Phone, table: Table, name: str) -> None:
    go(phone, f"/table/{table.name}")
    phone.page.get_by_role("button", name=name, exact=True).click()
    phone.page.locator("#own").get_by_text(name).wait_for(timeout=SOON)


def tap(phone: Phone, thing: str) -> None:
    phone.page.locator(f"button[data-thing={thing}]").first.click(timeout=SOON)


def says(phone: Phone, text: str, milliseconds: float = SOON) -> None:
    phone.page.locator(".status").get_by_text(text).last.wait_for(timeout=milliseconds)


def test_two_phones_play_and_neither_sees_the_others_hand(
    server: Server, sketching: Phones
) -> None:
    table = set_up(server, "two")
    hands = [player.hand for player in table.state.players]
    ana, bo = sketching(server), sketching(server, locale="pl-PL", color_scheme="dark")
    sit(ana, table, "Ana")
    sit(bo, table, "Bo")
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
    house: Houses, sketching: Phones
) -> None:
    server = house()
    table = set_up(server, "killed", TWO, SET_UP)
    ana, screen = sketching(server), sketching(server, size=LAPTOP)
    sit(ana, table, "Ana")
    go(screen, f"/table/{table.name}/screen")
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
    says(ana, "Bo", 6000)
    screen.page.get_by_text("Ana takes from space 5").wait_for(timeout=6000)
    assert "Ana (you)" in ana.page.locator("#own").inner_text()
    for one in (ana, screen):  # that it was gone for a moment
        one.complaints[:] = [line for line in one.complaints if "ERR_" not in line]


@pytest.mark.soak  # test_table_page asks and answers without a browser
def test_taking_back_is_asked_and_answered(server: Server, sketching: Phones) -> None:
    table = set_up(server, "back", TWO, SET_UP)
    ana, bo = sketching(server), sketching(server, locale="fr-FR")
    sit(ana, table, "Ana")
    sit(bo, table, "Bo")
    tap(ana, "space-3")
    says(ana, "Next: an action by Bo.")
    ana.page.get_by_role("button", name="Ask to take back").click(timeout=SOON)
    bo.page.get_by_role("button", name="Non").click(timeout=SOON)
    ana.page.get_by_text("Bo does not agree").wait_for(timeout=SOON)
    ana.page.get_by_role("button", name="Ask to take back").click(timeout=SOON)
    assert bo.axe() == []
    bo.page.get_by_role("button", name="Je suis d’accord").click(timeout=SOON)
    says(ana, "Your turn")
    assert now(table).state.spaces[2]


def test_the_screen_needs_no_scrolling(server: Server, sketching: Phones) -> None:
    four = TableOptions(players=("Konstantynopolitańczyk", "Bo", "Cyrille", "Dorota"))
    table = set_up(server, "crowded", four)
    greedy = get_bot("greedy")
    screen = sketching(server, locale="pl-PL")

    def fits() -> None:
        screen.go(f"/table/{table.name}/screen")
        for width, height in (LAPTOP, (1920, 1080)):
            screen.page.set_viewport_size({"width": width, "height": height})
            assert not screen.page.evaluate(
                "document.documentElement.scrollHeight > window.innerHeight"
            )
            assert not screen.is_wider_than_its_screen()

    while table.state.stage is not OVER:
        before = table.state.turns_ended
        for event in choose_move(table.state, table.state.current_player, greedy, 11).events:
            table.do(str(event))
        if before != table.state.turns_ended == LATE:
            fits()
    fits()
    assert screen.page.locator(".places .wins").count() == 1
    assert screen.axe() == []


def test_adams_turn_is_stepped_through(server: Server, sketching: Phones) -> None:
    table = set_up(server, "alone", TableOptions(players=("Ana",)), "keep 1 2 3")
    ana, screen = sketching(server), sketching(server, size=LAPTOP, color_scheme="dark")
    sit(ana, table, "Ana")
    go(screen, f"/table/{table.name}/screen")
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


@pytest.mark.soak  # test_table_page reports without a browser
def test_real_pieces_are_reported_by_tapping(server: Server, sketching: Phones) -> None:
    real = set_up(server, "kitchen", REAL, virtual=False)
    table = sketching(server, locale="fr-FR")
    go(table, "/table/kitchen")
    table.page.get_by_role("button", name="Nous tous").click()
    for space in range(1, 11):
        says(table, f"case {space} ")
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
    assert now(real).state.players[0].hand == ("?", "?")


def test_a_table_is_begun_and_joined(server: Server, sketching: Phones) -> None:
    visitor = sketching(server, locale="pl-PL")
    go(visitor, "/tables")
    visitor.page.locator("#more-options summary").click()
    assert visitor.axe() == []
    assert not visitor.is_wider_than_its_screen()
    visitor.page.locator("#name").fill("piątek")
    visitor.page.locator("#player0").fill("Ana")
    visitor.page.locator("main form button").click()
    visitor.page.get_by_role("button", name="Ana").click(timeout=SOON)
    visitor.page.locator("#tick-5").wait_for(timeout=SOON)
