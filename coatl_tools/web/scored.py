"""A scored Cóatl as pages show it: each card with its points, its pieces lit, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.card_text import describe_card
from coatl_tools.cards.catalog import PROMO_SET, Catalog
from coatl_tools.errors import RequestError, RequirementTooComplexError
from coatl_tools.language import Language
from coatl_tools.pieces import Coatl, Colour
from coatl_tools.printing.art.score_picture import lit_by
from coatl_tools.referee.presentation.result_text import describe_scoreboard_place
from coatl_tools.scoring.missing_pieces import Extension
from coatl_tools.scoring.score import CardScore, find_best_set, find_fulfilled_cards, score_card
from coatl_tools.scoring.score_sheet import (
    ScoredCardEntry,
    TextWithColours,
    describe_next_level,
    explain_card_score,
    format_sheet_note,
    score_card_set,
)

MOST_CARDS = 12  # beside one Cóatl; the rules allow 5, and the page says so


@dataclass(frozen=True, slots=True)
class Row:
    """A card beside the Cóatl: `lit` are the pieces, from 1, that its points come from;
    all of them if it looks at the whole Cóatl."""

    card: str
    text: str
    points: int
    level: str
    why: tuple[str, ...]
    lit: tuple[int, ...]
    following: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A card that may be chosen, and what it would bring beside those that lie there."""

    card: str
    points: int
    chosen: bool
    temple: bool
    promo: bool = False


@dataclass(frozen=True, slots=True)
class Scored:
    """All that a page says of a Cóatl and its cards."""

    coatl: str
    total: int
    where: str  # on the scoreboard
    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    offers: tuple[Offer, ...]  # those that fit first, the most points first
    best: tuple[str, ...]  # the set that brings the most
    best_total: int
    shared: str  # as text, for others

    @property
    def fitting(self) -> tuple[Offer, ...]:
        """The cards that bring something."""
        return tuple(offer for offer in self.offers if offer.points or offer.chosen)

    @property
    def others(self) -> tuple[Offer, ...]:
        """The cards that bring nothing."""
        return tuple(offer for offer in self.offers if not (offer.points or offer.chosen))


def chosen_cards(text: str, catalog: Catalog) -> tuple[Card, ...]:
    """Cards by their ids, with commas or spaces between; UnknownCardError, RequestError."""
    ids = text.replace(",", " ").split()
    if len(ids) > MOST_CARDS:
        raise RequestError("web.many_cards", most=MOST_CARDS)
    return tuple(catalog[one] for one in ids)


def scored(
    coatl: Coatl,
    cards: Sequence[Card],
    catalog: Catalog,
    language: Language,
    promo: bool | None = None,
    closed_ends: bool = False,
) -> Scored:
    """Score these cards together, and say which others would fit.

    Where nobody says whether the promo cards are there, they are offered behind the others, and
    join the best set once one of them was chosen.
    """
    sheet = score_card_set(coatl, cards, closed_ends)
    deck = catalog.deck(promo is not False)
    owned = any(card.set == PROMO_SET for card in cards) if promo is None else promo
    met = find_fulfilled_cards(coatl, catalog.deck(owned), closed_ends)
    best = find_best_set(coatl, (found.card for found in met), closed_ends=closed_ends)
    rows = tuple(_row(line, coatl, language) for line in sheet.lines)
    where = describe_scoreboard_place(sheet.total, language)
    return Scored(
        str(coatl),
        sheet.total,
        where,
        rows,
        tuple(format_sheet_note(note, language) for note in sheet.notes),
        tuple(_offers(coatl, cards, deck, closed_ends)),
        tuple(found.card.id for found in best.scores),
        best.total,
        _shared(coatl, rows, sheet.total, language),
    )


def _row(line: ScoredCardEntry, coatl: Coatl, language: Language) -> Row:
    found = line.score
    next_level = describe_next_level(line.next_level, coatl, language)
    words = next_level.words
    if next_level.extension is not None:
        words += _extension(next_level.extension)
    return row(found, coatl, language, words)


def row(found: CardScore, coatl: Coatl, language: Language, next_level: str = "") -> Row:
    """A scored card, explained."""
    return Row(
        found.card.id,
        describe_card(found.card, language.code),
        found.points,
        language.label("level_of", level=found.level, levels=len(found.card.levels)),
        tuple(plain_saying(saying) for saying in explain_card_score(found, coatl, language)),
        tuple(sorted(lit_by(found, coatl.colours))),
        next_level,
    )


def plain_saying(saying: TextWithColours) -> str:
    """A saying as plain text, colours as symbol and letter."""
    return "".join(f"{p.symbol}{p.name}" if isinstance(p, Colour) else p for p in saying)


def _extension(extension: Extension) -> str:
    """Pieces to attach around "…", which stands for the Cóatl."""
    shown = [plain_saying((colour,)) for colour in extension.head_end]
    shown += ["…", *(plain_saying((colour,)) for colour in extension.tail_end)]
    return f"{'<' * extension.head}{' '.join(shown)}{'>' * extension.tail}"


def _offers(
    coatl: Coatl, cards: Sequence[Card], deck: Iterable[Card], closed_ends: bool
) -> list[Offer]:
    chosen = {card.id for card in cards}
    found = []
    for card in [*deck, *(card for card in cards if card not in deck)]:
        try:
            points = score_card(coatl, card, [*cards, card], closed_ends).points
        except RequirementTooComplexError:
            points = 0
        found.append(
            Offer(
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


def _shared(coatl: Coatl, rows: Iterable[Row], total: int, language: Language) -> str:
    """The score as a text for a chat."""
    symbols = "".join(colour.symbol for colour in coatl.colours)
    lines = [f"Cóatl {'<' * coatl.head}{symbols}{'>' * coatl.tail}", str(coatl)]
    lines += [f"{row.card}: {language.card('points', row.points)} – {row.text}" for row in rows]
    return "\n".join([*lines, language.label("total", total=total)])
