"""`coatl print`: every part of the game as a PDF file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coatl_tools.cli.common_options import Settings, json_option, out_option, shared_options
from coatl_tools.cli.printing.print_options import (
    BACK_CHOICES,
    card_size_option,
    golden_option,
    layouts_option,
    make_print_job,
    only_option,
    paper_option,
    printer_option,
    promo_option,
    theme_option,
)
from coatl_tools.cli.terminal.progress import PartsProgressBar

if TYPE_CHECKING:
    from coatl_tools.language import Language
    from coatl_tools.printing.print_job import PrintJob, Printout


class _PrintGroup(click.Group):
    """Lists its commands in the order of the work."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names as they were added."""
        return list(self.commands)


@click.group(name="print", cls=_PrintGroup, invoke_without_command=True)
@click.option(
    "--what",
    metavar="PARTS",
    help="What to print: cards, boards, pieces, tokens, rules, mat or all; several with commas. "
    "Default: all, or the cards if some are chosen with --only.",
)
@paper_option
@theme_option
@layouts_option
@click.option(
    "--backs",
    type=click.Choice(BACK_CHOICES),
    default=BACK_CHOICES[0],
    show_default=True,
    help="How backs come behind fronts: a printer that flips on the long or the short edge, "
    "folding, or not at all.",
)
@click.option(
    "--bleed",
    metavar="MM",
    type=float,
    default=0.0,
    help="How far to paint beyond the cuts, at most 3 mm. Default: 0, neighbours share their cuts.",
)
@card_size_option
@only_option
@promo_option
@golden_option
@printer_option
@out_option("output")
@json_option
@shared_options
@click.pass_context
def print_game(context: click.Context, /, **options: Any) -> None:
    """Make the whole game as PDF files, to print and play.

    Without a command: cards, boards, pieces, tokens, rules and the photo mat, in a folder.
    """
    if context.invoked_subcommand is None:
        _print_parts(context.ensure_object(Settings), **options)


def _print_parts(
    settings: Settings, what: str | None, only: str | None, out: Path, as_json: bool, **options: Any
) -> None:
    from coatl_tools.cli.terminal.stdio import print_json
    from coatl_tools.files import write_files_together
    from coatl_tools.printing.print_job import render_part, select_parts

    parts = select_parts(what if what is not None else "all" if only is None else "cards")
    order = _make_checked_job(settings, only=only, **options)
    with PartsProgressBar(len(parts)) as progress:
        made = [(part, render_part(part, order, progress.part())) for part in parts]
    files = [(part, printout) for part, printout in made if printout is not None]
    if files:
        write_files_together(out, [printout.file for _, printout in files])
    settings.done = True
    if as_json:
        print_json(_serialize_printouts(files, order, out))
    else:
        _print_summary([printout for _, printout in files], order, out, settings.language)


def _make_checked_job(
    settings: Settings, paper: str, printer: str | None, **options: Any
) -> PrintJob:
    from coatl_tools.printing.paper.printer_profiles import find_printers_file, find_profile

    profile = find_profile(find_printers_file(), printer) if printer else None
    order = make_print_job(settings, paper_name=paper, profile=profile, **options)
    order.paper  # noqa: B018 (an unknown one is told before the work begins)
    return order


def _serialize_printouts(
    files: list[tuple[str, Printout]], order: PrintJob, out: Path
) -> dict[str, Any]:
    return {
        "folder": str(out),
        "paper": order.paper_name,
        "backs": order.backs,
        "unmarked": sorted({card.id for card in order.cards} - order.numbers.keys()),
        "files": [
            {
                "part": part,
                "file": printout.name,
                "sheets": printout.sheets,
                "pages": printout.pages,
                "bytes": len(printout.data),
            }
            for part, printout in files
        ],
    }


def _print_summary(files: list[Printout], order: PrintJob, out: Path, language: Language) -> None:
    from coatl_tools.printing.paper.papers import describe_printing_steps

    if not files:
        print(language.label("print_nothing"))
        return
    print(language.label("print_written", folder=out))
    wide = max(len(printout.name) for printout in files)
    for printout in files:
        sheets = language.label("print_sheets", printout.sheets)
        print(f"  {printout.name:{wide}}  {len(printout.data) / 1000:6.0f} kB  {sheets}")
    print()
    print(language.label("print_how"))
    duplex = any(printout.duplex for printout in files)
    unmarked = {card.id for card in order.cards} - order.numbers.keys()
    said = describe_printing_steps(
        language, order.layout, order.paper_name, order.backs, duplex, len(unmarked)
    )
    for line in said:
        print(f"- {line}")
