"""A Cóatl put together by tapping, scored card by card. All of it stands in the address."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from coatl_tools.cards.card import Card
from coatl_tools.errors import CoatlError, RequestError
from coatl_tools.printing.art.score_picture import score_picture
from coatl_tools.scoring.score import score_card
from coatl_tools.web.editing import editing
from coatl_tools.web.rendering import house_of, language_of, page
from coatl_tools.web.scored import chosen_cards, scored
from coatl_tools.web.sketch import Sketch


@dataclass(frozen=True, slots=True)
class Choice:
    """What the address says: the Cóatl and the cards beside it."""

    sketch: Sketch
    cards: tuple[str, ...]

    def url(self, **changes: object) -> str:
        """The address of this, with something changed."""
        changed = replace(self, **changes)  # type: ignore[arg-type] # fields by name
        asked = {"c": str(changed.sketch), "cards": ",".join(changed.cards)}
        return "/score?" + urlencode({key: value for key, value in asked.items() if value})

    def toggled(self, card: str) -> str:
        """The address with a card more, or less."""
        if card in self.cards:
            return self.url(cards=tuple(one for one in self.cards if one != card))
        return self.url(cards=(*self.cards, card))


async def score_page(request: Request) -> Response:
    """The page, with what is wrong with the address, if anything."""
    catalog, words = house_of(request).catalog, language_of(request)
    sketch, cards, wrong = Sketch(), tuple[Card, ...](), ""
    try:
        sketch = Sketch.read(request.query_params.get("c", ""))
        cards = chosen_cards(request.query_params.get("cards", ""), catalog)
    except CoatlError as error:
        wrong = error.text(words.code)
    choice = Choice(sketch, tuple(card.id for card in cards))
    coatl = sketch.coatl
    found = scored(coatl, cards, catalog, words) if coatl is not None else None
    return page(
        request,
        "score.html",
        400 if wrong else 200,
        wrong=wrong,
        choice=choice,
        editing=editing(sketch, lambda changed: choice.url(sketch=changed)),
        scored=found,
    )


async def picture(request: Request) -> Response:
    """The score as a picture to share."""
    catalog, words = house_of(request).catalog, language_of(request)
    coatl = Sketch.read(request.query_params.get("c", "")).coatl
    cards = chosen_cards(request.query_params.get("cards", ""), catalog)
    if coatl is None:
        raise RequestError("web.no_coatl", 404)
    scores = [score_card(coatl, card, cards) for card in cards]
    drawn = await asyncio.to_thread(score_picture, coatl, scores, words.code)
    return Response(drawn, media_type="image/png")


routes = [Route("/score", score_page), Route("/score.png", picture)]
