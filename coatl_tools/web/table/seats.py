"""Who sits where: what a visitor may see and decide at a table."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from coatl_tools.errors import RequestError
from coatl_tools.web.rendering import house_of, visitor_of
from coatl_tools.web.rooms import Room
from coatl_tools.web.visitors import EVERYBODY


@dataclass(frozen=True, slots=True)
class Sitting:
    """A visitor's place: a seat, the whole table (None, at real tables only), or none at all."""

    seat: int | None
    plays: bool

    @property
    def whole(self) -> bool:
        """Whether this visitor speaks for the whole table."""
        return self.plays and self.seat is None


NOWHERE = Sitting(None, plays=False)


def sitting(request: Request, room: Room) -> Sitting:
    """Where the visitor sits."""
    seat = visitor_of(request).seat(room.mark)
    if seat == EVERYBODY and not room.table.virtual:
        return Sitting(None, plays=True)
    return Sitting(seat, plays=True) if seat in room.table.people else NOWHERE


def playing(request: Request, room: Room) -> Sitting:
    """The same; RequestError for somebody who only watches."""
    place = sitting(request, room)
    if not place.plays:
        raise RequestError("web.not_seated", 403)
    return place


def taken(request: Request, room: Room) -> set[int]:
    """The seats of people that somebody has."""
    return house_of(request).visitors.taken(room.mark) & set(room.table.people)


def sit(request: Request, room: Room, seat: int) -> None:
    """Take a seat that is free; RequestError if it is not, or is none for people."""
    visitors, me = house_of(request).visitors, visitor_of(request)
    whole = seat == EVERYBODY and not room.table.virtual
    if not whole and seat not in room.table.people:
        raise RequestError("web.no_seat", 400)
    if seat in taken(request, room) and me.seat(room.mark) != seat:
        raise RequestError("web.seat_taken", 403, player=room.table.state.game.names[seat])
    visitors.sit(me, room.mark, seat)
    room.talk()
