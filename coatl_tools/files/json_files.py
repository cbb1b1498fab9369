"""JSON files that people write or programs store, read without trust: with the place of every
problem.
"""

from __future__ import annotations

import bisect
import contextlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from coatl_tools.errors import CoatlError, JournalError, PositionError, escape_unprintable
from coatl_tools.files.atomic_writes import wrap_os_errors

MAX_DOCUMENT_BYTES = 1 << 20
FieldTypes: TypeAlias = Mapping[str, tuple[type, ...]]  # what each field may hold


def read_limited_file(path: Path) -> bytes:
    """Read a file that people wrote; FileError if it cannot be read, else as `read_document`."""
    with wrap_os_errors(path, "file.unreadable"), path.open("rb") as file:
        return read_document(file)


def read_document(file: BinaryIO) -> bytes:
    """Read an open file; JournalError if it is larger than `MAX_DOCUMENT_BYTES`."""
    data = file.read(MAX_DOCUMENT_BYTES + 1)
    if len(data) > MAX_DOCUMENT_BYTES:
        raise JournalError("journal.large", most=MAX_DOCUMENT_BYTES)
    return data


@contextlib.contextmanager
def wrap_content_errors(path: Path) -> Iterator[None]:
    """Add the file, and for JSON the line, to errors about its content."""
    try:
        yield
    except CoatlError as error:
        reason, cause = error.spoken, error.__cause__
        if isinstance(cause, json.JSONDecodeError):
            reason = ("written.not_json", {"line": cause.lineno, "column": cause.colno})
        raise PositionError("written.file", path=path, reason=reason) from error


def parse_json_object(line: bytes) -> dict[str, Any]:
    """Parse a text that must be one JSON object; JournalError if it is not."""
    try:
        data = json.loads(line.removeprefix(b"\xef\xbb\xbf"), object_pairs_hook=_build_object)
    except RecursionError as error:
        raise JournalError("journal.deep") from error
    except ValueError as error:  # the JSON, or its UTF-8
        column = getattr(error, "colno", None) or getattr(error, "start", 0) + 1
        raise JournalError("journal.not_json", column=column) from error
    if not isinstance(data, dict):
        raise JournalError("journal.not_object")
    return data


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object from its fields; JournalError if a name occurs twice."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise JournalError("journal.twice", name=name[:40])
        found[name] = value
    return found


def check_fields(data: dict[str, Any], shape: FieldTypes, optional: Collection[str] = ()) -> None:
    """Raise JournalError, naming the field, for data that does not have this shape."""
    for name in data:
        if name not in shape:
            raise JournalError("journal.field_unknown", field=name[:60])
    for name, types in shape.items():
        if name not in data:
            if name not in optional:
                raise JournalError("journal.field_missing", field=name)
        elif type(data[name]) not in types:  # true is no number here
            raise JournalError("journal.field_wrong", field=name)


MAX_JSON_BYTES = 4_000_000
JsonPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, order=True)
class FileProblem:
    """One thing that is wrong in a file."""

    path: str
    line: int
    column: int
    card_id: str
    message: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        return escape_unprintable(
            ": ".join(part for part in (where, self.card_id, self.message) if part)
        )


