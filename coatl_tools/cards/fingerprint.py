"""A short fingerprint of a set of cards: the same wherever and in whatever order they are kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b

from coatl_tools.cards.card import Card
from coatl_tools.cards.data import card_data

BYTES = 8


def fingerprint(cards: Iterable[Card]) -> str:
    """16 hexadecimal digits that tell these cards from others."""
    text = json.dumps(sorted((card_data(card) for card in cards), key=lambda card: str(card["id"])))
    return blake2b(text.encode(), digest_size=BYTES).hexdigest()
