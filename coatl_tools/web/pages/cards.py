"""The pages to search cards and to look at one: its levels, examples, odds and rules."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card, describe_level, list_card_rules
from coatl_tools.cards.catalog import BASE_SET, PROMO_SET, Catalog
from coatl_tools.cards.search import find_cards
from coatl_tools.errors import RequestError, RequirementTooComplexError, UnknownCardError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import Language, list_languages, load_language
from coatl_tools.pieces import Coatl, Colour
from coatl_tools.scoring.odds import (
    CardOdds,
    compute_odds,
    format_level,
    format_mean_points,
    format_percent,
)
from coatl_tools.scoring.score import score_card
from coatl_tools.web.rendering import get_app_state, get_language, render_page


@dataclass(frozen=True, slots=True)
class LevelFacts:
    """A level of a card, and the shortest Cóatl that reaches it, with the pieces that count."""

    text: str
    name: str
    example: str = ""
    highlighted: tuple[int, ...] = ()


def build_level_facts(card: Card, odds: CardOdds | None, language: Language) -> list[LevelFacts]:
    """Build the facts about each level; without odds, there are no examples."""
    examples = odds.examples if odds else [None] * len(card.levels)
    return [
        LevelFacts(
            describe_level(card, level, language),
            format_level(card, level),
            "" if example is None else str(example),
            () if example is None else _find_highlighted_pieces(example, card),
        )
        for level, example in zip(card.levels, examples, strict=True)
    ]


def _find_highlighted_pieces(example: Coatl, card: Card) -> tuple[int, ...]:
    return tuple(sorted({n for numbers in score_card(example, card).occurrences for n in numbers}))


@lru_cache(maxsize=500)
def compute_odds_if_possible(card: Card) -> CardOdds | None:
    """Compute the odds of a card in some tenths of a second; None if it is too complex."""
    try:
        return compute_odds(card)
    except RequirementTooComplexError:
        return None


MAX_QUERY_LENGTH = 100  # characters
OWN_CARDS = "own"  # cards of no box


@dataclass(frozen=True, slots=True)
class CardQuery:
    """What the query string asks for, without invalid values."""

    q: str = ""
    kind: str = ""
    colour: str = ""
    points: str = ""
    language: str = ""  # of the cards, where it is not that of the page

    @classmethod
    def parse(cls, asked: QueryParams) -> CardQuery:
        """Parse the query string."""
        typed = "".join(char if char.isprintable() else " " for char in asked.get("q", ""))
        points = asked.get("points", "")
        return cls(
            typed[:MAX_QUERY_LENGTH].strip(),
            _value_if_known(("prophecy", "temple", PROMO_SET, OWN_CARDS), asked.get("kind")),
            _value_if_known(Colour.__members__, asked.get("colour")),
            points if points.isascii() and points.isdigit() and len(points) < 4 else "",
            _value_if_known(LANGUAGE_CODES, asked.get("language")),
        )

    def find_cards(self, catalog: Catalog) -> list[Card]:
        """Find the cards that fit, the best first."""
        return [card for card in find_cards(self.q, catalog, in_text=True) if self._fits(card)]

    def url(self, **changes: str) -> str:
        """Make the address of this query with some fields changed."""
        changed = replace(self, **changes)
        asked = {name: value for name in _QUERY_FIELDS if (value := getattr(changed, name))}
        return "/cards?" + urlencode(asked) if asked else "/cards"

    def _fits(self, card: Card) -> bool:
        return (
            self.kind in ("", card.kind.value, _find_card_set(card))
            and self.colour in ("", card.colour.name if card.colour is not None else None)
            and (not self.points or any(lv.points == int(self.points) for lv in card.levels))
        )


_QUERY_FIELDS = ("q", "kind", "colour", "points", "language")


def _value_if_known(choices: Collection[str], value: str | None) -> str:
    return value if value is not None and value in choices else ""


def _find_card_set(card: Card) -> str:
    """Find the set of a card: base, promo, or a player's own."""
    return card.set if card.set in (BASE_SET, PROMO_SET) else OWN_CARDS


async def show_cards(request: Request) -> Response:
    """Show all cards that fit the query."""
    catalog = get_app_state(request).catalog
    query = CardQuery.parse(request.query_params)
    return render_page(
        request,
        "cards.html",
        query=query,
        found=query.find_cards(catalog),
        shown_in=load_language(query.language or get_language(request).code),
        languages=list_languages(),
        all_points=sorted({level.points for card in catalog for level in card.levels}),
        has_own=any(_find_card_set(card) == OWN_CARDS for card in catalog),
        describe=describe_card,
        card_url=make_card_url,
    )


async def show_card(request: Request) -> Response:
    """Show one card with all facts about it."""
    catalog, language = get_app_state(request).catalog, get_language(request)
    typed = request.path_params["card"]
    try:
        found = catalog[typed]
    except UnknownCardError as error:
        raise RequestError(error.key, 404, **error.details) from error
    shown_in = _value_if_known(LANGUAGE_CODES, request.query_params.get("language"))
    if found.id != typed:  # p5 is P05
        return RedirectResponse(make_card_url(found.id, shown_in), 303)
    odds = await asyncio.to_thread(compute_odds_if_possible, found)
    order = list(catalog)
    place = order.index(found)
    return render_page(
        request,
        "card.html",
        card=found,
        before=order[place - 1] if place else None,
        after=order[place + 1] if place + 1 < len(order) else None,
        shown_in=load_language(shown_in or language.code),
        languages=list_languages(),
        card_url=make_card_url,
        chosen_language=shown_in,
        odds=odds,
        levels=build_level_facts(found, odds, language),
        percent=partial(format_percent, language=language),
        mean_points=partial(format_mean_points, language=language),
        rules=list_card_rules(found),
        describe=describe_card,
    )


def make_card_url(card_id: str, lang: str = "") -> str:
    """Make the address of a card, shown in a language other than that of the page."""
    return f"/cards/{quote(card_id)}" + (f"?language={lang}" if lang else "")


routes = [Route("/cards", show_cards), Route("/cards/{card}", show_card)]
