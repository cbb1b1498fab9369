"""Guess where partly covered cards lie: by a corner that is seen, on a table whose plane is known.

On the table all cards have the same size. So two edges that meet at a right angle are the corner of
one of two cards: its width lies along the one edge, or along the other.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.cards.card_signs import FACE_SIZE
from coatl_tools.vision.homography import Points, invert_homography, map_points
from coatl_tools.vision.shrinking import shrink_photo
from coatl_tools.vision.stage_trace import Pixels
from coatl_tools.vision.table_plane import PITCH, TablePlane

SEARCH_SIDE = 1280  # pixels of the longer side in which edges are looked for
MIN_EDGE, MAX_EDGES = 11.0, 700  # millimetres of an edge that are seen; edges that are compared
MAX_EDGE_GAP = 10.0  # millimetres from the end of an edge to the corner; corners are round
MAX_LEAN = 6.0  # degrees by which an angle may differ from a right one
MAX_OVERHANG = 5.0  # millimetres by which an edge may be longer than a side
MAX_BESIDE = 2.5  # millimetres from an edge to the side that it belongs to
MIN_SUPPORT = 0.22  # of the sides must be edges
SAME_PLACE = 6.0  # millimetres between corners of guesses that are one
MAX_GUESSES = 60

Edges = NDArray[np.float64]  # edges, both ends, x and y, in millimetres of the table


def guess_covered_faces(pixels: Pixels, plane: TablePlane) -> list[Points]:
    """Guess where cards lie: four corners each, with the clock, those with the most edges first."""
    edges = _find_edges(pixels, plane)
    guesses = _list_cards_at_corners(edges)
    support = _measure_support(guesses, edges)
    kept = np.empty((0, 4, 2))
    for index in np.argsort(-support, kind="stable"):
        if support[index] < MIN_SUPPORT or len(kept) == MAX_GUESSES:
            break
        turned = np.stack([np.roll(guesses[index], turn, axis=0) for turn in (0, 2)])
        apart = np.hypot(*np.moveaxis(kept[:, None] - turned, 3, 0)).max(axis=2)
        if not (apart < SAME_PLACE).any():
            kept = np.vstack([kept, guesses[index][None]])
    to_photo = invert_homography(plane.to_table)
    return [map_points(corners / PITCH, to_photo) for corners in kept]


def _find_edges(pixels: Pixels, plane: TablePlane) -> Edges:
    """Find straight edges in a photo, the longest ones on the table first."""
    small, shrink = shrink_photo(pixels, SEARCH_SIDE)
    light, _, yellow = cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2LAB))
    detector = cv2.createLineSegmentDetector()
    found: list[Any] = [detector.detect(one)[0] for one in (light, yellow)]  # None without an edge
    ends = [np.asarray(one, float).reshape(-1, 2) for one in found if one is not None]
    if not ends:
        return np.empty((0, 2, 2))
    seen = (np.concatenate(ends) + 0.5) / shrink - 0.5
    edges = plane.map(seen).reshape(-1, 2, 2) * PITCH
    lengths = np.hypot(*(edges[:, 1] - edges[:, 0]).T)
    order = np.argsort(-lengths, kind="stable")
    longest = max(FACE_SIZE) + 2 * MAX_OVERHANG
    fits = (lengths[order] >= MIN_EDGE) & (lengths[order] < longest)
    return np.asarray(edges[order[fits]][:MAX_EDGES])


def _list_cards_at_corners(edges: Edges) -> NDArray[np.float64]:
    """List the cards whose corner two edges make: four corners each, with the clock."""
    one, other = (index.ravel() for index in np.indices((len(edges), len(edges))))
    along = edges[:, 1] - edges[:, 0]
    units = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    sine = _cross(units[one], units[other])
    square = (one < other) & (np.abs(sine) > np.cos(np.radians(MAX_LEAN)))
    one, other, sine = one[square], other[square], sine[square]
    reach = _cross(edges[other, 0] - edges[one, 0], units[other]) / sine
    corners = edges[one, 0] + reach[:, None] * units[one]
    sides, meets = [], np.ones(len(corners), bool)
    for index in (one, other):
        away = np.hypot(*np.moveaxis(edges[index] - corners[:, None], 2, 0))
        meets &= away.min(axis=1) < MAX_EDGE_GAP
        far = edges[index, away.argmax(axis=1)] - corners
        sides.append(far)
    lengths = [np.hypot(*side.T) for side in sides]
    found = []
    for wide, high in ((0, 1), (1, 0)):
        fits = meets & (lengths[wide] < FACE_SIZE[0] + MAX_OVERHANG)
        fits &= lengths[high] < FACE_SIZE[1] + MAX_OVERHANG
        begin = corners[fits]
        ways = [sides[k][fits] / np.maximum(lengths[k][fits], 1e-9)[:, None] for k in (wide, high)]
        across, down = (way * size for way, size in zip(ways, FACE_SIZE, strict=True))
        quads = np.stack([begin, begin + across, begin + across + down, begin + down], axis=1)
        turned = quads[:, [1, 0, 3, 2]]  # the other way round
        clockwise = _cross(across, down) > 0
        found.append(np.where(clockwise[:, None, None], quads, turned))
    return np.concatenate(found)


def _measure_support(guesses: NDArray[np.float64], edges: Edges) -> NDArray[np.float64]:
    """Measure the share of the sides of each guess that is seen as edges."""
    total = np.zeros(len(guesses))
    for side in range(4):
        begin = guesses[:, side]
        along = guesses[:, (side + 1) % 4] - begin
        length = np.maximum(np.hypot(*along.T), 1e-9)
        units = along / length[:, None]
        away = edges[None] - begin[:, None, None]  # guesses, edges, ends, x and y
        beside = np.abs(_cross(units[:, None, None], away)).max(axis=2)
        run = (away * units[:, None, None]).sum(axis=3)
        first, last = run.min(axis=2).clip(0), np.minimum(run.max(axis=2), length[:, None])
        shared = np.where(beside < MAX_BESIDE, (last - first).clip(0), 0)
        total += np.minimum(shared.sum(axis=1), length)
    return np.asarray(total / (2 * sum(FACE_SIZE)))


def _cross(one: Points, other: Points) -> Points:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])
