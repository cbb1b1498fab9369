"""Jobs that were asked for: how far each is, what came of it, and whose it is.

What nobody has looked at for a while is put away, and stopped if it still runs.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVarTuple

from coatl_tools.errors import CoatlError, WorkError, WorkQueueFullError
from coatl_tools.web.work.child import Tell
from coatl_tools.web.work.worker import Worker

EXPIRY = 30 * 60.0  # seconds
MOST, MOST_EACH = 48, 6
Ts = TypeVarTuple("Ts")


class State(Enum):
    """How far a job is."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"

    @property
    def finished(self) -> bool:
        """Whether it stays as it is."""
        return self in (State.DONE, State.FAILED)


@dataclass(frozen=True, slots=True)
class Job:
    """A job as its owner sees it. `version` changes whenever anything else does."""

    id: str
    state: State
    before: int  # jobs whose turn comes first, while it waits
    share: float  # of the work that is done, from 0 to 1
    stage: str  # the key of a label that says what is being done, if anything
    value: Any = None
    error: CoatlError | None = None
    version: int = 0
    mark: Any = None  # what was asked for


@dataclass(eq=False)
class _Kept:
    id: str
    owner: str
    worker: Worker
    seen: float  # when somebody looked at it
    mark: Hashable = None
    state: State = State.WAITING
    share: float = 0.0
    stage: str = ""
    value: Any = None
    error: CoatlError | None = None
    version: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Jobs:
    """All jobs of a server; its methods belong to its event loop."""

    def __init__(
        self,
        most: int = MOST,
        most_each: int = MOST_EACH,
        expiry: float = EXPIRY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most, self.most_each, self.expiry = most, most_each, expiry
        self._clock = clock
        self._kept: dict[str, _Kept] = {}  # in the order in which they were asked for

    def begin(
        self,
        owner: str,
        worker: Worker,
        job: Callable[[Tell, *Ts], object],
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
            if mark is not None and kept.mark == mark and kept.state is not State.FAILED:
                return kept.id
        if worker.full:
            raise WorkQueueFullError("web.work_busy", 503)
        if not self._make_room(own, self.most_each):
            raise WorkQueueFullError("web.work_many", 429, most=self.most_each)
        if not self._make_room(self._kept.values(), self.most):
            raise WorkQueueFullError("web.work_busy", 503)
        kept = _Kept(secrets.token_hex(16), owner, worker, self._clock(), mark)
        self._kept[kept.id] = kept
        kept.task = asyncio.create_task(self._work(kept, job, *args, seconds=seconds))
        return kept.id

    def look(self, owner: str, job_id: str) -> Job:
        """How far a job is; WorkError with 404 if it is not there, or somebody else's."""
        kept = self._found(owner, job_id)
        waiting = kept.state is State.WAITING
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
        self, kept: _Kept, job: Callable[[Tell, *Ts], object], *args: *Ts, seconds: float | None
    ) -> None:
        def progress(share: float, stage: str) -> None:
            kept.state, kept.share = State.WORKING, max(kept.share, share)
            kept.stage = stage or kept.stage
            self._tell(kept)

        try:
            kept.value = await kept.worker.run(job, *args, progress=progress, seconds=seconds)
            kept.state, kept.share = State.DONE, 1.0
        except CoatlError as error:
            kept.state, kept.error = State.FAILED, _bare(error)
        except Exception as error:  # whoever waits must not wait for ever
            kept.state = State.FAILED
            kept.error = WorkError("web.work_mistake", 500)
            kept.error.add_note(f"{type(error).__name__}: {error}")
        self._tell(kept)

    def _tell(self, changed: _Kept) -> None:
        """Wake whoever waits for this job, or has one behind it."""
        for kept in self._kept.values():
            behind = kept.state is State.WAITING and kept.worker is changed.worker
            if kept is changed or behind:
                kept.version += 1
                kept.changed.set()
                kept.changed = asyncio.Event()

    def _before(self, kept: _Kept) -> int:
        """How many unfinished jobs of the same worker were asked for earlier."""
        count = 0
        for other in self._kept.values():
            if other is kept:
                break
            count += other.worker is kept.worker and not other.state.finished
        return count

    def _found(self, owner: str, job_id: str) -> _Kept:
        self.sweep()
        kept = self._kept.get(job_id)
        if kept is None or kept.owner != owner:
            raise WorkError("web.work_gone", 404)
        kept.seen = self._clock()
        return kept

    def _make_room(self, among: Iterable[_Kept], most: int) -> bool:
        """Let the oldest finished one go if there are too many; False if none is finished."""
        among = list(among)
        if len(among) < most:
            return True
        finished = next((kept for kept in among if kept.state.finished), None)
        if finished is not None:
            self._forget(finished)
        return finished is not None

    def _forget(self, kept: _Kept) -> None:
        self._kept.pop(kept.id, None)
        if kept.task is not None:
            kept.task.cancel()  # does nothing if it is done
        kept.changed.set()
        self._tell(kept)


def _bare(error: CoatlError) -> CoatlError:
    """An error without the frames that it went through, which hold the whole photo."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
