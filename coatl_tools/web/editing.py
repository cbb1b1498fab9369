"""Changes to a Cóatl as links: what can be done with each piece, and at its ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.web.sketch import Sketch


@dataclass(frozen=True, slots=True)
class Change:
    """A change that can be tapped: the piece that it is about, in the notation, and its address."""

    piece: str
    url: str


@dataclass(frozen=True, slots=True)
class EditedPiece:
    """A piece and what can be made of it."""

    number: int  # from 1
    piece: str
    colours: tuple[Change, ...]  # other colours
    before: tuple[Change, ...]  # a piece more on its head side
    behind: tuple[Change, ...]  # on its tail side
    kinds: tuple[Change, ...]  # a head or tail instead of a body, or the other way
    without: str  # the address without it


@dataclass(frozen=True, slots=True)
class Editing:
    """A Cóatl and all that can be changed about it."""

    pieces: tuple[EditedPiece, ...]
    heads: tuple[Change, ...]
    bodies: tuple[Change, ...]
    tails: tuple[Change, ...]
    turned: str
    empty: str


def editing(sketch: Sketch, url: Callable[[Sketch], str]) -> Editing:
    """The changes to a sketch; `url` gives the address of another one."""

    def change(piece: str, changed: Sketch) -> tuple[Change, ...]:
        return (Change(piece, url(changed)),) if changed.fits else ()

    def more(kind: PieceKind, place: int | None = None) -> tuple[Change, ...]:
        if sketch.full:
            return ()
        found: tuple[Change, ...] = ()
        for colour in Colour:
            found += change(notation(colour, kind), sketch.added(colour, kind, place))
        return found

    pieces = tuple(
        EditedPiece(
            place + 1,
            piece,
            tuple(
                Change(notation(colour, _kind(piece)), url(sketch.with_colour(place, colour)))
                for colour in Colour
                if colour != sketch.colours[place]
            ),
            () if piece[0] == "<" else more(PieceKind.BODY, place),
            () if piece[-1] == ">" else more(PieceKind.BODY, place + 1),
            _kinds(sketch, place, change),
            url(sketch.without(place)),
        )
        for place, piece in enumerate(sketch.pieces)
    )
    return Editing(
        pieces,
        () if sketch.head else more(PieceKind.HEAD),
        more(PieceKind.BODY),
        () if sketch.tail or not sketch.colours else more(PieceKind.TAIL),
        url(sketch.turned()),
        url(Sketch()),
    )


def notation(colour: Colour, kind: PieceKind) -> str:
    """A piece as it is written.

    >>> notation(Colour.R, PieceKind.HEAD), notation(Colour.R, PieceKind.BODY)
    ('<R', 'R')
    """
    return f"{'<' * (kind is PieceKind.HEAD)}{colour.name}{'>' * (kind is PieceKind.TAIL)}"


def _kind(piece: str) -> PieceKind:
    return (
        PieceKind.HEAD
        if piece[0] == "<"
        else PieceKind.TAIL
        if piece[-1] == ">"
        else PieceKind.BODY
    )


def _kinds(
    sketch: Sketch, place: int, change: Callable[[str, Sketch], tuple[Change, ...]]
) -> tuple[Change, ...]:
    """What else the piece at an end may be."""
    colours, last = sketch.colours, len(sketch.colours) - 1
    found: tuple[Change, ...] = ()
    if place == 0:
        kind = PieceKind.BODY if sketch.head else PieceKind.HEAD
        found += change(notation(colours[0], kind), Sketch(colours, not sketch.head, sketch.tail))
    if place == last and not (last == 0 and sketch.head):
        kind = PieceKind.BODY if sketch.tail else PieceKind.TAIL
        found += change(
            notation(colours[last], kind), Sketch(colours, sketch.head, not sketch.tail)
        )
    return found
