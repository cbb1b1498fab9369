"""`run_coatl completion`, and what the shells then complete: asked, and in real terminals."""

from __future__ import annotations

import os
import random
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.events import PlaceProphecy
from tests.cli.command_runner import run_coatl
from tests.conftest import Run
from tests.programs import needs_posix
from tests.referee.typed_tables import begin_table, list_possible, play_evening

pytestmark = needs_posix

MARK = "# coatl completion"
BASH_COMPLETION = Path("/usr/share/bash-completion/bash_completion").exists()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the command `run_coatl` in its folder `bin`."""
    folder = tmp_path / "home of Łucja"
    command = folder / "bin" / "coatl"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m coatl_tools "$@"\n')
    command.chmod(0o755)
    return folder


@pytest.fixture
def environment(home: Path, tmp_path: Path) -> dict[str, str]:
    """What a shell of that home knows, and nothing of the real one."""
    left_out = ("LC_", "COATL_", "XDG_", "ZDOTDIR", "BASH_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return kept | {
        "HOME": str(home),
        "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "COATL_TABLES": str(tmp_path / "tables"),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
    }


@pytest.fixture
def install(run: Run, home: Path) -> Run:
    def installed(*arguments: str, **more: str) -> object:
        kept = {"HOME": str(home), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "ZDOTDIR": ""}
        return run("completion", *arguments, **(kept | more))

    return installed  # type: ignore[return-value] # the command, with this home


def asked(words: str, environment: dict[str, str]) -> list[str]:
    """What the command says may follow; the last word is unfinished."""
    question = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    if words.endswith(" "):
        question["COMP_CWORD"] = str(len(words.split()))
    done = run_coatl(**(environment | question | {"_COATL_COMPLETE": "bash_complete"}))
    assert (done.code, done.err) == (0, "")
    return [line.removeprefix("plain,") for line in done.out.splitlines() if line]


@pytest.fixture
def table(run: Run, environment: dict[str, str]) -> str:
    """A table that awaits a first turn."""
    folder = environment["COATL_TABLES"]
    new = ("new", "evening", "--players", "Ana,Łucja", "--seed", "1", "--dir", folder)
    assert run("table", *new).code == 0
    assert run("table", "do", "evening", "keep 1 2; keep 1 2", "--dir", folder).code == 0
    return folder


def test_tables_are_offered_from_whichever_folder_is_meant(
    table: str, environment: dict[str, str]
) -> None:
    assert asked("coatl table show ev", environment) == ["evening"]
    assert asked("coatl table show x", environment) == []
    elsewhere = environment | {"COATL_TABLES": f"{table}/nowhere"}
    assert asked("coatl table show ev", elsewhere) == []
    assert asked(f"coatl table show --dir {table} ev", elsewhere) == ["evening"]


def test_commands_that_are_legal_are_offered_and_no_hand_is_given_away(
    table: str, environment: dict[str, str]
) -> None:
    assert asked('coatl table do evening "ta', environment)[0] == "take 1"
    offered = asked("coatl table do evening ", environment)
    assert "draw" in offered
    assert "undo" in offered
    assert "take 1" in asked("coatl table do --as Ana evening ta", environment)
    assert "take 1" not in asked("coatl table do --as Łucja evening ta", environment)
    assert asked("coatl table do nowhere ta", environment) == []


def test_own_cards_are_offered_only_to_their_player(run: Run, environment: dict[str, str]) -> None:
    folder = environment["COATL_TABLES"]
    run("table", "new", "evening", "--players", "Ana,Bo", "--seed", "1", "--dir", folder)
    assert asked("coatl table do evening ke", environment) == []
    assert asked("coatl table do --as Bo evening ke", environment) == []
    assert asked("coatl table do --as Ana evening ke", environment)


def test_cards_that_can_be_placed_are_offered_only_to_their_player(
    environment: dict[str, str],
) -> None:
    folder = Path(environment["COATL_TABLES"])
    folder.mkdir()
    table = begin_table(folder / "evening.jsonl")
    next(
        moment
        for moment in play_evening(table, random.Random(1))
        if any(isinstance(event, PlaceProphecy) for event in list_possible(moment))
    )
    player = table.state.game.names[table.state.current_player]
    assert asked(f"coatl table do --as {player} evening pl", environment)
    assert asked("coatl table do evening pl", environment) == []


def test_players_cards_and_languages_are_offered(table: str, environment: dict[str, str]) -> None:
    assert asked("coatl table show evening --as ", environment) == ["Ana", "Łucja"]
    assert asked("coatl table show evening --as lu", environment) == ["Łucja"]
    assert asked("coatl table show nowhere --as ", environment) == []
    assert asked("coatl score RRB p0", environment) == [f"P{n:02}" for n in range(1, 10)]
    assert asked("coatl cards show T1", environment)[:2] == ["T10", "T11"]
    assert asked("coatl cards --lang ", environment) == list(LANGUAGE_CODES)


def test_a_damaged_table_is_no_trouble(table: str, environment: dict[str, str]) -> None:
    for text in ("", "[]", '{"options": 3}', '{"options": {"players": [1, "X"]}}', "[" * 9000):
        Path(table, "evening.jsonl").write_text(text)
        offered = asked("coatl table show evening --as ", environment)
        assert offered == (["X"] if "X" in text else [])
        assert asked("coatl table do evening ta", environment) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_install_twice_changes_nothing_and_uninstall_leaves_no_trace(
    shell: str, install: Run, home: Path
) -> None:
    startups = {name: home / name for name in (".bashrc", ".zshrc")}
    before = b"alias x=y\n\xff\xfe no text\r\nlast line"
    for path in startups.values():
        path.write_bytes(before)
        path.chmod(0o640)
    assert install("install", shell).code == 0
    first = {path: path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}
    again = install("install", shell)
    assert again.code == 0
    assert shell in again.out
    assert {path: path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()} == first
    for path in startups.values():
        assert path.read_bytes().startswith(before)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert MARK in startups[".zshrc"].read_text(errors="replace") or shell != "zsh"
    assert install("uninstall").code == 0
    left = {path.name for path in home.rglob("*") if path.is_file()}
    assert left == {"coatl", ".bashrc", ".zshrc"}
    for path in startups.values():
        assert path.read_bytes().rstrip() == before
    assert "Nothing was installed" in install("uninstall", shell).out


def test_a_start_up_file_that_is_a_link_stays_one(install: Run, home: Path) -> None:
    real = home / "dotfiles" / "zshrc"
    real.parent.mkdir()
    real.write_text("# mine\n")
    (home / ".zshrc").symlink_to(real)
    assert install("install", "zsh").code == 0
    assert (home / ".zshrc").is_symlink()
    assert MARK in real.read_text()


def test_the_shell_is_the_users_if_none_is_named(install: Run, home: Path) -> None:
    assert install("install", SHELL="/usr/local/bin/fish").code == 0
    assert (home / ".config/fish/completions/coatl.fish").is_file()
    moved = home / "moved"
    assert install("install", SHELL="/bin/fish", XDG_CONFIG_HOME=str(moved)).code == 0
    assert (moved / "fish/completions/coatl.fish").is_file()


@pytest.mark.parametrize(
    ("arguments", "variables", "code", "message"),
    [
        (["install", "tcsh"], {}, 2, "“tcsh” is not a shell that can be set up"),
        (["show", "cmd\x1b[31m"], {}, 2, "cmd\\x1b[31m"),
        (["install"], {"SHELL": "/bin/ksh"}, 2, "SHELL does not say"),
        (["install"], {"SHELL": ""}, 2, "Name one: bash, zsh, fish"),
        (["install", "fish"], {"HOME": ""}, 3, "HOME is not set"),
        (["uninstall"], {"HOME": ""}, 3, "HOME is not set"),
        (["install", "fish"], {"HOME": "/dev/null"}, 3, "cannot be"),
        (["install", "zsh"], {"ZDOTDIR": "/proc/nowhere"}, 3, "cannot be written"),
    ],
)
def test_what_cannot_be_set_up_is_said(
    arguments: list[str], variables: dict[str, str], code: int, message: str, install: Run
) -> None:
    result = install(*arguments, **variables)
    assert result.code == code
    assert message in result.err


@pytest.mark.parametrize(
    ("lang", "words"), [("de", "drücke Tab"), ("fr", "appuyez sur Tab"), ("pl", "naciśnij Tab")]
)
def test_it_speaks_the_users_language(lang: str, words: str, install: Run) -> None:
    assert words in install("install", "zsh", "--lang", lang).out


# Real shells.


@pytest.fixture
def shell(
    request: pytest.FixtureRequest, install: Run, environment: dict[str, str], home: Path
) -> Iterator[pexpect.spawn[str]]:
    """A shell in a terminal, after `run_coatl completion install`."""
    name: str = request.param
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name} on this system")
    assert install("install", name).code == 0
    if name == "bash" and BASH_COMPLETION:  # the user's start-up file would load it
        (home / ".bashrc").write_text(". /usr/share/bash-completion/bash_completion\n")
    if name == "fish":  # else it reads all manual pages in the background at its first start
        for data in (".local/share", ".cache"):
            (home / data / "fish" / "generated_completions").mkdir(parents=True)
    child = pexpect.spawn(
        name,
        ["-i"],
        env=environment | {"PS1": "ready> "},
        encoding="utf-8",
        dimensions=(40, 200),
        timeout=30,
    )
    child.sendline("echo its$(( 40 + 2 ))me" if name != "fish" else "echo its(math 40 + 2)me")
    child.expect("its42me")
    yield child
    child.close(force=True)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"], indirect=True)
def test_a_tab_completes_commands_tables_and_what_may_be_done(
    shell: pexpect.spawn[str], table: str
) -> None:
    shell.send("coatl completion sh\tfi\t")
    shell.sendline("")
    shell.expect("complete --no-files --command coatl")
    shell.send("coatl table lo\tev\t")
    shell.sendline("--plain")
    shell.expect("keeps")
    shell.send('coatl table do evening "dr\t')  # the shell closes the quotes
    shell.sendline("")
    shell.expect("Ana draws")


@pytest.mark.parametrize("shell", ["bash", "zsh"], indirect=True)
def test_a_command_with_a_space_stays_one_word(shell: pexpect.spawn[str], table: str) -> None:
    shell.send("coatl table do evening ta\t")  # take 1, take 2…
    shell.sendline("1")
    shell.expect("Ana takes")
