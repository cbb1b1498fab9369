"""Tables that are read: damaged ones say where, and nothing else happens."""

from __future__ import annotations

import contextlib
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.errors import CoatlError, FileError, ReportError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.report.counting import GameCounter, count_games, open_sources
from coatl_tools.simulation.datasets import DATASETS
from tests.report.random_datasets import DECK, OWN_CARD, make_plan, random_games, write_datasets
from tests.strategies import example_count


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    plan = make_plan(4)
    return write_datasets(tmp_path / "games", plan, random_games(plan))


def read(*folders: Path) -> None:
    count_games(open_sources(folders), lambda _: None)


def error(*folders: Path) -> CoatlError:
    with pytest.raises(CoatlError) as raised:
        read(*folders)
    for code in LANGUAGE_CODES:
        assert raised.value.text(code)
    return raised.value


def change(path: Path, line: int, edit: Callable[[list[str]], list[str]]) -> None:
    """Edit the cells of a line, counted from 1."""
    lines = path.read_text("utf-8").split("\n")
    lines[line - 1] = ",".join(edit(lines[line - 1].split(",")))
    path.write_text("\n".join(lines), "utf-8")


def cell(path: Path, line: int, column: int, value: str) -> None:
    change(path, line, lambda cells: [*cells[:column], value, *cells[column + 1 :]])


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    plan = make_plan(30, 3)
    games = [*random_games(plan, seed=3)]
    tally = GameCounter(DECK)
    for played in games:
        tally.add(played)
    sources = open_sources([write_datasets(tmp_path / "games", plan, games)])
    assert count_games(sources, lambda _: None) == tally.figures()


def test_memory_does_not_grow_with_the_games(tmp_path: Path) -> None:
    peaks = []
    for games in (40, 200):
        plan = make_plan(games, seed=games)
        sources = open_sources([write_datasets(tmp_path / str(games), plan, random_games(plan))])
        tracemalloc.start()
        count_games(sources, lambda _: None)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]


def test_several_folders_are_counted_together(tmp_path: Path) -> None:
    tally, folders = GameCounter(DECK), []
    for size in (1, 2, 4):
        plan = make_plan(5, size)
        games = [*random_games(plan, seed=size)]
        folders.append(write_datasets(tmp_path / str(size), plan, games))
        for played in games:
            tally.add(played)
    assert count_games(open_sources(folders), lambda _: None) == tally.figures()


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("games", 5, "many"),
        ("games", 5, "1e9"),
        ("games", 5, "9" * 5000),
        ("games", 5, "200000"),
        ("games", 6, "boredom"),
        ("games", 2, "5"),
        ("players", 4, "²"),
        ("players", 5, "nan"),
        ("players", 5, "inf"),
        ("players", 5, "2.0"),
        ("players", 4, "NaN"),
        ("players", 4, "007"),
        ("players", 4, ""),
        ("coatls", 4, "perhaps"),
        ("cards", 5, "eaten"),
        ("cards", 9, "-"),
    ],
)
def test_a_wrong_value_is_told_with_its_line_and_column(
    folder: Path, table: str, column: int, value: str
) -> None:
    names = (folder / f"{table}.csv").read_text("utf-8").splitlines()[0].split(",")
    cell(folder / f"{table}.csv", 3, column, value)
    found = error(folder)
    assert isinstance(found, ReportError)
    assert f"{table}.csv”, line 3, column “{names[column]}”: “{value[:40]}”" in str(found)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("games", 2, "3"),
        ("games", 4, "1+2"),
        ("players", 3, "<b>bot</b>"),
        ("cards", 1, "P99"),
        ("cards", 8, "7"),
        ("cards", 4, "3"),
    ],
)
def test_what_belongs_to_another_simulation_is_told(
    folder: Path, table: str, column: int, value: str
) -> None:
    cell(folder / f"{table}.csv", 2, column, value)
    found = error(folder)
    assert found.key == "balance.game"
    assert f"{table}.csv”, game 0, column " in str(found)
    assert f"“{value}”" in str(found)


