"""What a card asks, drawn as pieces: one figure for each kind of requirement.

A figure is drawn in the size of real pieces, from its left end, about a middle line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from coatl_tools.cards import requirement as req
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.inks import mixed
from coatl_tools.printing.drawing.paths import (
    Path,
    ellipse,
    polygon,
    polyline,
    rectangle,
    rounded,
    stepped,
)
from coatl_tools.printing.drawing.surface import Surface, Type
from coatl_tools.printing.drawing.units import MM
from coatl_tools.printing.pieces.art import draw_cross, draw_piece, draw_sign
from coatl_tools.printing.pieces.shapes import PieceShape
from coatl_tools.printing.theme import Theme

GAP = 5.0  # between things that are not hooked together
END = 7.0  # of the little head and tail that tell which way a row runs
AWAY = 2.2  # from them to the row
NUMBER = 10.0  # height of a figure beside pieces


@dataclass(frozen=True)
class Figure:
    """A drawing of so many millimetres."""

    width: float
    height: float
    draw: Callable[[Surface], None]


class Cell(NamedTuple):
    """One place of a row."""

    colour: Colour | None
    run: bool = False
    crossed: bool = False


@dataclass(frozen=True)
class Brush:
    """What figures are drawn with."""

    shape: PieceShape
    theme: Theme
    scale: float = 1.0  # how small the figures are going to be

    @property
    def single(self) -> float:
        """The width of one piece with both of its hooks."""
        return self.shape.pitch + 2 * self.shape.overlap

    @property
    def height(self) -> float:
        """The height of a row."""
        return self.shape.height

    def piece(self, surface: Surface, x: float, colour: Colour | None, **look: bool) -> None:
        """A body segment whose left hook begins at x."""
        with surface.placed(x + self.single / 2, 0) as at:
            draw_piece(at, self.shape, self.theme, PieceKind.BODY, colour, scale=self.scale, **look)

    def cross(self, surface: Surface, x: float, colour: Colour) -> None:
        """The cross over such a segment."""
        with surface.placed(x + self.single / 2, 0) as at:
            draw_cross(at, self.theme, colour, 15, 17.5)

    def number(self, surface: Surface, x: float, y: float, text: str, height: float) -> None:
        """A number about a point, so high."""
        size = height * MM / fonts.CAP_HEIGHT
        surface.centred(x, y, text, Type(fonts.BOLD, size, self.theme.ink))


def figures(requirement: req.SingleRequirement, brush: Brush, room: float) -> list[Figure]:
    """The lines that show a requirement: more than one if a sequence is longer than the room."""
    match requirement:
        case req.PieceSequence():
            return _sequence(requirement, brush, room)
        case req.Multiset(needs):
            return _multiset(needs, brush, room)
        case req.ColourCount(colour):
            return [Figure(brush.single, brush.height, lambda s: brush.piece(s, 0, colour))]
        case req.Absent(colour):
            return [_absent(colour, brush)]
        case req.Equal(first, second):
            return [_equal(first, second, brush)]
        case req.Length(pieces):
            return [_length(pieces, brush)]
        case req.NoProphecy(colour):
            return [_no_prophecy(colour, brush)]


def _sequence(sequence: req.PieceSequence, brush: Brush, room: float) -> list[Figure]:
    """Pieces hooked into each other, a little head before and a little tail behind them."""
    cells = [Cell(token.colour, run=token.run) for token in sequence.tokens]
    if sequence.before is not None:
        cells.insert(0, Cell(sequence.before, crossed=True))
    if sequence.after is not None:
        cells.append(Cell(sequence.after, crossed=True))
    pitch, around = brush.shape.pitch, 2 * brush.shape.overlap + 2 * (END + AWAY)
    most = _most((room - around) / pitch)
    lines = -(-len(cells) // most)
    each = -(-len(cells) // lines)
    parts = [cells[i : i + each] for i in range(0, len(cells), each)]
    return [_hooked(part, brush, i == 0, i == len(parts) - 1) for i, part in enumerate(parts)]


def _hooked(cells: Sequence[Cell], brush: Brush, first: bool, last: bool) -> Figure:
    pitch, start = brush.shape.pitch, END + AWAY
    width = start + len(cells) * pitch + 2 * brush.shape.overlap + start

    def draw(surface: Surface) -> None:
        for index, (colour, _, crossed) in enumerate(cells):
            brush.piece(surface, start + index * pitch, colour, crossed=crossed, bare=not crossed)
        for index, (colour, run, crossed) in enumerate(cells):
            x = start + index * pitch
            if crossed and colour is not None:
                brush.cross(surface, x, colour)
            else:
                with surface.placed(x + brush.single / 2, 0) as at:
                    draw_sign(at, brush.theme, colour, run)
        if first:
            _end(surface, brush, PieceKind.HEAD, 0)
        if last:
            _end(surface, brush, PieceKind.TAIL, width)

    return Figure(width, brush.height, draw)


def _end(surface: Surface, brush: Brush, kind: PieceKind, x: float) -> None:
    """A small head or tail that stands back: this way the row runs (rule 4.3)."""
    theme = brush.theme
    pale = mixed(theme.muted, theme.paper, 0.45)
    if kind is PieceKind.HEAD:
        points = [(END, -4.4), (4.0, -4.6), (0.0, -1.9), (0.3, 0.5), (4.4, 0.8), (1.2, 2.3),
                  (2.2, 4.4), (END, 4.4)]  # fmt: skip
        shape = rounded(points, [0.6, 2.0, 1.0, 0.5, 0.3, 0.5, 0.8, 0.6]).at(x, 0)
        eye = ellipse(x + 4.2, -2.0, 0.9)
    else:
        shape = polygon((0, -2.6), (2.2, -4.4), (5.6, -4.4), (4.4, -2.2), (END, 0), (4.4, 2.2),
                        (5.6, 4.4), (2.2, 4.4), (0, 2.6)).at(x - END, 0)  # fmt: skip
        eye = Path()
    if theme.solid:
        surface.fill(shape, pale)
        surface.fill(eye, theme.paper)
    else:
        surface.stroke(shape + eye, theme.muted, 0.5)


def _multiset(needs: Sequence[tuple[Colour, int]], brush: Brush, room: float) -> list[Figure]:
    """Loose pieces, below each how many of them."""
    most = _most((room + GAP) / (brush.single + GAP))
    lines = -(-len(needs) // most)
    each = -(-len(needs) // lines)
    return [_loose(needs[i : i + each], brush) for i in range(0, len(needs), each)]


def _loose(needs: Sequence[tuple[Colour, int]], brush: Brush) -> Figure:
    step = brush.single + GAP
    height = brush.height + 0.5 * GAP + NUMBER
    top = -height / 2 + brush.height / 2

    def draw(surface: Surface) -> None:
        for index, (colour, number) in enumerate(needs):
            with surface.placed(0, top) as at:
                brush.piece(at, index * step, colour)
            middle = index * step + brush.single / 2
            brush.number(surface, middle, height / 2 - NUMBER / 2, f"{number}×", NUMBER)

    return Figure(len(needs) * step - GAP, height, draw)


def _absent(colour: Colour, brush: Brush) -> Figure:
    def draw(surface: Surface) -> None:
        brush.piece(surface, 0, colour, crossed=True)
        brush.cross(surface, 0, colour)

    return Figure(brush.single, brush.height, draw)


def _equal(first: Colour, second: Colour, brush: Brush) -> Figure:
    bars = 7.0
    width = 2 * brush.single + bars + GAP

    def draw(surface: Surface) -> None:
        brush.piece(surface, 0, first)
        brush.piece(surface, width - brush.single, second)
        for y in (-2.6, 2.6):
            bar = polyline((width / 2 - bars / 2, y), (width / 2 + bars / 2, y))
            surface.stroke(bar, brush.theme.ink, 2.0)

    return Figure(width, brush.height, draw)


def _length(pieces: int, brush: Brush) -> Figure:
    """A whole Cóatl of any colours, on it the number of its pieces."""
    shape = brush.shape
    middle = 15.0  # half of what lies between head and tail
    width = shape.head + 2 * middle + shape.tail

    def draw(surface: Surface) -> None:
        theme = brush.theme
        inks = theme.piece(None)
        with surface.placed(shape.head, 0) as at:
            draw_piece(at, shape, theme, PieceKind.HEAD, None, bare=True, scale=brush.scale)
        with surface.placed(shape.head + 2 * middle, 0) as at:
            draw_piece(at, shape, theme, PieceKind.TAIL, None, bare=True, scale=brush.scale)
        tablet = stepped(shape.head + middle - 15, -11, 30, 22, 2.2)
        surface.paint(tablet, inks.fill, inks.line, 0.7)
        brush.number(surface, shape.head + middle, 0, str(pieces), 14)

    return Figure(width, brush.height, draw)


def _no_prophecy(colour: Colour, brush: Brush) -> Figure:
    """A card of that colour, crossed out."""
    width, height, beyond = 17.0, brush.height, 3.0

    def draw(surface: Surface) -> None:
        theme = brush.theme
        inks = theme.card(colour)
        line = inks.frame if theme.solid else inks.ornament
        card = rectangle(-width / 2, -height / 2, width, height, 1.8)
        field = stepped(-width / 2 + 2.2, -height / 2 + 6, width - 4.4, height - 8.2, 1.2)
        with surface.placed(width / 2 + beyond, 0) as at:
            at.paint(card, mixed(inks.frame, theme.paper, 0.3), line, 0.7)
            at.paint(field, theme.paper, None if theme.solid else line, 0.55)
            draw_cross(at, theme, colour, width + 2 * beyond - 2, height - 1)

    return Figure(width + 2 * beyond, height + 1, draw)


def _most(number: float) -> int:
    """So many things on a line: at least one, and no line holds more than a card can ask."""
    return max(1, int(min(number, req.MAX_SEQUENCE_ELEMENTS + 2)))
