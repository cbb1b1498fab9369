"""`coatl print check` and `layouts`: check PDF files and layout files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from coatl_tools.cli.printing.print_options import layouts_option
from coatl_tools.cli.shared_options import (
    FILE_TYPE,
    FOLDER_TYPE,
    Settings,
    json_option,
    language_option,
)
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import FileError, escape_unprintable
from coatl_tools.language import Language
from coatl_tools.printing.layout_validation import check_layouts
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.preflight import PreflightFinding, PreflightReport, check_pdf


@click.command()
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=FILE_TYPE)
@layouts_option
@json_option
@language_option
@click.pass_obj
def check(settings: Settings, paths: tuple[Path, ...], layouts: Path | None, as_json: bool) -> int:
    """Check PDF files before printing; exit code 1 if anything is wrong.

    Fonts, boxes, paper, the safe zone, overflowing text, missing letters, the resolution of
    pictures, and ink.
    """
    known = Layouts(layouts)
    language, code = settings.language, 0
    found: list[dict[str, Any]] = []
    for path in paths:
        try:
            report = check_pdf(path, known)
        except FileError as error:  # the other files are checked all the same
            code = error.exit_code
            message = error.text(settings.lang)
            print(language.label("error", message=message), file=sys.stderr)
            found.append({"file": str(path), "ok": False, "pages": 0, "unreadable": message})
            continue
        code = max(code, 0 if report.good else 1)
        found.append(_serialize_report(report, language))
        if not as_json:
            _print_report(report, language)
    if as_json:
        print_json(found)
    return code


def _print_report(report: PreflightReport, language: Language) -> None:
    pages = language.label("preflight_pages", report.pages)
    key = "preflight_ok" if report.good else "preflight_bad"
    print(language.label(key, path=escape_unprintable(str(report.path)), pages=pages))
    for finding in report.findings:
        print(f"  {_format_finding(finding, language)}")


def _format_finding(finding: PreflightFinding, language: Language) -> str:
    """Format the severity, the place, and what is wrong there."""
    words = {
        "error": "preflight_error",
        "warning": "preflight_warning",
        "info": "preflight_info",
    }
    place = [finding.thing] if finding.thing else []
    if finding.page:
        place = [language.label("preflight_page", page=finding.page), *place]
    parts = [language.label(words[finding.severity.value]), ", ".join(place)]
    colon = f"{language.typography.colon} "
    return colon.join([*filter(None, parts), finding.message(language)])


def _serialize_report(report: PreflightReport, language: Language) -> dict[str, Any]:
    return {
        "file": str(report.path),
        "ok": report.good,
        "pages": report.pages,
        "findings": [
            {
                "severity": finding.severity.value,
                "check": finding.what.removeprefix("preflight."),
                "page": finding.page or None,
                "thing": finding.thing,
                "measured": finding.measured,
                "limit": finding.limit,
                "text": finding.text,
                "message": finding.message(language),
            }
            for finding in report.findings
        ],
    }


@click.command()
@click.argument("folder", required=False, type=FOLDER_TYPE)
@json_option
@language_option
@click.pass_obj
def layouts(settings: Settings, folder: Path | None, as_json: bool) -> int:
    """Check layout files and list every problem; exit code 1 if there is any.

    Without FOLDER, the layouts that come with the program are checked.
    """
    files, problems = check_layouts(folder)
    if as_json:
        print_json(
            [
                {
                    "file": problem.path,
                    "line": problem.line,
                    "column": problem.column,
                    "message": problem.message,
                }
                for problem in problems
            ]
        )
    elif problems:
        for problem in problems:
            print(problem)
        print(settings.language.label("problems", len(problems)), file=sys.stderr)
    else:
        count = settings.language.label("files", files)
        print(settings.language.label("print_layouts_valid", files=count))
    return 1 if problems else 0
