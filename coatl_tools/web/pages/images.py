"""Images for pages: cards, pieces, Cóatls, tokens and symbols as SVG, the icon, and the fonts.

Each is made once and kept; the address says all that it depends on.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVarTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from coatl_tools.cards.card import CardKind
from coatl_tools.errors import CoatlError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import MAX_PIECES, Colour, PieceKind
from coatl_tools.printing.drawing.typography import BOLD, REGULAR, find_font_file
from coatl_tools.printing.pictures import coatl_picture as coatls
from coatl_tools.printing.pictures import component_pictures
from coatl_tools.web.rendering import get_app_state, get_language

_FONT_FILES = {"regular": REGULAR, "bold": BOLD}
_ICON_SIZES = (180, 192, 512)
_TOKEN_NAMES = {"pick": "perfect_pick", "future": "see_the_future", "priest": "priest_commitment"}
_GOLDEN_LETTER = "F"
Ts = TypeVarTuple("Ts")
CACHE_ONE_HOUR = "public, max-age=3600"


async def send_font(request: Request) -> Response:
    """Send a font file of the cards."""
    name = request.path_params["name"]
    if name not in _FONT_FILES:
        raise HTTPException(404)
    return FileResponse(
        find_font_file(_FONT_FILES[name]), headers={"cache-control": CACHE_ONE_HOUR}
    )


async def send_icon(request: Request) -> Response:
    """Send the icon as SVG."""
    return await _svg_response(request, component_pictures.render_icon_svg)


async def send_icon_png(request: Request) -> Response:
    """Send the icon as PNG, for the home screen of a phone."""
    size = request.path_params["size"]
    if size not in _ICON_SIZES:
        raise HTTPException(404)
    picture = await asyncio.to_thread(component_pictures.render_icon_png, size)
    return Response(picture, media_type="image/png", headers={"cache-control": CACHE_ONE_HOUR})


async def send_card(request: Request) -> Response:
    """Send the front of a card."""
    language = request.path_params["language"]
    if language not in LANGUAGE_CODES:
        raise HTTPException(404)
    try:
        found = get_app_state(request).catalog[request.path_params["card"]]
    except CoatlError:
        raise HTTPException(404) from None
    return await _svg_response(request, component_pictures.render_card_svg, found, language)


async def send_card_back(request: Request) -> Response:
    """Send the back of a deck."""
    kinds = {kind.value: kind for kind in CardKind}
    if request.path_params["kind"] not in kinds:
        raise HTTPException(404)
    kind, code = kinds[request.path_params["kind"]], get_language(request).code
    return await _svg_response(request, component_pictures.render_card_back_svg, kind, code)


async def send_piece(request: Request) -> Response:
    """Send a piece: `head-R`, `body-R`, `tail-R`, `golden`."""
    piece = _parse_piece(request.path_params["name"])
    return await _svg_response(request, coatls.render_piece_svg, piece, get_language(request).code)


def _parse_piece(name: str) -> coatls.PicturedPiece:
    if name == "golden":
        return coatls.PicturedPiece(PieceKind.BODY, None)
    kind, _, letter = name.partition("-")
    try:
        return coatls.PicturedPiece(PieceKind(kind), Colour[letter])
    except (ValueError, KeyError):
        raise HTTPException(404) from None


async def send_coatl(request: Request) -> Response:
    """Send a Cóatl: `c` is its notation, `lit` the highlighted pieces, `row` the row length."""
    asked = request.query_params
    shown = _parse_coatl_pieces(asked.get("c", ""))
    lit = None
    if "lit" in asked:
        numbers = [int(one) for one in asked["lit"].split(",") if one.isdecimal() and len(one) < 4]
        lit = frozenset(number for number in numbers if 1 <= number <= len(shown))
    row = asked.get("row", "")
    per_row = int(row) if row.isascii() and row.isdecimal() and 3 <= int(row[:4]) <= 30 else None
    picture = coatls.CoatlPicture(shown, lit=lit, per_row=per_row)
    code = get_language(request).code
    return await _svg_response(request, coatls.render_coatl_svg, picture, code)


def _parse_coatl_pieces(text: str) -> tuple[coatls.PicturedPiece, ...]:
    """Parse the pieces of a Cóatl, golden ones too; HTTPException (404) if it is none."""
    if len(text) > MAX_PIECES + 2:
        raise HTTPException(404)
    try:
        found = parse_coatl(text.replace(_GOLDEN_LETTER, Colour.K.name))
    except CoatlError:
        raise HTTPException(404) from None
    letters = text.strip("<> ")
    if len(letters) != len(found):
        raise HTTPException(404)
    return tuple(
        coatls.PicturedPiece(one.kind, None) if letter == _GOLDEN_LETTER else one
        for one, letter in zip(coatls.list_pieces(found), letters, strict=True)
    )


async def send_token(request: Request) -> Response:
    """Send a Sacrifice token."""
    name = _TOKEN_NAMES.get(request.path_params["name"])
    if name is None:
        raise HTTPException(404)
    code = get_language(request).code
    return await _svg_response(request, component_pictures.render_token_svg, name, code)


async def send_symbol(request: Request) -> Response:
    """Send the symbol of a colour."""
    letter = request.path_params["letter"]
    if letter not in Colour.__members__:
        raise HTTPException(404)
    colour, code = Colour[letter], get_language(request).code
    return await _svg_response(request, component_pictures.render_symbol_svg, colour, code)


async def send_bag(request: Request) -> Response:
    """Send a bag of pieces."""
    code = get_language(request).code
    return await _svg_response(request, component_pictures.render_bag_svg, code)


async def _svg_response(
    request: Request, render: Callable[[*Ts], str], *arguments: *Ts
) -> Response:
    """Send a drawing, or 304 if the browser has it already."""
    try:
        text = await asyncio.to_thread(render, *arguments)
    except CoatlError:  # the words of somebody's own card do not fit
        raise HTTPException(404) from None
    mark = _compute_etag(text)
    headers = {"cache-control": CACHE_ONE_HOUR, "etag": mark, "vary": "accept-language, cookie"}
    if request.headers.get("if-none-match") == mark:
        return Response(status_code=304, headers=headers)
    return Response(text, media_type="image/svg+xml", headers=headers)


@lru_cache(maxsize=1024)
def _compute_etag(text: str) -> str:
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:20]}"'


routes = [
    Route("/art/{name}.ttf", send_font),
    Route("/art/icon.svg", send_icon),
    Route("/art/icon-{size:int}.png", send_icon_png),
    Route("/art/card/{card}.{language}.svg", send_card),
    Route("/art/back/{kind}.svg", send_card_back),
    Route("/art/piece/{name}.svg", send_piece),
    Route("/art/coatl.svg", send_coatl),
    Route("/art/token/{name}.svg", send_token),
    Route("/art/symbol/{letter}.svg", send_symbol),
    Route("/art/bag.svg", send_bag),
]
