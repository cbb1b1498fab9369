"""The cards of a game as journals and simulations store them: the base game by its fingerprint,
all other cards whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from typing import Any

from coatl_tools.cards.card import Card, serialize_card
from coatl_tools.cards.catalog import BASE_SET, load_cards
from coatl_tools.errors import JournalError

FINGERPRINT_BYTES = 8


def compute_fingerprint(cards: Iterable[Card]) -> str:
    """Compute 16 hexadecimal digits that tell these cards from others."""
    text = json.dumps(
        sorted((serialize_card(card) for card in cards), key=lambda card: str(card["id"]))
    )
    return blake2b(text.encode(), digest_size=FINGERPRINT_BYTES).hexdigest()


@lru_cache(maxsize=1)
def load_base_cards() -> tuple[tuple[Card, ...], str]:
    """Load the cards of the base game as this program has them, and their fingerprint."""
    cards = tuple(card for card in load_cards() if card.set == BASE_SET)
    return cards, compute_fingerprint(cards)


def serialize_extra_cards(cards: Iterable[Card]) -> list[dict[str, Any]]:
    """Serialize the cards beyond the base game, by set; JournalError if a base card is missing."""
    base, given = load_base_cards()[0], set(cards)
    if not given.issuperset(base):
        raise JournalError("journal.base_cards")
    more = sorted(given.difference(base), key=lambda card: (card.set, card.id))
    return [
        {"set": name, "cards": [serialize_card(card) for card in cards]}
        for name, cards in groupby(more, key=lambda card: card.set)
    ]


def restore_deck(files: list[Any]) -> tuple[Card, ...]:
    """Restore the base game's cards and those that `serialize_extra_cards` wrote.

    JournalError if these cannot be read.
    """
    more: list[Card] = []
    if files:
        from coatl_tools.cards.card_files import parse_extra_cards  # noqa: PLC0415 (it takes long to load)

        more = parse_extra_cards(files)
    known: dict[str, Card] = {}
    for card in (*load_base_cards()[0], *more):
        known.setdefault(card.id, card)  # each id once: the first one counts
    return tuple(known.values())
