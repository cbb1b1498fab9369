"""The corrections that a person can make to a reading; `str` gives them as written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from coatl_tools.pieces import Coatl, Colour, PieceKind


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
