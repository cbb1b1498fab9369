"""Who sits where at a table: take a seat, and require one."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from coatl_tools.errors import RequestError
from coatl_tools.web.rendering import get_app_state, get_session
from coatl_tools.web.server.live_tables import LiveTable
from coatl_tools.web.server.sessions import WHOLE_TABLE


@dataclass(frozen=True, slots=True)
class VisitorSeat:
    """A visitor's place: a seat, the whole table (None, at real tables only), or none at all."""

    seat: int | None
    plays: bool

    @property
    def whole(self) -> bool:
        """Whether this visitor speaks for the whole table."""
        return self.plays and self.seat is None


NO_SEAT = VisitorSeat(None, plays=False)


def find_seat(request: Request, room: LiveTable) -> VisitorSeat:
    """Where the visitor sits."""
    seat = get_session(request).seat(room.mark)
    if seat == WHOLE_TABLE and not room.table.virtual:
        return VisitorSeat(None, plays=True)
    return VisitorSeat(seat, plays=True) if seat in room.table.people else NO_SEAT


def require_seat(request: Request, room: LiveTable) -> VisitorSeat:
    """The same; RequestError for somebody who only watches."""
    place = find_seat(request, room)
    if not place.plays:
        raise RequestError("web.not_seated", 403)
    return place


def list_taken_seats(request: Request, room: LiveTable) -> set[int]:
    """The seats of people that somebody has."""
    return get_app_state(request).visitors.taken(room.mark) & set(room.table.people)


def take_seat(request: Request, room: LiveTable, seat: int) -> None:
    """Take a seat that is free; RequestError if it is not, or is none for people."""
    visitors, me = get_app_state(request).visitors, get_session(request)
    whole = seat == WHOLE_TABLE and not room.table.virtual
    if not whole and seat not in room.table.people:
        raise RequestError("web.no_seat", 400)
    if seat in list_taken_seats(request, room) and me.seat(room.mark) != seat:
        raise RequestError("web.seat_taken", 403, player=room.table.state.game.names[seat])
    visitors.sit(me, room.mark, seat)
    room.talk()
