"""A worker ends what takes too long, tells what goes wrong, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from coatl_tools.errors import (
    CoatlError,
    FileError,
    WorkError,
    WorkQueueFullError,
    WorkTimeoutError,
)
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.web.work.worker_process import MAX_FINDINGS_BYTES, Worker, WorkerLimits
from tests.web.work import sample_jobs


@pytest.fixture(scope="module")
def shared() -> Iterator[Worker]:
    """One process for all tests that do it no lasting harm."""
    with Worker(WorkerLimits(seconds=30, waiting=2)) as worker:
        yield worker


def is_there(process: int) -> bool:
    """Whether a process runs; one that is dead and not yet buried does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(process: int) -> bool:
    """Whether a process ends, soon."""
    until = time.monotonic() + 5
    while is_there(process) and time.monotonic() < until:
        time.sleep(0.01)
    return not is_there(process)


def run(worker: Worker, job: Callable[..., Any], *args: object, **more: Any) -> Any:
    return asyncio.run(worker.run(job, *args, **more))


def refused(worker: Worker, job: Callable[..., Any], *args: object, **more: Any) -> CoatlError:
    """The error, which all languages have a sentence for."""
    with pytest.raises(CoatlError) as caught:
        run(worker, job, *args, **more)
    for code in LANGUAGE_CODES:
        assert len(caught.value.text(code)) > 20
    return caught.value


def test_a_job_is_done_in_another_process_that_stays(shared: Worker) -> None:
    assert shared.process_id is None or is_there(shared.process_id)
    assert run(shared, sample_jobs.add, 20, 22) == 42
    first = run(shared, sample_jobs.number)
    assert first == shared.process_id != os.getpid()
    assert run(shared, sample_jobs.number) == first


def test_progress_arrives_in_order_and_before_the_result(shared: Worker) -> None:
    heard: list[tuple[float, str]] = []
    said = run(
        shared,
        sample_jobs.count,
        50,
        progress=lambda share, stage, _=None: heard.append((share, stage)),
    )
    assert said == "counted"
    assert heard == [(0.0, ""), *(((step + 1) / 50, f"step_{step}") for step in range(50))]


def test_findings_come_before_the_result_but_not_those_that_are_too_large(shared: Worker) -> None:
    heard: list[tuple[float, object]] = []
    run(
        shared,
        sample_jobs.find,
        MAX_FINDINGS_BYTES,
        progress=lambda share, _, findings=None: heard.append((share, findings)),
    )
    assert heard == [(0.0, None), (0.3, b"some"), (0.6, None), (0.9, None)]


@pytest.mark.parametrize("job", [sample_jobs.hang, sample_jobs.hang_without_letting_go])
def test_a_job_that_hangs_is_ended_at_its_limit_and_the_next_one_works(
    shared: Worker, job: Callable[..., Any]
) -> None:
    before = run(shared, sample_jobs.number)
    begin = time.monotonic()
    error = refused(shared, job, seconds=0.5)
    assert isinstance(error, WorkTimeoutError)
    assert "0.5 seconds" in str(error)
    assert 0.4 < time.monotonic() - begin < 5
    assert not is_there(before)
    assert run(shared, sample_jobs.number) != before


def test_what_a_job_has_started_ends_with_it(shared: Worker) -> None:
    heard: list[str] = []
    refused(
        shared,
        sample_jobs.start_and_hang,
        progress=lambda _, said, *__: heard.append(said),
        seconds=1,
    )
    assert gone(int(heard[-1]))


@pytest.mark.parametrize("job", [sample_jobs.leave, sample_jobs.be_killed, sample_jobs.crash])
def test_a_process_that_dies_is_told(shared: Worker, job: Callable[..., Any]) -> None:
    error = refused(shared, job)
    assert (type(error), error.key) == (WorkError, "web.work_died")
    assert run(shared, sample_jobs.add, 1, 1) == 2


def test_a_process_that_died_while_nothing_was_to_do_is_no_matter(shared: Worker) -> None:
    process = run(shared, sample_jobs.number)
    os.kill(process, signal.SIGKILL)
    assert gone(process)
    assert run(shared, sample_jobs.add, 1, 1) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux heeds the limit")
@pytest.mark.parametrize("job", [sample_jobs.hog, sample_jobs.hog_pixels])
def test_whoever_takes_too_much_memory_is_told(job: Callable[..., Any]) -> None:
    with Worker(WorkerLimits(memory=600 << 20)) as worker:
        assert refused(worker, job).key == "web.work_memory"
        assert worker.process_id is None  # who knows what state it is in
        assert run(worker, sample_jobs.add, 1, 1) == 2


def test_errors_of_ours_travel_as_they_are(shared: Worker) -> None:
    before = run(shared, sample_jobs.number)
    error = refused(shared, sample_jobs.refuse, "x\x1b.jpg")
    assert type(error) is FileError
    assert "“x\\x1b.jpg” is not a photo" in str(error)
    assert shared.process_id == before
    assert refused(shared, sample_jobs.refuse_for_memory).key == "photo.memory"
    assert shared.process_id is None


