"""The five shapes that stand for the colours, as outlines of one visual weight."""

from __future__ import annotations

from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing.paths import Path, Segment, ellipse, polygon, rectangle, star

# Each about the origin, in a circle of radius 1 or a little more, so that all look equally large.
_SHAPES: dict[Colour, Path] = {
    Colour.R: polygon((0, -1.08), (1.1, 0.82), (-1.1, 0.82)),
    Colour.G: ellipse(0, 0, 0.94),
    Colour.B: rectangle(-0.84, -0.84, 1.68, 1.68),
    Colour.Y: star(0, 0.08, 1.22, 0.5, 5),
    Colour.K: polygon((0, -1.2), (0.88, 0), (0, 1.2), (-0.88, 0)),
}


def symbol(colour: Colour, x: float = 0, y: float = 0, radius: float = 1) -> Path:
    """The shape of a colour about a point."""
    return _SHAPES[colour].at(x, y, radius)


def sun(x: float = 0, y: float = 0, radius: float = 1) -> Path:
    """The shape of golden segments: a disc with eight rays."""
    return star(x, y, radius * 1.15, radius * 0.72, 8)


def infinity(x: float = 0, y: float = 0, radius: float = 1) -> Path:
    """The line of a run: a lying eight, to be stroked."""
    k = radius * 0.75
    points = [
        (x, y),
        (x + k * 0.55, y - k * 0.62),
        (x + k * 1.25, y - k * 0.55),
        (x + k * 1.6, y),
        (x + k * 1.25, y + k * 0.55),
        (x + k * 0.55, y + k * 0.62),
    ]
    mirrored = [(2 * x - px, 2 * y - py) for px, py in points]
    segments: list[Segment] = []
    for loop in (points, [(px, 2 * y - py) for px, py in mirrored]):
        segments += _loop(loop)
    return Path(segments)


def _loop(points: list[tuple[float, float]]) -> list[Segment]:
    """A drop-shaped loop that begins and ends in the first point."""
    (x, y), (ax, ay), (bx, by), (cx, _), (dx, dy), (ex, ey) = points
    return [
        ("M", x, y),
        ("C", ax, ay, (ax + bx) / 2, by, bx, by),
        ("C", cx, by, cx, dy, dx, dy),
        ("C", (dx + ex) / 2, dy, ex, ey, x, y),
    ]


def cross(x: float, y: float, radius: float, weight: float) -> Path:
    """A saltire: what is crossed out."""
    arm = weight / 2
    reach = radius - arm
    upright = [
        (-arm, -reach), (arm, -reach), (arm, -arm), (reach, -arm), (reach, arm), (arm, arm),
        (arm, reach), (-arm, reach), (-arm, arm), (-reach, arm), (-reach, -arm), (-arm, -arm),
    ]  # fmt: skip
    return polygon(*upright).at(x, y, turn=45)
