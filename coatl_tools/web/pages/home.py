"""The first page, and what all pages share: the language, the manifest."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.resources import CODES
from coatl_tools.web.joining import joining_code
from coatl_tools.web.local import local_path
from coatl_tools.web.rendering import (
    LANGUAGE_COOKIE,
    house_of,
    is_host,
    language_of,
    page,
)

A_YEAR = 365 * 24 * 3600


async def home(request: Request) -> Response:
    """Where everything begins."""
    house = house_of(request)
    code = joining_code(house) if house.address.lan and is_host(request) else None
    return page(request, "home.html", tables=house.tables, joining=code)


async def language(request: Request) -> Response:
    """Choose a language, and go back to where one was."""
    form = await request.form(max_files=0, max_fields=4)
    answer = RedirectResponse(local_path(str(form.get("to", "/"))), 303)
    code = form.get("language")
    if code in CODES:
        answer.set_cookie(LANGUAGE_COOKIE, str(code), max_age=A_YEAR, httponly=True, samesite="lax")
    return answer


async def manifest(request: Request) -> Response:
    """What a phone needs to put the page beside its apps."""
    words = language_of(request)
    icons = [
        {"src": f"/art/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    return JSONResponse(
        {
            "name": "Cóatl Tools",
            "short_name": "Cóatl",
            "lang": words.code,
            "start_url": "/",
            "display": "standalone",
            "background_color": "#f7edd9",
            "theme_color": "#153f4a",
            "icons": icons,
        },
        media_type="application/manifest+json",
    )


routes = [
    Route("/", home),
    Route("/language", language, methods=["POST"]),
    Route("/manifest.webmanifest", manifest),
]
