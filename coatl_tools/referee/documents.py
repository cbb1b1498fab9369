"""JSON that people write or programs keep: read with its mistakes named, never trusted."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from coatl_tools.cards.model import StrictModel
from coatl_tools.errors import CoatlError, FileError, JournalError, PositionError

MAX_DOCUMENT = 1 << 20
_Model = TypeVar("_Model", bound=StrictModel)
_WRONG = {"missing": "journal.field_missing", "extra_forbidden": "journal.field_unknown"}


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


def write_document(path: Path, text: str) -> None:
    """Write a file whole or not at all; FileError if it cannot be written."""
    aside = path.with_name(f".{path.name[:100]}-{os.urandom(4).hex()}.new")
    with file_errors(path):
        try:
            with aside.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
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


def validated(model: type[_Model], data: dict[str, Any]) -> _Model:
    """The data in the shape of a model; JournalError names the first field that is wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        # where a field may have several shapes, the mistake deepest inside tells most
        found = max(
            error.errors(include_url=False, include_input=False),
            key=lambda one: len(_path(data, one)),
        )
        key = _WRONG.get(found["type"], "journal.field_wrong")
        raise JournalError(key, field=".".join(_path(data, found))[:60]) from error


def _path(data: Any, mistake: ErrorDetails) -> list[str]:
    """The path of a field, without the names of the shapes that it was compared with."""
    is_missing = mistake["type"] == "missing"
    path, last = [], len(mistake["loc"]) - 1
    for place, step in enumerate(mistake["loc"]):
        if isinstance(step, int) and isinstance(data, list) and step < len(data):
            data = data[step]
        elif isinstance(data, dict) and (step in data or (is_missing and place == last)):
            data = data.get(step)
        else:
            continue
        path.append(str(step))
    return path
