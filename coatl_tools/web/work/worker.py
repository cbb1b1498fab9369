"""A process of its own for jobs that take long or may go wrong: one job at a time.

It is started for the first job and then stays, with all that it has loaded. A job that takes too
long is ended with its process, and the next one finds a new process; so does one after a crash.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import TypeVar, TypeVarTuple

from coatl_tools.errors import WorkError, WorkQueueFullError, WorkTimeoutError
from coatl_tools.web.work.child import Answer, Tell, Told, end_group, serve

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a worker's jobs may take, and how many may wait.

    Measured: of the memory that is limited, reading takes 0.4 GB, and 1.1 GB for the largest PNG.
    """

    seconds: float = 60.0
    memory: int = 2 << 30  # bytes
    waiting: int = 8


class _Task:
    """A job that somebody waits for; `ended` says why, once it is to be stopped."""

    def __init__(
        self, job: Callable[..., object], args: tuple[object, ...], seconds: float, tell: Tell
    ) -> None:
        self.job, self.args, self.seconds, self.tell = job, args, seconds, tell
        self.begun = False
        self.ended: WorkError | None = None


class _Child:
    """A running process, and the pipe to it."""

    def __init__(self, memory: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, memory), daemon=True)
        with theirs, _uninterrupted():
            self.process.start()

    def answer(self, task: _Task) -> Answer:
        """Have a job done; EOFError or OSError if the process ends before it has answered."""
        self.pipe.send_bytes(pickle.dumps((task.job, task.args, task.seconds)))
        while True:
            said = pickle.loads(self.pipe.recv_bytes())
            task.begun = True
            if isinstance(said, Answer):
                return said
            assert isinstance(said, Told)
            task.tell(said.share, said.stage)

    def kill(self) -> None:
        """End it, and whatever it has started."""
        assert self.process.pid is not None
        end_group(self.process.pid)
        self.process.kill()  # also where it had no time to lead a group

    def end(self) -> None:
        """End it, and leave nothing behind."""
        self.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()


class Worker:
    """Runs jobs one by one, each a function that takes a `Tell` and what else it is given.

    Functions and arguments travel to another process: they are pickled. To be closed in the end.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._thread = ThreadPoolExecutor(
            1, "coatl-work"
        )  # waits for the process; its queue is ours
        self._guard = threading.Lock()  # over what follows
        self._child: _Child | None = None
        self._task: _Task | None = None
        self._closed = False
        self._asked = 0  # only looked at by the event loop

    @property
    def process(self) -> int | None:
        """The number of the process, if there is one."""
        with self._guard:
            return self._child.process.pid if self._child else None

    @property
    def full(self) -> bool:
        """Whether another job would be refused."""
        return self._asked > self.limits.waiting

    async def run(
        self,
        job: Callable[[Tell, *Ts], T],
        *args: *Ts,
        progress: Tell | None = None,
        seconds: float | None = None,
    ) -> T:
        """Do a job in the other process, when those before it are done.

        `progress` first hears (0, "") when its turn has come. If the caller is cancelled, so is
        the job, waiting or not. Raises BusyError if too many wait, LateError after its time,
        WorkError if the process dies or the job has a mistake, and whatever CoatlError it raises.
        """
        if self.full:
            raise WorkQueueFullError("web.work_busy", 503)
        loop = asyncio.get_running_loop()

        def tell(share: float, stage: str) -> None:
            if progress is not None:
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(progress, share, stage)

        most = self.limits.seconds if seconds is None else seconds
        task = _Task(job, args, most, tell)
        try:
            future = self._thread.submit(self._answer, task)
        except RuntimeError:
            raise _closed() from None
        self._asked += 1
        try:
            answer = await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if self._closed and future.cancelled():
                raise _closed() from None
            self._stop(task, WorkError("web.work_gone", 404))
            raise
        finally:
            self._asked -= 1
        if answer.error is not None:
            raise answer.error
        value: T = answer.value
        return value

    def close(self) -> None:
        """Stop what is being done and end the process; who still waits is told."""
        with self._guard:
            self._closed = True
            task = self._task
        if task is not None:
            self._stop(task, _closed())
        self._thread.shutdown(cancel_futures=True)
        self._forget_child()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self, task: _Task) -> Answer:
        """Have a job done, in the thread that waits; answers what became of it."""
        clock = threading.Timer(task.seconds, self._stop, (task, _late(task.seconds)))
        clock.daemon = True
        clock.start()
        try:
            try:
                return self._tried(task)
            except (EOFError, OSError):
                if task.begun or task.ended:
                    raise
                return self._tried(task)  # the process had died before, while it had nothing to do
        except (EOFError, OSError) as error:
            raise task.ended or WorkError("web.work_died", 503) from error
        finally:
            clock.cancel()

    def _tried(self, task: _Task) -> Answer:
        """Give a job to the process, which stays if nothing is wrong with it."""
        child = self._begun(task)
        keep = False
        try:
            answer = child.answer(task)
            keep = not answer.last
            return answer
        finally:
            with self._guard:
                self._task = None
            if not keep or task.ended:
                self._forget_child()

    def _begun(self, task: _Task) -> _Child:
        """The process, which is to be ended from now on if this job is."""
        with self._guard:
            if self._closed or task.ended:
                raise task.ended or _closed()
            self._child = self._child or _Child(self.limits.memory)
            self._task = task
            return self._child

    def _stop(self, task: _Task, why: WorkError) -> None:
        """End a job, and the process if it is at it. No other job is harmed."""
        with self._guard:
            task.ended = task.ended or why
            if self._task is task and self._child is not None:
                self._child.kill()

    def _forget_child(self) -> None:
        with self._guard:
            child, self._child = self._child, None
        if child is not None:
            child.end()


def _late(seconds: float) -> WorkTimeoutError:
    return WorkTimeoutError("web.work_late", 503, seconds=f"{seconds:g}")


def _closed() -> WorkError:
    return WorkError("web.work_closed", 503)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """A process that is started here never hears Ctrl-C, not even while it loads."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which lets Ctrl-C through when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
