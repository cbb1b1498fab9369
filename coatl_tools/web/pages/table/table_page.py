"""The pages of a table in progress: a player's page, the common screen, log, advice, and the
forms that act on the table.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from coatl_tools.errors import CoatlError, ConsentError, FileError, JournalError, RequestError
from coatl_tools.referee.advice import describe_advice, format_plan_commands, make_advice
from coatl_tools.referee.commands.command_parser import UndoCommand, parse_command, split_commands
from coatl_tools.referee.presentation.bot_explanations import explain_last_moves
from coatl_tools.referee.presentation.game_log import build_game_log
from coatl_tools.web.pages.table.form_commands import check_turn, read_form_event, read_form_number
from coatl_tools.web.pages.table.seats import (
    NO_SEAT,
    find_seat,
    list_taken_seats,
    require_seat,
    take_seat,
)
from coatl_tools.web.pages.table.table_view import build_table_view
from coatl_tools.web.rendering import (
    get_app_state,
    get_language,
    get_session,
    hide_file_paths,
    is_host,
    render_template,
)
from coatl_tools.web.server.app_state import make_join_link
from coatl_tools.web.server.live_tables import LiveTable

_GZIP_LEVEL = 6


def render_cached_page(
    request: Request, room: LiveTable, key: Hashable, make: Callable[[], str]
) -> Response:
    """A page of a table; `key` has all that it depends on, but for the moment."""

    def plain() -> bytes:
        return room.once((key, "plain"), lambda: make().encode())

    if "gzip" not in request.headers.get("accept-encoding", ""):
        return HTMLResponse(plain())
    packed = room.once((key, "gzip"), lambda: gzip.compress(plain(), _GZIP_LEVEL, mtime=0))
    headers = {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    return HTMLResponse(packed, headers=headers)


_MAX_FIELDS = 40  # of a form at most
_EVENT_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


async def open_live_table(request: Request) -> LiveTable:
    """The table that the address names; RequestError if it is not served."""
    house, name = get_app_state(request), request.path_params["name"]
    try:
        return await house.rooms.room(house.table_file(name))
    except (FileError, JournalError) as error:
        if is_host(request):
            raise
        raise RequestError("web.damaged_table", 422, name=name) from error  # without its path


async def show_table(request: Request) -> Response:
    """A player's page; who has no seat is asked who they are."""
    return _table_response(request, await open_live_table(request))


def _table_response(request: Request, room: LiveTable, error: CoatlError | None = None) -> Response:
    """The page as it is now, with what went wrong just before, if anything did."""
    place, watching = find_seat(request, room), "watch" in request.query_params
    words, host = get_language(request), is_host(request)
    asks_who = not place.plays and not watching

    def made() -> str:
        return render_template(
            request,
            "table.html",
            sheet=build_table_view(room.table, place, words),
            room=room,
            place=place,
            asks_who=asks_who,
            people=room.table.people,
            taken=list_taken_seats(request, room),
            error=error.text(words.code) if error else "",
            base=make_table_url(room),
        )

    if error is not None:
        return HTMLResponse(made(), _status_code(error))
    if request.url.query not in ("", "watch"):  # it stands in the page
        return HTMLResponse(made())
    return render_cached_page(request, room, ("table", place, asks_who, words.code, host), made)


def make_table_url(room: LiveTable) -> str:
    """The address of a table's page."""
    return f"/table/{quote(room.table.name)}"


def _status_code(error: CoatlError) -> int:
    return error.status if isinstance(error, RequestError) else 400


async def show_screen(request: Request) -> Response:
    """The common view, for all eyes."""
    room, words = await open_live_table(request), get_language(request)
    house = get_app_state(request)
    code = (
        make_join_link(house, room.table.name) if house.address.lan and is_host(request) else None
    )

    def made() -> str:
        return render_template(
            request,
            "screen.html",
            sheet=build_table_view(room.table, NO_SEAT, words),
            room=room,
            joining=code,
            seats_free=set(room.table.people) - list_taken_seats(request, room),
            base=make_table_url(room),
        )

    return render_cached_page(request, room, ("screen", code, words.code), made)


async def show_log(request: Request) -> Response:
    """All that happened, as the visitor may know it."""
    room, words = await open_live_table(request), get_language(request)
    seat = find_seat(request, room).seat

    def made() -> str:
        lines = build_game_log(room.table, seat, words.code)[::-1]
        return render_template(
            request, "log.html", room=room, lines=lines, base=make_table_url(room)
        )

    return render_cached_page(request, room, ("log", seat, words.code), made)


async def show_advice(request: Request) -> Response:
    """The best assembly for the visitor's seat, and what is missing."""
    room, words = await open_live_table(request), get_language(request)
    place = require_seat(request, room)
    asked = room.table
    seat = asked.asking if place.seat is None else place.seat
    entries = room.entries
    found = await asyncio.to_thread(make_advice, asked.view(place.seat), seat)
    lines = describe_advice(found, words.code)
    steps = format_plan_commands(found, words.code, real=not asked.virtual)
    return HTMLResponse(
        render_template(
            request,
            "advice.html",
            lines=lines,
            steps=steps,
            entries=entries,
            room=room,
            base=make_table_url(room),
        )
    )


