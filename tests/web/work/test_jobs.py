"""Jobs are known to their owners alone, tell how far they are, and do not stay for ever."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable

import pytest

from coatl_tools.errors import FileError, WorkError, WorkQueueFullError
from coatl_tools.web.work.jobs import Job, JobState, JobStore
from coatl_tools.web.work.worker_process import ProgressCallback, Worker, WorkerLimits
from tests.web.work import sample_jobs
from tests.web.work.test_worker import is_there


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Bench:
    """A worker, its jobs, and a clock that stands still."""

    def __init__(self, worker: Worker, **limits: int) -> None:
        self.worker, self.clock = worker, Clock()
        self.jobs = JobStore(clock=self.clock, expiry=60, **limits)

    def begin(self, owner: str, job: Callable[..., object], *args: object) -> str:
        return self.jobs.start_job(owner, self.worker, job, *args)

    async def finished(self, owner: str, job: str) -> Job:
        found = self.jobs.find_job(owner, job)
        while not found.state.finished:
            wait = self.jobs.wait_changed(owner, job, found.version)
            found = await asyncio.wait_for(wait, 20)
        return found


def at(test: Callable[[Bench], Awaitable[None]], **limits: int) -> None:
    async def main() -> None:
        with Worker(WorkerLimits(waiting=4)) as worker:
            bench = Bench(worker, **limits)
            await test(bench)
            await bench.jobs.close()

    asyncio.run(main())


def gone(bench: Bench, owner: str, job: str) -> bool:
    try:
        bench.jobs.find_job(owner, job)
    except WorkError as error:
        return (error.status, error.key) == (404, "web.work_gone")
    return False


def test_a_job_is_followed_from_waiting_to_done() -> None:
    async def follow(bench: Bench) -> None:
        job = bench.begin("ana", sample_jobs.count, 3)
        assert re.fullmatch("[0-9a-f]{32}", job)
        found = bench.jobs.find_job("ana", job)
        assert (found.state, found.jobs_ahead, found.progress) == (JobState.WAITING, 0, 0)
        seen = [found]
        while not seen[-1].state.finished:
            seen.append(await bench.jobs.wait_changed("ana", job, seen[-1].version))
        assert [one.version for one in seen] == sorted({one.version for one in seen})
        assert [one.progress for one in seen] == sorted(one.progress for one in seen)
        assert JobState.WORKING in {one.state for one in seen}
        assert seen[-1].value == "counted"
        assert bench.jobs.find_job("ana", job) == seen[-1]

    at(follow)


def test_a_failure_is_kept_without_what_it_failed_on() -> None:
    async def fail(bench: Bench) -> None:
        job = bench.begin("ana", sample_jobs.refuse, "a.jpg")
        found = await bench.finished("ana", job)
        assert found.state is JobState.FAILED
        assert isinstance(found.error, FileError)
        assert found.error.__traceback__ is None
        assert found.error.__cause__ is None
        job = bench.begin("ana", lambda _: None)  # which cannot be sent to another process
        error = (await bench.finished("ana", job)).error
        assert error is not None
        assert error.key == "web.work_mistake"

    at(fail)


def test_only_the_owner_may_look_wait_or_drop() -> None:
    async def look(bench: Bench) -> None:
        job = bench.begin("ana", sample_jobs.add, 1, 2)
        assert gone(bench, "bo", job)
        assert gone(bench, "ana", "0" * 32)
        assert gone(bench, "ana", "")
        with pytest.raises(WorkError):
            await bench.jobs.wait_changed("bo", job)
        with pytest.raises(WorkError):
            bench.jobs.discard_job("bo", job)
        assert (await bench.finished("ana", job)).value == 3
        bench.jobs.discard_job("ana", job)
        assert gone(bench, "ana", job)

    at(look)


def test_who_waits_sees_the_queue_move() -> None:
    async def queue(bench: Bench) -> None:
        first = bench.begin("ana", sample_jobs.hang)
        second = bench.begin("bo", sample_jobs.hang)
        third = bench.begin("ana", sample_jobs.add, 1, 2)
        found = bench.jobs.find_job("ana", third)
        assert found.jobs_ahead == 2
        other = Worker()
        other_job = bench.jobs.start_job("cy", other, sample_jobs.add, 1, 1)
        assert bench.jobs.find_job("cy", other_job).jobs_ahead == 0  # another worker, another queue
        bench.jobs.discard_job("bo", second)
        found = await bench.jobs.wait_changed("ana", third, found.version)
        assert found.jobs_ahead == 1
        bench.jobs.discard_job("ana", first)
        assert (await bench.finished("ana", third)).value == 3
        bench.jobs.discard_job("cy", other_job)
        other.close()

    at(queue)


def test_whoever_waits_for_a_job_that_goes_is_told() -> None:
    async def wait(bench: Bench) -> None:
        job = bench.begin("ana", sample_jobs.hang)
        found = await bench.jobs.wait_changed("ana", job)
        waiting = asyncio.create_task(bench.jobs.wait_changed("ana", job, found.version + 99))
        waiting.cancel()  # a phone that goes away while it waits is no matter
        version = bench.jobs.find_job("ana", job).version
        while bench.jobs.find_job("ana", job).progress < 0.5:
            version = (await bench.jobs.wait_changed("ana", job, version)).version
        process = bench.worker.process_id
        assert process is not None
        last = asyncio.create_task(bench.jobs.wait_changed("ana", job, version))
        await asyncio.sleep(0)
        bench.jobs.discard_job("ana", job)
        with pytest.raises(WorkError):
            await asyncio.wait_for(last, 5)
        assert await bench.worker.run(sample_jobs.add, 1, 1) == 2
        assert not is_there(process)

    at(wait)


def test_what_nobody_looks_at_is_put_away() -> None:
    async def expire(bench: Bench) -> None:
        job = bench.begin("ana", sample_jobs.add, 1, 2)
        await bench.finished("ana", job)
        for _ in range(3):
            bench.clock.now += 59
            assert not gone(bench, "ana", job)
        bench.clock.now += 61
        assert gone(bench, "ana", job)
        running = bench.begin("ana", sample_jobs.hang)
        bench.clock.now += 61
        bench.jobs.discard_expired()
        assert gone(bench, "ana", running)
        assert await bench.worker.run(sample_jobs.add, 1, 1) == 2  # it was stopped

    at(expire)


def test_the_oldest_finished_job_goes_first() -> None:
    async def crowd(bench: Bench) -> None:
        first = bench.begin("ana", sample_jobs.add, 1, 2)
        second = bench.begin("ana", sample_jobs.add, 1, 2)
        await bench.finished("ana", second)
        third = bench.begin("ana", sample_jobs.hang)
        assert gone(bench, "ana", first)
        assert not gone(bench, "ana", second)
        other = bench.begin("bo", sample_jobs.hang)
        assert not gone(bench, "ana", second)  # there is room for three
        fourth = bench.begin("ana", sample_jobs.hang)
        assert gone(bench, "ana", second)
        with pytest.raises(WorkQueueFullError, match="2 jobs") as caught:
            bench.begin("ana", sample_jobs.hang)
        assert caught.value.status == 429
        with pytest.raises(WorkQueueFullError, match="Too many"):
            bench.begin("cy", sample_jobs.hang)
        assert not any(
            gone(bench, *one) for one in (("ana", third), ("ana", fourth), ("bo", other))
        )

    at(crowd, most=3, most_each=2)


def test_a_full_worker_is_told_at_once() -> None:
    async def fill(bench: Bench) -> None:
        for number in range(5):
            bench.begin(f"{number}", sample_jobs.hang)
        await asyncio.sleep(0)
        with pytest.raises(WorkQueueFullError):
            bench.begin("ana", sample_jobs.add, 1, 1)

    at(fill)


def test_who_asks_for_the_same_again_is_given_the_job_that_there_is() -> None:
    async def ask(bench: Bench) -> None:
        def asked(owner: str, mark: str | None, job: Callable[[ProgressCallback], object]) -> str:
            return bench.jobs.start_job(owner, bench.worker, job, request=mark)

        failed = asked("ana", "cards", lambda _: None)  # which cannot be sent to another process
        await bench.finished("ana", failed)
        first = asked("ana", "cards", sample_jobs.hang)
        assert first != failed
        assert asked("ana", "cards", sample_jobs.hang) == first
        assert bench.jobs.find_job("ana", first).request == "cards"
        others = [asked("ana", "boards", sample_jobs.hang), asked("bo", "cards", sample_jobs.hang)]
        others += [asked("ana", None, sample_jobs.hang), asked("ana", None, sample_jobs.hang)]
        assert len({first, *others}) == 5

    at(ask)
