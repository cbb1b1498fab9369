"""The four datasets of a simulation: their rows, and the CSV and Parquet files that hold them.

Games are numbered from 0, seats, Cóatls and turns from 1. A field is a column; what does not apply
is None. `DATASETS` names them; their files are `games.csv`, `games.parquet` and so on. The files
are written game by game under temporary names, and take their places when all is there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, fields
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeAlias, get_type_hints

from coatl_tools.files.atomic_writes import wrap_os_errors, write_aside

ADAM_BOT = "adam"  # in the column `bot` of A.D.A.M.'s row of a solo game


@dataclass(frozen=True, slots=True)
class GameDataRow:
    """A game."""

    game: int
    seed: int  # of its dealer and its players
    size: int  # how many players, without A.D.A.M.
    edition: str
    levels: str  # of a solo game, as "1+3"; empty for none
    turns: int  # of all players, A.D.A.M.'s too
    ending: str  # "third" (rule 6.1), "bodies" (6.2) or "passed" (ruling 9.2)
    ended_by: int | None  # the seat that triggered the end
    winners: int  # how many share the victory


@dataclass(frozen=True, slots=True)
class PlayerDataRow:
    """A player of a game; A.D.A.M. has the seat behind the only player's."""

    game: int
    seat: int
    player: int  # the place in the list of players, from 1: seats rotate from game to game
    bot: str
    points: int
    won: float  # 1 for a victory, a share of 1 for a shared one, 0 else
    margin: int  # points ahead of the best other player; below 0 if behind
    cards: int  # beside completed Cóatls
    temples: int  # of these, Temple cards; for A.D.A.M. 0
    best: int  # points of the best completed Cóatl
    coatls: int  # completed
    unfinished: int  # Cóatls begun and not completed
    turns: int
    takes: int  # turns or actions of each kind
    choices: int
    assemblies: int
    tokens: int
    hand: int  # Prophecy cards left in hand


@dataclass(frozen=True, slots=True)
class CoatlDataRow:
    """A Cóatl that a player began."""

    game: int
    seat: int
    coatl: int
    text: str
    complete: bool
    pieces: int
    prophecies: int
    temple: str  # the id of its card; empty for none
    points: int  # as they count in the end: 0 for an incomplete one, or half (rule 8.1)
    begun: int  # the player's own turn, counted from 1
    completed: int | None


@dataclass(frozen=True, slots=True)
class CardDataRow:
    """One appearance of one copy of a card: from when somebody could have it until the game's end.

    A card that comes back from the rebuilt deck appears anew.
    """

    game: int
    card: str
    kind: str  # "prophecy" or "temple"
    shown: str  # where it appeared: "supply", "pile", "dealt" (at the start) or "deck" (blind)
    seat: int | None  # who had it; None if nobody took it
    # "open" (never taken; See the Future may have swept it away), "left" (dealt, not kept),
    # "discarded", "held" (in hand at the end), "placed"; A.D.A.M.'s: "fulfilled" or "held"
    outcome: str
    coatl: int | None  # that it was placed on
    complete: bool  # that Cóatl, in the end
    level: int  # reached in the end, 0 for none
    points: int  # that it brought in the end; beside an incomplete Cóatl 0, also by rule 8.1


DatasetRow: TypeAlias = GameDataRow | PlayerDataRow | CoatlDataRow | CardDataRow
DATASETS: Final = MappingProxyType(
    {"games": GameDataRow, "players": PlayerDataRow, "coatls": CoatlDataRow, "cards": CardDataRow}
)
_VALUE_GETTERS: Final = {
    kind: attrgetter(*(column.name for column in fields(kind))) for kind in DATASETS.values()
}


def list_row_values(row: DatasetRow) -> tuple[Any, ...]:
    """List the values of a row, in the order of its columns."""
    found: tuple[Any, ...] = _VALUE_GETTERS[type(row)](row)
    return found


@dataclass(frozen=True, slots=True)
class GameRows:
    """The rows of one game, by dataset."""

    games: tuple[GameDataRow, ...]
    players: tuple[PlayerDataRow, ...]
    coatls: tuple[CoatlDataRow, ...]
    cards: tuple[CardDataRow, ...]


