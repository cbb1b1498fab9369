"""`coatl table show`, `score`, `why` and `log`: look at a table."""

from __future__ import annotations

import click

from coatl_tools.cli.common_options import Settings, json_option
from coatl_tools.cli.table.table_options import (
    as_option,
    choose_viewer_seat,
    name_argument,
    open_table,
    plain_option,
    table_options,
)
from coatl_tools.cli.terminal.stdio import print_json
from coatl_tools.cli.terminal.table_output import TableOutput
from coatl_tools.referee.presentation.bot_explanations import explain_last_moves
from coatl_tools.referee.presentation.game_log import build_game_log
from coatl_tools.referee.presentation.result_text import serialize_result
from coatl_tools.referee.presentation.table_data import serialize_view
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import OVER


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
    seat = choose_viewer_seat(player, table)
    if as_json:
        print_json(serialize_view(table.make_view(seat), table.state.game))
        return

    output = TableOutput(table, settings.language, plain)
    output.print_table(seat)
    output.print_adam_turn()


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
        print_json(serialize_result(compute_result(table.state), table.state.stage is OVER))
        return

    TableOutput(table, settings.language, plain).print_score()


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
    seat = choose_viewer_seat(player, table)
    if as_json:
        print_json([reason.to_data() for reason in explain_last_moves(table, seat, settings.lang)])
        return

    TableOutput(table, settings.language, plain).print_explanations(seat)


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
    table = open_table(settings, name)
    seat = choose_viewer_seat(player, table)
    lines = build_game_log(table, seat, settings.lang)
    if as_json:
        print_json([line.to_data() for line in lines])
        return

    TableOutput(table, settings.language, plain).print_log(lines)
