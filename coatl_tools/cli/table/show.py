"""`coatl table show`, `score`, `why` and `log`: look at a table."""

from __future__ import annotations

import click

from coatl_tools.cli.settings import Settings, json_option
from coatl_tools.cli.table.table_options import (
    as_option,
    name_argument,
    open_output,
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
    """Show a table: boards, cards, players, and what comes next."""
    output = open_output(settings, name, plain, as_json)
    output.report_table(output.table.find_viewer(player))


@click.command()
@name_argument
@plain_option
@json_option
@table_options
@click.pass_obj
def score(settings: Settings, name: str, plain: bool, as_json: bool) -> None:
    """Show the points so far, or the result, card by card."""
    open_output(settings, name, plain, as_json).report_score()


@click.command()
@name_argument
@as_option
@plain_option
@json_option
@table_options
@click.pass_obj
def why(settings: Settings, name: str, player: str | None, plain: bool, as_json: bool) -> None:
    """Show why the bots, or A.D.A.M., did what they did last."""
    output = open_output(settings, name, plain, as_json)
    output.report_explanations(output.table.find_viewer(player))


@click.command()
@name_argument
@as_option
@plain_option
@json_option
@table_options
@click.pass_obj
def log(settings: Settings, name: str, player: str | None, plain: bool, as_json: bool) -> None:
    """Show everything that happened, including what was taken back.

    The numbers are those that “correct” takes.
    """
    output = open_output(settings, name, plain, as_json)
    output.report_log(output.table.find_viewer(player))
