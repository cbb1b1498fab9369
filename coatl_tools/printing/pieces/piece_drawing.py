"""A piece as it looks: its outline, feathers, and the symbol of its colour."""

from __future__ import annotations

import math
from contextlib import nullcontext

from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing.geometry import (
    Box,
    Path,
    Point,
    ellipse,
    polygon,
    polyline,
    rectangle,
    smooth_curve,
)
from coatl_tools.printing.drawing.ornaments import (
    colour_symbol,
    feather,
    infinity_symbol,
    quill,
    sun_symbol,
)
from coatl_tools.printing.drawing.surface import Surface, mix_inks
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Theme
from coatl_tools.printing.pieces.piece_shapes import PieceShape

SYMBOL_RADIUS = 2.8  # radius of the symbol on a piece of full size, in millimetres
THINNEST_LINE = 0.1  # of lines on paper, in millimetres
GOLDEN = "golden"  # stands for the colour of a golden segment


def draw_piece(
    surface: Surface,
    design: Design,
    kind: PieceKind,
    colour: Colour | str | None,
    crossed: bool = False,
    bare: bool = False,
    cut: bool = False,
    scale: float = 1.0,
) -> None:
    """Draw a full-size piece about the origin; None is any colour.

    A `bare` piece has no symbol: call `draw_piece_symbol` over it once its neighbours are drawn. A
    `crossed` one is pale: call `draw_crossed_symbol` over it. A piece to be `cut` out is a
    background inside its outline. `scale` is how small it will be printed: fine lines stay thick
    enough.
    """
    shape, theme = design.piece_shape, design.theme
    name = colour.name if isinstance(colour, Colour) else colour or "any"
    left = -shape.pitch / 2 - shape.overlap if kind is not PieceKind.HEAD else -shape.head
    right = shape.pitch / 2 + shape.overlap if kind is not PieceKind.TAIL else shape.tail
    bounds = Box(left, -shape.height / 2, right - left, shape.height).inset(-1)
    look = "solid" if theme.solid else "line"
    sign = "crossed" if crossed else "bare" if bare else "one"
    weight = _scale_line_weight(theme, scale)
    key = f"piece-{look}-{kind.value}-{name}-{sign}{'-cut' if cut else ''}-{weight:g}"

    def draw(surface: Surface) -> None:
        piece = _PieceDrawing(surface, shape, theme, kind, colour, weight)
        if crossed:
            piece.draw_crossed()
        else:
            piece.draw(cut)
        if not (bare or crossed):
            draw_piece_symbol(surface, theme, colour)

    surface.draw_shared(key, bounds, draw)


def _finest_line(theme: Theme) -> float:
    """Return the width of the finest line on a full-size piece, in millimetres."""
    return 0.32 if theme.solid else 0.25


def _scale_line_weight(theme: Theme, scale: float) -> float:
    """Return the factor for fine lines on a small piece, in steps so that few forms are stored."""
    return max(1.0, math.ceil(4 * THINNEST_LINE / (_finest_line(theme) * scale)) / 4)


def draw_crossed_symbol(
    surface: Surface, theme: Theme, colour: Colour, width: float, height: float
) -> None:
    """Draw a cross of this size about the origin, and on it the symbol of the forbidden colour."""
    x, y = width / 2, height / 2
    lines = polyline((-x, -y), (x, y)) + polyline((-x, y), (x, -y))
    surface.stroke(lines, theme.paper, 3.4, cap="round")
    surface.stroke(lines, theme.accent, 1.9 if theme.solid else 1.3, cap="round")
    shape, inks = colour_symbol(colour, 0, 0, 1.08 * SYMBOL_RADIUS), theme.piece(colour)
    surface.stroke(shape, theme.paper, 2.6)
    surface.fill(shape, inks.fill if theme.solid else inks.symbol)
    if theme.solid:  # yellow on paper needs an edge
        surface.stroke(shape, inks.line, 0.55)


def draw_piece_symbol(
    surface: Surface, theme: Theme, colour: Colour | str | None, run: bool = False
) -> None:
    """Draw the symbol of a colour (None: all five), with an infinity sign below it for a run."""
    if run:
        middle = 0.0 if colour is None else 4.3
        badge = rectangle(-6.4, middle - 3.8, 12.8, 7.6, 3.7)
        surface.paint(badge, theme.paper, theme.ink, 0.5)
        surface.stroke(infinity_symbol(0, middle, 3.7), theme.ink, 1.05, cap="round")
        if colour is None:
            return
    inks = theme.piece(colour)
    y, radius = (-5.2, 0.9 * SYMBOL_RADIUS) if run else (0.0, SYMBOL_RADIUS)
    if isinstance(colour, str):
        surface.fill(sun_symbol(0, y, radius), inks.symbol)
    elif colour is not None:
        surface.fill(colour_symbol(colour, 0, y, radius), inks.symbol)
    else:
        for i, one in enumerate(Colour):
            angle = math.radians(72 * i - 90)
            x, below = radius * math.cos(angle), radius * math.sin(angle)
            ink = theme.piece(one).fill if theme.solid else theme.piece(one).symbol
            surface.fill(colour_symbol(one, x, y + below, 0.42 * radius), ink)


