"""The games of a simulation in chunks of a few: one file each, which is whole or not there.

    {"coatl-part": 1, "first": 60, "games": 10, "plan": "63bd…", "check": "0f4c…"}
    [[[60, …]], [[60, 1, …], …], […], […]]       a game: its rows in the four datasets

Which games are in which chunk never changes, so that a simulation can grow.
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

from coatl_tools.errors import SimulationError
from coatl_tools.files.atomic_writes import wrap_os_errors
from coatl_tools.simulation.datasets import DATASETS, GameRows, list_row_values
from coatl_tools.simulation.plan import SimulationPlan
from coatl_tools.simulation.simulated_game import play_game

CHUNK_FORMAT = 1
CHUNK_MARKER = "coatl-part"
SINGLE_GAME_CHUNKS = 50  # games in chunks of their own: few slow games keep all cores busy
GAMES_PER_CHUNK = 10  # games of a later chunk, so that many games are not as many files


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games of a simulation, one after the other; the last chunk may be a short one."""

    first: int
    games: int

    @property
    def file_name(self) -> str:
        """The name of its file; sorted by name, chunks are in order up to a billion games."""
        return f"{self.first:09}.jsonl"


def split_into_chunks(games: int) -> Iterator[Chunk]:
    """Yield the chunks of so many games, one by one: there may be very many."""
    first = 0
    while first < games:
        size = 1 if first < SINGLE_GAME_CHUNKS else GAMES_PER_CHUNK
        yield Chunk(first, min(size, games - first))
        first += size


def play_chunk(plan: SimulationPlan, chunk: Chunk) -> list[GameRows]:
    """Play the games of a chunk."""
    return [play_game(plan, chunk.first + place) for place in range(chunk.games)]


def play_chunk_as_text(plan: SimulationPlan, chunk: Chunk) -> str:
    """Play the games of a chunk, and format them as its file holds them."""
    return format_chunk(plan, chunk, play_chunk(plan, chunk))


def format_chunk(plan: SimulationPlan, chunk: Chunk, games: Iterable[GameRows]) -> str:
    """Format the games of a chunk as its file holds them."""
    body = "".join(f"{_format_game(played)}\n" for played in games)
    head = {
        CHUNK_MARKER: CHUNK_FORMAT,
        "first": chunk.first,
        "games": chunk.games,
        "plan": plan.digest,
        "check": _compute_checksum(body.encode()),
    }
    return f"{json.dumps(head)}\n{body}"


class ChunkState(Enum):
    """The state of a chunk's file."""

    WHOLE = "whole"
    MISSING = "missing"  # or it holds fewer games than are wanted now
    DAMAGED = "damaged"  # torn, changed, or of another simulation


def check_chunk_file(path: Path, digest: str, chunk: Chunk) -> ChunkState:
    """Check what a file holds of this chunk of a plan; FileError if it cannot be read."""
    content = _read_content(path)
    if content is None:
        return ChunkState.MISSING
    head, body = content
    same = {
        CHUNK_MARKER: CHUNK_FORMAT,
        "first": chunk.first,
        "plan": digest,
        "check": _compute_checksum(body),
    }
    if any(head.get(key) != value for key, value in same.items()):
        return ChunkState.DAMAGED
    games = body.count(b"\n")
    if head.get("games") != games:
        return ChunkState.DAMAGED
    return ChunkState.WHOLE if games >= chunk.games else ChunkState.MISSING


def read_chunk(path: Path, chunk: Chunk) -> list[GameRows]:
    """Read the games of a whole chunk file; SimulationError if it does not hold them after all."""
    _, body = _read_content(path) or ({}, b"")
    try:
        found = [_parse_game(json.loads(line)) for line in body.splitlines()[: chunk.games]]
    except (ValueError, TypeError, RecursionError) as error:
        raise SimulationError("simulation.no_rows", path=path) from error
    numbers = [game.game for played in found for game in played.games]
    if numbers != [*range(chunk.first, chunk.first + chunk.games)]:
        raise SimulationError("simulation.no_rows", path=path)
    return found


def _read_content(path: Path) -> tuple[dict[str, Any], bytes] | None:
    """Read the head and body of a file, an empty head if it is not JSON; None if it is missing."""
    if not path.exists():
        return None
    with wrap_os_errors(path, "file.unreadable"):
        first, _, body = path.read_bytes().partition(b"\n")
    try:
        head = json.loads(first)
    except (ValueError, RecursionError):
        head = {}
    return (head if isinstance(head, dict) else {}), body


def _compute_checksum(body: bytes) -> str:
    return blake2b(body, digest_size=16).hexdigest()


def _format_game(played: GameRows) -> str:
    tables = [[list_row_values(row) for row in getattr(played, name)] for name in DATASETS]
    return json.dumps(tables, ensure_ascii=False, separators=(",", ":"))


def _parse_game(tables: Any) -> GameRows:
    """Parse the rows of a line; ValueError or TypeError if a value is not of its column."""
    rows = [
        tuple(_parse_row(name, values) for values in found)
        for name, found in zip(DATASETS, tables, strict=True)
    ]
    return GameRows(*rows)


def _parse_row(table: str, values: list[Any]) -> Any:
    for value, types in zip(values, _column_types(table), strict=True):
        if type(value) not in types:
            raise TypeError(value)
    return DATASETS[table](*values)


@lru_cache
def _column_types(table: str) -> tuple[tuple[type, ...], ...]:
    """Return the types that the values of each column of a dataset may have."""
    hints = get_type_hints(DATASETS[table]).values()
    return tuple(getattr(hint, "__args__", (hint,)) for hint in hints)
