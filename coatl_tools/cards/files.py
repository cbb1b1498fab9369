"""Card files, checked against their models: every problem at once, in plain words."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
from coatl_tools.cards.source import Location, Problem, Source, read_json
from coatl_tools.errors import CardDataError

Model = TypeVar("Model", bound=BaseModel)


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


def load_model(path: Path, model: type[Model], wrong: str) -> Model:
    """A whole JSON file; raises CardDataError with this sentence and every problem of the file."""
    source, problems = read_json(path)
    if source is not None:
        found, more = read_model(model, source.data, source)
        if found is not None and not problems:
            return found
        problems = [*problems, *more]
    raise CardDataError(wrong, problems=tuple(map(str, problems)))


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
