"""Small pictures for the pages: what is in the box, the four actions, A.D.A.M.'s four steps.

Each is drawn about a point and fits a box of 12 by 10 millimetres.
"""

from __future__ import annotations

from collections.abc import Callable

from coatl_tools.cards.requirement import SequenceElement
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.component import Design
from coatl_tools.printing.drawing.ornaments import pyramid
from coatl_tools.printing.drawing.paths import (
    Path,
    Point,
    ellipse,
    polygon,
    polyline,
    rectangle,
    stepped,
)
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.drawing.symbols import sun, symbol
from coatl_tools.printing.pages.small_pieces import draw_chip
from coatl_tools.printing.pieces.art import draw_piece
from coatl_tools.printing.pieces.shapes import PiecesLayout

Icon = Callable[[Surface, Design], None]
LINE = 0.3


def draw_pieces(
    surface: Surface,
    design: Design,
    pieces: str,
    scale: float,
    at: Point = (0, 0),
    kinds: str = "",
) -> None:
    """Pieces side by side about a point; `kinds` has h, b or t for each, all bodies if empty."""
    shape = design.layouts.read("pieces", PiecesLayout).shape
    of = {"h": PieceKind.HEAD, "b": PieceKind.BODY, "t": PieceKind.TAIL}
    for index, letter in enumerate(pieces):
        x = at[0] + (index - (len(pieces) - 1) / 2) * shape.pitch * scale
        with surface.placed(x, at[1], scale=scale) as placed:
            kind = of[kinds[index]] if kinds else PieceKind.BODY
            draw_piece(placed, shape, design.theme, kind, Colour[letter], scale=scale)


def draw_card(
    surface: Surface, design: Design, at: Point, kind: str, height: float = 9, turn: float = 0
) -> None:
    """The back of a card, very small."""
    inks = design.theme.backs["temple" if kind == "temple" else "prophecy"]
    width = height * 63 / 88
    with surface.placed(*at, turn=turn) as placed:
        outline = rectangle(-width / 2, -height / 2, width, height, 0.6)
        ground = inks.ground if design.theme.solid else design.theme.paper
        placed.paint(outline, ground, inks.line if not design.theme.solid else inks.pattern, LINE)
        if kind == "temple":
            placed.fill(pyramid(0, height * 0.24, width * 0.74, height * 0.44, 3), inks.motif)
        else:
            placed.fill(sun(0, 0, width * 0.3), inks.motif)
            placed.fill(ellipse(0, 0, width * 0.13), ground)


def _face_up(surface: Surface, design: Design, at: Point, colour: str, height: float) -> None:
    """The face of a Prophecy card, very small: its colour's frame and symbol."""
    inks = design.theme.card(Colour[colour])
    theme, width = design.theme, height * 63 / 88
    x, y = at
    frame = inks.frame if theme.solid else theme.paper
    line = theme.ink if theme.solid else inks.ornament
    surface.paint(rectangle(x - width / 2, y - height / 2, width, height, 0.6), frame, line, LINE)
    inner = rectangle(x - width / 2 + 0.9, y - height / 2 + 0.9, width - 1.8, height - 1.8)
    surface.paint(inner, theme.paper if theme.solid else None, None)


def arrow(begin: Point, end: Point, size: float = 1.5) -> tuple[Path, Path]:
    """A straight arrow, level or upright: its line to be stroked, its tip to be filled."""
    (x1, y1), (x2, y2) = begin, end
    dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
    foot = (x2 - dx * size, y2 - dy * size)
    half = size * 0.55
    tip = polygon(
        end, (foot[0] + dy * half, foot[1] + dx * half), (foot[0] - dy * half, foot[1] - dx * half)
    )
    return polyline(begin, foot), tip


def draw_arrow(surface: Surface, ink: str, begin: Point, end: Point, width: float = 0.5) -> None:
    """An arrow, level or upright."""
    line, tip = arrow(begin, end)
    surface.stroke(line, ink, width)
    surface.fill(tip, ink)


def _head(surface: Surface, design: Design) -> None:
    draw_pieces(surface, design, "G", 0.27, (1.8, 0), "h")


def _body(surface: Surface, design: Design) -> None:
    draw_pieces(surface, design, "RB", 0.24)


def _tail(surface: Surface, design: Design) -> None:
    draw_pieces(surface, design, "Y", 0.27, (-1.8, 0), "t")


def _prophecy(surface: Surface, design: Design) -> None:
    draw_card(surface, design, (-1.2, 0), "prophecy", turn=-8)
    draw_card(surface, design, (1.2, 0), "prophecy", turn=5)


def _temple(surface: Surface, design: Design) -> None:
    draw_card(surface, design, (-1.2, 0), "temple", turn=-8)
    draw_card(surface, design, (1.2, 0), "temple", turn=5)


