"""`coatl table play`, `do`, `undo`, `show`, `score`, `why` and `log`: commands at one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from coatl_tools.cli.shared_options import Settings
from coatl_tools.cli.table.table_command_options import (
    as_option,
    force_option,
    name_argument,
    output_options,
    plain_option,
    table_options,
)
from coatl_tools.cli.terminal.questions import confirm_question
from coatl_tools.cli.terminal.stdio import is_interactive
from coatl_tools.errors import CoatlError, CommandError, ConsentError
from coatl_tools.referee.table_folder import find_table_path

if TYPE_CHECKING:
    from coatl_tools.cli.terminal.table_output import TableOutput


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
    from coatl_tools.cli.table.play_session import play_table  # noqa: PLC0415

    play_table(settings, name, player, guided, plain)


def _complete_command(
    context: click.Context, _: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the commands that are possible at the table now."""
    # The rules take long to load: not to complete the table's name before it.
    from coatl_tools.referee.menu import complete_at_table  # noqa: PLC0415

    settings, given = context.ensure_object(Settings), context.params
    try:
        path = find_table_path(settings.folder, given.get("name") or "")
        found = complete_at_table(path, incomplete, given.get("player"), settings.lang)
    except CoatlError:
        return []
    return [CompletionItem(command) for command in found]


@click.command()
@name_argument
@click.argument("commands", nargs=-1, required=True, shell_complete=_complete_command)
@as_option
@force_option
@output_options
@click.pass_obj
def do(
    settings: Settings,
    output: TableOutput,
    commands: tuple[str, ...],
    player: str | None,
    force: bool,
) -> None:
    """Carry out COMMANDS at a table, all of them or none.

    For example: coatl table do evening "take 3" "cards 2 5 deck; end". The commands are those of
    “coatl table play”; with --as, they only work on that player's turn.
    """
    table = output.table
    seat = table.find_seat(player)
    viewer = table.guess_viewer() if seat is None else seat
    try:
        steps = table.do(*commands, lang=settings.lang, seat=seat, force=force)
    except ConsentError as error:
        raise CommandError("table.say_force", sentence=error.spoken) from error
    settings.done = True
    output.report_steps(steps, viewer)


@click.command()
@name_argument
@click.argument("number", metavar="[N]", type=click.IntRange(1, 999), default=1)
@force_option
@output_options
@click.pass_obj
def undo(settings: Settings, output: TableOutput, number: int, force: bool) -> None:
    """Take back the last N decisions or reports.

    Within a turn this is free. After a turn has ended, or something hidden was seen, everybody
    at the table must agree; --force says that they do.
    """
    try:
        steps = output.table.undo(number, settings.lang, force)
    except ConsentError as error:
        if not is_interactive():
            raise CommandError("table.say_force", sentence=error.spoken) from error
        click.echo(error.text(settings.lang))
        if not confirm_question(settings.language.label("agreed"), settings.language):
            raise click.Abort from None
        steps = output.table.undo(number, settings.lang, force=True)
    settings.done = True
    output.report_steps(steps, None)


@click.command()
@name_argument
@as_option
@output_options
def show(output: TableOutput, player: str | None) -> None:
    """Show a table: boards, cards, players, and what comes next."""
    output.report_table(output.table.find_viewer(player))


@click.command()
@name_argument
@output_options
def score(output: TableOutput) -> None:
    """Show the points so far, or the result, card by card."""
    output.print_score()


@click.command()
@name_argument
@as_option
@output_options
def why(output: TableOutput, player: str | None) -> None:
    """Show why the bots, or A.D.A.M., did what they did last."""
    output.print_explanations(output.table.find_viewer(player))


@click.command()
@name_argument
@as_option
@output_options
def log(output: TableOutput, player: str | None) -> None:
    """Show everything that happened, including what was taken back.

    The numbers are those that “correct” takes.
    """
    output.print_log(output.table.find_viewer(player))
