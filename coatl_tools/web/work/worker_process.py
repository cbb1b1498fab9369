"""A worker process that runs one job at a time, with limits of time and memory: the parent's
side and the child's side.

A job runs in a spawned process, so that the server never loads OpenCV, and survives when a decoder
crashes. The process leads a process group, so that Tesseract ends with it, and has RLIMIT_DATA.
A thread of the server waits for its answer.

A library such as pebble would replace the queue and the timeouts (about 250 lines), but not the
memory limit, the process group, or the progress that pages show. Those are the parts that need
care, and with them the queue is simple: so there is no dependency for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar, TypeVarTuple

from coatl_tools.errors import CoatlError, WorkError, WorkQueueFullError, WorkTimeoutError

MAX_FINDINGS_BYTES = 4_000_000  # what is larger is not sent before the job is done
_NICENESS = 5  # a little less important than what answers the phones
_GRACE_SECONDS = 5  # after its limit at which a job ends even if nobody is there to end it
_OPENCV_NO_MEMORY = -4  # what OpenCV calls it


class ProgressCallback(Protocol):
    """Is told how far a job is.

    `share` is how much is done, from 0 to 1; `stage` the key of a label that says what is being
    done; `findings` what can be shown before the job is done, if there is something new.
    """

    def __call__(self, share: float, stage: str, findings: object = None, /) -> None:
        """Tell it."""


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job is, and what it has found so far, if that is new."""

    progress: float
    stage: str
    findings: Any = None


@dataclass(frozen=True, slots=True)
class JobAnswer:
    """What became of a job; after `must_end` the process is not used again."""

    value: Any = None
    error: CoatlError | None = None
    must_end: bool = False


def run_child(pipe: Connection, memory: int) -> None:
    """Run the jobs that come through the pipe, one after the other, within `memory` bytes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, whose end ends us
    if hasattr(os, "setsid"):
        os.setsid()  # so that whatever a job starts, such as Tesseract, ends with us
        os.nice(_NICENESS)
    _silence_output()
    _limit_memory(memory)
    asked: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_receive_jobs, args=(pipe, asked), daemon=True).start()
    while True:
        pipe.send_bytes(_run_job(asked.get(), pipe))


def kill_process_group(process: int) -> None:
    """Kill a process that leads a group, with all that it has started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)


def _receive_jobs(pipe: Connection, asked: SimpleQueue[bytes]) -> None:
    """Receive jobs; exit at once when the parent is gone, even within a job."""
    try:
        while True:
            asked.put(pipe.recv_bytes())
    except (EOFError, OSError):
        kill_process_group(os.getpid())
        os._exit(0)


def _run_job(data: bytes, pipe: Connection) -> bytes:
    """Run a job and pickle its answer; any exception becomes a CoatlError."""

    def tell(share: float, stage: str, findings: object = None) -> None:
        message = pickle.dumps(JobProgress(share, stage, findings))
        if len(message) > MAX_FINDINGS_BYTES:
            message = pickle.dumps(JobProgress(share, stage))
        pipe.send_bytes(message)

    tell(0.0, "")
    try:
        job, args, seconds = pickle.loads(data)
        with _limit_time(seconds):
            return pickle.dumps(JobAnswer(job(tell, *args)))
    except CoatlError as error:
        return pickle.dumps(JobAnswer(error=error, must_end=_is_out_of_memory(error)))
    except BaseException as error:  # whatever it is, somebody waits for an answer
        if _is_out_of_memory(error):
            return pickle.dumps(JobAnswer(error=WorkError("web.work_memory", 503), must_end=True))
        mistake = WorkError("web.work_mistake", 500)
        mistake.add_note("".join(traceback.format_exception(error)))  # for whoever repairs it
        return pickle.dumps(JobAnswer(error=mistake, must_end=True))


def _is_out_of_memory(error: BaseException | None) -> bool:
    """Tell whether memory ran out, also as the cause of another error."""
    while error is not None:
        opencv = (
            type(error).__module__ == "cv2" and getattr(error, "code", None) == _OPENCV_NO_MEMORY
        )
        if isinstance(error, MemoryError) or opencv:
            return True
        error = error.__cause__ or error.__context__
    return False


