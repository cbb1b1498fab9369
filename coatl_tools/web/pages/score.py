"""The score page, and the view of a scored Cóatl that the tally and photo pages show too."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.card_text import describe_card
from coatl_tools.cards.catalog import PROMO_SET, Catalog
from coatl_tools.errors import CoatlError, RequestError, RequirementTooComplexError
from coatl_tools.language import Language
from coatl_tools.pieces import Coatl, Colour
from coatl_tools.printing.pictures.share_pictures import find_lit_pieces, render_score_picture
from coatl_tools.scoring.score import CardScore, find_best_set, find_fulfilled_cards, score_card
from coatl_tools.scoring.score_sheet import (
    ScoredCardEntry,
    TextWithColours,
    describe_next_level,
    describe_scoreboard_place,
    explain_card_score,
    format_sheet_note,
    score_card_set,
)
from coatl_tools.web.pages.coatl_edit_links import EditedCoatl, build_edit_links
from coatl_tools.web.rendering import get_app_state, get_language, render_page

MAX_CARDS = 12  # beside one Cóatl; the rules allow 5, and the page says so


@dataclass(frozen=True, slots=True)
class ScoredCardView:
    """A card beside the Cóatl.

    `highlighted` are the pieces, from 1, that its points come from; all if it looks at the whole
    Cóatl.
    """

    card: str
    text: str
    points: int
    level: str
    reasons: tuple[str, ...]
    highlighted: tuple[int, ...]
    next_level: str


@dataclass(frozen=True, slots=True)
class CardOffer:
    """A card that may be chosen, and its points together with the chosen ones."""

    card: str
    points: int
    chosen: bool
    temple: bool
    promo: bool = False


@dataclass(frozen=True, slots=True)
class ScoreView:
    """All that a page shows about a Cóatl and its cards."""

    coatl: str
    total: int
    scoreboard_text: str
    rows: tuple[ScoredCardView, ...]
    notes: tuple[str, ...]
    offers: tuple[CardOffer, ...]  # those that fit first, the most points first
    best: tuple[str, ...]  # the set that brings the most
    best_total: int
    shared_text: str  # the score as text, to send to others

    @property
    def fitting_offers(self) -> tuple[CardOffer, ...]:
        """The offers that score, or are chosen."""
        return tuple(offer for offer in self.offers if offer.points or offer.chosen)

    @property
    def other_offers(self) -> tuple[CardOffer, ...]:
        """The offers that score nothing."""
        return tuple(offer for offer in self.offers if not (offer.points or offer.chosen))


def parse_chosen_cards(text: str, catalog: Catalog) -> tuple[Card, ...]:
    """Parse ids of cards, separated by commas or spaces; UnknownCardError or RequestError."""
    ids = text.replace(",", " ").split()
    if len(ids) > MAX_CARDS:
        raise RequestError("cards.many_beside", most=MAX_CARDS)
    return tuple(catalog[one] for one in ids)


def build_score_view(
    coatl: Coatl,
    cards: Sequence[Card],
    catalog: Catalog,
    language: Language,
    promo: bool | None = None,
    closed_ends: bool = False,
) -> ScoreView:
    """Score these cards together, and list which others would fit.

    If `promo` is None, promo cards are listed after the others, and the best set includes them once
    one of them is chosen.
    """
    sheet = score_card_set(coatl, cards, closed_ends)
    deck = catalog.deck(promo is not False)
    owned = any(card.set == PROMO_SET for card in cards) if promo is None else promo
    met = find_fulfilled_cards(coatl, catalog.deck(owned), closed_ends)
    best = find_best_set(coatl, (found.card for found in met), closed_ends=closed_ends)
    rows = tuple(_build_sheet_row(line, coatl, language) for line in sheet.lines)
    where = describe_scoreboard_place(sheet.total, language)
    return ScoreView(
        str(coatl),
        sheet.total,
        where,
        rows,
        tuple(format_sheet_note(note, language) for note in sheet.notes),
        tuple(_list_offers(coatl, cards, deck, closed_ends)),
        tuple(found.card.id for found in best.scores),
        best.total,
        _format_shared_text(coatl, rows, sheet.total, language),
    )


def _build_sheet_row(line: ScoredCardEntry, coatl: Coatl, language: Language) -> ScoredCardView:
    next_level = describe_next_level(line.next_level, coatl, language)
    return build_card_view(line.score, coatl, language, format_plain_text(next_level))


def build_card_view(
    found: CardScore, coatl: Coatl, language: Language, next_level: str = ""
) -> ScoredCardView:
    """Build the view of a scored card, with its explanation."""
    return ScoredCardView(
        found.card.id,
        describe_card(found.card, language.code),
        found.points,
        language.label("level_of", level=found.level, levels=len(found.card.levels)),
        tuple(format_plain_text(saying) for saying in explain_card_score(found, coatl, language)),
        tuple(sorted(find_lit_pieces(found, coatl.colours))),
        next_level,
    )


def format_plain_text(saying: TextWithColours) -> str:
    """Format an explanation as plain text, colours as symbol and letter."""
    return "".join(f"{p.symbol}{p.name}" if isinstance(p, Colour) else p for p in saying)


def _list_offers(
    coatl: Coatl, cards: Sequence[Card], deck: Iterable[Card], closed_ends: bool
) -> list[CardOffer]:
    chosen = {card.id for card in cards}
    found = []
    for card in [*deck, *(card for card in cards if card not in deck)]:
        try:
            points = score_card(coatl, card, [*cards, card], closed_ends).points
        except RequirementTooComplexError:
            points = 0
        found.append(
            CardOffer(
                card.id,
                points,
                card.id in chosen,
                card.kind is CardKind.TEMPLE,
                card.set == PROMO_SET,
            )
        )
    return sorted(
        found, key=lambda offer: (not offer.chosen, offer.promo, -offer.points, offer.card)
    )


def _format_shared_text(
    coatl: Coatl, rows: Iterable[ScoredCardView], total: int, language: Language
) -> str:
    """Format the score as text to send to others."""
    symbols = "".join(colour.symbol for colour in coatl.colours)
    lines = [f"Cóatl {'<' * coatl.head}{symbols}{'>' * coatl.tail}", str(coatl)]
    lines += [f"{row.card}: {language.card('points', row.points)} – {row.text}" for row in rows]
    return "\n".join([*lines, language.label("total", total=total)])


@dataclass(frozen=True, slots=True)
class ScoreQuery:
    """The query string: the Cóatl, and the cards beside it."""

    coatl: EditedCoatl
    cards: tuple[str, ...]

    def url(self, **changes: object) -> str:
        """Make the address of this query with some fields changed."""
        changed = replace(self, **changes)  # type: ignore[arg-type] # fields by name
        asked = {"c": str(changed.coatl), "cards": ",".join(changed.cards)}
        return "/score?" + urlencode({key: value for key, value in asked.items() if value})

    def toggle_card_url(self, card: str) -> str:
        """Make the address with a card added or removed."""
        return self.url(cards=toggle_card(self.cards, card))


def toggle_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Add a card to others, or remove it if it is among them."""
    others = tuple(one for one in cards if one != card)
    return others if card in cards else (*cards, card)


