"""A camera above a table, and what it sees of height fields, by going down through slices."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
MIN_DISTANCE = 30.0  # millimetres


@dataclass(frozen=True)
class Camera:
    """Where it stands (millimetres; the table is z = 0), how it looks, and its picture's size."""

    place: NDArray[np.float64]
    right: NDArray[np.float64]
    up: NDArray[np.float64]
    forward: NDArray[np.float64]
    focal: float  # pixels
    size: tuple[int, int]  # width, height

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points in space as pixels; one row each."""
        rays = np.asarray(points, float) - self.place
        depth = rays @ self.forward
        width, height = self.size
        x = width / 2 + self.focal * (rays @ self.right) / depth
        y = height / 2 - self.focal * (rays @ self.up) / depth
        return np.stack([x, y], axis=1)

    def is_above(self, points: NDArray[np.float64]) -> bool:
        """Whether it stands above these points, and has them all in front of it."""
        depth = (np.asarray(points, float) - self.place) @ self.forward
        return bool(
            self.place[2] > points[:, 2].max() + MIN_DISTANCE and depth.min() > MIN_DISTANCE
        )

    def ground(self) -> tuple[Floats, Floats]:
        """Where each pixel's ray meets the table."""
        width, height = self.size
        across = (np.arange(width, dtype=np.float32) + 0.5 - width / 2) / self.focal
        down = (np.arange(height, dtype=np.float32) + 0.5 - height / 2) / self.focal
        forward, right, up = (v.astype(np.float32) for v in (self.forward, self.right, self.up))
        rays = forward + across[None, :, None] * right - down[:, None, None] * up
        rays /= np.linalg.norm(rays, axis=2, keepdims=True)
        fall = np.minimum(rays[..., 2], np.float32(-0.02))
        reach = np.float32(-self.place[2]) / fall
        x = np.float32(self.place[0]) + rays[..., 0] * reach
        y = np.float32(self.place[1]) + rays[..., 1] * reach
        return x, y


def aim_camera(
    points: NDArray[np.float64],
    elevation: float,
    roll: float,
    focal_mm: float,
    size: tuple[int, int],
    fill: float,
    aim: tuple[float, float],
) -> Camera:
    """Return a camera that has these points in its picture, filling this share of it, off centre
    by aim.

    It looks towards +y; angles are in radians, the focal length is that of a 36 mm wide sensor.
    """
    width, height = size
    focal = focal_mm / 36 * max(size)
    forward = np.array([0.0, np.cos(elevation), -np.sin(elevation)])
    right = np.array([1.0, 0, 0])
    up = np.cross(right, forward)
    right, up = right * np.cos(roll) + up * np.sin(roll), up * np.cos(roll) - right * np.sin(roll)
    target, distance = points.mean(axis=0), 400.0
    for _ in range(30):
        camera = Camera(target - forward * distance, right, up, forward, focal, size)
        seen = camera.project(points) / np.array([width, height]) - 0.5
        low, high = seen.min(axis=0), seen.max(axis=0)
        middle, extent = (low + high) / 2, float((high - low).max())
        shift = middle - np.array(aim) * np.maximum(0, (0.97 - (high - low)) / 2)
        span = distance / focal
        target = target + right * shift[0] * width * span
        target = target - np.array([0, 1.0, 0]) * shift[1] * height * span / np.sin(elevation)
        distance *= (extent / fill) ** 0.6
    return Camera(target - forward * distance, right, up, forward, focal, size)


@dataclass(frozen=True)
class Raster:
    """A part of the table as a grid: where its top left corner lies, and pixels a millimetre."""

    left: float
    top: float  # the largest y; rows run towards the camera
    scale: float

    def columns(self, x: Floats) -> Floats:
        """Places on the table as columns."""
        return np.asarray((x - self.left) * self.scale - 0.5, np.float32)

    def rows(self, y: Floats) -> Floats:
        """Places on the table as rows."""
        return np.asarray((self.top - y) * self.scale - 0.5, np.float32)


@dataclass(frozen=True)
class CameraView:
    """For each pixel, the place that it shows: on the raster, and how high above the table."""

    columns: Floats
    rows: Floats
    heights: Floats
    walls: NDArray[np.bool_]  # the side of something, not its top


def render_view(camera: Camera, field: Floats, raster: Raster, slices: list[float]) -> CameraView:
    """Render what a camera sees of a height field."""
    x, y = camera.ground()
    high = camera.place[2]
    found = np.zeros(x.shape, bool)
    columns, rows = raster.columns(x), raster.rows(y)
    heights = np.zeros_like(x)
    walls = np.zeros(x.shape, bool)
    camera_column = np.float32((camera.place[0] - raster.left) * raster.scale)
    camera_row = np.float32((raster.top - camera.place[1]) * raster.scale)
    ground_columns, ground_rows = columns.copy(), rows.copy()
    for z in sorted(slices, reverse=True):
        nearer = np.float32(1 - z / high)
        at_column = camera_column + (ground_columns - camera_column) * nearer
        at_row = camera_row + (ground_rows - camera_row) * nearer
        there = cv2.remap(field, at_column, at_row, cv2.INTER_LINEAR, borderValue=0)
        hit = (there >= z) & ~found
        if not hit.any():
            continue
        found |= hit
        columns[hit], rows[hit], heights[hit] = at_column[hit], at_row[hit], z
        walls[hit] = there[hit] > z + 1.0
    return CameraView(columns, rows, heights, walls)


def cast_shadows(field: Floats, raster: Raster, light: NDArray[np.float64]) -> Floats:
    """How high the shadow reaches over each place, with the light coming from this direction."""
    tallest = float(field.max())
    flat = float(np.hypot(light[0], light[1]))
    if flat < 1e-3 or tallest <= 0:
        return np.zeros_like(field)
    small = cv2.resize(field, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    reach, scale = np.zeros_like(small), raster.scale / 2
    step, length = 1.3 / scale, tallest / light[2] * flat
    along = step
    while along < min(length, 120):
        dx, dy = light[0] / flat * along * scale, -light[1] / flat * along * scale
        move = np.array([[1, 0, -dx], [0, 1, -dy]], np.float32)
        shape = (small.shape[1], small.shape[0])
        there = cv2.warpAffine(small, move, shape, flags=cv2.INTER_LINEAR, borderValue=0)
        reach = np.maximum(reach, there - np.float32(along / flat * light[2]))
        along += step * (1 + along / 12)
    return np.asarray(cv2.resize(reach, field.shape[::-1]), np.float32)
