"""Games that were really played, counted anew from their files by code that knows no report."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.cli.command_runner import run_coatl

OWN = {
    "set": "fan",
    "cards": [
        {
            "id": "MY-01",
            "kind": "prophecy",
            "colour": "black",
            "requires": {"sequence": "R R"},
            "points": {"1": 6, "2": 12},
        }
    ],
}


pytestmark = pytest.mark.xdist_group("simulated")  # it is played once


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    home = tmp_path_factory.mktemp("simulated")
    cards = home / "own.json"
    cards.write_text(json.dumps(OWN), "utf-8")
    for name, options in (
        ("three", ["--players", "random,random,random"]),
        ("solo", ["--solo", "--levels", "none", "--levels", "1,3"]),
    ):
        shared = ["--games", "6", "--seed", "3", "--jobs", "1", "--cards", str(cards)]
        result = run_coatl("simulate", *options, *shared, "--out", home / name)
        assert result.code == 0, result.err
    return [home / "three", home / "solo"]


@pytest.fixture(scope="module")
def data(folders: list[Path]) -> Any:
    return json.loads(run_coatl("report", *folders, "--json").out)


def rows(folders: list[Path], table: str) -> list[dict[str, str]]:
    found = []
    for folder in folders:
        with (folder / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            found += [{**row, "folder": folder.name} for row in csv.DictReader(file)]
    return found


def test_cards_are_counted_as_they_stand_in_the_table(folders: list[Path], data: Any) -> None:
    adam = [{"folder": "solo", "seat": "2"}]
    mine = [
        row
        for row in rows(folders, "cards")
        if {"folder": row["folder"], "seat": row["seat"]} not in adam
    ]
    assert sum(card["appeared"] for card in data["cards"]) == len(mine)
    for card in data["cards"]:
        own = [row for row in mine if row["card"] == card["id"]]
        placed = [row for row in own if row["outcome"] == "placed"]
        assert (card["appeared"], card["placed"]) == (len(own), len(placed))
        if own:
            points = fmean(int(row["points"]) for row in own)
            assert card["points_per_appearance"]["mean"] == pytest.approx(points)
    assert [card["id"] for card in data["cards"] if card["own"]] == ["MY-01"]


def test_groups_are_those_that_were_played(folders: list[Path], data: Any) -> None:
    groups = [(group["players"], group["levels"], group["games"]) for group in data["groups"]]
    assert groups == [(3, "", 6), (1, "", 3), (1, "1+3", 3)]
    players = rows(folders, "players")
    for seat in data["groups"][0]["seats"]:
        own = [row for row in players if (row["folder"], row["seat"]) == ("three", seat["seat"])]
        assert seat["wins"]["share"] == pytest.approx(fmean(float(row["won"]) for row in own))
    assert data["groups"][1]["adam"]["points"]["mean"]["n"] == 3
    turns = [int(row["turns"]) for row in rows(folders, "games") if row["folder"] == "three"]
    assert data["groups"][0]["turns"]["mean"]["mean"] == pytest.approx(fmean(turns))


def test_a_simulation_that_has_grown_is_to_be_finished(folders: list[Path], tmp_path: Path) -> None:
    grown = tmp_path / "grown"
    grown.mkdir()
    for path in folders[0].iterdir():
        if path.is_file():
            text = path.read_text("utf-8") if path.suffix in (".csv", ".json") else ""
            (grown / path.name).write_text(text.replace('"games": 6', '"games": 60'), "utf-8")
    result = run_coatl("report", grown)
    assert result.code == 1
    assert "is not finished: its tables hold 6 of 60 games. Run the same" in result.err
