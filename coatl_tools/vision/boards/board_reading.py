"""What was read of a board, or of single pieces: values, and how they are written.

Points are pixels of the upright photo. This module imports no OpenCV.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from coatl_tools.notation import format_piece
from coatl_tools.rules.constants import Pieces
from coatl_tools.vision.reading import Point, SeenPiece

SURE_COLOUR, SURE_KIND = 0.85, 0.85  # a colour or a kind that is less likely is asked


class BoardKind(Enum):
    """A board that pieces lie on."""

    SUPPLY = "supply"
    PLAYER = "player"


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """A place of a board: its middle, the pieces on it in their order, and whether it is empty.

    Something lies there that was not read if there are no pieces and it is not `empty`.
    """

    centre: Point
    pieces: tuple[SeenPiece, ...] = ()
    empty: bool = True


@dataclass(frozen=True, slots=True)
class LooseReading:
    """The single pieces of a photo: on the places of a board, and elsewhere.

    Without a board, all of them are in `elsewhere`, in reading order.
    """

    file: str
    size: tuple[int, int]
    board: BoardKind | None
    places: tuple[SeenPlace, ...]
    elsewhere: tuple[SeenPiece, ...]


def list_written_pieces(pieces: tuple[SeenPiece, ...]) -> Pieces:
    """List seen pieces in the referee's notation: `<R`, `R`, `R>`."""
    return tuple(format_piece(piece.colour, piece.kind) for piece in pieces)
