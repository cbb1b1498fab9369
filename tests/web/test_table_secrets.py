"""No answer to anybody names a card of another's hidden hand, whatever is asked and when."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.events import Discard, Keep
from coatl_tools.rules.state import OVER, GameState
from coatl_tools.rules.table_options import TableOptions
from tests.referee.typed_tables import SEEDS, list_possible, virtual_tables
from tests.rules.random_games import choose_builder
from tests.strategies import example_count
from tests.web.table_clients import (
    PAGE,
    TableClient,
    find_card_ids,
    find_table,
    list_visible_cards,
    open_table_clients,
)

pytestmark = pytest.mark.xdist_group("web")
LOOKED_BACK = 10  # events that a page may still speak of
NOSY = ["keep 1", "play 1", "discard 1 2", "temple", "begin R", "cards 1", "end; keep 1"]


class Evening:
    """A game that people play through pages; everything that anybody receives is read."""

    def __init__(
        self, folder: Path, options: TableOptions, seed: int, bots: tuple[str, ...]
    ) -> None:
        self.chance = random.Random(seed)
        self.house = open_table_clients(folder, options, seed, bots)
        seats = [seat for seat in range(len(options.players)) if not (bots and bots[seat])]
        self.people = [
            TableClient(self.house, seat, self.chance.choice(LANGUAGE_CODES)) for seat in seats
        ]
        self.everybody = [*self.people, TableClient(self.house, None)]
        self.seen: dict[int | None, set[str]] = {one.seat: set() for one in self.everybody}
        self.read = 0

    def is_over(self) -> bool:
        """Whether the game is over; all know by now what lay open to them."""
        states = find_table(self.house).history.states
        for one in self.everybody:
            self.seen[one.seat] |= shown(states[self.read :], one.seat)
        self.read = len(states)
        return states[-1].stage is OVER

    def move(self) -> None:
        """Somebody plays, somebody looks on and pries."""
        table, chance = find_table(self.house), self.chance
        turn = table.state.current_player if table.state.current_player < len(table.bots) else 0
        mover = next(one for one in self.people if one.seat == turn)
        page, legal = self.checked(mover), list_possible(table)
        onlooker = chance.choice(self.everybody)
        self.pry(onlooker, onlooker is mover)
        entries = len(table.journal.entries)
        event = choose_builder(chance, table.state, legal)
        if isinstance(event, Keep | Discard):
            cards = {"card": [*event.cards]} if event.cards else {}
            done = mover.fill_in("do", entries, event=str(event).split()[0], **cards)
        else:  # all that is legal can be tapped, and nothing else
            assert mover.tappable(page) == {str(one) for one in legal}
            done = mover.tap(str(event), entries)
        assert done.status_code == 303, done.text

    def checked(self, one: TableClient) -> str:
        text = one.page()
        assert find_card_ids(text) <= self.lately(one.seat)
        return text

    def lately(self, seat: int | None) -> set[str]:
        return shown(find_table(self.house).history.states[-LOOKED_BACK:], seat)

    def pry(self, one: TableClient, moves: bool) -> None:
        if not moves:
            self.checked(one)
        if not moves and one.seat is not None:
            refused = one.fill_in("say", line=self.chance.choice(NOSY))
            assert refused.status_code == 400
            assert find_card_ids(refused.text) <= self.lately(one.seat)
        if self.chance.random() < 0.1:
            for path in ("log", "advice", "why", "screen"):
                assert find_card_ids(one.visit(f"{PAGE}/{path}").text) <= self.seen[one.seat]


def shown(states: Sequence[GameState], seat: int | None) -> set[str]:
    return {card for state in states for card in list_visible_cards(state, seat)}


def check_game(
    options: TableOptions, seed: int, bots: tuple[str, ...] = (), most: int = 1000
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder), options, seed, bots)
        for _ in range(most):
            if evening.is_over():
                return
            evening.move()


def test_no_page_tells_of_another_hand() -> None:
    check_game(TableOptions(players=("Ana", "Bo", "Cy"), golden_feathers=True), 11, most=40)


def test_no_page_tells_of_the_hand_of_a_bot() -> None:
    check_game(TableOptions(players=("Ana", "Robo")), 5, ("", "greedy"), most=25)


def test_everybody_reads_the_log_with_their_own_cards_only(tmp_path: Path) -> None:
    house = open_table_clients(tmp_path)
    find_table(house).do("keep 1 2; keep 1 2")
    kept = [
        set(event.cards) for event in find_table(house).history.events if isinstance(event, Keep)
    ]
    for seat in (0, 1, None):  # one after the other, at the same moment of the game
        log = find_card_ids(TableClient(house, seat).visit(f"{PAGE}/log").text)
        assert [cards <= log for cards in kept] == [seat == 0, seat == 1]


@pytest.mark.soak
@settings(max_examples=example_count(4000) // 200)  # whole games through pages take seconds
@given(virtual_tables, SEEDS, st.just(()))
def test_no_page_tells_of_any_hand_in_whole_games(
    options: TableOptions, seed: int, bots: tuple[str, ...]
) -> None:
    check_game(options, seed, bots)