def _token(surface: Surface, design: Design) -> None:
    inks, theme = design.theme.backs["tokens"], design.theme
    disc = stepped(-4, -4, 8, 8, 0.8)
    surface.paint(disc, inks.ground if theme.solid else theme.paper, inks.line, LINE)
    surface.fill(sun(0, 0, 2.6), inks.motif)
    surface.fill(ellipse(0, 0, 1.15), inks.ground if theme.solid else theme.paper)


def _supply(surface: Surface, design: Design) -> None:
    theme = design.theme
    surface.paint(ellipse(0, 0, 4.8), theme.panel if theme.solid else None, theme.ink, LINE)
    for x, y in ((0, 3.3), (-2.9, 1.65), (-2.9, -1.65), (0, -3.3), (2.9, -1.65), (2.9, 1.65)):
        surface.paint(ellipse(x, y, 0.95), theme.paper, theme.ink, 0.2)
    for x, y in ((-0.8, -0.8), (0.8, -0.8), (-0.8, 0.8), (0.8, 0.8)):
        surface.paint(ellipse(x, y, 0.55), theme.paper, theme.ink, 0.2)


def _board(surface: Surface, design: Design) -> None:
    theme = design.theme
    plate = stepped(-5.6, -3.6, 11.2, 7.2, 0.7)
    surface.paint(plate, theme.panel if theme.solid else None, theme.ink, LINE)
    for column in range(4):
        for row in range(2):
            cell = rectangle(-4.5 + column * 2.3, -2.35 + row * 2.45, 2.05, 2.2, 0.3)
            surface.paint(cell, theme.paper, theme.ink, 0.2)


def _marker(surface: Surface, design: Design) -> None:
    theme = design.theme
    inks = theme.cards["temple"]
    fill = inks.frame if theme.solid else None
    surface.paint(pyramid(0, 4, 9.5, 7, 4), fill, theme.ink, LINE)
    surface.fill(sun(0, -4, 1.1), theme.accent)


def _take(surface: Surface, design: Design) -> None:
    theme = design.theme
    surface.paint(ellipse(0, -2, 4.6, 2.7), theme.panel if theme.solid else None, theme.ink, LINE)
    draw_chip(surface, theme, SequenceElement(Colour.R), (-1.7, -2), 2.7)
    draw_chip(surface, theme, SequenceElement(Colour.B), (1.7, -2), 2.7)
    draw_arrow(surface, theme.ink, (0, 1.3), (0, 4.9))


def _choose(surface: Surface, design: Design) -> None:
    for x, turn, colour in ((-3, -14, "R"), (0, 0, "G"), (3, 14, "B")):
        with surface.placed(x, abs(turn) * 0.04, turn=turn) as placed:
            _face_up(placed, design, (0, 0), colour, 8.6)
            ink = design.theme.piece(Colour[colour]).line
            placed.fill(symbol(Colour[colour], 0, 0, 1.3), ink)


def _assemble(surface: Surface, design: Design) -> None:
    draw_pieces(surface, design, "GYR", 0.26, (1, 0), "hbb")


def _eye(surface: Surface, design: Design) -> None:
    theme = design.theme
    lid = Path([("M", -5.4, 0), ("C", -3, -4, 3, -4, 5.4, 0), ("C", 3, 4, -3, 4, -5.4, 0), ("Z",)])
    surface.paint(lid, theme.paper, theme.ink, 0.45)
    surface.paint(ellipse(0, 0, 2.1), theme.accent if theme.solid else None, theme.ink, 0.45)
    surface.fill(ellipse(0, 0, 0.9), theme.ink)


def _place(surface: Surface, design: Design) -> None:
    theme = design.theme
    _face_up(surface, design, (1.6, 0), "B", 10)
    draw_chip(surface, theme, SequenceElement(Colour.Y), (1.6, 0), 3.1)
    draw_arrow(surface, theme.ink, (-6, 0), (-2.6, 0))


def _fulfil(surface: Surface, design: Design) -> None:
    theme = design.theme
    for shift in (1.3, 0):
        _face_up(surface, design, (-0.6 + shift, shift * 0.4 - 0.3), "G", 9.4)
    tick = polyline((-2.3, -0.2), (-1.0, 1.4), (1.4, -2.2))
    surface.stroke(tick, theme.accent, 0.9, cap="round")


def _refill(surface: Surface, design: Design) -> None:
    theme = design.theme
    for x, colour in ((-4.3, "R"), (0, "K")):
        _face_up(surface, design, (x, 0), colour, 5.2)
    surface.stroke(rectangle(2.5, -2.6, 3.7, 5.2, 0.5), theme.ink, 0.35, dash=(0.8, 0.6))
    draw_arrow(surface, theme.ink, (4.35, -6), (4.35, -3.1))


ICONS: dict[str, Icon] = {
    "head": _head, "body": _body, "tail": _tail, "prophecy": _prophecy, "temple": _temple,
    "token": _token, "supply": _supply, "board": _board, "marker": _marker,
    "take": _take, "choose": _choose, "assemble": _assemble,
    "search": _eye, "place": _place, "fulfil": _fulfil, "refill": _refill,
}  # fmt: skip
