"""The folder of tables: names that are files, and files that are tables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coatl_tools import load_cards
from coatl_tools.errors import CoatlError, CommandError, FileError, JournalError, RecordError
from coatl_tools.referee import Journal, Table, TableHeader, format_record, replay_journal
from coatl_tools.referee.presentation.table_summary import summarize_tables
from coatl_tools.referee.table_creation import create_journal, import_table
from coatl_tools.referee.table_folder import (
    MAX_NAME_LENGTH,
    delete_table,
    find_table_path,
    get_table_path,
    list_table_names,
)
from tests.referee.typed_tables import VIRTUAL, begin_table, list_events, make_virtual_table

HEADER = TableHeader(VIRTUAL, load_cards().deck(), 7)
BAD_NAMES = [
    "", " ", " x", "x ", ".", "..", "../x", "a/b", "a\\b", "/etc/passwd", "x\0", "x\n", "a:b", "~",
    "x.jsonl.jsonl", "*", "\udcff", "x" * (MAX_NAME_LENGTH + 1), "\x1b[31mred", "a.b", ".jsonl",
    "\u202ex",
]  # fmt: skip
GOOD_NAMES = [
    "x",
    "evening",
    "Friday 13",
    "a_b-c",
    "wieczór",
    "soirée",
    "夕方",
    "x" * MAX_NAME_LENGTH,
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_could_be_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    for find in (get_table_path, find_table_path):
        with pytest.raises(CommandError, match="cannot be the name of a table") as caught:
            find(tmp_path, name)
        assert str(caught.value).isprintable()
    with pytest.raises(CommandError):
        create_journal(tmp_path / "tables", name, HEADER)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_a_table_is_a_file_of_its_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "deep" / "tables"
    journal = create_journal(folder, name, HEADER)
    assert journal.path == folder / f"{name}.jsonl"
    assert list_table_names(folder) == [name]
    assert find_table_path(folder, name) == find_table_path(folder, f"{name}.jsonl") == journal.path
    with pytest.raises(FileError):
        create_journal(folder, name, HEADER)
    delete_table(journal.path)
    assert list(folder.iterdir()) == []


def test_a_missing_table_names_the_nearest_ones(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="coatl table new"):
        find_table_path(tmp_path, "evening")
    for name in ("evening", "morning", "tournament"):
        create_journal(tmp_path, name, HEADER)
    with pytest.raises(CommandError, match=r"“evenin”\. Tables are: evening"):
        find_table_path(tmp_path, "evenin")
    with pytest.raises(CommandError, match="evening, morning, tournament"):
        find_table_path(tmp_path, "xyz")


def test_only_tables_are_listed_and_always_in_one_order(tmp_path: Path) -> None:
    for name in ("b", "A", "a", "Ą", "c"):
        create_journal(tmp_path, name, HEADER)
    (tmp_path / "notes.txt").write_text("no table")
    (tmp_path / ".new-1.jsonl").write_text("half written")
    (tmp_path / "folder.jsonl").mkdir()
    assert list_table_names(tmp_path) == ["A", "a", "Ą", "b", "c"]
    assert list_table_names(tmp_path / "missing") == []
    assert list_table_names(tmp_path / "notes.txt") == []


def test_what_was_set_aside_goes_with_its_table(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path)
    with table.journal.path.open("ab") as file:
        file.write(b'{"n": 28, "do"')
    Table.open(table.journal.path)
    assert len(list(tmp_path.iterdir())) == 2
    delete_table(table.journal.path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileError):
        delete_table(table.journal.path)


def test_summaries_tell_how_far_each_table_is(tmp_path: Path) -> None:
    make_virtual_table(tmp_path, "keep 1 2; keep 1 2; take 3")
    bots = begin_table(tmp_path / "bots.jsonl", bots=("random", "random"))
    while bots.advance_automatically():
        pass
    (tmp_path / "broken.jsonl").write_text("{")
    (tmp_path / "no name!.jsonl").write_text("cannot be typed")
    over, broken, going = summarize_tables(tmp_path, "en")
    assert (over.name, over.is_over, len(over.winners) > 0) == ("bots", True, True)
    assert (going.name, going.turn, going.is_over, going.winners) == ("evening", 2, False, ())
    assert going.text == "Turn 2: South"
    assert broken.problem
    assert broken.problem == broken.text
    assert [summary.to_data()["problem"] for summary in (over, going)] == [None, None]


@pytest.mark.parametrize("time", [0, -1e10, 1e12, 4e18 / 1e9])
def test_a_file_of_any_date_is_listed(tmp_path: Path, time: float) -> None:
    table = make_virtual_table(tmp_path)
    os.utime(table.journal.path, (time, time))
    (found,) = summarize_tables(tmp_path, "en")
    assert not found.problem


# Tables from elsewhere.


def test_a_record_and_a_file_are_imported_whole(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, "keep 1 2; keep 1 2; cards 1; undo; take 3")
    folder = tmp_path / "tables"
    record = tmp_path / "record.txt"
    record.write_text(format_record("evening", replay_journal(table.journal.path), "en"), "utf-8")
    assert list_events(Table(import_table(folder, record, None))) == list_events(table)
    assert list_events(Table(import_table(folder, record, "again"))) == list_events(table)
    copy = import_table(folder, table.journal.path, "copy")
    assert copy.entries == table.journal.entries  # what was taken back too
    with pytest.raises(FileError):
        import_table(folder, record, None)  # there is one already
    assert list_table_names(folder) == ["again", "copy", "evening"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00\x00",
        b"no game at all",
        b"[" * 100_000,
        b'{"coatl-table": 1}',
        b'{"coatl-table": 99, "options": {}}',
        b'{"coatl-table"' * 1000,
        b'\xef\xbb\xbf{"coatl-table": 1, "options": 7}',
        b"\0" * 5000,
        b'[Table "x"]\n0. {Setup} fill 1 R B',
    ],
)
def test_what_cannot_be_imported_leaves_nothing_behind(tmp_path: Path, data: bytes) -> None:
    file, folder = tmp_path / "found.txt", tmp_path / "tables"
    file.write_bytes(data)
    with pytest.raises((RecordError, JournalError)) as caught:
        import_table(folder, file, None)
    assert str(caught.value)
    assert list_table_names(folder) == []


def test_a_disk_that_is_full_during_an_import_leaves_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_virtual_table(tmp_path, "keep 1 2; keep 1 2; take 3")
    folder = tmp_path / "tables"

    def fail(journal: Journal, written: bytes) -> None:
        raise FileError("file.unwritable", path=journal.path, reason="No space left on device")

    monkeypatch.setattr(Journal, "_write", fail)
    with pytest.raises(FileError):
        import_table(folder, table.journal.path, "copy")
    assert list_table_names(folder) == []


def test_a_record_that_breaks_a_rule_makes_no_table(tmp_path: Path) -> None:
    table = make_virtual_table(tmp_path, "keep 1 2; keep 1 2; take 3")
    text = format_record("evening", replay_journal(table.journal.path), "en").replace(
        "take 3", "take 33"
    )
    file, folder = tmp_path / "record.txt", tmp_path / "tables"
    file.write_text(text, "utf-8")
    with pytest.raises(CoatlError, match=r"Rule 1\.4"):
        import_table(folder, file, None)
    assert not folder.exists() or list(folder.iterdir()) == []
