"""A table in progress: each player's page, the screen for all, and what is done there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from coatl_tools.errors import CoatlError, ConsentError, FileError, JournalError, RequestError
from coatl_tools.referee.advice import describe_advice, format_plan_commands, make_advice
from coatl_tools.referee.commands.command_parser import UndoCommand, parse_command, split_commands
from coatl_tools.referee.presentation.bot_explanations import explain_last_moves
from coatl_tools.referee.presentation.game_log import build_game_log
from coatl_tools.web.joining import joining_code
from coatl_tools.web.rendering import (
    for_visitor,
    house_of,
    is_host,
    language_of,
    markup,
    visitor_of,
)
from coatl_tools.web.rooms import Room
from coatl_tools.web.table.asked import asked_number, event_line, refuse_out_of_turn
from coatl_tools.web.table.made import made_once
from coatl_tools.web.table.seats import NOWHERE, playing, sit, sitting, taken
from coatl_tools.web.table.sheet import sheet

_FIELDS = 40  # of a form at most
_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


async def room_of(request: Request) -> Room:
    """The table that the address names; RequestError if it is not served."""
    house, name = house_of(request), request.path_params["name"]
    try:
        return await house.rooms.room(house.table_file(name))
    except (FileError, JournalError) as error:
        if is_host(request):
            raise
        raise RequestError("web.damaged_table", 422, name=name) from error  # without its path


async def table(request: Request) -> Response:
    """A player's page; who has no seat is asked who they are."""
    return _page(request, await room_of(request))


def _page(request: Request, room: Room, error: CoatlError | None = None) -> Response:
    """The page as it is now, with what went wrong just before, if anything did."""
    place, watching = sitting(request, room), "watch" in request.query_params
    words, host = language_of(request), is_host(request)
    asks_who = not place.plays and not watching

    def made() -> str:
        return markup(
            request,
            "table.html",
            sheet=sheet(room.table, place, words),
            room=room,
            place=place,
            asks_who=asks_who,
            people=room.table.people,
            taken=taken(request, room),
            error=error.text(words.code) if error else "",
            base=address_of(room),
        )

    if error is not None:
        return HTMLResponse(made(), _status(error))
    if request.url.query not in ("", "watch"):  # it stands in the page
        return HTMLResponse(made())
    return made_once(request, room, ("table", place, asks_who, words.code, host), made)


def address_of(room: Room) -> str:
    """The address of a table's page."""
    return f"/table/{quote(room.table.name)}"


def _status(error: CoatlError) -> int:
    return error.status if isinstance(error, RequestError) else 400


async def screen(request: Request) -> Response:
    """The common view, for all eyes."""
    room, words = await room_of(request), language_of(request)
    house = house_of(request)
    code = joining_code(house, room.table.name) if house.address.lan and is_host(request) else None

    def made() -> str:
        return markup(
            request,
            "screen.html",
            sheet=sheet(room.table, NOWHERE, words),
            room=room,
            joining=code,
            seats_free=set(room.table.people) - taken(request, room),
            base=address_of(room),
        )

    return made_once(request, room, ("screen", code, words.code), made)


async def log(request: Request) -> Response:
    """All that happened, as the visitor may know it."""
    room, words = await room_of(request), language_of(request)
    seat = sitting(request, room).seat

    def made() -> str:
        lines = build_game_log(room.table, seat, words.code)[::-1]
        return markup(request, "log.html", room=room, lines=lines, base=address_of(room))

    return made_once(request, room, ("log", seat, words.code), made)


async def advice(request: Request) -> Response:
    """The best assembly for the visitor's seat, and what is missing."""
    room, words = await room_of(request), language_of(request)
    place = playing(request, room)
    asked = room.table
    seat = asked.asking if place.seat is None else place.seat
    entries = room.entries
    found = await asyncio.to_thread(make_advice, asked.view(place.seat), seat)
    lines = describe_advice(found, words.code)
    steps = format_plan_commands(found, words.code, real=not asked.virtual)
    return HTMLResponse(
        markup(
            request,
            "advice.html",
            lines=lines,
            steps=steps,
            entries=entries,
            room=room,
            base=address_of(room),
        )
    )


async def why(request: Request) -> Response:
    """Why the bots and A.D.A.M. did what they did last."""
    room, words = await room_of(request), language_of(request)
    seat = sitting(request, room).seat
    found = await asyncio.to_thread(explain_last_moves, room.table, seat, words.code)
    return HTMLResponse(
        markup(request, "why.html", reasons=found, room=room, base=address_of(room))
    )


