"""`coatl table do` and `coatl table undo`: play without a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click
from click.shell_completion import CompletionItem

from coatl_tools.cli.common_options import Settings, json_option
from coatl_tools.cli.table.table_options import (
    as_option,
    find_seat,
    force_option,
    name_argument,
    open_table,
    plain_option,
    table_options,
)
from coatl_tools.cli.terminal.stdio import is_interactive, print_json
from coatl_tools.cli.terminal.table_output import TableOutput
from coatl_tools.errors import CoatlError, CommandError, ConsentError
from coatl_tools.language import parse_yes_or_no
from coatl_tools.referee.commands.vocabulary import complete_commands, get_command_word
from coatl_tools.referee.journal.journal_file import Journal, replay_journal
from coatl_tools.referee.menu import list_repair_commands
from coatl_tools.referee.presentation.table_data import serialize_steps
from coatl_tools.referee.table import Table, TableStep
from coatl_tools.referee.table_folder import find_table_path
from coatl_tools.rules.events import Discard, Event, Keep, PlaceProphecy, PlaceTemple
from coatl_tools.rules.state import OVER


def _complete_command(
    context: click.Context, _: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """What may be typed at that table now; hands stay hidden unless --as tells whose turn it is."""
    settings = context.ensure_object(Settings)
    try:
        path = find_table_path(settings.folder, context.params.get("name") or "")
        table = Table(Journal(path, replay_journal(path)))  # the file is not touched
        seat = find_seat(context.params.get("player"), table.journal.header.options)
        found = complete_commands(
            incomplete,
            _list_possible_events(table, seat),
            settings.lang,
            list_repair_commands(table),
        )
    except CoatlError:
        return []
    return [CompletionItem(command) for command in found]


def _list_possible_events(table: Table, seat: int | None) -> Iterable[Event]:
    """What may be decided, as far as this player, or (None) everybody, may know."""
    if seat is not None or not table.is_virtual:
        return table.make_view(seat).legal
    turn = table.state.turn
    if turn not in table.human_seats:
        return ()
    own_cards = (Discard, Keep, PlaceProphecy, PlaceTemple)
    return [event for event in table.make_view(turn).legal if not isinstance(event, own_cards)]


@click.command()
@name_argument
@click.argument("commands", nargs=-1, required=True, shell_complete=_complete_command)
@as_option
@force_option
@plain_option
@json_option
@table_options
@click.pass_obj
def do(
    settings: Settings,
    name: str,
    commands: tuple[str, ...],
    player: str | None,
    force: bool,
    plain: bool,
    as_json: bool,
) -> None:
    """Do COMMANDS at a table, all of them or none.

    For example: coatl table do evening "take 3" "cards 2 5 deck; end". The commands are those of
    “coatl table play”; with --as they count only on that player's turn.
    """
    table = open_table(settings, name)
    seat = find_seat(player, table.journal.header.options)
    viewer = _choose_viewer(table) if seat is None else seat
    try:
        steps = table.do(*commands, language=settings.lang, seat=seat, force=force)
    except ConsentError as error:
        raise CommandError("table.say_force", sentence=error.spoken) from error
    settings.done = True
    _print_steps(settings, table, steps, viewer, plain, as_json)


@click.command()
@name_argument
@click.argument("number", metavar="[N]", type=click.IntRange(1, 999), default=1)
@force_option
@plain_option
@json_option
@table_options
@click.pass_obj
def undo(
    settings: Settings, name: str, number: int, force: bool, plain: bool, as_json: bool
) -> None:
    """Take back the last N things that people decided or reported.

    Within a turn that is free. After a turn has ended, or hidden things were seen, it asks
    whether everybody at the table agrees; --force says so.
    """
    table = open_table(settings, name)
    command = f"{get_command_word('undo', settings.lang)} {number}"
    try:
        steps = table.do(command, language=settings.lang, force=force)
    except ConsentError as error:
        if not is_interactive():
            raise CommandError("table.say_force", sentence=error.spoken) from error
        click.echo(error.text(settings.lang))
        if not confirm_question(settings.language.label("agreed"), settings):
            raise click.Abort from None
        steps = table.do(command, language=settings.lang, force=True)
    settings.done = True
    _print_steps(settings, table, steps, None, plain, as_json)


def _choose_viewer(table: Table) -> int | None:
    """Who looks if nobody says so: whoever is to play, or the only person there is."""
    if table.state.turn in table.human_seats:
        return table.state.turn
    return table.human_seats[0] if len(table.human_seats) == 1 else None


def confirm_question(question: str, settings: Settings) -> bool:
    """Ask a question whose answer is yes or no, in the user's language."""
    answer = click.prompt(question, default="", show_default=False, prompt_suffix=" ")
    return parse_yes_or_no(answer, settings.language) is True


def _print_steps(
    settings: Settings,
    table: Table,
    steps: Sequence[TableStep],
    seat: int | None,
    plain: bool,
    as_json: bool,
) -> None:
    if as_json:
        print_json(serialize_steps(table, steps, seat))
        return

    output = TableOutput(table, settings.language, plain)
    output.print_steps(steps, seat)
    if table.state.stage is OVER:
        output.print_score()
    output.print_awaited()
    output.print_adam_turn()
