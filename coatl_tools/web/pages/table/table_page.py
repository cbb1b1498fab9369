"""The pages of a table in progress: a player's page, the common screen, log, advice, and the
forms that act on the table.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Hashable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.errors import (
    CoatlError,
    CommandError,
    ConsentError,
    FileError,
    IllegalActionError,
    JournalError,
    RequestError,
)
from coatl_tools.referee.advice import describe_advice, format_plan_commands, make_table_advice
from coatl_tools.referee.commands.command_parser import (
    EventCommand,
    UndoCommand,
    parse_command,
    split_commands,
)
from coatl_tools.referee.commands.vocabulary import format_command
from coatl_tools.referee.presentation.bot_explanations import explain_last_moves
from coatl_tools.referee.presentation.game_log import build_game_log
from coatl_tools.referee.table import Table
from coatl_tools.rules.engine import Decision, apply_event, get_awaited
from coatl_tools.rules.events import Answer, Event, parse_event
from coatl_tools.web.pages.table.seats import (
    NO_SEAT,
    VisitorSeat,
    find_seat,
    list_taken_seats,
    require_seat,
    take_seat,
)
from coatl_tools.web.pages.table.table_view import build_table_view
from coatl_tools.web.rendering import (
    find_join_link,
    get_app_state,
    get_language,
    get_session,
    hide_file_paths,
    is_host,
    render_template,
)
from coatl_tools.web.server.live_tables import LiveTable
from coatl_tools.web.server.sse_response import stream_events

_GZIP_LEVEL = 6


def render_cached_page(
    request: Request, live_table: LiveTable, key: Hashable, make: Callable[[], str]
) -> Response:
    """Render a page once for each version of the table; `key` holds all else it depends on."""

    def plain() -> bytes:
        return live_table.cached((key, "plain"), lambda: make().encode())

    if "gzip" not in request.headers.get("accept-encoding", ""):
        return HTMLResponse(plain())
    packed = live_table.cached((key, "gzip"), lambda: gzip.compress(plain(), _GZIP_LEVEL, mtime=0))
    headers = {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    return HTMLResponse(packed, headers=headers)


async def open_live_table(request: Request) -> LiveTable:
    """Open the table that the address names; RequestError if it is not served."""
    app_state, name = get_app_state(request), request.path_params["name"]
    try:
        return await app_state.live_tables.open_table(app_state.find_table_file(name))
    except (FileError, JournalError) as error:
        if is_host(request):
            raise
        raise RequestError("web.damaged_table", 422, name=name) from error  # without its path


def _render(request: Request, live_table: LiveTable, template: str, **values: object) -> str:
    """Render a template about a table."""
    url = make_table_url(live_table)
    return render_template(request, template, live_table=live_table, table_url=url, **values)


async def show_table(request: Request) -> Response:
    """Show a player's page; a visitor without a seat is asked to take one."""
    return _table_response(request, await open_live_table(request))


def _table_response(
    request: Request, live_table: LiveTable, error: CoatlError | None = None
) -> Response:
    """Render the page as it is now, with the error of the last form, if any."""
    place, watching = find_seat(request, live_table), "watch" in request.query_params
    language, host = get_language(request), is_host(request)
    asks_who = not place.has_seat and not watching

    def made() -> str:
        return _render(
            request,
            live_table,
            "table.html",
            table_view=build_table_view(live_table.table, place, language),
            visitor_seat=place,
            asks_who=asks_who,
            people=live_table.table.human_seats,
            taken=list_taken_seats(request, live_table),
            error=error.text(language.code) if error else "",
        )

    if error is not None:
        return HTMLResponse(made(), _status_code(error))
    if request.url.query not in ("", "watch"):  # it stands in the page
        return HTMLResponse(made())
    return render_cached_page(
        request, live_table, ("table", place, asks_who, language.code, host), made
    )


def make_table_url(live_table: LiveTable) -> str:
    """Make the address of a table's page."""
    return f"/table/{quote(live_table.table.name)}"


def _status_code(error: CoatlError) -> int:
    return error.status if isinstance(error, RequestError) else 400


