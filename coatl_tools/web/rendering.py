"""Render pages from the Jinja templates in the visitor's language, with the functions that
templates call.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse

from coatl_tools.cards.card_text import describe_card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import (
    CardDataError,
    CoatlError,
    FileError,
    JournalError,
    RequestError,
)
from coatl_tools.files.data_paths import EDITIONS, ENGLISH
from coatl_tools.html_templates import load_templates
from coatl_tools.language import Language, choose_language, list_languages, load_usable_language
from coatl_tools.pieces import Colour
from coatl_tools.rules.constants import BODY, FEATHER, HEAD, KIND_OF_PIECE, TAIL, phrase_pieces
from coatl_tools.rules.position.position_checks import split_pieces
from coatl_tools.web.server.app_state import AppState, JoinLink
from coatl_tools.web.server.sessions import VisitorSession

PIECES_PER_ROW, MAX_ROWS = 7, 6  # on a narrow screen
_IMAGE_KINDS = {HEAD: "head", BODY: "body", TAIL: "tail"}


def describe_card_with_id(language: Language, catalog: Catalog, card: str) -> str:
    """Describe a card: `P05: Each red piece, …`."""
    return f"{card}: {describe_card(catalog[card], language.code)}"


def label_piece(language: Language, piece: str) -> str:
    """Describe a piece: a red head."""
    return ", ".join(language.sentence(*phrase) for phrase in phrase_pieces([piece]))


def label_coatl(language: Language, text: str) -> str:
    """Describe a Cóatl from head to tail, after its notation."""
    spoken = [language.sentence(*phrase) for phrase in phrase_pieces(split_pieces(text))]
    return f"{text}: {', '.join(spoken)}"


def name_piece_image(piece: str) -> str:
    """Return the name of a piece's picture: `head-R`, `body-R`, `tail-R`, `golden`."""
    if piece == FEATHER:
        return "golden"
    return f"{_IMAGE_KINDS[KIND_OF_PIECE[piece]]}-{piece.strip('<>')}"


def make_coatl_url(text: str, lit: Iterable[int] | None = None, row: int | None = None) -> str:
    """Make the address of a Cóatl's picture; `lit` are the highlighted pieces, from 1.

    `row` is the number of pieces in a row, if they are wrapped.
    """
    shining = "" if lit is None else f"&lit={','.join(map(str, sorted(lit)))}"
    bent = "" if row is None else f"&row={row}"
    return f"/art/coatl.svg?c={quote(text)}{shining}{bent}"


def count_coatl_rows(text: str) -> int:
    """Count the rows of a Cóatl on a narrow screen."""
    return min(MAX_ROWS, -(-len(split_pieces(text)) // PIECES_PER_ROW))


WEB_FOLDER = Path(__file__).resolve().parent
STATIC_FOLDER = WEB_FOLDER / "static"
LANGUAGE_COOKIE = "coatl-language"
_MAX_LANGUAGES = 20  # languages of a browser that are looked at


def get_app_state(request: Request) -> AppState:
    """Return the state that all pages share."""
    state: AppState = request.app.state.app_state
    return state


def get_session(request: Request) -> VisitorSession:
    """Return the session of the visitor."""
    session: VisitorSession = request.state.session
    return session


def is_host(request: Request) -> bool:
    """Tell whether the request comes from the machine that serves."""
    from_host: bool = request.state.is_host
    return from_host


def find_join_link(request: Request, table: str | None = None) -> JoinLink | None:
    """Make the link that lets phones in, for the host; None if they may not come in."""
    app_state = get_app_state(request)
    if not (app_state.address.allow_lan and is_host(request)):
        return None
    return app_state.make_join_link(table)


def hide_file_paths(request: Request, error: CoatlError) -> CoatlError:
    """Return the error as a visitor may see it: only the host may see paths of files."""
    if isinstance(error, FileError | JournalError | CardDataError) and not is_host(request):
        return RequestError("web.file", 422)
    return error


def get_language(request: Request) -> Language:
    """Return the chosen language, or the first one the browser prefers; else English."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    code = choose_language(chosen, *_list_preferred_languages(request))
    return load_usable_language(code or ENGLISH)


def _list_preferred_languages(request: Request) -> list[str]:
    """List the languages that the browser asks for, the most wanted first."""
    wishes: list[tuple[float, int, str]] = []
    asked = request.headers.get("accept-language", "").split(",")[:_MAX_LANGUAGES]
    for place, one in enumerate(asked):
        name, _, weight = one.strip().partition(";q=")
        try:
            wish = float(weight or 1)
        except ValueError:
            continue
        wishes.append((-wish, place, name))
    return [name for wish, _, name in sorted(wishes) if wish]


def list_editions() -> list[tuple[str, str]]:
    """List the editions: the code of each, and its language's own name with that code."""
    return [(code, f"{name} ({code})") for code, name in list_languages() if code in EDITIONS]


@lru_cache(maxsize=1)
def _load_templates() -> Environment:
    """Load the templates, with the functions that all of them may call."""
    environment = load_templates(WEB_FOLDER / "templates")
    environment.globals |= {
        "static": make_static_url,
        "list_languages": list_languages,
        "list_editions": list_editions,
        "Colour": Colour,
        "piece_file": name_piece_image,
        "coatl_url": make_coatl_url,
        "coatl_rows": count_coatl_rows,
        "per_row": PIECES_PER_ROW,
    }
    return environment


@lru_cache(maxsize=64)
def make_static_url(name: str) -> str:
    """Make the address of a static file, which changes with its content."""
    mark = hashlib.sha256((STATIC_FOLDER / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={mark}"


def render_template(request: Request, template: str, **values: Any) -> str:
    """Render a template with these values; it calls `t` for labels and `say` for sentences."""
    language = get_language(request)
    given = {
        "t": partial(_format_label, language),
        "say": partial(_format_sentence, language),
        "language": language,
        "colon": language.typography.colon,
        "request": request,
        "is_host": is_host(request),
        "current_path": request.url.path,
        "card_text": partial(describe_card_with_id, language, get_app_state(request).catalog),
        "piece_text": partial(label_piece, language),
        "coatl_text": partial(label_coatl, language),
    }
    return _load_templates().get_template(template).render(given | values)


def _format_label(language: Language, key: str, n: int | None = None, **values: object) -> str:
    return language.typography.bind_signs(language.label(key, n, **values))


def _format_sentence(language: Language, key: str, **details: object) -> str:
    return language.typography.bind_signs(language.sentence(key, details))


def render_page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a page as a response."""
    return HTMLResponse(render_template(request, template, **values), status)