async def show_score(request: Request) -> Response:
    """Show the page, with the error if the address has one."""
    catalog, language = get_app_state(request).catalog, get_language(request)
    edited, cards, wrong = EditedCoatl(), tuple[Card, ...](), ""
    try:
        edited = EditedCoatl.parse(request.query_params.get("c", ""))
        cards = parse_chosen_cards(request.query_params.get("cards", ""), catalog)
    except CoatlError as error:
        wrong = error.text(language.code)
    query = ScoreQuery(edited, tuple(card.id for card in cards))
    coatl = edited.coatl
    found = build_score_view(coatl, cards, catalog, language) if coatl is not None else None
    return render_page(
        request,
        "score.html",
        400 if wrong else 200,
        wrong=wrong,
        query=query,
        edit_links=build_edit_links(edited, lambda changed: query.url(coatl=changed)),
        score_view=found,
    )


async def send_score_picture(request: Request) -> Response:
    """Send the score as a picture."""
    catalog, language = get_app_state(request).catalog, get_language(request)
    coatl = EditedCoatl.parse(request.query_params.get("c", "")).coatl
    cards = parse_chosen_cards(request.query_params.get("cards", ""), catalog)
    if coatl is None:
        raise RequestError("web.no_coatl", 404)
    scores = [score_card(coatl, card, cards) for card in cards]
    drawn = await asyncio.to_thread(render_score_picture, coatl, scores, language.code)
    return Response(drawn, media_type="image/png")


routes = [Route("/score", show_score), Route("/score.png", send_score_picture)]
