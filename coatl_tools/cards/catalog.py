"""All cards in play: the game's own, and those that a player adds; and how they are stored.

Journals and simulations store the base game by its fingerprint, all other cards whole.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from coatl_tools.cards.card import Card, parse_card, serialize_card
from coatl_tools.errors import JournalError, UnknownCardError
from coatl_tools.files.data_paths import CARDDATA

BASE_SET = "base"
PROMO_SET = "promo"
FINGERPRINT_BYTES = 8
CARD_FILES = ("prophecy.json", "temple.json", "promo.json")


class Catalog:
    """Cards by id, in the order of their files."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._by_id = {card.id: card for card in cards}
        self._by_normalized_id = {
            normalize_card_id(card_id): card for card_id, card in self._by_id.items()
        }

    def __iter__(self) -> Iterator[Card]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __getitem__(self, card_id: str) -> Card:
        """Return a card by its id, also written `p5` or `p05`; raises UnknownCardError."""
        if card_id in self._by_id:
            return self._by_id[card_id]
        wanted = card_id.strip().upper()
        if normalize_card_id(wanted) in self._by_normalized_id:
            return self._by_normalized_id[normalize_card_id(wanted)]
        close = difflib.get_close_matches(wanted[:20], self._by_id, 3)
        raise UnknownCardError(
            "cards.unknown",
            id=card_id[:40],
            hint=("cards.did_you_mean", {"ids": ", ".join(close)})
            if close
            else ("cards.see_list", {}),
        )

    def deck(self, promo: bool = False) -> tuple[Card, ...]:
        """Return the cards to play with: base game, a player's own, and promo cards if asked."""
        return tuple(card for card in self if promo or card.set != PROMO_SET)


def load_cards(*files: Path | str) -> Catalog:
    """Load the game's cards and those of these files; raises CardDataError listing every problem.

    A file that is not there is a FileError.
    """
    if not files:
        return _load_game_catalog()
    return _load_checked_catalog([*(CARDDATA / name for name in CARD_FILES), *map(Path, files)])


def _load_checked_catalog(paths: Sequence[Path]) -> Catalog:
    from coatl_tools.cards.card_files import load_card_files  # noqa: PLC0415 (it takes long to load)

    return Catalog(load_card_files(paths))


@lru_cache(maxsize=1)
def _load_game_catalog() -> Catalog:
    paths = [CARDDATA / name for name in CARD_FILES]
    return _load_shipped_catalog(paths) or _load_checked_catalog(paths)


def _load_shipped_catalog(paths: Iterable[Path]) -> Catalog | None:
    """Load the game's own cards, if each reads back just as it is written; else None.

    They are checked where they are changed, by `cards validate` and the tests: to check them all
    at every start would take longer than everything else that a start does.
    """
    cards: list[Card] = []
    try:
        for path in paths:
            file = json.loads(path.read_bytes())
            read = [parse_card(data, file["set"]) for data in file["cards"]]
            if [serialize_card(card) for card in read] != file["cards"]:
                return None
            cards += read
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # loading with checks will report what is wrong
    sound = all(card.copies > 0 and card.levels and card.levels[0].points > 0 for card in cards)
    rising = all(a.points < b.points for card in cards for a, b in pairwise(card.levels))
    alone = len({normalize_card_id(card.id) for card in cards}) == len(cards)
    return Catalog(cards) if sound and rising and alone else None


def normalize_card_id(card_id: str) -> str:
    """Return a form of an id that is equal for ids that people would confuse: P5, P05 and P-5."""
    return re.sub(r"(?<!\d)-?0*(\d+)$", r"\1", card_id)


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