@pytest.mark.parametrize(
    ("job", "why"),
    [
        (sample_jobs.stumble, "ZeroDivisionError: by nothing"),
        (sample_jobs.answer_what_cannot_travel, "lambda"),
        (sample_jobs.quit_early, "SystemExit: 7"),
    ],
)
def test_mistakes_are_told_without_a_traceback(
    shared: Worker, job: Callable[..., Any], why: str
) -> None:
    error = refused(shared, job)
    assert (type(error), error.key) == (WorkError, "web.work_mistake")
    assert "Traceback" not in str(error)
    assert why in "".join(error.__notes__)  # for whoever repairs it
    assert run(shared, sample_jobs.add, 1, 1) == 2


def test_a_job_that_cannot_travel_harms_no_other(shared: Worker) -> None:
    with pytest.raises((AttributeError, TypeError), match=r"lambda|pickle"):
        run(shared, lambda _: None)
    assert run(shared, sample_jobs.add, 1, 1) == 2


def test_the_terminal_stays_clean_and_ctrl_c_is_not_heard(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with Worker() as worker:
        run(worker, sample_jobs.chatter)
        assert run(worker, sample_jobs.heed_interrupts) == "unmoved"
    assert capfd.readouterr() == ("", "")


def test_who_waits_behind_too_many_is_refused_at_once(shared: Worker) -> None:
    async def crowd() -> list[int | BaseException]:
        jobs = [asyncio.create_task(shared.run(sample_jobs.add, n, n)) for n in range(3)]
        await asyncio.sleep(0)
        assert shared.is_full
        begin = time.monotonic()
        with pytest.raises(WorkQueueFullError):
            await shared.run(sample_jobs.add, 9, 9)
        assert time.monotonic() - begin < 0.1
        return await asyncio.gather(*jobs, return_exceptions=True)

    assert asyncio.run(crowd()) == [0, 2, 4]
    assert not shared.is_full


def test_jobs_are_done_in_the_order_in_which_they_came(shared: Worker) -> None:
    done: list[int] = []

    async def one(number: int) -> None:
        done.append(await shared.run(sample_jobs.add, number, 0))

    async def some() -> None:
        await asyncio.gather(*map(one, range(3)))

    asyncio.run(some())
    assert done == [0, 1, 2]


def hanging(worker: Worker) -> tuple[asyncio.Task[None], asyncio.Event]:
    """A job that hangs, and an event that tells when it has begun."""
    begun = asyncio.Event()
    job = worker.run(sample_jobs.hang, progress=lambda share, *_: begun.set() if share else None)
    return asyncio.create_task(job), begun


def during_a_hang(worker: Worker, then: Callable[[asyncio.Task[None]], Awaitable[None]]) -> None:
    async def main() -> None:
        job, begun = hanging(worker)
        await asyncio.wait_for(begun.wait(), 10)
        await then(job)

    asyncio.run(main())


def test_a_cancelled_job_ends_and_those_behind_it_are_done(shared: Worker) -> None:
    async def cancel(job: asyncio.Task[None]) -> None:
        process = shared.process_id
        assert process is not None
        waiting = asyncio.create_task(shared.run(sample_jobs.add, 5, 5))
        next_one = asyncio.create_task(shared.run(sample_jobs.add, 1, 1))
        await asyncio.sleep(0)
        waiting.cancel()
        job.cancel()
        found = await asyncio.gather(job, waiting, return_exceptions=True)
        assert all(isinstance(one, asyncio.CancelledError) for one in found)
        assert await next_one == 2
        assert not is_there(process)

    during_a_hang(shared, cancel)


def test_closing_ends_the_process_and_tells_who_waits() -> None:
    worker = Worker()

    async def close(job: asyncio.Task[None]) -> None:
        process = worker.process_id
        assert process is not None
        waiting = asyncio.create_task(worker.run(sample_jobs.add, 5, 5))
        await asyncio.sleep(0)
        worker.close()
        found = await asyncio.gather(job, waiting, return_exceptions=True)
        assert [getattr(one, "key", one) for one in found] == ["web.work_closed"] * 2
        assert not is_there(process)
        assert worker.process_id is None
        with pytest.raises(WorkError) as caught:
            await worker.run(sample_jobs.add, 1, 1)
        assert caught.value.key == "web.work_closed"

    during_a_hang(worker, close)
    worker.close()  # once more does no harm


def test_a_worker_that_had_nothing_to_do_has_no_process() -> None:
    with Worker() as worker:
        assert worker.process_id is None


SERVER = """
import asyncio, sys
from coatl_tools.web.work.worker_process import Worker
from tests.web.work import sample_jobs

async def main(worker):
    tell = lambda share, said, _: share and print(worker.process_id, said, flush=True)
    await worker.run(getattr(sample_jobs, sys.argv[1]), progress=tell, seconds=2)

if __name__ == "__main__":
    with Worker() as worker:
        asyncio.run(main(worker))
"""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are looked up there")
@pytest.mark.parametrize("job", ["start_and_hang", "hang"])
@pytest.mark.parametrize("ends", ["SIGKILL", "SIGINT"])
def test_nothing_is_left_when_the_server_is_killed(tmp_path: Path, ends: str, job: str) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    root = Path(__file__).parents[3]
    server = subprocess.Popen(
        [sys.executable, tmp_path / "server.py", job],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": str(root)},
        start_new_session=True,
    )
    assert server.stdout is not None
    with server, server.stdout:
        process, said = server.stdout.readline().split()
        assert is_there(int(process))
        os.killpg(server.pid, signal.Signals[ends])  # as a terminal does
        server.wait(10)
    assert gone(int(process))
    assert not said.isdigit() or gone(int(said))
