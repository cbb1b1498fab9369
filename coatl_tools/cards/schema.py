"""The JSON Schemas of the data files, for editors and other programs."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from coatl_tools.cards.components import ComponentsFile
from coatl_tools.cards.model import CardFile
from coatl_tools.language_file import LanguageFile
from coatl_tools.resources import CARDDATA

MODELS: dict[str, type[BaseModel]] = {
    "cards": CardFile,
    "components": ComponentsFile,
    "language": LanguageFile,
}


def schema_text(part: str) -> str:
    """The schema of one kind of file, as `carddata/schema/` has it."""
    return (CARDDATA / "schema" / f"{part}.schema.json").read_text("utf-8")


def schema_of_the_model(part: str) -> dict[str, Any]:
    """The schema as the models have it; `make golden` writes it into `carddata/schema/`."""
    schema: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **MODELS[part].model_json_schema(by_alias=True),
    }
    _without_empty_defaults(schema)
    return schema


def schema_file(schema: dict[str, Any]) -> str:
    """A schema as the text of its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _without_empty_defaults(node: Any) -> None:
    """Drop `"default": null`, which only says that a field may be left out."""
    if isinstance(node, dict):
        if "default" in node and node["default"] is None:
            del node["default"]
        for inner in node.values():
            _without_empty_defaults(inner)
    elif isinstance(node, list):
        for inner in node:
            _without_empty_defaults(inner)