class JsonSource:
    """A JSON file as text and as data, able to say where in it a value stands."""

    def __init__(self, path: str, text: str, data: Any) -> None:
        self.path = path
        self.text = text
        self.data = data

    def problem(self, message: str, location: JsonPath = (), card_id: str = "") -> FileProblem:
        """Return a problem at the value that `location` leads to."""
        line, column = self.line_and_column(self._offset(location))
        return FileProblem(self.path, line, column, card_id, message)

    def find_repeated_keys(self) -> Iterator[FileProblem]:
        """Yield a problem for each key that an object has twice: JSON silently drops the first."""
        for key, offset in self._index[1]:
            line, column = self.line_and_column(offset)
            yield FileProblem(self.path, line, column, "", f'"{key}" stands twice in one object')

    def _offset(self, location: JsonPath) -> int:
        offsets = self._index[0]
        while location and location not in offsets:
            location = location[:-1]
        return offsets.get(location, 0)

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return where in the text a character stands; both count from 1."""
        line = bisect.bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(index + 1 for index, char in enumerate(self.text) if char == "\n")]

    @cached_property
    def _index(self) -> tuple[dict[JsonPath, int], list[tuple[str, int]]]:
        offsets: dict[JsonPath, int] = {}
        repeated: list[tuple[str, int]] = []
        self._walk(0, (), offsets, repeated)
        return offsets, repeated

    def _walk(
        self,
        at: int,
        location: JsonPath,
        offsets: dict[JsonPath, int],
        repeated: list[tuple[str, int]],
    ) -> int:
        """Record where the value at `at` and all values inside it begin; return where it ends."""
        at = self._skip_space(at)
        offsets[location] = at
        opening = self.text[at]
        if opening not in "{[":
            return _DECODER.raw_decode(self.text, at)[1]
        at = self._skip_space(at + 1)
        seen: set[str] = set()
        index = 0
        while self.text[at] not in "}]":
            step: str | int = index
            if opening == "{":
                step, behind = _DECODER.raw_decode(self.text, at)
                if step in seen:
                    repeated.append((str(step), at))
                seen.add(str(step))
                at = self._skip_space(behind) + 1
            at = self._skip_space(self._walk(at, (*location, step), offsets, repeated))
            if self.text[at] == ",":
                at = self._skip_space(at + 1)
            index += 1
        return at + 1

    def _skip_space(self, at: int) -> int:
        while self.text[at] in " \t\r\n":
            at += 1
        return at


_DECODER = json.JSONDecoder()
# What Python reads and JSON does not know; strings are matched too, so that they are passed over.
_STRING_OR_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


class _ConstantError(ValueError):
    """A constant that Python reads and JSON does not know, such as NaN."""


def read_json(path: Path) -> tuple[JsonSource | None, list[FileProblem]]:
    """Read one file; a file that cannot be read is a problem, not an exception."""

    def failed(message: str, line: int = 0, column: int = 0) -> tuple[None, list[FileProblem]]:
        return None, [FileProblem(str(path), line, column, "", message)]

    text = ""
    try:
        if path.is_dir():
            return failed("is a folder, not a file")
        with path.open("rb") as file:
            raw = file.read(MAX_JSON_BYTES + 1)
        if len(raw) > MAX_JSON_BYTES:
            return failed(
                f"is larger than {MAX_JSON_BYTES // 1_000_000} MB: too large for a file of data"
            )
        text = raw.decode("utf-8-sig")
        repeats: list[bool] = []

        def build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            found = dict(pairs)
            if len(found) < len(pairs):
                repeats.append(True)
            return found

        data = json.loads(text, parse_constant=_reject_constant, object_pairs_hook=build_object)
        if _SURROGATE_ESCAPE.search(text):
            json.dumps(data, ensure_ascii=False).encode()  # half of a pair is no character
        source = JsonSource(str(path), text, data)
        return source, list(source.find_repeated_keys()) if repeats else []
    except (OSError, UnicodeDecodeError) as error:
        return failed(describe_unreadable(path, error))
    except (ValueError, RecursionError) as error:
        match error:
            case json.JSONDecodeError():
                message = error.msg.removesuffix(" at")
                return failed(f"is not JSON: {message}", error.lineno, error.colno)
            case _ConstantError():
                found = _STRING_OR_CONSTANT.finditer(text)
                begin = next(one.start() for one in found if one[0][0] != '"')
                place = JsonSource(str(path), text, None).line_and_column(begin)
                return failed(f"{error} is not allowed in JSON", *place)
            case UnicodeEncodeError():
                return failed("has half of a surrogate pair in a text, which is no character")
            case RecursionError():
                return failed("is nested too deeply")
            case _ if "digits" in str(error):
                return failed("has a number with thousands of digits")
            case _:
                return failed(f"is not JSON: {error}")


def describe_unreadable(path: Path, error: OSError | UnicodeDecodeError) -> str:
    """Say why a file could not be read as text."""
    if isinstance(error, UnicodeDecodeError):
        return f"is not text in UTF-8: byte {error.start + 1} is not a letter"
    if isinstance(error, FileNotFoundError):
        return (
            "is a link to a file that is not there"
            if path.is_symlink()
            else "there is no such file"
        )
    return f"cannot be read: {error.strerror}"


def _reject_constant(name: str) -> None:
    raise _ConstantError(name)
