"""`coatl table play`: sit down at a table."""

from __future__ import annotations

import click

from coatl_tools.cli.settings import Settings
from coatl_tools.cli.table.shared import (
    as_option,
    name_argument,
    open_table,
    plain_option,
    seat_of,
    table_options,
)


@click.command()
@name_argument
@as_option
@click.option("--guided", is_flag=True, help="Numbered choices, so that no command is needed.")
@plain_option
@table_options
@click.pass_obj
def play(settings: Settings, name: str, player: str | None, guided: bool, plain: bool) -> None:
    """Sit down at a table and play.

    Type “help” for what is possible at the moment, or press Enter for numbered choices. Everything
    is kept at once: leave whenever you like, and go on with the same command. With --as this
    screen is one player's own, and follows what the others do elsewhere.
    """
    from coatl_tools.cli.table.evening import Evening

    table = open_table(settings, name)
    seat = seat_of(player, table.journal.header.options)
    Evening(table, settings, seat, guided, plain).play()
