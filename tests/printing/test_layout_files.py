"""Layout files: their schemas, and every mistake with file, line and field."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from coatl_tools.errors import CardDataError, FileError
from coatl_tools.files.data_paths import LAYOUTS
from coatl_tools.printing.layout_validation import LAYOUT_MODELS, build_layout_schema, check_layouts
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.paper.papers import load_sheets_layout
from coatl_tools.validation.carddata import format_schema
from tests.cards.test_schema import outline


@pytest.mark.parametrize("name", LAYOUT_MODELS)
def test_golden_schemas_are_those_of_the_models(name: str) -> None:
    path = LAYOUTS / "schema" / f"{name}.schema.json"
    if os.environ.get("COATL_GOLDEN") == "renew":
        path.parent.mkdir(exist_ok=True)
        path.write_text(format_schema(build_layout_schema(name)), "utf-8")
    written = json.loads(path.read_text("utf-8"))
    assert outline(written) == outline(build_layout_schema(name))
    layout = json.loads((LAYOUTS / f"{name}.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(written).validate(layout)


def test_every_layout_file_has_a_model_and_names_its_schema() -> None:
    files = {path.stem for path in LAYOUTS.glob("*.json")} - {"terminal"}
    assert files == set(LAYOUT_MODELS)
    for name in files:
        schema = json.loads((LAYOUTS / f"{name}.json").read_text("utf-8"))["$schema"]
        assert schema == f"schema/{name}.schema.json"
    assert check_layouts() == (len(LAYOUT_MODELS), [])


def changed_sheets(folder: Path, change: dict[str, Any]) -> Path:
    data = json.loads((LAYOUTS / "sheets.json").read_text("utf-8")) | change
    path = folder / "sheets.json"
    path.write_text(json.dumps(data, indent=1), "utf-8")
    return path


def test_a_paper_is_added_without_python(tmp_path: Path) -> None:
    changed_sheets(tmp_path, {"papers": {"b5": {"width": 176, "height": 250}}})
    paper = load_sheets_layout(Layouts(tmp_path)).find_paper("b5")
    assert (paper.width, paper.height) == (176, 250)


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"edge": -1}, "edge", "at least 0"),
        ({"papers": {"a4": {"width": -210, "height": 297}}}, "papers.a4.width", "at least 80"),
        ({"papers": {"a4": {"width": 297, "height": 210}}}, "papers.a4", "portrait"),
        ({"papers": {"a4": {"width": "210", "height": 297}}}, "papers.a4.width", "number"),
        ({"papers": {}}, "papers", "at least 1"),
        ({"rulers": {}}, "rulers", "unknown field"),
    ],
)
def test_a_mistake_is_told_with_its_file_line_and_field(
    tmp_path: Path, change: dict[str, Any], field: str, message: str
) -> None:
    path = changed_sheets(tmp_path, change)
    (problem,) = check_layouts(tmp_path)[1]
    assert problem.path == str(path)
    assert problem.line > 1
    assert f'"{field}"' in problem.message
    assert message in problem.message
    with pytest.raises(CardDataError, match=r"sheets\.json"):
        load_sheets_layout(Layouts(tmp_path))


def test_a_card_size_beyond_what_can_be_drawn_is_told(tmp_path: Path) -> None:
    data = json.loads((LAYOUTS / "cards.json").read_text("utf-8"))
    data["sizes"] = {"huge": {"width": 200, "height": 100}, "mini": {"width": 44, "height": 100}}
    (tmp_path / "cards.json").write_text(json.dumps(data, indent=1), "utf-8")
    large, small = check_layouts(tmp_path)[1]
    assert '"sizes.huge.width" must be at most' in large.message
    assert '"sizes.mini.width" must be at least' in small.message


def test_files_that_are_no_layouts_are_told(tmp_path: Path) -> None:
    (tmp_path / "sheet.json").write_text("{}")
    (tmp_path / "themes.json").write_text("{")
    found = [str(problem) for problem in check_layouts(tmp_path)[1]]
    assert found[0].endswith("sheet.json: is no layout file: did you mean sheets.json?")
    assert "themes.json:1:2: is not JSON" in found[1]
    with pytest.raises(FileError, match="no folder"):
        check_layouts(tmp_path / "none")
