"""The real command in a real terminal: somebody sits down, types, and looks."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import pexpect

from coatl_tools import load_cards
from coatl_tools.referee.journal import JournalContents, TableHeader, replay_journal
from coatl_tools.referee.table import Table
from coatl_tools.referee.table_creation import create_journal
from coatl_tools.rules.table_options import TableOptions

LINES, COLUMNS = 45, 80
TIMEOUT = 60  # seconds; a busy machine is slow, and nothing is ever waited for in vain
CLEARED = "\x1b[3J"  # the end of what clears screen and scrollback
ENTER, TAB, UP, CTRL_C, CTRL_D, CTRL_U, CTRL_Y = (
    "\r",
    "\t",
    "\x1b[A",
    "\x03",
    "\x04",
    "\x15",
    "\x19",
)
NORTH, SOUTH = "North> ", "South> "
HAND_OVER = "Press Enter to continue."
_ON_A_SMALL_DISK = """
import resource, runpy, sys
limit = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
runpy.run_module("coatl_tools", run_name="__main__", alter_sys=True)
"""
_PROMPT_SIGNAL = "\x1b[?2004h"  # what a prompt begins with, and nothing else
_CONTROL_CODES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>])")


class Terminal:
    """One running command; what it shows is read as it comes."""

    def __init__(self, child: pexpect.spawn[str]) -> None:
        self.child = child
        self._shown = io.StringIO()
        child.logfile_read = self._shown

    def asked(self, question: str) -> str:
        """Wait for the next prompt, which has to be this one; what was shown before it."""
        self.child.expect_exact(_PROMPT_SIGNAL)
        before = self.child.before or ""
        self.sees(question.rstrip())
        return strip_control_codes(before)

    def sees(self, text: str) -> None:
        """Wait for a text."""
        self.child.expect_exact(text)

    def types(self, keys: str) -> None:
        """Type keys, without Enter; the terminal may show them one by one."""
        self.child.send(keys)

    def enters(self, line: str = "") -> None:
        """Type a line."""
        self.child.send(line + ENTER)

    def ended(self) -> int:
        """Wait for the end; the exit code, or the signal as a negative number."""
        self.child.expect(pexpect.EOF)
        self.child.wait()
        signal: int | None = self.child.signalstatus
        return -signal if signal else int(self.child.exitstatus or 0)

    @property
    def raw(self) -> str:
        """Everything that was written to the terminal so far."""
        return self._shown.getvalue()

    @property
    def left(self) -> str:
        """What is still on the screen or can be scrolled back to."""
        return strip_control_codes(self.raw.rpartition(CLEARED)[2])


class TerminalHome:
    """A home with nothing in it, a folder of tables, and those who sit there."""

    def __init__(self, folder: Path) -> None:
        self.home, self.tables = folder / "home", folder / "tables"
        self.home.mkdir()
        self._sitting: list[pexpect.spawn[str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._sitting:
            child.close(force=True)

    def begin(
        self, options: TableOptions, seed: int | None = 1, bots: tuple[str, ...] = ()
    ) -> Path:
        """Begin the table “evening”, and deal."""
        header = TableHeader(options, load_cards().deck(options.promo), seed, bots)
        table = Table(create_journal(self.tables, "evening", header))
        table.advance_automatically()
        return table.journal.path

    @property
    def path(self) -> Path:
        """The table's file."""
        return self.tables / "evening.jsonl"

    def table(self) -> Table:
        """The table as another program opens it."""
        return Table.open(self.path)

    def reading(self) -> JournalContents:
        """The table as it is on the disk."""
        return replay_journal(self.path)

    def environment(self) -> dict[str, str]:
        """An environment where nothing of the user's own counts."""
        kept: Mapping[str, str] = {
            name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ
        }
        homes = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
        own = {name: str(self.home / name.lower()) for name in homes}
        return {
            **kept,
            **own,
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "COATL_TABLES": str(self.tables),
            "PROMPT_TOOLKIT_NO_CPR": "1",  # nobody answers where the cursor is
        }

    def sit(self, *arguments: str, disk: int | None = None, **changed: str) -> Terminal:
        """Sit down with `coatl_command table play evening …`."""
        python, *rest = coatl_command("table", "play", "evening", *arguments, disk=disk)
        child: pexpect.spawn[str] = pexpect.spawn(
            python,
            rest,
            env=self.environment() | changed,
            cwd=str(self.home),
            encoding="utf-8",
            dimensions=(LINES, COLUMNS),
            timeout=TIMEOUT,
        )
        child.delaybeforesend = None
        self._sitting.append(child)
        return Terminal(child)


def coatl_command(*arguments: str, disk: int | None = None) -> list[str]:
    """The command; with a disk that takes files of so many bytes and no larger ones."""
    if disk is None:
        return [sys.executable, "-m", "coatl_tools", *arguments]
    return [sys.executable, "-c", _ON_A_SMALL_DISK, str(disk), *arguments]


def strip_control_codes(text: str) -> str:
    """What people see of a text."""
    return _CONTROL_CODES.sub("", text).replace("\r", "")


def seat_north(room: TerminalHome, *arguments: str, **changed: str) -> Terminal:
    """North before the screen of a virtual table for two, both hands kept."""
    room.begin(TableOptions(players=("North", "South")), seed=5)
    room.table().do("keep 1 2; keep 1 2")
    terminal = room.sit(*arguments, disk=None, **changed)
    hand_over(terminal, NORTH)
    return terminal


def hand_over(terminal: Terminal, to: str) -> str:
    """The next player sits down; what they see."""
    terminal.asked(HAND_OVER)
    terminal.enters()
    return terminal.asked(to)
