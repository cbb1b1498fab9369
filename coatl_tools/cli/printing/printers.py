"""`coatl print calibrate` and `profile`: measure and store how far a printer is off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from coatl_tools.cli.printing.print_options import complete_printer, layouts_option, paper_option
from coatl_tools.cli.shared_options import Settings, json_option, language_option, out_option
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.errors import CommandLineError
from coatl_tools.files.atomic_writes import write_files_together
from coatl_tools.language import Language
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.paper.papers import BackPrinting
from coatl_tools.printing.paper.printer_profiles import (
    PrinterProfile,
    change_profile,
    find_printer_profile,
    find_printers_file,
    load_printer_profiles,
    save_printer_profiles,
)
from coatl_tools.printing.print_spec import render_calibration_sheet


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
    backs: BackPrinting,
    printer: str | None,
    out: Path,
    as_json: bool,
) -> None:
    """Make a two-sided sheet with targets, to measure how far the backs are off.

    The sheet says what to measure and what to type.
    """
    design = Design(settings.language, layouts=Layouts(layouts))
    profile = load_printer_profiles(find_printers_file()).get(printer) if printer else None
    sheet = render_calibration_sheet(design, paper, backs, printer, profile)
    write_files_together(out, [sheet.output_file])
    settings.done = True
    if as_json:
        print_json({"folder": str(out), "file": sheet.name, "bytes": len(sheet.data)})
    else:
        print(settings.language.label("calibrate_done", file=out / sheet.name))


@click.command()
@click.argument("name", required=False, shell_complete=complete_printer)
@click.option("--dx", metavar="MM", type=float, help="How far the back lies to the right.")
@click.option("--dy", metavar="MM", type=float, help="How far down the back lies.")
@click.option("--rotate", metavar="DEGREES", type=float, help="How far it is turned clockwise.")
@click.option("--scale", metavar="PERCENT", type=float, help="How large it is, for example 100.3.")
@click.option("--delete", is_flag=True, help="Delete this printer.")
@json_option
@language_option
@click.pass_obj
def profile(
    settings: Settings, /, name: str | None, delete: bool, as_json: bool, **numbers: float | None
) -> None:
    """Save how far a printer is off, as measured on the sheet of “calibrate”.

    All numbers are as seen from the front, against the light. Without NAME, all printers are
    listed; with NAME alone, that one.
    """
    path = find_printers_file()
    profiles = dict(load_printer_profiles(path))
    given = any(value is not None for value in numbers.values())
    shown: dict[str, PrinterProfile] = profiles
    forgotten = ""
    if name is None:
        if given or delete:
            raise CommandLineError("print.name_missing")
    elif delete and given:
        raise CommandLineError("print.delete_alone")
    elif delete:
        find_printer_profile(path, name)
        del profiles[name]
        save_printer_profiles(path, profiles)
        forgotten = name
    elif given:
        if not name.strip() or len(name) > 40 or not name.isprintable():
            raise CommandLineError("print.name", name=name[:40])
        profiles[name] = change_profile(profiles.get(name, PrinterProfile()), **numbers)
        save_printer_profiles(path, profiles)
        shown = {name: profiles[name]}
    else:
        shown = {name: find_printer_profile(path, name)}
    settings.done = True
    if as_json:
        print_json({found: one.model_dump() for found, one in shown.items()})
    else:
        if forgotten:
            print(settings.language.label("print_forgotten", name=forgotten))
        _print_profiles(shown, settings.language)


def _print_profiles(shown: dict[str, PrinterProfile], language: Language) -> None:
    if not shown:
        print(language.label("print_no_profiles"))
    for name, profile in sorted(shown.items()):
        number = language.typography.format_number
        numbers: dict[str, Any] = {k: number(v) for k, v in profile.model_dump().items()}
        print(language.label("print_profile", name=name, **numbers))
