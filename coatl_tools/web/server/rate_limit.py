"""How many wrong join codes may be tried in a minute."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

MAX_WRONG_PER_ADDRESS = 5  # wrong codes
MAX_WRONG_TOTAL = 40
RATE_LIMIT_SECONDS = 60.0
MAX_ADDRESSES = 1000


class CodeRateLimit:
    """Limits how many wrong codes may be tried in a minute."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self._all: deque[float] = deque(maxlen=MAX_WRONG_TOTAL)
        self._by_address: dict[str, deque[float]] = {}

    def seconds_to_wait(self, address: str) -> int:
        """Return how many seconds an address must wait before its next try; 0 for none."""
        waits = [_seconds_to_wait(self._all, MAX_WRONG_TOTAL, self.clock())]
        if address in self._by_address:
            waits.append(
                _seconds_to_wait(self._by_address[address], MAX_WRONG_PER_ADDRESS, self.clock())
            )
        return max(waits)

    def record_wrong_code(self, address: str) -> None:
        """Record a wrong code from an address."""
        now = self.clock()
        self._all.append(now)
        self._by_address.setdefault(address, deque(maxlen=MAX_WRONG_PER_ADDRESS)).append(now)
        if len(self._by_address) > MAX_ADDRESSES:
            self._by_address = {
                key: times
                for key, times in self._by_address.items()
                if now - times[-1] < RATE_LIMIT_SECONDS
            }


def _seconds_to_wait(times: deque[float], most: int, now: float) -> int:
    """Return the seconds until the oldest of `most` attempts no longer counts."""
    if len(times) < most or now - times[0] >= RATE_LIMIT_SECONDS:
        return 0
    return int(RATE_LIMIT_SECONDS - (now - times[0])) + 1
