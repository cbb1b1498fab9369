"""Readings made by hand, for whatever is done with a reading after the photo was read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Coatl, Colour, PieceKind
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

FILE = "table.jpg"


def make_seen_piece(
    colour: Colour, kind: PieceKind, x: float = 0.0, y: float = 0.0, other: Colour | None = None
) -> SeenPiece:
    """A piece of 40 pixels; with another colour, it may as well be that one."""
    chances = {colour: 0.6, other: 0.4} if other is not None else {colour: 0.99}
    outline = ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
    return SeenPiece(chances, {kind: 1.0}, outline, (x, y))


def make_seen_coatl(text: str, y: float = 100.0, sure: bool = True) -> SeenCoatl:
    shape: Coatl = parse_coatl(text)
    kinds = [PieceKind.BODY] * len(shape)
    if shape.head:
        kinds[0] = PieceKind.HEAD
    if shape.tail:
        kinds[-1] = PieceKind.TAIL
    pieces = tuple(
        make_seen_piece(colour, kind, 50.0 + 50 * place, y)
        for place, (colour, kind) in enumerate(zip(shape.colours, kinds, strict=True))
    )
    return SeenCoatl(pieces, joint_confidence=1.0, facing_confidence=1.0, sure=sure)


def make_seen_card(card_id: str | None, coatl: int | None = 0, *candidates: str) -> SeenCard:
    confidence = 1.0 if card_id and not candidates else 0.4
    outline = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    sure = confidence == 1.0
    return SeenCard(card_id, confidence, outline, candidates, coatl=coatl, sure=sure)


def make_problem(
    coatl: int | None = None,
    piece: int | None = None,
    card: int | None = None,
    code: str = "unclear",
) -> ReadingProblem:
    """A grave problem about something."""
    return ReadingProblem(code, ("notation.empty", {}), None, coatl, piece, card)


def make_reading(
    *coatls: str, cards: Sequence[SeenCard] = (), problems: Sequence[ReadingProblem] = ()
) -> PhotoReading:
    """What was read: Cóatls from top to bottom, not sure where a problem says so."""
    doubtful = {problem.coatl for problem in problems}
    seen = tuple(
        make_seen_coatl(text, 100.0 * (index + 1), index not in doubtful)
        for index, text in enumerate(coatls)
    )
    return PhotoReading(FILE, (1600, 1200), seen, cards=tuple(cards), problems=tuple(problems))


def list_notations(found: PhotoReading) -> list[str]:
    """The Cóatls as they are written."""
    return [str(seen.coatl) for seen in found.coatls]


SIZE = 1600, 1200


def make_picture(size: tuple[int, int] = SIZE, grey: int = 120, path: str = "table.jpg") -> Picture:
    """A table with nothing on it."""
    return Picture(Path(path), np.full((size[1], size[0], 3), grey, np.uint8))


def make_piece(
    letter: str, kind: PieceKind, centre: Point, half: float = 30, other: Colour | None = None
) -> SeenPiece:
    """A piece of this colour, or nearly as likely of another one."""
    colours: Mapping[Colour, float] = {Colour[letter]: 0.99, _next_colour(Colour[letter]): 0.01}
    if other is not None:
        colours = {Colour[letter]: 0.55, other: 0.45}
    kinds = {kind: 0.98} | {one: 0.01 for one in PieceKind if one is not kind}
    return SeenPiece(colours, kinds, make_box(centre, half, half), centre)


def _next_colour(colour: Colour) -> Colour:
    return Colour((colour + 1) % 5)


def make_box(centre: Point, wide: float, high: float) -> Outline:
    """A box about a point."""
    x, y = centre
    return ((x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high))


def make_placed_coatl(
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
        pieces.append(make_piece(letter, kind, centre, other=(doubts or {}).get(index)))
    return SeenCoatl(tuple(pieces), 0.98, facing, sure=not doubts)


def make_doubtful_reading() -> PhotoReading:
    """Two Cóatls, cards, a stray piece, and something of each that is not sure."""
    return PhotoReading(
        "photos/table.jpg",
        SIZE,
        coatls=(
            make_placed_coatl("<RBBYG>", (300, 300)),
            make_placed_coatl("KKYR", (300, 900), -20, facing=0.5, doubts={1: Colour.B}),
        ),
        loose_pieces=(make_piece("G", PieceKind.BODY, (1400, 200)),),
        cards=(
            SeenCard("P29", 0.97, make_box((1000, 300), 80, 110), (), {"mark": "P29"}, 0, True),
            SeenCard(None, 0.5, make_box((1300, 900), 80, 110), ("P01", "P02")),
        ),
        problems=(
            ReadingProblem(
                "piece_unsure",
                ("file.missing", {"path": "<b>"}),
                "file.no_input",
                coatl=1,
                piece=1,
            ),
            ReadingProblem("few_pixels", ("file.no_input", {}), serious=False),
        ),
    )


def make_clear_reading() -> PhotoReading:
    """One Cóatl, and all of it sure."""
    return PhotoReading(
        "photos/table.jpg", SIZE, coatls=(make_placed_coatl("<RBBYG>", (300, 300)),)
    )
