"""Where a board lies in a photo: by its drawing, whatever lies on it.

Features of the board's picture, also as it looks from the side, are found again in the photo, and
the homography that most of them agree on is checked: seen through it, the photo must have its edges
where the drawing has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.vision.boards.board_pictures import BoardPicture
from coatl_tools.vision.homography import (
    Points,
    box_corners,
    invert_homography,
    map_points,
    rectify_box,
)
from coatl_tools.vision.stage_trace import Pixels

Floats = NDArray[np.float32]
MAX_SEARCH_SIDE = 1600  # pixels of the side in which a board is looked for
PHOTO_FEATURES, VIEW_FEATURES = 5000, 1500  # of a photo; of each view of a board
MIN_CONTRAST = 0.02  # of a photo's features: thin lines are faint
SIDE_TILT = 1.6  # how much shorter a board looks from the side
SIDE_TURNS = (0, 45, 90, 135)  # degrees: the sides it is seen from
MAX_DISTANCE_RATIO = 0.85  # of the nearest feature to the second nearest
MAX_OFFSET = 4.0  # pixels by which a feature may lie off
CELL = 15  # pixels of the board's picture: features in one cell count once
MIN_CELLS = 15  # cells in which features agree
MIN_FINDABLE_CELLS = 60  # with features of a board that is learned; of a blank one, some 10
MIN_AGREEMENT = 0.14  # correlation of the edges; other things have hardly any
STRONG_EDGES = 90  # percentile from which on all edges count alike
CHECK_SCALE = 0.4  # of the board's picture, where edges are compared
MIN_AREA_SHARE = 0.004  # of the photo that a board covers


@dataclass(frozen=True, eq=False)
class SeenBoard:
    """A board in a photo: its picture, and the homography from the picture to the photo."""

    board: BoardPicture
    homography: Points
    agreement: float  # of the edges, 1 at most

    @property
    def places(self) -> Points:
        """The middles of its places, in pixels of the photo."""
        return map_points(self.board.places, self.homography)

    def rectify(self, pixels: Pixels, scale: float, margin: float) -> Pixels:
        """Rectify the board with a margin (pixels of its picture) around it."""
        height, width = self.board.picture.shape
        box = Box(-margin, -margin, width + 2 * margin, height + 2 * margin)
        return rectify_box(pixels, self.homography, box, scale)


def find_board(pixels: Pixels, boards: Sequence[BoardPicture]) -> SeenBoard | None:
    """Find the board that fits a photo best; None if it shows none of them."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    shrink = min(1.0, MAX_SEARCH_SIDE / max(grey.shape))
    if shrink < 1:
        grey = np.asarray(
            cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
    even = cv2.createCLAHE(2.0, (8, 8)).apply(grey)
    spots, looks = _detect_features(np.asarray(even, np.uint8), PHOTO_FEATURES, MIN_CONTRAST)
    found = [_fit_board(board, spots, looks, grey) for board in boards]
    fitting = [one for one in found if one is not None]
    if not fitting:
        return None
    best = max(fitting, key=lambda one: one.agreement)
    back = np.diag([1 / shrink, 1 / shrink, 1.0])
    return SeenBoard(best.board, back @ best.homography, best.agreement)


def _fit_board(board: BoardPicture, spots: Points, looks: Floats, grey: Pixels) -> SeenBoard | None:
    """Fit a board to the features of a photo; None if it is not there."""
    own_spots, own_looks = _list_board_features(board)
    if len(looks) < 2 or len(own_looks) < 2:
        return None
    pairs = cv2.BFMatcher().knnMatch(own_looks, looks, k=2)
    near = [one for one, other in pairs if one.distance < MAX_DISTANCE_RATIO * other.distance]
    if len(near) < MIN_CELLS:
        return None
    flat = own_spots[[one.queryIdx for one in near]]
    seen = spots[[one.trainIdx for one in near]]
    cv2.setRNGSeed(1)
    matrix, mask = cv2.findHomography(
        flat, seen, cv2.USAC_MAGSAC, MAX_OFFSET, maxIters=10_000, confidence=0.9999
    )
    homography = np.asarray(matrix, np.float64)  # nothing found is not a number
    if homography.shape != (3, 3) or not np.isfinite(homography).all():
        return None
    cells = _count_cells(flat[mask.ravel() > 0])
    if cells < MIN_CELLS or not _is_possible(homography, board.picture, grey):
        return None
    agreement = _measure_agreement(board, homography, grey)
    if not agreement >= MIN_AGREEMENT:  # which is no number where the photo is empty
        return None
    return SeenBoard(board, homography, agreement)


def _count_cells(spots: Points) -> int:
    """Count the cells of a board's picture in which features lie."""
    return len({(int(x // CELL), int(y // CELL)) for x, y in spots})


def is_findable(grey: Pixels, mask: Pixels) -> bool:
    """Tell whether enough is drawn on a board, where the mask is not 0, to find it again.

    The noise of a photo also has features, but not in a smaller picture.
    """
    size = grey.shape[1] // 2, grey.shape[0] // 2
    small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    own = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    spots, _ = _detect_features(small, VIEW_FEATURES, mask=own)
    return _count_cells(2 * spots) >= MIN_FINDABLE_CELLS


def _is_possible(homography: Points, picture: Pixels, grey: Pixels) -> bool:
    """Tell whether a board seen so is not mirrored, not folded, and not tiny."""
    corners = box_corners(0, 0, picture.shape[1], picture.shape[0])
    depths = np.column_stack([corners, np.ones(4)]) @ homography[2]
    if not ((depths > 0).all() or (depths < 0).all()):
        return False
    seen = map_points(corners, homography).astype(np.float32)
    area = float(cv2.contourArea(seen, oriented=True))
    return bool(cv2.isContourConvex(seen)) and area > MIN_AREA_SHARE * grey.size


def _measure_agreement(board: BoardPicture, homography: Points, grey: Pixels) -> float:
    """Measure how well the edges of a photo and of a board's picture agree: the correlation."""
    box = Box(0, 0, board.picture.shape[1], board.picture.shape[0])
    seen = rectify_box(grey, homography, box, CHECK_SCALE)
    drawn = cv2.resize(board.picture, seen.shape[::-1], interpolation=cv2.INTER_AREA)
    one, other = (map_edges(np.asarray(part, np.float32)) for part in (seen, drawn))
    if board.mask is not None:
        own = cv2.resize(board.mask, seen.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
        one, other = one[own], other[own]
    if one.std() < 1e-3 or other.std() < 1e-3:
        return 0.0
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def map_edges(grey: Floats) -> Floats:
    """Map how strong the edge at each pixel is; the strongest ones count alike."""
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    edges = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    return np.asarray(np.minimum(edges, np.percentile(edges, STRONG_EDGES)), np.float32)


@lru_cache(maxsize=16)
def _list_board_features(board: BoardPicture) -> tuple[Points, Floats]:
    """List the features of a board's picture in all views: where they are, how they look."""
    spots, looks = [], []
    for view, matrix in _list_views(board.picture):
        mask = None if board.mask is None else _view_mask(board.mask, matrix, view)
        there, look = _detect_features(view, VIEW_FEATURES, mask=mask)
        if len(there):
            spots.append(map_points(there, invert_homography(matrix)))
            looks.append(look)
    if not spots:
        return np.empty((0, 2)), np.empty((0, 128), np.float32)
    return np.concatenate(spots), np.concatenate(looks)


def _list_views(picture: Pixels) -> Iterator[tuple[Pixels, Points]]:
    """Yield the picture from above and from its sides, and the map from the picture to each."""
    yield picture, np.eye(3)
    height, width = picture.shape
    side = int(np.hypot(height, width)) + 20
    soft = 0.8 * float(np.sqrt(SIDE_TILT**2 - 1))
    for turn in SIDE_TURNS:
        move = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0), (0, 0, 1)])
        move[:2, 2] += (side - width) / 2, (side - height) / 2
        turned = cv2.warpAffine(picture, move[:2], (side, side), borderValue=255)
        turned = cv2.GaussianBlur(turned, (0, 0), sigmaX=soft, sigmaY=0.01)
        seen = cv2.resize(turned, (int(side / SIDE_TILT), side), interpolation=cv2.INTER_AREA)
        yield np.asarray(seen, np.uint8), np.diag([1 / SIDE_TILT, 1, 1]) @ move


def _view_mask(mask: Pixels, matrix: Points, view: Pixels) -> Pixels:
    seen = cv2.warpPerspective(mask, matrix, view.shape[::-1], flags=cv2.INTER_NEAREST)
    return np.asarray(seen, np.uint8)


def _detect_features(
    grey: Pixels, most: int, contrast: float = 0.04, mask: Pixels | None = None
) -> tuple[Points, Floats]:
    """Detect features: where they are, and how each looks."""
    detector = cv2.SIFT_create(nfeatures=most, contrastThreshold=contrast)  # type: ignore[attr-defined]
    keypoints, looks = detector.detectAndCompute(grey, mask)
    if looks is None:
        return np.empty((0, 2)), np.empty((0, 128), np.float32)
    spots = np.array([point.pt for point in keypoints], np.float64)
    shares = looks / np.maximum(looks.sum(axis=1, keepdims=True), 1e-6)
    return spots, np.sqrt(shares).astype(np.float32)
