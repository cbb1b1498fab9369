"""Who visits: a random token in a cookie, and what the server remembers of it.

A visitor is known by the hash of the token, so that whoever reads the file cannot come as anybody.
It is kept beside the tables: a server that is killed and started again knows its phones.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import time
from typing import Any

from coatl_tools.errors import CoatlError, FileError
from coatl_tools.files import (
    parse_json_object,
    read_limited_file,
    wrap_os_errors,
    write_file_atomically,
)

FILE = ".phones.json"
A_DAY = 24 * 3600.0  # seconds
KEPT_FOR = 30 * 24 * 3600.0  # seconds without a visit
MOST = 500  # visitors that are remembered
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that is taken for another
_CODE = 6
EVERYBODY = -1  # the seat of those who speak for a whole table; any number of people has it


def new_code() -> str:
    """A code that people type: short, and one of 887 million."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE))


def typed_code(text: str) -> str:
    """A code as it was meant: capitals, no spaces or dashes."""
    return "".join(char for char in text.upper() if char.isalnum())[:40]


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody with a browser. `seats` says where they sit: a table's mark and a number from 0."""

    key: str  # the hash of the token
    admitted: bool = False
    seats: Mapping[str, int] = field(default_factory=dict)
    seen: float = 0.0

    @property
    def plays(self) -> bool:
        """Whether a seat somewhere is theirs alone."""
        return any(seat != EVERYBODY for seat in self.seats.values())

    def seat(self, table: str) -> int | None:
        """The seat at a table, if there is one."""
        return self.seats.get(table)


class Visitors:
    """All that are known, and the code that lets others in; kept in a file beside the tables."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time) -> None:
        self.path = folder / FILE
        self.clock = clock
        self.code, self._known = _read(self.path)
        self.code = self.code or new_code()

    @staticmethod
    def new_token() -> str:
        """A token that nobody guesses."""
        return secrets.token_hex(24)

    def visitor(self, token: str) -> Visitor:
        """Who comes with this token; somebody new, if it is not known."""
        key = _hash(token)
        return self._known.get(key) or Visitor(key)

    def admit(self, visitor: Visitor) -> None:
        """Remember that somebody knew the code."""
        self._keep(replace(self._now(visitor), admitted=True))

    def sit(self, visitor: Visitor, table: str, seat: int) -> None:
        """Give somebody a seat, which nobody else has then."""
        if seat != EVERYBODY:
            self.free(table, seat)
        now = self._now(visitor)
        self._keep(replace(now, seats={**now.seats, table: seat}))

    def stand_up(self, visitor: Visitor, table: str) -> None:
        """Take somebody's seat away."""
        now = self._now(visitor)
        left = {name: seat for name, seat in now.seats.items() if name != table}
        self._keep(replace(now, seats=left))

    def free(self, table: str, seat: int) -> None:
        """Take a seat away from whoever has it."""
        for one in list(self._known.values()):
            if one.seat(table) == seat:
                self.stand_up(one, table)

    def taken(self, table: str) -> set[int]:
        """The seats of a table that somebody has."""
        found = {one.seats[table] for one in self._known.values() if table in one.seats}
        return found - {EVERYBODY}

    def seen_again(self, visitor: Visitor) -> bool:
        """Remember that somebody still comes, once a day; whether that was done now."""
        known = self._known.get(visitor.key)
        if known is None or 0 <= self.clock() - known.seen < A_DAY:
            return False
        with contextlib.suppress(FileError):  # it can be remembered tomorrow
            self._keep(known)
        return True

    def _now(self, visitor: Visitor) -> Visitor:
        return self._known.get(visitor.key, visitor)

    def _keep(self, visitor: Visitor) -> None:
        """Remember it, on the disk first: what cannot be written has not happened."""
        now = self.clock()
        known = {**self._known, visitor.key: replace(visitor, seen=now)}
        fresh = [one for one in known.values() if now - one.seen < KEPT_FOR]
        fresh.sort(key=lambda one: (one.key == visitor.key, one.plays, one.seen), reverse=True)
        known = {one.key: one for one in fresh[:MOST]}
        self._write(known)
        self._known = known

    def _write(self, known: Mapping[str, Visitor]) -> None:
        data = {
            "code": self.code,
            "visitors": {
                one.key: {"admitted": one.admitted, "seats": dict(one.seats), "seen": one.seen}
                for one in known.values()
            },
        }
        with wrap_os_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        write_file_atomically(self.path, json.dumps(data, indent=1))
        with wrap_os_errors(self.path):
            self.path.chmod(0o600)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _read(path: Path) -> tuple[str, dict[str, Visitor]]:
    """What was written down; nothing, if there is no such file or it makes no sense."""
    try:
        data = parse_json_object(read_limited_file(path))
        code = data["code"]
        known = {key: _visitor(key, one) for key, one in data["visitors"].items()}
    except (CoatlError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        return "", {}
    return (code if isinstance(code, str) and typed_code(code) == code else ""), known


def _visitor(key: str, data: Mapping[str, Any]) -> Visitor:
    seats = {str(table): int(seat) for table, seat in data["seats"].items()}
    return Visitor(key, data["admitted"] is True, seats, float(data["seen"]))