class _PieceDrawing:
    """Draws one piece, all but its symbol."""

    def __init__(
        self,
        surface: Surface,
        shape: PieceShape,
        theme: Theme,
        kind: PieceKind,
        colour: Colour | str | None,
        weight: float,
    ) -> None:
        self.surface, self.shape, self.theme, self.kind = surface, shape, theme, kind
        self.inks = theme.piece(colour)
        self.fine = weight * _finest_line(theme)

    def draw(self, cut: bool) -> None:
        surface, inks = self.surface, self.inks
        outline = self.shape.outline(self.kind)
        with surface.background() if cut else nullcontext():
            if self.theme.solid:
                surface.fill(outline, inks.fill)
                surface.stroke(outline, inks.line, max(0.4, self.fine))
            else:
                with surface.clip(outline):  # inside, so that neighbours keep their own line
                    surface.stroke(outline, inks.line, 1.5)
        if self.kind is not PieceKind.TAIL:
            self._draw_hook()
        if self.kind is not PieceKind.HEAD:
            with surface.at_origin(0, 0, turn=180):
                self._draw_hook()
        if self.kind is PieceKind.HEAD:
            self._draw_head()
        elif self.kind is PieceKind.TAIL:
            self._draw_tail()

    def draw_crossed(self) -> None:
        """Draw a forbidden piece: pale, its outline dashed."""
        inks, theme = self.inks, self.theme
        outline = self.shape.outline(self.kind)
        if theme.solid:
            self.surface.fill(outline, mix_inks(inks.fill, theme.paper, 0.62))
        line = mix_inks(inks.fill, inks.line, 0.4) if theme.solid else inks.line
        self.surface.stroke(outline, line, 0.7, (1.6, 1.2))

    def _feather(self, x: float, y: float, turn: float, length: float, width: float) -> None:
        """Draw a feather from a point; at 0 degrees it points up."""
        with self.surface.at_origin(x, y, turn):
            vane = feather(length, width)
            if self.theme.solid:
                self.surface.fill(vane, self.inks.shade)
            self.surface.stroke(vane, self.inks.line, self.fine)
            self.surface.stroke(quill(length, width, 3), self.inks.line, self.fine, cap="round")

    def _draw_hook(self) -> None:
        """Draw a feather on the hook at the right."""
        shape = self.shape
        middle = shape.pitch / 2 + shape.overlap / 2 + shape.lean / 3
        top = -shape.height / 2 + 1.5
        length = shape.height - shape.arm - 3
        self._feather(middle, top, 180, length, min(3.4, shape.overlap - 1.7))

    def _draw_head(self) -> None:
        """Draw eye, jaws and a collar of feathers; the head looks to the left."""
        surface, theme, line = self.surface, self.theme, self.inks.line
        half, reach = self.shape.height / 2, self.shape.head
        for y, turn in ((-0.62, 66), (0.62, 114), (0.0, 90)):
            self._feather(-0.47 * reach, 0.58 * y * half, turn, 0.31 * reach, 4.6)
        dark = theme.ink if theme.solid else line
        mouth = smooth_curve(_scale_points(_MOUTH_POINTS, reach, half))
        if theme.solid:
            surface.fill(mouth, dark)
        else:
            surface.stroke(mouth, line, max(0.4, self.fine))
        fangs = Path()
        for x, size in ((-0.90, 0.30), (-0.79, 0.20), (-0.69, 0.20), (-0.60, 0.16)):
            upper = [(x, 0.21), (x + 0.075, 0.21), (x + 0.03, 0.21 + size)]
            fangs += polygon(*_scale_points(upper, reach, half))
        surface.paint(fangs, theme.paper, line if not theme.solid else None, self.fine)
        eye = (-0.60 * reach, -0.30 * half)
        surface.paint(ellipse(*eye, 2.5), theme.paper, line, max(0.5, self.fine))
        surface.fill(ellipse(eye[0] - 0.5, eye[1] + 0.3, 1.3), dark)
        brow = smooth_curve(_scale_points(_BROW_POINTS, reach, half), closed=False)
        surface.stroke(brow, line, 0.9, cap="round")
        nose = smooth_curve(_scale_points(_NOSE_POINTS, reach, half), closed=False)
        surface.stroke(nose, line, 0.6, cap="round")

    def _draw_tail(self) -> None:
        """Draw the three feathers of a tail."""
        half, reach = self.shape.height / 2, self.shape.tail
        for y, turn, length in ((-0.42, 72, 0.47), (0.42, 108, 0.47), (0.0, 90, 0.68)):
            self._feather(0.24 * reach, y * half, turn, length * reach, 5.0)


# Curves of a head, as parts of its length and of half its height.
_MOUTH_POINTS: list[Point] = [
    (-0.965, 0.20), (-0.80, 0.20), (-0.62, 0.20), (-0.52, 0.30), (-0.50, 0.46),
    (-0.58, 0.56), (-0.72, 0.56), (-0.86, 0.60), (-0.90, 0.56), (-0.93, 0.40),
]  # fmt: skip
_BROW_POINTS: list[Point] = [(-0.78, -0.40), (-0.72, -0.62), (-0.60, -0.70), (-0.48, -0.62)]
_NOSE_POINTS: list[Point] = [
    (-0.82, 0.02),
    (-0.89, 0.02),
    (-0.93, -0.10),
    (-0.89, -0.22),
    (-0.84, -0.14),
]


def _scale_points(points: list[Point], width: float, height: float) -> list[Point]:
    return [(x * width, y * height) for x, y in points]
