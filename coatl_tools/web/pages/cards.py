"""All cards to browse and search, and each of them alone. What is looked for is in the address."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card
from coatl_tools.cards.catalog import BASE_SET, PROMO_SET, Catalog
from coatl_tools.cards.search import find_cards
from coatl_tools.errors import RequestError, UnknownCardError
from coatl_tools.language import load_language, own_names
from coatl_tools.pieces import Colour
from coatl_tools.resources import CODES
from coatl_tools.web.card_facts import card_facts, rules_of
from coatl_tools.web.rendering import house_of, language_of, page

MOST_TYPED = 100  # characters
OWN = "own"  # cards of no box


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the address asks for; what makes no sense there is not asked for."""

    q: str = ""
    kind: str = ""
    colour: str = ""
    points: str = ""
    language: str = ""  # of the cards, where it is not that of the page

    @classmethod
    def of(cls, asked: QueryParams) -> Wanted:
        """What was typed and chosen."""
        typed = "".join(char if char.isprintable() else " " for char in asked.get("q", ""))
        points = asked.get("points", "")
        return cls(
            typed[:MOST_TYPED].strip(),
            _one_of(("prophecy", "temple", PROMO_SET, OWN), asked.get("kind")),
            _one_of(Colour.__members__, asked.get("colour")),
            points if points.isascii() and points.isdigit() and len(points) < 4 else "",
            _one_of(CODES, asked.get("language")),
        )

    def cards(self, catalog: Catalog) -> list[Card]:
        """Those that fit, the best first."""
        return [card for card in find_cards(self.q, catalog, in_text=True) if self._fits(card)]

    def url(self, **changes: str) -> str:
        """The address of this, with something changed."""
        changed = replace(self, **changes)
        asked = {name: value for name in _NAMES if (value := getattr(changed, name))}
        return "/cards?" + urlencode(asked) if asked else "/cards"

    def _fits(self, card: Card) -> bool:
        return (
            self.kind in ("", card.kind.value, _box(card))
            and self.colour in ("", card.colour.name if card.colour is not None else None)
            and (not self.points or any(lv.points == int(self.points) for lv in card.levels))
        )


_NAMES = ("q", "kind", "colour", "points", "language")


def _one_of(choices: Collection[str], value: str | None) -> str:
    return value if value is not None and value in choices else ""


def _box(card: Card) -> str:
    """Where a card comes from: the game, the promo cards, or somebody's own."""
    return card.set if card.set in (BASE_SET, PROMO_SET) else OWN


async def cards(request: Request) -> Response:
    """All cards that fit what is typed and chosen."""
    catalog = house_of(request).catalog
    wanted = Wanted.of(request.query_params)
    return page(
        request,
        "cards.html",
        wanted=wanted,
        found=wanted.cards(catalog),
        shown_in=load_language(wanted.language or language_of(request).code),
        languages=own_names(),
        all_points=sorted({level.points for card in catalog for level in card.levels}),
        has_own=any(_box(card) == OWN for card in catalog),
        describe=describe_card,
        card_url=card_url,
    )


async def card(request: Request) -> Response:
    """A card alone, with all that is known of it."""
    catalog, words = house_of(request).catalog, language_of(request)
    typed = request.path_params["card"]
    try:
        found = catalog[typed]
    except UnknownCardError as error:
        raise RequestError(error.key, 404, **error.details) from error
    shown_in = _one_of(CODES, request.query_params.get("language"))
    if found.id != typed:  # p5 is P05
        return RedirectResponse(card_url(found.id, shown_in), 303)
    order = list(catalog)
    place = order.index(found)
    return page(
        request,
        "card.html",
        card=found,
        before=order[place - 1] if place else None,
        after=order[place + 1] if place + 1 < len(order) else None,
        shown_in=load_language(shown_in or words.code),
        languages=own_names(),
        card_url=card_url,
        chosen_language=shown_in,
        facts=await asyncio.to_thread(card_facts, found, words),
        rules=rules_of(found),
        describe=describe_card,
    )


def card_url(card_id: str, language: str = "") -> str:
    """The address of a card, shown in a language other than that of the page."""
    return f"/cards/{quote(card_id)}" + (f"?language={language}" if language else "")


routes = [Route("/cards", cards), Route("/cards/{card}", card)]
