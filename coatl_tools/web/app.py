"""The web application: all pages behind the guard, and what is said when something is wrong."""

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
from coatl_tools.web.guard import HEADERS, Guard
from coatl_tools.web.house import House
from coatl_tools.web.pages import (
    art,
    cards,
    door,
    home,
    photo,
    prints,
    score,
    table,
    tables,
    tally,
)
from coatl_tools.web.rendering import STATIC, for_visitor, language_of, page

A_YEAR = "public, max-age=31536000, immutable"


class Assets(StaticFiles):
    """Files of the pages: with a mark of their content in the address they may be kept."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or that there is none."""
        answer = await super().get_response(path, scope)
        if scope["query_string"].startswith(b"v="):
            answer.headers["cache-control"] = A_YEAR
        return answer


def routes() -> list[BaseRoute]:
    """All addresses."""
    return [
        *home.routes,
        *door.routes,
        *art.routes,
        *score.routes,
        *tables.routes,
        *table.routes,
        *photo.routes,
        *cards.routes,
        *prints.routes,
        *tally.routes,
        Mount("/static", Assets(directory=STATIC)),
    ]


def create_app(house: House) -> Starlette:
    """The pages of a house."""

    @asynccontextmanager
    async def open_house(_: Starlette) -> AsyncIterator[None]:
        tidying = asyncio.create_task(house.tidy())
        try:
            yield
        finally:
            tidying.cancel()
            await house.close()

    app = Starlette(
        routes=routes(),
        lifespan=open_house,
        middleware=[Middleware(Guard, house=house), Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers={
            CoatlError: _ours,
            HTTPException: _of_http,
            Exception: _mistake,
        },
    )
    app.state.house = house
    return app


def wants_part(request: Request) -> bool:
    """Whether a script asks, and not somebody who opens a page."""
    return request.headers.get("x-coatl") == "part"


async def _ours(request: Request, error: Exception) -> Response:
    """Something is wrong that a person can understand: it is said on a page."""
    assert isinstance(error, CoatlError)
    error = for_visitor(request, error)
    if isinstance(error, RequestError):
        status = error.status
    else:
        status = 422 if isinstance(error, FileError) else 400
    return page(request, "error.html", status, message=error.text(language_of(request).code))


async def _of_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    key = {404: "web_not_found", 405: "web_not_allowed"}.get(error.status_code, "web_wrong")
    answer = page(request, "error.html", error.status_code, message=language_of(request).label(key))
    answer.headers.update(error.headers or {})
    return answer


async def _mistake(request: Request, error: Exception) -> Response:
    """A mistake of ours: the terminal hears what it was, the phone that there was one."""
    if isinstance(error, LocalProtocolError | ClientDisconnect):
        return Response(status_code=400)  # whoever asked broke off: nobody hears it
    sys.stderr.write(
        f"{request.method} {request.url.path}: {type(error).__name__}: {error}\n"[:500]
    )
    return PlainTextResponse(language_of(request).label("web_mistake"), 500, headers=HEADERS)
