"""The tables that are served, and a form for a new one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.errors import CoatlError, RequestError
from coatl_tools.files.data_paths import EDITIONS, Edition
from coatl_tools.language import Language
from coatl_tools.players import BOTS
from coatl_tools.referee.presentation.table_text import phrase_headline
from coatl_tools.referee.table_creation import (
    create_table,
    make_physical_header,
    make_table_options,
    make_virtual_header,
    name_seats,
)
from coatl_tools.referee.table_folder import get_table_path, read_player_names
from coatl_tools.rules.constants import MAX_PLAYERS, SOLO_LEVELS
from coatl_tools.rules.editions import DEFAULT_EDITION, choose_edition
from coatl_tools.web.rendering import get_app_state, get_language, hide_file_paths, render_page
from coatl_tools.web.server.app_state import AppState

MAX_TABLES = 200  # in the folder; whoever needs more begins them in a terminal
_OPTION_FLAGS = (
    "promo",
    "golden_feathers",
    "fewer_bodies",
    "temple_required",
    "closed_ends",
    "solo_final_turns",
    "solo_temple_in_hand",
)


@dataclass(frozen=True, slots=True)
class NewTableForm:
    """The fields of the form, shown again after an error."""

    name: str = ""
    names: tuple[str, ...] = ("",) * MAX_PLAYERS
    kinds: tuple[str, ...] = ("person",) * MAX_PLAYERS
    dealt: bool = True
    edition: Edition = DEFAULT_EDITION
    tokens: bool = True
    levels: tuple[int, ...] = ()
    flags: Mapping[str, bool] = field(default_factory=dict)


async def show_tables(request: Request) -> Response:
    """Show all tables, and the form for a new one."""
    app_state = get_app_state(request)
    if app_state.only_table is not None:
        return RedirectResponse(f"/table/{quote(app_state.only_table)}", 303)
    form = NewTableForm(edition=choose_edition(None, get_language(request)))
    return _tables_response(request, app_state, form)


def _tables_response(
    request: Request, app_state: AppState, wish: NewTableForm, error: CoatlError | None = None
) -> Response:
    language = get_language(request)
    listed = [_describe_table(app_state, name, language) for name in app_state.table_names]
    return render_page(
        request,
        "tables.html",
        200 if error is None else 400,
        listed=listed,
        form=wish,
        bots=tuple(BOTS),
        levels=SOLO_LEVELS,
        flags=_OPTION_FLAGS,
        error=hide_file_paths(request, error).text(language.code) if error else "",
    )


def _describe_table(
    app_state: AppState, name: str, language: Language
) -> tuple[str, list[str], str]:
    """Describe a table: name, players and, if it is open, how far the game is."""
    path = get_table_path(app_state.folder, name)
    live_table = app_state.live_tables.find_open(path)
    if live_table is None:  # to read all journals would take long
        return name, read_player_names(path), ""
    shown = live_table.table.make_view(None)
    said = [language.sentence(*phrase) for phrase in phrase_headline(shown, shown.game)]
    return name, read_player_names(path), " · ".join(said)


async def submit_new_table(request: Request) -> Response:
    """Create a table from the form, or show the form again with the error."""
    app_state = get_app_state(request)
    if app_state.only_table is not None:
        raise RequestError("web.no_new_tables", 403)
    wish = _parse_form(
        get_language(request), await request.form(max_files=0, max_fields=MAX_PLAYERS * 2 + 30)
    )
    try:
        name = await asyncio.to_thread(_create_table, app_state, wish)
    except CoatlError as error:
        return _tables_response(request, app_state, wish, error)
    return RedirectResponse(f"/table/{quote(name)}", 303)


def _parse_form(language: Language, form: FormData) -> NewTableForm:
    def text(key: str) -> str:
        return str(form.get(key, ""))[:80].strip()

    levels = [str(one) for one in form.getlist("level")]
    kinds = [text(f"kind{seat}") for seat in range(MAX_PLAYERS)]
    return NewTableForm(
        name=text("name"),
        names=tuple(text(f"player{seat}") for seat in range(MAX_PLAYERS)),
        kinds=tuple(kind if kind in BOTS else "person" for kind in kinds),
        dealt=text("dealt") != "physical",
        edition=choose_edition(text("edition") if text("edition") in EDITIONS else None, language),
        tokens="tokens" in form,
        levels=tuple(level for level in SOLO_LEVELS if str(level) in levels),
        flags={flag: flag in form for flag in _OPTION_FLAGS},
    )


def _create_table(app_state: AppState, wish: NewTableForm) -> str:
    """Create the table and return its name; CoatlError if that is not possible."""
    if len(app_state.table_names) >= MAX_TABLES:
        raise RequestError("web.many_tables", 403, most=MAX_TABLES)
    if get_table_path(app_state.folder, wish.name).exists():
        raise RequestError("web.table_exists", 400, name=wish.name)
    seats = [
        (name, "" if kind == "person" else kind)
        for name, kind in zip(wish.names, wish.kinds, strict=True)
    ]
    names, bots = name_seats(seat for seat in seats if any(seat))
    if names and all(bots):
        raise RequestError("web.no_person", 400)
    chosen: dict[str, Any] = {
        "edition": wish.edition,
        "tokens": wish.tokens,
        "levels": wish.levels,
        **wish.flags,
    }
    options = make_table_options(names, wish.dealt, chosen)
    if wish.dealt:
        header = make_virtual_header(options, app_state.catalog, bots)
    else:
        header = make_physical_header(options, app_state.catalog, bots)
    return create_table(app_state.folder, wish.name, header).name


routes = [Route("/tables", show_tables), Route("/tables", submit_new_table, methods=["POST"])]
