"""Finding ArUco marks, those of cards and of the mat, and telling them from what only looks so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.printing.aruco_marks import MODULES_PER_SIDE, load_marks_layout
from coatl_tools.printing.layouts import Layouts
from coatl_tools.vision.homography import Points, box_corners
from coatl_tools.vision.stage_trace import Pixels, Trace

MAX_SEARCH_SIDE = 2600  # pixels of the side in which marks are looked for; more finds no more
MIN_MARK_SIDE = 11  # pixels of a mark's side: below, its modules run together
CONTRASTS = (7, 12, 20, 30)  # grey levels by which a mark is darker than what lies around it
MAX_OUTLINES = 1500  # outlines that can be looked at quickly
MIN_CLARITY = 0.25  # from here on, `clarity` is that of a mark; what else looks like one has less
MODULE_PIXELS = 6  # pixels of a module where a mark is looked at closely


@dataclass(frozen=True, eq=False)
class SeenMark:
    """A mark in a photo: its corners as OpenCV orders them, top left first and clockwise.

    `clarity` is 1 where black and white lie as they should, the white around it included.
    """

    number: int
    corners: Points
    clarity: float

    @property
    def side(self) -> float:
        """Its side in pixels, were it seen from above."""
        return float(np.sqrt(max(0.0, cv2.contourArea(self.corners.astype(np.float32)))))


def find_marks(pixels: Pixels, trace: Trace) -> tuple[SeenMark, ...]:
    """Find all marks of any number in a photo, the largest first."""
    with trace.stage("marks"):
        return _find_in_grey(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8))


def _find_in_grey(grey: Pixels) -> tuple[SeenMark, ...]:
    shrink = min(1.0, MAX_SEARCH_SIDE / max(grey.shape))
    small = grey
    if shrink < 1:
        shrunk = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        small = np.asarray(shrunk, np.uint8)
    if min(small.shape) < 4 * MIN_MARK_SIDE:
        return ()
    found = []
    for number, quad in _detect_marks(small):
        # the middle of the first pixel is at 0 in both sizes
        fine = _refine_corners(grey, (quad + 0.5) / shrink - 0.5)
        found.append(SeenMark(number, fine, _measure_clarity(grey, fine, number)))
    return _remove_duplicates(found)


def _detect_marks(grey: Pixels) -> list[tuple[int, Points]]:
    """Run OpenCV's detector with the lowest contrast that does not take too long.

    On a checked cloth there are thousands of squares. Then only those of more contrast are tested,
    as marks are black on white; as a last resort, the picture is halved.
    """
    for contrast in CONTRASTS:
        if _count_square_outlines(grey, contrast) < MAX_OUTLINES:
            return _run_detector(grey, contrast)
    shrunk = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    half = np.asarray(shrunk, np.uint8)
    if min(half.shape) < 4 * MIN_MARK_SIDE:
        return []
    return [(number, (quad + 0.5) * 2 - 0.5) for number, quad in _detect_marks(half)]


def _count_square_outlines(grey: Pixels, contrast: int) -> int:
    """Count the outlines that are at least about as long as a mark's."""
    edges = cv2.adaptiveThreshold(
        grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 13, contrast
    )
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    return sum(len(contour) > 4 * MIN_MARK_SIDE for contour in contours)


def _run_detector(grey: Pixels, contrast: int) -> list[tuple[int, Points]]:
    corners, numbers, _ = _make_detector(max(grey.shape), contrast).detectMarkers(grey)
    quads = [np.asarray(quad, np.float64).reshape(4, 2) for quad in corners]
    return list(zip(map(int, np.ravel(numbers) if quads else ()), quads, strict=True))


@lru_cache(maxsize=32)
def _make_detector(longest: int, contrast: int) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshConstant = contrast
    settings.minMarkerPerimeterRate = 4 * MIN_MARK_SIDE / longest
    settings.minMarkerDistanceRate = 0.05  # else the white tablet hides the mark in it
    settings.perspectiveRemovePixelPerCell = 8  # small marks are read better enlarged
    settings.maxErroneousBitsInBorderRate = 0.2
    settings.errorCorrectionRate = 0.0
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    return cv2.aruco.ArucoDetector(dictionary, settings)


