"""A crew on other machines: the workers of a Dask cluster. Nothing else here knows of Dask."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from coatl_tools._version import __version__
from coatl_tools.cards.kept import base_cards
from coatl_tools.errors import SimulationError
from coatl_tools.simulation.parts import Part
from coatl_tools.simulation.plan import Plan
from coatl_tools.simulation.workers import Crew

if TYPE_CHECKING:
    from distributed import Client

ANSWERED = 10  # seconds within which a cluster answers
_AHEAD = 3  # parts given out for each thread of a worker, so that none waits for the next one
_RETRIES = 3  # of a part whose worker is lost
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}")
Result = TypeVar("Result")


@contextmanager
def on_cluster(address: str) -> Iterator[Crew]:
    """The workers of a scheduler; SimulationError if none answers or one would play otherwise."""
    try:
        from distributed import Client  # noqa: PLC0415 (heavy, and not everybody has it)
    except ImportError:
        raise SimulationError("simulation.no_distributed") from None
    if not _ADDRESS.fullmatch(address):  # without one, Dask would start a cluster of its own here
        raise SimulationError("simulation.cluster_silent", address=address)
    with _quiet():
        try:
            client = Client(address, timeout=ANSWERED, set_as_default=False)
        except (OSError, ValueError) as error:
            raise SimulationError("simulation.cluster_silent", address=address) from error
        try:
            _check(client, address)
            yield _Workers(client, address)
        finally:
            client.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """What Dask logs and warns of is left unsaid: what matters is said by errors."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


class _Workers:
    """Hands out parts to whoever is there: workers may come and go meanwhile."""

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._address = client, address

    def __call__(
        self, work: Callable[[Plan, Part], Result], plan: Plan, parts: Iterator[Part]
    ) -> Generator[tuple[Part, Result], None, None]:
        from distributed import KilledWorker, as_completed  # noqa: PLC0415 (see above)

        running: dict[str, Part] = {}
        done = as_completed(loop=self._client.loop)
        try:
            while True:
                for part in islice(parts, max(0, self._wanted() - len(running))):
                    future = self._client.submit(
                        _play, work, plan, part, pure=False, retries=_RETRIES
                    )
                    running[future.key] = part
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
        """How many parts are to be given out at a time."""
        threads: int = sum(self._client.ncores().values())
        return _AHEAD * max(1, threads)


def _check(client: Client, address: str) -> None:
    """Raise SimulationError unless there are workers, and all would play the same games."""
    try:
        client.wait_for_workers(1, timeout=ANSWERED)
    except OSError as error:
        raise SimulationError("simulation.cluster_empty", address=address) from error
    ours = _installed()
    for worker, theirs in sorted(client.run(_installed, on_error="return").items()):
        if not isinstance(theirs, tuple):  # an error: it cannot load this very module
            raise SimulationError("simulation.cluster_lacks", worker=worker, version=__version__)
        if theirs != ours:
            raise SimulationError(
                "simulation.cluster_version", worker=worker, theirs=theirs[0], ours=ours[0]
            )


def _installed() -> tuple[str, str]:
    """What is installed where this runs: the version, and the fingerprint of the cards."""
    return __version__, base_cards()[1]


def _play(work: Callable[[Plan, Part], Result], plan: Plan, part: Part) -> Result:
    """What a worker does; one that joined later is checked here."""
    if plan.program != __version__:
        raise SimulationError(
            "simulation.cluster_version", worker="", theirs=__version__, ours=plan.program
        )
    return work(plan, part)
