"""Rectangles in a photo that may be cards, or parts of one: by edges and by areas of one tone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.plane import Points
from coatl_tools.vision.trace import Pixels

WORKING = 1000  # pixels of the longer side in which rectangles are looked for
LEAST = 26.0  # pixels of the shorter side there
LARGEST = 0.6  # the part of the photo that one may fill
FULL = 0.9  # the part of a rectangle that its hull must fill: corners may be round
TONES = 5  # levels of each channel that areas are cut at
MOST = 40  # rectangles that are looked at
MOST_FITS = 240  # of which as many are compared
MOST_CONTOURS = 1000  # on a patterned cloth there are thousands


def find_rectangles(pixels: Pixels, known: Sequence[Points] = ()) -> list[Points]:
    """Four corners each, clockwise, in pixels of the photo; the largest first.

    What lies inside known outlines is not looked at.
    """
    shrink = min(1.0, WORKING / max(pixels.shape[:2]))
    small = cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    for outline in known:
        cv2.fillConvexPoly(small, np.round(outline * shrink).astype(np.int32), (128, 128, 128))
    area = small.shape[0] * small.shape[1]
    found: list[tuple[float, Points]] = []
    boxes = []
    for contour in _contours(np.asarray(small, np.uint8)):
        _, (width, height), _ = cv2.minAreaRect(contour)
        if min(width, height) >= LEAST and width * height <= LARGEST * area:
            boxes.append((width * height, contour))
    boxes.sort(key=lambda box: -box[0])
    for around_it, contour in boxes[:MOST_CONTOURS]:
        quad = _quad(contour, around_it)
        if quad is not None:
            found.append(quad)
    kept = _each_once(found)
    return [(quad + 0.5) / shrink - 0.5 for quad in kept[:MOST]]


def _contours(small: Pixels) -> Iterator[NDArray[np.int32]]:
    lab = cv2.cvtColor(cv2.bilateralFilter(small, 5, 30, 5), cv2.COLOR_BGR2LAB)
    edges = np.zeros(small.shape[:2], np.uint8)
    for channel, (low, high) in zip(cv2.split(lab), ((40, 110), (14, 40), (14, 40)), strict=True):
        plane = np.asarray(channel, np.uint8)
        edges |= np.asarray(cv2.Canny(plane, low, high), np.uint8)
        for level in _levels(plane):
            binary = cv2.threshold(plane, float(level), 255, cv2.THRESH_BINARY)[1]
            yield from _outlines(np.asarray(binary, np.uint8))
    yield from _outlines(np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8))


def _levels(channel: Pixels) -> list[float]:
    """Levels between which the channel has its pixels, by their number and by their range."""
    low, high = np.percentile(channel, (2, 98))
    if high - low < 8:
        return []
    return [float(low + (high - low) * (i + 1) / (TONES + 1)) for i in range(TONES)]


def _outlines(binary: Pixels) -> Iterator[NDArray[np.int32]]:
    contours, _ = cv2.findContours(binary, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        if len(contour) > 4 * LEAST * 0.7:
            yield np.asarray(contour, np.int32)


def _quad(contour: NDArray[np.int32], around_it: float) -> tuple[float, Points] | None:
    """The rectangle, as a camera sees it, that a contour runs around; and how well it fits."""
    hull = cv2.convexHull(contour)
    around, whole = cv2.arcLength(hull, True), cv2.contourArea(hull)
    if whole < 0.55 * around_it:
        return None
    for share in (0.015, 0.025, 0.04, 0.06):
        corners = cv2.approxPolyDP(hull, share * around, True).reshape(-1, 2)
        if len(corners) <= 4:
            break
    if len(corners) != 4:
        return None
    quad = _sharpened(hull.reshape(-1, 2).astype(float), corners.astype(float))
    if quad is None:
        return None
    inner = float(cv2.contourArea(quad.astype(np.float32)))
    if inner < LEAST**2 or not FULL < whole / inner < 1.06:
        return None
    sides = [float(np.linalg.norm(quad[i] - quad[i - 1])) for i in range(4)]
    if min(sides) < LEAST or max(sides) > 4.5 * min(sides):
        return None
    return whole / inner, quad


def _sharpened(hull: Points, corners: Points) -> Points | None:
    """The corners where the sides would meet: those of a card may be round."""
    if cv2.contourArea(corners.astype(np.float32), True) < 0:
        corners = corners[::-1]
    middle = corners.mean(axis=0)
    start = int(np.argmin((corners - middle).sum(axis=1)))
    corners = np.roll(corners, -start, axis=0)
    dense = _dense(hull)
    lines = []
    for index in range(4):
        one, other = corners[index], corners[(index + 1) % 4]
        along = other - one
        length = float(np.linalg.norm(along))
        if length < 2:
            return None
        unit = along / length
        run = (dense - one) @ unit
        away = np.abs((dense - one) @ np.array([-unit[1], unit[0]]))
        near = dense[(run > 0.15 * length) & (run < 0.85 * length) & (away < 0.04 * length + 1.5)]
        if len(near) < 6:
            return None
        x, y, at_x, at_y = np.ravel(
            cv2.fitLine(near.astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01)
        )
        lines.append((np.array([x, y], float), np.array([at_x, at_y], float)))
    met = []
    for index in range(4):
        (one, at), (other, there) = lines[index - 1], lines[index]
        matrix = np.column_stack([one, -other])
        if abs(np.linalg.det(matrix)) < 0.2:
            return None
        met.append(at + one * np.linalg.solve(matrix, there - at)[0])
    return np.array(met)


def _dense(hull: Points) -> Points:
    """Points on the hull, about a pixel apart."""
    closed = np.vstack([hull, hull[:1]])
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(closed, axis=0).T))])
    at = np.arange(0.0, length[-1])
    return np.column_stack([np.interp(at, length, closed[:, axis]) for axis in (0, 1)])


def _each_once(found: Sequence[tuple[float, Points]]) -> list[Points]:
    """The best fit of those that are the same rectangle, the largest first."""
    kept = np.empty((0, 4, 2))
    for _, quad in sorted(found, key=lambda pair: -pair[0])[:MOST_FITS]:
        near = 0.06 * float(np.sqrt(cv2.contourArea(quad.astype(np.float32))))
        turned = np.stack([np.roll(quad, turn, axis=0) for turn in range(4)])
        if not (np.abs(kept[:, None] - turned).max(axis=(2, 3)) < near).any():
            kept = np.vstack([kept, quad[None]])
    return sorted(kept, key=lambda quad: -float(cv2.contourArea(quad.astype(np.float32))))
