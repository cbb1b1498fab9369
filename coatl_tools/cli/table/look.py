"""`coatl table show`, `score`, `why` and `log`: look at a table."""

from __future__ import annotations

import click

from coatl_tools.cli.settings import Settings, json_option
from coatl_tools.cli.table.shared import (
    as_option,
    looking,
    name_argument,
    open_table,
    plain_option,
    table_options,
)


@click.command()
@name_argument
@as_option
@plain_option
@json_option
@table_options
@click.pass_obj
def show(settings: Settings, name: str, player: str | None, plain: bool, as_json: bool) -> None:
    """Show a table: boards, cards, players, what is awaited."""
    table = open_table(settings, name)
    seat = looking(player, table)
    if as_json:
        from coatl_tools.cli.screen import print_json
        from coatl_tools.referee.view_data import view_data

        print_json(view_data(table.view(seat), table.state.game))
        return
    from coatl_tools.cli.table.teller import Teller

    teller = Teller(table, settings.language, plain)
    teller.show(seat)
    teller.adam()


@click.command()
@name_argument
@plain_option
@json_option
@table_options
@click.pass_obj
def score(settings: Settings, name: str, plain: bool, as_json: bool) -> None:
    """Show the points so far, or the result, card by card."""
    table = open_table(settings, name)
    if as_json:
        from coatl_tools.cli.result_sheet import result_json
        from coatl_tools.cli.screen import print_json
        from coatl_tools.rules.ending import result
        from coatl_tools.rules.state import OVER

        print_json(result_json(result(table.state), table.state.stage is OVER))
        return
    from coatl_tools.cli.table.teller import Teller

    Teller(table, settings.language, plain).score()


@click.command()
@name_argument
@as_option
@plain_option
@json_option
@table_options
@click.pass_obj
def why(settings: Settings, name: str, player: str | None, plain: bool, as_json: bool) -> None:
    """Tell why the bots, or A.D.A.M., did what they did last."""
    table = open_table(settings, name)
    seat = looking(player, table)
    if as_json:
        from coatl_tools.cli.screen import print_json
        from coatl_tools.referee.reasons import reasons

        print_json([reason.data() for reason in reasons(table, seat, settings.lang)])
        return
    from coatl_tools.cli.table.teller import Teller

    Teller(table, settings.language, plain).why(seat)


@click.command()
@name_argument
@as_option
@plain_option
@json_option
@table_options
@click.pass_obj
def log(settings: Settings, name: str, player: str | None, plain: bool, as_json: bool) -> None:
    """Tell all that happened, what was taken back too.

    The numbers are those that “correct” takes.
    """
    from coatl_tools.referee.chronicle import chronicle

    table = open_table(settings, name)
    seat = looking(player, table)
    lines = chronicle(table, seat, settings.lang)
    if as_json:
        from coatl_tools.cli.screen import print_json

        print_json([line.data() for line in lines])
        return
    from coatl_tools.cli.table.teller import Teller

    Teller(table, settings.language, plain).log(lines)
