"""Sessions of visitors: the session id in a cookie, the join code and how often a wrong one may be
tried, seats at tables.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic, time
from typing import Any

from coatl_tools.errors import CoatlError, FileError
from coatl_tools.files.atomic_writes import wrap_os_errors, write_file_atomically
from coatl_tools.files.json_files import parse_json_object, read_limited_file

SESSIONS_FILE = ".phones.json"
DAY_SECONDS = 24 * 3600.0
SESSION_SECONDS = 30 * 24 * 3600.0  # without a visit
MAX_SESSIONS = 500  # visitors that are remembered
_CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that is taken for another
_CODE_LENGTH = 6
WHOLE_TABLE = -1  # the seat of those who speak for a whole table; any number of people has it


def format_session_cookie(name: str, session_id: str) -> str:
    """Format the header that gives a browser its session."""
    cookie = f"{name}={session_id}; Max-Age={SESSION_SECONDS:.0f}"
    return f"{cookie}; Path=/; HttpOnly; SameSite=Lax"


def make_join_code() -> str:
    """Make a join code that people can type: short, and one of 887 million."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def normalize_join_code(text: str) -> str:
    """Normalize a typed code: capitals, no spaces or dashes."""
    return "".join(char for char in text.upper() if char.isalnum())[:40]


@dataclass(frozen=True, slots=True)
class VisitorSession:
    """The session of a browser. `seats` has the seat (from 0) for the id of each table."""

    key: str  # the hash of the token
    admitted: bool = False
    seats: Mapping[str, int] = field(default_factory=dict)
    last_seen: float = 0.0

    @property
    def has_own_seat(self) -> bool:
        """Whether the visitor has a seat of their own at any table."""
        return any(seat != WHOLE_TABLE for seat in self.seats.values())

    def seat(self, table: str) -> int | None:
        """Return the seat at a table, or None."""
        return self.seats.get(table)


class SessionStore:
    """All sessions, and the join code; stored in a file beside the tables."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time) -> None:
        self.path = folder / SESSIONS_FILE
        self.clock = clock
        self.code, self._known = _read_sessions(self.path)
        self.code = self.code or make_join_code()

    @staticmethod
    def make_session_id() -> str:
        """Make a session id that nobody can guess."""
        return secrets.token_hex(24)

    def find_session(self, session_id: str) -> VisitorSession:
        """Find the session of this id; a new one if the id is unknown."""
        key = _hash_session_id(session_id)
        return self._known.get(key) or VisitorSession(key)

    def admit(self, session: VisitorSession) -> None:
        """Store that the visitor knew the code."""
        self._store(replace(self._current(session), admitted=True))

    def take_seat(self, session: VisitorSession, table: str, seat: int) -> None:
        """Give a seat to the visitor, and take it from whoever had it."""
        if seat != WHOLE_TABLE:
            self.free_seat(table, seat)
        now = self._current(session)
        self._store(replace(now, seats={**now.seats, table: seat}))

    def leave_seat(self, session: VisitorSession, table: str) -> None:
        """Give up the seat of a visitor at a table."""
        now = self._current(session)
        left = {name: seat for name, seat in now.seats.items() if name != table}
        self._store(replace(now, seats=left))

    def free_seat(self, table: str, seat: int) -> None:
        """Free a seat, whoever has it."""
        for one in list(self._known.values()):
            if one.seat(table) == seat:
                self.leave_seat(one, table)

    def taken_seats(self, table: str) -> set[int]:
        """Return the seats of a table that are taken."""
        found = {one.seats[table] for one in self._known.values() if table in one.seats}
        return found - {WHOLE_TABLE}

    def refresh(self, session: VisitorSession) -> bool:
        """Store once a day that the session is in use; return whether it was stored now."""
        known = self._known.get(session.key)
        if known is None or 0 <= self.clock() - known.last_seen < DAY_SECONDS:
            return False
        with contextlib.suppress(FileError):  # it can be remembered tomorrow
            self._store(known)
        return True

    def _current(self, session: VisitorSession) -> VisitorSession:
        return self._known.get(session.key, session)

    def _store(self, session: VisitorSession) -> None:
        """Store a session, on the disk first: what cannot be written must not count."""
        now = self.clock()
        known = {**self._known, session.key: replace(session, last_seen=now)}
        fresh = [one for one in known.values() if now - one.last_seen < SESSION_SECONDS]
        fresh.sort(
            key=lambda one: (one.key == session.key, one.has_own_seat, one.last_seen), reverse=True
        )
        known = {one.key: one for one in fresh[:MAX_SESSIONS]}
        self._write(known)
        self._known = known

    def _write(self, known: Mapping[str, VisitorSession]) -> None:
        data = {
            "code": self.code,
            "visitors": {
                one.key: {"admitted": one.admitted, "seats": dict(one.seats), "seen": one.last_seen}
                for one in known.values()
            },
        }
        with wrap_os_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        write_file_atomically(self.path, json.dumps(data, indent=1))
        with wrap_os_errors(self.path):
            self.path.chmod(0o600)


def _hash_session_id(session_id: str) -> str:
    return hashlib.sha256(session_id.encode("utf-8", "replace")).hexdigest()


def _read_sessions(path: Path) -> tuple[str, dict[str, VisitorSession]]:
    """Read the join code and the sessions; nothing if the file is missing or damaged."""
    try:
        data = parse_json_object(read_limited_file(path))
        code = data["code"]
        known = {key: _parse_session(key, one) for key, one in data["visitors"].items()}
    except (CoatlError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        return "", {}
    return (code if isinstance(code, str) and normalize_join_code(code) == code else ""), known


def _parse_session(key: str, data: Mapping[str, Any]) -> VisitorSession:
    seats = {str(table): int(seat) for table, seat in data["seats"].items()}
    return VisitorSession(key, data["admitted"] is True, seats, float(data["seen"]))


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
