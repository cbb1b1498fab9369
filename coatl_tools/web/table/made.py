"""Pages that are made, and packed for the way, once at each moment, however many phones ask."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Hashable

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from coatl_tools.web.rooms import Room

_EFFORT = 6


def made_once(request: Request, room: Room, key: Hashable, make: Callable[[], str]) -> Response:
    """A page of a table; `key` has all that it depends on, but for the moment."""

    def plain() -> bytes:
        return room.once((key, "plain"), lambda: make().encode())

    if "gzip" not in request.headers.get("accept-encoding", ""):
        return HTMLResponse(plain())
    packed = room.once((key, "gzip"), lambda: gzip.compress(plain(), _EFFORT, mtime=0))
    headers = {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    return HTMLResponse(packed, headers=headers)
