"""All cards in play: the game's own, and those that a player adds."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from coatl_tools.cards.card import Card
from coatl_tools.cards.data import card_data, card_from
from coatl_tools.errors import UnknownCardError
from coatl_tools.resources import CARDDATA

BASE = "base"
PROMO = "promo"
CARD_FILES = ("prophecy.json", "temple.json", "promo.json")


class Catalog:
    """Cards by id, in the order of their files."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._by_id = {card.id: card for card in cards}
        self._by_likeness = {likeness(card_id): card for card_id, card in self._by_id.items()}

    def __iter__(self) -> Iterator[Card]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __getitem__(self, card_id: str) -> Card:
        """A card by its id, also written `p5` or `p05`; raises UnknownCardError."""
        if card_id in self._by_id:
            return self._by_id[card_id]
        wanted = card_id.strip().upper()
        if likeness(wanted) in self._by_likeness:
            return self._by_likeness[likeness(wanted)]
        close = difflib.get_close_matches(wanted[:20], self._by_id, 3)
        raise UnknownCardError(
            "cards.unknown",
            id=card_id[:40],
            hint=("cards.did_you_mean", {"ids": ", ".join(close)})
            if close
            else ("cards.see_list", {}),
        )

    def deck(self, promo: bool = False) -> tuple[Card, ...]:
        """The cards to play with: the base game and a player's own, the promo ones if asked."""
        return tuple(card for card in self if promo or card.set != PROMO)


def load_cards(*files: Path | str) -> Catalog:
    """The game's cards and those of these files; raises CardDataError listing every problem.

    A file that is not there is a FileError.
    """
    if not files:
        return _own_catalog()
    return _checked([*(CARDDATA / name for name in CARD_FILES), *map(Path, files)])


def _checked(paths: Sequence[Path]) -> Catalog:
    from coatl_tools.cards.checked import checked_cards  # noqa: PLC0415 (it takes long to load)

    return Catalog(checked_cards(paths))


@lru_cache(maxsize=1)
def _own_catalog() -> Catalog:
    paths = [CARDDATA / name for name in CARD_FILES]
    return _as_shipped(paths) or _checked(paths)


def _as_shipped(paths: Iterable[Path]) -> Catalog | None:
    """The game's own cards, if each reads back just as it is written; else None.

    They are checked where they are changed, by `cards validate` and the tests: to check them all
    at every start would take longer than everything else that a start does.
    """
    cards: list[Card] = []
    try:
        for path in paths:
            file = json.loads(path.read_bytes())
            read = [card_from(data, file["set"]) for data in file["cards"]]
            if [card_data(card) for card in read] != file["cards"]:
                return None
            cards += read
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # what is wrong will be said by those who check
    sound = all(card.copies > 0 and card.levels and card.levels[0].points > 0 for card in cards)
    rising = all(a.points < b.points for card in cards for a, b in pairwise(card.levels))
    alone = len({likeness(card.id) for card in cards}) == len(cards)
    return Catalog(cards) if sound and rising and alone else None


def likeness(card_id: str) -> str:
    """What ids have in common that people would confuse: P5, P05 and P-5."""
    return re.sub(r"(?<!\d)-?0*(\d+)$", r"\1", card_id)
