"""A table whose program is killed, or whose disk is full, loses nothing that has happened."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coatl_tools.referee.journal import Journal
from coatl_tools.rules.events import Event
from coatl_tools.rules.table_options import TableOptions
from tests.cli.terminal import TIMEOUT, TerminalHome, coatl_command
from tests.cli.typed_games import TypedLine, play_typed_game
from tests.programs import needs_posix
from tests.strategies import example_count

pytestmark = needs_posix

OPTIONS, SEED = TableOptions(players=("North",)), 25
STARTED, ANSWERED = 1.5, 0.15  # seconds that a command, a line at the prompt take, or less
LONG = 40  # lines


@pytest.fixture
def room(tmp_path: Path) -> Iterator[TerminalHome]:
    with TerminalHome(tmp_path) as room:
        room.begin(OPTIONS, SEED)
        yield room


class Game:
    """A solo game that is typed line by line, and how many lines have happened for certain."""

    def __init__(self, room: TerminalHome) -> None:
        self.room, self.heard = room, 0
        self.lines: list[TypedLine] = list(play_typed_game(OPTIONS, SEED, "en"))
        self.dealt = room.reading().history.events

    def next_line(self) -> str:
        """What is typed next."""
        return self.lines[self.heard].line or "adam"

    def events(self) -> tuple[Event, ...]:
        """All that has happened for certain."""
        lines = self.lines[: self.heard]
        return tuple(event for typed in lines for event in typed.events) or self.dealt

    def survived(self, happened: bool) -> None:
        """What happened before the kill is there; the last line either whole or not at all."""
        found = Journal.open(self.room.path).history.events
        if not happened and found == self.events():
            return
        self.heard += 1
        assert found == self.events()

    def begin_again(self) -> None:
        """A new table, before this one is played to its end."""
        self.room.path.unlink()
        self.room.begin(OPTIONS, SEED)
        self.heard = 0


def command(room: TerminalHome, *arguments: str, disk: int | None = None) -> subprocess.Popen[str]:
    """Run `coatl_command table …`."""
    return subprocess.Popen(
        coatl_command("table", *arguments, disk=disk),
        env=room.environment(),
        cwd=room.home,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def kill_do(game: Game, chance: random.Random) -> None:
    """Kill `coatl_command table do` at any moment, or when it has just begun to write."""
    size = game.room.path.stat().st_size
    with command(game.room, "do", "evening", game.next_line()) as process:
        wait(chance, STARTED, lambda: process.poll() is None and not grown(game.room, size))
        process.kill()
        process.communicate()
    game.survived(happened=process.returncode == 0)


def kill_play(game: Game, chance: random.Random) -> None:
    """Kill `coatl_command table play` at any moment after some lines: those whose prompt came
    back.
    """
    terminal = game.room.sit()
    terminal.asked("")
    for _ in range(chance.randint(0, 3)):
        terminal.enters(game.next_line())
        terminal.asked("")
        game.survived(happened=True)
    size = game.room.path.stat().st_size
    terminal.enters(game.next_line())
    wait(chance, ANSWERED, lambda: not grown(game.room, size))
    terminal.child.kill(signal.SIGKILL)
    assert terminal.ended() == -signal.SIGKILL
    game.survived(happened=False)


def grown(room: TerminalHome, size: int) -> bool:
    """Whether something was written to the table's file."""
    return room.path.stat().st_size != size


def wait(chance: random.Random, most: float, still: Callable[[], bool]) -> None:
    """Until any moment; every other time until it is no longer so."""
    if chance.random() < 0.5:
        time.sleep(chance.uniform(0, most))
        return
    until = time.monotonic() + TIMEOUT
    while still():
        assert time.monotonic() < until
        time.sleep(0.0003)


def killed_again_and_again(room: TerminalHome, kills: int, seed: int) -> None:
    game, chance = Game(room), random.Random(seed)
    for number in range(kills):
        (kill_do if number % 2 else kill_play)(game, chance)
        if game.heard > LONG:
            game.begin_again()
    with command(room, "verify", str(room.path)) as verifying:
        assert verifying.wait(TIMEOUT) == 0


def test_a_killed_program_loses_nothing_and_does_nothing_by_half(room: TerminalHome) -> None:
    killed_again_and_again(room, kills=6, seed=1)


@pytest.mark.soak
def test_a_program_killed_hundreds_of_times_loses_nothing(room: TerminalHome) -> None:
    killed_again_and_again(room, example_count(20_000) // 100, seed=random.randrange(10**6))


def test_what_was_torn_by_a_kill_is_set_aside_and_said(room: TerminalHome) -> None:
    """The kill that no test can time: in the middle of a line."""
    events = room.reading().history.events
    with room.path.open("ab") as file:
        file.write(b'{"n": 22, "do": "ke')
    terminal = room.sit()
    terminal.asked("North>")
    assert "torn" in terminal.left
    terminal.enters("keep 1 2 3")
    terminal.asked("")
    assert room.reading().history.events[:-1] == events
    assert room.path.with_name("evening.jsonl.torn").read_bytes() == b'{"n": 22, "do": "ke\n'


# A full disk.


@pytest.mark.parametrize("room_left", [0, 5])
def test_a_full_disk_is_told_and_nothing_is_lost_by_do(room: TerminalHome, room_left: int) -> None:
    before = room.path.read_bytes()
    disk = len(before) + room_left
    with command(room, "do", "evening", "keep 1 2 3; adam", disk=disk) as process:
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 3
    assert "evening.jsonl" in err
    assert "Traceback" not in err
    assert out == ""
    assert room.path.read_bytes() == before
    with command(room, "do", "evening", "keep 1 2 3; adam") as process:
        process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0


def test_a_full_disk_is_told_and_nothing_is_lost_by_play(room: TerminalHome) -> None:
    room.table().do("keep 1 2 3")
    before = room.path.read_bytes()
    terminal = room.sit(disk=len(before) + 5)
    terminal.asked("Press Enter")
    terminal.enters()
    assert terminal.ended() == 3
    assert "evening.jsonl" in terminal.left
    assert "Traceback" not in terminal.left
    assert room.path.read_bytes() == before
    terminal = room.sit()
    terminal.asked("Press Enter")
    terminal.enters()
    terminal.asked("North>")
    assert room.path.read_bytes().startswith(before)
    assert room.path.stat().st_size > len(before)
