"""The tables of a simulation as files: CSV, and Parquet where pyarrow is installed.

They are written game by game, aside, and take their places when all is there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, get_type_hints

from coatl_tools.documents import file_errors
from coatl_tools.simulation.playing import Played
from coatl_tools.simulation.rows import TABLES, Row, values

_GROUP = 1 << 16  # rows of a group in Parquet: always the same ones, so always the same bytes


class _File(Protocol):
    """One table in one format."""

    def add(self, rows: list[tuple[Any, ...]]) -> None: ...

    def close(self) -> None: ...


class TableFiles:
    """Files that games are added to."""

    def __init__(self, folder: Path, files: dict[str, list[_File]]) -> None:
        self._folder, self._files = folder, files

    def add(self, games: Iterable[Played]) -> None:
        """Write some more games; FileError if that is not possible."""
        with file_errors(self._folder):
            for played in games:
                for name, files in self._files.items():
                    rows = [values(row) for row in getattr(played, name)]
                    for file in files:
                        file.add(rows)


def parquet_works() -> bool:
    """Whether Parquet can be written here."""
    return find_spec("pyarrow") is not None


@contextmanager
def table_files(folder: Path) -> Iterator[TableFiles]:
    """Begin all tables; at the end all of them take their places, or after an error none."""
    kinds = {"csv": _Csv} | ({"parquet": _Parquet} if parquet_works() else {})
    places = {
        (name, suffix): (folder / f".{name}.{suffix}.new", folder / f"{name}.{suffix}")
        for name in TABLES
        for suffix in kinds
    }
    files: dict[str, list[_File]] = {name: [] for name in TABLES}
    try:
        with file_errors(folder):
            for (name, suffix), (aside, _) in places.items():
                files[name].append(kinds[suffix](aside, TABLES[name]))
        yield TableFiles(folder, files)
        with file_errors(folder):
            _close(files)
            for aside, path in places.values():
                aside.replace(path)
    finally:
        with file_errors(folder):
            _close(files)
            for aside, _ in places.values():
                aside.unlink(missing_ok=True)


def _close(files: dict[str, list[_File]]) -> None:
    for opened in files.values():
        while opened:
            opened.pop().close()


class _Csv:
    """Text that every program reads: a line of names, then rows; what does not apply is empty."""

    def __init__(self, path: Path, kind: type[Row]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(column.name for column in fields(kind))

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Write rows."""
        self._writer.writerows(rows)

    def close(self) -> None:
        """Nothing more will come."""
        self._file.close()


class _Parquet:
    """Columns with their types, packed: for programs that analyse."""

    def __init__(self, path: Path, kind: type[Row]) -> None:
        import pyarrow  # noqa: PLC0415 (heavy, and not everybody has it)
        import pyarrow.parquet  # noqa: PLC0415

        self._pyarrow, self._schema = pyarrow, _schema(kind)
        self._writer = pyarrow.parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[tuple[Any, ...]] = []

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Keep rows until there is a group of them."""
        self._waiting += rows
        while len(self._waiting) >= _GROUP:
            self._write(self._waiting[:_GROUP])
            del self._waiting[:_GROUP]

    def close(self) -> None:
        """Nothing more will come."""
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


def _schema(kind: type[Row]) -> Any:
    """The columns of a table, from the types of its rows."""
    import pyarrow  # noqa: PLC0415 (heavy, and not everybody has it)

    types = {
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bool: pyarrow.bool_(),
        str: pyarrow.string(),
    }
    columns = []
    for name, hint in get_type_hints(kind).items():
        plain, *others = getattr(hint, "__args__", (hint,))
        columns.append(pyarrow.field(name, types[plain], nullable=bool(others)))
    return pyarrow.schema(columns)
