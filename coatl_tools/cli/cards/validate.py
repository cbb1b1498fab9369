"""`coatl cards validate` and `schema`: check card files, and help to write them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from coatl_tools.cli.shared_options import (
    FILE_TYPE,
    Settings,
    json_option,
    language_option,
    shared_options,
)
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.files.json_files import FileProblem
from coatl_tools.language import load_usable_language
from coatl_tools.validation.carddata import read_schema, validate_files


@click.command()
@click.argument("paths", metavar="[FILE|FOLDER]...", nargs=-1, type=FILE_TYPE)
@json_option
@shared_options
@click.pass_obj
def validate(settings: Settings, paths: tuple[Path, ...], as_json: bool) -> int:
    """Check card data and list every problem; exit code 1 if there is any.

    Texts that a language lacks are warnings: English takes their place, and the exit code is 0.

    Without FILE or FOLDER, the game's own data and your cards are checked. A file of yours is
    checked together with the game's cards; a folder with a components.json is
    checked on its own.
    """
    report = validate_files([*paths, *settings.card_files] if paths else [], settings.own_files())
    language = load_usable_language(settings.lang)  # it may be the one with the mistakes
    if as_json:
        errors = [_serialize_problem(problem, "error") for problem in report.problems]
        print_json(errors + [_serialize_problem(problem, "warning") for problem in report.warnings])
        return 1 if report.problems else 0
    for problem in report.problems:
        print(problem)
    for problem in report.warnings:
        print(language.label("warning", message=problem))
    if report.problems:
        print(language.label("problems", len(report.problems)), file=sys.stderr)
    else:
        files = language.label("files", report.files)
        total = language.label("card_total", report.cards)
        key, warnings = ("valid_but_warnings" if report.warnings else "valid"), len(report.warnings)
        print(language.label(key, warnings, files=files, cards=total))
    return 1 if report.problems else 0


@click.command()
@click.argument("part", type=click.Choice(["cards", "components", "language"]), default="cards")
@language_option
def schema(part: str) -> None:
    """Print the JSON Schema of the data files, for editors that check and complete."""
    sys.stdout.write(read_schema(part))


def _serialize_problem(problem: FileProblem, severity: str) -> dict[str, Any]:
    return {
        "severity": severity,
        "file": problem.path,
        "line": problem.line,
        "column": problem.column,
        "card": problem.card_id,
        "message": problem.message,
    }
