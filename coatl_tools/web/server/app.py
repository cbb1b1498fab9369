"""The web application: all routes, the middleware around them, and the pages that explain
errors.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from h11 import LocalProtocolError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from coatl_tools.errors import CoatlError, FileError, RequestError
from coatl_tools.web.pages import cards, home, images, login, print_page, score, tables
from coatl_tools.web.pages.photo import added_photos, photo_page
from coatl_tools.web.pages.table import board_marking, piece_photos, table_page
from coatl_tools.web.pages.tally import tally_page
from coatl_tools.web.rendering import STATIC_FOLDER, get_language, hide_file_paths, render_page
from coatl_tools.web.server.app_state import AppState
from coatl_tools.web.server.security import SECURITY_HEADERS, SecurityMiddleware

CACHE_ONE_YEAR = "public, max-age=31536000, immutable"


class StaticAssets(StaticFiles):
    """Static files; with a hash of their content in the address, browsers may cache them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Send a file, or 404."""
        answer = await super().get_response(path, scope)
        if scope["query_string"].startswith(b"v="):
            answer.headers["cache-control"] = CACHE_ONE_YEAR
        return answer


def list_routes() -> list[BaseRoute]:
    """List the routes of all pages."""
    return [
        *home.routes,
        *login.routes,
        *images.routes,
        *score.routes,
        *tables.routes,
        *table_page.routes,
        *piece_photos.routes,
        *board_marking.routes,
        *photo_page.routes,
        *added_photos.routes,
        *cards.routes,
        *print_page.routes,
        *tally_page.routes,
        Mount("/static", StaticAssets(directory=STATIC_FOLDER)),
    ]


def create_app(app_state: AppState) -> Starlette:
    """Create the application that serves all pages."""

    @asynccontextmanager
    async def run_app_state(_: Starlette) -> AsyncIterator[None]:
        sweeping = asyncio.create_task(app_state.sweep_periodically())
        try:
            yield
        finally:
            sweeping.cancel()
            await app_state.close()

    app = Starlette(
        routes=list_routes(),
        lifespan=run_app_state,
        middleware=[
            Middleware(SecurityMiddleware, app_state=app_state),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={
            CoatlError: _handle_coatl_error,
            HTTPException: _handle_http_error,
            Exception: _handle_unexpected_error,
        },
    )
    app.state.app_state = app_state
    return app


async def _handle_coatl_error(request: Request, error: Exception) -> Response:
    """Show an error that a person can understand on a page."""
    assert isinstance(error, CoatlError)
    error = hide_file_paths(request, error)
    if isinstance(error, RequestError):
        status = error.status
    else:
        status = 422 if isinstance(error, FileError) else 400
    return render_page(
        request, "error.html", status, message=error.text(get_language(request).code)
    )


async def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    key = {404: "web_not_found", 405: "web_not_allowed"}.get(error.status_code, "web_wrong")
    answer = render_page(
        request, "error.html", error.status_code, message=get_language(request).label(key)
    )
    answer.headers.update(error.headers or {})
    return answer


async def _handle_unexpected_error(request: Request, error: Exception) -> Response:
    """Respond to a bug: log the details to the terminal, apologize to the phone."""
    if isinstance(error, LocalProtocolError | ClientDisconnect):
        return Response(status_code=400)  # the client has disconnected
    sys.stderr.write(
        f"{request.method} {request.url.path}: {type(error).__name__}: {error}\n"[:500]
    )
    return PlainTextResponse(
        get_language(request).label("web_mistake"), 500, headers=SECURITY_HEADERS
    )
