"""What runs in the process of a worker: one job after the other, until its parent is gone.

It has limits of its own, makes no noise on the terminal, and lets the server go first.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, TypeAlias

from coatl_tools.errors import CoatlError, WorkError

# How much of a job is done, from 0 to 1, and the key of a label that says what is being done.
Tell: TypeAlias = Callable[[float, str], None]
_NICE = 5  # a little less important than what answers the phones
_GRACE = 5  # seconds after its limit at which a job ends even if nobody is there to end it
_NO_MEMORY = -4  # what OpenCV calls it


@dataclass(frozen=True, slots=True)
class Told:
    """How far a job is."""

    share: float
    stage: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a job; the process that says `last` is not to be used again."""

    value: Any = None
    error: CoatlError | None = None
    last: bool = False


def serve(pipe: Connection, memory: int) -> None:
    """Do what comes through the pipe, for ever. `memory` is how many bytes a job may take."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, whose end ends us
    if hasattr(os, "setsid"):
        os.setsid()  # so that whatever a job starts, such as Tesseract, ends with us
        os.nice(_NICE)
    _silence()
    _limit(memory)
    asked: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, asked), daemon=True).start()
    while True:
        pipe.send_bytes(_done(asked.get(), pipe))


def end_group(process: int) -> None:
    """End a process that leads a group, with all that it has started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)


def _listen(pipe: Connection, asked: SimpleQueue[bytes]) -> None:
    """Take in what is asked for; when the parent is gone, end at once, whatever is being done."""
    try:
        while True:
            asked.put(pipe.recv_bytes())
    except (EOFError, OSError):
        end_group(os.getpid())
        os._exit(0)


def _done(data: bytes, pipe: Connection) -> bytes:
    """Do a job; what is not an error of ours becomes one."""

    def tell(share: float, stage: str) -> None:
        pipe.send_bytes(pickle.dumps(Told(share, stage)))

    tell(0.0, "")
    try:
        job, args, seconds = pickle.loads(data)
        with _alarm(seconds):
            return pickle.dumps(Answer(job(tell, *args)))
    except CoatlError as error:
        return pickle.dumps(Answer(error=error, last=_is_for_memory(error)))
    except BaseException as error:  # whatever it is, somebody waits for an answer
        if _is_for_memory(error):
            return pickle.dumps(Answer(error=WorkError("web.work_memory", 503), last=True))
        mistake = WorkError("web.work_mistake", 500)
        mistake.add_note("".join(traceback.format_exception(error)))  # for whoever repairs it
        return pickle.dumps(Answer(error=mistake, last=True))


def _is_for_memory(error: BaseException | None) -> bool:
    """Whether memory ran out, which may be behind another error."""
    while error is not None:
        opencv = type(error).__module__ == "cv2" and getattr(error, "code", None) == _NO_MEMORY
        if isinstance(error, MemoryError) or opencv:
            return True
        error = error.__cause__ or error.__context__
    return False


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """The system ends us if a job runs on when nobody watches it any more."""
    if not hasattr(signal, "alarm"):
        yield
        return
    signal.alarm(int(seconds) + _GRACE)
    try:
        yield
    finally:
        signal.alarm(0)


def _silence() -> None:
    """Decoders write their opinion of damaged photos to the terminal, where nobody needs it."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for output in (1, 2):
        os.dup2(nowhere, output)


def _limit(memory: int) -> None:
    """No more memory than this, where there are such limits, and no photo in a core dump.

    What is written to counts. Addresses do not: threads reserve gigabytes of them.
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
