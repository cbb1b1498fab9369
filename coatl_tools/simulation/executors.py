"""Executors that play the chunks of a simulation: this process, or several on the cores.

An executor is a function: it has chunks played and yields the result of each, in any order. It
asks for the next chunk only when a process is free, so that there may be any number of them.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import Connection
from typing import Protocol, TypeAlias, TypeVar

from coatl_tools.errors import CommandLineError, SimulationError
from coatl_tools.simulation.chunks import Chunk
from coatl_tools.simulation.plan import SimulationPlan

MAX_PROCESSES = 60  # more processes cannot be waited for on every system
_CHUNKS_PER_PROCESS = 2  # chunks given out for each process, so that none waits for the next one
Result = TypeVar("Result")
ChunkWork: TypeAlias = Callable[[SimulationPlan, Chunk], Result]
ChunkResults: TypeAlias = Generator[tuple[Chunk, Result], None, None]


class ChunkExecutor(Protocol):
    """Plays chunks of a simulation, in this process or in others."""

    def __call__(
        self, work: ChunkWork[Result], plan: SimulationPlan, chunks: Iterator[Chunk]
    ) -> ChunkResults[Result]:
        """Yield what the work makes of each chunk; to stop before the end, close the generator."""


def play_in_this_process(
    work: ChunkWork[Result], plan: SimulationPlan, chunks: Iterator[Chunk]
) -> ChunkResults[Result]:
    """Play the chunks one by one in this process."""
    for chunk in chunks:
        yield chunk, work(plan, chunk)


def make_local_executor(processes: int) -> ChunkExecutor:
    """Make an executor of 1 to `MAX_PROCESSES` processes; raises CommandLineError otherwise."""
    if not 1 <= processes <= MAX_PROCESSES:
        raise CommandLineError("simulation.jobs", value=str(processes)[:40], most=MAX_PROCESSES)
    return play_in_this_process if processes == 1 else _ProcessPool(processes)


def count_cores() -> int:
    """Count the cores that this process may use, up to `MAX_PROCESSES`."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(usable or 1, MAX_PROCESSES)


class _ProcessPool:
    """A pool of processes, which end with this one, however it ends."""

    def __init__(self, processes: int) -> None:
        self.processes = processes

    def __call__(
        self, work: ChunkWork[Result], plan: SimulationPlan, chunks: Iterator[Chunk]
    ) -> ChunkResults[Result]:
        context = multiprocessing.get_context("spawn")
        alive, ours = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(self.processes, context, _start_worker, (alive,))
        running: dict[Future[Result], Chunk] = {}
        try:
            while True:
                for chunk in islice(chunks, self.processes * _CHUNKS_PER_PROCESS - len(running)):
                    with _delay_interrupts():
                        running[pool.submit(work, plan, chunk)] = chunk
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(done), done.result()
        except BrokenProcessPool as error:
            raise SimulationError("simulation.worker_lost") from error
        finally:
            ours.close()  # workers that are still playing end at once
            pool.shutdown(cancel_futures=True)
            alive.close()


def _start_worker(alive: Connection) -> None:
    """Start a process of the pool: it ignores Ctrl-C, but ends with the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, args=(alive,), daemon=True).start()


def _exit_with_parent(alive: Connection) -> None:
    try:
        alive.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)


@contextmanager
def _delay_interrupts() -> Iterator[None]:
    """Delay Ctrl-C, so that a process started here never gets it, not even while it loads."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
