"""The login page: a phone enters the join code, or brings it in a link."""

from __future__ import annotations

import secrets

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.web.rendering import get_app_state, get_session, render_page
from coatl_tools.web.server.security import sanitize_redirect_path
from coatl_tools.web.server.sessions import normalize_join_code


async def show_login(request: Request) -> Response:
    """Show the form for the join code."""
    return render_page(
        request,
        "login.html",
        to=sanitize_redirect_path(request.query_params.get("to", "/")),
        wrong="",
    )


async def submit_code(request: Request) -> Response:
    """Check a code that was typed."""
    form = await request.form(max_files=0, max_fields=4)
    return _check_code(request, str(form.get("code", "")), str(form.get("to", "/")))


async def join_by_link(request: Request) -> Response:
    """Check a code that came with a link, from a QR code."""
    asked = request.query_params
    return _check_code(request, asked.get("code", ""), asked.get("to", "/"))


def _check_code(request: Request, code: str, to: str) -> Response:
    """Admit a visitor with the right code; after too many wrong ones they must wait."""
    app_state, to = get_app_state(request), sanitize_redirect_path(to)
    address = request.client.host if request.client else ""
    wait = app_state.rate_limit.seconds_to_wait(address)
    if wait:
        answer = render_page(request, "login.html", 429, to=to, wrong="web_door_wait", seconds=wait)
        answer.headers["retry-after"] = str(wait)
        return answer
    if not secrets.compare_digest(
        normalize_join_code(code).encode(), app_state.sessions.code.encode()
    ):
        app_state.rate_limit.record_wrong_code(address)
        return render_page(request, "login.html", 403, to=to, wrong="web_door_wrong")
    app_state.sessions.admit(get_session(request))
    return RedirectResponse(to, 303)


routes = [
    Route("/door", show_login),
    Route("/door", submit_code, methods=["POST"]),
    Route("/join", join_by_link),
]
