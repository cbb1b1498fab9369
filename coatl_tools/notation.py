"""Reading a Cóatl as people write it: `<RBBYG>`, `r b b`, or "head red, blue, tail green".

Single letters are always R G B Y K; words are those of every language, with or without
accents. What is written back is always canonical: `str(coatl)`.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from coatl_tools.errors import NotationError
from coatl_tools.language import fold_letters, piece_words
from coatl_tools.pieces import MAX_PIECES, Coatl, Colour, PieceKind, joins_head_to_tail

MAX_CHARACTERS = 10_000
_CANONICAL = re.compile(r"(<?)([RGBYK]+)(>?)")
_COLOUR_BY_SYMBOL = {colour.symbol: colour for colour in Colour}
_SYMBOL_CHARACTERS = "".join(_COLOUR_BY_SYMBOL)
_ITEM_PATTERN = re.compile(
    rf"[<>]|[,;\n]|[{_SYMBOL_CHARACTERS}][^\W\d_]?|[^\W\d_]+|[^\s<>:/|·\-–—.]"
)
_ROLES = ("head", "tail")
# They tell less than the errors of other ways to read the text.
_LEAST_HELPFUL_ERRORS = ("notation.head_and_tail", "notation.dangling")
_ANGLE_SIGNS = str.maketrans("‹«›»", "<<>>")
_COLOUR_BY_LETTER = {letter: Colour[letter] for letter in Colour.__members__}


def parse_coatl(text: str) -> Coatl:
    """Read one Cóatl; raises NotationError that points at the offending piece.

    >>> str(parse_coatl("head red, blue, blue, tail green"))
    '<RBBG>'
    >>> str(parse_coatl(" < r b b "))
    '<RBB'
    """
    canonical = _CANONICAL.fullmatch(text)
    if canonical and len(canonical[2]) <= MAX_PIECES:
        head, letters, tail = canonical.groups()
        if not joins_head_to_tail(len(letters), bool(head), bool(tail)):
            return Coatl(tuple(_COLOUR_BY_LETTER[c] for c in letters), bool(head), bool(tail))
    return _parse_leniently(text)


def format_piece(colour: Colour, kind: PieceKind) -> str:
    """Write one piece in the notation.

    >>> format_piece(Colour.R, PieceKind.HEAD), format_piece(Colour.R, PieceKind.BODY)
    ('<R', 'R')
    """
    return f"{'<' * (kind is PieceKind.HEAD)}{colour.name}{'>' * (kind is PieceKind.TAIL)}"


@dataclass(frozen=True, slots=True)
class _ColourItem:
    """A colour with the column where it stands, and the signs of head and tail near it."""

    colour: Colour
    column: int
    clause: int  # commas before it
    head: bool = False
    tail: bool = False


@dataclass(frozen=True, slots=True)
class _EndSign:
    """A sign (< or >) or a word for a head or a tail."""

    role: str
    text: str
    column: int
    clause: int


def _parse_leniently(text: str) -> Coatl:
    if len(text) > MAX_CHARACTERS:
        raise NotationError("notation.long", text, most=MAX_PIECES)
    text = unicodedata.normalize("NFKC", text).lstrip("\ufeff").replace("\ufe0f", "")
    items = _split_items(text)
    if not items:
        raise NotationError("notation.empty", text)
    if sum(isinstance(item, _ColourItem) for item in items) > MAX_PIECES:
        raise NotationError("notation.long", text, most=MAX_PIECES)
    # "head red" and "red head" are both said: try the word before the colour first. There is
    # one head and one tail; with more words than that, all readings fail alike.
    words = sum(isinstance(item, _EndSign) and item.role in _ROLES for item in items)
    errors = []
    for before in product((True, False), repeat=min(words, 2)):
        try:
            return _build_coatl(_attach_signs(items, text, (*before, *[True] * (words - 2))), text)
        except NotationError as error:
            errors.append(error)
    raise min(
        errors,
        key=lambda error: (
            _LEAST_HELPFUL_ERRORS.index(error.key) if error.key in _LEAST_HELPFUL_ERRORS else -1
        ),
    )


def _split_items(text: str) -> list[_ColourItem | _EndSign]:
    """Split a text into its colours and signs; raises NotationError for unknown words."""
    items: list[_ColourItem | _EndSign] = []
    pieces = clause = 0
    for token in _ITEM_PATTERN.finditer(text.translate(_ANGLE_SIGNS)):
        word, column = token[0], token.start()
        known = _look_up_word(word)
        if word in ",;\n":
            clause += 1
        elif isinstance(known, Colour):
            pieces += 1
            items.append(_ColourItem(known, column, clause))
        elif word in "<>":
            items.append(_EndSign(word, word, column, clause))
        elif known in _ROLES:
            items.append(_EndSign(str(known), word, column, clause))
        elif known is None:
            letters = [
                _ColourItem(colour, column + index, clause)
                for index, colour in enumerate(_parse_letters(word, column, pieces, text))
            ]
            pieces += len(letters)
            items.extend(letters)
    return items


def _look_up_word(word: str) -> Colour | str | None:
    """Look up what a word means; None if it is unknown, or a single letter for a colour.

    Some single letters are words that say nothing: "i" is Polish for "and".
    """
    if word[0] in _COLOUR_BY_SYMBOL:  # a symbol, or as the screens show it: with its letter
        colour = _COLOUR_BY_SYMBOL[word[0]]
        return colour if word[1:].upper() in ("", colour.name) else None
    known = piece_words().get(fold_letters(word))
    if known is None or (len(word) == 1 and known.meaning != "skip"):
        return None
    return known.meaning


def _parse_letters(word: str, column: int, pieces: int, text: str) -> list[Colour]:
    """Parse a word such as RBBYG, letter by letter."""
    colours = [_COLOUR_BY_LETTER.get(char.upper()) for char in word]
    found = [colour for colour in colours if colour is not None]
    if len(found) == len(word):
        return found
    if len(word) > 2 and len(found) * 2 < len(word):  # rather a misspelt word than letters
        close = _find_closest_word(fold_letters(word[:40]))
        if close:
            hint = ("notation.did_you_mean", {"word": close})
            raise NotationError(
                "notation.unknown_word", text, pieces + 1, column, text=word[:40], hint=hint
            )
    wrong = colours.index(None)
    raise NotationError(
        "notation.unknown_letter", text, pieces + wrong + 1, column + wrong, text=word[wrong]
    )


@lru_cache(maxsize=1024)
def _find_closest_word(word: str) -> str:
    """Find the known word that is most like this one; empty if none is."""
    close = difflib.get_close_matches(word, piece_words(), 1, 0.7)
    return piece_words()[close[0]].spelling if close else ""


def _attach_signs(
    items: list[_ColourItem | _EndSign], text: str, words_before: Iterable[bool]
) -> list[_ColourItem]:
    """Attach each sign to the piece that it belongs to, and return the pieces.

    `<` belongs to the colour behind it and `>` to the colour before it; a word belongs to the
    colour behind it, or the colour before it, as `words_before` says of each, with no comma
    between them.
    """
    before = iter(words_before)
    pieces: list[_ColourItem] = []
    waiting: list[_EndSign] = []
    for item in items:
        if isinstance(item, _ColourItem):
            pieces.append(item)
            for sign in waiting:
                _apply_sign(pieces, sign, text)
            waiting = []
        elif item.role == "<" or (item.role in _ROLES and next(before)):
            waiting.append(item)
        elif pieces and not waiting:
            _apply_sign(pieces, item, text)
        else:
            raise _make_dangling_error(item, len(pieces), text)
    if waiting:
        raise _make_dangling_error(waiting[0], len(pieces), text)
    return pieces


def _apply_sign(pieces: list[_ColourItem], sign: _EndSign, text: str) -> None:
    """Make the last piece a head or a tail."""
    piece = pieces[-1]
    if sign.role in _ROLES and sign.clause != piece.clause:
        raise _make_dangling_error(sign, len(pieces) - (sign.column < piece.column), text)
    role = "head" if sign.role in ("<", "head") else "tail"
    if getattr(piece, role):
        raise NotationError(
            "notation.marked_twice", text, len(pieces), sign.column, text=sign.text[:40]
        )
    pieces[-1] = replace(piece, head=True) if role == "head" else replace(piece, tail=True)


def _make_dangling_error(sign: _EndSign, pieces: int, text: str) -> NotationError:
    return NotationError("notation.dangling", text, pieces + 1, sign.column, text=sign.text[:40])


def _build_coatl(pieces: list[_ColourItem], text: str) -> Coatl:
    """Build the Cóatl of these pieces, if they make one (rules 3.7, 3.10)."""
    last = len(pieces)
    for position, piece in enumerate(pieces, start=1):
        key = ""
        if piece.head and piece.tail:
            key = "notation.head_and_tail"
        elif piece.head and position != 1:
            key = "notation.head_not_first"
        elif piece.tail and position != last:
            key = "notation.tail_not_last"
        elif joins_head_to_tail(last, pieces[0].head, piece.tail):
            key = "notation.head_on_tail"
        if key:
            raise NotationError(key, text, position, piece.column)
    return Coatl(tuple(piece.colour for piece in pieces), pieces[0].head, pieces[-1].tail)
