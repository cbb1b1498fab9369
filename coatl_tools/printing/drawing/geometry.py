"""Outlines, boxes and affine maps in millimetres: x to the right, y downwards; and units of length.

Nothing here knows of PDF: the same path is drawn on paper, written into a cut file and measured
by tests.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Point = tuple[float, float]
# What a path is made of: ("M", x, y), ("L", x, y), ("C", x1, y1, x2, y2, x, y) or ("Z",).
Segment = tuple[str, *tuple[float, ...]]
CIRCLE_HANDLE = 0.5522847498  # control points at this part of the radius make a quarter circle


@dataclass(frozen=True, slots=True)
class Matrix:
    """An affine map: x' = a x + c y + e, y' = b x + d y + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __call__(self, x: float, y: float) -> Point:
        """Return the image of a point."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def __matmul__(self, inner: Matrix) -> Matrix:
        """Return the map that does `inner` first."""
        e, f = self(inner.e, inner.f)
        return Matrix(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            e,
            f,
        )


def translation(x: float, y: float) -> Matrix:
    """Return a map that moves by (x, y)."""
    return Matrix(e=x, f=y)


def scaling(x: float, y: float | None = None) -> Matrix:
    """Return a map that scales about the origin; a negative number mirrors."""
    return Matrix(a=x, d=x if y is None else y)


def rotation(degrees: float) -> Matrix:
    """Return a map that turns about the origin, clockwise on paper."""
    quarter, rest = divmod(degrees, 90)
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    if rest == 0:  # exactly, so that what is turned twice lies where it lay
        cos, sin = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter) % 4]
    return Matrix(cos, sin, -sin, cos)


def invert_matrix(m: Matrix) -> Matrix:
    """Return the inverse of a map; the identity if it has none."""
    size = m.a * m.d - m.b * m.c
    if abs(size) < 1e-9:
        return Matrix()
    a, b, c, d = m.d / size, -m.b / size, -m.c / size, m.a / size
    return Matrix(a, b, c, d, -(a * m.e + c * m.f), -(b * m.e + d * m.f))


class Path:
    """One or more outlines. Immutable: every method returns a new path."""

    def __init__(self, segments: Iterable[Segment] = ()) -> None:
        self.segments: tuple[Segment, ...] = tuple(segments)

    def __add__(self, other: Path) -> Path:
        return Path((*self.segments, *other.segments))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and self.segments == other.segments

    def __hash__(self) -> int:
        return hash(self.segments)

    def transform(self, matrix: Matrix) -> Path:
        """Return the path after an affine map."""
        return Path(
            (kind, *(v for i in range(0, len(xs), 2) for v in matrix(xs[i], xs[i + 1])))
            for kind, *xs in self.segments
        )

    def place_at(self, x: float, y: float, scale: float = 1, turn: float = 0) -> Path:
        """Return the path scaled, then turned (degrees), then with its origin moved to (x, y)."""
        return self.transform(translation(x, y) @ rotation(turn) @ scaling(scale))

    def flatten(self, steps: int = 12) -> list[list[Point]]:
        """Return its outlines as polygons, each curve as `steps` straight lines."""
        outlines: list[list[Point]] = []
        for kind, *v in self.segments:
            match kind:
                case "M":
                    outlines.append([(v[0], v[1])])
                case "L":
                    outlines[-1].append((v[0], v[1]))
                case "C":
                    start = outlines[-1][-1]
                    outlines[-1].extend(
                        _find_curve_point(start, v, i / steps) for i in range(1, steps + 1)
                    )
        return outlines

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        points = [point for outline in self.flatten() for point in outline]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)


def _find_curve_point(start: Point, v: Sequence[float], t: float) -> Point:
    u = 1 - t
    weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
    points = (start, (v[0], v[1]), (v[2], v[3]), (v[4], v[5]))
    return (
        sum(w * p[0] for w, p in zip(weights, points, strict=True)),
        sum(w * p[1] for w, p in zip(weights, points, strict=True)),
    )


def polygon(*points: Point) -> Path:
    """Return a closed outline of straight lines."""
    first, *others = points
    return Path([("M", *first), *(("L", *point) for point in others), ("Z",)])


def symmetric_polygon(*left: Point, middle: float = 0) -> Path:
    """Return an outline that is symmetric about x = `middle`, from its left half, top to bottom."""
    return polygon(*left, *((2 * middle - x, y) for x, y in reversed(left)))


def polyline(*points: Point) -> Path:
    """Return an open line, to be stroked."""
    first, *others = points
    return Path([("M", *first), *(("L", *point) for point in others)])


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0) -> Path:
    """Return a rectangle, its corners rounded if wanted."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return rounded_polygon(corners, radius) if radius else polygon(*corners)


