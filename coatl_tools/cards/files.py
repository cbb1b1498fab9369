"""Reading JSON files that people write: every problem at once, with file, line and card."""

from __future__ import annotations

import bisect
import difflib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from coatl_tools.cards.card import Card
from coatl_tools.cards.model import (
    MAX_CARDS,
    OWN_SET,
    CardFileHead,
    CardModel,
    RequirementModel,
)
from coatl_tools.cards.requirement import Requirement
from coatl_tools.errors import visible

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
        return visible(": ".join(part for part in (where, self.card_id, self.message) if part))


@dataclass(frozen=True, slots=True)
class Entry:
    """A card of a file, and where it stands; what could not be read of it is None."""

    id: str
    requirement: Requirement | None
    card: Card | None
    source: Source
    location: Location

    def problem(self, message: str, *field: str | int) -> Problem:
        """A problem of this card, at one of its fields."""
        return self.source.problem(message, (*self.location, *field), self.id[:20])


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


def read_model(
    model: type[Model], data: Any, source: Source, location: Location = (), card_id: str = ""
) -> tuple[Model | None, list[Problem]]:
    """Check data against a model, with every problem in plain words at its place."""
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        fields = _field_names(model)
        problems = []
        for detail in error.errors(include_url=False):
            place = _place(data, detail["loc"])
            message = _sentence(place or location, detail, fields)
            problems.append(source.problem(message, (*location, *place), card_id))
        return None, problems


def read_cards(source: Source) -> tuple[list[Entry], list[Problem]]:
    """The cards of a file, as far as they can be read, and what is wrong with it."""
    head, problems = read_model(CardFileHead, source.data, source)
    raw = head.cards if head else source.data.get("cards") if isinstance(source.data, dict) else ()
    if not isinstance(raw, list) or len(raw) > MAX_CARDS:
        return [], problems
    entries: list[Entry] = []
    for index, data in enumerate(raw):
        fields = data if isinstance(data, dict) else {}
        card_id = fields["id"] if isinstance(fields.get("id"), str) else ""
        location: Location = ("cards", index)
        model, found = read_model(CardModel, data, source, location, card_id[:20])
        problems.extend(found)
        if model is not None:
            card = model.card(head.set if head else OWN_SET)
            entries.append(Entry(card.id, card.requirement, card, source, location))
        else:
            asked = read_model(RequirementModel, fields.get("requires"), source)[0]
            requirement = asked.requirement() if asked else None
            entries.append(Entry(card_id, requirement, None, source, location))
    return entries, problems


def _place(data: Any, location: Sequence[str | int]) -> Location:
    """The steps of a pydantic location that lead through the data; others name types."""
    place: list[str | int] = []
    for step in location:
        inside = isinstance(data, dict) and step in data
        if inside or (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            data = data[step]
            place.append(step)
    if location and isinstance(data, dict) and location[-1] not in place[-1:]:
        place.append(location[-1])  # what is missing
    return tuple(place)


@lru_cache(maxsize=8)
def _field_names(model: type[BaseModel]) -> list[str]:
    """The names of all fields of a model and of the models inside it."""
    names: list[str] = []
    definitions = model.model_json_schema(by_alias=True)
    for part in (definitions, *definitions.get("$defs", {}).values()):
        names.extend(part.get("properties", {}))
    return names


def _sentence(place: Location, detail: Mapping[str, Any], fields: Collection[str]) -> str:
    """One pydantic error as a sentence: which field, what is wrong, what would be right."""
    name = f'"{".".join(map(str, place))}"' if place else "the file"
    context, shown = detail.get("ctx", {}), _shown(detail["input"])
    match detail["type"]:
        case "missing":
            return f"{name} is missing"
        case "extra_forbidden" if place[-1] in fields:
            return f"{name} does not belong here"
        case "extra_forbidden":
            close = difflib.get_close_matches(str(place[-1]), fields, 1)
            hint = f': did you mean "{close[0]}"?' if close else ""
            return f"unknown field {name}{hint}"
        case "value_error":
            return f"{name}: {context['error']}"
        case "literal_error":
            return f"{name} is {shown}, but must be {context['expected']}"
        case "string_pattern_mismatch":
            return f"{name} is {shown}, which does not fit {context['pattern']}"
        case "model_type" | "dict_type":
            return f"{name} must be an object in {{ }}, not {shown}"
        case "list_type":
            return f"{name} must be a list in [ ], not {shown}"
        case "too_short":
            return f"{name} needs at least {context['min_length']} entries"
        case "too_long":
            return f"{name} has more than {context['max_length']} entries"
        case _:
            return f"{name}: {detail['msg'][0].lower()}{detail['msg'][1:]}, not {shown}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:39]}…"
