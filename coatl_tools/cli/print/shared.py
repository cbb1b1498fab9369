"""The options that the commands of `coatl print` share."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from coatl_tools.errors import CoatlError

# What cannot be read or written is said later, by the error for it and in the user's language.
FOLDER = click.Path(path_type=Path, readable=False)


def _complete_paper(
    context: click.Context, _: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    from coatl_tools.printing.layouts import Layouts
    from coatl_tools.printing.paper.papers import sheets_layout

    try:
        names = sheets_layout(Layouts(context.params.get("layouts"))).papers
    except CoatlError:
        return []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def complete_printer(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The names of printer profiles that begin like this, for the shell."""
    from coatl_tools.printing.paper.profiles import load_profiles, printers_file

    try:
        names = load_profiles(printers_file())
    except CoatlError:
        return []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


paper_option = click.option(
    "--paper",
    metavar="NAME",
    default="a4",
    show_default=True,
    shell_complete=_complete_paper,
    help="The paper: a4, letter, or another of layouts/sheets.json.",
)

printer_option = click.option(
    "--printer",
    metavar="NAME",
    shell_complete=complete_printer,
    help="Correct the backs for this printer; “profile” lists them.",
)


layouts_option = click.option(
    "--layouts",
    metavar="FOLDER",
    type=FOLDER,
    help="A folder with layout files of your own, in place of those of the same name.",
)

theme_option = click.option(
    "--theme",
    type=click.Choice(["full", "low-ink"]),
    default="full",
    show_default=True,
    help="The look; low-ink is a light one of lines.",
)
