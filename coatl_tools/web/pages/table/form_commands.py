"""Commands from the forms of a table's page. Nothing in a form is trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coatl_tools.errors import CoatlError, CommandError, IllegalActionError, RequestError
from coatl_tools.referee.commands.command_parser import EventCommand, parse_command
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.referee.table import Table
from coatl_tools.rules.engine import Decision, apply_event, get_awaited
from coatl_tools.rules.events import Answer, Event, parse_event
from coatl_tools.web.pages.table.seats import VisitorSeat

MAX_DIGITS = 9
_WITH_CARDS = ("keep", "discard")


def read_form_number(fields: Mapping[str, Sequence[str]], name: str) -> int:
    """Read a number from a form; RequestError if there is none."""
    text = fields.get(name, [""])[0]
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS):
        raise RequestError("web.makes_no_sense", 400)
    return int(text)


def read_form_event(
    table: Table, place: VisitorSeat, fields: Mapping[str, Sequence[str]], lang: str
) -> str:
    """Read the tapped event from a form, as a command.

    At a virtual table, an event that the seat's view does not list raises the error by which the
    rules refuse it. Raises EventError if it is no event at all.
    """
    text = fields.get("event", [""])[0]
    if text in _WITH_CARDS:
        text = " ".join([text, *fields.get("card", [])])
    elif "card" in fields:  # `supply`, and a card that was typed
        text = f"{text} {fields['card'][0].strip().upper()}"
    event = parse_event(text)
    if table.state.draws and not table.is_virtual:
        return str(event)
    check_turn(table, place)
    if table.is_virtual and event not in table.make_view(place.seat).legal:
        raise _explain_refusal(table, event, lang)
    return format_command(event, lang)


def check_turn(table: Table, place: VisitorSeat) -> None:
    """Raise CommandError if it is another player's turn.

    Call this before parsing anything: a parse error could reveal another player's hand.
    """
    awaited = get_awaited(table.state)
    if place.seat is None or not isinstance(awaited, Decision):
        return
    if awaited.player != place.seat and awaited.player < len(table.bots):
        names = table.state.game.names
        raise CommandError(
            "table.not_your_turn", player=names[place.seat], turn=names[awaited.player]
        )


def _explain_refusal(table: Table, event: Event, lang: str) -> CoatlError:
    """Make the error that says why the rules do not allow an event."""
    try:
        happens: tuple[Event, ...] = (event,)
        if not isinstance(event, Answer):  # words first: there may be no such card
            command = parse_command(format_command(event, lang), table.history, lang)
            happens = command.events if isinstance(command, EventCommand) else ()
        for one in happens:
            apply_event(table.state, one)
    except IllegalActionError as error:
        if error.alternative:
            error.alternative = format_command(parse_event(error.alternative), lang)
        return error
    except CoatlError as error:
        return error
    return RequestError("web.moved_on", 409)
