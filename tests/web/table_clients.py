"""People around a table who play it through pages, without a browser."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import httpx2 as httpx

from coatl_tools.referee.table import Table
from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.state import GameState
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import View, make_view
from coatl_tools.web.server.app_state import AppState
from tests.referee.typed_tables import begin_table
from tests.web.page_client import PHONE, PageClient, make_app_state

NAME = "evening"
PAGE = f"/table/{NAME}"
TWO_PLAYERS = TableOptions(players=("Ana", "Bo"))
_TAPPED = re.compile(r'<button form="act" name="event" value="([^"]*)"')
_CARD = re.compile(r"\b[PT]\d\d\b")


class TableClient(PageClient):
    """A visitor of one table; `seat` is None for one who only watches."""

    def __init__(
        self,
        house: AppState,
        seat: int | None,
        language: str = "en",
        client: tuple[str, int] = PHONE,
    ) -> None:
        super().__init__(house, client, language)
        self.house, self.seat = house, seat
        if seat is not None:
            assert self.submit(f"{PAGE}/sit", {"seat": str(seat)}).status_code == 303

    def page(self) -> str:
        answer = self.visit(PAGE if self.seat is not None else f"{PAGE}?watch")
        assert answer.status_code == 200
        return str(answer.text)

    def tappable(self, text: str | None = None) -> set[str]:
        """The events that buttons of the page send."""
        return {unescape(event) for event in _TAPPED.findall(text or self.page())}

    def tap(self, event: str, entries: int | None = None) -> httpx.Response:
        return self.fill_in("do", event=event, entries=entries)

    def fill_in(self, verb: str, entries: int | None = None, **fields: Any) -> httpx.Response:
        """A form of the page, decided upon what lies there now if nothing else is said."""
        if entries is None:
            entries = int(find_matches(r'name="entries" value="(\d+)"', self.page()))
        return self.submit(f"{PAGE}/{verb}", {"entries": str(entries), **fields})


def open_table_clients(
    folder: Path,
    options: TableOptions = TWO_PLAYERS,
    seed: int | None = 7,
    bots: tuple[str, ...] = (),
    lan: bool = False,
) -> AppState:
    """A house with one table."""
    folder.mkdir(exist_ok=True)
    begin_table(folder / f"{NAME}.jsonl", options, seed, bots)
    return make_app_state(folder, lan)


def find_table(house: AppState) -> Table:
    """The table as the server has it; where nobody has looked yet, as its journal has it."""
    path = house.folder / f"{NAME}.jsonl"
    room = house.live_tables.find_open(path)
    return room.table if room else Table.open(path)


def find_matches(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match, pattern
    return unescape(match[1])


def find_error(answer: httpx.Response) -> str:
    return find_matches(r"data-error>([^<]*)<", answer.text)


def find_card_ids(text: str) -> set[str]:
    """The ids of all cards that a text names, be it in an address."""
    return set(_CARD.findall(text))


def list_visible_cards(state: GameState, seat: int | None) -> set[str]:
    """The cards that lie where somebody sees them."""
    return _cards(make_view(state, seat))


def _cards(view: View) -> set[str]:
    open_to_all = {*view.supply, *view.discards, *(pile.top for pile in view.piles)}
    for seat in view.seats:
        open_to_all |= {*seat.hand, *seat.temples, *seat.discarded}
        for coatl in seat.coatls:
            open_to_all |= {*coatl.prophecies, coatl.temple}
    if view.adam:
        open_to_all |= {*view.adam.fulfilled, *(wanted.card for wanted in view.adam.row)}
    return open_to_all - {"", UNKNOWN_CARD}
