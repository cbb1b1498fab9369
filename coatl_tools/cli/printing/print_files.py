"""What `coatl print` does: make the PDF files that the options ask for, and write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.terminal.progress import PartsProgressBar
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.files.atomic_writes import write_files_together
from coatl_tools.language import Language
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Layouts, ThemeName
from coatl_tools.printing.paper.papers import describe_printing_steps
from coatl_tools.printing.paper.printer_profiles import find_printer_profile, find_printers_file
from coatl_tools.printing.print_spec import (
    Printout,
    PrintSpec,
    render_part,
    select_cards,
    select_parts,
)


def print_parts(
    settings: Settings,
    what: str | None,
    only: str | None,
    paper: str,
    printer: str | None,
    out: Path,
    as_json: bool,
    **options: Any,
) -> None:
    """Make the PDF files of `what`, write them to the folder `out`, and print what was made.

    The other options are those of `make_print_spec`.
    """
    parts = select_parts(what if what is not None else "all" if only is None else "cards")
    profile = find_printer_profile(find_printers_file(), printer) if printer else None
    spec = make_print_spec(settings, only=only, paper_name=paper, profile=profile, **options)
    spec.paper  # noqa: B018 (an unknown one is told before the work begins)
    with PartsProgressBar(len(parts)) as progress:
        made = [(part, render_part(part, spec, progress.start_part())) for part in parts]
    files = [(part, printout) for part, printout in made if printout is not None]
    if files:
        write_files_together(out, [printout.output_file for _, printout in files])
    settings.done = True
    if as_json:
        print_json(_serialize_printouts(files, spec, out))
    else:
        _print_summary([printout for _, printout in files], spec, out, settings.language)


def _serialize_printouts(
    files: list[tuple[str, Printout]], spec: PrintSpec, out: Path
) -> dict[str, Any]:
    return {
        "folder": str(out),
        "paper": spec.paper_name,
        "backs": spec.backs,
        "unmarked": sorted({card.id for card in spec.cards} - spec.mark_numbers.keys()),
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


def _print_summary(files: list[Printout], spec: PrintSpec, out: Path, language: Language) -> None:
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
    unmarked = {card.id for card in spec.cards} - spec.mark_numbers.keys()
    said = describe_printing_steps(
        language, spec.sheets_layout, spec.paper_name, spec.backs, duplex, len(unmarked)
    )
    for line in said:
        print(f"- {line}")


def make_print_spec(
    settings: Settings,
    theme: ThemeName = "full",
    layouts: Path | None = None,
    only: str | None = None,
    promo: bool = False,
    **more: Any,
) -> PrintSpec:
    """Say what the options ask to be printed, with the whole deck or only some cards."""
    catalog = settings.catalog()
    deck = catalog.deck(promo)
    return PrintSpec(
        design=Design(settings.language, theme, Layouts(layouts)),
        cards=deck if only is None else select_cards(catalog, only),
        deck=deck,
        known_cards=tuple(catalog),
        **more,
    )
