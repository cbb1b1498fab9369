"""A JSON file that people write: its data, and where in the file each value stands."""

from __future__ import annotations

import bisect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from coatl_tools.errors import visible

MAX_BYTES = 4_000_000
Location = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong in a file."""

    path: str
    line: int
    column: int
    card_id: str
    message: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        return visible(": ".join(part for part in (where, self.card_id, self.message) if part))


class Source:
    """A JSON file as text and as data, able to say where in it a value stands."""

    def __init__(self, path: str, text: str, data: Any) -> None:
        self.path = path
        self.text = text
        self.data = data

    def problem(self, message: str, location: Location = (), card_id: str = "") -> Problem:
        """A problem at the value that `location` leads to."""
        line, column = self._line_and_column(self._offset(location))
        return Problem(self.path, line, column, card_id, message)

    def repeated_keys(self) -> Iterator[Problem]:
        """Keys that stand twice in one object: JSON would silently forget the first."""
        for key, offset in self._index[1]:
            line, column = self._line_and_column(offset)
            yield Problem(self.path, line, column, "", f'"{key}" stands twice in one object')

    def _offset(self, location: Location) -> int:
        offsets = self._index[0]
        while location and location not in offsets:
            location = location[:-1]
        return offsets.get(location, 0)

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        line = bisect.bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(index + 1 for index, char in enumerate(self.text) if char == "\n")]

    @cached_property
    def _index(self) -> tuple[dict[Location, int], list[tuple[str, int]]]:
        offsets: dict[Location, int] = {}
        repeated: list[tuple[str, int]] = []
        self._walk(0, (), offsets, repeated)
        return offsets, repeated

    def _walk(
        self,
        at: int,
        location: Location,
        offsets: dict[Location, int],
        repeated: list[tuple[str, int]],
    ) -> int:
        """Note where the value at `at` and all inside it begin; answers where it ends."""
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


def read_json(path: Path) -> tuple[Source | None, list[Problem]]:
    """Read one file; a file that cannot be read is a problem, not an exception."""

    def failed(message: str, line: int = 0, column: int = 0) -> tuple[None, list[Problem]]:
        return None, [Problem(str(path), line, column, "", message)]

    try:
        if path.is_dir():
            return failed("is a folder, not a file")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            return failed(f"is larger than {MAX_BYTES // 1_000_000} MB: too large for card data")
        text = raw.decode("utf-8-sig")
        data = json.loads(text, parse_constant=_no_constant)
        json.dumps(data, ensure_ascii=False).encode()  # "\\ud800" is no character
        source = Source(str(path), text, data)
        return source, list(source.repeated_keys())
    except FileNotFoundError:
        return failed("there is no such file")
    except (OSError, ValueError, RecursionError) as error:
        match error:
            case json.JSONDecodeError():
                message = error.msg.removesuffix(" at")
                return failed(f"is not JSON: {message}", error.lineno, error.colno)
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


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")
