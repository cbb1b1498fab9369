"""What the documentation says of the tables."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from coatl_tools.simulation.datasets import DATASETS

PAGE = (Path(__file__).parents[2] / "docs" / "simulate.md").read_text("utf-8")


@pytest.mark.parametrize("name", DATASETS)
def test_every_column_is_explained(name: str) -> None:
    (table,) = re.findall(rf"^\| `{name}` \|.*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    firsts = [line.split("|")[1] for line in table.strip().splitlines()[2:]]
    explained = set(re.findall(r"`(\w+)`", " ".join(firsts)))
    assert explained == {column.name for column in fields(DATASETS[name])}
