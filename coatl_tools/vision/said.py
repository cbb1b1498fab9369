"""Pieces, Cóatls and cards of a reading by their numbers, and as a person names them."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import TypeAlias, TypeVar

from coatl_tools.errors import CorrectionError
from coatl_tools.pieces import MAX_PIECES, Coatl, Colour, Kind
from coatl_tools.vision.reading import Point, Reading, SeenCard, SeenCoatl, SeenPiece

Pieces: TypeAlias = tuple[SeenPiece, ...]
T = TypeVar("T")


def coatl_of(reading: Reading, number: int) -> SeenCoatl:
    """A Cóatl by its number; raises CorrectionError if there is none."""
    if not 1 <= number <= len(reading.coatls):
        raise CorrectionError("fix.no_coatl", number=number, n=len(reading.coatls))
    return reading.coatls[number - 1]


def with_piece(reading: Reading, coatl: int, number: int, least: int = 1) -> SeenCoatl:
    """The Cóatl of a piece, which has to be there."""
    seen = coatl_of(reading, coatl)
    if not least <= number <= len(seen.pieces):
        raise CorrectionError("fix.no_piece", coatl=coatl, number=number, n=len(seen.pieces))
    return seen


def card_of(reading: Reading, number: int) -> SeenCard:
    """A card by its number; raises CorrectionError if there is none."""
    if not 1 <= number <= len(reading.cards):
        raise CorrectionError("fix.no_card", number=number, n=len(reading.cards))
    return reading.cards[number - 1]


def fault(pieces: Pieces) -> str:
    """Why pieces make no Cóatl, as the key of a sentence; empty if they do (rules 3.7, 3.10)."""
    kinds = [piece.kind for piece in pieces]
    if len(kinds) > MAX_PIECES:
        return "fix.too_many"
    if Kind.HEAD in kinds[1:]:
        return "fix.head_inside"
    if Kind.TAIL in kinds[:-1]:
        return "fix.tail_inside"
    return "fix.head_on_tail" if kinds == [Kind.HEAD, Kind.TAIL] else ""


def said_piece(
    colour: Colour, kind: Kind, like: SeenPiece | None = None, centre: Point = (0, 0)
) -> SeenPiece:
    """A piece that a person has named; it lies where another one was seen, or was not seen."""
    outline, centre = (like.outline, like.centre) if like else ((), centre)
    return SeenPiece({colour: 1.0}, {kind: 1.0}, outline, centre, corrected=True)


def confirmed(piece: SeenPiece) -> SeenPiece:
    """A piece that a person says is right as it was seen."""
    return said_piece(piece.colour, piece.kind, piece)


def _kinds(length: int, head: bool, tail: bool) -> list[Kind]:
    kinds = [Kind.BODY] * length
    if tail:
        kinds[-1] = Kind.TAIL
    if head:
        kinds[0] = Kind.HEAD
    return kinds


def aligned(seen: Pieces, shape: Coatl) -> Pieces:
    """The pieces of a Cóatl, each where the one was seen that it is most likely to be."""
    places = dict(enumerate(seen)) if len(seen) == len(shape) else _places(seen, shape)
    kinds = _kinds(len(shape), shape.head, shape.tail)
    found: list[SeenPiece] = []
    for index, (colour, kind) in enumerate(zip(shape.colours, kinds, strict=True)):
        near = [found[-1]] if found else list(seen[:1])
        near += [places[later] for later in range(index, len(shape)) if later in places][:1]
        found.append(said_piece(colour, kind, places.get(index), between(near)))
    return tuple(found)


def _places(seen: Pieces, shape: Coatl) -> dict[int, SeenPiece]:
    """Where the pieces of a Cóatl were seen, if some were missed or too many."""
    found: dict[int, SeenPiece] = {}
    before = [piece.colour for piece in seen]
    matcher = SequenceMatcher(None, before, shape.colours, autojunk=False)
    for _, old, old_end, new, new_end in matcher.get_opcodes():
        found.update(zip(range(new, new_end), seen[old:old_end], strict=False))
    return found


def between(pieces: Iterable[SeenPiece]) -> Point:
    """The middle of what was seen."""
    centres = [piece.centre for piece in pieces]
    if not centres:
        return (0.0, 0.0)
    return (
        sum(x for x, _ in centres) / len(centres),
        sum(y for _, y in centres) / len(centres),
    )


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """A tuple with another value at one place."""
    return (*values[:index], value, *values[index + 1 :])
