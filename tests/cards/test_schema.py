"""The JSON Schema and the models say the same."""

from __future__ import annotations

import json
import os
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from coatl_tools.cards.card_files import CardFile
from coatl_tools.files.data_paths import CARDDATA
from coatl_tools.validation.carddata import SCHEMA_MODELS, build_schema, format_schema, read_schema


def outline(node: Any) -> Any:
    """What a schema demands, without its texts: those may change with pydantic."""
    if isinstance(node, dict):
        kept = ("properties", "required", "enum", "$defs", "items", "pattern", "$ref", "maximum")
        named = "properties" in node or "$defs" in node
        return {
            key: {name: outline(inner) for name, inner in value.items()}
            if key in ("properties", "$defs")
            else outline(value)
            for key, value in node.items()
            if named or key in kept
        }
    return node


@pytest.mark.parametrize("part", SCHEMA_MODELS)
def test_golden_schemas_are_those_of_the_models(part: str) -> None:
    model = build_schema(part)
    if os.environ.get("COATL_GOLDEN") == "renew":
        path = CARDDATA / "schema" / f"{part}.schema.json"
        path.write_text(format_schema(model), "utf-8")
    assert outline(json.loads(read_schema(part))) == outline(model)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"colour": "pink"},
        {"kind": "temple"},
        {"kind": "tempel"},
        {"kind": "temple", "colour": None},
        {"id": "x"},
        {"copies": 0},
        {"points": {}},
        {"points": {"x": 1}},
        {"points": {"1": 0}},
        {"extra": 1},
        {"requires": {}},
        {"requires": {"count": "R", "absent": "B"}},
        {"requires": {"count": "Q"}},
        {"requires": {"count": None}},
        {"requires": {"sequence": "R *+ R"}},
        {"requires": {"sequence": "R !B R"}},
        {"requires": {"sequence": "!R"}},
        {"requires": {"sequence": "R Q"}},
        {"requires": {"multiset": {"R": 2}}},
        {"requires": {"multiset": {"Q": 2}}},
        {"requires": {"multiset": {}}},
        {"requires": {"equal": ["R"]}},
        {"requires": {"equal": ["R", "R"]}},
        {"requires": {"sequence": " ".join("R" * 31)}},
        {"requires": {"sequence": " ".join("R" * 30)}},
        {"requires": {"length": 0}},
        {"requires": {"several": [{"absent": "R"}, {"length": 7}]}},
        {"requires": {"several": [{"absent": "R"}]}},
        {"requires": {"several": [{"several": []}, {"length": 7}]}},
    ],
)
def test_an_editor_accepts_what_the_program_accepts(change: dict[str, Any]) -> None:
    card = {
        "id": "X01",
        "kind": "prophecy",
        "colour": "green",
        "requires": {"sequence": "R B+ R"},
        "points": {"1": 2, "2": 6},
    }
    data = {"cards": [card | change]}
    schema = jsonschema.Draft202012Validator(json.loads(read_schema("cards")))
    try:
        CardFile.model_validate(data)
    except ValidationError:
        accepted = False
    else:
        accepted = True
    assert schema.is_valid(data) == accepted
