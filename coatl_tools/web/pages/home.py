"""The first page, and what all pages share: the language, the manifest."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.web.rendering import (
    LANGUAGE_COOKIE,
    find_join_link,
    get_app_state,
    get_language,
    render_page,
)
from coatl_tools.web.server.security import sanitize_redirect_path

LANGUAGE_COOKIE_SECONDS = 365 * 24 * 3600


async def show_home(request: Request) -> Response:
    """Show the first page."""
    names = get_app_state(request).table_names
    return render_page(request, "home.html", tables=names, join_link=find_join_link(request))


async def choose_language(request: Request) -> Response:
    """Store the chosen language, and go back to the page."""
    form = await request.form(max_files=0, max_fields=4)
    answer = RedirectResponse(sanitize_redirect_path(str(form.get("to", "/"))), 303)
    code = form.get("language")
    if code in LANGUAGE_CODES:
        answer.set_cookie(
            LANGUAGE_COOKIE,
            str(code),
            max_age=LANGUAGE_COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
        )
    return answer


async def send_manifest(request: Request) -> Response:
    """Send the manifest, with which a phone can install the page as an app."""
    language = get_language(request)
    icons = [
        {"src": f"/art/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    return JSONResponse(
        {
            "name": "Cóatl Tools",
            "short_name": "Cóatl",
            "lang": language.code,
            "start_url": "/",
            "display": "standalone",
            "background_color": "#f7edd9",
            "theme_color": "#153f4a",
            "icons": icons,
        },
        media_type="application/manifest+json",
    )


routes = [
    Route("/", show_home),
    Route("/language", choose_language, methods=["POST"]),
    Route("/manifest.webmanifest", send_manifest),
]
