"""The door: a phone of the network says the code of the table, or brings it in its address."""

from __future__ import annotations

import secrets

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.web.local import local_path
from coatl_tools.web.rendering import house_of, page, visitor_of
from coatl_tools.web.visitors import typed_code


async def door(request: Request) -> Response:
    """Ask for the code."""
    return page(request, "door.html", to=local_path(request.query_params.get("to", "/")), wrong="")


async def knock(request: Request) -> Response:
    """The code was typed."""
    form = await request.form(max_files=0, max_fields=4)
    return _answer(request, str(form.get("code", "")), str(form.get("to", "/")))


async def join(request: Request) -> Response:
    """The code came with the address, from a QR code."""
    asked = request.query_params
    return _answer(request, asked.get("code", ""), asked.get("to", "/"))


def _answer(request: Request, code: str, to: str) -> Response:
    """Let somebody in who knows the code; who guesses has to wait."""
    house, to = house_of(request), local_path(to)
    address = request.client.host if request.client else ""
    wait = house.attempts.wait(address)
    if wait:
        answer = page(request, "door.html", 429, to=to, wrong="web_door_wait", seconds=wait)
        answer.headers["retry-after"] = str(wait)
        return answer
    if not secrets.compare_digest(typed_code(code).encode(), house.visitors.code.encode()):
        house.attempts.wrong(address)
        return page(request, "door.html", 403, to=to, wrong="web_door_wrong")
    house.visitors.admit(visitor_of(request))
    return RedirectResponse(to, 303)


routes = [
    Route("/door", door),
    Route("/door", knock, methods=["POST"]),
    Route("/join", join),
]
