"""Find what a correction names by its number, and make corrected pieces."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import TypeAlias, TypeVar

from coatl_tools.errors import CorrectionError
from coatl_tools.pieces import MAX_PIECES, Coatl, Colour, PieceKind, joins_head_to_tail
from coatl_tools.vision.reading import PhotoReading, Point, SeenCard, SeenCoatl, SeenPiece

Pieces: TypeAlias = tuple[SeenPiece, ...]
T = TypeVar("T")


def get_coatl(reading: PhotoReading, number: int) -> SeenCoatl:
    """A Cóatl by its number; raises CorrectionError if there is none."""
    if not 1 <= number <= len(reading.coatls):
        raise CorrectionError("fix.no_coatl", number=number, n=len(reading.coatls))
    return reading.coatls[number - 1]


def get_coatl_with_piece(
    reading: PhotoReading, coatl: int, number: int, least: int = 1
) -> SeenCoatl:
    """The Cóatl of a piece, which has to be there."""
    seen = get_coatl(reading, coatl)
    if not least <= number <= len(seen.pieces):
        raise CorrectionError("fix.no_piece", coatl=coatl, number=number, n=len(seen.pieces))
    return seen


def get_card(reading: PhotoReading, number: int) -> SeenCard:
    """A card by its number; raises CorrectionError if there is none."""
    if not 1 <= number <= len(reading.cards):
        raise CorrectionError("fix.no_card", number=number, n=len(reading.cards))
    return reading.cards[number - 1]


def find_shape_fault(pieces: Pieces) -> str:
    """Why pieces make no Cóatl, as the key of a sentence; empty if they do (rules 3.7, 3.10)."""
    kinds = [piece.kind for piece in pieces]
    if len(kinds) > MAX_PIECES:
        return "fix.too_many"
    if PieceKind.HEAD in kinds[1:]:
        return "fix.head_inside"
    if PieceKind.TAIL in kinds[:-1]:
        return "fix.tail_inside"
    touching = joins_head_to_tail(len(kinds), PieceKind.HEAD in kinds, PieceKind.TAIL in kinds)
    return "fix.head_on_tail" if touching else ""


def make_corrected_piece(
    colour: Colour, kind: PieceKind, like: SeenPiece | None = None, centre: Point = (0, 0)
) -> SeenPiece:
    """A piece that a person has named; it lies where another one was seen, or was not seen."""
    outline, centre = (like.outline, like.centre) if like else ((), centre)
    return SeenPiece({colour: 1.0}, {kind: 1.0}, outline, centre, corrected=True)


def confirm_piece(piece: SeenPiece) -> SeenPiece:
    """A piece that a person says is right as it was seen."""
    return make_corrected_piece(piece.colour, piece.kind, piece)


def _list_kinds(length: int, head: bool, tail: bool) -> list[PieceKind]:
    kinds = [PieceKind.BODY] * length
    if tail:
        kinds[-1] = PieceKind.TAIL
    if head:
        kinds[0] = PieceKind.HEAD
    return kinds


def align_pieces(seen: Pieces, shape: Coatl) -> Pieces:
    """The pieces of a Cóatl, each where the one was seen that it is most likely to be."""
    places = dict(enumerate(seen)) if len(seen) == len(shape) else _match_places(seen, shape)
    kinds = _list_kinds(len(shape), shape.head, shape.tail)
    found: list[SeenPiece] = []
    for index, (colour, kind) in enumerate(zip(shape.colours, kinds, strict=True)):
        near = [found[-1]] if found else list(seen[:1])
        near += [places[later] for later in range(index, len(shape)) if later in places][:1]
        found.append(make_corrected_piece(colour, kind, places.get(index), find_mean_centre(near)))
    return tuple(found)


def _match_places(seen: Pieces, shape: Coatl) -> dict[int, SeenPiece]:
    """Where the pieces of a Cóatl were seen, if some were missed or too many."""
    found: dict[int, SeenPiece] = {}
    before = [piece.colour for piece in seen]
    matcher = SequenceMatcher(None, before, shape.colours, autojunk=False)
    for _, old, old_end, new, new_end in matcher.get_opcodes():
        found.update(zip(range(new, new_end), seen[old:old_end], strict=False))
    return found


def find_mean_centre(pieces: Iterable[SeenPiece]) -> Point:
    """The middle of what was seen."""
    centres = [piece.centre for piece in pieces]
    if not centres:
        return (0.0, 0.0)
    return (
        sum(x for x, _ in centres) / len(centres),
        sum(y for _, y in centres) / len(centres),
    )


def replace_at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """A tuple with another value at one place."""
    return (*values[:index], value, *values[index + 1 :])
