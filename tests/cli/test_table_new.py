"""Tables that are begun: every option, every name, every folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coatl_tools.referee import replay_journal
from tests.cli.command_runner import TableCommands, run_coatl

DOCS = Path(__file__).parents[2] / "docs"
OWN_CARDS, POSITION = DOCS / "example-cards.json", DOCS / "example-position.json"


def test_all_options_and_rulings_are_shown_back(table: TableCommands) -> None:
    shown = table.ok("new", "evening", "--players", "Ana,Bo,Cy", "--edition", "fr", "--golden")
    assert "Table “evening” is set up: virtual" in shown
    assert "Ana, Bo, Cy" in shown
    for name in replay_journal(table.file("evening")).header.options.data():
        assert f"\n{name} " in shown
    for ruling in ("9.1 ", "9.2 ", "9.4 ", "9.5 ", "9.10", "9.12", "9.13", "9.14", "9.15", "9.16"):
        assert f"\n{ruling}" in shown
    assert 'coatl table play "evening"' in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ([], {"players": ["North", "South"], "edition": "en", "tokens": True}),
        (["--players", " Ana , Bo "], {"players": ["Ana", "Bo"]}),
        (["--solo", "--levels", "2,4"], {"players": ["North"], "levels": [2, 4], "tokens": False}),
        (["--solo", "--players", "Ana"], {"players": ["Ana"]}),
        (["--players", "Ana"], {"players": ["Ana"], "tokens": False}),
        (["--edition", "PL"], {"edition": "pl"}),
        (["--lang", "fr"], {"edition": "fr"}),
        (["--no-tokens", "--promo"], {"tokens": False, "promo": True}),
        (["--golden", "--fewer-bodies"], {"golden_feathers": True, "fewer_bodies": True}),
        (["--physical"], {"hidden_hands": True}),
        (["--physical", "--rule", "hidden_hands=no"], {"hidden_hands": False}),
        (["--rule", "temple-required=yes"], {"temple_required": True}),
        (["--rule", "9.3=on"], {"temple_required": True}),
        (["--rule", "space_kinds=htbbbbbbth"], {"space_kinds": "htbbbbbbth"}),
        (["--solo", "--rule", "levels=5", "--rule", "level5_refill=3"],
         {"levels": [5], "level5_refill": 3}),
    ],
)  # fmt: skip
def test_what_is_chosen_is_what_is_played(
    table: TableCommands, arguments: list[str], wanted: dict[str, Any]
) -> None:
    data = table.told("new", "evening", *arguments)
    assert wanted.items() <= data["options"].items()
    assert data["table"] == "evening"
    assert data["file"] == str(table.file("evening"))
    assert data["virtual"] is ("--physical" not in arguments)
    assert (data["seed"] is None) is ("--physical" in arguments)
    assert replay_journal(table.file("evening")).header.options.data() == data["options"]


def test_the_same_seed_deals_the_same(table: TableCommands) -> None:
    for name in ("one", "other"):
        table.ok("new", name, "--seed", "11")
    assert table.told("show", "one", "--as", "North") == table.told("show", "other", "--as", "1")


def test_own_cards_join_the_table(table: TableCommands) -> None:
    table.ok("new", "evening", "--cards", str(OWN_CARDS))
    assert {"J01", "J02"} <= {
        card.id for card in replay_journal(table.file("evening")).header.cards
    }


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (1, ["--players", ""]),
        (1, ["--players", "Ana,Ana"]),
        (1, ["--players", "A,B,C,D,E"]),
        (1, ["--players", "Ana," + "B" * 31]),
        (1, ["--players", "Ana,\x1b[31m"]),
        (1, ["--players", "Ana,bot:deep"]),
        (1, ["--players", "Ana,bot:"]),
        (1, ["--physical", "--players", "Ana,bot:random"]),
        (1, ["--levels", "2"]),
        (1, ["--solo", "--levels", "9"]),
        (2, ["--solo", "--levels", "x"]),
        (2, ["--solo", "--levels", "9999999999"]),
        (2, ["--solo", "--players", "Ana,Bo"]),
        (1, ["--solo", "--golden"]),
        (1, ["--players", "A,B,C,D", "--fewer-bodies"]),
        (2, ["--physical", "--seed", "7"]),
        (1, ["--seed", "-1"]),
        (1, ["--seed", "9" * 40]),
        (2, ["--seed", "seven"]),
        (2, ["--edition", "de"]),
        (2, ["--rule", "tokens"]),
        (1, ["--rule", "tokens=perhaps"]),
        (1, ["--rule", "nonsense=yes"]),
        (1, ["--rule", "space_kinds=bbbb"]),
        (1, ["--rule", "level5_refill=7"]),
        (1, ["--rule", "__class__=yes"]),
        (1, ["--rule", "players=Ana"]),
        (3, ["--cards", "missing.json"]),
        (3, ["--join", "missing.json"]),
        (2, ["--virtual", "--join", "missing.json"]),
    ],
)
def test_options_that_make_no_sense_begin_no_table(
    table: TableCommands, code: int, arguments: list[str]
) -> None:
    done = table("new", "evening", *arguments)
    assert done.code == code, done.err
    assert "Error: " in done.err
    assert done.out == ""
    assert not table.file("evening").exists()


@pytest.mark.parametrize(
    "name", ["", " ", "../x", "a/b", "..", "/tmp/x", "x\n", "\x1b[2J", "x" * 61, "a.b", "\udcff"]
)
@pytest.mark.parametrize(
    "command",
    [["new"], ["show"], ["play"], ["do", "take 3"], ["undo"], ["log"], ["score"], ["export"],
     ["delete", "--yes"]],
    ids=lambda words: str(words[0]),
)  # fmt: skip
def test_a_bad_name_is_refused_everywhere(
    table: TableCommands, name: str, command: list[str]
) -> None:
    done = table(command[0], name, *command[1:])
    assert done.code == 1
    assert "cannot be the name of a table" in done.err
    assert "\x1b" not in done.err
    assert not table.folder.exists()


def test_a_name_of_any_letters_is_a_table(table: TableCommands) -> None:
    for name in ("夕方 7", "Łódź", "x" * 60):
        table.ok("new", name)
        assert table.ok("show", name)
    assert {found["table"] for found in table.told("list")} == {"夕方 7", "Łódź", "x" * 60}


def test_a_table_is_begun_once(evening: TableCommands) -> None:
    before = evening.file("evening").read_bytes()
    done = evening("new", "evening")
    assert done.code == 3
    assert evening.file("evening").read_bytes() == before


def test_the_folder_is_an_option_before_it_is_a_variable(
    table: TableCommands, tmp_path: Path
) -> None:
    table.ok("new", "evening", "--dir", str(tmp_path / "other"))
    assert (tmp_path / "other" / "evening.jsonl").is_file()
    assert not table.folder.exists()
    assert table("show", "evening").code == 1
    assert table.ok("show", "evening", "--dir", str(tmp_path / "other"))


def test_without_a_word_tables_are_kept_in_the_data_directory(tmp_path: Path) -> None:
    assert run_coatl("table", "new", "evening", XDG_DATA_HOME=str(tmp_path)).code == 0
    assert (tmp_path / "coatl" / "tables" / "evening.jsonl").is_file()


def test_a_game_is_joined_midway(table: TableCommands) -> None:
    data = table.told("new", "evening", "--players", "Ana,Bo", "--join", str(POSITION))
    assert data["virtual"] is False
    shown = table.told("show", "evening")
    assert shown["turn"]["name"] == "Bo"
    assert table("undo", "evening", "--force").err == "Error: There is nothing to undo.\n"
    table.ok("do", "evening", "take 1", "take 2")
    table.ok("undo", "evening", "2", "--force")
    assert table.told("show", "evening") == shown
    assert "is valid" in table.ok("verify", str(table.file("evening")))
    for style in ("--plain", "--ascii"):
        assert table.ok("log", "evening", style)


def test_a_game_that_cannot_be_joined(table: TableCommands, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    for data in ("", "{", "[]", "{}", '{"turn": 7}', "[" * 100_000, POSITION.read_text()[:-3]):
        wrong.write_text(data)
        assert table("new", "evening", "--players", "Ana,Bo", "--join", str(wrong)).code == 1
    done = table("new", "evening", "--players", "Ana,Cy", "--join", str(POSITION))
    assert done.code == 1
    assert not table.file("evening").exists()
