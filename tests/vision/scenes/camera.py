"""A phone above a table: where the points of the table come to lie in the photo."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]
FILM = 36.0  # millimetres: lenses are told by what they are on film


@dataclass(frozen=True)
class View:
    """How somebody takes a photo: degrees above the table, the lens, a crooked hand, what fills."""

    degrees: float
    focal: float
    roll: float
    fill: float
    aside: tuple[float, float]  # how far what is shown lies beside the middle, of what is free
    lens: float = 0.0  # how much straight lines near the edge are bent


@dataclass(frozen=True, eq=False)
class Camera:
    """What a camera sees. The table is x to the right, y towards its lower edge, z upwards."""

    size: tuple[int, int]
    matrix: Points  # 3 x 4, from millimetres to pixel middles
    view: View

    @property
    def plane(self) -> Points:
        """From the table's millimetres to pixels, before the lens bends them."""
        return self.matrix[:, [0, 1, 3]]

    def straight(self, points: Points, z: float = 0.0) -> Points:
        """Points of the table, at some height, in pixels, before the lens bends them."""
        points = np.asarray(points, float).reshape(-1, np.shape(points)[-1])
        if points.shape[1] == 2:
            points = np.column_stack([points, np.full(len(points), z)])
        seen = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def seen(self, points: Points) -> Points:
        """Points of the table in pixels of the photo."""
        straight = self.straight(points)
        middle, reach = self.middle
        wanted = (straight - middle) / reach
        bent = wanted.copy()
        for _ in range(8):
            bent = wanted / (1 + self.view.lens * (bent**2).sum(axis=1, keepdims=True))
        return np.asarray(bent * reach + middle)

    def table(self, pixels: Points) -> Points:
        """Where on the table pixels lie, before the lens bends them."""
        back = np.column_stack([pixels, np.ones(len(pixels))]) @ np.linalg.inv(self.plane).T
        return np.asarray(back[:, :2] / back[:, 2:])

    def scale(self, point: Points) -> float:
        """Pixels of a millimetre at a point of the table."""
        around = np.array([(0, 0), (0.5, 0), (0, 0.5)]) + point
        zero, right, down = self.straight(around)
        x, y = (right - zero) * 2, (down - zero) * 2
        return math.sqrt(abs(x[0] * y[1] - x[1] * y[0]))

    def scales(self, points: Points) -> tuple[float, float]:
        """Pixels of a millimetre where these points are farthest away, and where nearest."""
        hull = np.asarray(cv2.convexHull(points.astype(np.float32)), float).reshape(-1, 2)
        found = [self.scale(point) for point in hull]
        return min(found), max(found)

    @property
    def middle(self) -> tuple[Points, float]:
        """The middle of the photo, and how far its corners are."""
        middle = (np.array(self.size, float) - 1) / 2
        return middle, float(np.hypot(*middle))


def aimed(view: View, size: tuple[int, int], things: Points) -> Camera:
    """A camera that sees all these points of the table."""
    low, high = things.min(axis=0), things.max(axis=0)
    aim, away = (low + high) / 2, 3 * float(np.max(high - low)) + 50
    free = (1 - view.fill) / 2 * np.array(size)
    target = (np.array(size) - 1) / 2 + free * view.aside
    camera = _placed(view, size, aim, away)
    for _ in range(14):
        camera = _placed(view, size, aim, away)
        seen = camera.straight(things)
        near, far = seen.min(axis=0), seen.max(axis=0)
        aim = aim + camera.table(((near + far) / 2)[None])[0] - camera.table(target[None])[0]
        ratio = float(np.max((far - near) / (view.fill * np.array(size))))
        away *= min(2.0, max(0.6, ratio))
    return camera


def _placed(view: View, size: tuple[int, int], aim: Points, away: float) -> Camera:
    up, roll = math.radians(view.degrees), math.radians(view.roll)
    back = np.array([0.0, math.cos(up), math.sin(up)])
    right, down = np.array([1.0, 0, 0]), np.array([0, math.sin(up), -math.cos(up)])
    across = math.cos(roll) * right + math.sin(roll) * down
    along = -math.sin(roll) * right + math.cos(roll) * down
    turn = np.stack([across, along, -back])
    place = np.array([*aim, 0.0]) + away * back
    focal = view.focal / FILM * max(size)
    lens = np.array([(focal, 0, (size[0] - 1) / 2), (0, focal, (size[1] - 1) / 2), (0, 0, 1)])
    matrix = lens @ np.column_stack([turn, -turn @ place])
    return Camera(size, matrix, view)
