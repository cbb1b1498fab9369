"""Finding a card by a few characters: its id, its points, the pieces of its row, its colour.

Cards that lie on a table are known by what they show: `bbyy` is the row of P29, `r 5` a card
with red that pays 5 points, `3=2` one that pays 2 for 3, `green` one with a green frame. Who
browses all cards may also write words of their text, in any of the languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card
from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    PieceSequence,
    SingleRequirement,
    split_requirement,
)
from coatl_tools.language import fold_letters, load_languages, piece_words
from coatl_tools.pieces import Colour

_LEVEL_PATTERN = re.compile(r"(\d{1,2})[x×:]?=?(\d{1,2})?")
_WORD_PATTERN = re.compile(r"\w+")
_NO_MATCH = 100  # no rank: the card does not fit


def find_cards(
    typed: str, cards: Iterable[Card], first: Iterable[str] = (), in_text: bool = False
) -> list[Card]:
    """Find the cards that fit every word typed, the best first; among equals, those of `first`.

    With `in_text`, a word also fits if it stands in a card's text, or begins a word there.

    >>> from coatl_tools import load_cards
    >>> [card.id for card in find_cards("bbyy", load_cards())]
    ['P29']
    """
    words = unicodedata.normalize("NFKC", typed).lower().split()
    preferred = list(first)
    found = []
    for order, card in enumerate(cards):
        ranks = [
            min(_rank_word(word, card), _rank_text_word(word, card) if in_text else _NO_MATCH)
            for word in words
        ]
        if _NO_MATCH in ranks:
            continue
        liked = preferred.index(card.id) if card.id in preferred else len(preferred)
        found.append((sum(ranks), liked, order, card))
    return [card for *_, card in sorted(found, key=lambda entry: entry[:3])]


def _rank_word(word: str, card: Card) -> int:
    """Rank how well a word fits a card: 0 is its id itself, `_NO_MATCH` not at all."""
    if word == card.id.lower():
        return 0
    known = piece_words().get(fold_letters(word))
    if known is not None and isinstance(known.meaning, Colour) and len(word) > 1:
        return 1 if card.colour == known.meaning else _NO_MATCH
    ranks = [_NO_MATCH]
    if card.id.lower().startswith(word):
        ranks.append(2)
    elif len(word) > 1 and card.id.lower().endswith(word):  # 29, but 9 is rather points
        ranks.append(1)
    if found := _LEVEL_PATTERN.fullmatch(word):
        ranks += _rank_points(found, card)
    if set(word) <= set("rgbyk*"):
        ranks += _rank_row(word.upper(), card)
    return min(ranks)


def _rank_text_word(word: str, card: Card) -> int:
    """Rank a word by whether it stands in a card's text or begins a word there, accents aside."""
    ranks = [_NO_MATCH]
    for part in _WORD_PATTERN.findall(fold_letters(word)):  # `l'autre` is two
        known = _collect_text_words(card)
        if part in known:
            ranks.append(4)
        elif len(part) > 1 and any(one.startswith(part) for one in known):
            ranks.append(5)
        else:
            return _NO_MATCH
    return min(ranks)


@lru_cache(maxsize=1000)
def _collect_text_words(card: Card) -> frozenset[str]:
    """Collect the words of a card's text, colours, kind and set, in all languages.

    They are in lower case and without accents.
    """
    shown = set("".join(map(_list_row_letters, split_requirement(card.requirement)))) & set(
        Colour.__members__
    )
    said = [card.set]
    for words in load_languages():
        said += [describe_card(card, words.code), words.label(card.kind.value)]
        said += [form for letter in shown for form in words.colours[Colour[letter]].values()]
    return frozenset(_WORD_PATTERN.findall(fold_letters(" ".join(said))))


def _rank_points(found: re.Match[str], card: Card) -> list[int]:
    """Rank what a number matches: points, or a Cóatl's length; `3=2` is a level of the card."""
    number = int(found[1])
    if found[2] is not None:
        level = (number, int(found[2]))
        return [1 for known in card.levels if (known.count, known.points) == level]
    lengths = [
        part.pieces for part in split_requirement(card.requirement) if isinstance(part, Length)
    ]
    return [2 for known in card.levels if known.points == number] + [2] * (number in lengths)


def _rank_row(letters: str, card: Card) -> list[int]:
    """Rank what letters match: a whole row of the card, its beginning, or a part of it."""
    ranks = []
    for row in map(_list_row_letters, split_requirement(card.requirement)):
        if row == letters:
            ranks.append(1)
        elif row.startswith(letters):
            ranks.append(2)
        elif letters in row:
            ranks.append(3)
    return ranks


def _list_row_letters(part: SingleRequirement) -> str:
    """List the pieces that a card shows, as letters, from head to tail; crossed-out ones too."""
    match part:
        case ColourCount(colour) | Absent(colour) | NoProphecy(colour):
            return colour.name
        case PieceSequence(elements, before, after):
            letters = [
                element.colour.name if element.colour is not None else "*" for element in elements
            ]
            outside = [colour.name if colour is not None else "" for colour in (before, after)]
            return "".join([outside[0], *letters, outside[1]])
        case Multiset(needs):
            return "".join(colour.name * number for colour, number in needs)
        case Equal(first, second):
            return first.name + second.name
        case Length():
            return ""
