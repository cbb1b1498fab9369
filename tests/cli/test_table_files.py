"""Tables as files: listed, exported, imported, played again, verified, deleted, completed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.shell_completion import ShellComplete

from coatl_tools.cli import coatl as command_line
from tests.cli.command_runner import TableCommands
from tests.conftest import Run
from tests.programs import needs_ordinary_user
from tests.referee.typed_tables import LANGUAGES

# list


def test_no_tables_yet(table: TableCommands) -> None:
    assert "coatl table new" in table.ok("list")
    assert table.told("list") == []


def test_damaged_tables_are_listed_as_such(evening: TableCommands) -> None:
    evening.file("broken").write_bytes(b"\x00\xff" * 100)
    evening.file("empty").write_bytes(b"")
    evening.file("deep").write_bytes(b'{"coatl-table": ' + b"[" * 100_000)
    changed = evening.file("evening").read_bytes().replace(b'"fill 1 ', b'"fill 2 ')
    evening.file("changed").write_bytes(changed)
    data = evening.told("list")
    problems = {found["table"]: found["problem"] for found in data}
    assert problems.pop("evening") is None
    assert len(problems) == 4
    assert all(problems.values())
    shown = evening.ok("list")
    assert all(name in shown for name in problems)
    assert set(data[0]) == {"table", "players", "played", "turn", "over", "winners", "problem"}
    for language in LANGUAGES:
        assert evening.ok("list", "--lang", language, COLUMNS="30")


# export, import, replay, verify, delete


def test_a_record_goes_out_and_comes_back(finished: TableCommands, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    printed = finished.ok("export", "evening")
    finished.ok("export", "evening", "-o", str(record))
    assert record.read_text("utf-8") == printed
    assert "imported, with" in finished.ok("import", str(record), "--name", "copy")
    assert finished.told("score", "copy") == finished.told("score", "evening")
    done = finished("import", str(record))
    assert done.code == 3  # there is one of that name
    for language in LANGUAGES:
        record.write_text(finished.ok("export", "evening", "--lang", language), "utf-8")
        finished.ok("import", str(record), "--name", f"copy {language}")


def test_a_record_of_a_game_that_is_not_over_needs_a_word(evening: TableCommands) -> None:
    done = evening("export", "evening")
    assert (done.code, done.out) == (1, "")
    assert "--open-hands" in done.err
    assert evening.ok("export", "evening", "--open-hands")


def test_export_into_nowhere(finished: TableCommands, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing" / "x.txt", Path("/dev/null/x")):
        assert finished("export", "evening", "-o", str(path)).code == 3


def test_a_tables_file_is_imported_with_all_that_was_taken_back(
    evening: TableCommands, tmp_path: Path
) -> None:
    evening.ok("do", "evening", "cards 1", "undo", "take 3")
    copy = TableCommands(tmp_path / "copies")
    copy.ok("import", str(evening.file("evening")))
    assert copy.ok("log", "evening", "--as", "1") == evening.ok("log", "evening", "--as", "1")


def test_a_file_is_verified(finished: TableCommands) -> None:
    file = str(finished.file("evening"))
    assert "to the end of the game" in finished.ok("verify", file)
    data = finished.told("verify", file)
    assert data == {
        "file": file,
        "entries": data["events"],
        "over": True,
        "events": data["events"],
        "torn": False,
    }


def test_a_file_changed_by_hand_does_not_verify(evening: TableCommands) -> None:
    path = evening.file("evening")
    lines = path.read_text("utf-8").splitlines(keepends=True)
    for wrong in (
        "".join([*lines[:3], *lines[4:]]),
        "".join(lines).replace("keep", "kept"),
        "".join([*lines, '{"n": 30, "do": "take 33"}\n']),
        "".join([*lines, '{"n": 30, "do": "take 3", "check": "0"}\n']),
        "".join([*lines, "[1]\n"]),
    ):
        path.write_text(wrong, "utf-8")
        for command in ("verify", "replay", "import"):
            done = evening(command, str(path), *(["--name", "x"] if command == "import" else []))
            assert done.code == 1
            assert "line" in done.err
        for command in ("show", "log", "score", "play", "export"):
            assert evening(command, "evening").code == 1
        assert evening("do", "evening", "take 3").code == 1
        assert path.read_text("utf-8") == wrong


def test_a_torn_line_is_told_and_the_game_goes_on(evening: TableCommands) -> None:
    path = evening.file("evening")
    with path.open("ab") as file:
        file.write(b'{"n": 30, "do": "ta')
    done = evening("verify", str(path))
    assert done.code == 1
    assert "is valid" in done.out
    done = evening("do", "evening", "take 3")
    assert done.code == 0
    assert "torn" in done.err
    assert evening.ok("show", "evening")
    assert evening("verify", str(path)).code == 0


@pytest.mark.parametrize("command", ["verify", "replay", "import"])
def test_files_that_are_none(table: TableCommands, tmp_path: Path, command: str) -> None:
    for path in (tmp_path, tmp_path / "missing", Path("/dev/null/x"), Path("x" * 5000)):
        assert table(command, str(path)).code == 3, path
    hostile = tmp_path / "hostile.jsonl"
    for data in (
        b"", b"\n\n\n", b"null\n", b"\xff\xfe", b"{" * 50_000, b'{"coatl-table": 1}\n',
        b'{"coatl-table": 1e999}\n', b'{"coatl-table": 1, "options": {"players": "x"}}\n',
        b'{"coatl-table": ' + b"9" * 10_000 + b"}\n", b"\x1b[2J\x1b]0;x\x07" * 100,
    ):  # fmt: skip
        hostile.write_bytes(data)
        done = table(command, str(hostile))
        assert done.code == 1, data[:40]
        assert "\x1b" not in done.err
    assert not list(table.folder.iterdir()) if table.folder.exists() else True


def test_a_game_is_played_again(evening: TableCommands) -> None:
    evening.ok("do", "evening", "take 3", "take 7")
    path = str(evening.file("evening"))
    whole = evening.ok("replay", path)
    assert "North takes from space 3" in whole
    assert "North keeps 2 of" in whole  # no hand is told
    part = evening.ok("replay", path, "--to", "30", "--plain")
    assert "North takes from space 3" in part
    assert "South takes" not in part
    assert evening.ok("replay", path, "--to", "0")
    assert evening.ok("replay", path, "--step")
    assert evening("replay", path, "--to", "99").code == 1
    assert evening("replay", path, "--to", "-1").code == 2


def test_a_table_is_deleted_only_with_a_word(evening: TableCommands) -> None:
    done = evening("delete", "evening")
    assert done.code == 1
    assert "--yes" in done.err
    assert evening.file("evening").exists()
    evening.ok("delete", "evening", "--yes")
    assert not evening.file("evening").exists()
    done = evening("delete", "evening", "--yes")
    assert done.code == 1


def test_a_damaged_table_can_be_deleted(evening: TableCommands) -> None:
    evening.file("broken").write_bytes(b"\xff")
    evening.ok("delete", "broken", "--yes")


@pytest.mark.parametrize("command", ["show", "log", "score", "undo", "play", "export", "delete"])
def test_a_missing_table_names_those_that_are_there(evening: TableCommands, command: str) -> None:
    done = evening(command, "evenin")
    assert done.code == 1
    assert "Tables are: evening." in done.err


# The system around it.


@needs_ordinary_user
def test_a_folder_that_cannot_be_written(evening: TableCommands) -> None:
    evening.folder.chmod(0o500)
    try:
        assert evening("new", "other").code == 3
        assert evening("delete", "evening", "--yes").code == 3
    finally:
        evening.folder.chmod(0o700)


def test_a_folder_that_cannot_be_made() -> None:
    nowhere = TableCommands(Path("/dev/null/tables"))
    done = nowhere("new", "evening")
    assert done.code == 3
    assert "/dev/null/tables" in done.err


def test_a_folder_that_is_a_file(table: TableCommands, tmp_path: Path) -> None:
    table.folder.write_text("a file")
    assert table("new", "evening").code in (2, 3)
    assert table("list").code in (0, 2, 3)
    inside = TableCommands(table.folder / "deeper")
    assert inside("new", "evening").code == 3
    assert inside("show", "evening").code == 1


def test_a_table_that_is_a_folder(table: TableCommands) -> None:
    table.file("evening").mkdir(parents=True)
    for command in ("show", "play", "log"):
        assert table(command, "evening").code == 1
    assert table("new", "evening").code == 3
    assert table("delete", "evening", "--yes").code == 1


def real_command(folder: Path, *arguments: str, stdout: Any) -> tuple[int, bytes]:
    """The exit code and the errors of the real command, which prints to `stdout`."""
    done = subprocess.run(
        [sys.executable, "-m", "coatl_tools", "table", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
        env=os.environ | {"COATL_TABLES": str(folder)},
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("style", ["--plain", "--json"])
def test_whoever_reads_the_output_may_leave(evening: TableCommands, style: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    assert real_command(evening.folder, "log", "evening", style, stdout=writing) == (141, b"")
    os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_for_the_output(evening: TableCommands) -> None:
    with Path("/dev/full").open("wb") as full:
        code, said = real_command(evening.folder, "show", "evening", stdout=full)
    assert code == 3
    assert said.startswith(b"Error: ")


def test_a_file_may_be_named_like_its_table(evening: TableCommands) -> None:
    assert "is valid" in evening.ok("verify", "evening")
    assert "North" in evening.ok("replay", "evening.jsonl")


# A shell that completes.


def completed(folder: Path, *words: str) -> list[str]:
    """What a shell offers for the last of these words."""
    shell = ShellComplete(command_line, {}, "coatl", "_COATL_COMPLETE")
    with patch.dict(os.environ, {"COATL_TABLES": str(folder), "COATL_LANG": "en"}):
        found = shell.get_completions(["table", *words[:-1]], words[-1])
    return [item.value for item in found]


def test_a_shell_completes_tables_and_commands(evening: TableCommands, tmp_path: Path) -> None:
    assert completed(evening.folder, "show", "ev") == ["evening"]
    assert completed(evening.folder, "show", "x") == []
    assert completed(tmp_path, "show", "--dir", str(evening.folder), "") == ["evening"]
    mine = completed(evening.folder, "do", "--as", "North", "evening", "take")
    assert mine == [f"take {number}" for number in range(1, 11)]
    for_all = completed(evening.folder, "do", "evening", "")
    assert {"take 1", "undo"} <= set(for_all)
    assert not any(command.startswith(("keep", "play", "discard")) for command in for_all)
    assert completed(evening.folder, "do", "nothing", "") == []
    assert completed(evening.folder, "do", "--as", "Nobody", "evening", "") == []


def test_a_shell_is_answered_with_success(evening: TableCommands) -> None:
    program = "import sys; sys.argv = ['coatl']; from coatl_tools.__main__ import main; main()"
    words = {"COMP_WORDS": "coatl table show ", "COMP_CWORD": "3"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,  # with code 0
        timeout=60,
        env=os.environ
        | {"COATL_TABLES": str(evening.folder), "_COATL_COMPLETE": "bash_complete"}
        | words,
    )
    assert done.stdout == b"plain,evening\n"


# Where there is nobody to ask, or nowhere to write.


@pytest.mark.parametrize(("command", "code"), [("play", 0), ("undo", 1), ("delete", 1)])
def test_closed_input_is_no_mistake_of_ours(
    evening: TableCommands, command: str, code: int
) -> None:
    line = f'"{sys.executable}" -m coatl_tools table {command} evening <&-'
    env = os.environ | {"COATL_TABLES": str(evening.folder), "COATL_LANG": "en"}
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, "bug in coatl" in done.stderr) == (code, False)
    assert evening.file("evening").exists()


def test_what_was_done_is_kept_though_nothing_can_be_printed(evening: TableCommands) -> None:
    before = evening.file("evening").read_bytes()
    line = f'"{sys.executable}" -m coatl_tools table do evening "take 1" >/dev/full'
    env = os.environ | {"COATL_TABLES": str(evening.folder), "COATL_LANG": "en"}
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 3
    assert "has been done and saved" in done.stderr
    assert evening.file("evening").read_bytes().startswith(before)
    assert evening.file("evening").read_bytes() != before


def test_a_terminal_without_a_width_shows_something(evening: TableCommands, run: Run) -> None:
    tables = {"COATL_TABLES": str(evening.folder)}
    shown = run("table", "show", "evening", COLUMNS="0", **tables)
    assert "North" in shown.out
