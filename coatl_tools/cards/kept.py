"""The cards of a game as files keep them: the base game by its fingerprint, all others whole."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import Any

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import BASE, load_cards
from coatl_tools.cards.data import card_data
from coatl_tools.cards.fingerprint import fingerprint
from coatl_tools.errors import JournalError


@lru_cache(maxsize=1)
def base_cards() -> tuple[tuple[Card, ...], str]:
    """The cards of the base game as this program has them, and their fingerprint."""
    cards = tuple(card for card in load_cards() if card.set == BASE)
    return cards, fingerprint(cards)


def more_cards_data(cards: Iterable[Card]) -> list[dict[str, Any]]:
    """The cards that are not of the base game, by set; JournalError if that is not all there."""
    base, given = base_cards()[0], set(cards)
    if not given.issuperset(base):
        raise JournalError("journal.base_cards")
    more = sorted(given.difference(base), key=lambda card: (card.set, card.id))
    return [
        {"set": name, "cards": [card_data(card) for card in cards]}
        for name, cards in groupby(more, key=lambda card: card.set)
    ]


def with_base_cards(files: list[Any]) -> tuple[Card, ...]:
    """The base game and what `more_cards_data` made of the others; JournalError if it is none."""
    more: list[Card] = []
    if files:
        from coatl_tools.cards.shapes import more_cards  # noqa: PLC0415 (it takes long to load)

        more = more_cards(files)
    known: dict[str, Card] = {}
    for card in (*base_cards()[0], *more):
        known.setdefault(card.id, card)  # each id once: the first one counts
    return tuple(known.values())
