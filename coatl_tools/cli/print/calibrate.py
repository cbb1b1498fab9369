"""`coatl print calibrate`: a sheet that shows what a printer is off by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coatl_tools.cli.print.shared import (
    complete_printer,
    layouts_option,
    out_option,
    paper_option,
)
from coatl_tools.cli.settings import Settings, json_option, language_option

if TYPE_CHECKING:
    from coatl_tools.printing.paper.papers import Backs


@click.command()
@paper_option
@layouts_option
@click.option(
    "--backs",
    type=click.Choice(["duplex-long", "duplex-short"]),
    default="duplex-long",
    show_default=True,
    help="Which edge the printer flips on.",
)
@click.option(
    "--printer",
    metavar="NAME",
    shell_complete=complete_printer,
    help="The printer's name; if it has a profile, the sheet is corrected by it, as a proof.",
)
@out_option("output")
@json_option
@language_option
@click.pass_obj
def calibrate(
    settings: Settings,
    paper: str,
    layouts: Path | None,
    backs: Backs,
    printer: str | None,
    out: Path,
    as_json: bool,
) -> None:
    """Make a two-sided sheet with targets, to see how far the backs lie beside the fronts.

    The sheet itself says what to read off it, and what to type then.
    """
    from coatl_tools.cli.screen import print_json
    from coatl_tools.printing.component import Design
    from coatl_tools.printing.folder import write_all
    from coatl_tools.printing.layouts import Layouts
    from coatl_tools.printing.paper.profiles import load_profiles, printers_file
    from coatl_tools.printing.printout import calibration_sheet

    design = Design(settings.language, layouts=Layouts(layouts))
    profile = load_profiles(printers_file()).get(printer) if printer else None
    sheet = calibration_sheet(design, paper, backs, printer, profile)
    write_all(out, [sheet.file])
    settings.done = True
    if as_json:
        print_json({"folder": str(out), "file": sheet.name, "bytes": len(sheet.data)})
    else:
        print(settings.language.label("calibrate_done", file=out / sheet.name))
