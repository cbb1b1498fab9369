"""Options of the table commands: the folder, the table, who looks, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from platformdirs import user_data_path

from coatl_tools.cli.common_options import (
    CommandFunction,
    Settings,
    language_option,
    make_completer,
)
from coatl_tools.cli.terminal.stdio import use_ascii_output
from coatl_tools.errors import CommandError
from coatl_tools.language import fold_letters
from coatl_tools.referee.table import Table
from coatl_tools.referee.table_folder import find_table_path, list_table_names, read_player_names
from coatl_tools.rules.game import TableOptions


def get_tables_folder() -> Path:
    """Where tables are kept if nothing else is said."""
    return user_data_path("coatl", appauthor=False) / "tables"


def _store_folder(context: click.Context, _: click.Parameter, value: Path | None) -> None:
    context.ensure_object(Settings).folder = value or get_tables_folder()


def _apply_ascii(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        use_ascii_output()


def _list_tables(context: click.Context) -> Iterable[str]:
    return list_table_names(context.ensure_object(Settings).folder)


def _list_players(context: click.Context) -> Iterable[str]:
    # an option that still lacks its value keeps click from giving arguments their names
    name = context.params.get("name") or "".join(context.args[:1])
    return read_player_names(find_table_path(context.ensure_object(Settings).folder, name))


folder_option = click.option(
    "--dir",
    "folder",
    metavar="DIR",
    envvar="COATL_TABLES",
    type=click.Path(path_type=Path, file_okay=False),
    expose_value=False,
    callback=_store_folder,
    help="Where tables are kept, instead of your data directory.",
)
complete_table = make_completer(_list_tables)
name_argument = click.argument("name", shell_complete=complete_table)
as_option = click.option(
    "--as",
    "player",
    metavar="PLAYER",
    shell_complete=make_completer(_list_players),
    help="Look through this player's eyes: a name or a number.",
)
force_option = click.option(
    "--force", is_flag=True, help="Everybody at the table agrees to go back."
)
plain_option = click.option(
    "--plain", is_flag=True, help="Plain sentences, for a screen reader: no drawing, no symbols."
)
ascii_option = click.option(
    "--ascii",
    is_flag=True,
    expose_value=False,
    callback=_apply_ascii,
    help="Nothing but ASCII characters.",
)


def table_options(command: CommandFunction) -> CommandFunction:
    """The options that every command of a table has."""
    return folder_option(ascii_option(language_option(command)))


def open_table(settings: Settings, name: str) -> Table:
    """A table by its name; a torn last line is told."""
    table = Table.open(find_table_path(settings.folder, name))
    if table.journal.warning:
        click.echo(table.journal.warning.text(settings.lang), err=True)
    return table


def choose_viewer_seat(player: str | None, table: Table) -> int | None:
    """Who looks: the player named, or the only person at a virtual table; else everybody."""
    if player is None and table.is_virtual and len(table.human_seats) == 1:
        return table.human_seats[0]
    return find_seat(player, table.journal.header.options)


def find_seat(player: str | None, options: TableOptions) -> int | None:
    """The seat of a player, by name or number; CommandError if there is none such."""
    if player is None:
        return None
    names = [fold_letters(name) for name in options.players]
    if fold_letters(player) in names:
        return names.index(fold_letters(player))
    if player in map(str, range(1, len(names) + 1)):
        return int(player) - 1
    raise CommandError("commands.no_player", name=player[:40], names=", ".join(options.players))
