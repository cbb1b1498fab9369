"""JSON that people write or programs keep: read with its mistakes named, never trusted."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from coatl_tools.errors import CoatlError, FileError, JournalError, PositionError

MAX_DOCUMENT = 1 << 20
Shape: TypeAlias = Mapping[str, tuple[type, ...]]  # what each field may hold


@contextlib.contextmanager
def file_errors(path: Path, key: str = "file.unwritable") -> Iterator[None]:
    """What the system says about a file becomes an error that says which file."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileError("file.missing", path=path) from error
    except IsADirectoryError as error:
        raise FileError("file.folder", path=path) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(key, path=path, reason=reason) from error


def read_document(path: Path) -> bytes:
    """What a file of people's own making holds; FileError if it cannot be read, or is too large."""
    with file_errors(path, "file.unreadable"), path.open("rb") as file:
        data = file.read(MAX_DOCUMENT + 1)
    if len(data) > MAX_DOCUMENT:
        raise JournalError("journal.large", most=MAX_DOCUMENT)
    return data


def write_document(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; FileError if it cannot be written."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    aside = path.with_name(f".{path.name[:100]}-{os.urandom(4).hex()}.new")
    with file_errors(path):
        if not path.parent.exists():
            raise FileError("file.no_folder", path=path.parent)
        try:
            with aside.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)


@contextlib.contextmanager
def in_file(path: Path) -> Iterator[None]:
    """What is wrong with a file's content says in which file, and for JSON in which line."""
    try:
        yield
    except CoatlError as error:
        reason, cause = error.spoken, error.__cause__
        if isinstance(cause, json.JSONDecodeError):
            reason = ("written.not_json", {"line": cause.lineno, "column": cause.colno})
        raise PositionError("written.file", path=path, reason=reason) from error


def loads(line: bytes) -> dict[str, Any]:
    """The JSON object of a text; JournalError if it holds none."""
    try:
        data = json.loads(line.removeprefix(b"\xef\xbb\xbf"), object_pairs_hook=_object)
    except RecursionError as error:
        raise JournalError("journal.deep") from error
    except ValueError as error:  # the JSON, or its UTF-8
        column = getattr(error, "colno", None) or getattr(error, "start", 0) + 1
        raise JournalError("journal.not_json", column=column) from error
    if not isinstance(data, dict):
        raise JournalError("journal.not_object")
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, in which nothing stands twice."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise JournalError("journal.twice", name=name[:40])
        found[name] = value
    return found


def shaped(data: dict[str, Any], shape: Shape, optional: Collection[str] = ()) -> None:
    """Raise JournalError, naming the field, for data that has not this shape."""
    for name in data:
        if name not in shape:
            raise JournalError("journal.field_unknown", field=name[:60])
    for name, types in shape.items():
        if name not in data:
            if name not in optional:
                raise JournalError("journal.field_missing", field=name)
        elif type(data[name]) not in types:  # true is no number here
            raise JournalError("journal.field_wrong", field=name)
