"""Jobs that visitors asked for: their owner, progress and result, forgotten after a while; and
their progress as server-sent events.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Hashable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVarTuple

from starlette.responses import StreamingResponse

from coatl_tools.errors import CoatlError, WorkError, WorkQueueFullError
from coatl_tools.web.work.worker import ProgressCallback, Worker

EXPIRY_SECONDS = 30 * 60.0  # seconds
MAX_JOBS, MAX_JOBS_PER_OWNER = 48, 6
Ts = TypeVarTuple("Ts")


class JobState(Enum):
    """How far a job is."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"

    @property
    def finished(self) -> bool:
        """Whether it stays as it is."""
        return self in (JobState.DONE, JobState.FAILED)


@dataclass(frozen=True, slots=True)
class Job:
    """A job as its owner sees it. `version` changes whenever anything else does."""

    id: str
    state: JobState
    before: int  # jobs whose turn comes first, while it waits
    share: float  # of the work that is done, from 0 to 1
    stage: str  # the key of a label that says what is being done, if anything
    value: Any = None
    error: CoatlError | None = None
    version: int = 0
    mark: Any = None  # what was asked for


@dataclass(eq=False)
class _StoredJob:
    id: str
    owner: str
    worker: Worker
    seen: float  # when somebody looked at it
    mark: Hashable = None
    state: JobState = JobState.WAITING
    share: float = 0.0
    stage: str = ""
    value: Any = None
    error: CoatlError | None = None
    version: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class JobStore:
    """All jobs of a server; its methods belong to its event loop."""

    def __init__(
        self,
        most: int = MAX_JOBS,
        most_each: int = MAX_JOBS_PER_OWNER,
        expiry: float = EXPIRY_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most, self.most_each, self.expiry = most, most_each, expiry
        self._clock = clock
        self._kept: dict[str, _StoredJob] = {}  # in the order in which they were asked for

    def begin(
        self,
        owner: str,
        worker: Worker,
        job: Callable[[ProgressCallback, *Ts], object],
        *args: *Ts,
        seconds: float | None = None,
        mark: Hashable = None,
    ) -> str:
        """Ask for a job; answers its id. The owner's oldest finished one may have to go for it.

        `mark` says what it is that is asked for: an owner who asks for the same again, under way
        or done, is given the job that there is.

        Raises BusyError if the owner, or all together, have too much under way.
        """
        self.sweep()
        own = [kept for kept in self._kept.values() if kept.owner == owner]
        for kept in own:
            if mark is not None and kept.mark == mark and kept.state is not JobState.FAILED:
                return kept.id
        if worker.full:
            raise WorkQueueFullError("web.work_busy", 503)
        if not self._make_room(own, self.most_each):
            raise WorkQueueFullError("web.work_many", 429, most=self.most_each)
        if not self._make_room(self._kept.values(), self.most):
            raise WorkQueueFullError("web.work_busy", 503)
        kept = _StoredJob(secrets.token_hex(16), owner, worker, self._clock(), mark)
        self._kept[kept.id] = kept
        kept.task = asyncio.create_task(self._work(kept, job, *args, seconds=seconds))
        return kept.id

    def look(self, owner: str, job_id: str) -> Job:
        """How far a job is; WorkError with 404 if it is not there, or somebody else's."""
        kept = self._found(owner, job_id)
        waiting = kept.state is JobState.WAITING
        return Job(
            kept.id,
            kept.state,
            self._before(kept) if waiting else 0,
            kept.share,
            kept.stage,
            kept.value,
            kept.error,
            kept.version,
            kept.mark,
        )

    async def wait_changed(self, owner: str, job_id: str, version: int = -1) -> Job:
        """The job as soon as it is no longer of this version; WorkError once it is gone."""
        while True:
            kept = self._found(owner, job_id)
            if kept.version != version:
                return self.look(owner, job_id)
            await kept.changed.wait()

    def drop(self, owner: str, job_id: str) -> None:
        """Forget a job, and stop it if it still runs."""
        self._forget(self._found(owner, job_id))

    def sweep(self) -> None:
        """Forget what nobody has looked at for too long; asking for anything does this too."""
        oldest = self._clock() - self.expiry
        for kept in [kept for kept in self._kept.values() if kept.seen < oldest]:
            self._forget(kept)

    async def close(self) -> None:
        """Stop and forget everything."""
        tasks = [kept.task for kept in self._kept.values() if kept.task is not None]
        for kept in list(self._kept.values()):
            self._forget(kept)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(
        self,
        kept: _StoredJob,
        job: Callable[[ProgressCallback, *Ts], object],
        *args: *Ts,
        seconds: float | None,
    ) -> None:
        def progress(share: float, stage: str) -> None:
            kept.state, kept.share = JobState.WORKING, max(kept.share, share)
            kept.stage = stage or kept.stage
            self._tell(kept)

        try:
            kept.value = await kept.worker.run(job, *args, progress=progress, seconds=seconds)
            kept.state, kept.share = JobState.DONE, 1.0
        except CoatlError as error:
            kept.state, kept.error = JobState.FAILED, _strip_traceback(error)
        except Exception as error:  # whoever waits must not wait for ever
            kept.state = JobState.FAILED
            kept.error = WorkError("web.work_mistake", 500)
            kept.error.add_note(f"{type(error).__name__}: {error}")
        self._tell(kept)

    def _tell(self, changed: _StoredJob) -> None:
        """Wake whoever waits for this job, or has one behind it."""
        for kept in self._kept.values():
            behind = kept.state is JobState.WAITING and kept.worker is changed.worker
            if kept is changed or behind:
                kept.version += 1
                kept.changed.set()
                kept.changed = asyncio.Event()

    def _before(self, kept: _StoredJob) -> int:
        """How many unfinished jobs of the same worker were asked for earlier."""
        count = 0
        for other in self._kept.values():
            if other is kept:
                break
            count += other.worker is kept.worker and not other.state.finished
        return count

    def _found(self, owner: str, job_id: str) -> _StoredJob:
        self.sweep()
        kept = self._kept.get(job_id)
        if kept is None or kept.owner != owner:
            raise WorkError("web.work_gone", 404)
        kept.seen = self._clock()
        return kept

    def _make_room(self, among: Iterable[_StoredJob], most: int) -> bool:
        """Let the oldest finished one go if there are too many; False if none is finished."""
        among = list(among)
        if len(among) < most:
            return True
        finished = next((kept for kept in among if kept.state.finished), None)
        if finished is not None:
            self._forget(finished)
        return finished is not None

    def _forget(self, kept: _StoredJob) -> None:
        self._kept.pop(kept.id, None)
        if kept.task is not None:
            kept.task.cancel()  # does nothing if it is done
        kept.changed.set()
        self._tell(kept)


def _strip_traceback(error: CoatlError) -> CoatlError:
    """An error without the frames that it went through, which hold the whole photo."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


HEARTBEAT_SECONDS = 15.0  # seconds without news after which a listener hears that we are still here
MIN_EVENT_SECONDS = 0.3  # seconds between two news at least: no page has to be fetched more often


def stream_job_events(jobs: JobStore, owner: str, job_id: str) -> StreamingResponse:
    """The version of a job, whenever it is another one; WorkError if it is not the owner's."""
    jobs.look(owner, job_id)  # said before the answer begins
    return StreamingResponse(
        _event_lines(jobs, owner, job_id),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _event_lines(jobs: JobStore, owner: str, job_id: str) -> AsyncIterator[str]:
    yield "retry: 1000\n\n"
    version = -1
    while True:
        try:
            changed = jobs.wait_changed(owner, job_id, version)
            version = (await asyncio.wait_for(changed, HEARTBEAT_SECONDS)).version
        except TimeoutError:
            yield ": still here\n\n"
            continue
        except WorkError:  # it is put away: whoever still looks finds that out
            yield "data: gone\n\n"
            return
        yield f"data: {version}\n\n"
        await asyncio.sleep(MIN_EVENT_SECONDS)