def stepped_rectangle(
    x: float, y: float, width: float, height: float, step: float, steps: int = 1
) -> Path:
    """Return a rectangle whose corners are cut in steps, as a temple's plan is."""
    corner = [((i + j) * step, (steps - i) * step) for i in range(steps) for j in (0, 1)]
    corner = [*corner, (steps * step, 0.0)]
    top_left = [(x + dx, y + dy) for dx, dy in corner]
    top_right = [(x + width - dx, y + dy) for dx, dy in reversed(corner)]
    low_right = [(x + width - dx, y + height - dy) for dx, dy in corner]
    low_left = [(x + dx, y + height - dy) for dx, dy in reversed(corner)]
    return polygon(*top_left, *top_right, *low_right, *low_left)


def ellipse(x: float, y: float, rx: float, ry: float | None = None) -> Path:
    """Return a circle, or an ellipse, about a point."""
    ry = rx if ry is None else ry
    kx, ky = rx * CIRCLE_HANDLE, ry * CIRCLE_HANDLE
    return Path(
        [
            ("M", x + rx, y),
            ("C", x + rx, y + ky, x + kx, y + ry, x, y + ry),
            ("C", x - kx, y + ry, x - rx, y + ky, x - rx, y),
            ("C", x - rx, y - ky, x - kx, y - ry, x, y - ry),
            ("C", x + kx, y - ry, x + rx, y - ky, x + rx, y),
            ("Z",),
        ]
    )


def rounded_polygon(
    points: Sequence[Point], radius: float | Sequence[float], closed: bool = True
) -> Path:
    """Return lines through these points, each corner rounded by its radius.

    A radius is cut down where the lines are too short for it.
    """
    radii = [float(radius)] * len(points) if isinstance(radius, int | float) else list(radius)
    segments: list[Segment] = []
    for index, point in enumerate(points):
        if not closed and index in (0, len(points) - 1):
            segments.append(("L", *point))
            continue
        before, behind = points[index - 1], points[(index + 1) % len(points)]
        reach = min(radii[index], math.dist(before, point) / 2, math.dist(point, behind) / 2)
        if reach <= 0:
            segments.append(("L", *point))
            continue
        begin = _move_towards(point, before, reach)
        end = _move_towards(point, behind, reach)
        first = _move_towards(begin, point, reach * CIRCLE_HANDLE)
        second = _move_towards(end, point, reach * CIRCLE_HANDLE)
        segments += [("L", *begin), ("C", *first, *second, *end)]
    segments[0] = ("M", *segments[0][1:])
    return Path([*segments, ("Z",)] if closed else segments)


def star_polygon(x: float, y: float, outer: float, inner: float, rays: int) -> Path:
    """Return a star of `rays` rays, the first one pointing up."""
    points = []
    for i in range(2 * rays):
        angle = math.radians(180 * i / rays - 90)
        reach = outer if i % 2 == 0 else inner
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return polygon(*points)


def smooth_curve(points: Sequence[Point], closed: bool = True) -> Path:
    """Return a smooth curve through all of these points."""
    count, tension = len(points), 1 / 6

    def point(i: int) -> Point:
        return points[i % count] if closed else points[min(max(i, 0), count - 1)]

    segments: list[Segment] = [("M", *points[0])]
    for i in range(count if closed else count - 1):
        before, begin, end, behind = point(i - 1), point(i), point(i + 1), point(i + 2)
        segments.append(
            (
                "C",
                begin[0] + (end[0] - before[0]) * tension,
                begin[1] + (end[1] - before[1]) * tension,
                end[0] - (behind[0] - begin[0]) * tension,
                end[1] - (behind[1] - begin[1]) * tension,
                *end,
            )
        )
    return Path([*segments, ("Z",)] if closed else segments)


def _move_towards(start: Point, end: Point, reach: float) -> Point:
    length = math.dist(start, end) or 1
    part = reach / length
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


QuarterTurn = Literal[0, 90, 180, 270]  # degrees, clockwise


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def inset(self, x: float, y: float | None = None) -> Box:
        """Return the box shrunk by a margin on all sides."""
        y = x if y is None else y
        return Box(self.x + x, self.y + y, self.width - 2 * x, self.height - 2 * y)

    def outline(self) -> Path:
        """Return its outline."""
        return rectangle(self.x, self.y, self.width, self.height)

    def stepped_outline(self, step: float, steps: int = 1) -> Path:
        """Return its outline with stepped corners."""
        return stepped_rectangle(self.x, self.y, self.width, self.height, step, steps)

    def overlaps(self, other: Box, hair: float = 0.0) -> bool:
        """Tell whether two boxes overlap by more than `hair` millimetres."""
        return (
            self.x < other.right - hair
            and other.x < self.right - hair
            and self.y < other.bottom - hair
            and other.y < self.bottom - hair
        )

    def fill_matrix(self, turn: QuarterTurn) -> Matrix:
        """Return the map from the box's content, turned by quarters, to its surroundings."""
        corners = (
            (self.x, self.y),
            (self.right, self.y),
            (self.right, self.bottom),
            (self.x, self.bottom),
        )
        return translation(*corners[turn // 90]) @ rotation(turn)


def bounding_box(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around these boxes."""
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right - left, bottom - top)


MM_PER_INCH = 25.4  # millimetres
POINTS_PER_MM = 72 / MM_PER_INCH  # points in a millimetre