async def show_screen(request: Request) -> Response:
    """Show the common screen, with what everybody may see."""
    live_table, language = await open_live_table(request), get_language(request)
    link = find_join_link(request, live_table.table.name)

    def made() -> str:
        return _render(
            request,
            live_table,
            "screen.html",
            table_view=build_table_view(live_table.table, NO_SEAT, language),
            join_link=link,
            seats_free=set(live_table.table.human_seats) - list_taken_seats(request, live_table),
        )

    return render_cached_page(request, live_table, ("screen", link, language.code), made)


async def show_log(request: Request) -> Response:
    """Show the log, with only what the visitor may know."""
    live_table, language = await open_live_table(request), get_language(request)
    seat = find_seat(request, live_table).seat

    def made() -> str:
        lines = build_game_log(live_table.table, seat, language.code)[::-1]
        return _render(request, live_table, "log.html", lines=lines)

    return render_cached_page(request, live_table, ("log", seat, language.code), made)


async def show_advice(request: Request) -> Response:
    """Show the best assembly for the visitor's seat, and what is missing."""
    live_table, language = await open_live_table(request), get_language(request)
    place = require_seat(request, live_table)
    table, entries = live_table.table, live_table.entries
    found = await asyncio.to_thread(make_table_advice, table, place.seat)
    lines = describe_advice(found, language.code)
    steps = format_plan_commands(found, language.code, real=not table.is_virtual)
    values = {"lines": lines, "steps": steps, "entries": entries}
    return HTMLResponse(_render(request, live_table, "advice.html", **values))


async def show_explanations(request: Request) -> Response:
    """Show why the bots and A.D.A.M. made their last moves."""
    live_table, language = await open_live_table(request), get_language(request)
    seat = find_seat(request, live_table).seat
    found = await asyncio.to_thread(explain_last_moves, live_table.table, seat, language.code)
    return HTMLResponse(_render(request, live_table, "explanations.html", reasons=found))


async def stream_table_events(request: Request) -> Response:
    """Send an event for each new version of the table."""
    live_table = await open_live_table(request)
    return stream_events(live_table.versions())


# What changes something. Nothing in a form is trusted.

_MAX_FIELDS = 40  # of a form at most
MAX_DIGITS = 9
_WITH_CARDS = ("keep", "discard")
FormFields = dict[str, list[str]]
FormAction = Callable[[Request, LiveTable, FormFields], Awaitable[None]]


def _handle_form(done: FormAction) -> Callable[[Request], Awaitable[Response]]:
    """Make the handler of a form: act and show the page again, or show the error."""

    async def answer(request: Request) -> Response:
        live_table = await open_live_table(request)
        sent = await request.form(max_files=0, max_fields=_MAX_FIELDS)
        fields: FormFields = {}
        for key, value in sent.multi_items():
            fields.setdefault(key, []).append(str(value))
        try:
            await done(request, live_table, fields)
        except CoatlError as error:
            return _table_response(request, live_table, hide_file_paths(request, error))
        return RedirectResponse(make_table_url(live_table), 303)

    return answer


async def _play_event(request: Request, live_table: LiveTable, fields: FormFields) -> None:
    """Play the event that was tapped."""
    place = require_seat(request, live_table)
    language = get_language(request).code
    entries = _read_form_number(fields, "entries")
    if entries != live_table.entries:
        raise RequestError("web.moved_on", 409)
    line = _read_form_event(live_table.table, place, fields, language)
    await live_table.run_command(line, entries, language, place.seat)


async def _run_typed_command(request: Request, live_table: LiveTable, fields: FormFields) -> None:
    """Run a command that was typed."""
    place = require_seat(request, live_table)
    language = get_language(request).code
    line, entries = fields.get("line", [""])[0], _read_form_number(fields, "entries")
    if entries != live_table.entries:
        raise RequestError("web.moved_on", 409)
    undoes = _is_single_undo(line, live_table, language)
    if not undoes:
        _check_turn(live_table.table, place)
    try:
        await live_table.run_command(line, entries, language, place.seat)
    except ConsentError:
        if undoes:
            await live_table.request_undo(
                entries, language, place.seat, list_taken_seats(request, live_table)
            )
            return
        raise