async def moments(request: Request) -> Response:
    """Server-sent events: the moment of the table, whenever it is another one."""
    room = await room_of(request)

    async def lines() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        async for moment in room.moments():
            yield f"data: {moment}\n\n" if moment else ": still here\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream", headers=_HEADERS)


# What changes something.

Fields = dict[str, list[str]]
Deed = Callable[[Request, Room, Fields], Awaitable[None]]


def _deed(done: Deed) -> Callable[[Request], Awaitable[Response]]:
    """A form that was sent: it is done, and the page shown; or the page says why it is not."""

    async def answer(request: Request) -> Response:
        room = await room_of(request)
        sent = await request.form(max_files=0, max_fields=_FIELDS)
        fields: Fields = {}
        for key, value in sent.multi_items():
            fields.setdefault(key, []).append(str(value))
        try:
            await done(request, room, fields)
        except CoatlError as error:
            return _page(request, room, for_visitor(request, error))
        return RedirectResponse(address_of(room), 303)

    return answer


async def _do(request: Request, room: Room, fields: Fields) -> None:
    """Something was tapped."""
    place = playing(request, room)
    language = language_of(request).code
    entries = asked_number(fields, "entries")
    if entries != room.entries:
        raise RequestError("web.moved_on", 409)
    line = event_line(room.table, place, fields, language)
    await room.do(line, entries, language, place.seat)


async def _say(request: Request, room: Room, fields: Fields) -> None:
    """A command was typed."""
    place = playing(request, room)
    language = language_of(request).code
    line, entries = fields.get("line", [""])[0], asked_number(fields, "entries")
    if entries != room.entries:
        raise RequestError("web.moved_on", 409)
    undoes = _is_undo(line, room, language)
    if not undoes:
        refuse_out_of_turn(room.table, place)
    try:
        await room.do(line, entries, language, place.seat)
    except ConsentError:
        if undoes:
            await room.go_back(entries, language, place.seat, taken(request, room))
            return
        raise


def _is_undo(line: str, room: Room, language: str) -> bool:
    """Whether a line takes back the last thing, and nothing else."""
    found = split_commands(line)
    if len(found) > 1 or not found[0][:1].isalpha() or len(found[0].split()) > 1:
        return False
    try:
        return parse_command(found[0], room.table.history, language) == UndoCommand(1)
    except CoatlError:
        return False


async def _undo(request: Request, room: Room, fields: Fields) -> None:
    """Somebody wants to take back the last thing."""
    place = playing(request, room)
    entries = asked_number(fields, "entries")
    await room.go_back(entries, language_of(request).code, place.seat, taken(request, room))


async def _agree(request: Request, room: Room, fields: Fields) -> None:
    place, number = playing(request, room), asked_number(fields, "number")
    if place.seat is None:
        raise RequestError("web.not_seated", 403)
    others = taken(request, room)
    await room.agree(number, place.seat, others, language_of(request).code)


async def _refuse(request: Request, room: Room, fields: Fields) -> None:
    place, number = playing(request, room), asked_number(fields, "number")
    names = room.table.state.game.names
    asked = room.proposal
    if asked is not None and asked.by == place.seat:
        room.refuse(number, ("web.withdrawn", {}))
    elif place.seat is None:
        raise RequestError("web.not_seated", 403)
    else:
        room.refuse(number, ("web.refused", {"player": names[place.seat]}))


async def _sit(request: Request, room: Room, fields: Fields) -> None:
    sit(request, room, asked_number(fields, "seat"))


async def _stand(request: Request, room: Room, _: Fields) -> None:
    house_of(request).visitors.stand_up(visitor_of(request), room.mark)
    room.talk()


async def _free(request: Request, room: Room, fields: Fields) -> None:
    """The host lets somebody sit down again whose phone is not known any more."""
    seat = asked_number(fields, "seat")
    if not is_host(request):
        raise RequestError("web.only_host", 403)
    if seat not in room.table.people:
        raise RequestError("web.no_seat", 400)
    house_of(request).visitors.free(room.mark, seat)
    room.talk(("web.freed", {"player": room.table.state.game.names[seat]}))


_DEEDS: dict[str, Deed] = {
    "do": _do,
    "say": _say,
    "undo": _undo,
    "agree": _agree,
    "refuse": _refuse,
    "sit": _sit,
    "stand": _stand,
    "free": _free,
}
routes = [
    Route("/table/{name}", table),
    Route("/table/{name}/screen", screen),
    Route("/table/{name}/log", log),
    Route("/table/{name}/advice", advice),
    Route("/table/{name}/why", why),
    Route("/table/{name}/events", moments),
    *(
        Route(f"/table/{{name}}/{verb}", _deed(done), methods=["POST"])
        for verb, done in _DEEDS.items()
    ),
]
