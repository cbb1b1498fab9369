"""The pages of a tally: players, their Cóatls, A.D.A.M.'s cards, and who has won."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.cards.card import CardKind
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError, RequestError
from coatl_tools.language import Language
from coatl_tools.printing.pictures.share_pictures import render_result_picture
from coatl_tools.referee.tally import score_tally
from coatl_tools.rules.constants import FEWER_BODIES_BY_PLAYERS, MAX_PLAYERS, SOLO_LEVELS
from coatl_tools.rules.editions import choose_edition
from coatl_tools.scoring.score_sheet import describe_scoreboard_place
from coatl_tools.web.pages.coatl_edit_links import build_edit_links
from coatl_tools.web.pages.score import build_score_view
from coatl_tools.web.pages.tally.result_view import (
    build_tally_view,
    find_used_up_cards,
)
from coatl_tools.web.pages.tally.tally_url import (
    EDITING_ADAM,
    MAX_COATLS,
    DraftSeat,
    TallyDraft,
    WrittenCoatl,
    list_seat_pairs,
)
from coatl_tools.web.rendering import get_app_state, get_language, render_page


async def show_tally(request: Request) -> Response:
    """Show the tally; redirect an address that is not normalized."""
    catalog, language = get_app_state(request).catalog, get_language(request)
    given = request.query_params.multi_items()
    try:
        draft, wrong = TallyDraft.parse(given, catalog), ""
    except CoatlError as error:
        draft, wrong = TallyDraft(), error.text(language.code)
    if not wrong and given != [*draft.query_pairs]:
        return RedirectResponse(draft.url(), 303)
    if not draft.seats:
        return _tally_response(
            request, "tally_players.html", draft, wrong, edition=choose_edition(None, language)
        )
    found = build_tally_view(draft, catalog, language)
    if draft.edited_place is not None:
        edit_view = _build_edit_view(draft, catalog, language)
        return _tally_response(
            request, "tally_coatl.html", draft, "", edit_view=edit_view, tally_view=found
        )
    if draft.editing == EDITING_ADAM and draft.solo:
        return _adam_response(request, draft, catalog)
    return _tally_response(request, "tally.html", draft, "", tally_view=found)


def _tally_response(
    request: Request, template: str, draft: TallyDraft, wrong: str, **values: object
) -> Response:
    """Render a page about a draft, with what all its templates need."""
    return render_page(
        request,
        template,
        400 if wrong else 200,
        wrong=wrong,
        draft=draft,
        done=replace(draft, editing="").url(),
        list_seat_pairs=list_seat_pairs,
        scoreboard_text=partial(describe_scoreboard_place, language=get_language(request)),
        empty_seats=(DraftSeat(""),) * (MAX_PLAYERS - len(draft.seats)),
        most_coatls=MAX_COATLS,
        fewer_for=FEWER_BODIES_BY_PLAYERS,
        levels=SOLO_LEVELS,
        photo=lambda seat: "/photo?" + urlencode({"for": draft.query, "seat": seat + 1}),
        **values,
    )


def _build_edit_view(draft: TallyDraft, catalog: Catalog, language: Language) -> dict[str, Any]:
    """Build the view of the Cóatl that is being edited, with the addresses of all changes."""
    assert draft.edited_place is not None
    index, place = draft.edited_place
    seat = draft.seats[index]
    written = seat.coatls[place] if place < len(seat.coatls) else WrittenCoatl()

    def url(changed: WrittenCoatl) -> str:
        return draft.with_coatl(index, place, changed).url()

    known = {card.id for card in catalog}
    cards = [catalog[card] for card in written.cards if card in known]
    coatl = written.edited_coatl.coatl
    found = None
    if coatl is not None:
        found = build_score_view(coatl, cards, catalog, language, draft.promo, draft.closed_ends)
    own = replace(seat, coatls=seat.coatls[:place], golden=0)
    before = replace(draft, seats=(*draft.seats[:index], own))
    own = replace(seat, coatls=seat.coatls[place + 1 :])
    rest = replace(draft, seats=(own, *draft.seats[index + 1 :]))
    closed = replace(draft, editing="")
    return {
        "seat": index,
        "number": place + 1,
        "written": written,
        "edit_links": build_edit_links(
            written.edited_coatl, lambda sketch: url(replace(written, text=str(sketch)))
        ),
        "score_view": found,
        "used_up_cards": find_used_up_cards(draft, catalog, written.cards),
        "unknown": tuple(card for card in written.cards if card not in known),
        "toggle_card_url": lambda card: url(written.with_card_toggled(card)),
        "done_url": f"{closed.url()}#seat-{index + 1}",
        "remove_url": f"{closed.without_coatl(index, place).url()}#seat-{index + 1}",
        "before": before.seat_pairs,  # what a form says before and after this Cóatl
        "after": rest.query_pairs[1:],
    }


def _adam_response(request: Request, draft: TallyDraft, catalog: Catalog) -> Response:
    """Show the cards that A.D.A.M. may have fulfilled, to be chosen."""

    def less(place: int) -> str:
        return draft.url(adam=draft.adam[:place] + draft.adam[place + 1 :])

    return _tally_response(
        request,
        "tally_adam.html",
        draft,
        "",
        used_up_cards=find_used_up_cards(draft, catalog),
        cards=[
            (card.id, card.levels[-1].points)
            for card in catalog.deck(draft.promo)
            if card.kind is CardKind.PROPHECY
        ],
        more=lambda card: draft.url(adam=(*draft.adam, card)),
        less=less,
        worth={card.id: card.levels[-1].points for card in catalog},
    )


async def send_tally_picture(request: Request) -> Response:
    """Send the result as a picture."""
    catalog, language = get_app_state(request).catalog, get_language(request)
    draft = TallyDraft.parse(request.query_params.multi_items(), catalog)
    if not any(seat.coatls for seat in draft.seats):
        raise RequestError("web.tally_nobody", 404)
    found = score_tally(draft.make_tally(catalog), catalog)
    over = all(seat.coatls for seat in draft.seats)
    drawn = await asyncio.to_thread(render_result_picture, found, language.code, over)
    return Response(drawn, media_type="image/png")


routes = [Route("/tally", show_tally), Route("/tally.png", send_tally_picture)]
