"""Options of the table commands: the folder, the table, who looks, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import wraps
from pathlib import Path
from typing import Any, cast

import click
from platformdirs import user_data_path

from coatl_tools.cli.shared_options import (
    CommandFunction,
    FilePath,
    Settings,
    json_option,
    language_option,
    make_completer,
)
from coatl_tools.cli.terminal.stdio import use_ascii_output
from coatl_tools.referee.table_folder import find_table_path, list_table_names, read_player_names


def get_tables_folder() -> Path:
    """Return the default folder of tables."""
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
    type=FilePath(file_okay=False),
    expose_value=False,
    callback=_store_folder,
    help="The folder of the tables, instead of your data directory.",
)
complete_table = make_completer(_list_tables)
name_argument = click.argument("name", shell_complete=complete_table)
as_option = click.option(
    "--as",
    "player",
    metavar="PLAYER",
    shell_complete=make_completer(_list_players),
    help="See the table as this player: a name or a number.",
)
force_option = click.option(
    "--force", is_flag=True, help="Everybody at the table agrees to go back."
)
plain_option = click.option(
    "--plain",
    is_flag=True,
    help="Print plain sentences, for a screen reader: no drawing, no symbols.",
)
ascii_option = click.option(
    "--ascii",
    is_flag=True,
    expose_value=False,
    callback=_apply_ascii,
    help="Print only ASCII characters.",
)


def table_options(command: CommandFunction) -> CommandFunction:
    """Add the options that every command of a table has."""
    return folder_option(ascii_option(language_option(command)))


def output_options(command: CommandFunction) -> CommandFunction:
    """Add the options of a command that prints a table; it gets the table's `output`.

    The command has `name_argument` too.
    """

    @wraps(command)
    def with_output(*args: Any, name: str, plain: bool, as_json: bool, **values: Any) -> Any:
        # The rules take long to load: not to print help, nor to complete a table's name.
        from coatl_tools.cli.terminal.table_output import TableOutput, open_table  # noqa: PLC0415

        settings = click.get_current_context().ensure_object(Settings)
        table = open_table(settings, name)
        output = TableOutput(table, settings.language, plain, as_json)
        return command(*args, output=output, **values)

    return plain_option(json_option(table_options(cast(CommandFunction, with_output))))
