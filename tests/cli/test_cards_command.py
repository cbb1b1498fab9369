"""`coatl cards` and the options of the command itself, as a user runs them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coatl_tools import __version__
from coatl_tools.files.data_paths import CARDDATA, LANGUAGE_CODES
from tests.conftest import Run
from tests.programs import needs_posix

EXAMPLE_CARDS = Path(__file__).parents[2] / "docs" / "example-cards.json"


def ids(run: Run, *arguments: str | Path) -> list[str]:
    result = run("cards", "list", "--json", *arguments)
    assert result.code == 0
    return [card["id"] for card in json.loads(result.out)]


def test_version_and_help(run: Run, program: Run) -> None:
    assert program("--version").out == f"coatl, version {__version__}\n"
    for arguments in ([], ["cards"], ["cards", "validate"], ["score"]):
        assert run(*arguments, "--help").code == 0


@pytest.mark.parametrize("lang", LANGUAGE_CODES)
def test_golden_card_list_and_drawings(
    run: Run, lang: str, golden: Callable[[str, str], None]
) -> None:
    listed = run("cards", "list", "--lang", lang)
    drawn = run("cards", "show", "P43", "P10", "P05", "P45", "P53", "T03", "T16", "--lang", lang)
    assert listed.code == drawn.code == 0
    golden(f"screens.{lang}.txt", f"{listed.out}\n{drawn.out}")


def test_filters(run: Run) -> None:
    assert len(ids(run)) == 75
    assert ids(run, "--kind", "temple", "--set", "base") == [f"T{n:02}" for n in range(1, 16)]
    assert ids(run, "--colour", "czarna") == [f"P{n:02}" for n in range(6, 16)]
    assert ids(run, "--color", "K") == ids(run, "--colour", "black")
    assert ids(run, "--points", "10") == ["T16"]
    assert ids(run, "--points", "7+", "--kind", "prophecy") == [
        *("P11", "P12", "P13", "P14", "P15", "P33", "P34", "P35"),
    ]
    assert ids(run, "--points", "-1") == [f"P{n}" for n in range(16, 23)]
    assert len(ids(run, "--points", "4-4")) == len(ids(run, "--points", "4"))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["list", "--colour", "pink"], 2, "“pink” is not a colour"),
        (["list", "--colour", ""], 2, "“” is not a colour"),
        (["list", "--points", "many"], 2, "“many” is not a number of points"),
        (["list", "--points", "6-3"], 2, "“6-3” is not a number of points"),
        (["list", "--set", "none"], 2, "There is no set “none”; there are: base, promo"),
        (["show", "P99"], 1, "There is no card “P99”"),
        (["show", ""], 1, "There is no card “”"),
        (["show", "P43", "P4e"], 1, "There is no card “P4e”. Did you mean"),
    ],
)
def test_mistakes(run: Run, arguments: list[str], code: int, message: str) -> None:
    result = run("cards", *arguments)
    assert result.code == code
    assert message in result.err


def test_show_as_json(run: Run) -> None:
    assert json.loads(run("cards", "show", "P43", "--json", "--lang", "fr").out) == {
        "id": "P43",
        "kind": "prophecy",
        "colour": "green",
        "requires": {"sequence": "G Y+ G"},
        "points": {"1": 2, "2": 6},
        "copies": 1,
        "set": "base",
        "text": (
            "À la suite, de la tête vers la queue : une pièce verte, "
            "puis une ou plusieurs pièces jaunes, puis une pièce verte."
        ),
    }


def test_the_documented_example_works_everywhere(run: Run) -> None:
    assert run("cards", "validate", EXAMPLE_CARDS).code == 0
    own = json.loads(EXAMPLE_CARDS.read_text("utf-8"))["cards"]
    assert [card["kind"] for card in own] == ["prophecy", "temple"]
    assert ids(run, "--cards", EXAMPLE_CARDS)[-2:] == [card["id"] for card in own]
    for lang in LANGUAGE_CODES:
        assert (
            run("cards", "show", own[0]["id"], "--cards", EXAMPLE_CARDS, "--lang", lang).code == 0
        )
    scored = run(
        "score", "<RBRBRBR>", own[0]["id"], own[1]["id"], "--cards", EXAMPLE_CARDS, "--json"
    )
    assert json.loads(scored.out)["total"] > 0


def test_the_configuration_folder_is_always_read(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "coatl" / "cards"
    folder.mkdir(parents=True)
    (folder / "mine.json").write_text(EXAMPLE_CARDS.read_text("utf-8"))
    assert len(ids(run)) == 77
    assert "77 cards" in run("cards", "validate").out
    (folder / "broken.json").write_text('{"cards": [{"id": "X"}]}')
    broken = run("score", "RBB")
    assert broken.code == 1
    assert "broken.json:1:" in broken.err
    assert run("cards", "validate").code == 1


def test_the_language_may_stand_anywhere(run: Run) -> None:
    for arguments in (
        ["--lang", "PL", "cards", "show", "P43,T03"],
        ["cards", "--lang", "pl", "show", "P43", "T03"],
        ["cards", "show", "--lang", "pl", "P43", "T03"],
    ):
        assert "Świątynia" in run(*arguments).out


@needs_posix
def test_a_configuration_folder_that_cannot_be_read_is_said(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "coatl" / "cards"
    folder.mkdir(parents=True)
    (folder / ".hidden.json").write_text("{")
    (folder / "notes.txt").write_text("{")
    os.mkfifo(folder / "pipe.json")
    assert len(ids(run)) == 75
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(folder)
    result = run("cards", "list")
    assert result.code == 3
    assert "cannot be read" in result.err


def test_validate_prints_every_problem(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "typo.json"
    file.write_text('{"cards": [\n{"id": "X01", "kind": "temple", "requires": {"lenght": 7}}\n]}')
    result = run("cards", "validate", file)
    assert result.code == 1
    assert f"{file}:2:" in result.out
    assert "2 problems" in result.err
    problems: list[dict[str, Any]] = json.loads(run("cards", "validate", file, "--json").out)
    assert {(problem["line"], problem["card"]) for problem in problems} == {(2, "X01")}


def test_warnings_are_counted_at_the_end(run: Run, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(CARDDATA, tmp_path / "carddata"))
    (copy / "pages" / "pl.md").unlink()
    result = run("cards", "validate", copy)
    assert result.code == 0
    assert result.out.splitlines()[-1].startswith("No problems, but 1 warning: ")


@pytest.mark.parametrize("part", ["cards", "components", "language"])
def test_the_schema_is_a_schema_and_fits_the_data(run: Run, part: str) -> None:
    import jsonschema

    schema = json.loads(run("cards", "schema", part).out)
    jsonschema.Draft202012Validator.check_schema(schema)
    fitting = 0
    for path in (*CARDDATA.glob("*.json"), *CARDDATA.glob("lang/*.json"), EXAMPLE_CARDS):
        data = json.loads(path.read_text("utf-8"))
        if data["$schema"].endswith(f"{part}.schema.json"):
            jsonschema.validate(data, schema)
            assert (path.parent / data["$schema"]).resolve().is_file()
            fitting += 1
    assert fitting == {"cards": 4, "components": 1, "language": len(LANGUAGE_CODES)}[part]
