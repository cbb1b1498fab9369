"""An executor on other machines: the workers of a Dask cluster. No other module knows of Dask."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from coatl_tools._version import __version__
from coatl_tools.cards.catalog import load_base_cards
from coatl_tools.errors import SimulationError
from coatl_tools.rules.constants import BOX_COUNTS
from coatl_tools.simulation.chunks import Chunk
from coatl_tools.simulation.executors import ChunkExecutor, ChunkResults, ChunkWork, Result
from coatl_tools.simulation.plan import SimulationPlan

if TYPE_CHECKING:
    from distributed import Client

ANSWER_TIMEOUT_SECONDS = 10  # seconds within which a cluster answers
_CHUNKS_PER_THREAD = 3  # given out for each thread of a worker, so that none waits for the next
_RETRIES = 3  # of a chunk whose worker is lost
_ADDRESS_PATTERN = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}")


@contextmanager
def connect_to_cluster(address: str) -> Iterator[ChunkExecutor]:
    """Connect to the workers of a scheduler, and yield an executor on them.

    SimulationError if none answers, or one has another version or other cards.
    """
    try:
        from distributed import Client  # noqa: PLC0415 (heavy, and not everybody has it)
    except ImportError:
        raise SimulationError("simulation.no_distributed") from None
    if not _ADDRESS_PATTERN.fullmatch(address):
        # without one, Dask would start a cluster of its own here
        raise SimulationError("simulation.cluster_silent", address=address)
    with _silence_dask():
        try:
            client = Client(address, timeout=ANSWER_TIMEOUT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise SimulationError("simulation.cluster_silent", address=address) from error
        try:
            _check_workers(client, address)
            yield _DaskExecutor(client, address)
        finally:
            client.close()


@contextmanager
def _silence_dask() -> Iterator[None]:
    """Silence what Dask logs and warns of: what matters is raised as errors."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


class _DaskExecutor:
    """Hands out chunks to the workers that are there; they may come and go meanwhile."""

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._address = client, address

    def __call__(
        self, work: ChunkWork[Result], plan: SimulationPlan, chunks: Iterator[Chunk]
    ) -> ChunkResults[Result]:
        from distributed import KilledWorker, as_completed  # noqa: PLC0415 (see above)

        running: dict[str, Chunk] = {}
        done = as_completed(loop=self._client.loop)
        try:
            while True:
                for chunk in islice(chunks, max(0, self._wanted() - len(running))):
                    future = self._client.submit(
                        _run_on_worker, work, plan, chunk, pure=False, retries=_RETRIES
                    )
                    running[future.key] = chunk
                    done.add(future)
                if not running:
                    return
                future = next(done)
                yield running.pop(future.key), future.result()
        except (OSError, KilledWorker, CancelledError, ImportError) as error:
            reason = type(error).__name__
            raise SimulationError(
                "simulation.cluster_lost", address=self._address, reason=reason
            ) from error
        finally:
            self._client.cancel([*done.futures], force=True)

    def _wanted(self) -> int:
        """Return how many chunks are to be given out at a time."""
        threads: int = sum(self._client.ncores().values())
        return _CHUNKS_PER_THREAD * max(1, threads)


def _check_workers(client: Client, address: str) -> None:
    """Raise SimulationError unless there are workers, and all would play the same games."""
    try:
        client.wait_for_workers(1, timeout=ANSWER_TIMEOUT_SECONDS)
    except OSError as error:
        raise SimulationError("simulation.cluster_empty", address=address) from error
    ours = _get_installed_versions()
    for worker, theirs in sorted(client.run(_get_installed_versions, on_error="return").items()):
        if not isinstance(theirs, tuple):  # an error: it cannot load this very module
            raise SimulationError("simulation.cluster_lacks", worker=worker, version=__version__)
        if theirs != ours:
            raise SimulationError(
                "simulation.cluster_version", worker=worker, theirs=theirs[0], ours=ours[0]
            )


def _get_installed_versions() -> tuple[str, str, dict[str, int]]:
    """Return what is installed where this runs: version, fingerprint of the cards, and the box."""
    return __version__, load_base_cards()[1], BOX_COUNTS


def _run_on_worker(work: ChunkWork[Result], plan: SimulationPlan, chunk: Chunk) -> Result:
    """Run the work of a worker; SimulationError if one that joined later has another version."""
    if plan.program != __version__:
        raise SimulationError(
            "simulation.cluster_version", worker="", theirs=__version__, ours=plan.program
        )
    return work(plan, chunk)
