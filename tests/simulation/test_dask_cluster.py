"""The same simulation on a Dask cluster, of which a machine fails."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from coatl_tools.errors import CoatlError, SimulationError
from coatl_tools.simulation import dask_cluster
from coatl_tools.simulation.dask_cluster import connect_to_cluster
from coatl_tools.simulation.executors import play_in_this_process
from coatl_tools.simulation.folder import SimulationFolder
from tests.cli.command_runner import run_coatl
from tests.simulation.plans import list_visible_files, make_solo_plan

pytestmark = pytest.mark.filterwarnings("ignore")
PLAN = make_solo_plan(games=25, seed=3)


@pytest.fixture(scope="module")
def local() -> Iterator[object]:
    """A scheduler with two workers, each a process of its own."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        silence_logs="CRITICAL",
    ) as running:
        yield running


def damaged(error: CoatlError) -> None:
    """Nothing is."""
    raise error


def pid_of(local: object) -> int:
    """The process of the first worker; it is started anew by its nanny."""
    worker = next(iter(local.workers.values()))  # type: ignore[attr-defined]
    pid: int = worker.process.process.pid
    return pid


def test_a_worker_that_is_killed_loses_no_game(local: object, tmp_path: Path) -> None:
    address: str = local.scheduler_address  # type: ignore[attr-defined]
    expected, found = SimulationFolder(tmp_path / "one"), SimulationFolder(tmp_path / "many")
    done: list[int] = []
    killed: list[int] = []

    def count(games: int) -> None:
        done.append(games)
        if len(done) == 1:
            killed.append(pid_of(local))
            os.kill(killed[0], signal.SIGKILL)

    found.begin(PLAN)
    with connect_to_cluster(address) as crew:
        found.play(PLAN, crew, count, damaged)
    assert killed
    assert sum(done) == PLAN.games  # none lost, none counted twice
    found.write_datasets(PLAN, lambda _: None)
    expected.begin(PLAN)
    expected.play(PLAN, play_in_this_process, lambda _: None, damaged)
    expected.write_datasets(PLAN, lambda _: None)
    assert list_visible_files(tmp_path / "many") == list_visible_files(tmp_path / "one")


@pytest.mark.soak
def test_the_command_plays_on_a_cluster(local: object) -> None:
    address: str = local.scheduler_address  # type: ignore[attr-defined]
    command = ("simulate", "--games", "12", "--solo", "--seed", "3", "--json")
    done = run_coatl(*command, "--cluster", address)
    assert (done.code, done.err) == (0, "")
    assert done.out == run_coatl(*command, "--jobs", "1").out


def test_workers_with_another_version_are_refused(
    local: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    address: str = local.scheduler_address  # type: ignore[attr-defined]
    monkeypatch.setattr(dask_cluster, "__version__", "99.0")
    with (
        pytest.raises(SimulationError, match=r"99\.0.*same version everywhere"),
        connect_to_cluster(address),
    ):
        pass


@pytest.mark.parametrize("address", ["nowhere", "what://x:1", "", "127.0.0.1:x"])
def test_what_is_no_address_is_told(address: str) -> None:
    done = run_coatl("simulate", "--games", "1", "--solo", "--cluster", address)
    assert (done.code, done.out) == (1, "")
    assert "No Dask scheduler answers" in done.err


def test_an_address_where_nobody_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "ANSWER_TIMEOUT_SECONDS", 1)
    done = run_coatl("simulate", "--games", "1", "--solo", "--cluster", "tcp://127.0.0.1:1")
    assert (done.code, done.out) == (1, "")
    assert "No Dask scheduler answers" in done.err


def test_a_cluster_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(dask_cluster, "ANSWER_TIMEOUT_SECONDS", 1)
    with distributed.LocalCluster(
        n_workers=0, processes=True, host="127.0.0.1", dashboard_address=None
    ) as empty:
        done = run_coatl("simulate", "--games", "1", "--solo", "--cluster", empty.scheduler_address)
    assert done.code == 1
    assert "has no workers" in done.err


@pytest.mark.soak
def test_a_cluster_that_goes_away_is_told_and_what_is_played_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(dask_cluster, "ANSWER_TIMEOUT_SECONDS", 2)
    going = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    )
    folder = SimulationFolder(tmp_path / "sim")
    folder.begin(PLAN)
    with (
        pytest.raises(SimulationError, match="has failed"),
        connect_to_cluster(going.scheduler_address) as crew,
    ):
        folder.play(PLAN, crew, lambda _: going.close(), damaged)
    assert len(list(tmp_path.glob("sim/parts/*.jsonl"))) == 1


def test_without_the_package_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = run_coatl("simulate", "--games", "1", "--solo", "--cluster", "tcp://127.0.0.1:1")
    assert done.code == 1
    assert 'pip install "coatl-tools[cluster]"' in done.err