_PARQUET_GROUP_ROWS = 1 << 16  # rows of a group: always the same ones, so the same bytes


class _DatasetFile(Protocol):
    """One dataset in one format."""

    def add(self, rows: list[tuple[Any, ...]]) -> None: ...

    def close(self) -> None: ...


class DatasetWriter:
    """Files that games are added to."""

    def __init__(self, folder: Path, files: dict[str, list[_DatasetFile]]) -> None:
        self._folder, self._files = folder, files

    def add(self, games: Iterable[GameRows]) -> None:
        """Write some more games; FileError if that is not possible."""
        with wrap_os_errors(self._folder):
            for played in games:
                for name, files in self._files.items():
                    rows = [list_row_values(row) for row in getattr(played, name)]
                    for file in files:
                        file.add(rows)


def can_write_parquet() -> bool:
    """Tell whether Parquet can be written here: pyarrow is installed."""
    return find_spec("pyarrow") is not None


@contextmanager
def open_dataset_writer(folder: Path) -> Iterator[DatasetWriter]:
    """Open a writer of all datasets, whose files take their places at the end, all or none."""
    kinds = {"csv": _CsvFile} | ({"parquet": _ParquetFile} if can_write_parquet() else {})
    files: dict[str, list[_DatasetFile]] = {name: [] for name in DATASETS}
    with ExitStack() as replaced:
        try:
            with wrap_os_errors(folder):
                for name in DATASETS:
                    for suffix, kind in kinds.items():
                        aside = replaced.enter_context(write_aside(folder / f"{name}.{suffix}"))
                        files[name].append(kind(aside, DATASETS[name]))
            yield DatasetWriter(folder, files)
            with wrap_os_errors(folder):
                for file in _pop_files(files):
                    file.close()
        finally:
            for file in _pop_files(files):  # after an error, which is raised; further ones are not
                with suppress(OSError, ValueError):
                    file.close()


def _pop_files(files: dict[str, list[_DatasetFile]]) -> Iterator[_DatasetFile]:
    """Pop the files one by one, so that each is closed only once."""
    for opened in files.values():
        while opened:
            yield opened.pop()


class _CsvFile:
    """Text that every program reads: a line of names, then rows; what does not apply is empty."""

    def __init__(self, path: Path, kind: type[DatasetRow]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(column.name for column in fields(kind))

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Write rows."""
        self._writer.writerows(rows)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class _ParquetFile:
    """Columns with their types, packed: for programs that analyse."""

    def __init__(self, path: Path, kind: type[DatasetRow]) -> None:
        import pyarrow  # noqa: PLC0415 (heavy, and not everybody has it)
        import pyarrow.parquet  # noqa: PLC0415 (as above)

        self._pyarrow, self._schema = pyarrow, _build_parquet_schema(kind)
        self._writer = pyarrow.parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[tuple[Any, ...]] = []

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Keep rows until there is a group of them."""
        self._waiting += rows
        while len(self._waiting) >= _PARQUET_GROUP_ROWS:
            self._write(self._waiting[:_PARQUET_GROUP_ROWS])
            del self._waiting[:_PARQUET_GROUP_ROWS]

    def close(self) -> None:
        """Write the rows that wait, and close the file."""
        try:
            if self._waiting:
                self._write(self._waiting)
        finally:
            self._writer.close()

    def _write(self, rows: list[tuple[Any, ...]]) -> None:
        columns = [
            self._pyarrow.array(values, column.type)
            for values, column in zip(zip(*rows, strict=True), self._schema, strict=True)
        ]
        self._writer.write_table(self._pyarrow.table(columns, schema=self._schema))


def _build_parquet_schema(kind: type[DatasetRow]) -> Any:
    """Build the columns of a dataset, from the types of its rows."""
    import pyarrow  # noqa: PLC0415 (heavy, and not everybody has it)

    number, share = pyarrow.int64(), pyarrow.float64()
    types = {int: number, float: share, bool: pyarrow.bool_(), str: pyarrow.string()}
    columns = []
    for name, hint in get_type_hints(kind).items():
        plain, *others = getattr(hint, "__args__", (hint,))
        columns.append(pyarrow.field(name, types[plain], nullable=bool(others)))
    return pyarrow.schema(columns)