def _refine_corners(grey: Pixels, corners: Points) -> Points:
    """Refine corners to a part of a pixel; unchanged if they move too far."""
    module = np.sqrt(max(1.0, cv2.contourArea(corners.astype(np.float32)))) / MODULES_PER_SIDE
    reach = int(np.clip(round(0.7 * module), 2, 12))
    low = np.floor(corners.min(axis=0)).astype(int) - 2 * reach - 2
    high = np.ceil(corners.max(axis=0)).astype(int) + 2 * reach + 3
    low = np.maximum(low, 0)
    part = grey[low[1] : high[1], low[0] : high[0]]
    if min(part.shape) < 2 * reach + 5:
        return corners
    begin = (corners - low).astype(np.float32).reshape(-1, 1, 2)
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.02)
    fine = cv2.cornerSubPix(part, begin.copy(), (reach, reach), (-1, -1), until)
    moved = np.asarray(fine, np.float64).reshape(4, 2) + low
    return moved if np.abs(moved - corners).max() < 1.5 * reach else corners


def _measure_clarity(grey: Pixels, corners: Points, number: int) -> float:
    """Measure how much lighter white modules are than black ones, as a part of the contrast.

    The white rim counts too: a letter or a window hardly has one on all sides.
    """
    modules = _measure_modules(grey, corners)
    white = _make_pattern(number)
    light, dark = modules[white], modules[~white]
    contrast = float(np.median(light) - np.median(dark))
    if contrast < 12:
        return 0.0
    # the second worst of each: a speck of dirt or of glare spares the others
    worst = float(np.sort(light)[1] - np.sort(dark)[-2])
    return float(np.clip(worst / contrast, 0.0, 1.0))


def _measure_modules(grey: Pixels, corners: Points) -> NDArray[np.float64]:
    """Measure the mean lightness of each module, and of a rim of modules around the mark."""
    count = MODULES_PER_SIDE + 2
    inner = box_corners(1, 1, MODULES_PER_SIDE, MODULES_PER_SIDE)
    flat = (inner * MODULE_PIXELS - 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    size = count * MODULE_PIXELS
    side = np.sqrt(max(1.0, cv2.contourArea(corners.astype(np.float32))))
    source, soft = grey, side / (MODULES_PER_SIDE * MODULE_PIXELS)
    if soft > 2:  # a large mark: as smooth as its small picture needs
        source = np.asarray(cv2.blur(grey, (round(soft), round(soft))), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    square = cv2.warpPerspective(
        source, matrix, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    parts = square.reshape(count, MODULE_PIXELS, count, MODULE_PIXELS)[:, 2:-2, :, 2:-2]
    return np.asarray(parts.mean(axis=(1, 3)), np.float64)


@lru_cache(maxsize=256)
def _make_pattern(number: int) -> NDArray[np.bool_]:
    """Return which modules of a mark are white, the rim around it included."""
    bits = f"{int(load_marks_layout(Layouts()).bits[number], 16):016b}"
    white = np.ones((MODULES_PER_SIDE + 2, MODULES_PER_SIDE + 2), bool)
    white[1:-1, 1:-1] = False
    white[2:-2, 2:-2] = np.array([bit == "1" for bit in bits]).reshape(4, 4)
    return white


def _remove_duplicates(marks: list[SeenMark]) -> tuple[SeenMark, ...]:
    """Remove marks that overlap a larger or clearer one."""
    kept: list[SeenMark] = []
    for mark in sorted(marks, key=lambda mark: (-mark.clarity, -mark.side)):
        middle = mark.corners.mean(axis=0)
        apart = [np.linalg.norm(middle - other.corners.mean(axis=0)) for other in kept]
        sides = [max(mark.side, other.side) for other in kept]
        if all(gap > 0.5 * side for gap, side in zip(apart, sides, strict=True)):
            kept.append(mark)
    return tuple(sorted(kept, key=lambda mark: (-mark.side, mark.number)))
