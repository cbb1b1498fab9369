"""All cards in play: the game's own, and those that a player adds."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from coatl_tools.cards.card import Card
from coatl_tools.cards.files import Entry, read_cards
from coatl_tools.cards.source import Problem, read_json
from coatl_tools.errors import CardDataError, FileError, UnknownCardError
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
    return _assembled([*(CARDDATA / name for name in CARD_FILES), *map(Path, files)])


@lru_cache(maxsize=1)
def _own_catalog() -> Catalog:
    return _assembled([CARDDATA / name for name in CARD_FILES])


def _assembled(paths: Sequence[Path]) -> Catalog:
    entries: list[Entry] = []
    problems: list[Problem] = []
    for path in paths:
        if not path.exists():
            raise FileError("file.missing", path=path)
        if path.is_dir():
            raise FileError("file.folder", path=path)
        source, found = read_json(path)
        problems.extend(found)
        if source is not None:
            read, found = read_cards(source)
            entries.extend(read)
            problems.extend(found)
    problems.extend(repeated_ids(entries))
    if problems:
        raise CardDataError("cards.problems", problems=tuple(map(str, problems)))
    return Catalog(entry.card for entry in entries if entry.card is not None)


def likeness(card_id: str) -> str:
    """What ids have in common that people would confuse: P5, P05 and P-5."""
    return re.sub(r"(?<!\d)-?0*(\d+)$", r"\1", card_id)


def repeated_ids(entries: Iterable[Entry]) -> Iterator[Problem]:
    """Cards whose id another card has. The very same card in another file is no problem."""
    first: dict[str, Entry] = {}
    for entry in entries:
        known = first.setdefault(likeness(entry.id), entry)
        if known is entry or not entry.id:
            continue
        if known.source is entry.source or known.card is None or known.card != entry.card:
            where = known.problem("")
            taken = "this id is taken" if known.id == entry.id else "this id is too like another"
            yield entry.problem(f"{taken}: {where.path}:{where.line} has a card {known.id}", "id")
