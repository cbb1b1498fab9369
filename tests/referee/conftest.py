"""A table that every test may play on, or break."""

from __future__ import annotations

from pathlib import Path

import pytest

from coatl_tools.referee.journal import Journal
from tests.referee.journal_samples import play_some_turns


@pytest.fixture
def table(tmp_path: Path) -> Journal:
    return play_some_turns(tmp_path / "evening.jsonl")
