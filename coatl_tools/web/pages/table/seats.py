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
    """A visitor's seat; None stands for the whole table (at real tables only), or for no seat."""

    seat: int | None
    has_seat: bool

    @property
    def is_whole_table(self) -> bool:
        """Whether this visitor speaks for the whole table."""
        return self.has_seat and self.seat is None


NO_SEAT = VisitorSeat(None, has_seat=False)


def find_seat(request: Request, live_table: LiveTable) -> VisitorSeat:
    """Find the seat of the visitor."""
    seat = get_session(request).seat(live_table.table_id)
    if seat == WHOLE_TABLE and not live_table.table.is_virtual:
        return VisitorSeat(None, has_seat=True)
    return VisitorSeat(seat, has_seat=True) if seat in live_table.table.human_seats else NO_SEAT


def require_seat(request: Request, live_table: LiveTable) -> VisitorSeat:
    """Find the seat of the visitor; RequestError for one who only watches."""
    place = find_seat(request, live_table)
    if not place.has_seat:
        raise RequestError("web.not_seated", 403)
    return place


def list_taken_seats(request: Request, live_table: LiveTable) -> set[int]:
    """List the seats of people that are taken."""
    return get_app_state(request).sessions.taken_seats(live_table.table_id) & set(
        live_table.table.human_seats
    )


def take_seat(request: Request, live_table: LiveTable, seat: int) -> None:
    """Take a seat; RequestError if it is taken, or no seat for a person."""
    visitors, me = get_app_state(request).sessions, get_session(request)
    whole = seat == WHOLE_TABLE and not live_table.table.is_virtual
    if not whole and seat not in live_table.table.human_seats:
        raise RequestError("web.no_seat", 400)
    if seat in list_taken_seats(request, live_table) and me.seat(live_table.table_id) != seat:
        raise RequestError("web.seat_taken", 403, player=live_table.table.state.game.names[seat])
    visitors.take_seat(me, live_table.table_id, seat)
    live_table.announce()
