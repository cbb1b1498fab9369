"""Readings made by hand, for whatever happens with one after it was read."""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Coatl, Colour, PieceKind
from coatl_tools.vision.reading import PhotoReading, ReadingProblem, SeenCard, SeenCoatl, SeenPiece

FILE = "table.jpg"


def seen_piece(
    colour: Colour, kind: PieceKind, x: float = 0.0, y: float = 0.0, other: Colour | None = None
) -> SeenPiece:
    """A piece of 40 pixels; with another colour, it may as well be that one."""
    chances = {colour: 0.6, other: 0.4} if other is not None else {colour: 0.99}
    outline = ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
    return SeenPiece(chances, {kind: 1.0}, outline, (x, y))


def seen_coatl(text: str, y: float = 100.0, sure: bool = True) -> SeenCoatl:
    shape: Coatl = parse_coatl(text)
    kinds = [PieceKind.BODY] * len(shape)
    if shape.head:
        kinds[0] = PieceKind.HEAD
    if shape.tail:
        kinds[-1] = PieceKind.TAIL
    pieces = tuple(
        seen_piece(colour, kind, 50.0 + 50 * place, y)
        for place, (colour, kind) in enumerate(zip(shape.colours, kinds, strict=True))
    )
    return SeenCoatl(pieces, joined=1.0, facing=1.0, sure=sure)


def seen_card(card_id: str | None, coatl: int | None = 0, *candidates: str) -> SeenCard:
    confidence = 1.0 if card_id and not candidates else 0.4
    outline = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    sure = confidence == 1.0
    return SeenCard(card_id, confidence, outline, candidates, coatl=coatl, sure=sure)


def doubt(
    coatl: int | None = None,
    piece: int | None = None,
    card: int | None = None,
    code: str = "unclear",
) -> ReadingProblem:
    """A grave problem about something."""
    return ReadingProblem(code, ("notation.empty", {}), None, coatl, piece, card)


def reading(
    *coatls: str, cards: Sequence[SeenCard] = (), problems: Sequence[ReadingProblem] = ()
) -> PhotoReading:
    """What was read: Cóatls from top to bottom, not sure where a problem says so."""
    doubtful = {problem.coatl for problem in problems}
    seen = tuple(
        seen_coatl(text, 100.0 * (index + 1), index not in doubtful)
        for index, text in enumerate(coatls)
    )
    return PhotoReading(FILE, (1600, 1200), seen, cards=tuple(cards), problems=tuple(problems))


def shapes(found: PhotoReading) -> list[str]:
    """The Cóatls as they are written."""
    return [str(seen.coatl) for seen in found.coatls]
