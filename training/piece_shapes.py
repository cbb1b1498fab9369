"""The plastic pieces as height fields, every set of them a little different.

A piece is drawn from above about the middle of its stem, the head end at the left, on a raster
of `SHAPE_PIXELS_PER_MM` pixels a millimetre. Neighbours share an S-shaped seam, with
a slot in its middle.

A piece is drawn from above about the middle of its stem, the head end at the left, on a raster
of `SHAPE_PIXELS_PER_MM` pixels a millimetre. Neighbours share an S-shaped seam, with a slot in
its middle.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import PieceKind

Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]
Points = list[tuple[float, float]]
SHAPE_PIXELS_PER_MM = 10  # pixels a millimetre
HALF_WIDTH, HALF_HEIGHT = 34.0, 18.0  # millimetres around the middle of the stem


@dataclass(frozen=True)
class PieceSet:
    """One set of pieces: their pitch and height, and the height field of each kind."""

    pitch: float
    height: float
    shear: float
    fields: dict[PieceKind, Floats]


def random_set(rng: np.random.Generator) -> PieceSet:
    """Return a set with measures as different sets and makers may have them."""
    return _Outlines(rng).piece_set()


def to_canvas(points: Points) -> NDArray[np.int32]:
    """Millimetres as pixels of the raster, with four more bits."""
    moved = [
        ((x + HALF_WIDTH) * SHAPE_PIXELS_PER_MM * 16, (HALF_HEIGHT - y) * SHAPE_PIXELS_PER_MM * 16)
        for x, y in points
    ]
    return np.round(np.array(moved)).astype(np.int32)


def fill_shape(points: Points) -> Mask:
    """Fill a polygon on the raster."""
    mask = np.zeros(
        (round(2 * HALF_HEIGHT * SHAPE_PIXELS_PER_MM), round(2 * HALF_WIDTH * SHAPE_PIXELS_PER_MM)),
        np.uint8,
    )
    cv2.fillPoly(mask, [to_canvas(points)], 255, shift=4)
    return mask


def stroke_shape(points: Points, width: float) -> Mask:
    """Return a line of some width on the raster."""
    mask = np.zeros(
        (round(2 * HALF_HEIGHT * SHAPE_PIXELS_PER_MM), round(2 * HALF_WIDTH * SHAPE_PIXELS_PER_MM)),
        np.uint8,
    )
    cv2.polylines(
        mask, [to_canvas(points)], False, 255, max(1, round(width * SHAPE_PIXELS_PER_MM)), shift=4
    )
    return mask


def make_arc(x: float, y: float, across: float, up: float, begin: float, end: float) -> Points:
    """Part of an ellipse, angles in degrees."""
    turns = np.radians(np.linspace(begin, end, 14))
    return [(x + across * float(np.cos(t)), y + up * float(np.sin(t))) for t in turns]


def fillet_corners(points: Points, radii: list[float]) -> Points:
    """Return a line whose inner corners are rounded."""
    out = [points[0]]
    for before, corner, behind, radius in zip(points, points[1:], points[2:], radii, strict=False):
        b = np.array(corner)
        u, v = np.array(before) - b, np.array(behind) - b
        p, q = b + u / np.hypot(*u) * radius, b + v / np.hypot(*v) * radius
        for t in np.linspace(0, 1, 8):
            x, y = (1 - t) ** 2 * p + 2 * t * (1 - t) * b + t * t * q
            out.append((float(x), float(y)))
    return [*out, points[-1]]


def round_mask(mask: Mask, radius: float) -> Mask:
    """Round a mask whose corners are worn, in and out."""
    size = max(1, round(radius * SHAPE_PIXELS_PER_MM)) * 2 + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc)
    return np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, disc), np.uint8)


class _Outlines:
    """The measures of one set, and what follows from them."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        u = rng.uniform
        self.gap = u(0.25, 0.75)
        self.stem = u(6.4, 8.2)
        self.hook = u(3.8, 4.9)
        self.across = u(18.8, 22.2)
        self.arm = self.across * u(0.235, 0.285)
        self.high = u(7.0, 10.0)
        self.pitch = self.stem + 2 * self.hook + 3 * self.gap
        self.bevel = u(0.5, 1.5)
        p, g, half = self.pitch, self.gap, self.across / 2
        x1, x3, m = self.stem / 2 + g / 2, p - self.stem / 2 - g / 2, p / 2
        inner, lean = half - self.arm - g / 2, u(0.2, 0.8)
        self.inner, self.middle = inner, m
        self.seam = fillet_corners(
            [(x3 + 0.5, half + 3), (x3, -inner), (m + lean, -inner), (m - lean, inner),
             (x1, inner), (x1 - 0.5, -half - 3)],
            [u(1.6, 2.5), u(1.2, 2.0), u(1.2, 2.0), u(1.6, 2.5)],
        )  # fmt: skip
        self.slot = [(m - lean * 0.9, inner * 0.62), (m + lean * 0.9, -inner * 0.62)]
        self.slot_width = u(0.6, 1.9)
        self.worn = u(0.5, 1.3)

    def piece_set(self) -> PieceSet:
        fields = {kind: self._field(kind) for kind in PieceKind}
        return PieceSet(self.pitch, self.high, float(self.rng.uniform(0.02, 0.16)), fields)

    def _moved(self, points: Points, x: float) -> Points:
        return [(px + x, py) for px, py in points]

    def _left_of_seam(self, x: float) -> Mask:
        """Everything at the head side of the seam whose left stem stands at x."""
        far = HALF_WIDTH + 5
        seam = self._moved(self.seam, x)
        return fill_shape([*seam, (-far, -self.across / 2 - 3), (-far, self.across / 2 + 3)])

    def _cut(self, x: float) -> Mask:
        line = stroke_shape(self._moved(self.seam, x), self.gap)
        return line | stroke_shape(self._moved(self.slot, x), self.slot_width)

    def _strip(self, left: float, right: float) -> Mask:
        half = self.across / 2
        return fill_shape([(left, half), (right, half), (right, -half), (left, -half)])

    def _mask(self, kind: PieceKind) -> Mask:
        far = HALF_WIDTH
        head_side: Mask = self._left_of_seam(0) & ~self._cut(0)
        tail_side: Mask = ~self._left_of_seam(-self.pitch) & ~self._cut(-self.pitch)
        if kind is PieceKind.BODY:
            return round_mask(self._strip(-far, far) & head_side & tail_side, self.worn)
        if kind is PieceKind.HEAD:
            neck = self._strip(-5, far) & head_side
            return round_mask((fill_shape(self._snout()) & head_side) | neck, 0.4) & ~self._cut(0)
        neck = self._strip(-far, 2.5) & tail_side
        feathers = fill_shape(self._feathers()) & tail_side
        return round_mask(feathers | neck, 0.4) & ~self._cut(-self.pitch)

    def _snout(self) -> Points:
        """Return the silhouette of a head: a crest, an open mouth, a jaw."""
        t = self.across / 2

        def j(a: float = 0.6) -> float:
            return float(self.rng.uniform(-a, a))

        points: Points = [
            (5.5, t), (5.2, t + 0.2), (6.6 + j(), t + 3.4 + j(1)), (2.2, t + 1.2 + j(0.3)),
            (2.4 + j(), t + 4.4 + j(1)), (-2.4, t + 1.2), (-3.2 + j(), t + 4.2 + j(1)),
            (-7.2, t + 0.6), (-10.5 + j(), t - 0.6), (-12.2, t - 2.6 + j()), (-15, t - 4.6),
            (-18.2, t - 5.2 + j()), (-20.6, t - 4 + j()), (-23, t - 4.6), (-24.8 + j(1), t - 7.2),
            (-24.9 + j(1), t - 9.6), (-23.6, t - 11.2), (-21.8, t - 11.2), (-20.9, t - 13.7 + j()),
            (-19.7, t - 11.4), (-15.2, t - 11.8), (-11.6 + j(1), t - 12.6), (-12, t - 14),
            (-15.4, t - 14.8), (-19, t - 15.6 + j()), (-21.2 + j(1), t - 17.2), (-20.4, t - 18.9),
            (-16, t - 19.5), (-11, t - 20.4), (-8.2, -t - 2.8 + j()), (-6, -t - 0.6),
            (-3.6, -t - 3.2 + j()), (-1.4, -t - 0.2), (2, -t),
        ]  # fmt: skip
        long = self.rng.uniform(0.9, 1.1)
        return [(x * long if x < -5 else x, y) for x, y in points]

    def _feathers(self) -> Points:
        """Return the silhouette of a tail: feathers that fan out."""
        t = self.across / 2

        def j(a: float = 0.8) -> float:
            return float(self.rng.uniform(-a, a))

        points: Points = [
            (-2, -t), (-2, t), (3, t - 0.1), (7.2, t - 0.9), (10.5, t - 0.2 + j(0.4)),
            (15.6 + j(), t + 1.6 + j()), (12.6, t - 2.9), (12, t - 3.6), (16.5, t - 3.3 + j(0.4)),
            (22.2 + j(), t - 3.6 + j()), (18.2, t - 6.6), (17.2, t - 7.4), (22, t - 8.3),
            (27.3 + j(), t - 10.6 + j()), (21.4, t - 12.1), (16.6, t - 12), (17.6, t - 13),
            (21.6 + j(), t - 16.2 + j()), (16, t - 15.9), (12, t - 15.6), (12.6, t - 16.8),
            (14.8 + j(), -t - 0.6 + j()), (9.8, t - 19), (6.4, t - 19.2), (3.6, -t),
        ]  # fmt: skip
        long = self.rng.uniform(0.9, 1.1)
        return [(x * long if x > 5 else x, y) for x, y in points]

    def _grooves(self, kind: PieceKind) -> list[tuple[Points, float, float]]:
        """Lines, their width and their depth."""
        t, p, bar = self.across / 2, self.pitch, self.arm / 2
        right = fillet_corners(
            [(2.2, t - bar), (p / 2 + self.hook * 0.6, t - bar),
             (p / 2 + self.hook * 0.58, -self.inner * 0.35)], [3.2],
        )  # fmt: skip
        left = [(-x, -y) for x, y in right]
        stem = [(make_arc(-3.5, y * t, 5, 2.2, -60, 60), 0.8, 0.55) for y in (-0.42, -0.05, 0.32)]
        if kind is PieceKind.BODY:
            return [*stem, (right, 0.7, 0.45), (left, 0.7, 0.45)]
        if kind is PieceKind.HEAD:
            return [
                (right, 0.7, 0.45),
                (make_arc(-4.5, 1, 4.5, 7, -62, 62), 0.9, 0.6),
                (make_arc(-1.5, 0.5, 4.2, 6.5, -60, 60), 0.9, 0.6),
                ([(-23, t - 9.6), (-18, t - 9.4), (-13.2, t - 10.2)], 0.7, 0.45),
                ([(-19.2, t - 17.4), (-14, t - 17.8), (-9, t - 17.2)], 0.7, 0.45),
                (make_arc(-9.6, t - 5.6, 3.9, 3.4, 25, 165), 0.8, 0.6),
                (make_arc(-9.6, t - 5.6, 1.9, 1.9, 0, 360), 0.9, 1.2),
                ([(1, t + 3.2), (-1, t - 1.6)], 0.7, 0.5),
                ([(5.2, t + 2.2), (2.2, t - 1.4)], 0.7, 0.5),
                ([(-3.6, t + 2.8), (-4.8, t - 1.6)], 0.7, 0.5),
            ]
        return [
            (left, 0.7, 0.45), (stem[0][0], 0.8, 0.55), (stem[2][0], 0.8, 0.55),
            ([(4.5, t - 3.4), (9, t - 2.6), (13.2, t - 0.3)], 0.8, 0.55),
            ([(5, t - 7), (11, t - 6), (18.6, t - 4.8)], 0.8, 0.55),
            ([(5, t - 10.6), (12, t - 10.3), (23, t - 10.3)], 0.8, 0.55),
            ([(5, t - 13.6), (11, t - 13.9), (18.2, t - 14.8)], 0.8, 0.55),
            ([(4.4, t - 16.6), (8.4, t - 17.2), (12.6, -t + 1.2)], 0.8, 0.5),
        ]  # fmt: skip

    def _field(self, kind: PieceKind) -> Floats:
        """How high a piece stands above the table, in millimetres; 0 beside it."""
        mask = self._mask(kind)
        inside = cv2.distanceTransform(mask, cv2.DIST_L2, 5) / SHAPE_PIXELS_PER_MM
        edge = np.clip(inside / self.bevel, 0, 1)
        field = self.high - self.bevel + self.bevel * np.sqrt(1 - (1 - edge) ** 2)
        field += 0.55 * (1 - np.exp(-np.maximum(inside - 0.3, 0) / 2.2))
        deep = float(self.rng.uniform(0.5, 1.5))
        for line, width, depth in self._grooves(kind):
            groove = np.divide(
                cv2.GaussianBlur(stroke_shape(line, width), (0, 0), 0.2 * SHAPE_PIXELS_PER_MM),
                255.0,
            )
            field -= depth * deep * groove * np.clip(inside / 0.8, 0, 1)
        return np.where(mask > 0, field, 0).astype(np.float32)
