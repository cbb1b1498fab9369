"""Files that people write or programs store: JSON read without trust, with the place of every
problem in it, and files written atomically.
"""

from __future__ import annotations

import bisect
import contextlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, Protocol, TypeAlias

from coatl_tools.errors import (
    CoatlError,
    FileError,
    JournalError,
    PositionError,
    escape_unprintable,
)

MAX_DOCUMENT_BYTES = 1 << 20
FieldTypes: TypeAlias = Mapping[str, tuple[type, ...]]  # what each field may hold


@contextlib.contextmanager
def wrap_os_errors(path: Path, key: str = "file.unwritable") -> Iterator[None]:
    """Turn errors of the system into a FileError that names the file."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileError("file.missing", path=path) from error
    except IsADirectoryError as error:
        raise FileError("file.folder", path=path) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(key, path=path, reason=reason) from error


def read_limited_file(path: Path) -> bytes:
    """Read a file that people wrote; FileError if it cannot be read.

    JournalError if it is larger than `MAX_DOCUMENT_BYTES`.
    """
    with wrap_os_errors(path, "file.unreadable"), path.open("rb") as file:
        data = file.read(MAX_DOCUMENT_BYTES + 1)
    if len(data) > MAX_DOCUMENT_BYTES:
        raise JournalError("journal.large", most=MAX_DOCUMENT_BYTES)
    return data


def write_file_atomically(
    path: Path, content: str | bytes, *, overwrite: bool = True, mode: int | None = None
) -> None:
    """Write a file whole or not at all; FileError if it cannot be written.

    Without `overwrite`, FileExistsError if the name is taken. `mode` are the file's permissions.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if not path.parent.exists():
        raise FileError("file.no_folder", path=path.parent)
    with (
        write_aside(path, overwrite=overwrite) as aside,
        wrap_os_errors(path),
        aside.open("xb") as file,
    ):
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        if mode is not None:
            aside.chmod(mode)


@contextlib.contextmanager
def write_aside(path: Path, *, overwrite: bool = True) -> Iterator[Path]:
    """Yield a temporary name beside `path`; the file that the block writes there becomes `path`.

    After an error the temporary file is gone, and `path` is as it was. FileError if it cannot be
    moved into place; without `overwrite`, FileExistsError if there is a file at `path` by then.
    """
    aside = path.with_name(f".{path.name[:100]}-{os.urandom(4).hex()}.new")
    try:
        yield aside
        if overwrite:
            with wrap_os_errors(path):
                aside.replace(path)
        else:
            _link_into_place(aside, path)
    finally:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)


def _link_into_place(aside: Path, path: Path) -> None:
    """Give a finished file its name; FileExistsError if that is taken, FileError if it fails."""
    try:
        os.link(aside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        with wrap_os_errors(path):
            taken = path.exists()
            if not taken:
                aside.rename(path)
        if taken:
            raise FileExistsError(path) from None


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
    except FileNotFoundError:
        if path.is_symlink():
            return failed("is a link to a file that is not there")
        return failed("there is no such file")
    except (OSError, ValueError, RecursionError) as error:
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
            case UnicodeDecodeError():
                return failed(f"is not text in UTF-8: byte {error.start + 1} is not a letter")
            case OSError():
                return failed(f"cannot be read: {error.strerror}")
            case RecursionError():
                return failed("is nested too deeply")
            case _ if "digits" in str(error):
                return failed("has a number with thousands of digits")
            case _:
                return failed(f"is not JSON: {error}")


def _reject_constant(name: str) -> None:
    raise _ConstantError(name)


class OutputFile(NamedTuple):
    """A file to be written: its path inside the folder, and what it holds."""

    path: PurePosixPath
    content: bytes


class OutputFiles(Protocol):
    """Files that are made one by one; how many is known before."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[OutputFile]: ...


def write_files_together(folder: Path, files: Iterable[OutputFile]) -> list[Path]:
    """Write files into a folder, which is made if need be; raises FileError.

    They are gathered aside and moved to their places when the last one is done.
    """
    begun = _create_folder(folder)
    aside: Path | None = None
    done = False
    try:
        aside = Path(tempfile.mkdtemp(prefix=".coatl-", dir=folder))
        paths = [_write_aside(aside, file) for file in files]
        for path in paths:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            (aside / path).replace(target)
        done = True
        return [folder / path for path in paths]
    except OSError as error:
        blamed = error.filename2 or error.filename or folder
        if aside is None or str(blamed).startswith(str(aside)):
            blamed = folder  # do not show the temporary folder
        raise FileError("file.unwritable", path=Path(blamed), reason=error.strerror) from None
    finally:
        if aside is not None:
            shutil.rmtree(aside, ignore_errors=True)
        if begun is not None and not done:
            shutil.rmtree(begun, ignore_errors=True)


def _write_aside(aside: Path, file: OutputFile) -> PurePosixPath:
    target = aside / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(file.content)
    return file.path


def _create_folder(folder: Path) -> Path | None:
    """Create the folder and return the topmost one that was missing, or None; raises FileError."""
    try:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError("export.no_folder", path=folder) from None
    except OSError as error:
        raise FileError("file.unwritable", path=folder, reason=error.strerror) from None
    return missing[-1] if missing else None
