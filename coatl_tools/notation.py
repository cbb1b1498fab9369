"""Reading a Cóatl as people write it: `<RBBYG>`, `r b b`, or "head red, blue, tail green".

Single letters are always R G B Y K; words are those of the three languages, with or without
accents. What is written back is always canonical: `str(coatl)`.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace

from coatl_tools.errors import NotationError
from coatl_tools.language import plain, vocabulary
from coatl_tools.pieces import MAX_PIECES, Coatl, Colour

MAX_CHARACTERS = 10_000
_CANONICAL = re.compile(r"(<?)([RGBYK]+)(>?)")
_TOKEN = re.compile(r"[<>]|[^\W\d_]+|[^\s<>,;:/|·\-–—.]", re.UNICODE)
_SIGNS = str.maketrans("‹«›»", "<<>>")
_SYMBOLS = {colour.symbol: colour for colour in Colour}
_LETTERS = {letter: Colour[letter] for letter in Colour.__members__}


def parse(text: str) -> Coatl:
    """Read one Cóatl; raises NotationError that points at the offending piece.

    >>> str(parse("head red, blue, blue, tail green"))
    '<RBBG>'
    >>> str(parse(" < r b b "))
    '<RBB'
    """
    canonical = _CANONICAL.fullmatch(text)
    if canonical and len(canonical[2]) <= MAX_PIECES:
        head, letters, tail = canonical.groups()
        if not (head and tail and len(letters) < 3):
            return Coatl(tuple(_LETTERS[c] for c in letters), bool(head), bool(tail))
    return _read(text)


@dataclass(frozen=True, slots=True)
class _Found:
    """A colour with the column where it stands, and the signs of head and tail near it."""

    colour: Colour
    column: int
    head: bool = False
    tail: bool = False


@dataclass(frozen=True, slots=True)
class _Sign:
    """A sign (< or >) or a word for a head or a tail."""

    role: str
    text: str
    column: int


def _read(text: str) -> Coatl:
    if len(text) > MAX_CHARACTERS:
        raise NotationError("notation.long", text, most=MAX_PIECES)
    items = _items(text)
    if not items:
        raise NotationError("notation.empty", text)
    if sum(isinstance(item, _Found) for item in items) > MAX_PIECES:
        raise NotationError("notation.long", text, most=MAX_PIECES)
    # "head red blue" and "red head blue" are both said: try the sign before the colour first.
    try:
        return _joined(_attached(items, text, words_before=True), text)
    except NotationError as error:
        try:
            return _joined(_attached(items, text, words_before=False), text)
        except NotationError:
            raise error from None


def _items(text: str) -> list[_Found | _Sign]:
    """The colours and signs of the text in their order; unknown words are errors."""
    items: list[_Found | _Sign] = []
    pieces = 0
    for token in _TOKEN.finditer(text.translate(_SIGNS)):
        word, column = token[0], token.start()
        known = _word(word)
        if isinstance(known, Colour):
            pieces += 1
            items.append(_Found(known, column))
        elif word in "<>":
            items.append(_Sign(word, word, column))
        elif known in ("head", "tail"):
            items.append(_Sign(str(known), word, column))
        elif known is None:
            letters = _letters(word, column, pieces, text)
            pieces += len(letters)
            items.extend(letters)
    return items


def _word(word: str) -> Colour | str | None:
    """What a word means; a single letter is a colour, or says nothing ("i" is Polish "and")."""
    if word in _SYMBOLS:
        return _SYMBOLS[word]
    known = vocabulary().get(plain(word))
    if known is None or (len(word) == 1 and known.meaning != "skip"):
        return None
    return known.meaning


def _letters(word: str, column: int, pieces: int, text: str) -> list[_Found]:
    """A word such as RBBYG, letter by letter."""
    found: list[_Found] = []
    for index, char in enumerate(word):
        colour = _LETTERS.get(char.upper())
        if colour is None:
            close = difflib.get_close_matches(plain(word), vocabulary(), 1, 0.7)
            if len(word) > 2 and close:
                hint = ("notation.did_you_mean", {"word": vocabulary()[close[0]].spelling})
                raise NotationError(
                    "notation.unknown_word", text, pieces + 1, column, text=word[:40], hint=hint
                )
            raise NotationError(
                "notation.unknown_letter", text, pieces + index + 1, column + index, text=char
            )
        found.append(_Found(colour, column + index))
    return found


def _attached(items: list[_Found | _Sign], text: str, words_before: bool) -> list[_Found]:
    """The pieces, each with the signs that belong to it.

    `<` belongs to the colour behind it and `>` to the colour before it; a word belongs to the
    colour behind it or, the other way of saying it, to the colour before it.
    """
    pieces: list[_Found] = []
    waiting: list[_Sign] = []
    for item in items:
        if isinstance(item, _Found):
            pieces.append(item)
            for sign in waiting:
                _mark(pieces, sign, text)
            waiting = []
        elif item.role == "<" or (item.role != ">" and words_before):
            waiting.append(item)
        elif pieces and not waiting:
            _mark(pieces, item, text)
        else:
            raise _dangling(item, len(pieces), text)
    if waiting:
        raise _dangling(waiting[0], len(pieces), text)
    return pieces


def _mark(pieces: list[_Found], sign: _Sign, text: str) -> None:
    """Make the last piece a head or a tail."""
    piece = pieces[-1]
    role = "head" if sign.role in ("<", "head") else "tail"
    if getattr(piece, role):
        raise NotationError(
            "notation.marked_twice", text, len(pieces), sign.column, text=sign.text[:40]
        )
    pieces[-1] = replace(piece, head=True) if role == "head" else replace(piece, tail=True)


def _dangling(sign: _Sign, pieces: int, text: str) -> NotationError:
    return NotationError("notation.dangling", text, pieces + 1, sign.column, text=sign.text[:40])


def _joined(pieces: list[_Found], text: str) -> Coatl:
    """The Cóatl of these pieces, if they make one (rules 3.7, 3.10)."""
    last = len(pieces)
    for position, piece in enumerate(pieces, start=1):
        key = ""
        if piece.head and piece.tail:
            key = "notation.head_and_tail"
        elif piece.head and position != 1:
            key = "notation.head_not_first"
        elif piece.tail and position != last:
            key = "notation.tail_not_last"
        elif piece.tail and last == 2 and pieces[0].head:
            key = "notation.head_on_tail"
        if key:
            raise NotationError(key, text, position, piece.column)
    return Coatl(tuple(piece.colour for piece in pieces), pieces[0].head, pieces[-1].tail)
