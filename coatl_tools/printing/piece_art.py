"""A piece as it looks: its outline, feathers, and the symbol of its colour."""

from __future__ import annotations

from coatl_tools.pieces import Colour
from coatl_tools.printing.paths import (
    Path,
    ellipse,
    polygon,
    polyline,
    rounded,
    smooth,
)
from coatl_tools.printing.piece_shapes import Kind, PieceShape
from coatl_tools.printing.surface import Box, Surface
from coatl_tools.printing.symbols import infinity, sun, symbol
from coatl_tools.printing.theme import PieceInks, Theme

SYMBOL = 2.8  # radius of the symbol on a piece of full size, in millimetres
GOLDEN = "golden"  # stands for the colour of a golden segment


def draw_piece(
    surface: Surface,
    shape: PieceShape,
    theme: Theme,
    kind: Kind,
    colour: Colour | str | None,
    run: bool = False,
) -> None:
    """Draw a piece about the origin, in full size. None is any colour; a run has a lying eight."""
    name = colour.name if isinstance(colour, Colour) else colour or "any"
    left = -shape.pitch / 2 - shape.overlap if kind is not Kind.HEAD else -shape.head
    right = shape.pitch / 2 + shape.overlap if kind is not Kind.TAIL else shape.tail
    bounds = Box(left, -shape.height / 2, right - left, shape.height).inset(-1)
    look = "solid" if theme.solid else "line"
    key = f"piece-{look}-{kind.value}-{name}-{'run' if run else 'one'}"
    surface.stamp(key, bounds, lambda s: _draw(s, shape, theme, kind, colour, run))


def _draw(
    surface: Surface,
    shape: PieceShape,
    theme: Theme,
    kind: Kind,
    colour: Colour | str | None,
    run: bool,
) -> None:
    inks = theme.golden if isinstance(colour, str) else theme.piece(colour)
    outline = shape.outline(kind)
    if theme.solid:
        surface.fill(outline, inks.fill)
    with surface.clipped(outline):
        _feathers(surface, shape, inks, kind, theme.solid)
        if kind is Kind.HEAD:
            _face(surface, shape, inks, theme)
        elif kind is Kind.TAIL:
            _quills(surface, shape, inks, theme.solid)
    surface.stroke(outline, inks.line, 0.35 if theme.solid else 0.8)
    if run:
        surface.stroke(infinity(0, 0, 2.6), inks.symbol, 1.0, cap="round")
        return
    if isinstance(colour, str):
        surface.fill(sun(0, 0, SYMBOL), inks.symbol)
    elif colour is not None:
        surface.fill(symbol(colour, 0, 0, SYMBOL), inks.symbol)


def _feathers(
    surface: Surface, shape: PieceShape, inks: PieceInks, kind: Kind, solid: bool
) -> None:
    """Grooves on the hooks: a hanging one at the right, its image turned at the left."""
    width = 0.4 if solid else 0.3
    grooves = _grooves(shape)
    if kind is not Kind.TAIL:
        surface.stroke(grooves, inks.line, width, cap="round")
    if kind is not Kind.HEAD:
        surface.stroke(grooves.at(0, 0, turn=180), inks.line, width, cap="round")


def _grooves(shape: PieceShape) -> Path:
    """Three barbs on the hook that hangs at the right of a piece."""
    edge = shape.pitch / 2 + shape.overlap
    begin = shape.pitch / 2 + shape.lean
    half = shape.height / 2
    barbs = Path()
    for i in range(3):
        y = -half + shape.arm + i * 3.1
        barbs += smooth(
            [(begin + 0.2, y + 1.5), (begin + 2.2, y + 0.9), (edge - 0.9, y - 0.7)], closed=False
        )
    sweep = smooth(
        [(shape.stem / 2 - 0.5, -half + 2.5), (begin, -half + 1.9), (edge - 1.2, -half + 3)],
        closed=False,
    )
    return barbs + sweep


def _face(surface: Surface, shape: PieceShape, inks: PieceInks, theme: Theme) -> None:
    """Eye, jaws and the crest of a head that looks to the left."""
    half, reach = shape.height / 2, shape.head
    mouth = smooth(
        [(-reach - 1, 0.22 * half), (-0.78 * reach, 0.20 * half), (-0.55 * reach, 0.34 * half),
         (-0.46 * reach, 0.50 * half), (-0.60 * reach, 0.52 * half), (-0.80 * reach, 0.46 * half),
         (-reach - 1, 0.62 * half)],
    )  # fmt: skip
    dark = theme.ink if theme.solid else inks.line
    if theme.solid:
        surface.fill(mouth, dark)
    else:
        surface.stroke(mouth, inks.line, 0.4)
    teeth = Path()
    for i in range(3):
        x = -0.92 * reach + i * 3.2
        teeth += polygon((x, 0.17 * half), (x + 1.9, 0.17 * half), (x + 0.9, 0.40 * half))
    with surface.clipped(mouth):
        surface.paint(teeth, theme.paper if theme.solid else None, inks.line, 0.25)
    eye_x, eye_y = -0.56 * reach, -0.30 * half
    surface.paint(ellipse(eye_x, eye_y, 2.3), theme.paper, inks.line, 0.4)
    surface.fill(ellipse(eye_x - 0.5, eye_y + 0.2, 1.15), dark)
    brow = rounded(
        [(eye_x - 4.2, eye_y - 0.6), (eye_x - 2.2, eye_y - 3.4), (eye_x + 3.2, eye_y - 3.2)],
        2, closed=False,
    )  # fmt: skip
    surface.stroke(brow, inks.line, 0.55, cap="round")
    surface.stroke(
        polyline((-0.90 * reach, -0.1 * half), (-0.86 * reach, -0.1 * half)),
        inks.line,
        0.6,
        cap="round",
    )
    crest = Path()
    for i in range(3):
        x = -6.6 + i * 0.2
        y = -half + 3.2 + i * 5.2
        crest += smooth([(x - 2.4, y + 2.6), (x - 0.4, y + 1.4), (x + 1.6, y - 1.6)], closed=False)
    surface.stroke(crest, inks.line, 0.45, cap="round")


def _quills(surface: Surface, shape: PieceShape, inks: PieceInks, solid: bool) -> None:
    """The quills of a tail's three feathers, with their barbs."""
    half, reach = shape.height / 2, shape.tail
    width = 0.45 if solid else 0.3
    for tip_x, tip_y in ((0.74, -0.72), (0.96, -0.02), (0.74, 0.72)):
        start = (0.27 * reach, 0.25 * tip_y * half)
        tip = (tip_x * reach, tip_y * half)
        surface.stroke(polyline(start, tip), inks.line, width, cap="round")
        barbs = Path()
        for part in (0.35, 0.55, 0.75):
            x = start[0] + (tip[0] - start[0]) * part
            y = start[1] + (tip[1] - start[1]) * part
            for side in (-1, 1):
                barbs += polyline((x, y), (x - 1.6, y + side * 1.7))
        surface.stroke(barbs, inks.line, width * 0.75, cap="round")
