"""What a person says against a reading, and how it is written.

| written | says |
|---|---|
| `1.4=B`, `1.4=blue` | piece 4 of Cóatl 1 is blue |
| `1.1=<R`, `1.6=R>`, `1.1=body` | it is a red head, a red tail, a body segment |
| `1.4-`, `1.4+K`, `1.0+<R` | no such piece; a piece was missed behind it, before the first one |
| `1=<RBBG>` | the whole Cóatl |
| `1~`, `1 reverse` | the other way round: the head end is the tail end |
| `1.4/`, `1+2` | Cóatl 1 ends behind piece 4; Cóatl 2 goes on where Cóatl 1 ends |
| `1-`, `+<RBB` | no such Cóatl; a Cóatl that was missed |
| `c2=P29`, `c2@1`, `c2=P29@1` | what card 2 is, beside which Cóatl it lies |
| `c2-`, `+P29`, `+P29@1` | no such card; a card that was missed |
| `1.4 ok`, `1 ok`, `c2 ok`, `ok` | it is right as it was read |

Numbers count from 1, as they are shown. Each correction speaks of what those before it have left.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CorrectionError, NotationError
from coatl_tools.language import load_language, plain, vocabulary
from coatl_tools.notation import parse
from coatl_tools.pieces import Colour, Kind
from coatl_tools.referee.written import is_card
from coatl_tools.resources import CODES
from coatl_tools.vision.corrections import (
    CardIs,
    CardMissed,
    CoatlIs,
    CoatlMissed,
    Correction,
    Joined,
    NoCard,
    NoCoatl,
    NoPiece,
    PieceIs,
    PieceMissed,
    Reversed,
    Right,
    Split,
)

MAX_CHARACTERS = 10_000
T = TypeVar("T")

_SIGNS = str.maketrans("‹«›»–—−", "<<>>---")
_NUMBER = r"\d{1,3}"
_PIECE = re.compile(rf"({_NUMBER})\s*\.\s*({_NUMBER})\s*(.*)", re.DOTALL)
_COATL = re.compile(rf"({_NUMBER})(?!\d)\s*(.*)", re.DOTALL)
_CARD = re.compile(rf"c\s*({_NUMBER})(?!\d)\s*(.*)", re.DOTALL | re.IGNORECASE)
_BESIDE = re.compile(rf"(.*?)\s*@\s*({_NUMBER})", re.DOTALL)


def parse_corrections(text: str, catalog: Catalog) -> tuple[Correction, ...]:
    """Corrections with `;` between them; raises what `parse_correction` raises."""
    parts = [part for part in text.split(";") if part.strip()]
    return tuple(parse_correction(part, catalog) for part in parts or [text])


def parse_correction(text: str, catalog: Catalog) -> Correction:
    """Read a correction; raises CorrectionError, NotationError or UnknownCardError.

    >>> from coatl_tools import load_cards
    >>> str(parse_correction("1.4 = niebieska głowa", load_cards()))
    '1.4=<B'
    """
    if len(text) > MAX_CHARACTERS:
        raise CorrectionError("fix.long", most=MAX_CHARACTERS)
    said = unicodedata.normalize("NFKC", text).translate(_SIGNS).strip()
    if _means("read_word_ok", said):
        return Right()
    if found := _PIECE.fullmatch(said):
        return _of_piece(int(found[1]), int(found[2]), found[3].strip(), said)
    if found := _CARD.fullmatch(said):
        return _of_card(int(found[1]), found[2].strip(), catalog, said)
    if found := _COATL.fullmatch(said):
        return _of_coatl(int(found[1]), found[2].strip(), said)
    if said.startswith("+"):
        return _missed(said[1:].strip(), catalog, said)
    raise _shape(said)


def piece_said(text: str) -> tuple[Colour | None, Kind | None]:
    """What a few words or signs say of one piece: `B`, `<R`, `blue`, `tail`, `body`, `head red`.

    Raises CorrectionError for what is no piece, or more than one.
    """
    roles = {"<": Kind.HEAD, ">": Kind.TAIL, "head": Kind.HEAD, "tail": Kind.TAIL}
    words = re.findall(r"[<>]|[^\W\d_]+", text.translate(_SIGNS))
    meanings = [_meaning(word) for word in words]
    if words and all(isinstance(meaning, str) for meaning in meanings):
        named = [str(meaning) for meaning in meanings if meaning != "skip"]
        if len(named) == 1:
            return None, roles.get(named[0], Kind.BODY)
    try:
        shape = parse(text)
    except NotationError as error:  # which counts the pieces of a whole Cóatl
        key = "fix.misspelt_piece" if "hint" in error.details else "fix.not_a_piece"
        raise CorrectionError(key, **(error.details | {"text": text})) from error
    if len(shape) != 1:
        raise CorrectionError("fix.one_piece", text=text, n=len(shape))
    colour = shape.colours[0]
    if shape.head or shape.tail:
        return colour, Kind.HEAD if shape.head else Kind.TAIL
    return colour, Kind.BODY if "body" in meanings else None


def _meaning(word: str) -> Colour | str | None:
    if word in "<>":
        return word
    known = vocabulary().get(plain(word))
    return known.meaning if known and len(word) > 1 else None


@lru_cache(maxsize=8)
def _words(key: str) -> frozenset[str]:
    return frozenset(plain(load_language(code).label(key)) for code in CODES)


def _means(key: str, text: str) -> bool:
    """Whether this is the word of that label in one of the languages."""
    return plain(text) in _words(key)


def _shape(text: str) -> CorrectionError:
    return CorrectionError("fix.shape", text=text[:80])


def _of_piece(coatl: int, piece: int, rest: str, said: str) -> Correction:
    if rest == "-":
        return NoPiece(coatl, piece)
    if rest in ("/", "|"):
        return Split(coatl, piece)
    if rest.startswith("="):
        colour, kind = _told(piece_said, rest[1:], said)
        return PieceIs(coatl, piece, colour, kind)
    if rest.startswith("+"):
        return _piece_missed(coatl, piece, rest[1:], said)
    if _means("read_word_ok", rest):
        return Right(coatl, piece)
    raise _shape(said)


def _of_coatl(coatl: int, rest: str, said: str) -> Correction:
    if rest == "-":
        return NoCoatl(coatl)
    if rest == "~" or _means("read_word_reverse", rest):
        return Reversed(coatl)
    if rest.startswith("="):
        return CoatlIs(coatl, _told(parse, rest[1:], said))
    if rest.startswith("+"):
        other = rest[1:].strip()
        if re.fullmatch(_NUMBER, other):
            return Joined(coatl, int(other))
        return _piece_missed(coatl, None, other, said)
    if _means("read_word_ok", rest):
        return Right(coatl)
    raise _shape(said)


def _of_card(card: int, rest: str, catalog: Catalog, said: str) -> Correction:
    if rest == "-":
        return NoCard(card)
    if _means("read_word_ok", rest):
        return Right(card=card)
    which, coatl = _placed(rest)
    if which.startswith("="):
        return CardIs(card, catalog[which[1:].strip()].id, coatl)
    if not which and coatl is not None:
        return CardIs(card, None, coatl)
    raise _shape(said)


def _missed(rest: str, catalog: Catalog, said: str) -> Correction:
    which, coatl = _placed(rest)
    if coatl is not None or is_card(which, catalog):
        return CardMissed(catalog[which].id, coatl)
    return CoatlMissed(_told(parse, rest, said))


def _placed(text: str) -> tuple[str, int | None]:
    """A card, and the Cóatl behind an @."""
    found = _BESIDE.fullmatch(text)
    return (found[1].strip(), int(found[2])) if found else (text, None)


def _piece_missed(coatl: int, behind: int | None, rest: str, said: str) -> PieceMissed:
    colour, kind = _told(piece_said, rest, said)
    if colour is None:
        raise CorrectionError("fix.no_colour", text=said[:80])
    return PieceMissed(coatl, behind, colour, kind or Kind.BODY)


def _told(read: Callable[[str], T], text: str, said: str) -> T:
    """What is read of a part; a mistake in it is shown within all that was said."""
    if not text.strip():
        raise CorrectionError("fix.nothing", text=said[:80])
    try:
        return read(text.strip())
    except NotationError as error:
        if error.source in said:
            error.column += said.index(error.source)
            error.source = said
        raise
