"""Small drawings that say what one can do: on tokens, and in the turn summary.

Each is drawn about the origin, about a centimetre large.
"""

from __future__ import annotations

from typing import NamedTuple

from coatl_tools.pieces import PieceKind
from coatl_tools.printing.drawing.ornaments import pyramid, rays
from coatl_tools.printing.drawing.paths import (
    Path,
    ellipse,
    moved,
    polygon,
    polyline,
    rectangle,
    rounded,
    scaled,
    smooth,
)
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.pieces.shapes import PieceShape


class IconInks(NamedTuple):
    """What an icon is drawn with."""

    fill: str
    tint: str
    line: str
    width: float = 0.4


def octagon(x: float, y: float, radius: float) -> Path:
    """An upright octagon about a point; the radius is that of the circle inside it."""
    k = radius * 0.41421356
    r = radius
    corners = [(-k, -r), (k, -r), (r, -k), (r, k), (k, r), (-k, r), (-r, k), (-r, -k)]
    return polygon(*corners).at(x, y)


def arrow(x: float, y: float, length: float, width: float) -> Path:
    """An arrow that points up, its tip at a point."""
    w, head = width / 2, width * 0.62
    stem = w * 0.42
    return polygon(
        (0, 0), (w, head), (stem, head), (stem, length),
        (-stem, length), (-stem, head), (-w, head),
    ).at(x, y)  # fmt: skip


def pair(shape: PieceShape, scale: float, x: float = 0, y: float = 0) -> tuple[Path, Path]:
    """Two body segments that hook into each other, about a point."""
    body, about = shape.outline(PieceKind.BODY), moved(x, y) @ scaled(scale)
    half = shape.pitch / 2
    return body.mapped(about @ moved(-half, 0)), body.mapped(about @ moved(half, 0))


def _card(surface: Surface, inks: IconInks, x: float, y: float, turn: float, fill: str) -> None:
    surface.paint(rectangle(-2.1, -3.1, 4.2, 6.2, 0.5).at(x, y, turn=turn), fill, inks.line, 0.4)


def _eye(surface: Surface, inks: IconInks, x: float, y: float, radius: float) -> None:
    r = radius
    lid = smooth(
        [(x - r, y), (x - 0.45 * r, y - 0.42 * r), (x + 0.45 * r, y - 0.42 * r), (x + r, y),
         (x + 0.45 * r, y + 0.42 * r), (x - 0.45 * r, y + 0.42 * r)]
    )  # fmt: skip
    surface.paint(lid, inks.fill, inks.line, inks.width)
    surface.paint(ellipse(x, y, 0.36 * r), inks.tint, inks.line, inks.width)
    surface.fill(ellipse(x, y, 0.16 * r), inks.line)


def take(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """A piece that is lifted off: take pieces."""
    body = shape.outline(PieceKind.BODY).at(0, 2.1, 0.27)
    surface.paint(body, inks.tint, inks.line, inks.width)
    surface.paint(arrow(0, -4.9, 3.3, 3.6), inks.line)


def choose(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """A hand of cards: choose Prophecy cards."""
    for x, y, turn in ((-2.0, 0.5, -16), (2.0, 0.5, 16)):
        _card(surface, inks, x, y, turn, inks.fill)
    _card(surface, inks, 0, -0.2, 0, inks.tint)
    _eye(surface, inks, 0, -0.2, 1.55)


def assemble(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """Two pieces, hooked into each other: assemble."""
    for path, fill in zip(pair(shape, 0.21), (inks.tint, inks.fill), strict=True):
        surface.paint(path, fill, inks.line, inks.width)


def sacrifice(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """A token with a flame: use a Sacrifice token."""
    surface.paint(octagon(0, 0, 4.5), inks.fill, inks.line, inks.width)
    flame = smooth(
        [(0.3, -3.4), (1.0, -1.7), (2.2, 0.0), (1.9, 2.0), (0, 3.0), (-1.9, 2.0), (-2.2, 0.2),
         (-1.3, -0.9), (-0.6, -1.7)]
    )  # fmt: skip
    surface.paint(flame, inks.tint, inks.line, inks.width)
    core = smooth([(0.1, -0.2), (1.0, 1.2), (0.6, 2.2), (-0.6, 2.2), (-1.0, 1.2)])
    surface.paint(core, inks.fill, inks.line, inks.width * 0.8)


def perfect_pick(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """A hand with a piece on its palm: pieces of one's choice."""
    hand = rounded(
        [(-1.8, 5.4), (-1.9, 4.3), (-3.1, 2.6),
         (-3.1, -3.0), (-1.75, -3.0), (-1.75, -1.0), (-1.45, -1.0), (-1.45, -4.4),
         (-0.1, -4.4), (-0.1, -1.0), (0.2, -1.0), (0.2, -4.7), (1.55, -4.7),
         (1.55, -1.0), (1.85, -1.0), (1.85, -3.7), (3.1, -3.7), (3.1, 0.9),
         (4.2, -0.9), (5.2, -0.3), (3.9, 2.9), (2.0, 4.4), (1.9, 5.4)],
        [0.2, 0.6, 1.2, 0.66, 0.66, 0.1, 0.1, 0.66, 0.66, 0.1, 0.1, 0.66, 0.66, 0.1, 0.1, 0.62,
         0.62, 0.3, 0.6, 0.6, 0.9, 0.6, 0.2],
    )  # fmt: skip
    surface.paint(hand.at(-0.9, 0), inks.fill, inks.line, inks.width)
    body = shape.outline(PieceKind.BODY).at(-0.9, 1.7, 0.155)
    surface.paint(body, inks.tint, inks.line, inks.width * 0.8)


def see_the_future(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """An eye above the cards to come."""
    lashes = Path()
    for x, lean in ((-2.9, -0.7), (-1.0, -0.25), (1.0, 0.25), (2.9, 0.7)):
        foot = -3.4 + abs(x) * 0.22
        lashes += polyline((x, foot), (x + lean, foot - 1.4))
    surface.stroke(lashes, inks.line, inks.width, cap="round")
    _eye(surface, inks, 0, -0.9, 4.8)
    for i, fill in enumerate((inks.tint, inks.fill, inks.tint)):
        card = rectangle(-4.6 + i * 3.2, 1.9, 2.8, 3.7, 0.35)
        surface.paint(card, fill, inks.line, inks.width)


def priest_commitment(surface: Surface, shape: PieceShape, inks: IconInks) -> None:
    """A temple under the sun."""
    surface.fill(rays(0, -2.6, 1.9, 2.9, 12), inks.line)
    surface.paint(ellipse(0, -2.6, 1.45), inks.fill, inks.line, inks.width)
    surface.paint(pyramid(0, 4.6, 10.6, 6.2, 4), inks.tint, inks.line, inks.width)
    surface.paint(rectangle(-1.1, -0.6, 2.2, 5.2), inks.fill, inks.line, inks.width * 0.8)
    steps = Path()
    for i in range(1, 5):
        steps += polyline((-1.1, -0.6 + i * 1.04), (1.1, -0.6 + i * 1.04))
    surface.stroke(steps, inks.line, inks.width * 0.7)


TOKEN_ICONS = {
    "perfect_pick": perfect_pick,
    "see_the_future": see_the_future,
    "priest_commitment": priest_commitment,
}
