"""A position is read as people write it, and a table that begins with one keeps it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.errors import CoatlError, JournalError, PositionError, escape_unprintable
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.files.json_files import parse_json_object
from coatl_tools.referee.journal import Journal, TableHeader, replay_journal
from coatl_tools.referee.position_file import parse_position, serialize_position
from coatl_tools.referee.position_text import parse_pieces
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.history import DoEvent, UndoTo
from coatl_tools.rules.position.position import Position, build_state
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import GameState, Stage
from coatl_tools.rules.table_options import TableOptions
from tests.positions import extract_position
from tests.rules.random_games import choose_builder, play_random_game, solo_tables, tables

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = json.loads((DOCS / "example-position.json").read_text("utf-8"))
CARDS = load_cards().deck()
OPTIONS = TableOptions(players=("Ana", "Bo"), hidden_hands=True)
SOLO = TableOptions(players=("Ana",))


def read(data: Any, options: TableOptions = OPTIONS) -> Position:
    return parse_position(data, options, CARDS)


def joined(data: Any, options: TableOptions = OPTIONS) -> GameState:
    return build_state(new_game(options, CARDS).game, read(data, options))


def test_the_example_can_be_joined() -> None:
    state = joined(EXAMPLE)
    ana, bo = state.players
    assert state.current_player == 1
    assert state.spaces[0] == ("R", "G")
    assert state.spaces[2] == ()
    assert ana.board == ("<B", "G", "R")
    assert [coatl.complete for coatl in ana.coatls] == [True, False]
    assert ana.coatls[0].prophecies == ("P29", "P10")
    assert ana.hand == ("?", "?", "?")
    assert ana.tokens == ("see_the_future", "priest_commitment")
    assert bo.hand == ("?", "?", "P41")
    assert len(bo.tokens) == 3
    assert [pile.below for pile in state.piles] == [5, 15 - 3 - 5 - 1]
    assert state.deck == 54 - 6 - 4 - 6 - 4
    assert list_legal_actions(state)


def test_the_docs_show_the_example() -> None:
    page = (DOCS / "tables.md").read_text("utf-8")
    shown = page.split("```json\n")[1].split("```")[0]
    assert json.loads(shown) == EXAMPLE


@pytest.mark.parametrize(
    ("written", "pieces"),
    [
        ("RG", ("R", "G")),
        ("r g", ("R", "G")),
        ("<R", ("<R",)),
        ("< r, b >", ("<R", "B>")),
        ("R><G", ("R>", "<G")),
        ("FRF", ("F", "R", "F")),
        ("red, blue head", ("R", "<B")),
        ("▲R ■B", ("R", "B")),
        ("-", ()),
        ("  ", ()),
    ],
)
def test_pieces_are_read_as_people_write_them(written: str, pieces: tuple[str, ...]) -> None:
    assert parse_pieces(written) == pieces


def test_spaces_may_be_one_text() -> None:
    for text in ("RG BB - YK GG - <R <K B> -", "R G, B B, -, Y K, GG, -, <R, <K, B>, -"):
        assert read(EXAMPLE | {"spaces": text}) == read(EXAMPLE)


def test_players_may_stand_in_any_order() -> None:
    assert read(EXAMPLE | {"players": EXAMPLE["players"][::-1]}) == read(EXAMPLE)


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(EXAMPLE))
    change(data)
    return data


def put(value: object, *path: str | int) -> dict[str, Any]:
    data: Any = json.loads(json.dumps(EXAMPLE))
    inside = data
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    found: dict[str, Any] = data
    return found


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (put(1, "wind"), "wind is unknown"),
        (put(1, "players", 0, "shoes"), "players.0.shoes is unknown"),
        (changed(lambda data: data.pop("supply")), "supply is missing"),
        (changed(lambda data: data["players"][1].pop("hand")), "players.1.hand is missing"),
        (put(["R"] * 3, "turn"), "turn has a value that is not valid"),
        (put(-1, "players", 0, "hand"), "players.0.hand has a value that is not valid"),
        (put(10**9, "players", 0, "hand"), "players.0.hand has a value"),
        (put("999999999", "players", 0, "hand"), "players.0.hand: “999999999”"),
        (
            put({"coatl": "RR", "card": "P01"}, "players", 0, "coatls", 0),
            "coatls.0.card is unknown",
        ),
        (put({"cards": "P01"}, "players", 0, "coatls", 0), "players.0.coatls.0.coatl is missing"),
        (put("Cy", "turn"), "turn: There is no player “Cy”. Players are: Ana, Bo"),
        (put("Ana", "players", 1, "name"), "players.1.name: Ana is there twice"),
        (put(EXAMPLE["players"][:1], "players"), "players: Bo is missing"),
        (put("RQ", "spaces", 4), "spaces.4: Piece 2 is unknown"),
        (put("<R>", "players", 0, "board"), "players.0.board: Piece 1 is a head and a tail"),
        (put("<RB P99", "players", 0, "coatls", 1), "players.0.coatls.1: There is no card “P99”"),
        (put("<RBB> P29 T1 T2", "players", 0, "coatls", 1), "one Temple card; there are 2 here"),
        (put(["T03"], "piles"), "piles: There are two Temple piles"),
        (put({"cause": "rain", "player": "Bo"}, "end"), "end.cause: “rain”"),
        (put("P" * 20_000, "supply"), "supply: That is too long"),
        (put("wand", "players", 0, "tokens"), "wand"),
    ],
)
def test_what_is_wrong_is_said_with_its_field(data: dict[str, Any], said: str) -> None:
    with pytest.raises(PositionError) as caught:
        joined(data)
    assert said in str(caught.value)
    for language in LANGUAGE_CODES[1:]:
        assert caught.value.text(language) != str(caught.value)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.floats() | st.text(max_size=6),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=6), inside),
    max_leaves=6,
)


@settings(max_examples=150)
@given(st.data())
def test_nothing_but_a_sentence_comes_of_nonsense(data: st.DataObject) -> None:
    written: Any = json.loads(json.dumps(EXAMPLE))
    inside = written
    while True:
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = data.draw(st.sampled_from(keys))
        deeper = isinstance(inside[key], dict | list) and inside[key] and data.draw(st.booleans())
        if not deeper:
            break
        inside = inside[key]
    inside[key] = data.draw(ANYTHING)
    said = ""
    try:
        joined(written)
    except CoatlError as error:
        said = str(error)
    assert escape_unprintable(said) == said


@settings(max_examples=12)
@given(tables() | solo_tables(), st.integers(0, 2**32))
def test_a_position_written_is_read_back(options: TableOptions, seed: int) -> None:
    cards = load_cards().deck(options.promo)
    for number, (state, _) in enumerate(play_random_game(options, seed, choose_builder)):
        if state.stage in (Stage.READY, Stage.ADAMS_TURN) and not state.draws and number % 5 == 0:
            position = extract_position(state)
            data = json.loads(json.dumps(serialize_position(position, options)))
            assert parse_position(data, options, cards) == position


def begun(path: Path, start: Position | None) -> Journal:
    return Journal.create(path, TableHeader(OPTIONS, CARDS, None, start=start))


def test_a_table_begins_with_the_position(tmp_path: Path) -> None:
    journal = begun(tmp_path / "t.jsonl", read(EXAMPLE))
    assert journal.history.state == joined(EXAMPLE)
    for _ in range(3):
        journal.append(DoEvent(list_legal_actions(journal.history.state)[0]))
    journal.append(UndoTo(1))
    reading = replay_journal(journal.path)
    assert reading.header == journal.header
    assert reading.header.start == read(EXAMPLE)
    assert reading.history.state == journal.history.state


def test_without_a_position_the_header_is_as_ever(tmp_path: Path) -> None:
    journal = begun(tmp_path / "t.jsonl", None)
    assert "start" not in parse_json_object(journal.path.read_bytes().splitlines()[0])
    assert journal.history.state.stage is Stage.KEEPING


def test_a_position_changed_by_hand_is_noticed(tmp_path: Path) -> None:
    path = begun(tmp_path / "t.jsonl", read(EXAMPLE)).path
    text = path.read_text("utf-8")
    assert '"R G"' in text
    path.write_text(text.replace('"R G"', '"G R"', 1), "utf-8")
    with pytest.raises(JournalError, match="changed by hand"):
        replay_journal(path)


def test_a_table_that_cannot_be_is_not_begun(tmp_path: Path) -> None:
    with pytest.raises(PositionError, match=r"Rule 3\.4, Ana"):
        begun(tmp_path / "t.jsonl", read(put(6, "players", 0, "hand")))
    assert not list(tmp_path.iterdir())


def test_a_solo_position_tells_what_adam_has() -> None:
    solo = changed(lambda data: data.pop("discards"))
    ana = {"name": "Ana", "hand": "P01 P02 P03", "temples": 0}
    adam = {"row": ["P11 Y<Y", {"card": "p36"}, "P40"], "fulfilled": "P10", "discarded": "K R"}
    solo |= {"turn": "a.d.a.m.", "players": [ana], "adam": adam, "piles": ["T03", "T11"]}
    state = joined(solo, SOLO)
    assert state.stage is Stage.ADAMS_TURN
    assert state.adam is not None
    assert state.adam.row[0] == ("P11", ("Y", "<Y"))
    assert state.adam.fulfilled == ("P10",)
    assert state.adam.discarded == ("K", "R")
