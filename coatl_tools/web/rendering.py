"""Pages from templates, in the language that the browser asks for."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from coatl_tools.errors import CoatlError, FileError, JournalError, RequestError
from coatl_tools.language import Language, load_language, own_names
from coatl_tools.pieces import Colour
from coatl_tools.resources import CODES
from coatl_tools.web.house import House
from coatl_tools.web.pictures import pictures
from coatl_tools.web.visitors import Visitor

HERE = Path(__file__).resolve().parent
STATIC = HERE / "static"
LANGUAGE_COOKIE = "coatl-language"
_FRENCH = re.compile(r" [?!:;»]|« ")
_MOST_ASKED = 20  # languages of a browser that are looked at


def house_of(request: Request) -> House:
    """What the server has."""
    house: House = request.app.state.house
    return house


def visitor_of(request: Request) -> Visitor:
    """Who asks."""
    visitor: Visitor = request.state.visitor
    return visitor


def is_host(request: Request) -> bool:
    """Whether the request comes from the laptop itself."""
    host: bool = request.state.host
    return host


def for_visitor(request: Request, error: CoatlError) -> CoatlError:
    """An error as a visitor hears it: where files lie is the business of the laptop alone."""
    if isinstance(error, FileError | JournalError) and not is_host(request):
        return RequestError("web.file", 422)
    return error


def language_of(request: Request) -> Language:
    """The language that was chosen, or that the browser prefers; English if it knows none."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return load_language(chosen if chosen in CODES else _preferred(request))


def _preferred(request: Request) -> str:
    wishes: list[tuple[float, int, str]] = []
    asked = request.headers.get("accept-language", "").split(",")[:_MOST_ASKED]
    for place, one in enumerate(asked):
        name, _, weight = one.strip().partition(";q=")
        try:
            wish = float(weight or 1)
        except ValueError:
            continue
        wishes.append((-wish, place, name[:2].lower()))
    return next((code for wish, _, code in sorted(wishes) if code in CODES and wish), "en")


@lru_cache(maxsize=1)
def _templates() -> Environment:
    """The templates; whatever stands in them is escaped."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"static": static_url, "own_names": own_names, "Colour": Colour}
    return made


@lru_cache(maxsize=64)
def static_url(name: str) -> str:
    """The address of a file of the pages, another one whenever the file has changed."""
    mark = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={mark}"


def markup(request: Request, template: str, **values: Any) -> str:
    """A template with these values; `t` gives labels, `say` sentences, of the language."""
    words = language_of(request)
    house = house_of(request)
    given = {
        "t": partial(_label, words),
        "say": partial(_say, words),
        "words": words,
        "colon": typeset(" :", words) if words.code == "fr" else ":",
        "lang": words.code,
        "request": request,
        "house": house,
        "host": is_host(request),
        "here": request.url.path,
        **pictures(words, house.catalog),
    }
    return _templates().get_template(template).render(given | values)


def _label(words: Language, key: str, n: int | None = None, **values: object) -> str:
    return typeset(words.label(key, n, **values), words)


def _say(words: Language, key: str, **details: object) -> str:
    return typeset(words.sentence(key, details), words)


def typeset(text: str, words: Language) -> str:
    """A text in which no line begins with a lonely sign: French sets a space before some."""
    if words.code != "fr":
        return text
    return _FRENCH.sub(lambda found: found[0].replace(" ", "\u00a0"), text)


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A whole page."""
    return HTMLResponse(markup(request, template, **values), status)
