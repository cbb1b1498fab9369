"""`coatl table play`: sit down at a table."""

from __future__ import annotations

import click

from coatl_tools.cli.settings import Settings
from coatl_tools.cli.table.table_options import (
    as_option,
    name_argument,
    open_table,
    plain_option,
    table_options,
)


@click.command()
@name_argument
@as_option
@click.option(
    "--guided", is_flag=True, help="Offer numbered choices, so that you need no commands."
)
@plain_option
@table_options
@click.pass_obj
def play(settings: Settings, name: str, player: str | None, guided: bool, plain: bool) -> None:
    """Sit down at a table and play.

    Type “help” for what is possible at the moment, or press Enter for numbered choices. Everything
    is saved at once: leave whenever you like, and continue with the same command. With --as,
    this screen belongs to one player, and follows what the others do elsewhere.
    """
    # The prompt is heavy: loaded here, so that a table's name is completed quickly.
    from coatl_tools.cli.table.play_session import PlaySession  # noqa: PLC0415

    table = open_table(settings, name)
    PlaySession(table, settings, table.find_seat(player), guided, plain).play()
