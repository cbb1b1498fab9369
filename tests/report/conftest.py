"""A report of made-up games, made once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from coatl_tools.report.counting import count_games, open_sources
from coatl_tools.report.dataset_reader import SimulationSource
from coatl_tools.report.report_figures import ReportFigures
from tests.cli.command_runner import run_coatl
from tests.conftest import Result
from tests.report.random_datasets import DECK, OWN_CARD, make_plan, random_games, write_datasets

HOSTILE = "<img src=x onerror=alert(1)>"


@dataclass(frozen=True)
class Made:
    """A report, what it was made of, and what the command said."""

    folder: Path
    sources: tuple[SimulationSource, ...]
    figures: ReportFigures
    result: Result

    @property
    def page(self) -> Path:
        return self.folder / "report.html"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A card of one's own among all others, with 2 and 3 players and alone."""
    home = tmp_path_factory.mktemp("report")
    folders = []
    for name, size, levels in (("two", 2, ((),)), (HOSTILE, 3, ((),)), ("solo", 1, ((), (1, 3)))):
        plan = make_plan(70, size, seed=size, cards=[*DECK, OWN_CARD], levels=levels)
        folders.append(write_datasets(home / name, plan, random_games(plan, seed=size)))
    with patch("coatl_tools.report.plots.charts.DPI", 100):  # drawn in half the time
        result = run_coatl("report", *folders, "--out", home / "made", "--lang", "en")
    assert result.code == 0, result.err
    sources = open_sources(folders)
    return Made(home / "made", sources, count_games(sources, lambda _: None), result)
