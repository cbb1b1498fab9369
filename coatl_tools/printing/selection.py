"""Cards chosen by their ids, as people list them: `P01-P10,T03`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CommandLineError, UnknownCardError


def chosen_cards(catalog: Catalog, text: str) -> tuple[Card, ...]:
    """The cards that a list of ids and ranges names, each once, in its order.

    Raises UnknownCardError for an id that is none, CommandLineError for a range that is none.
    """
    words = [word for word in re.split(r"[,;\s]+", text.strip()) if word]
    if not words:
        raise CommandLineError("print.range", text=text[:40])
    found: dict[str, Card] = {}
    for word in words:
        found |= {card.id: card for card in _cards_of(catalog, word)}
    return tuple(found.values())


def _cards_of(catalog: Catalog, word: str) -> Iterator[Card]:
    word = word.replace("–", "-").replace("..", "-")
    try:
        yield catalog[word]
        return
    except UnknownCardError:
        if "-" not in word.strip("-"):
            raise
    first, last = _ends(catalog, word)
    prefix, low = _parts(first.id)
    other, high = _parts(last.id)
    if prefix != other or low is None or high is None or low > high:
        raise CommandLineError("print.range", text=word[:40])
    for card in catalog:
        begin, number = _parts(card.id)
        if begin == prefix and number is not None and low <= number <= high:
            yield card


def _ends(catalog: Catalog, word: str) -> tuple[Card, Card]:
    """The first and the last card of a range; an id may have a hyphen of its own."""
    cuts = [at for at, char in enumerate(word) if char == "-" and 0 < at < len(word) - 1]
    for cut in cuts:
        left, right = word[:cut], word[cut + 1 :]
        try:
            first = catalog[left]
        except UnknownCardError:
            continue
        if right.isdecimal():  # P01-10
            right = f"{_parts(first.id)[0]}{right}"
        return first, catalog[right]
    middle = cuts[len(cuts) // 2]
    return catalog[word[:middle]], catalog[word[middle + 1 :]]


def _parts(card_id: str) -> tuple[str, int | None]:
    """What an id begins with, and its number: ("P", 5)."""
    found = re.fullmatch(r"(.*?)(\d*)", card_id)
    assert found is not None
    prefix, number = found.groups()
    return prefix, int(number) if number else None
