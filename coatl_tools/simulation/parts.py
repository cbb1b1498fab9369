"""A simulation is kept in parts of a few games: one file each, which is whole or not there.

    {"coatl-part": 1, "first": 60, "games": 10, "plan": "63bd…", "check": "0f4c…"}
    [[[60, …]], [[60, 1, …], …], […], […]]       a game: the rows of the four tables

Which games are in which part never changes, so that a simulation can grow.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, get_type_hints

from coatl_tools.documents import file_errors
from coatl_tools.errors import SimulationError
from coatl_tools.simulation.plan import Plan
from coatl_tools.simulation.playing import Played, play_game
from coatl_tools.simulation.rows import TABLES, values

FORMAT = 1
MARK = "coatl-part"
SINGLE = 50  # so many games are parts of their own: few games of slow players keep all cores busy
TOGETHER = 10  # games of a later part, so that many games are not as many files


@dataclass(frozen=True, slots=True)
class Part:
    """Some games of a simulation, one after the other; the last part may be a short one."""

    first: int
    games: int

    @property
    def file_name(self) -> str:
        """The name of its file; sorted by name, parts are in order up to a billion games."""
        return f"{self.first:09}.jsonl"


def parts_of(games: int) -> Iterator[Part]:
    """The parts of so many games, one by one: there may be very many."""
    first = 0
    while first < games:
        size = 1 if first < SINGLE else TOGETHER
        yield Part(first, min(size, games - first))
        first += size


def play_part(plan: Plan, part: Part) -> list[Played]:
    """Play the games of a part."""
    return [play_game(plan, part.first + place) for place in range(part.games)]


def part_text(plan: Plan, part: Part) -> str:
    """Play the games of a part, and write them as its file holds them."""
    return written(plan, part, play_part(plan, part))


def written(plan: Plan, part: Part, games: Iterable[Played]) -> str:
    """The games of a part as its file holds them."""
    body = "".join(f"{_line(played)}\n" for played in games)
    head = {
        MARK: FORMAT,
        "first": part.first,
        "games": part.games,
        "plan": plan.digest,
        "check": _check(body.encode()),
    }
    return f"{json.dumps(head)}\n{body}"


class Kept(Enum):
    """What is there of a part."""

    WHOLE = "whole"
    MISSING = "missing"  # or it holds fewer games than are wanted now
    DAMAGED = "damaged"  # torn, changed, or of another simulation


def kept(path: Path, digest: str, part: Part) -> Kept:
    """What a file holds of this part of a plan; FileError if it cannot be read."""
    content = _content(path)
    if content is None:
        return Kept.MISSING
    head, body = content
    same = {MARK: FORMAT, "first": part.first, "plan": digest, "check": _check(body)}
    if any(head.get(key) != value for key, value in same.items()):
        return Kept.DAMAGED
    games = body.count(b"\n")
    if head.get("games") != games:
        return Kept.DAMAGED
    return Kept.WHOLE if games >= part.games else Kept.MISSING


def read_part(path: Path, part: Part) -> list[Played]:
    """The games of a file that is whole; SimulationError if it holds something else even so."""
    _, body = _content(path) or ({}, b"")
    try:
        found = [_played(json.loads(line)) for line in body.splitlines()[: part.games]]
    except (ValueError, TypeError, RecursionError) as error:
        raise SimulationError("simulation.no_rows", path=path) from error
    numbers = [game.game for played in found for game in played.games]
    if numbers != [*range(part.first, part.first + part.games)]:
        raise SimulationError("simulation.no_rows", path=path)
    return found


def _content(path: Path) -> tuple[dict[str, Any], bytes] | None:
    """Head and body of a file, an empty head for one that cannot be one; None if it is missing."""
    if not path.exists():
        return None
    with file_errors(path, "file.unreadable"):
        first, _, body = path.read_bytes().partition(b"\n")
    try:
        head = json.loads(first)
    except (ValueError, RecursionError):
        head = {}
    return (head if isinstance(head, dict) else {}), body


def _check(body: bytes) -> str:
    return blake2b(body, digest_size=16).hexdigest()


def _line(played: Played) -> str:
    tables = [[values(row) for row in getattr(played, name)] for name in TABLES]
    return json.dumps(tables, ensure_ascii=False, separators=(",", ":"))


def _played(tables: Any) -> Played:
    """The rows of a line; ValueError or TypeError if a value is not of its column."""
    rows = [
        tuple(_row(name, values) for values in found)
        for name, found in zip(TABLES, tables, strict=True)
    ]
    return Played(*rows)


def _row(table: str, values: list[Any]) -> Any:
    for value, types in zip(values, _column_types(table), strict=True):
        if type(value) not in types:
            raise TypeError(value)
    return TABLES[table](*values)


@lru_cache
def _column_types(table: str) -> tuple[tuple[type, ...], ...]:
    """Which types the values of each column of a table may have."""
    hints = get_type_hints(TABLES[table]).values()
    return tuple(getattr(hint, "__args__", (hint,)) for hint in hints)
