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
_SHOWN = re.compile(rf"([{_SYMBOLS}])[{COLOURS}]?")
_PIECE = re.compile(rf"<?[{COLOURS}{FEATHER}]>?")
_SIGNS = str.maketrans("‹«›»", "<<>>")
_RANGE = re.compile(r"(\d{1,2})[-–](\d{1,2})")
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
        found += [_token(part, game, language) for part in _parts(word, game)]
    return [token for token in found if token.value != "skip"]


def _parts(word: str, game: Game) -> list[str]:
    """The words of `tail-end`, the numbers of `2-4`; other words are one."""
    numbers = _RANGE.fullmatch(word)
    if numbers:
        first, last = map(int, numbers.groups())
        return [str(number) for number in range(first, last + 1)] or [word]
    parts = word.split("-")
    if all(map(str.isalpha, parts)) and plain(word) not in _plain_ids(tuple(game.by_id)):
        return parts
    return [word]


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
        return drawn_of(tokens)
    coatl = parse(" ".join(token.text for token in tokens))
    pieces = [colour.name for colour in coatl.colours]
    if coatl.head:
        pieces[0] = f"<{pieces[0]}"
    if coatl.tail:
        pieces[-1] += ">"
    return tuple(pieces)


def drawn_of(tokens: Iterable[Token]) -> tuple[Piece, ...]:
    """What was drawn, one by one: a bare colour for any kind, a head or tail where it is said."""
    found: list[Piece] = []
    ahead, after_word = "", False  # the end that was said of the next piece; “red”, then “head”
    for token in tokens:
        if token.kind == END and after_word and len(found[-1]) == 1:
            found[-1] = _of_end(found[-1], token.value)
        elif token.kind == END:
            ahead = token.value
        elif token.kind in (COLOUR, LETTERS):
            pieces = [token.value] if token.kind == COLOUR else _lettered(token.text)
            if pieces and ahead:
                pieces[0], ahead = _of_end(pieces[0], ahead), ""
            found += pieces
        after_word = token.kind == COLOUR
    return tuple(found)


def _of_end(colour: str, end: str) -> Piece:
    return f"<{colour.strip('<>')}" if end == "head" else f"{colour.strip('<>')}>"


def _lettered(text: str) -> list[Piece]:
    """The pieces of `<RG`, or of `▲R ●G` as the screens show it."""
    letters = _SHOWN.sub(_letter, text.upper().translate(_SIGNS))
    return _PIECE.findall(letters)


def _letter(shown: re.Match[str]) -> str:
    return COLOURS[_SYMBOLS.index(shown[1])]
