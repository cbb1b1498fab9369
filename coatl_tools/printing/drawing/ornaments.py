"""Step-frets, feathers and pyramids, and the symbols of the five colours, as paths."""

from __future__ import annotations

import math

from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing.geometry import (
    Path,
    Point,
    Segment,
    ellipse,
    polygon,
    rectangle,
    smooth_curve,
    star_polygon,
)

# One period of a step-fret: a square spiral that grows out of a staircase.
_FRET_PATTERN = (
    "######....",
    "#....#....",
    "#.##.#...#",
    "#.#..#..##",
    "#.####.###",
    "#.....####",
    "##########",
)
FRET_WIDTH = len(_FRET_PATTERN[0]) / len(_FRET_PATTERN)  # of one period, when the band is 1 high
FRET_SEAM = 0.05  # two mirrored bands overlap so much: no hairline shows between them


def step_fret(height: float, periods: int) -> Path:
    """Return a band of `periods` step-frets, its top left corner at the origin."""
    cell = height / len(_FRET_PATTERN)
    path = Path()
    for row, cells in enumerate(_FRET_PATTERN):
        line = cells * periods
        column = 0
        while column < len(line):
            end = column
            while end < len(line) and line[end] == "#":
                end += 1
            if end > column:
                path += rectangle(column * cell, row * cell, (end - column) * cell, cell * 1.01)
            column = end + 1
    return path


def fret_band(x: float, y: float, width: float, height: float) -> Path:
    """Return step-frets that fill a width exactly, stretched or narrowed a little."""
    periods = max(1, round(width / (height * FRET_WIDTH)))
    band = step_fret(height, periods)
    stretch = width / (periods * height * FRET_WIDTH)
    return Path(
        (kind, *(x + v * stretch if i % 2 == 0 else y + v for i, v in enumerate(values)))
        for kind, *values in band.segments
    )


def feather(length: float, width: float) -> Path:
    """Return a feather that points up from the origin."""
    return smooth_curve(
        [
            (0, 0),
            (-0.30 * width, -0.18 * length),
            (-0.50 * width, -0.55 * length),
            (-0.34 * width, -0.88 * length),
            (0, -length),
            (0.34 * width, -0.88 * length),
            (0.50 * width, -0.55 * length),
            (0.30 * width, -0.18 * length),
        ]
    )


def quill(length: float, width: float, barbs: int = 4) -> Path:
    """Return the shaft and barbs of a `feather` of this size, to be stroked."""
    lines = Path([("M", 0, 0), ("L", 0, -0.9 * length)])
    for i in range(barbs):
        y = -length * (0.24 + 0.56 * i / max(1, barbs - 1))
        for side in (-1, 1):
            lines += Path([("M", 0, y), ("L", side * 0.3 * width, y - 0.11 * length)])
    return lines


def fan_out_copies(
    path: Path, x: float, y: float, count: int, begin: float, end: float
) -> list[Path]:
    """Return copies of a path fanned out about a point, from one angle to another.

    Angles are in degrees; 0 is upright.
    """
    step = (end - begin) / max(1, count - 1)
    return [path.place_at(x, y, turn=begin + i * step) for i in range(count)]


def pyramid(x: float, base: float, width: float, height: float, steps: int) -> Path:
    """Return a stepped pyramid on a base line, centred on x, with a house as top step."""
    left: list[Point] = []
    for i in range(steps):
        inset, level = width / 2 * i / (steps + 0.6), height * i / steps
        left += [(x - width / 2 + inset, base - level)]
        left += [(x - width / 2 + inset, base - level - height / steps)]
    return polygon(*left, *[(2 * x - px, py) for px, py in reversed(left)])


def ray_polygons(x: float, y: float, inner: float, outer: float, count: int) -> Path:
    """Return pointed rays about a disc."""
    path = Path()
    for i in range(count):
        angle = 2 * math.pi * i / count - math.pi / 2
        half = math.pi / count * 0.62
        tip = (x + outer * math.cos(angle), y + outer * math.sin(angle))
        feet = [
            (x + inner * math.cos(angle + d), y + inner * math.sin(angle + d))
            for d in (-half, half)
        ]
        path += polygon(tip, *feet)
    return path


# Each about the origin, in a circle of radius 1 or a little more, so that all look equally large.
_COLOUR_SHAPES: dict[Colour, Path] = {
    Colour.R: polygon((0, -1.08), (1.1, 0.82), (-1.1, 0.82)),
    Colour.G: ellipse(0, 0, 0.94),
    Colour.B: rectangle(-0.84, -0.84, 1.68, 1.68),
    Colour.Y: star_polygon(0, 0.08, 1.22, 0.5, 5),
    Colour.K: polygon((0, -1.2), (0.88, 0), (0, 1.2), (-0.88, 0)),
}


def colour_symbol(colour: Colour, x: float = 0, y: float = 0, radius: float = 1) -> Path:
    """Return the symbol of a colour about a point."""
    return _COLOUR_SHAPES[colour].place_at(x, y, radius)


def sun_symbol(x: float = 0, y: float = 0, radius: float = 1) -> Path:
    """Return the symbol of golden segments: a disc with eight rays."""
    return star_polygon(x, y, radius * 1.15, radius * 0.72, 8)


def infinity_symbol(x: float = 0, y: float = 0, radius: float = 1) -> Path:
    """Return the infinity sign of a run, to be stroked."""
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
        segments += _make_loop(loop)
    return Path(segments)


def _make_loop(points: list[tuple[float, float]]) -> list[Segment]:
    """Make a drop-shaped loop that begins and ends in the first point."""
    (x, y), (ax, ay), (bx, by), (cx, _), (dx, dy), (ex, ey) = points
    return [
        ("M", x, y),
        ("C", ax, ay, (ax + bx) / 2, by, bx, by),
        ("C", cx, by, cx, dy, dx, dy),
        ("C", (dx + ex) / 2, dy, ex, ey, x, y),
    ]
