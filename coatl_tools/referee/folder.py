"""The folder that tables are kept in: one file each, `NAME.jsonl`."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from coatl_tools.errors import CommandError, FileError, Phrase
from coatl_tools.language import plain

if TYPE_CHECKING:
    from coatl_tools.referee.journal import Journal
    from coatl_tools.referee.lines import Header

SUFFIX = ".jsonl"
MAX_NAME = 60
MAX_HEADER = 1 << 20
MOST_NAMED = 10


def table_path(folder: Path, name: str) -> Path:
    """Where a table of this name is kept; CommandError if it can be no name of a file."""
    name = name.removesuffix(SUFFIX)
    fitting = all(char.isalnum() or char in " -_" for char in name)
    if not (fitting and name == name.strip() and 1 <= len(name) <= MAX_NAME):
        raise CommandError("table.no_name", name=name[:MAX_NAME], most=MAX_NAME)
    return folder / f"{name}{SUFFIX}"


def existing_path(folder: Path, name: str) -> Path:
    """Where a table is kept; CommandError, with the nearest names, if there is none such."""
    path = table_path(folder, name)
    if not path.is_file():
        raise CommandError("table.none_such", name=path.stem, hint=_hint(folder, path.stem))
    return path


def table_names(folder: Path) -> list[str]:
    """The names of all tables, sorted; none if there is no folder."""
    try:
        found = [path.stem for path in folder.iterdir() if _is_table(path)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise FileError("file.unreadable", path=folder, reason=error.strerror) from error
    return sorted(found, key=lambda name: (plain(name), name))


def player_names(path: Path) -> list[str]:
    """The players of a table, as its first line has them, unchecked; none if it cannot be read."""
    try:
        with path.open("rb") as file:
            names = json.loads(file.readline(MAX_HEADER))["options"]["players"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def begin_table(folder: Path, name: str, header: Header) -> Journal:
    """Begin a table, and the folder if it is the first; FileError if there is one already."""
    from coatl_tools.referee.journal import Journal  # noqa: PLC0415 (names need no game)

    path = table_path(folder, name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError("file.unwritable", path=folder, reason=error.strerror) from error
    return Journal.create(path, header)


def delete_table(path: Path) -> None:
    """Delete a table, and what was set aside of it."""
    try:
        path.unlink()
        path.with_name(f"{path.name}.torn").unlink(missing_ok=True)
    except OSError as error:
        raise FileError("file.unwritable", path=path, reason=error.strerror) from error


def _is_table(path: Path) -> bool:
    return path.suffix == SUFFIX and not path.name.startswith(".") and path.is_file()


def _hint(folder: Path, name: str) -> Phrase:
    names = table_names(folder)
    if not names:
        return "table.no_tables", {}
    near = difflib.get_close_matches(name, names, MOST_NAMED, 0.5) or names[:MOST_NAMED]
    more = ["…"] if len(near) < len(names) else []
    return "table.are", {"names": ", ".join([*near, *more])}
