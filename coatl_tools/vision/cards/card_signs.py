"""What a published card shows: its family, the signs of its row, and its levels.

Places are in millimetres of a face of 63 × 88 mm. The row along the bottom stands again, smaller
and turned by a quarter, at the left edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from coatl_tools.cards import requirement as req
from coatl_tools.cards.card import Card, CardKind
from coatl_tools.pieces import Colour

FACE_SIZE = (63.0, 88.0)
ROW_MIDDLE, TURNED_MIDDLE = (31.3, 78.2), (4.9, 51.6)
TURNED_SIZE = 0.57  # of the row at the left edge, as a part of the one along the bottom
SIGN_WIDTH, WIDE_SIGN_WIDTH = 6.1, 8.2
LEVELS_MIDDLE, LEVEL_STEP = (12.0, 9.6), 7.2  # of the first level; from one to the next
MAX_LEVELS = 4

Family = Colour | None  # the card colour; None is Temple
FAMILIES: tuple[Family, ...] = (*Colour, None)


class SignKind(Enum):
    """What a sign of a row says."""

    PIECE = "piece"
    CROSSED = "crossed"
    REPEATED = "repeated"
    EQUAL = "equal"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class RowSign:
    """A sign of a row: a piece, crossed out or repeated or plain; or what Temple cards ask for."""

    kind: SignKind
    colour: Colour | None = None  # of a repeated piece: None is any
    count: int = 0

    @property
    def width(self) -> float:
        """The length of row that it takes."""
        wide = self.kind in (SignKind.REPEATED, SignKind.COUNT)
        return WIDE_SIGN_WIDTH if wide else SIGN_WIDTH

    def __str__(self) -> str:
        letter = self.colour.name if self.colour is not None else "*"
        match self.kind:
            case SignKind.CROSSED:
                return f"!{letter}"
            case SignKind.REPEATED:
                return f"{letter}+"
            case SignKind.EQUAL:
                return "="
            case SignKind.COUNT:
                return str(self.count)
        return letter


COUNTS = range(6, 13)  # of pieces that Temple cards ask for
ROW_SIGNS: tuple[RowSign, ...] = (
    *(
        RowSign(kind, colour)
        for kind in (SignKind.PIECE, SignKind.CROSSED, SignKind.REPEATED)
        for colour in Colour
    ),
    RowSign(SignKind.REPEATED),
    RowSign(SignKind.EQUAL),
    *(RowSign(SignKind.COUNT, count=count) for count in COUNTS),
)


@dataclass(frozen=True, slots=True)
class LevelSign:
    """A level as a card shows it: “3X = 2”, or “1/2 = 3” for one of two halves."""

    count: int
    points: int
    halves: bool = False


def place_signs(row: Sequence[RowSign]) -> list[float]:
    """Return where the middle of each sign is, along the row, from the middle of the row."""
    begin = -sum(sign.width for sign in row) / 2
    places = []
    for sign in row:
        places.append(begin + sign.width / 2)
        begin += sign.width
    return places


def list_row_signs(card: Card) -> tuple[RowSign, ...]:
    """List the signs that a card shows in its row; empty if nobody knows how it shows them."""
    match card.requirement:
        case req.PieceSequence(elements, before, after):
            cells = [
                RowSign(SignKind.REPEATED if cell.run else SignKind.PIECE, cell.colour)
                for cell in elements
            ]
            first, last = (
                [] if colour is None else [RowSign(SignKind.CROSSED, colour)]
                for colour in (before, after)
            )
            return (*first, *cells, *last)
        case req.ColourCount(colour):
            return (RowSign(SignKind.PIECE, colour),)
        case req.Multiset(needs):
            return tuple(
                RowSign(SignKind.PIECE, colour) for colour, number in needs for _ in range(number)
            )
        case req.Several(parts):
            halves = [_list_half_signs(part) for part in parts]
            return tuple(sign for half in halves for sign in half) if all(halves) else ()
    return ()


def _list_half_signs(part: req.SingleRequirement) -> tuple[RowSign, ...]:
    match part:
        case req.Absent(colour):
            return (RowSign(SignKind.CROSSED, colour),)
        case req.Equal(first, second):
            piece = SignKind.PIECE
            return RowSign(piece, first), RowSign(SignKind.EQUAL), RowSign(piece, second)
        case req.Length(pieces):
            return (RowSign(SignKind.COUNT, count=pieces),)
    return ()


def list_level_signs(card: Card) -> tuple[LevelSign, ...]:
    """List the levels that a card shows."""
    halves = isinstance(card.requirement, req.Several)
    return tuple(LevelSign(level.count, level.points, halves) for level in card.levels)


def get_family(card: Card) -> Family:
    """Get the family of a card: what colours its frame."""
    return None if card.kind is CardKind.TEMPLE else card.colour
