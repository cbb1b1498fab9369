"""Guessing takes too long: wrong codes are counted, for each address and for all together."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

PER_ADDRESS, IN_ALL = 5, 40  # wrong codes
WITHIN = 60.0  # seconds
MOST_ADDRESSES = 1000


class Attempts:
    """The wrong codes of the last minute."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self._all: deque[float] = deque(maxlen=IN_ALL)
        self._by: dict[str, deque[float]] = {}

    def wait(self, address: str) -> int:
        """How many seconds this address has to wait before it may try; 0 if it may now."""
        waits = [_wait(self._all, IN_ALL, self.clock())]
        if address in self._by:
            waits.append(_wait(self._by[address], PER_ADDRESS, self.clock()))
        return max(waits)

    def wrong(self, address: str) -> None:
        """A wrong code came from here."""
        now = self.clock()
        self._all.append(now)
        self._by.setdefault(address, deque(maxlen=PER_ADDRESS)).append(now)
        if len(self._by) > MOST_ADDRESSES:
            self._by = {key: times for key, times in self._by.items() if now - times[-1] < WITHIN}


def _wait(times: deque[float], most: int, now: float) -> int:
    """Until the oldest of so many attempts is forgotten."""
    if len(times) < most or now - times[0] >= WITHIN:
        return 0
    return int(WITHIN - (now - times[0])) + 1
