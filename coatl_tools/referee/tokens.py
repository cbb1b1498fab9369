"""The words of a typed command, and what each of them is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from coatl_tools.language import plain, vocabulary
from coatl_tools.notation import parse
from coatl_tools.pieces import Colour
from coatl_tools.referee.vocabulary import keyword
from coatl_tools.rules.box import COLOURS, FEATHER, Piece
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.game import Game

NUMBER, CARD, LETTERS, COLOUR, END, WORD, STRANGE = (
    *("number", "card", "letters", "colour", "end", "word", "strange"),
)
PIECE_KINDS = (LETTERS, COLOUR, END)
_LETTERS = re.compile(rf"[<‹«]?[{COLOURS}{FEATHER}]*[>›»]?", re.IGNORECASE)
_SYMBOLS = "".join(colour.symbol for colour in Colour)
_SKIPPED = str.maketrans(",:=+", "    ")
_MAX_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it was typed, its kind, and what it means: a card's id, a keyword, an end."""

    text: str
    kind: str
    value: str = ""

    @property
    def number(self) -> int:
        """The number that it is."""
        return int(self.text)


def tokens_of(text: str, game: Game, language: str) -> list[Token]:
    """The words of a command that say something."""
    found = []
    for word in unicodedata.normalize("NFKC", text).translate(_SKIPPED).split():
        parts = [word]
        if "-" in word and plain(word) not in _plain_ids(tuple(game.by_id)):
            parts = [part for part in word.split("-") if part]  # “tail-end”
        found += [_token(part, game, language) for part in parts]
    return [token for token in found if token.value != "skip"]


@lru_cache(maxsize=8)
def _plain_ids(cards: tuple[str, ...]) -> dict[str, str]:
    return {plain(card): card for card in cards}


def _token(word: str, game: Game, language: str) -> Token:
    if word.isascii() and word.isdigit() and len(word) <= _MAX_DIGITS:
        return Token(word, NUMBER)
    if word == UNKNOWN:
        return Token(word, CARD, UNKNOWN)
    card = _plain_ids(tuple(game.by_id)).get(plain(word))
    if card:
        return Token(word, CARD, card)
    if _LETTERS.fullmatch(word) or word[0] in _SYMBOLS:
        return Token(word, LETTERS)
    known = vocabulary().get(plain(word))
    if known and isinstance(known.meaning, Colour):
        return Token(word, COLOUR, known.meaning.name)
    if known and known.meaning in ("head", "tail"):
        return Token(word, END, str(known.meaning))
    meaning = keyword(word, language)
    if meaning:
        return Token(word, WORD, meaning)
    if known:  # “body”, “segment”: what a piece is if nothing else is said
        return Token(word, WORD, "skip")
    return Token(word, STRANGE)


def pieces_of(tokens: Iterable[Token]) -> tuple[Piece, ...]:
    """The pieces that these words name, from head to tail; NotationError if they name none."""
    tokens = list(tokens)
    if any(token.kind == LETTERS and FEATHER in token.text.upper() for token in tokens):
        return letters_of(tokens)
    coatl = parse(" ".join(token.text for token in tokens))
    pieces = [colour.name for colour in coatl.colours]
    if coatl.head:
        pieces[0] = f"<{pieces[0]}"
    if coatl.tail:
        pieces[-1] += ">"
    return tuple(pieces)


def letters_of(tokens: Iterable[Token]) -> tuple[str, ...]:
    """The colour letters that these words name, whatever kind of piece they are for."""
    found: list[str] = []
    for token in tokens:
        if token.kind == COLOUR:
            found.append(token.value)
        elif token.kind == LETTERS:
            found += [char for char in map(_letter, token.text.upper()) if char]
    return tuple(found)


def _letter(char: str) -> str:
    if char in _SYMBOLS:
        return COLOURS[_SYMBOLS.index(char)]
    return char if char in COLOURS + FEATHER else ""
