"""A simulation in a folder goes on after any stop, and never with wrong games."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Generator, Iterator
from dataclasses import astuple, fields, replace
from hashlib import blake2b
from pathlib import Path

import pyarrow.parquet
import pytest

from coatl_tools.errors import CoatlError, FileError, SimulationError
from coatl_tools.simulation.chunks import Chunk, play_chunk_as_text, split_into_chunks
from coatl_tools.simulation.datasets import DATASETS, GameRows
from coatl_tools.simulation.executors import Result, play_in_this_process
from coatl_tools.simulation.folder import SimulationFolder
from coatl_tools.simulation.plan import SimulationPlan
from coatl_tools.simulation.simulated_game import play_game
from coatl_tools.simulation.statistics import SimulationSummary, summarize_games
from tests.simulation.plans import list_visible_files, make_solo_plan

GAMES = 3  # of a part, here
PLAN = make_solo_plan(games=2 * GAMES + 2, levels=((), (2,)))


@pytest.fixture(scope="module", autouse=True)
def small_parts() -> Iterator[None]:
    """Parts of few games, which are soon played."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("coatl_tools.simulation.chunks.SINGLE_GAME_CHUNKS", 0)
        patch.setattr("coatl_tools.simulation.chunks.GAMES_PER_CHUNK", GAMES)
        yield


class PowerCutError(Exception):
    """The power is cut."""


