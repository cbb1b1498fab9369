"""A printed card by the words on it: what it asks, in any of the languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.cards.requirement import Several, parts_of
from coatl_tools.cards.wording import asks_as_part, describe
from coatl_tools.language import load_language
from coatl_tools.resources import CODES
from coatl_tools.vision.cards.text import read_blocks
from coatl_tools.vision.trace import Pixels

LIKE = 0.8  # a card's words are recognised from here on
AHEAD = 0.04  # and only if the next card's words are so much less alike
FEWEST = 3  # words that must be read


def card_by_words(field: Pixels, catalog: Catalog) -> tuple[str | None, tuple[str, ...]]:
    """The card whose words stand in a grey picture of its field, and those that come near.

    Raises NoTesseractError if Tesseract is missing.
    """
    read = _tokens(read_blocks([field])[0])
    if len(read) < FEWEST:
        return None, ()
    scores: dict[str, float] = {}
    for card in catalog:
        scores[card.id] = max(_likeness(read, _tokens(text)) for text in _texts(card))
    order = sorted(scores, key=lambda card_id: (-scores[card_id], card_id))
    near = tuple(i for i in order[:6] if scores[i] > max(LIKE - 0.2, scores[order[0]] - 0.12))
    if scores[order[0]] < LIKE:
        return None, near
    clear = len(order) < 2 or scores[order[0]] - scores[order[1]] >= AHEAD
    return (order[0] if clear else None), near


@lru_cache(maxsize=512)
def _texts(card: Card) -> tuple[str, ...]:
    """What is printed on a card, in each language."""
    if not isinstance(card.requirement, Several):
        return tuple(describe(card, code) for code in CODES)
    languages = [load_language(code) for code in CODES]
    parts = parts_of(card.requirement)
    return tuple(". ".join(asks_as_part(part, lang) for part in parts) for lang in languages)


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.casefold()))


def _likeness(read: Sequence[str], meant: Sequence[str]) -> float:
    return SequenceMatcher(None, read, meant, autojunk=False).ratio()
