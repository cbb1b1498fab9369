"""`coatl table list`, `export`, `import`, `replay`, `verify`, `delete`: tables as files."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from coatl_tools.cli.settings import FILE, Settings, json_option
from coatl_tools.cli.streams import somebody_types
from coatl_tools.cli.table.shared import (
    name_argument,
    open_table,
    plain_option,
    table_options,
)
from coatl_tools.errors import CommandError


def _file(settings: Settings, file: Path) -> Path:
    """A table's file, by its path or by the table's name."""
    from coatl_tools.referee.folder import existing_path

    with contextlib.suppress(CommandError, OSError, ValueError):  # who reads it will say so
        if not file.exists():
            return existing_path(settings.folder, str(file))
    return file


@click.command("list")
@plain_option
@json_option
@table_options
@click.pass_obj
def list_(settings: Settings, plain: bool, as_json: bool) -> None:
    """List all tables: who plays, and how far they are."""
    from coatl_tools.referee.summary import summaries

    found = summaries(settings.folder, settings.lang)
    if as_json:
        from coatl_tools.cli.screen import print_json

        print_json([summary.data() for summary in found])
        return
    if plain or not found:
        for summary in found:
            parts = (summary.name, ", ".join(summary.players), summary.text, summary.played)
            click.echo(". ".join(part.removesuffix(".") for part in parts if part) + ".")
        if not found:
            click.echo(settings.language.sentence("table.no_tables", {}))
        return
    from rich.text import Text

    from coatl_tools.cli.screen import Column, Screen

    screen = Screen(settings.language)
    columns = [
        Column(screen.label("table")),
        Column(screen.label("players"), ratio=2),
        Column(screen.label("last_played")),
        Column(screen.label("standing"), ratio=3),
    ]
    rows = [
        [Text(s.name, "bold"), Text(", ".join(s.players)), Text(s.played), Text(s.text)]
        for s in found
    ]
    screen.table(columns, rows)


@click.command()
@name_argument
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write to FILE.")
@click.option(
    "--open-hands",
    is_flag=True,
    help="Export a virtual game that is not over, though its record lays all hands open.",
)
@table_options
@click.pass_obj
def export(settings: Settings, name: str, output: Path | None, open_hands: bool) -> None:
    """Write a readable record of a game; “import” reads it back."""
    from coatl_tools.referee.journal import replay as read_again
    from coatl_tools.referee.record import write_record
    from coatl_tools.rules.state import OVER

    table = open_table(settings, name)
    if table.virtual and table.state.stage is not OVER and not open_hands:
        raise CommandError("table.hands_open", name=table.name)
    text = write_record(table.name, read_again(table.journal.path), settings.lang)
    if output is None or str(output) == "-":
        click.echo(text, nl=False)
        return
    from coatl_tools.documents import write_document

    write_document(output, text)


@click.command("import")
@click.argument("file", type=FILE)
@click.option("--name", metavar="NAME", help="The table's name, instead of the record's.")
@table_options
@click.pass_obj
def import_(settings: Settings, file: Path, name: str | None) -> None:
    """Make a table of a record, or of a table's file."""
    from coatl_tools.referee.importing import import_table

    journal = import_table(settings.folder, file, name)
    settings.done = True
    events = len(journal.history.events)
    click.echo(settings.language.label("imported", events, name=journal.path.stem))


@click.command()
@click.argument("file", type=FILE)
@click.option("--to", "to", metavar="N", type=click.IntRange(0), help="Stop after event N.")
@click.option("--step", is_flag=True, help="Wait for Enter after each turn.")
@plain_option
@table_options
@click.pass_obj
def replay(settings: Settings, file: Path, to: int | None, step: bool, plain: bool) -> None:
    """Play a table's FILE again, turn by turn."""
    from coatl_tools.cli.table.playback import play_back

    play_back(settings, _file(settings, file), to, step and somebody_types(), plain)


@click.command()
@click.argument("file", type=FILE)
@json_option
@table_options
@click.pass_obj
def verify(settings: Settings, file: Path, as_json: bool) -> None:
    """Check a table's FILE: every line, every rule, every fingerprint."""
    from coatl_tools.referee.journal import replay as read_again
    from coatl_tools.rules.state import OVER

    file = _file(settings, file)
    found = read_again(file)
    over = found.history.state.stage is OVER
    if as_json:
        from coatl_tools.cli.screen import print_json

        print_json({"file": str(file), "entries": found.entries, "over": over,
                    "events": len(found.history.events), "torn": bool(found.torn)})  # fmt: skip
    else:
        key = "verified_over" if over else "verified"
        click.echo(settings.language.label(key, found.entries, file=file))
    if found.warning:
        raise found.warning


@click.command()
@name_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
@table_options
@click.pass_obj
def delete(settings: Settings, name: str, yes: bool) -> None:
    """Delete a table, after asking."""
    from coatl_tools.cli.table.do import agreed
    from coatl_tools.referee.folder import delete_table, existing_path

    path = existing_path(settings.folder, name)
    if not yes:
        if not somebody_types():
            raise CommandError("table.delete_yes", name=path.stem)
        if not agreed(settings.language.label("delete_sure", name=path.stem), settings):
            raise click.Abort
    delete_table(path)
    settings.done = True
    click.echo(settings.language.label("deleted", name=path.stem))
