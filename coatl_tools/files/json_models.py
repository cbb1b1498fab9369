"""Strict pydantic models of JSON data, and their validation: every problem as a plain sentence,
with the place in the file.

Kept apart from `json_files`, because pydantic takes long to load.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    ValidationError,
)
from pydantic_core import ErrorDetails

from coatl_tools.errors import CardDataError, JournalError
from coatl_tools.files.json_files import FileProblem, JsonPath, JsonSource, read_json

Model = TypeVar("Model", bound=BaseModel)
_TYPE_NAMES = {
    "model_type": "an object in { }",
    "dict_type": "an object in { }",
    "list_type": "a list in [ ]",
    "string_type": "a text in quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
}


def validate_json(
    model: type[Model], data: Any, source: JsonSource, location: JsonPath = (), card_id: str = ""
) -> tuple[Model | None, list[FileProblem]]:
    """Check data against a model, with every problem in plain words at its place."""
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        fields = _field_names(model)
        problems = []
        for place, detail in _merge_alternatives(data, error.errors(include_url=False)):
            message = _describe_mistake(place or location, detail, fields)
            problems.append(source.problem(message, (*location, *place), card_id))
        return None, problems


def load_json_model(path: Path, model: type[Model], wrong: str) -> Model:
    """Load a JSON file as a model.

    Raises CardDataError with the message key `wrong` and every problem of the file.
    """
    source, problems = read_json(path)
    if source is not None:
        found, more = validate_json(model, source.data, source)
        if found is not None and not problems:
            return found
        problems = [*problems, *more]
    raise CardDataError(wrong, problems=tuple(map(str, problems)))


def _merge_alternatives(
    data: Any, details: Iterable[ErrorDetails]
) -> list[tuple[JsonPath, Mapping[str, Any]]]:
    """Locate mistakes, and tell one mistake once where a value may have one of several types.

    Each type has its own complaint then; that of the type which came furthest tells most.
    """
    located = [(_locate_in_data(data, detail), detail) for detail in details]
    merged: list[tuple[JsonPath, Mapping[str, Any]]] = []
    for place, detail in located:
        deeper = any(other != place == other[: len(place)] for other, _ in located)
        told = any(known == place for known, _ in merged)
        if len(detail["loc"]) == len(place):  # there are no alternatives
            merged.append((place, detail))
        elif not deeper and not told:
            kinds = [_TYPE_NAMES.get(one["type"], "") for other, one in located if other == place]
            wanted = " or ".join(dict.fromkeys(filter(None, kinds)))
            more = {"type": "wrong_type", "ctx": {"expected": wanted}} if wanted else {}
            merged.append((place, {**detail, **more}))
    return merged


def _locate_in_data(data: Any, detail: ErrorDetails) -> JsonPath:
    """Keep the steps of a pydantic location that lead through the data; the others name types."""
    place: list[str | int] = []
    for step in detail["loc"]:
        inside = isinstance(data, dict) and step in data
        if inside or (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            data = data[step]
            place.append(step)
    if detail["type"] == "missing":
        place.append(detail["loc"][-1])
    return tuple(place)


@lru_cache(maxsize=8)
def _field_names(model: type[BaseModel]) -> list[str]:
    """Return the names of all fields of a model and of the models inside it."""
    names: list[str] = []
    definitions = model.model_json_schema(by_alias=True)
    for part in (definitions, *definitions.get("$defs", {}).values()):
        names.extend(part.get("properties", {}))
    return names


def _describe_mistake(place: JsonPath, detail: Mapping[str, Any], fields: Collection[str]) -> str:
    """Describe a pydantic error in a sentence: which field, what is wrong, what would be right."""
    name = f'"{".".join(map(str, place))}"' if place else "the file"
    context, shown = detail.get("ctx", {}), _shorten_json(detail["input"])
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
        case "wrong_type":
            return f"{name} must be {context['expected']}, not {shown}"
        case kind if kind in _TYPE_NAMES:
            return f"{name} must be {_TYPE_NAMES[kind]}, not {shown}"
        case "greater_than_equal":
            return f"{name} must be at least {context['ge']:g}, not {shown}"
        case "less_than_equal":
            return f"{name} must be at most {context['le']:g}, not {shown}"
        case "too_short":
            return f"{name} needs at least {_count_entries(context['min_length'])}"
        case "too_long":
            return f"{name} has more than {_count_entries(context['max_length'])}"
        case _:
            return f"{name}: {detail['msg'][0].lower()}{detail['msg'][1:]}, not {shown}"


def _count_entries(number: int) -> str:
    return f"{number} {'entry' if number == 1 else 'entries'}"


def _shorten_json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:39]}…"


class StrictModel(BaseModel):
    """A model that converts no types and allows no unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


UNSET: Any = None  # the default of a field that need not be there, but may not be null


_Model = TypeVar("_Model", bound=StrictModel)
_FIELD_ERROR_KEYS = {"missing": "journal.field_missing", "extra_forbidden": "journal.field_unknown"}


def validate_journal_data(model: type[_Model], data: dict[str, Any]) -> _Model:
    """Validate data against a model; JournalError names the most deeply nested wrong field."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        # where a field may have several shapes, the mistake deepest inside tells most
        mistakes = error.errors(include_url=False, include_input=False)
        found = max(mistakes, key=lambda one: len(_locate_in_data(data, one)))
        key = _FIELD_ERROR_KEYS.get(found["type"], "journal.field_wrong")
        field = ".".join(map(str, _locate_in_data(data, found)))
        raise JournalError(key, field=field[:60]) from error
