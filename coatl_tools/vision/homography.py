"""Homographies: undo the perspective of a photo, and map points between a plane and the photo."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.vision.reading import Outline
from coatl_tools.vision.shrinking import get_coarse_photo
from coatl_tools.vision.stage_trace import Pixels

Points = NDArray[np.float64]
FOCAL_LENGTH_SHARE = 0.8  # of a phone's camera, as a part of the photo's longer side
CORNER_ERROR = 0.4  # pixels by which a found corner is off, as a rule


def map_points(points: Points, homography: Points) -> Points:
    """Map points through a homography."""
    stacked = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(stacked, homography), np.float64).reshape(-1, 2)


def invert_homography(homography: Points) -> Points:
    """Invert a homography."""
    return np.asarray(np.linalg.inv(homography), np.float64)


def to_outline(points: Points) -> Outline:
    """Convert points to an outline of a reading, to a tenth of a pixel."""
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)


def clip_outline(points: Points, size: tuple[int, int]) -> Points:
    """Clip an outline to a picture of some width and height."""
    if ((points >= 0) & (points <= size)).all():
        return points
    whole = cv2.convexHull(points.astype(np.float32))
    edges = box_corners(0, 0, *size).astype(np.float32)
    shared, part = cv2.intersectConvexConvex(whole, edges)
    if shared <= 0 or part is None:
        return np.asarray(points.clip(0, size), np.float64)
    return np.asarray(part, np.float64).reshape(-1, 2).clip(0, size)


def box_corners(x: float, y: float, width: float, height: float) -> Points:
    """List the corners of a rectangle, clockwise from the top left."""
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], float)


def rectify_box(picture: Pixels, homography: Points, box: Box, scale: float) -> Pixels:
    """Rectify a rectangle of a plane: seen from above, with `scale` pixels per millimetre.

    A much larger part of the photo is shrunk first, to avoid aliasing.
    """
    half = 0.5 / scale  # pixels are counted by their middles
    view = np.array([(1 / scale, 0, box.x + half), (0, 1 / scale, box.y + half), (0, 0, 1)])
    size = (max(1, round(box.width * scale)), max(1, round(box.height * scale)))
    matrix = homography @ view
    corners = map_points(box_corners(0, 0, *size), matrix)
    area = float(cv2.contourArea(corners.astype(np.float32)))
    shrink = np.sqrt(size[0] * size[1] / area) if np.isfinite(area) and area > 1 else 1.0
    if picture.shape[2:] == (3,) and shrink < 1:
        coarse, share = get_coarse_photo(picture)
        if shrink < share < 1:
            picture, shrink = coarse, shrink / share
            middle = 0.5 * share - 0.5
            matrix = np.array([(share, 0, middle), (0, share, middle), (0, 0, 1)]) @ matrix
            corners = map_points(box_corners(0, 0, *size), matrix)
    source, shift = picture, np.eye(3)
    if shrink < 0.6:
        low = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, None)
        high = np.ceil(corners.max(axis=0)).astype(int) + 1
        part = picture[low[1] : high[1], low[0] : high[0]]
        if min(part.shape[:2]) * shrink >= 1:  # a strip at the edge of the photo stays as it is
            smaller = cv2.resize(part, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            source = np.asarray(smaller, np.uint8)
            middle = 0.5 * shrink - 0.5
            shift = np.array(
                [
                    (shrink, 0, middle - shrink * low[0]),
                    (0, shrink, middle - shrink * low[1]),
                    (0, 0, 1),
                ]
            )
    seen = cv2.warpPerspective(
        source,
        shift @ matrix,
        size,
        flags=(cv2.INTER_CUBIC if shrink > 1 else cv2.INTER_LINEAR) | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(seen, np.uint8)


def fit_homography(flat: Points, seen: Points) -> Points | None:
    """Fit a homography to points, whatever the camera; None if it fails."""
    matrix, _ = cv2.findHomography(flat, seen)
    found = np.asarray(matrix, np.float64)  # nothing found is not a number
    return found if found.shape == (3, 3) and np.isfinite(found).all() else None


def fit_camera_homographies(flat: Points, seen: Points, size: tuple[int, int]) -> list[Points]:
    """Fit homographies that a phone's camera can have to points of a plane, the best first.

    With few points close together, they extrapolate much farther than a free homography. A small
    square can be seen in two ways, tilted to or fro: both are returned.
    """
    focal = FOCAL_LENGTH_SHARE * max(size)
    camera = np.array([(focal, 0, size[0] / 2), (0, focal, size[1] / 2), (0, 0, 1)])
    middle = flat.mean(axis=0)
    solid = np.column_stack([flat - middle, np.zeros(len(flat))])
    try:
        count, turns, moves, _ = cv2.solvePnPGeneric(
            solid, seen, camera, None, flags=cv2.SOLVEPNP_IPPE
        )
    except cv2.error:  # points on a line
        return []
    shift = np.eye(3)
    shift[:2, 2] = -middle
    found = []
    for turn, move in zip(turns[:count], moves[:count], strict=True):
        pose, _ = cv2.Rodrigues(turn)
        matrix = camera @ np.column_stack([pose[:, 0], pose[:, 1], np.ravel(move)]) @ shift
        if np.isfinite(matrix).all() and abs(np.linalg.det(matrix)) > 1e-9:
            found.append(np.asarray(matrix / np.abs(matrix).max(), np.float64))
    return found


def estimate_homography_error(
    flat: Points, seen: Points, size: tuple[int, int], where: Points, free: bool
) -> float:
    """Estimate how far off a homography may be, in pixels, at the worst of some points.

    Each corner is moved by its likely error, and the homography is fitted again.
    """
    base = fit_best_homography(flat, seen, size, free)
    if base is None:
        return np.inf
    at = map_points(where, base)
    total = np.zeros(len(where))
    for index in range(len(seen)):
        for axis in (0, 1):
            moved = seen.copy()
            moved[index, axis] += CORNER_ERROR
            other = fit_best_homography(flat, moved, size, free)
            if other is None:
                return np.inf
            total += ((map_points(where, other) - at) ** 2).sum(axis=1)
    return float(np.sqrt(total.max()))


def fit_best_homography(
    flat: Points, seen: Points, size: tuple[int, int], free: bool
) -> Points | None:
    """Fit a homography, `free` or one that a phone's camera can have; None if it fails."""
    if free:
        return fit_homography(flat, seen)
    found = fit_camera_homographies(flat, seen, size)
    return found[0] if found else None


def measure_overlap(one: Points, other: Points) -> float:
    """Measure the share of the smaller outline that lies in the other one."""
    first, second = one.astype(np.float32), other.astype(np.float32)
    smaller = min(cv2.contourArea(first), cv2.contourArea(second))
    if smaller <= 0:
        return 0.0
    shared, _ = cv2.intersectConvexConvex(cv2.convexHull(first), cv2.convexHull(second))
    return float(shared / smaller)
