"""Disks that are full, files that are taken, and two who write at once."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from coatl_tools import load_cards
from coatl_tools.errors import (
    FileError,
    JournalError,
    OptionError,
)
from coatl_tools.referee import journal as journal_module
from coatl_tools.referee.journal import Journal, TableHeader, replay_journal
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.events import parse_event
from coatl_tools.rules.history import DoEvent
from tests.programs import needs_ordinary_user, needs_posix
from tests.referee.journal_samples import OPTIONS, begin_journal


def test_two_who_write_at_once_do_not_mix(table: Journal) -> None:
    other = Journal.open(table.path)
    move = DoEvent(list_legal_actions(table.history.state)[0])
    table.append(move)
    before = table.path.read_bytes()
    with pytest.raises(JournalError, match="Another program"):
        other.append(move)
    assert table.path.read_bytes() == before
    Journal.open(table.path).append(DoEvent(list_legal_actions(table.history.state)[0]))


def test_a_table_is_never_written_over(table: Journal) -> None:
    before = table.path.read_bytes()
    with pytest.raises(FileError, match="already"):
        begin_journal(table.path)
    assert table.path.read_bytes() == before
    assert sorted(path.name for path in table.path.parent.iterdir()) == ["evening.jsonl"]


def test_files_that_cannot_be_used_say_so(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no file"):
        Journal.open(tmp_path / "none.jsonl")
    with pytest.raises(FileError, match="folder"):
        Journal.open(tmp_path)
    with pytest.raises(FileError, match="no folder"):
        begin_journal(tmp_path / "nowhere" / "t.jsonl")
    with pytest.raises(FileError):
        begin_journal(tmp_path / ("x" * 300 + ".jsonl"))
    with pytest.raises(FileError, match="cannot be read"):
        replay_journal(tmp_path / "nul\0.jsonl")
    big = tmp_path / "big.jsonl"
    with big.open("wb") as file:
        file.truncate(journal_module.MAX_FILE_BYTES + 2)
    with pytest.raises(JournalError, match="larger"):
        replay_journal(big)


def test_a_full_disk_leaves_the_table_whole(
    table: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = table.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    move = DoEvent(list_legal_actions(table.history.state)[0])
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(FileError, match="No space left"):
            table.append(move)
    assert table.path.read_bytes() == before
    table.append(move)
    assert replay_journal(table.path).history.events == table.history.events


@needs_posix
def test_a_new_table_and_a_torn_line_set_aside_are_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: set[int] = set()
    sync = os.fsync

    def note(number: int) -> None:
        synced.add(os.fstat(number).st_ino)
        sync(number)

    monkeypatch.setattr(os, "fsync", note)
    path = begin_journal(tmp_path / "new.jsonl").path
    assert {path.stat().st_ino, tmp_path.stat().st_ino} <= synced
    with path.open("ab") as file:
        file.write(b'{"n": 1')
    Journal.open(path)
    assert path.with_name("new.jsonl.torn").stat().st_ino in synced


def test_a_table_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    for seed in (-1, 2**128, True, 1.5, "7"):
        with pytest.raises(OptionError, match="seed"):
            begin_journal(path, seed=cast(int, seed))
    with pytest.raises(JournalError, match="all cards of the base game"):
        Journal.create(path, TableHeader(OPTIONS, tuple(load_cards())[20:], None))
    odd = replace(load_cards()["P01"], id="a b")
    with pytest.raises(JournalError, match="id"):
        Journal.create(path, TableHeader(OPTIONS, (*load_cards(), odd), None))
    assert not list(tmp_path.iterdir())


def test_a_file_that_was_exchanged_is_noticed(tmp_path: Path) -> None:
    one, other = (
        begin_journal(tmp_path / "a.jsonl", seed=7),
        begin_journal(tmp_path / "b.jsonl", seed=8),
    )
    before = one.path.read_bytes()
    one.path.write_bytes(other.path.read_bytes())  # of the same size
    with pytest.raises(JournalError, match="Another program"):
        one.append(DoEvent(parse_event("fill 1 R B")))
    assert len(one.path.read_bytes()) == len(before)


def test_a_file_does_not_grow_beyond_what_can_be_read(
    table: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = table.path.read_bytes()
    monkeypatch.setattr(journal_module, "MAX_FILE_BYTES", len(before) + 10)
    with pytest.raises(JournalError, match="larger"):
        table.append(DoEvent(list_legal_actions(table.history.state)[0]))
    assert table.path.read_bytes() == before


@needs_posix
def test_a_disk_that_takes_only_half_a_line_leaves_the_table_whole(table: Journal) -> None:
    before = table.path.read_bytes()
    move = DoEvent(list_legal_actions(table.history.state)[0])
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 5, limits[1]))
    try:
        with pytest.raises(FileError, match="too large"):
            table.append(move)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert table.path.read_bytes() == before
    table.append(move)
    assert Journal.open(table.path).history.events == table.history.events


@needs_ordinary_user
def test_a_file_that_may_not_be_written_says_so(table: Journal) -> None:
    table.path.chmod(stat.S_IRUSR)
    with pytest.raises(FileError, match=r"evening\.jsonl"):
        table.append(DoEvent(list_legal_actions(table.history.state)[0]))
