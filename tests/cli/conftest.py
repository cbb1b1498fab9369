"""Tables that the tests of the command play on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command_runner import TableCommands
from tests.referee.typed_tables import SETUP


@pytest.fixture
def table(tmp_path: Path) -> TableCommands:
    return TableCommands(tmp_path / "tables")


@pytest.fixture
def evening(table: TableCommands) -> TableCommands:
    """A virtual table of North and South, whose first turn begins."""
    table.ok("new", "evening", "--seed", "7")
    table.ok("do", "evening", "keep 1 2", "keep 1 2")
    return table


@pytest.fixture
def real(table: TableCommands) -> TableCommands:
    """A real table of North and South, whose first turn begins."""
    table.ok("new", "evening", "--physical")
    table.ok("do", "evening", SETUP, "keep 2", "keep 2")
    return table


@pytest.fixture
def finished(table: TableCommands) -> TableCommands:
    """A game of two bots, played."""
    table.ok("new", "evening", "--players", "bot:random,bot:random", "--seed", "3")
    table.ok("play", "evening")
    return table
