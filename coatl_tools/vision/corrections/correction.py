"""The corrections that a person can make to a reading, and how they are written.

| written | says |
|---|---|
| `1.4=B`, `1.4=blue` | piece 4 of Cóatl 1 is blue |
| `1.1=<R`, `1.6=R>`, `1.1=body` | it is a red head, a red tail, a body segment |
| `1.4-`, `1.4+K`, `1.0+<R` | no such piece; a piece was missed behind it, before the first one |
| `1=<RBBG>` | the whole Cóatl |
| `1~`, `1 reverse` | the other way round: the head end is the tail end |
| `1.4/`, `1+2` | Cóatl 1 ends behind piece 4; Cóatl 2 goes on where Cóatl 1 ends |
| `1-`, `+<RBB` | no such Cóatl; a Cóatl that was missed |
| `1@2` | Cóatl 1 is player 2's |
| `c2=P29`, `c2@1`, `c2=P29@1` | what card 2 is, beside which Cóatl it lies |
| `c2-`, `+P29`, `+P29@1` | no such card; a card that was missed |
| `1.4 ok`, `1 ok`, `c2 ok`, `ok` | it is right as it was read |

Numbers count from 1, as they are shown. Each correction speaks of what those before it have left.
`str` gives a correction as it is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, TypeVar

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CorrectionError, NotationError
from coatl_tools.language import fold_letters, load_languages, piece_words
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Coatl, Colour, PieceKind
from coatl_tools.referee.position_text import is_card_word

MAX_CHARACTERS = 10_000
T = TypeVar("T")

_SIGN_VARIANTS = str.maketrans("‹«›»–—−", "<<>>---")
_NUMBER_PATTERN = r"\d{1,3}"
_PIECE_PATTERN = re.compile(rf"({_NUMBER_PATTERN})\s*\.\s*({_NUMBER_PATTERN})\s*(.*)", re.DOTALL)
_COATL_PATTERN = re.compile(rf"({_NUMBER_PATTERN})(?!\d)\s*(.*)", re.DOTALL)
_CARD_PATTERN = re.compile(rf"c\s*({_NUMBER_PATTERN})(?!\d)\s*(.*)", re.DOTALL | re.IGNORECASE)
_BESIDE_PATTERN = re.compile(rf"(.*?)\s*@\s*({_NUMBER_PATTERN})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SetPiece:
    """What a piece is; what is not said of it stays."""

    coatl: int
    piece: int
    colour: Colour | None = None
    kind: PieceKind | None = None

    def __str__(self) -> str:
        return f"{self.coatl}.{self.piece}={_format_piece(self.colour, self.kind)}"


@dataclass(frozen=True, slots=True)
class RemovePiece:
    """There is no such piece."""

    coatl: int
    piece: int

    def __str__(self) -> str:
        return f"{self.coatl}.{self.piece}-"


@dataclass(frozen=True, slots=True)
class AddPiece:
    """A piece was missed behind this one; behind 0 is before the first, behind None at the end."""

    coatl: int
    behind: int | None
    colour: Colour
    kind: PieceKind = PieceKind.BODY

    def __str__(self) -> str:
        where = "" if self.behind is None else f".{self.behind}"
        return f"{self.coatl}{where}+{_format_piece(self.colour, self.kind)}"


@dataclass(frozen=True, slots=True)
class SetCoatl:
    """What a whole Cóatl is."""

    coatl: int
    shape: Coatl

    def __str__(self) -> str:
        return f"{self.coatl}={self.shape}"


@dataclass(frozen=True, slots=True)
class ReverseCoatl:
    """A Cóatl lies the other way round."""

    coatl: int

    def __str__(self) -> str:
        return f"{self.coatl}~"


@dataclass(frozen=True, slots=True)
class SplitCoatl:
    """What was read as one Cóatl are two: the first ends behind this piece."""

    coatl: int
    behind: int

    def __str__(self) -> str:
        return f"{self.coatl}.{self.behind}/"


@dataclass(frozen=True, slots=True)
class JoinCoatls:
    """Two Cóatls are one: the second goes on where the first one ends."""

    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.first}+{self.second}"


@dataclass(frozen=True, slots=True)
class RemoveCoatl:
    """There is no such Cóatl."""

    coatl: int

    def __str__(self) -> str:
        return f"{self.coatl}-"


@dataclass(frozen=True, slots=True)
class AddCoatl:
    """A Cóatl that was not seen."""

    shape: Coatl

    def __str__(self) -> str:
        return f"+{self.shape}"


@dataclass(frozen=True, slots=True)
class SetPlayer:
    """Whose a Cóatl is."""

    coatl: int
    player: int

    def __str__(self) -> str:
        return f"{self.coatl}@{self.player}"


@dataclass(frozen=True, slots=True)
class SetCard:
    """Which card it is, and beside which Cóatl it lies; what is not said stays."""

    card: int
    id: str | None = None
    coatl: int | None = None

    def __str__(self) -> str:
        which = "" if self.id is None else f"={self.id}"
        return f"c{self.card}{which}{_format_beside(self.coatl)}"


@dataclass(frozen=True, slots=True)
class RemoveCard:
    """There is no such card."""

    card: int

    def __str__(self) -> str:
        return f"c{self.card}-"


@dataclass(frozen=True, slots=True)
class AddCard:
    """A card that was not seen; it lies beside the only Cóatl, if none is said."""

    id: str
    coatl: int | None = None

    def __str__(self) -> str:
        return f"+{self.id}{_format_beside(self.coatl)}"


@dataclass(frozen=True, slots=True)
class Confirm:
    """It is right as it was read: a piece, a Cóatl, a card, or everything."""

    coatl: int | None = None
    piece: int | None = None
    card: int | None = None

    def __str__(self) -> str:
        if self.card is not None:
            return f"c{self.card} ok"
        if self.coatl is None:
            return "ok"
        return f"{self.coatl} ok" if self.piece is None else f"{self.coatl}.{self.piece} ok"


Correction: TypeAlias = (
    SetPiece
    | RemovePiece
    | AddPiece
    | SetCoatl
    | ReverseCoatl
    | SplitCoatl
    | JoinCoatls
    | RemoveCoatl
    | AddCoatl
    | SetPlayer
    | SetCard
    | RemoveCard
    | AddCard
    | Confirm
)


def _format_piece(colour: Colour | None, kind: PieceKind | None) -> str:
    letter = colour.name if colour is not None else ""
    if kind is PieceKind.BODY:
        return f"body {letter}".strip()
    return f"{'<' * (kind is PieceKind.HEAD)}{letter}{'>' * (kind is PieceKind.TAIL)}"


def _format_beside(coatl: int | None) -> str:
    return "" if coatl is None else f"@{coatl}"


def parse_corrections(text: str, catalog: Catalog) -> tuple[Correction, ...]:
    """Parse corrections separated by `;`; raises what `parse_correction` raises."""
    parts = [part for part in text.split(";") if part.strip()]
    return tuple(parse_correction(part, catalog) for part in parts or [text])


def parse_correction(text: str, catalog: Catalog) -> Correction:
    """Parse a correction; raises CorrectionError, NotationError or UnknownCardError.

    >>> from coatl_tools import load_cards
    >>> str(parse_correction("1.4 = niebieska głowa", load_cards()))
    '1.4=<B'
    """
    if len(text) > MAX_CHARACTERS:
        raise CorrectionError("fix.long", most=MAX_CHARACTERS)
    said = unicodedata.normalize("NFKC", text).translate(_SIGN_VARIANTS).strip()
    if _is_label("read_word_ok", said):
        return Confirm()
    if found := _PIECE_PATTERN.fullmatch(said):
        return _parse_piece_correction(int(found[1]), int(found[2]), found[3].strip(), said)
    if found := _CARD_PATTERN.fullmatch(said):
        return _parse_card_correction(int(found[1]), found[2].strip(), catalog, said)
    if found := _COATL_PATTERN.fullmatch(said):
        return _parse_coatl_correction(int(found[1]), found[2].strip(), said)
    if said.startswith("+"):
        return _parse_addition(said[1:].strip(), catalog, said)
    raise _make_shape_error(said)


def parse_piece_text(text: str) -> tuple[Colour | None, PieceKind | None]:
    """Parse what a few words or signs say of a piece: `B`, `<R`, `blue`, `tail`, `head red`.

    Raises CorrectionError for what is no piece, or more than one.
    """
    roles = {
        "<": PieceKind.HEAD,
        ">": PieceKind.TAIL,
        "head": PieceKind.HEAD,
        "tail": PieceKind.TAIL,
    }
    words = re.findall(r"[<>]|[^\W\d_]+", text.translate(_SIGN_VARIANTS))
    meanings = [_look_up_meaning(word) for word in words]
    if words and all(isinstance(meaning, str) for meaning in meanings):
        named = [str(meaning) for meaning in meanings if meaning != "skip"]
        if len(named) == 1:
            return None, roles.get(named[0], PieceKind.BODY)
    try:
        shape = parse_coatl(text)
    except NotationError as error:  # which counts the pieces of a whole Cóatl
        key = "fix.misspelt_piece" if "hint" in error.details else "fix.not_a_piece"
        raise CorrectionError(key, **(error.details | {"text": text})) from error
    if len(shape) != 1:
        raise CorrectionError("fix.one_piece", text=text, n=len(shape))
    colour = shape.colours[0]
    if shape.head or shape.tail:
        return colour, PieceKind.HEAD if shape.head else PieceKind.TAIL
    return colour, PieceKind.BODY if "body" in meanings else None


def _look_up_meaning(word: str) -> Colour | str | None:
    if word in "<>":
        return word
    known = piece_words().get(fold_letters(word))
    return known.meaning if known and len(word) > 1 else None


@lru_cache(maxsize=8)
def _label_in_all_languages(key: str) -> frozenset[str]:
    return frozenset(fold_letters(language.label(key)) for language in load_languages())


def _is_label(key: str, text: str) -> bool:
    """Tell whether a text is a label in one of the languages."""
    return fold_letters(text) in _label_in_all_languages(key)


def _make_shape_error(text: str) -> CorrectionError:
    return CorrectionError("fix.shape", text=text[:80])


def _parse_piece_correction(coatl: int, piece: int, rest: str, said: str) -> Correction:
    if rest == "-":
        return RemovePiece(coatl, piece)
    if rest in ("/", "|"):
        return SplitCoatl(coatl, piece)
    if rest.startswith("="):
        colour, kind = _parse_part(parse_piece_text, rest[1:], said)
        return SetPiece(coatl, piece, colour, kind)
    if rest.startswith("+"):
        return _parse_added_piece(coatl, piece, rest[1:], said)
    if _is_label("read_word_ok", rest):
        return Confirm(coatl, piece)
    raise _make_shape_error(said)


def _parse_coatl_correction(coatl: int, rest: str, said: str) -> Correction:
    if rest == "-":
        return RemoveCoatl(coatl)
    if rest == "~" or _is_label("read_word_reverse", rest):
        return ReverseCoatl(coatl)
    if rest.startswith("="):
        return SetCoatl(coatl, _parse_part(parse_coatl, rest[1:], said))
    if rest.startswith("+"):
        other = rest[1:].strip()
        if re.fullmatch(_NUMBER_PATTERN, other):
            return JoinCoatls(coatl, int(other))
        return _parse_added_piece(coatl, None, other, said)
    if found := re.fullmatch(rf"@\s*({_NUMBER_PATTERN})", rest):
        return SetPlayer(coatl, int(found[1]))
    if _is_label("read_word_ok", rest):
        return Confirm(coatl)
    raise _make_shape_error(said)


def _parse_card_correction(card: int, rest: str, catalog: Catalog, said: str) -> Correction:
    if rest == "-":
        return RemoveCard(card)
    if _is_label("read_word_ok", rest):
        return Confirm(card=card)
    which, coatl = _split_off_place(rest)
    if which.startswith("="):
        return SetCard(card, catalog[which[1:].strip()].id, coatl)
    if not which and coatl is not None:
        return SetCard(card, None, coatl)
    raise _make_shape_error(said)


def _parse_addition(rest: str, catalog: Catalog, said: str) -> Correction:
    which, coatl = _split_off_place(rest)
    if coatl is not None or is_card_word(which, catalog):
        return AddCard(catalog[which].id, coatl)
    return AddCoatl(_parse_part(parse_coatl, rest, said))


def _split_off_place(text: str) -> tuple[str, int | None]:
    """Split a text into a card and the number of the Cóatl after an @."""
    found = _BESIDE_PATTERN.fullmatch(text)
    return (found[1].strip(), int(found[2])) if found else (text, None)


def _parse_added_piece(coatl: int, behind: int | None, rest: str, said: str) -> AddPiece:
    colour, kind = _parse_part(parse_piece_text, rest, said)
    if colour is None:
        raise CorrectionError("fix.no_colour", text=said[:80])
    return AddPiece(coatl, behind, colour, kind or PieceKind.BODY)


def _parse_part(read: Callable[[str], T], text: str, said: str) -> T:
    """Parse a part of a correction; errors show it within the whole text."""
    if not text.strip():
        raise CorrectionError("fix.nothing", text=said[:80])
    try:
        return read(text.strip())
    except NotationError as error:
        if error.source in said:
            error.column += said.index(error.source)
            error.source = said
        raise
