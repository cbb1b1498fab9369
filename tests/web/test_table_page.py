"""A table in progress: who sits where, what is done there, and what is refused."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

import pytest

from coatl_tools.errors import RequestError
from coatl_tools.language import Language
from coatl_tools.referee.table import Table
from coatl_tools.rules.state import OVER
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.web.pages.table.seats import VisitorSeat
from coatl_tools.web.pages.table.table_view import TableView, build_table_view
from coatl_tools.web.server.app_state import AppState
from tests.referee.typed_tables import REAL, begin_table, play_evening
from tests.web.page_client import LAPTOP, PHONE, PageClient, make_app_state
from tests.web.table_clients import (
    NAME,
    PAGE,
    TWO_PLAYERS,
    TableClient,
    find_error,
    find_matches,
    find_table,
    open_table_clients,
)

pytestmark = pytest.mark.xdist_group("web")


def two(folder: Path, *commands: str) -> tuple[AppState, TableClient, TableClient]:
    """Ana and Bo at a virtual table, the setup done."""
    house = open_table_clients(folder)
    table = Table.open(folder / f"{NAME}.jsonl")
    table.do("keep 1 2; keep 1 2", *commands)
    return house, TableClient(house, 0), TableClient(house, 1)


def test_a_taken_seat_cannot_be_taken_by_another_phone(tmp_path: Path) -> None:
    house, _, bo = two(tmp_path)
    stranger = TableClient(house, None)
    refused = stranger.submit(f"{PAGE}/sit", {"seat": "0"})
    assert refused.status_code == 403
    assert "seat of Ana" in find_error(refused)
    assert bo.submit(f"{PAGE}/stand").status_code == 303
    assert stranger.submit(f"{PAGE}/sit", {"seat": "1"}).status_code == 303
    assert "Bo (you)" in stranger.visit(PAGE).text
    assert "Who are you?" in bo.visit(PAGE).text


@pytest.mark.parametrize("seat", ["2", "-1", "x", "", "9" * 30])
def test_there_are_no_other_seats(tmp_path: Path, seat: str) -> None:
    house = open_table_clients(tmp_path, bots=("", "random"))
    visitor = TableClient(house, None)
    assert visitor.submit(f"{PAGE}/sit", {"seat": seat}).status_code == 400
    assert visitor.submit(f"{PAGE}/sit", {"seat": "1"}).status_code == 400  # the bot's


def test_only_the_laptop_frees_a_seat_and_everybody_hears_of_it(tmp_path: Path) -> None:
    house, ana, bo = two(tmp_path)
    assert bo.submit(f"{PAGE}/free", {"seat": "0"}).status_code == 403
    assert "Free this seat" not in bo.page()
    laptop = TableClient(house, None, client=LAPTOP)
    assert "Free this seat" in laptop.page()
    assert "Free this seat" not in TableClient(house, None).page()
    assert laptop.submit(f"{PAGE}/free", {"seat": "0"}).status_code == 303
    assert "freed the seat of Ana" in bo.page()
    assert "Who are you?" in ana.visit(PAGE).text
    assert TableClient(house, 0).tap("take 3").status_code == 303


def test_seats_survive_the_server(tmp_path: Path) -> None:
    _, ana, _ = two(tmp_path)
    again = TableClient(make_app_state(tmp_path), None)
    again.cookies = ana.cookies
    assert "Ana (you)" in again.visit(PAGE).text


def test_who_has_no_seat_decides_nothing(tmp_path: Path) -> None:
    house, _, _ = two(tmp_path)
    stranger = TableClient(house, None)
    entries = str(len(find_table(house).journal.entries))
    for verb, fields in [
        ("do", {"event": "take 3"}),
        ("say", {"line": "take 3"}),
        ("undo", {}),
        ("agree", {"number": "1"}),
        ("refuse", {"number": "1"}),
    ]:
        refused = stranger.submit(f"{PAGE}/{verb}", {"entries": entries, **fields})
        assert refused.status_code == 403
    assert stranger.visit(f"{PAGE}/advice").status_code == 403
    assert len(find_table(house).journal.entries) == int(entries)


def test_a_form_that_was_sent_before_is_refused(tmp_path: Path) -> None:
    house, ana, bo = two(tmp_path)
    entries = len(find_table(house).journal.entries)
    assert ana.tap("take 3", entries).status_code == 303
    for one in (ana, bo):
        late = one.tap("take 4", entries)
        assert late.status_code == 409
        assert "has changed in the meantime" in find_error(late)
        assert one.fill_in("say", entries, line="take 4").status_code == 409
        assert one.fill_in("undo", entries).status_code == 409
    assert bo.tap("take 4").status_code == 303


def test_of_two_forms_at_the_same_moment_one_is_refused(tmp_path: Path) -> None:
    house, _, _ = two(tmp_path)

    async def act() -> list[object]:
        live_table = await house.live_tables.open_table(tmp_path / f"{NAME}.jsonl")
        forms = [live_table.run_command("draw", live_table.entries, "en", 0) for _ in range(2)]
        return await asyncio.gather(*forms, return_exceptions=True)

    done, refused = asyncio.run(act())
    assert isinstance(done, list)
    assert isinstance(refused, RequestError)
    assert refused.status == 409


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ("take 11", "Rule "),
        ("begin <R", "Rule "),
        ("choose P99", "P99"),
        ("deal 1 P05", "Rule "),
        ("fill 3 R R", "Rule "),
        ("play P05 on 7", ""),
        ("golden 0 R", ""),
        ("reveal 2 P05", ""),
        ("end", "Rule 3: "),
        ("nonsense", "nonsense"),
        ("", ""),
        ("take 3; take 4", ""),
        ("keep", ""),
        ("add R to 99 tail", ""),
        ("x" * 600, ""),
    ],
)
def test_only_what_the_rules_allow_is_done(tmp_path: Path, event: str, says: str) -> None:
    house, ana, _ = two(tmp_path)
    before = len(find_table(house).journal.entries)
    refused = ana.tap(event)
    assert refused.status_code == 400
    assert says in find_error(refused)
    assert len(find_table(house).journal.entries) == before


def test_nobody_plays_for_another(tmp_path: Path) -> None:
    house, _, bo = two(tmp_path)
    before = len(find_table(house).journal.entries)
    for refused in (bo.tap("take 3"), bo.fill_in("say", line="take 3")):
        assert refused.status_code == 400
        assert "It is not Bo’s turn" in find_error(refused)
    assert not bo.tappable()
    assert len(find_table(house).journal.entries) == before


def test_a_typed_command_does_whatever_the_terminal_can(tmp_path: Path) -> None:
    house, ana, bo = two(tmp_path)
    assert ana.fill_in("say", line="prendre la case 3").status_code == 303
    assert str(find_table(house).history.events[-1]) == "take 3"
    wrong = bo.fill_in("say", line="tkae 4")
    assert wrong.status_code == 400
    assert "tkae" in find_error(wrong)
    assert bo.fill_in("say", line="help").status_code == 400
    assert bo.fill_in("say", line="  ").status_code == 400


def test_within_a_turn_taking_back_is_free(tmp_path: Path) -> None:
    house, ana, bo = two(tmp_path, "take 3; take 4")
    events = len(find_table(house).history.events)
    piece = next(event for event in ana.tappable() if event.startswith("begin"))
    assert ana.tap(piece).status_code == 303
    assert "Take back" in ana.page()
    assert bo.fill_in("undo").status_code == 400  # it is Ana's turn
    assert ana.fill_in("undo").status_code == 303
    assert len(find_table(house).history.events) == events


def test_a_turn_is_taken_back_once_everybody_agrees(tmp_path: Path) -> None:
    house, ana, bo = two(tmp_path)
    assert ana.tap("take 3").status_code == 303
    events = len(find_table(house).history.events)
    assert ana.fill_in("undo").status_code == 303
    assert len(find_table(house).history.events) == events
    asked = bo.page()
    assert "Ana would like to take back the last step" in asked
    number = find_matches(r'name="number" value="(\d+)"', asked)
    assert bo.submit(f"{PAGE}/agree", {"number": "99"}).status_code == 409
    assert bo.submit(f"{PAGE}/agree", {"number": number}).status_code == 303
    assert len(find_table(house).history.events) == events - 1
    assert bo.submit(f"{PAGE}/agree", {"number": number}).status_code == 409
    assert "would like" not in ana.page()


def test_a_turn_is_not_taken_back_while_somebody_has_not_agreed(tmp_path: Path) -> None:
    house = open_table_clients(tmp_path, TableOptions(players=("Ana", "Bo", "Cy")))
    table = Table.open(tmp_path / f"{NAME}.jsonl")
    table.do("keep 1 2; keep 1 2; keep 1 2; take 3")
    ana, bo, cy = (TableClient(house, seat) for seat in range(3))
    assert ana.fill_in("undo").status_code == 303
    events = len(find_table(house).history.events)
    number = {"number": find_matches(r'name="number" value="(\d+)"', bo.page())}
    for _ in range(2):  # whoever agrees twice is still one
        assert bo.submit(f"{PAGE}/agree", number).status_code == 303
        assert len(find_table(house).history.events) == events
    assert cy.submit(f"{PAGE}/agree", number).status_code == 303
    assert len(find_table(house).history.events) == events - 1


def test_nothing_is_taken_back_if_somebody_refuses(tmp_path: Path) -> None:
    house, ana, bo = two(tmp_path, "take 3")
    events = len(find_table(house).history.events)
    assert ana.fill_in("say", line="undo").status_code == 303  # typed, it asks as well
    number = find_matches(r'name="number" value="(\d+)"', bo.page())
    assert bo.submit(f"{PAGE}/refuse", {"number": number}).status_code == 303
    assert "Bo does not agree" in ana.page()
    assert ana.fill_in("undo").status_code == 303
    number = find_matches(r'name="number" value="(\d+)"', ana.page())
    assert ana.submit(f"{PAGE}/refuse", {"number": number}).status_code == 303
    assert "Nothing is taken back" in bo.page()
    assert len(find_table(house).history.events) == events


def test_draws_of_a_real_table_are_reported_by_tapping(tmp_path: Path) -> None:
    house = open_table_clients(tmp_path, REAL, seed=None)
    table = TableClient(house, None)
    assert table.submit(f"{PAGE}/sit", {"seat": "-1"}).status_code == 303
    table.seat = -1
    for space in range(1, 11):
        event = min(table.tappable())
        assert event.startswith(f"fill {space} ")
        assert table.tap(event).status_code == 303
    for pile in (1, 2):
        assert table.fill_in("do", event=f"pile {pile}", card=f" t0{pile} ").status_code == 303
    wrong = table.fill_in("do", event="supply", card="P99")
    assert wrong.status_code == 400
    for card in range(1, 7):
        assert f"supply P0{card}" in table.tappable()
        assert table.tap(f"supply P0{card}").status_code == 303
    assert table.tappable() >= {"keep", "keep ?", "keep ? ?", "keep ? ? ?"}
    assert table.tap("keep ? ?").status_code == 303
    south = TableClient(house, 1)  # others may sit down beside it
    assert south.tap("keep ? ? ?").status_code == 303
    assert table.tap("take 3").status_code == 303
    assert south.fill_in("say", line="correct space 4 RG").status_code == 303
    assert find_table(house).state.spaces[3] == ("R", "G")


def test_a_hidden_card_is_named_when_it_is_placed(tmp_path: Path) -> None:
    house = open_table_clients(tmp_path, REAL, seed=None)
    setup = "RG BB YK RG BB YK R G B Y T01 T02 P01 P02 P03 P04 P05 P06; keep 3; keep 3"
    Table.open(tmp_path / f"{NAME}.jsonl").do(setup, "take 2; take 1; begin B; add B tail")
    north = TableClient(house, 0)
    assert "play P10 on 1" in north.tappable()
    assert north.tap("play P10 on 1").status_code == 303


def test_adams_turn_is_explained_before_it_happens(tmp_path: Path) -> None:
    house = open_table_clients(tmp_path, TableOptions(players=("Ana",)))
    ana = TableClient(house, 0)
    hand = find_table(house).state.players[0].hand
    entries = len(find_table(house).journal.entries)
    assert ana.fill_in("do", entries, event="keep", card=[*hand[:2]]).status_code == 400
    assert ana.fill_in("do", entries, event="keep", card=[*hand[:3]]).status_code == 303
    page = ana.page()  # it has the first turn
    assert "A.D.A.M.’s turn" in page
    assert 'data-lights="adam-1 space-' in page
    assert "data-lights" not in ana.visit(f"{PAGE}/screen").text
    assert "A.D.A.M. takes everything on it" in ana.visit(f"{PAGE}/screen").text
    assert ana.tap("adam").status_code == 303
    assert "A.D.A.M. takes everything on it" in ana.visit(f"{PAGE}/why").text


def test_a_game_that_is_over_tells_who_has_won(tmp_path: Path) -> None:
    table = begin_table(tmp_path / f"{NAME}.jsonl", TWO_PLAYERS)
    for _ in play_evening(table, random.Random(3)):
        pass
    house = make_app_state(tmp_path)
    page = TableClient(house, 0).page()
    assert table.state.stage is OVER
    assert "Share the result" in page
    assert any(f"{name} wins." in page for name in TWO_PLAYERS.players)
    assert not TableClient(house, None).tappable()
    assert TableClient(house, None).visit(f"{PAGE}/screen").status_code == 200


def test_adam_stands_in_the_ranking_where_it_belongs(tmp_path: Path) -> None:
    table = begin_table(tmp_path / f"{NAME}.jsonl", TableOptions(players=("Ana",)))
    for _ in play_evening(table, random.Random(3)):
        pass
    page = TableClient(make_app_state(tmp_path), None, "pl").visit(f"{PAGE}/screen").text
    ranked = page.partition('class="places"')[2].partition("</ol>")[0]
    assert re.findall(r'class="name">([^<]*?) ?<', ranked) == ["A.D.A.M.", "Ana"]
    assert re.findall(r'class="place number">(\d)', ranked) == ["1", "2"]
    assert ranked.count("★ zwycięstwo") == 1
    assert "Wygrywa A.D.A.M.<" in page  # a name's own full stop is enough
    assert 'id="supply-board"' not in page


def test_advice_can_be_played_at_once(tmp_path: Path) -> None:
    house, ana, bo = two(tmp_path)
    for one, event in ((ana, "take 1"), (bo, "take 2"), (ana, "take 3"), (bo, "take 4")):
        assert one.tap(event).status_code == 303
    page = ana.visit(f"{PAGE}/advice").text
    assert "Advice" in page
    if 'name="line"' in page:
        line = find_matches(r'name="line" value="([^"]*)"', page)
        assert ana.fill_in("say", line=line).status_code == 303
    assert find_table(house).state.turns_ended >= 4


def test_however_many_look_a_page_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, ana, _ = two(tmp_path)
    made = []

    def counted(table: Table, place: VisitorSeat, language: Language) -> TableView:
        made.append(place)
        return build_table_view(table, place, language)

    monkeypatch.setattr("coatl_tools.web.pages.table.table_page.build_table_view", counted)
    watchers = [TableClient(house, None) for _ in range(5)]
    for watcher in watchers:
        watcher.page()
    assert len(made) == 1
    ana.page()
    ana.page()
    assert len(made) == 2
    assert ana.tap("take 3", len(find_table(house).journal.entries)).status_code == 303
    watchers[0].page()
    assert len(made) == 3


def test_a_table_that_is_not_served_is_not_found(tmp_path: Path) -> None:
    two(tmp_path)
    begin_table(tmp_path / "other.jsonl")
    (tmp_path / "hidden").mkdir()
    visitor = PageClient(make_app_state(tmp_path, only="other"))
    assert visitor.visit("/table/other").status_code == 200
    for name in ("evening", "..%2Fevening", "evening.jsonl", "hidden", ".phones.json", "%00"):
        for rest in ("", "/screen", "/log", "/events", "/why"):
            assert visitor.visit(f"/table/{name}{rest}").status_code == 404
        assert visitor.submit(f"/table/{name}/do", {"event": "take 3"}).status_code == 404


def test_a_damaged_table_tells_phones_no_path(tmp_path: Path) -> None:
    house = open_table_clients(tmp_path)
    with (tmp_path / f"{NAME}.jsonl").open("ab") as file:
        file.write(b'{"n": 1, "do": "take 3"}\n')
    phone = PageClient(house, PHONE).visit(PAGE)
    assert phone.status_code == 422
    assert f"The table “{NAME}” cannot be opened." in phone.text
    assert str(tmp_path) not in phone.text
    assert str(tmp_path) in PageClient(house, LAPTOP).visit(PAGE).text
