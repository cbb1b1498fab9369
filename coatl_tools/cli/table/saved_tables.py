"""`coatl table list`, `export`, `import`, `replay`, `verify`, `delete`: tables as files."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click
from rich.text import Text

from coatl_tools.cli.shared_options import FILE_TYPE, Settings, json_option
from coatl_tools.cli.table.table_command_options import (
    name_argument,
    plain_option,
    table_options,
)
from coatl_tools.cli.terminal.questions import confirm_question
from coatl_tools.cli.terminal.screen import GridColumn, Screen
from coatl_tools.cli.terminal.stdio import is_interactive, print_json
from coatl_tools.cli.terminal.table_output import TableOutput, open_table
from coatl_tools.errors import CommandError, HistoryError
from coatl_tools.files.atomic_writes import write_file_atomically
from coatl_tools.referee.game_record import format_record
from coatl_tools.referee.journal import Journal, replay_journal
from coatl_tools.referee.presentation.table_summary import describe_turn, summarize_tables
from coatl_tools.referee.table import Actor, Table, TableStep
from coatl_tools.referee.table_creation import import_table
from coatl_tools.referee.table_folder import (
    delete_table,
    find_table_path,
)
from coatl_tools.rules.history import History
from coatl_tools.rules.state import KEEPING, OVER, GameState


def _resolve_table_file(settings: Settings, file: Path) -> Path:
    """Return the path of a table's file, given its path or the table's name."""
    with contextlib.suppress(CommandError, OSError, ValueError):  # who reads it will say so
        if not file.exists():
            return find_table_path(settings.folder, str(file))
    return file


@click.command("list")
@plain_option
@json_option
@table_options
@click.pass_obj
def list_(settings: Settings, plain: bool, as_json: bool) -> None:
    """List all tables: who plays, and how far the game has got."""
    found = summarize_tables(settings.folder, settings.lang)
    if as_json:
        print_json([summary.to_data() for summary in found])
        return
    if plain or not found:
        for summary in found:
            parts = (summary.name, ", ".join(summary.players), summary.text, summary.last_played)
            click.echo(". ".join(part.removesuffix(".") for part in parts if part) + ".")
        if not found:
            click.echo(settings.language.sentence("table.no_tables", {}))
        return

    screen = Screen(settings.language)
    columns = [
        GridColumn(screen.label("table")),
        GridColumn(screen.label("players"), ratio=2),
        GridColumn(screen.label("last_played")),
        GridColumn(screen.label("standing"), ratio=3),
    ]
    rows = [
        [Text(s.name, "bold"), Text(", ".join(s.players)), Text(s.last_played), Text(s.text)]
        for s in found
    ]
    screen.print_grid(columns, rows)


@click.command()
@name_argument
@click.option("-o", "--output", type=FILE_TYPE, metavar="FILE", help="Write to FILE.")
@click.option(
    "--open-hands",
    is_flag=True,
    help="Export a virtual game that is not over, although its record reveals all hands.",
)
@table_options
@click.pass_obj
def export(settings: Settings, name: str, output: Path | None, open_hands: bool) -> None:
    """Write a readable record of a game; “import” reads it back."""
    table = open_table(settings, name)
    if table.is_virtual and table.state.stage is not OVER and not open_hands:
        raise CommandError("table.hands_open", name=table.name)
    text = format_record(table.name, replay_journal(table.journal.path), settings.lang)
    if output is None or str(output) == "-":
        click.echo(text, nl=False)
        return

    write_file_atomically(output, text)


@click.command("import")
@click.argument("file", type=FILE_TYPE)
@click.option("--name", metavar="NAME", help="The table's name, instead of the record's.")
@table_options
@click.pass_obj
def import_(settings: Settings, file: Path, name: str | None) -> None:
    """Make a table from a record, or from a table's file."""
    journal = import_table(settings.folder, file, name)
    settings.done = True
    events = len(journal.history.events)
    click.echo(settings.language.label("imported", events, name=journal.path.stem))


@click.command()
@click.argument("file", type=FILE_TYPE)
@click.option("--to", "to", metavar="N", type=click.IntRange(0), help="Stop after event N.")
@click.option("--step", is_flag=True, help="Wait for Enter after each turn.")
@plain_option
@table_options
@click.pass_obj
def replay(settings: Settings, file: Path, to: int | None, step: bool, plain: bool) -> None:
    """Play a table's FILE again, turn by turn."""
    print_replay(
        settings, _resolve_table_file(settings, file), to, step and is_interactive(), plain
    )


@click.command()
@click.argument("file", type=FILE_TYPE)
@json_option
@table_options
@click.pass_obj
def verify(settings: Settings, file: Path, as_json: bool) -> None:
    """Check a table's FILE: every line, every rule, every checksum."""
    file = _resolve_table_file(settings, file)
    found = replay_journal(file)
    over = found.history.state.stage is OVER
    if as_json:
        print_json(
            {
                "file": str(file),
                "entries": len(found.entries),
                "over": over,
                "events": len(found.history.events),
                "torn": bool(found.torn_tail),
            }
        )
    else:
        key = "verified_over" if over else "verified"
        click.echo(settings.language.label(key, len(found.entries), file=file))
    if found.warning:
        raise found.warning


@click.command()
@name_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
@table_options
@click.pass_obj
def delete(settings: Settings, name: str, yes: bool) -> None:
    """Delete a table, after asking."""
    path = find_table_path(settings.folder, name)
    if not yes:
        if not is_interactive():
            raise CommandError("table.delete_yes", name=path.stem)
        if not confirm_question(
            settings.language.label("delete_sure", name=path.stem), settings.language
        ):
            raise click.Abort
    delete_table(path)
    settings.done = True
    click.echo(settings.language.label("deleted", name=path.stem))


def print_replay(settings: Settings, file: Path, to: int | None, step: bool, plain: bool) -> None:
    """Print every event up to number `to`, turn by turn, then the table at that moment.

    Raises HistoryError if there is no such event.
    """
    reading = replay_journal(file)
    if reading.warning:
        click.echo(reading.warning.text(settings.lang), err=True)
    whole = reading.history
    if to is not None and to > len(whole.events):
        raise HistoryError("history.no_number", number=to, events=len(whole.events))
    table = Table(Journal(file, reading))
    output = TableOutput(table, settings.language, plain)
    heading: tuple[int, int] | None = None
    for before, event, after in zip(
        whole.states, whole.events[:to], whole.states[1:], strict=False
    ):
        if heading != _get_turn_key(before):
            if heading is not None and step:
                click.prompt(output.label("press_enter"), default="", show_default=False)
            heading = _get_turn_key(before)
            output.print_lines("", describe_turn(before, settings.language), style="bold")
        output.print_steps([TableStep(before, event, after, Actor.PERSON)], None)
    if to is not None:
        table.journal.history = History(whole.states[: to + 1], whole.events[:to])
    output.print_lines("")
    output.print_table(None)
    output.print_lines("")
    output.print_score()


def _get_turn_key(state: GameState) -> tuple[int, int]:
    return (-1, 0) if state.stage is KEEPING else (state.turns_ended, state.current_player)
