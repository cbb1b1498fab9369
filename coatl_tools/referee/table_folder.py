"""The folder of all tables, one file `NAME.jsonl` each: paths, names, deletion."""

from __future__ import annotations

import difflib
import json
from pathlib import Path

from coatl_tools.errors import CommandError, FileError, Phrase
from coatl_tools.language import fold_letters

TABLE_SUFFIX = ".jsonl"
MAX_NAME_LENGTH = 60
MAX_HEADER_BYTES = 1 << 20
MAX_SUGGESTED_NAMES = 10


def get_table_path(folder: Path, name: str) -> Path:
    """Return the path of a table of this name; CommandError if it cannot be a file's name."""
    name = name.removesuffix(TABLE_SUFFIX)
    fitting = all(char.isalnum() or char in " -_" for char in name)
    if not (fitting and name == name.strip() and 1 <= len(name) <= MAX_NAME_LENGTH):
        raise CommandError("table.no_name", name=name[:MAX_NAME_LENGTH], most=MAX_NAME_LENGTH)
    return folder / f"{name}{TABLE_SUFFIX}"


def find_table_path(folder: Path, name: str) -> Path:
    """Find the file of a table; CommandError, with the nearest names, if there is none."""
    path = get_table_path(folder, name)
    if not path.is_file():
        raise CommandError(
            "table.none_such", name=path.stem, hint=_suggest_tables(folder, path.stem)
        )
    return path


def list_table_names(folder: Path) -> list[str]:
    """List the names of all tables, sorted; none if there is no folder."""
    try:
        found = [path.stem for path in folder.iterdir() if _is_table_file(path)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise FileError("file.unreadable", path=folder, reason=error.strerror) from error
    return sorted(found, key=lambda name: (fold_letters(name), name))


def read_player_names(path: Path) -> list[str]:
    """Read the players of a table from its first line, unchecked; none if it cannot be read."""
    try:
        with path.open("rb") as file:
            names = json.loads(file.readline(MAX_HEADER_BYTES))["options"]["players"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def delete_table(path: Path) -> None:
    """Delete a table, and what was set aside of it."""
    try:
        path.unlink()
        path.with_name(f"{path.name}.torn").unlink(missing_ok=True)
    except OSError as error:
        raise FileError("file.unwritable", path=path, reason=error.strerror) from error


def _is_table_file(path: Path) -> bool:
    return path.suffix == TABLE_SUFFIX and not path.name.startswith(".") and path.is_file()


def _suggest_tables(folder: Path, name: str) -> Phrase:
    names = list_table_names(folder)
    if not names:
        return "table.no_tables", {}
    near = (
        difflib.get_close_matches(name, names, MAX_SUGGESTED_NAMES, 0.5)
        or names[:MAX_SUGGESTED_NAMES]
    )
    more = ["…"] if len(near) < len(names) else []
    return "table.are", {"names": ", ".join([*near, *more])}
