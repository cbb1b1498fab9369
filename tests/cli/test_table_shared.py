"""Several programs at one table, leaving it, and terminals of all kinds."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from coatl_tools.rules.table_options import TableOptions
from tests.cli.terminal import (
    CTRL_C,
    CTRL_D,
    CTRL_U,
    ENTER,
    HAND_OVER,
    LINES,
    NORTH,
    SOUTH,
    TAB,
    TerminalHome,
    seat_north,
)
from tests.conftest import Run
from tests.parameters import sample
from tests.programs import needs_posix

pytestmark = needs_posix


@pytest.fixture
def room(tmp_path: Path) -> Iterator[TerminalHome]:
    with TerminalHome(tmp_path) as room:
        yield room


def test_two_programs_follow_each_other_and_keep_what_is_half_typed(room: TerminalHome) -> None:
    room.begin(TableOptions(players=("North", "South")), seed=5)
    north, south = room.sit("--as", "North"), room.sit("--as", "South")
    north.asked(NORTH)
    south.asked("Waiting for North")
    south.types("card")
    south.sees("d")
    north.enters("keep 1 2")
    north.asked("Waiting for South")
    south.asked("South> card")
    south.enters(" P05")
    assert "P05" in south.asked(SOUTH)
    south.enters("keep 1 2")
    south.asked("Waiting for North")
    north.asked(NORTH)
    assert "South keeps 2" in north.left
    north.types("ta")
    north.sees("a")
    room.table().do("cards 1")  # a third program
    north.asked("North> ta")
    south.asked("Waiting for North")
    assert "North takes from the Prophecy supply" in south.left
    south.enters("undo")  # what North does is not for South to take back
    assert "not South’s turn" in south.asked("Waiting for North")
    south.enters("take 3")
    assert "not South’s turn" in south.asked("Waiting for North")


def test_an_action_counts_only_against_the_newest_state(room: TerminalHome) -> None:
    room.begin(TableOptions(players=("North",)), seed=3)
    terminal = room.sit("--plain")  # which does not look while it waits
    terminal.sees(NORTH)
    room.table().do("keep 1 2 3; adam")
    events = room.reading().history.events
    terminal.enters("keep 1 3 4")
    terminal.sees("did not count")
    terminal.sees("In the meantime:")
    terminal.sees(NORTH)
    assert room.reading().history.events == events
    terminal.enters("take 1")
    terminal.sees(HAND_OVER)
    assert len(room.reading().history.events) > len(events)


def test_a_consent_that_comes_too_late_does_nothing(room: TerminalHome) -> None:
    terminal = seat_north(room)
    terminal.enters("draw")
    terminal.asked(NORTH)
    terminal.enters("undo")
    terminal.asked("Does everybody agree?")
    room.table().do("end")
    events = room.reading().history.events
    assert "did not count" in terminal.asked(HAND_OVER)
    assert room.reading().history.events == events


def test_bots_play_by_themselves(room: TerminalHome) -> None:
    room.begin(TableOptions(players=("North", "Robo")), seed=5, bots=("", "random"))
    terminal = room.sit()
    terminal.asked(NORTH)
    terminal.enters("keep 1 2")
    assert "Robo keeps" in terminal.asked(NORTH)
    terminal.enters("take 1")
    terminal.asked(NORTH)
    assert room.reading().history.state.turns_ended == 2


# Leaving.


@pytest.mark.parametrize(
    ("keys", "code"),
    sample(
        [(CTRL_C, 130), (CTRL_D, 0), (f"quit{ENTER}", 0), (f"q{ENTER}", 0)],
        (CTRL_C, 130),
        (f"q{ENTER}", 0),
    ),
)
def test_everything_is_kept_when_one_leaves(room: TerminalHome, keys: str, code: int) -> None:
    terminal = seat_north(room)
    terminal.enters("cards 1")
    terminal.asked(NORTH)
    terminal.types(keys)
    terminal.sees("Everything is saved.")
    assert terminal.ended() == code
    assert str(room.reading().history.events[-1]).startswith("choose")


def test_a_closed_terminal_loses_nothing(room: TerminalHome) -> None:
    terminal = seat_north(room)
    terminal.enters("cards 1")
    terminal.asked(NORTH)
    terminal.types("cards 2")
    terminal.child.kill(signal.SIGHUP)
    assert terminal.ended() == -signal.SIGHUP
    assert str(room.reading().history.events[-1]).startswith("choose")


def test_the_end_of_a_pipe_is_the_end_of_the_evening(room: TerminalHome, run: Run) -> None:
    room.begin(TableOptions(players=("North", "South")), seed=5)
    piped = run("table", "play", "evening", "--dir", room.tables, typed="keep 1 2\nkeep 1 3\n")
    assert piped.code == 0
    assert piped.out.endswith('Everything is saved. Continue with: coatl table play "evening"\n')
    assert "\x1b" not in piped.out
    assert len(room.reading().history.events) == 29


def test_bytes_that_are_no_text_are_refused_with_a_sentence(
    room: TerminalHome, program: Run
) -> None:
    room.begin(TableOptions(players=("North",)), seed=3)
    play = ("table", "play", "evening", "--dir", room.tables)
    lines = b"keep \xff\xfe\n\x00\x1b[31m\nquit\n"
    piped = program(*play, typed=lines, PYTHONIOENCODING="utf-8:strict")
    assert piped.code == 0
    assert piped.out.count("Error:") == 2
    assert "\x1b" not in piped.out


# Terminals of all kinds.


def test_no_color_means_no_colour(room: TerminalHome) -> None:
    terminal = seat_north(room, NO_COLOR="1")
    terminal.types(f"t{TAB}{TAB}{CTRL_U}")
    terminal.enters("help")
    terminal.asked(NORTH)
    coloured = re.findall(r"\x1b\[(?:[0-9]+;)*(?:[349][0-8]|10[0-7])(?:;[0-9]+)*m", terminal.raw)
    assert coloured == []


def test_ascii_means_ascii_at_the_prompt_too(room: TerminalHome) -> None:
    room.begin(TableOptions(players=("Łucja", "Noël")), seed=5)
    terminal = room.sit("--ascii", "--lang", "pl", "--guided")
    terminal.asked("Enter, aby kontynuowac.")
    terminal.enters()
    shown = terminal.asked("Ktore karty")
    assert "Przyszlosc" in shown
    terminal.enters("1 2")
    terminal.asked("Enter, aby kontynuowac.")
    assert "Lucja" in terminal.left
    assert terminal.raw.isascii()


@pytest.mark.parametrize(("arguments", "term"), [(["--plain"], "xterm"), ([], "dumb")])
def test_no_terminal_is_steered_that_should_not_be(
    room: TerminalHome, arguments: list[str], term: str
) -> None:
    room.begin(TableOptions(players=("North", "South")), seed=5)
    terminal = room.sit(*arguments, TERM=term)
    for turn, to in enumerate([NORTH, SOUTH]):
        terminal.sees(HAND_OVER)
        if turn:  # where the screen cannot be cleared, it is pushed away
            behind = terminal.raw.rpartition("keep 1 2")[2]
            assert behind.count("\n") >= LINES
        terminal.enters()
        terminal.sees(to)
        terminal.enters("keep 1 2")
    terminal.sees(HAND_OVER)
    terminal.types(CTRL_D)
    assert terminal.ended() == 0
    assert "\x1b" not in terminal.raw
    assert len(room.reading().history.events) == 29
