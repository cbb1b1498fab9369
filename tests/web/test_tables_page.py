"""The list of tables, and the form for a new one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coatl_tools.referee.table import Table
from tests.referee.typed_tables import begin_table
from tests.web.page_client import PageClient, make_app_state
from tests.web.table_clients import find_matches

FILLED = {"name": "friday night", "player0": "Ana", "player1": "Bo", "tokens": "on"}


@pytest.fixture
def laptop(tmp_path: Path) -> PageClient:
    return PageClient(make_app_state(tmp_path))


def begin(visitor: PageClient, **fields: Any) -> Any:
    return visitor.submit("/tables", FILLED | fields)


def test_a_table_is_begun_and_found(laptop: PageClient, tmp_path: Path) -> None:
    assert "no table yet" in laptop.visit("/tables").text
    begun_now = begin(laptop, edition="pl", promo="on", kind1="greedy")
    assert begun_now.status_code == 303
    assert begun_now.headers["location"] == "/table/friday%20night"
    table = Table.open(tmp_path / "friday night.jsonl")
    assert table.is_virtual
    assert table.journal.header.bots == ("", "greedy")
    assert table.state.game.options.edition == "pl"
    assert table.state.game.options.promo
    listed = laptop.visit("/tables").text
    assert 'href="/table/friday%20night"' in listed
    assert "Ana, Bo" in listed
    assert "Setup" not in listed
    assert laptop.visit("/table/friday%20night").status_code == 200
    assert "Setup" in laptop.visit("/tables").text  # it is open now


def test_one_alone_plays_against_adam(laptop: PageClient, tmp_path: Path) -> None:
    assert begin(laptop, player1="", level=["2", "5"]).status_code == 303
    table = Table.open(tmp_path / "friday night.jsonl")
    assert table.state.game.solo
    assert table.state.game.options.levels == (2, 5)


def test_a_real_table_hides_its_hands(laptop: PageClient, tmp_path: Path) -> None:
    assert begin(laptop, dealt="physical", player2="Cy").status_code == 303
    table = Table.open(tmp_path / "friday night.jsonl")
    assert not table.is_virtual
    assert table.state.game.hidden_hands


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"name": "../up"}, "../up"),
        ({"name": ""}, "name of a table"),
        ({"player0": "", "player1": ""}, "1 to 4 players"),
        ({"player1": "Ana"}, "Ana, Ana"),
        ({"kind0": "random", "kind1": "expert"}, "person"),
        ({"kind1": "random", "dealt": "physical"}, "Bots play at virtual tables"),
        ({"level": "3"}, "solo"),
        ({"golden_feathers": "on", "player1": ""}, "golden"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_lost(
    laptop: PageClient, tmp_path: Path, fields: dict[str, str], says: str
) -> None:
    refused = begin(laptop, **fields)
    assert refused.status_code == 400
    assert says.lower() in find_matches(r"data-error>([^<]*)<", refused.text).lower()
    wanted = FILLED | fields
    for field in ("name", "player0", "player1"):
        value = find_matches(rf'<input id="{field}"[^>]*value="([^"]*)"', refused.text)
        assert value == wanted[field]
    assert not [*tmp_path.glob("*.jsonl")]


def test_no_table_takes_the_place_of_another(laptop: PageClient, tmp_path: Path) -> None:
    assert begin(laptop).status_code == 303
    refused = begin(laptop)
    assert refused.status_code == 400
    assert "already" in refused.text
    assert str(tmp_path) not in refused.text


def test_where_one_table_is_served_no_other_is_begun(tmp_path: Path) -> None:
    begin_table(tmp_path / "evening.jsonl")
    visitor = PageClient(make_app_state(tmp_path, only="evening"))
    assert visitor.visit("/tables").headers["location"] == "/table/evening"
    assert begin(visitor).status_code == 403
    assert [path.name for path in tmp_path.glob("*.jsonl")] == ["evening.jsonl"]