def simulated(
    path: Path, plan: SimulationPlan = PLAN, stop_after: int | None = None
) -> tuple[SimulationSummary, list[str], int]:
    """Simulate in a folder; what is counted, what is told, and how many parts were played."""
    played: list[Chunk] = []
    told: list[CoatlError] = []

    def crew(
        work: Callable[[SimulationPlan, Chunk], Result],
        plan: SimulationPlan,
        chunks: Iterator[Chunk],
    ) -> Generator[tuple[Chunk, Result], None, None]:
        for chunk, made in play_in_this_process(work, plan, chunks):
            if len(played) == stop_after:
                raise PowerCutError
            played.append(chunk)
            yield chunk, made

    folder = SimulationFolder(path)
    folder.begin(plan)
    folder.play(plan, crew, lambda _: None, told.append)
    found = folder.write_datasets(plan, lambda _: None)
    return found, [error.key for error in told], len(played)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the whole simulation, played without a stop."""
    path = tmp_path_factory.mktemp("whole") / "sim"
    simulated(path)
    return list_visible_files(path)


@pytest.fixture
def folder(tmp_path: Path, finished: dict[str, bytes]) -> Path:
    """The same simulation, finished, to be damaged."""
    for name, content in finished.items():
        path = tmp_path / "sim" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "sim"


def test_parts_cover_all_games_and_never_change() -> None:
    parts = list(split_into_chunks(8))
    assert [(part.first, part.games) for part in parts] == [(0, 3), (3, 3), (6, 2)]
    assert list(split_into_chunks(40))[:2] == parts[:2]
    assert next(split_into_chunks(10**15)).games == GAMES  # one by one


def test_the_first_games_are_parts_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl_tools.simulation.chunks.SINGLE_GAME_CHUNKS", 4)
    sizes = [(part.first, part.games) for part in split_into_chunks(12)]
    assert sizes == [(0, 1), (1, 1), (2, 1), (3, 1), (4, 3), (7, 3), (10, 2)]


def test_whoever_plays_is_sent_home_when_something_goes_wrong(tmp_path: Path) -> None:
    home: list[bool] = []

    def crew(
        work: Callable[[SimulationPlan, Chunk], Result],
        plan: SimulationPlan,
        chunks: Iterator[Chunk],
    ) -> Generator[tuple[Chunk, Result], None, None]:
        try:
            yield from play_in_this_process(work, plan, chunks)
        finally:
            home.append(True)

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    folder = SimulationFolder(tmp_path / "sim")
    folder.begin(PLAN)
    with pytest.raises(KeyboardInterrupt) as caught:
        folder.play(PLAN, crew, stop, lambda _: None)
    assert caught.tb is not None  # which holds on to everything that is not closed
    assert home


def test_the_tables_hold_all_rows_of_all_games(finished: dict[str, bytes], folder: Path) -> None:
    games = [play_game(PLAN, index) for index in range(PLAN.games)]
    for name, kind in DATASETS.items():
        rows = [astuple(row) for game in games for row in getattr(game, name)]
        names = [column.name for column in fields(kind)]
        read = list(csv.reader(finished[f"{name}.csv"].decode().splitlines()))
        assert read[0] == names
        assert read[1:] == [["" if value is None else str(value) for value in row] for row in rows]
        table = pyarrow.parquet.read_table(folder / f"{name}.parquet")
        assert table.column_names == names
        assert [tuple(row.values()) for row in table.to_pylist()] == rows
    plan = SimulationFolder(folder).plan()
    assert replace(plan, cards=PLAN.cards) == PLAN


@pytest.mark.parametrize("parts", [0, 1, 2])
def test_what_was_stopped_goes_on_where_it_was(
    parts: int, tmp_path: Path, finished: dict[str, bytes]
) -> None:
    path = tmp_path / "sim"
    with pytest.raises(PowerCutError):
        simulated(path, stop_after=parts)
    assert len(list((path / "parts").iterdir())) == parts
    found, told, played = simulated(path)
    assert (told, played) == ([], 3 - parts)
    assert list_visible_files(path) == finished
    assert found.data(PLAN) == summarize_games(play_game(PLAN, n) for n in range(PLAN.games)).data(
        PLAN
    )


def test_a_finished_simulation_grows_and_shrinks(
    tmp_path: Path, finished: dict[str, bytes]
) -> None:
    path = tmp_path / "sim"
    assert simulated(path, replace(PLAN, games=2))[2] == 1
    assert simulated(path, replace(PLAN, games=GAMES + 2))[2] == 2  # the first part was short
    assert simulated(path)[2] == 2
    assert list_visible_files(path) == finished
    few, _, played = simulated(path, replace(PLAN, games=GAMES + 2))
    assert (few.games, played) == (GAMES + 2, 0)
    assert path.joinpath("games.csv").read_text().count("\n") == GAMES + 3
    assert simulated(path)[2] == 0
    assert list_visible_files(path) == finished


def _torn(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _edited(content: bytes) -> bytes:
    return content.replace(b'"adam"', b'"ada2"', 1)


def _other_plan(_: bytes) -> bytes:
    return play_chunk_as_text(replace(PLAN, seed=99), Chunk(GAMES, GAMES)).encode()


def _other_part(_: bytes) -> bytes:
    return play_chunk_as_text(PLAN, Chunk(0, GAMES)).encode()


@pytest.mark.parametrize(
    "damage",
    [
        _torn,
        _edited,
        _other_plan,
        _other_part,
        lambda _: b"",
        lambda _: b"\xff\x00" * 99,
        lambda _: b"[1]\n",
        lambda _: b"[" * 10**5 + b"\n",
        lambda content: content + b"[]\n",
        lambda content: content.replace(b'"games": 3', b'"games": 2'),
        lambda content: content.replace(b'"games": 3', b'"games": "3"'),
    ],
)
def test_a_damaged_part_is_told_and_played_again(
    damage: Callable[[bytes], bytes], folder: Path, finished: dict[str, bytes]
) -> None:
    path = folder / "parts" / "000000003.jsonl"
    path.write_bytes(damage(path.read_bytes()))
    _, told, played = simulated(folder)
    assert (told, played) == (["simulation.damaged"], 1)
    assert list_visible_files(folder) == finished


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "7",
        "[[],[],[],[]]",
        "[[[3]],[],[],[]]",
        '{"a": 1}',
        "[" * 9000,
        "[[[true]],[],[],[]]",
    ],
)
def test_a_part_that_was_forged_with_its_check_sum_is_refused(line: str, folder: Path) -> None:
    path = folder / "parts" / "000000003.jsonl"
    head, *lines = path.read_text().splitlines()
    body = "".join(f"{one}\n" for one in (line, *lines[1:]))
    check = blake2b(body.encode(), digest_size=16).hexdigest()
    path.write_text(json.dumps(json.loads(head) | {"check": check}) + "\n" + body)
    before = list_visible_files(folder)
    with pytest.raises(SimulationError, match=r"000000003\.jsonl”.*Delete it"):
        simulated(folder)
    assert list_visible_files(folder) == before
    path.unlink()
    assert simulated(folder)[2] == 1


def test_a_folder_with_another_simulation_is_refused(folder: Path) -> None:
    before = list_visible_files(folder)
    with pytest.raises(SimulationError) as caught:
        simulated(folder, make_solo_plan(games=5, seed=8, levels=((), (2,)), edition="fr"))
    said = str(caught.value)
    assert "seed is 7 there and 8 here" in said
    assert "edition is en there and fr here" in said
    assert list_visible_files(folder) == before


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("mine")
    with pytest.raises(SimulationError, match="not empty"):
        simulated(tmp_path)
    assert list_visible_files(tmp_path) == {"games.csv": b"mine"}


def test_what_is_no_folder_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for path in (file, file / "below"):
        with pytest.raises(FileError, match="is a file, not a folder"):
            simulated(path)
    (tmp_path / "sim" / "simulation.json").mkdir(parents=True)
    with pytest.raises(FileError, match="folder"):
        simulated(tmp_path / "sim")


@pytest.mark.parametrize("content", [b"", b"{}", b'{"coatl-simulation": 7}', b"\xff"])
def test_a_plan_that_cannot_be_read_is_told(content: bytes, folder: Path) -> None:
    (folder / "simulation.json").write_bytes(content)
    with pytest.raises(SimulationError, match="not the plan of a simulation"):
        simulated(folder)


def test_tables_take_their_places_together_or_not_at_all(
    folder: Path, finished: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path, __: Chunk) -> list[GameRows]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("coatl_tools.simulation.folder.read_chunk", full)
    with pytest.raises(OSError, match="No space"):
        simulated(folder)
    assert list_visible_files(folder) == finished
    assert not [path.name for path in folder.iterdir() if path.name[0] == "."]


def test_without_pyarrow_there_is_csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl_tools.simulation.datasets.can_write_parquet", lambda: False)
    simulated(tmp_path / "sim", make_solo_plan(games=1))
    names = {path.name for path in (tmp_path / "sim").iterdir()}
    assert names == {"simulation.json", "parts", *(f"{name}.csv" for name in DATASETS)}