def test_lost_and_repeated_lines_are_told(folder: Path) -> None:
    path = folder / "cards.csv"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1]]), "utf-8")
    assert error(folder).key == "balance.order"
    path.write_text("".join([*lines[:5], "0,P01\n", *lines[5:]]), "utf-8")
    assert "line 6: there are 2 columns instead of 10" in str(error(folder))
    path.write_text("".join(lines), "utf-8")
    players = folder / "players.csv"
    rows = players.read_text("utf-8").splitlines(keepends=True)
    players.write_text("".join([*rows[:2], *rows[3:]]), "utf-8")
    assert error(folder).key == "balance.seats"


def test_tables_of_another_version_are_told(folder: Path) -> None:
    change(folder / "games.csv", 1, lambda names: [*names, "weather"])
    assert error(folder).key == "balance.columns"
    (folder / "games.csv").write_bytes(b"")
    assert error(folder).key == "balance.columns"


def test_what_is_no_text_is_told(folder: Path) -> None:
    path = folder / "players.csv"
    good = path.read_bytes()
    for bad in (good + b"\xff\xfe", good + b'"never closed', good[:300] + b"\x00" + good[300:]):
        path.write_bytes(bad)
        assert error(folder).key in ("balance.no_table", "balance.cell", "balance.row")


def test_a_simulation_that_was_stopped_is_not_finished(folder: Path, tmp_path: Path) -> None:
    (folder / "cards.csv").unlink()
    assert "0 of 4 games" in str(error(folder))
    plan = make_plan(9)  # the plan has grown, and its tables have not
    grown = write_datasets(tmp_path / "grown", plan, [*random_games(plan)][:5])
    assert "its tables hold 5 of 9 games" in str(error(grown))


def test_folders_without_games_are_told(tmp_path: Path) -> None:
    assert error(tmp_path / "nowhere").key == "file.no_folder"
    assert error(tmp_path).key == "balance.no_games"
    (tmp_path / "file").write_text("")
    assert isinstance(error(tmp_path / "file"), FileError)
    (tmp_path / "simulation.json").write_text("{]")
    assert "simulation.json" in str(error(tmp_path))


def test_a_folder_in_place_of_a_table_is_told(folder: Path) -> None:
    (folder / "coatls.csv").unlink()
    (folder / "coatls.csv").mkdir()
    assert error(folder).key == "file.unreadable"


def test_other_cards_do_not_go_together(tmp_path: Path, folder: Path) -> None:
    plan = make_plan(4, seed=2, cards=[*DECK, OWN_CARD])
    other = write_datasets(tmp_path / "other", plan, random_games(plan))
    found = error(folder, other)
    assert found.key == "balance.cards_differ"
    assert "They differ in: MY-01." in str(found)


def test_the_same_games_do_not_count_twice(tmp_path: Path, folder: Path) -> None:
    plan = make_plan(3)  # as many as you like of the same games
    copy = write_datasets(tmp_path / "copy", plan, random_games(plan))
    assert error(folder, folder).key == "balance.same_games"
    assert error(folder, copy).key == "balance.same_games"


@settings(max_examples=example_count(60))
@given(st.integers(0, 2**32))
def test_whatever_happens_to_a_table_is_an_error_or_nothing(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance, plan = random.Random(seed), make_plan(3)
    folder = write_datasets(tmp_path_factory.mktemp("games"), plan, random_games(plan))
    path = folder / f"{chance.choice([*DATASETS])}.csv"
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data))
        junk = chance.choice([b"", b",", b"\n", b'"', b"-", b"\xff", b"nan", b"<b>", b"9" * 30])
        data[at : at + chance.choice([0, 1, 40])] = junk
    path.write_bytes(bytes(data))
    with contextlib.suppress(CoatlError):
        read(folder)
