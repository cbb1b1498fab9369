"""What is drawn: cards, pieces, Cóatls, tokens and the like, as the printed game has them.

Each is made once and kept; the address says all that it depends on.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from functools import lru_cache, partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from coatl_tools.cards.card import CardKind
from coatl_tools.errors import CoatlError
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import MAX_PIECES, Colour, PieceKind
from coatl_tools.printing.art import coatl as coatls
from coatl_tools.printing.art import icon as icons
from coatl_tools.printing.art import pictures
from coatl_tools.printing.drawing.font_files import BOLD, REGULAR, file_of
from coatl_tools.resources import CODES
from coatl_tools.web.rendering import house_of, language_of

_FONTS = {"regular": REGULAR, "bold": BOLD}
_SIZES = (180, 192, 512)
_TOKENS = {"pick": "perfect_pick", "future": "see_the_future", "priest": "priest_commitment"}
_GOLDEN = "F"
AN_HOUR = "public, max-age=3600"


async def font(request: Request) -> Response:
    """A face of the typeface that cards are set in."""
    name = request.path_params["name"]
    if name not in _FONTS:
        raise HTTPException(404)
    return FileResponse(file_of(_FONTS[name]), headers={"cache-control": AN_HOUR})


async def icon(request: Request) -> Response:
    """The picture of these pages."""
    return await _drawn(request, icons.icon_svg)


async def icon_png(request: Request) -> Response:
    """The same for the screen of a phone."""
    size = request.path_params["size"]
    if size not in _SIZES:
        raise HTTPException(404)
    picture = await asyncio.to_thread(icons.icon_png, size)
    return Response(picture, media_type="image/png", headers={"cache-control": AN_HOUR})


async def card(request: Request) -> Response:
    """The face of a card."""
    language = request.path_params["language"]
    if language not in CODES:
        raise HTTPException(404)
    try:
        found = house_of(request).catalog[request.path_params["card"]]
    except CoatlError:
        raise HTTPException(404) from None
    return await _drawn(request, partial(pictures.card_svg, found, language))


async def back(request: Request) -> Response:
    """The back of a deck."""
    kinds = {kind.value: kind for kind in CardKind}
    if request.path_params["kind"] not in kinds:
        raise HTTPException(404)
    kind = kinds[request.path_params["kind"]]
    return await _drawn(request, partial(pictures.card_back_svg, kind, _language(request)))


async def piece(request: Request) -> Response:
    """A piece: `head-R`, `body-R`, `tail-R`, `golden`."""
    drawing = partial(coatls.piece_svg, _piece(request.path_params["name"]), _language(request))
    return await _drawn(request, drawing)


def _piece(name: str) -> coatls.Piece:
    if name == "golden":
        return coatls.Piece(PieceKind.BODY, None)
    kind, _, letter = name.partition("-")
    try:
        return coatls.Piece(PieceKind(kind), Colour[letter])
    except (ValueError, KeyError):
        raise HTTPException(404) from None


async def coatl(request: Request) -> Response:
    """A Cóatl, `c` in the notation; `lit` are the numbers of those that shine, `row` how many
    stand beside each other."""
    asked = request.query_params
    shown = _coatl_pieces(asked.get("c", ""))
    lit = None
    if "lit" in asked:
        numbers = [int(one) for one in asked["lit"].split(",") if one.isdecimal() and len(one) < 4]
        lit = frozenset(number for number in numbers if 1 <= number <= len(shown))
    row = asked.get("row", "")
    per_row = int(row) if row.isascii() and row.isdecimal() and 3 <= int(row[:4]) <= 30 else None
    picture = coatls.CoatlPicture(shown, lit=lit, per_row=per_row)
    return await _drawn(request, partial(coatls.coatl_svg, picture, _language(request)))


def _coatl_pieces(text: str) -> tuple[coatls.Piece, ...]:
    """The pieces of a Cóatl, golden ones too; HTTPException for what is none."""
    if len(text) > MAX_PIECES + 2:
        raise HTTPException(404)
    try:
        found = parse_coatl(text.replace(_GOLDEN, Colour.K.name))
    except CoatlError:
        raise HTTPException(404) from None
    letters = text.strip("<> ")
    if len(letters) != len(found):
        raise HTTPException(404)
    return tuple(
        coatls.Piece(one.kind, None) if letter == _GOLDEN else one
        for one, letter in zip(coatls.pieces_of(found), letters, strict=True)
    )


async def token(request: Request) -> Response:
    """A Sacrifice token."""
    name = _TOKENS.get(request.path_params["name"])
    if name is None:
        raise HTTPException(404)
    return await _drawn(request, partial(pictures.token_svg, name, _language(request)))


async def symbol(request: Request) -> Response:
    """The symbol of a colour."""
    letter = request.path_params["letter"]
    if letter not in Colour.__members__:
        raise HTTPException(404)
    return await _drawn(request, partial(pictures.symbol_svg, Colour[letter], _language(request)))


async def bag(request: Request) -> Response:
    """A bag of pieces."""
    return await _drawn(request, partial(pictures.bag_svg, _language(request)))


def _language(request: Request) -> str:
    return language_of(request).code


async def _drawn(request: Request, drawing: Callable[[], str]) -> Response:
    """A drawing, or that it has not changed since the browser saw it."""
    try:
        text = await asyncio.to_thread(drawing)
    except CoatlError:  # the words of somebody's own card do not fit
        raise HTTPException(404) from None
    mark = _mark(text)
    headers = {"cache-control": AN_HOUR, "etag": mark, "vary": "accept-language, cookie"}
    if request.headers.get("if-none-match") == mark:
        return Response(status_code=304, headers=headers)
    return Response(text, media_type="image/svg+xml", headers=headers)


@lru_cache(maxsize=1024)
def _mark(text: str) -> str:
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:20]}"'


routes = [
    Route("/art/{name}.ttf", font),
    Route("/art/icon.svg", icon),
    Route("/art/icon-{size:int}.png", icon_png),
    Route("/art/card/{card}.{language}.svg", card),
    Route("/art/back/{kind}.svg", back),
    Route("/art/piece/{name}.svg", piece),
    Route("/art/coatl.svg", coatl),
    Route("/art/token/{name}.svg", token),
    Route("/art/symbol/{letter}.svg", symbol),
    Route("/art/bag.svg", bag),
]
