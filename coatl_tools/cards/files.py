"""Reading JSON files that people write: every problem at once, with file, line and card."""

from __future__ import annotations

import bisect
import difflib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from coatl_tools.cards.card import Card
from coatl_tools.cards.model import CardFileHead, CardModel

MAX_BYTES = 4_000_000
Location = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)


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
        return ": ".join(part for part in (where, self.card_id, self.message) if part)


@dataclass(frozen=True, slots=True)
class LocatedCard:
    """A card, and where it was read."""

    card: Card
    source: Source
    location: Location

    def problem(self, message: str, *field: str | int) -> Problem:
        """A problem of this card, at one of its fields."""
        return self.source.problem(message, (*self.location, *field), self.card.id)


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
        source = Source(str(path), text, data)
        return source, list(source.repeated_keys())
    except FileNotFoundError:
        return failed("there is no such file")
    except (OSError, ValueError, RecursionError) as error:
        match error:
            case json.JSONDecodeError():
                return failed(f"is not JSON: {error.msg}", error.lineno, error.colno)
            case UnicodeDecodeError():
                return failed(f"is not text in UTF-8: byte {error.start + 1} is not a letter")
            case OSError():
                return failed(f"cannot be read: {error.strerror}")
            case RecursionError():
                return failed("is nested too deeply")
            case _:
                return failed(f"is not JSON: {error}")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def read_model(
    model: type[Model], data: Any, source: Source, location: Location = (), card_id: str = ""
) -> tuple[Model | None, list[Problem]]:
    """Check data against a model, with every problem in plain words at its place."""
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        fields = _field_names(model)
        return None, [
            source.problem(_sentence(detail, fields), (*location, *_place(detail["loc"])), card_id)
            for detail in error.errors(include_url=False)
        ]


def read_cards(source: Source) -> tuple[list[LocatedCard], list[Problem]]:
    """The cards of a file that are well-formed, and what is wrong with the others."""
    head, problems = read_model(CardFileHead, source.data, source)
    if head is None:
        return [], problems
    cards: list[LocatedCard] = []
    for index, data in enumerate(head.cards):
        location: Location = ("cards", index)
        card_id = str(data["id"])[:20] if isinstance(data, Mapping) and "id" in data else ""
        model, found = read_model(CardModel, data, source, location, card_id)
        problems.extend(found)
        if model is not None:
            cards.append(LocatedCard(model.card(head.set), source, location))
    return cards, problems


def _place(location: Sequence[str | int]) -> Location:
    """Where in the file: a bad key of an object is at that key."""
    return tuple(step for step in location if step != "[key]")


@lru_cache(maxsize=8)
def _field_names(model: type[BaseModel]) -> list[str]:
    """The names of all fields of a model and of the models inside it."""
    names: list[str] = []
    definitions = model.model_json_schema(by_alias=True)
    for part in (definitions, *definitions.get("$defs", {}).values()):
        names.extend(part.get("properties", {}))
    return names


def _sentence(detail: Mapping[str, Any], fields: Iterable[str]) -> str:
    """One pydantic error as a sentence: which field, what is wrong, what would be right."""
    steps = [step for step in detail["loc"] if step != "[key]"]
    name = ".".join(str(step) for step in steps) or "the file"
    context = detail.get("ctx", {})
    match detail["type"]:
        case "missing":
            return f'"{name}" is missing'
        case "extra_forbidden":
            close = difflib.get_close_matches(str(steps[-1]), fields, 1)
            hint = f': did you mean "{close[0]}"?' if close else ""
            return f'unknown field "{name}"{hint}'
        case "value_error":
            return f'"{name}" {context["error"]}'
        case "literal_error":
            return f'"{name}" is {_shown(detail["input"])}, but must be {context["expected"]}'
        case "string_pattern_mismatch":
            pattern = context["pattern"]
            return f'"{name}" is {_shown(detail["input"])}, which does not fit {pattern}'
        case _:
            message = detail["msg"][0].lower() + detail["msg"][1:]
            return f'"{name}": {message}, not {_shown(detail["input"])}'


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:39]}…"
