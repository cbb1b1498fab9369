"""A table that every test may play on, or break."""

from __future__ import annotations

from pathlib import Path

import pytest

from coatl_tools.referee.journal.journal_file import Journal
from tests.referee.tables import some_turns


@pytest.fixture
def table(tmp_path: Path) -> Journal:
    return some_turns(tmp_path / "evening.jsonl")
