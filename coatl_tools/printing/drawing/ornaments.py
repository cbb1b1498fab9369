"""The family of ornaments: step-frets, feathers and stepped pyramids, all drawn for this copy."""

from __future__ import annotations

import math

from coatl_tools.printing.drawing.paths import Path, Point, polygon, rectangle, smooth

# One period of a step-fret: a square spiral that grows out of a staircase.
_FRET = (
    "######....",
    "#....#....",
    "#.##.#...#",
    "#.#..#..##",
    "#.####.###",
    "#.....####",
    "##########",
)
FRET_WIDTH = len(_FRET[0]) / len(_FRET)  # of one period, when the band is 1 high
FRET_SEAM = 0.05  # two mirrored bands overlap so much: no hairline shows between them


def step_fret(x: float, y: float, height: float, periods: int) -> Path:
    """A band of so many step-frets, its top left corner at a point."""
    cell = height / len(_FRET)
    path = Path()
    for row, cells in enumerate(_FRET):
        line = cells * periods
        column = 0
        while column < len(line):
            end = column
            while end < len(line) and line[end] == "#":
                end += 1
            if end > column:
                path += rectangle(
                    x + column * cell, y + row * cell, (end - column) * cell, cell * 1.01
                )
            column = end + 1
    return path


def fret_band(x: float, y: float, width: float, height: float) -> Path:
    """Step-frets that fill a width exactly: as many as fit best, a little wider or narrower."""
    periods = max(1, round(width / (height * FRET_WIDTH)))
    band = step_fret(0, 0, height, periods)
    stretch = width / (periods * height * FRET_WIDTH)
    return Path(
        (kind, *(x + v * stretch if i % 2 == 0 else y + v for i, v in enumerate(values)))
        for kind, *values in band.segments
    )


def feather(length: float, width: float) -> Path:
    """A feather that rises from the origin, its tip a step to the side."""
    return smooth(
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
    """The shaft and barbs of such a feather, to be stroked."""
    lines = Path([("M", 0, 0), ("L", 0, -0.9 * length)])
    for i in range(barbs):
        y = -length * (0.24 + 0.56 * i / max(1, barbs - 1))
        for side in (-1, 1):
            lines += Path([("M", 0, y), ("L", side * 0.3 * width, y - 0.11 * length)])
    return lines


def around(path: Path, x: float, y: float, count: int, begin: float, end: float) -> list[Path]:
    """Copies of a path about a point, turned evenly from one angle to another (0 is upright)."""
    step = (end - begin) / max(1, count - 1)
    return [path.at(x, y, turn=begin + i * step) for i in range(count)]


def pyramid(x: float, base: float, width: float, height: float, steps: int) -> Path:
    """A stepped pyramid on a base line, its middle at x; one more step is the house on top."""
    left: list[Point] = []
    for i in range(steps):
        inset, level = width / 2 * i / (steps + 0.6), height * i / steps
        left += [(x - width / 2 + inset, base - level)]
        left += [(x - width / 2 + inset, base - level - height / steps)]
    return polygon(*left, *[(2 * x - px, py) for px, py in reversed(left)])


def rays(x: float, y: float, inner: float, outer: float, count: int) -> Path:
    """Pointed rays about a disc."""
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
