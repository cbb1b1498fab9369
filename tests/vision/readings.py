"""Readings made by hand, of photos that show nothing: for what is done with readings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.picture import Picture
from coatl_tools.vision.reading import (
    Outline,
    PhotoReading,
    Point,
    ReadingProblem,
    SeenCard,
    SeenCoatl,
    SeenPiece,
)

SIZE = 1600, 1200


def picture(size: tuple[int, int] = SIZE, grey: int = 120, path: str = "table.jpg") -> Picture:
    """A table with nothing on it."""
    return Picture(Path(path), np.full((size[1], size[0], 3), grey, np.uint8))


def piece(
    letter: str, kind: PieceKind, centre: Point, half: float = 30, other: Colour | None = None
) -> SeenPiece:
    """A piece of this colour, or nearly as likely of another one."""
    colours: Mapping[Colour, float] = {Colour[letter]: 0.99, _next(Colour[letter]): 0.01}
    if other is not None:
        colours = {Colour[letter]: 0.55, other: 0.45}
    kinds = {kind: 0.98} | {one: 0.01 for one in PieceKind if one is not kind}
    return SeenPiece(colours, kinds, box(centre, half, half), centre)


def _next(colour: Colour) -> Colour:
    return Colour((colour + 1) % 5)


def box(centre: Point, wide: float, high: float) -> Outline:
    """A box about a point."""
    x, y = centre
    return ((x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high))


def coatl(
    text: str,
    begin: Point,
    angle: float = 0,
    facing: float = 0.99,
    doubts: Mapping[int, Colour] | None = None,
) -> SeenCoatl:
    """A Cóatl as it is written, lying from a point in some direction (degrees)."""
    letters = text.strip("<>")
    pieces = []
    for index, letter in enumerate(letters):
        way = math.radians(angle)
        centre = begin[0] + 66 * index * math.cos(way), begin[1] + 66 * index * math.sin(way)
        kind = PieceKind.BODY
        if text[0] == "<" and index == 0:
            kind = PieceKind.HEAD
        elif text[-1] == ">" and index == len(letters) - 1:
            kind = PieceKind.TAIL
        pieces.append(piece(letter, kind, centre, other=(doubts or {}).get(index)))
    return SeenCoatl(tuple(pieces), 0.98, facing, sure=not doubts)


def doubtful() -> PhotoReading:
    """Two Cóatls, cards, a stray piece, and something of each that is not sure."""
    return PhotoReading(
        "photos/table.jpg",
        SIZE,
        coatls=(
            coatl("<RBBYG>", (300, 300)),
            coatl("KKYR", (300, 900), -20, facing=0.5, doubts={1: Colour.B}),
        ),
        strays=(piece("G", PieceKind.BODY, (1400, 200)),),
        cards=(
            SeenCard("P29", 0.97, box((1000, 300), 80, 110), (), {"mark": "P29"}, 0, True),
            SeenCard(None, 0.5, box((1300, 900), 80, 110), ("P01", "P02")),
        ),
        problems=(
            ReadingProblem(
                "piece_unsure",
                ("file.missing", {"path": "<b>"}),
                ("file.no_input", {}),
                coatl=1,
                piece=1,
            ),
            ReadingProblem("few_pixels", ("file.no_input", {}), grave=False),
        ),
    )


def clear() -> PhotoReading:
    """One Cóatl, and all of it sure."""
    return PhotoReading("photos/table.jpg", SIZE, coatls=(coatl("<RBBYG>", (300, 300)),))
