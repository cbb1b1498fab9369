"""Who has won a game that is over: players, Cóatls and cards, all of them in the address."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError, RequestError
from coatl_tools.language import Language
from coatl_tools.printing.art.tally_picture import tally_picture
from coatl_tools.referee.presentation.result_text import describe_scoreboard_place
from coatl_tools.referee.tally import score_tally
from coatl_tools.rules.components import FEWER_BODIES_BY_PLAYERS, SOLO_LEVELS
from coatl_tools.web.editing import Editing, editing
from coatl_tools.web.judged import fulfillable, gone, judged
from coatl_tools.web.rendering import house_of, language_of, page
from coatl_tools.web.scored import Scored, scored
from coatl_tools.web.tallied import (
    AT_ADAM,
    MOST_COATLS,
    MOST_PLAYERS,
    Draft,
    Pairs,
    Seat,
    Written,
    pairs_of,
)


@dataclass(frozen=True, slots=True)
class Changing:
    """The Cóatl that is being changed, with the addresses of all changes."""

    seat: int
    number: int  # from 1
    written: Written
    editing: Editing
    scored: Scored | None
    gone: frozenset[str]
    unknown: tuple[str, ...]  # what stands among the cards and is none
    toggle: Callable[[str], str]
    done: str
    drop: str
    before: Pairs  # what a form says before and behind this Cóatl
    behind: Pairs


async def tally_page(request: Request) -> Response:
    """The page; an address that says the same in another way leads to the plain one."""
    catalog, words = house_of(request).catalog, language_of(request)
    given = request.query_params.multi_items()
    try:
        draft, wrong = Draft.read(given, catalog), ""
    except CoatlError as error:
        draft, wrong = Draft(), error.text(words.code)
    if not wrong and given != [*draft.pairs]:
        return RedirectResponse(draft.url(), 303)
    if not draft.seats:
        return _page(request, "tally_players.html", draft, wrong, edition=words.code)
    found = judged(draft, catalog, words)
    if draft.place is not None:
        changing = _changing(draft, catalog, words)
        return _page(request, "tally_coatl.html", draft, "", changing=changing, judged=found)
    if draft.at == AT_ADAM and draft.solo:
        return _adam_page(request, draft, catalog)
    return _page(request, "tally.html", draft, "", judged=found)


def _page(request: Request, template: str, draft: Draft, wrong: str, **values: object) -> Response:
    """A page about a draft, with what templates ask of it."""
    return page(
        request,
        template,
        400 if wrong else 200,
        wrong=wrong,
        draft=draft,
        done=replace(draft, at="").url(),
        pairs_of=pairs_of,
        scoreboard_text=partial(describe_scoreboard_place, words=language_of(request)),
        empty_seats=(Seat(""),) * (MOST_PLAYERS - len(draft.seats)),
        most_coatls=MOST_COATLS,
        fewer_for=FEWER_BODIES_BY_PLAYERS,
        levels=SOLO_LEVELS,
        photo=lambda seat: "/photo?" + urlencode({"for": draft.query, "seat": seat + 1}),
        **values,
    )


def _changing(draft: Draft, catalog: Catalog, words: Language) -> Changing:
    assert draft.place is not None
    index, place = draft.place
    seat = draft.seats[index]
    written = seat.coatls[place] if place < len(seat.coatls) else Written()

    def url(changed: Written) -> str:
        return draft.with_coatl(index, place, changed).url()

    known = {card.id for card in catalog}
    cards = [catalog[card] for card in written.cards if card in known]
    coatl = written.sketch.coatl
    found = None
    if coatl is not None:
        found = scored(coatl, cards, catalog, words, draft.promo, draft.closed_ends)
    own = replace(seat, coatls=seat.coatls[:place], golden=0)
    before = replace(draft, seats=(*draft.seats[:index], own))
    own = replace(seat, coatls=seat.coatls[place + 1 :])
    rest = replace(draft, seats=(own, *draft.seats[index + 1 :]))
    closed = replace(draft, at="")
    return Changing(
        index,
        place + 1,
        written,
        editing(written.sketch, lambda sketch: url(replace(written, text=str(sketch)))),
        found,
        gone(draft, catalog, written.cards),
        tuple(card for card in written.cards if card not in known),
        lambda card: url(written.toggled(card)),
        f"{closed.url()}#seat-{index + 1}",
        f"{closed.without_coatl(index, place).url()}#seat-{index + 1}",
        before.seat_pairs,
        rest.pairs[1:],
    )


def _adam_page(request: Request, draft: Draft, catalog: Catalog) -> Response:
    """A.D.A.M.'s fulfilled cards, to be tapped."""

    def less(place: int) -> str:
        return draft.url(adam=draft.adam[:place] + draft.adam[place + 1 :])

    return _page(
        request,
        "tally_adam.html",
        draft,
        "",
        gone=gone(draft, catalog),
        cards=[(card.id, card.levels[-1].points) for card in fulfillable(draft, catalog)],
        more=lambda card: draft.url(adam=(*draft.adam, card)),
        less=less,
        worth={card.id: card.levels[-1].points for card in catalog},
    )


async def picture(request: Request) -> Response:
    """The result as a picture to share."""
    catalog, words = house_of(request).catalog, language_of(request)
    draft = Draft.read(request.query_params.multi_items(), catalog)
    if not any(seat.coatls for seat in draft.seats):
        raise RequestError("web.tally_nobody", 404)
    found = score_tally(draft.table(catalog), catalog)
    over = all(seat.coatls for seat in draft.seats)
    drawn = await asyncio.to_thread(tally_picture, found, words.code, over)
    return Response(drawn, media_type="image/png")


routes = [Route("/tally", tally_page), Route("/tally.png", picture)]
