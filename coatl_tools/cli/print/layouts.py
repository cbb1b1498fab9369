"""`coatl print layouts`: check layout files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from coatl_tools.cli.settings import FOLDER, Settings, json_option, language_option


@click.command()
@click.argument("folder", required=False, type=FOLDER)
@json_option
@language_option
@click.pass_obj
def layouts(settings: Settings, folder: Path | None, as_json: bool) -> int:
    """Check layout files: every problem with file, line and field; exit code 1 if there is any.

    Without FOLDER, those that come with the program.
    """
    from coatl_tools.cli.screen import print_json
    from coatl_tools.printing.layout_files import check_layouts

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
