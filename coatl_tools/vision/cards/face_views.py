"""Views of a published card: the whole face, both rows, and the plates of its levels.

The networks see a card through them. A homography maps millimetres of a face to a photo.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.vision.cards.card_signs import (
    FACE_SIZE,
    LEVEL_STEP,
    LEVELS_MIDDLE,
    MAX_LEVELS,
    ROW_MIDDLE,
    TURNED_MIDDLE,
    TURNED_SIZE,
)
from coatl_tools.vision.homography import Points, box_corners, rectify_box
from coatl_tools.vision.stage_trace import Pixels

Floats = NDArray[np.float32]
FACE_CORNERS = box_corners(0, 0, *FACE_SIZE)
FACE_BOX, FACE_SCALE = Box(-4.5, -4, 72, 96), 4 / 3  # pixels a millimetre
ROW_BOX, ROW_SCALE = Box(-24, -6, 48, 12), 10 / 3  # around the middle of a row
ROW_COLUMNS = 40
COLUMN_WIDTH = ROW_BOX.width / ROW_COLUMNS  # millimetres of a row along the bottom
PLATE_SIZE, PLATE_SCALE = (16.0, 8.0), 5
PLAQUE_LIGHT = 75  # percentile of a row that is about as bright as its stone

BOTTOM_ROW: Points = np.array([(1, 0, ROW_MIDDLE[0]), (0, 1, ROW_MIDDLE[1]), (0, 0, 1)], float)
TURNED_ROW: Points = np.array(
    [(0, -TURNED_SIZE, TURNED_MIDDLE[0]), (TURNED_SIZE, 0, TURNED_MIDDLE[1]), (0, 0, 1)], float
)
ROWS = (BOTTOM_ROW, TURNED_ROW)  # from millimetres around the middle of a row to those of a face


def cut_face(pixels: Pixels, homography: Points) -> Pixels:
    """Cut out the whole face and a little around it."""
    return rectify_box(pixels, homography, FACE_BOX, FACE_SCALE)


def cut_rows(pixels: Pixels, homography: Points) -> list[Pixels]:
    """Cut out the row along the bottom and the turned one, both level and of one size."""
    return [rectify_box(pixels, homography @ row, ROW_BOX, ROW_SCALE) for row in ROWS]


def cut_plates(pixels: Pixels, homography: Points) -> list[Pixels]:
    """Cut out the places where levels may stand, from the top."""
    width, height = PLATE_SIZE
    left, top = LEVELS_MIDDLE[0] - width / 2, LEVELS_MIDDLE[1] - height / 2
    whole = Box(left, top, width, height + (MAX_LEVELS - 1) * LEVEL_STEP)
    block = rectify_box(pixels, homography, whole, PLATE_SCALE)
    step, high = round(LEVEL_STEP * PLATE_SCALE), round(height * PLATE_SCALE)
    return [block[i * step : i * step + high] for i in range(MAX_LEVELS)]


def measure_scale(corners: Points) -> float:
    """Measure how many pixels of a photo a millimetre of a card with these corners has."""
    area = float(cv2.contourArea(corners.astype(np.float32)))
    return math.sqrt(area / (FACE_SIZE[0] * FACE_SIZE[1]))


def make_planes(view: Pixels) -> Floats:
    """Make the input of a network: red, green and blue from 0 to 1."""
    return np.ascontiguousarray(view[:, :, ::-1].transpose(2, 0, 1), np.float32) / np.float32(255)


def make_row_planes(view: Pixels) -> Floats:
    """Make the input of the network of rows: the colours, and the same as if stone were white."""
    planes = make_planes(view)
    light = np.percentile(planes, PLAQUE_LIGHT, axis=(1, 2)).astype(np.float32)[:, None, None]
    return np.concatenate([planes, np.clip(planes / np.maximum(light, 0.05), 0, 2)])
