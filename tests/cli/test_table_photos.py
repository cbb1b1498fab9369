"""A photo where pieces are asked for: at the prompt, and when a table is joined."""

from __future__ import annotations

import io
import json
from pathlib import Path

import click
import numpy as np
import pytest

from coatl_tools import load_cards
from coatl_tools.cli.table.position_and_tally_questions import ask_position
from coatl_tools.rules.constants import Pieces
from coatl_tools.rules.table_options import TableOptions
from tests.cli.command_runner import TableCommands
from tests.vision.board_photos import BoardLook, draw_board_photo, write_photo

FILLED: tuple[Pieces, ...] = (
    *(("R", "G"), ("B", "B"), ("Y", "K"), ("G", "Y"), ("R", "R"), ("K", "B")),
    *(("<R",), ("<G",), ("B>",), ("Y>",)),
)
TYPED = "RG BB YK GY RR KB <R <G B> Y>"


@pytest.fixture(scope="module")
def supply(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo of a Supply board that was just filled."""
    path = tmp_path_factory.mktemp("photos") / "supply.jpg"
    return write_photo(path, draw_board_photo(FILLED))


@pytest.fixture
def evening(tmp_path: Path) -> TableCommands:
    table = TableCommands(tmp_path)
    assert table("new", "evening", "--physical", "--players", "Ana,Bo").code == 0
    return table


def test_a_photo_of_the_board_reports_all_that_was_drawn(
    evening: TableCommands, supply: Path
) -> None:
    done = evening("play", "evening", "--plain", typed=f"{supply}\nquit\n")
    assert done.code == 0
    shown = evening.ok("show", "evening", "--json")
    spaces = [space["pieces"] for space in json.loads(shown)["supply_board"]]
    assert spaces == [list(pieces) for pieces in FILLED]


def test_what_a_photo_says_is_corrected_behind_its_name(
    evening: TableCommands, supply: Path
) -> None:
    typed = f"@{supply} 1=??\n{supply} 3=KK; 7=B\nquit\n"
    done = evening("play", "evening", "--plain", typed=typed)
    assert done.code == 0
    assert "unknown: “?”" in done.out
    spaces = json.loads(evening.ok("show", "evening", "--json"))["supply_board"]
    assert (spaces[2]["pieces"], spaces[6]["pieces"]) == (["K", "K"], ["<B"])


def test_a_photo_that_is_none_and_one_that_answers_nothing_are_explained(
    evening: TableCommands, supply: Path, tmp_path: Path
) -> None:
    noise = np.random.default_rng(1).integers(100, 140, (600, 800, 3)).astype(np.uint8)
    write_photo(tmp_path / "grey.jpg", noise)
    typed = f"nothing.jpg\n{tmp_path / 'grey.jpg'}\n{TYPED}\n{supply}\nquit\n"
    done = evening("play", "evening", "--plain", typed=typed)
    assert done.code == 0
    assert "There is no file" in done.out
    assert "To be reported: 12, 2, 2." in " ".join(done.out.split())
    assert "That is not asked now." in " ".join(done.out.split())


def test_photos_answer_what_lies_on_the_boards_of_a_table_that_is_joined(
    supply: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_board: list[Pieces] = [("R",), ("<B",), (), ("G",)]
    board = write_photo(tmp_path / "ana.jpg", draw_board_photo(on_board, BoardLook(2)))
    seats = f"{board}\n\n-\n\n-\n-\n\n-\n\n-\n"
    typed = f"{seats}-\nT01 6 T02 7\nP01 P02 P03 P04 P05 P06\n{supply}\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    shown = io.StringIO()
    monkeypatch.setattr("sys.stderr", shown)
    with pytest.raises(click.Abort):
        ask_position(TableOptions(players=("Ana", "Bo")), load_cards().deck(), "en")
    assert "  R <B G\n" in shown.getvalue()
    assert f"  {TYPED}\n" in shown.getvalue()
