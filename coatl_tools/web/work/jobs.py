"""Jobs that visitors asked for: their owner, progress and result, forgotten after a while; and
their progress as server-sent events.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeVarTuple

from starlette.responses import StreamingResponse

from coatl_tools.errors import CoatlError, WorkError, WorkQueueFullError
from coatl_tools.web.server.sse_response import HEARTBEAT_SECONDS, stream_events
from coatl_tools.web.work.worker_process import ProgressCallback, Worker

EXPIRY_SECONDS = 30 * 60.0
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
        """Whether the job has ended, well or not."""
        return self in (JobState.DONE, JobState.FAILED)


@dataclass
class Job:
    """A job. Its owner gets copies of it; `version` changes whenever anything else does."""

    id: str
    owner: str
    worker: Worker
    last_seen: float  # when somebody looked at it
    request: Any = None  # what was asked for
    state: JobState = JobState.WAITING
    jobs_ahead: int = 0  # while it waits
    progress: float = 0.0  # the share of the work that is done, from 0 to 1
    stage: str = ""  # the key of a label that says what is being done, if anything
    findings: Any = None  # what can be shown before it is done
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
        self._jobs: dict[str, Job] = {}  # in the order in which they were asked for

    def start_job(
        self,
        owner: str,
        worker: Worker,
        job: Callable[[ProgressCallback, *Ts], object],
        *args: *Ts,
        seconds: float | None = None,
        request: Hashable = None,
    ) -> str:
        """Start a job and return its id. The owner's oldest finished job may be discarded for it.

        `request` says what is asked for: an owner who asks for the same again gets the job that is
        under way or done.

        Raises WorkQueueFullError if the owner, or all owners, have too many unfinished jobs.
        """
        self.discard_expired()
        own = [stored for stored in self._jobs.values() if stored.owner == owner]
        for stored in own:
            if (
                request is not None
                and stored.request == request
                and stored.state is not JobState.FAILED
            ):
                return stored.id
        if worker.is_full:
            raise WorkQueueFullError("web.work_busy", 503)
        if not self._make_room(own, self.most_each):
            raise WorkQueueFullError("web.work_many", 429, most=self.most_each)
        if not self._make_room(self._jobs.values(), self.most):
            raise WorkQueueFullError("web.work_busy", 503)
        stored = Job(secrets.token_hex(16), owner, worker, self._clock(), request)
        self._jobs[stored.id] = stored
        stored.task = asyncio.create_task(self._work(stored, job, *args, seconds=seconds))
        return stored.id

    def find_job(self, owner: str, job_id: str) -> Job:
        """Return a copy of a job as it is now; WorkError (404) if the owner has no such job."""
        stored = self._find_owned(owner, job_id)
        waiting = stored.state is JobState.WAITING
        return replace(stored, jobs_ahead=self._count_jobs_ahead(stored) if waiting else 0)

    async def wait_changed(self, owner: str, job_id: str, version: int = -1) -> Job:
        """Wait until a job has another version, and return it; WorkError once it is discarded."""
        while True:
            stored = self._find_owned(owner, job_id)
            if stored.version != version:
                return self.find_job(owner, job_id)
            await stored.changed.wait()

    def discard_job(self, owner: str, job_id: str) -> None:
        """Discard a job, and stop it if it still runs."""
        self._discard(self._find_owned(owner, job_id))

    def discard_expired(self) -> None:
        """Discard the jobs that nobody has looked at for too long; other methods call this too."""
        oldest = self._clock() - self.expiry
        for stored in [stored for stored in self._jobs.values() if stored.last_seen < oldest]:
            self._discard(stored)

    async def close(self) -> None:
        """Stop and discard all jobs."""
        tasks = [stored.task for stored in self._jobs.values() if stored.task is not None]
        for stored in list(self._jobs.values()):
            self._discard(stored)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(
        self,
        stored: Job,
        job: Callable[[ProgressCallback, *Ts], object],
        *args: *Ts,
        seconds: float | None,
    ) -> None:
        def report_progress(share: float, stage: str, findings: object = None) -> None:
            stored.state, stored.progress = JobState.WORKING, max(stored.progress, share)
            stored.stage = stage or stored.stage
            stored.findings = stored.findings if findings is None else findings
            self._notify(stored)

        try:
            stored.value = await stored.worker.run(
                job, *args, progress=report_progress, seconds=seconds
            )
            stored.state, stored.progress = JobState.DONE, 1.0
        except CoatlError as error:
            stored.state, stored.error = JobState.FAILED, _strip_traceback(error)
        except Exception as error:  # whoever waits must not wait for ever
            stored.state = JobState.FAILED
            stored.error = WorkError("web.work_mistake", 500)
            stored.error.add_note(f"{type(error).__name__}: {error}")
        stored.findings = None
        self._notify(stored)

    def _notify(self, changed: Job) -> None:
        """Wake those who wait for this job, or have a job behind it in the queue."""
        for stored in self._jobs.values():
            behind = stored.state is JobState.WAITING and stored.worker is changed.worker
            if stored is changed or behind:
                stored.version += 1
                stored.changed.set()
                stored.changed = asyncio.Event()

    def _count_jobs_ahead(self, stored: Job) -> int:
        """Count the unfinished jobs of the same worker that were asked for earlier."""
        count = 0
        for other in self._jobs.values():
            if other is stored:
                break
            count += other.worker is stored.worker and not other.state.finished
        return count

    def _find_owned(self, owner: str, job_id: str) -> Job:
        self.discard_expired()
        stored = self._jobs.get(job_id)
        if stored is None or stored.owner != owner:
            raise WorkError("web.work_gone", 404)
        stored.last_seen = self._clock()
        return stored

    def _make_room(self, among: Iterable[Job], most: int) -> bool:
        """Discard the oldest finished job if there are too many; False if none is finished."""
        among = list(among)
        if len(among) < most:
            return True
        finished = next((stored for stored in among if stored.state.finished), None)
        if finished is not None:
            self._discard(finished)
        return finished is not None

    def _discard(self, stored: Job) -> None:
        self._jobs.pop(stored.id, None)
        if stored.task is not None:
            stored.task.cancel()  # does nothing if it is done
        stored.changed.set()
        self._notify(stored)


def _strip_traceback(error: CoatlError) -> CoatlError:
    """Drop the frames of an error, which would keep the whole photo in memory."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


MIN_EVENT_SECONDS = 0.3  # between two events of a job, but for its end


def stream_job_events(jobs: JobStore, owner: str, job_id: str) -> StreamingResponse:
    """Send an event for each version of a job; WorkError if it is not the owner's."""
    jobs.find_job(owner, job_id)  # an error must come before the answer begins
    return stream_events(_watch_job(jobs, owner, job_id))


async def _watch_job(jobs: JobStore, owner: str, job_id: str) -> AsyncIterator[str]:
    version = -1
    while True:
        try:
            changed = jobs.wait_changed(owner, job_id, version)
            version = (await asyncio.wait_for(changed, HEARTBEAT_SECONDS)).version
        except TimeoutError:
            yield ""
            continue
        except WorkError:  # the job is discarded: the page is fetched again and says so
            yield "gone"
            return
        yield str(version)
        with contextlib.suppress(TimeoutError, WorkError):
            async with asyncio.timeout(MIN_EVENT_SECONDS):
                await _wait_finished(jobs, owner, job_id)


async def _wait_finished(jobs: JobStore, owner: str, job_id: str) -> None:
    """Wait until a job has ended; WorkError once it is discarded."""
    found = jobs.find_job(owner, job_id)
    while not found.state.finished:
        found = await jobs.wait_changed(owner, job_id, found.version)