def _is_single_undo(line: str, live_table: LiveTable, lang: str) -> bool:
    """Tell whether a command undoes the last action, and nothing else."""
    found = split_commands(line)
    if len(found) > 1 or not found[0][:1].isalpha() or len(found[0].split()) > 1:
        return False
    try:
        return parse_command(found[0], live_table.table.history, lang) == UndoCommand(1)
    except CoatlError:
        return False


async def _request_undo(request: Request, live_table: LiveTable, fields: FormFields) -> None:
    """Undo the last action, or ask the others to agree."""
    place = require_seat(request, live_table)
    entries = _read_form_number(fields, "entries")
    await live_table.request_undo(
        entries, get_language(request).code, place.seat, list_taken_seats(request, live_table)
    )


async def _agree_to_undo(request: Request, live_table: LiveTable, fields: FormFields) -> None:
    place, number = require_seat(request, live_table), _read_form_number(fields, "number")
    if place.seat is None:
        raise RequestError("web.not_seated", 403)
    others = list_taken_seats(request, live_table)
    await live_table.agree_to_undo(number, place.seat, others, get_language(request).code)


async def _refuse_undo(request: Request, live_table: LiveTable, fields: FormFields) -> None:
    place, number = require_seat(request, live_table), _read_form_number(fields, "number")
    names = live_table.table.state.game.names
    asked = live_table.proposal
    if asked is not None and asked.by == place.seat:
        live_table.refuse_undo(number, ("web.withdrawn", {}))
    elif place.seat is None:
        raise RequestError("web.not_seated", 403)
    else:
        live_table.refuse_undo(number, ("web.refused", {"player": names[place.seat]}))


async def _take_seat(request: Request, live_table: LiveTable, fields: FormFields) -> None:
    take_seat(request, live_table, _read_form_number(fields, "seat"))


async def _leave_seat(request: Request, live_table: LiveTable, _: FormFields) -> None:
    get_app_state(request).sessions.leave_seat(get_session(request), live_table.table_id)
    live_table.announce()


async def _free_seat(request: Request, live_table: LiveTable, fields: FormFields) -> None:
    """Free a seat, for the host only: a player may come back with another phone."""
    seat = _read_form_number(fields, "seat")
    if not is_host(request):
        raise RequestError("web.only_host", 403)
    if seat not in live_table.table.human_seats:
        raise RequestError("web.no_seat", 400)
    get_app_state(request).sessions.free_seat(live_table.table_id, seat)
    live_table.announce(("web.freed", {"player": live_table.table.state.game.names[seat]}))


def _read_form_number(fields: FormFields, name: str) -> int:
    """Read a number from a form; RequestError if there is none."""
    text = fields.get(name, [""])[0]
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS):
        raise RequestError("web.makes_no_sense", 400)
    return int(text)


def _read_form_event(table: Table, place: VisitorSeat, fields: FormFields, lang: str) -> str:
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
    _check_turn(table, place)
    if table.is_virtual and event not in table.make_view(place.seat).legal:
        raise _explain_refusal(table, event, lang)
    return format_command(event, lang)


def _check_turn(table: Table, place: VisitorSeat) -> None:
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


_FORM_ACTIONS: dict[str, FormAction] = {
    "do": _play_event,
    "say": _run_typed_command,
    "undo": _request_undo,
    "agree": _agree_to_undo,
    "refuse": _refuse_undo,
    "sit": _take_seat,
    "stand": _leave_seat,
    "free": _free_seat,
}
routes = [
    Route("/table/{name}", show_table),
    Route("/table/{name}/screen", show_screen),
    Route("/table/{name}/log", show_log),
    Route("/table/{name}/advice", show_advice),
    Route("/table/{name}/why", show_explanations),
    Route("/table/{name}/events", stream_table_events),
    *(
        Route(f"/table/{{name}}/{verb}", _handle_form(done), methods=["POST"])
        for verb, done in _FORM_ACTIONS.items()
    ),
]
