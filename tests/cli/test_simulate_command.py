"""`run_coatl simulate`: the same games whoever plays them, and none lost, whatever happens."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coatl_tools.files.data_paths import LANGUAGE_CODES
from tests.cli.command_runner import run_coatl
from tests.cli.terminal import coatl_command as on_a_disk
from tests.conftest import Run
from tests.programs import needs_posix
from tests.simulation.plans import list_visible_files

pytestmark = needs_posix

SOLO = (
    "simulate",
    "--solo",
    "--players",
    "random",
    "--levels",
    "none",
    "--levels",
    "1,5",
    "--seed",
    "5",
)
GAMES = 13
ENDLESS = 10**12
PATIENCE = 60  # seconds


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a simulation that one process played without a stop."""
    folder = tmp_path_factory.mktemp("simulate") / "sim"
    done = run_coatl(*SOLO, "--games", str(GAMES), "--jobs", "1", "--out", folder)
    assert done.code == 0
    return list_visible_files(folder)


def test_two_processes_make_the_same_files(
    program: Run, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    out = tmp_path / "sim"
    done = program(*SOLO, "--games", str(GAMES), "--jobs", "2", "--out", out, "--json")
    assert (done.code, done.err) == (0, "")
    assert list_visible_files(out) == whole
    unkept = run_coatl(*SOLO, "--games", str(GAMES), "--jobs", "1", "--json")
    assert unkept.out == done.out
    found = json.loads(done.out)
    assert (found["games"], found["seed"]) == (GAMES, 5)
    assert [one["bot"] for one in found["players"]] == ["random", "adam"]
    assert [(one["levels"], one["games"]) for one in found["adam"]] == [("", 7), ("1+5", 6)]
    assert sum(one["wins"] for one in found["players"]) == GAMES


class Running:
    """A simulation with two processes that would never end."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.command = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "coatl_tools",
                *SOLO,
                f"--games={ENDLESS}",
                "--jobs=2",
                "--out",
                out,
            ],
            env=os.environ | {"LANG": "C.UTF-8", "XDG_CONFIG_HOME": os.devnull},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def games(self) -> int:
        """How many games are kept."""
        parts = self.out.glob("parts/0*.jsonl")
        return sum(part.read_text().count("\n") - 1 for part in parts)

    def played(self, games: int) -> None:
        """Wait until so many games are kept."""
        _wait_for(lambda: self.games() >= games)

    def memory(self) -> int:
        """How many megabytes it uses."""
        status = Path(f"/proc/{self.command.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) // 1024

    def others(self) -> list[int]:
        """The other processes of the simulation that are still there."""
        alive = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                _, _, rest = path.read_text().rpartition(")")
            except OSError:
                continue
            state, _, _, session = rest.split()[:4]
            pid = int(path.parent.name)
            if int(session) == self.command.pid != pid and state != "Z":
                alive.append(pid)
        return alive


def _wait_for(happened: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    simulation = Running(tmp_path / "sim")
    try:
        yield simulation
    finally:
        simulation.command.kill()
        simulation.command.communicate()


def goes_on(out: Path, whole: dict[str, bytes]) -> None:
    """What was stopped becomes what it would have been."""
    done = run_coatl(*SOLO[:-2], "--games", str(GAMES), "--jobs", "1", "--out", out)  # its own seed
    assert (done.code, done.err) == (0, "")
    assert {
        name: content for name, content in list_visible_files(out).items() if name in whole
    } == whole


def test_ctrl_c_keeps_what_is_played_and_says_how_much(
    running: Running, whole: dict[str, bytes]
) -> None:
    """Of a thousand billion games, which take no memory before they are played."""
    running.played(games=2)
    assert running.memory() < 400
    os.killpg(running.command.pid, signal.SIGINT)  # as a terminal does
    _, said = running.command.communicate(timeout=PATIENCE)
    assert running.command.returncode == 130
    sentence = rf"Stopped\. (\d+) games are saved in “{running.out}”; run the same command.*\n"
    kept = re.fullmatch(sentence, said)
    assert kept
    assert 0 <= running.games() - int(kept[1]) <= 1  # the last one may not be counted yet
    _wait_for(lambda: not running.others())
    goes_on(running.out, whole)


def test_kill_9_loses_nothing_that_was_played(running: Running, whole: dict[str, bytes]) -> None:
    running.played(games=8)
    running.command.kill()
    _wait_for(lambda: not running.others())
    goes_on(running.out, whole)


def test_a_process_of_the_pool_that_is_killed_is_told(running: Running) -> None:
    running.played(games=2)
    tracker_and_workers = running.others()
    os.kill(max(tracker_and_workers), signal.SIGKILL)  # the tracker is older
    _, said = running.command.communicate(timeout=PATIENCE)
    assert running.command.returncode == 1
    assert "ended unexpectedly" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_golden_summary_fits_its_screen(language: str, golden: Callable[[str, str], None]) -> None:
    shown = []
    for options in (
        ("--players", "random,random,random"),
        ("--solo", "--players", "random", "--levels", "1,2,3,4,5"),
    ):
        done = run_coatl(
            "simulate", "--games", "2", "--seed", "1", "--jobs", "1", *options, "--lang", language
        )
        assert (done.code, done.err) == (0, "")
        assert max(map(len, done.out.splitlines())) <= 80
        shown.append(done.out)
    golden(f"simulate.{language}.txt", "\n".join(shown))


def test_all_options_reach_the_table(tmp_path: Path) -> None:
    options = ["--edition", "pl", "--no-tokens", "--promo", "--golden", "--rule", "9.3=yes"]
    done = run_coatl(
        "simulate", "--games", "1", "--players", "random,random", "--jobs", "1", *options,
        "--out", tmp_path / "sim",
    )  # fmt: skip
    assert done.code == 0
    plan = json.loads((tmp_path / "sim" / "simulation.json").read_text())
    chosen = {"edition": "pl", "tokens": False, "promo": True, "golden_feathers": True}
    assert chosen | {"temple_required": True, "fewer_bodies": False} == {
        name: plan["options"][name] for name in (*chosen, "temple_required", "fewer_bodies")
    }
    assert [cards["set"] for cards in plan["more_cards"]] == ["promo"]
    levels = run_coatl(
        "simulate", "--games", "1", "--jobs", "1", "--solo", "--rule", "levels=2,4", "--json"
    )
    assert [one["levels"] for one in json.loads(levels.out)["adam"]] == ["2+4"]


def test_own_cards_are_played_and_kept(tmp_path: Path) -> None:
    cards = Path(__file__).parents[2] / "docs" / "example-cards.json"
    command = ("simulate", "--games", "1", "--jobs", "1", "--seed", "1", "--out", tmp_path / "sim")
    assert run_coatl(*command, "--cards", cards).code == 0
    plan = json.loads((tmp_path / "sim" / "simulation.json").read_text())
    assert [kept["set"] for kept in plan["more_cards"]] == ["jungle"]
    without = run_coatl(*command)
    assert without.code == 1
    assert "the cards are not the same" in without.err


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--games", "0"], 2, "number of games is a whole number from 1"),
        (["--games", "-5"], 2, "number of games"),
        (["--games", "9" * 30], 2, "number of games"),
        (["--games", "many"], 2, "not a valid integer"),
        (["--games", "9" * 5000], 2, "not a valid integer"),
        (["--players", "nobody,random"], 1, "There is no bot “nobody”"),
        (["--players", ""], 1, "There is no bot"),
        (["--players", "random,random,random,random,random"], 1, "1 to 4 players"),
        (["--solo", "--players", "random,random,random"], 2, "--solo takes one player"),
        (["--levels", "1"], 1, "only for the solo game"),
        (["--solo", "--levels", "7"], 1, "levels from 1 to 5"),
        (["--solo", "--levels", "x"], 2, "levels from 1 to 5"),
        (["--rule", "hidden_hands=yes"], 1, "hidden_hands"),
        (["--rule", "nothing"], 2, "NAME=VALUE"),
        (["--solo", "--golden"], 1, "2 to 4 players"),
        (["--seed", "-1"], 1, "seed"),
        (["--jobs", "0"], 2, "--jobs is a whole number from 1"),
        (["--jobs", "100000"], 2, "--jobs"),
        (["--cluster", "tcp://127.0.0.1:1", "--jobs", "2"], 2, "--jobs cannot be combined"),
        (["--out", ""], 2, "name of a file or folder is empty"),
    ],
)
def test_what_makes_no_sense_is_told(options: list[str], code: int, said: str) -> None:
    done = run_coatl("simulate", "--games", "1", *options)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    command = ("simulate", "--games", "1", "--jobs", "1", "--solo", "--seed", "1", "--out")
    for wrong in (file, file / "sim"):
        done = run_coatl(*command, wrong)
        assert (done.code, done.out) == (3, "")
        assert "is a file, not a folder" in done.err
    assert file.read_text() == "mine"
    unwritable = run_coatl(*command, "/proc/sim")
    assert unwritable.code == 3
    assert "“/proc/sim” cannot be written" in unwritable.err
    assert run_coatl(*command, tmp_path / "sim").code == 0
    other = run_coatl(*command, tmp_path / "sim", "--seed", "2", "--edition", "fr")
    assert other.code == 1
    assert "seed is 1 there and 2 here, edition is en there and fr here" in other.err


@pytest.mark.parametrize(
    "disk", [2000, *(pytest.param(disk, marks=pytest.mark.soak) for disk in (500, 3200))]
)
def test_a_full_disk_is_told_and_nothing_is_half_written(disk: int, tmp_path: Path) -> None:
    out = tmp_path / "sim"
    options = ("simulate", "--games=2", "--solo", "--jobs=1", "--seed=1", "--out", str(out))
    done = subprocess.run(
        on_a_disk(*options, disk=disk), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert f"“{out}" in done.stderr
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert not [path for path in out.rglob("*") if path.name[0] == "." or path.suffix == ".csv"]
    assert run_coatl(*options).code == 0


def test_a_damaged_part_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    command = ("simulate", "--games", "2", "--jobs", "1", "--solo", "--out", tmp_path / "sim")
    assert run_coatl(*command).code == 0
    before = list_visible_files(tmp_path / "sim")
    part = tmp_path / "sim" / "parts" / "000000000.jsonl"
    part.write_bytes(part.read_bytes()[:-9])
    done = run_coatl(*command)
    assert done.code == 0
    assert "000000000.jsonl” is damaged or was changed by hand" in done.err
    assert list_visible_files(tmp_path / "sim") == before


def test_without_pyarrow_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coatl_tools.simulation.datasets.can_write_parquet", lambda: False)
    monkeypatch.setattr("coatl_tools.cli.simulate.can_write_parquet", lambda: False)
    command = ("simulate", "--games", "1", "--jobs", "1", "--solo", "--out", tmp_path / "sim")
    done = run_coatl(*command)
    assert done.code == 0
    assert 'pip install "coatl-tools[simulate]"' in done.out