async def show_explanations(request: Request) -> Response:
    """Why the bots and A.D.A.M. did what they did last."""
    room, words = await open_live_table(request), get_language(request)
    seat = find_seat(request, room).seat
    found = await asyncio.to_thread(explain_last_moves, room.table, seat, words.code)
    return HTMLResponse(
        render_template(request, "why.html", reasons=found, room=room, base=make_table_url(room))
    )


async def stream_table_events(request: Request) -> Response:
    """Server-sent events: the moment of the table, whenever it is another one."""
    room = await open_live_table(request)

    async def lines() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        async for moment in room.moments():
            yield f"data: {moment}\n\n" if moment else ": still here\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream", headers=_EVENT_HEADERS)


# What changes something.

FormFields = dict[str, list[str]]
FormAction = Callable[[Request, LiveTable, FormFields], Awaitable[None]]


def _handle_form(done: FormAction) -> Callable[[Request], Awaitable[Response]]:
    """A form that was sent: it is done, and the page shown; or the page says why it is not."""

    async def answer(request: Request) -> Response:
        room = await open_live_table(request)
        sent = await request.form(max_files=0, max_fields=_MAX_FIELDS)
        fields: FormFields = {}
        for key, value in sent.multi_items():
            fields.setdefault(key, []).append(str(value))
        try:
            await done(request, room, fields)
        except CoatlError as error:
            return _table_response(request, room, hide_file_paths(request, error))
        return RedirectResponse(make_table_url(room), 303)

    return answer


async def _play_event(request: Request, room: LiveTable, fields: FormFields) -> None:
    """Something was tapped."""
    place = require_seat(request, room)
    language = get_language(request).code
    entries = read_form_number(fields, "entries")
    if entries != room.entries:
        raise RequestError("web.moved_on", 409)
    line = read_form_event(room.table, place, fields, language)
    await room.do(line, entries, language, place.seat)


async def _run_typed_command(request: Request, room: LiveTable, fields: FormFields) -> None:
    """A command was typed."""
    place = require_seat(request, room)
    language = get_language(request).code
    line, entries = fields.get("line", [""])[0], read_form_number(fields, "entries")
    if entries != room.entries:
        raise RequestError("web.moved_on", 409)
    undoes = _is_single_undo(line, room, language)
    if not undoes:
        check_turn(room.table, place)
    try:
        await room.do(line, entries, language, place.seat)
    except ConsentError:
        if undoes:
            await room.go_back(entries, language, place.seat, list_taken_seats(request, room))
            return
        raise


def _is_single_undo(line: str, room: LiveTable, language: str) -> bool:
    """Whether a line takes back the last thing, and nothing else."""
    found = split_commands(line)
    if len(found) > 1 or not found[0][:1].isalpha() or len(found[0].split()) > 1:
        return False
    try:
        return parse_command(found[0], room.table.history, language) == UndoCommand(1)
    except CoatlError:
        return False


async def _request_undo(request: Request, room: LiveTable, fields: FormFields) -> None:
    """Somebody wants to take back the last thing."""
    place = require_seat(request, room)
    entries = read_form_number(fields, "entries")
    await room.go_back(
        entries, get_language(request).code, place.seat, list_taken_seats(request, room)
    )


async def _agree_to_undo(request: Request, room: LiveTable, fields: FormFields) -> None:
    place, number = require_seat(request, room), read_form_number(fields, "number")
    if place.seat is None:
        raise RequestError("web.not_seated", 403)
    others = list_taken_seats(request, room)
    await room.agree(number, place.seat, others, get_language(request).code)


async def _refuse_undo(request: Request, room: LiveTable, fields: FormFields) -> None:
    place, number = require_seat(request, room), read_form_number(fields, "number")
    names = room.table.state.game.names
    asked = room.proposal
    if asked is not None and asked.by == place.seat:
        room.refuse(number, ("web.withdrawn", {}))
    elif place.seat is None:
        raise RequestError("web.not_seated", 403)
    else:
        room.refuse(number, ("web.refused", {"player": names[place.seat]}))


async def _take_seat(request: Request, room: LiveTable, fields: FormFields) -> None:
    take_seat(request, room, read_form_number(fields, "seat"))


async def _leave_seat(request: Request, room: LiveTable, _: FormFields) -> None:
    get_app_state(request).visitors.stand_up(get_session(request), room.mark)
    room.talk()


async def _free_seat(request: Request, room: LiveTable, fields: FormFields) -> None:
    """The host lets somebody sit down again whose phone is not known any more."""
    seat = read_form_number(fields, "seat")
    if not is_host(request):
        raise RequestError("web.only_host", 403)
    if seat not in room.table.people:
        raise RequestError("web.no_seat", 400)
    get_app_state(request).visitors.free(room.mark, seat)
    room.talk(("web.freed", {"player": room.table.state.game.names[seat]}))


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
