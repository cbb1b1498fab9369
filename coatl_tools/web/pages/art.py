"""What is drawn: fonts for now."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from coatl_tools.printing.drawing.font_files import BOLD, REGULAR, file_of
from coatl_tools.web.rendering import STATIC

_FONTS = {"regular": REGULAR, "bold": BOLD}
A_DAY = "public, max-age=86400"


async def font(request: Request) -> Response:
    """A face of the typeface that cards are set in."""
    name = request.path_params["name"]
    if name not in _FONTS:
        raise HTTPException(404)
    return FileResponse(file_of(_FONTS[name]), headers={"cache-control": A_DAY})


async def icon(_: Request) -> Response:
    """The picture of these pages."""
    return FileResponse(STATIC / "icon.svg", headers={"cache-control": A_DAY})


routes = [Route("/art/icon.svg", icon), Route("/art/{name}.ttf", font)]