@contextlib.contextmanager
def _limit_time(seconds: float) -> Iterator[None]:
    """Let the system kill this process if a job runs on after the parent has died."""
    if not hasattr(signal, "alarm"):
        yield
        return
    signal.alarm(int(seconds) + _GRACE_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def _silence_output() -> None:
    """Silence stdout and stderr: decoders print warnings about damaged photos there."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for output in (1, 2):
        os.dup2(nowhere, output)


def _limit_memory(memory: int) -> None:
    """Limit the memory, where the system can, and forbid core dumps, which would hold photos.

    RLIMIT_DATA counts memory that is written to; RLIMIT_AS would count the gigabytes of
    addresses that threads only reserve.
    """
    try:
        import resource  # noqa: PLC0415 (there is none on Windows)
    except ImportError:
        return
    for what, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(what)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (least, least))


T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """How much time and memory a job may take, and how many jobs may wait.

    Measured: of the memory that is limited, reading takes 0.4 GB, and 1.1 GB for the largest PNG.
    """

    seconds: float = 60.0
    memory: int = 2 << 30  # bytes
    waiting: int = 8


@dataclass(eq=False)
class _WorkerTask:
    """A job that a caller waits for; `stop_error` says why it is to be stopped, if it is."""

    job: Callable[..., object]
    args: tuple[object, ...]
    seconds: float
    report_progress: ProgressCallback
    started: bool = False
    stop_error: WorkError | None = None


class _ChildProcess:
    """A running process, and the pipe to it."""

    def __init__(self, memory: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=run_child, args=(theirs, memory), daemon=True)
        with theirs, _block_interrupts():
            self.process.start()

    def answer(self, task: _WorkerTask) -> JobAnswer:
        """Run a job; EOFError or OSError if the process ends before it answers."""
        self.pipe.send_bytes(pickle.dumps((task.job, task.args, task.seconds)))
        while True:
            message = pickle.loads(self.pipe.recv_bytes())
            task.started = True
            if isinstance(message, JobAnswer):
                return message
            assert isinstance(message, JobProgress)
            task.report_progress(message.progress, message.stage, message.findings)

    def kill(self) -> None:
        """Kill it, and whatever it has started."""
        assert self.process.pid is not None
        kill_process_group(self.process.pid)
        self.process.kill()  # also where it had no time to lead a group

    def end(self) -> None:
        """Kill it, and release its resources."""
        self.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()


class Worker:
    """Runs jobs one by one in another process; each is a function taking a `ProgressCallback`.

    Functions and arguments are pickled. Close the worker when it is no longer needed.
    """

    def __init__(self, limits: WorkerLimits | None = None) -> None:
        self.limits = limits or WorkerLimits()
        self._thread = ThreadPoolExecutor(
            1, "coatl-work"
        )  # waits for the process; its queue is ours
        self._lock = threading.Lock()  # over what follows
        self._child: _ChildProcess | None = None
        self._task: _WorkerTask | None = None
        self._closed = False
        self._asked = 0  # only looked at by the event loop

    @property
    def process_id(self) -> int | None:
        """The id of the process, if there is one."""
        with self._lock:
            return self._child.process.pid if self._child else None

    @property
    def is_full(self) -> bool:
        """Whether another job would be refused."""
        return self._asked > self.limits.waiting

    async def run(
        self,
        job: Callable[[ProgressCallback, *Ts], T],
        *args: *Ts,
        progress: ProgressCallback | None = None,
        seconds: float | None = None,
    ) -> T:
        """Run a job in the other process, after those that were asked for earlier.

        `progress` is first called with (0, "") when its turn has come. If the caller is
        cancelled, so is the job, waiting or not. Raises WorkQueueFullError if too many wait,
        WorkTimeoutError after its time, WorkError if the process dies or the job has a mistake,
        and whatever CoatlError the job raises.
        """
        if self.is_full:
            raise WorkQueueFullError("web.work_busy", 503)
        loop = asyncio.get_running_loop()

        def tell(share: float, stage: str, findings: object = None) -> None:
            if progress is not None:
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(progress, share, stage, findings)

        most = self.limits.seconds if seconds is None else seconds
        task = _WorkerTask(job, args, most, tell)
        try:
            future = self._thread.submit(self._answer, task)
        except RuntimeError:
            raise _make_closed_error() from None
        self._asked += 1
        try:
            answer = await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if self._closed and future.cancelled():
                raise _make_closed_error() from None
            self._stop(task, WorkError("web.work_gone", 404))
            raise
        finally:
            self._asked -= 1
        if answer.error is not None:
            raise answer.error
        value: T = answer.value
        return value

    def close(self) -> None:
        """Stop the job that runs and end the process; callers that still wait get an error."""
        with self._lock:
            self._closed = True
            task = self._task
        if task is not None:
            self._stop(task, _make_closed_error())
        self._thread.shutdown(cancel_futures=True)
        self._end_child()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self, task: _WorkerTask) -> JobAnswer:
        """Run a job, in the thread that waits for the process."""
        clock = threading.Timer(task.seconds, self._stop, (task, _make_timeout_error(task.seconds)))
        clock.daemon = True
        clock.start()
        try:
            try:
                return self._run_in_child(task)
            except (EOFError, OSError):
                if task.started or task.stop_error:
                    raise
                return self._run_in_child(
                    task
                )  # the process had died before, while it had nothing to do
        except (EOFError, OSError) as error:
            raise task.stop_error or WorkError("web.work_died", 503) from error
        finally:
            clock.cancel()

    def _run_in_child(self, task: _WorkerTask) -> JobAnswer:
        """Run a job in the process, which is used again unless something went wrong."""
        child = self._start_child(task)
        keep = False
        try:
            answer = child.answer(task)
            keep = not answer.must_end
            return answer
        finally:
            with self._lock:
                self._task = None
            if not keep or task.stop_error:
                self._end_child()

    def _start_child(self, task: _WorkerTask) -> _ChildProcess:
        """Start the process if there is none; from now on, stopping the task kills it."""
        with self._lock:
            if self._closed or task.stop_error:
                raise task.stop_error or _make_closed_error()
            self._child = self._child or _ChildProcess(self.limits.memory)
            self._task = task
            return self._child

    def _stop(self, task: _WorkerTask, why: WorkError) -> None:
        """Stop a job; kill the process if it runs this job, and leave other jobs alone."""
        with self._lock:
            task.stop_error = task.stop_error or why
            if self._task is task and self._child is not None:
                self._child.kill()

    def _end_child(self) -> None:
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.end()


def _make_timeout_error(seconds: float) -> WorkTimeoutError:
    return WorkTimeoutError("web.work_late", 503, seconds=f"{seconds:g}")


def _make_closed_error() -> WorkError:
    return WorkError("web.work_closed", 503)


@contextlib.contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C for processes that are started inside, even while they load."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which lets Ctrl-C through when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
