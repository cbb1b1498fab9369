"""Learn a Supply board from a photo of it and the middles of its places."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from coatl_tools.errors import FileError
from coatl_tools.vision.boards.board_location import is_findable
from coatl_tools.vision.boards.board_pictures import (
    EDGE_SHARE,
    PITCH_SHARES,
    BoardPicture,
    mask_board,
    measure_least_distance,
)
from coatl_tools.vision.boards.learned_boards import (
    MAX_PICTURE_BYTES,
    MAX_PICTURE_SIDE,
    LearnedBoard,
    check_places,
)
from coatl_tools.vision.boards.single_pieces import find_single_pieces
from coatl_tools.vision.homography import Points
from coatl_tools.vision.picture import MIN_PIXELS, MIN_SIDE, Picture
from coatl_tools.vision.reading import Point
from coatl_tools.vision.stage_trace import Pixels

JPEG_QUALITIES = 85, 70, 55, 40  # the first one that makes the picture small enough
STRETCHED = 1, 99  # percentiles of grey that become black and white
# Of a piece on a place: drawn figures are less clear, and lie anywhere.
MIN_COVERING_PEAK = 0.35
COVERING_SHARE = 0.45  # of the least distance between places, from a place to its piece
NUMBER_RADIUS = 15  # pixels, of the number of a place
NUMBER_FONT = cv2.FONT_HERSHEY_SIMPLEX, 0.6


def learn_board(picture: Picture, places: Sequence[Point]) -> LearnedBoard:
    """Learn a board whose places have their middles here, in pixels of the photo's file.

    CommandLineError for places that cannot be, FileError for a board that could not be found again.
    """
    check_places(places, picture.size)
    pixels, spots = _crop_board(
        picture.pixels, np.array(places, np.float64) / picture.file_pixels_per_pixel
    )
    if min(pixels.shape[:2]) < MIN_SIDE or pixels.shape[0] * pixels.shape[1] < MIN_PIXELS:
        raise FileError("boards.small")
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    bare = tuple(not one for one in _list_covered(pixels, spots))
    if not is_findable(grey, mask_board(grey.shape, spots, bare)):
        raise FileError("boards.plain")
    flat = tuple((round(float(x), 1), round(float(y), 1)) for x, y in spots)
    return LearnedBoard(_compress(grey), flat, bare)


def _crop_board(pixels: Pixels, spots: Points) -> tuple[Pixels, Points]:
    """Crop a photo to its board, and shrink it; also return where the places are then."""
    edge = EDGE_SHARE * measure_least_distance(spots)
    size = np.array(pixels.shape[1::-1])
    left, top = np.floor(np.clip(spots.min(axis=0) - edge, 0, size)).astype(int)
    right, bottom = np.ceil(np.clip(spots.max(axis=0) + edge, 0, size)).astype(int)
    part = np.ascontiguousarray(pixels[top:bottom, left:right])
    moved = spots - (left, top)
    shrink = MAX_PICTURE_SIDE / max(part.shape[:2])
    if shrink >= 1:
        return part, moved
    small = cv2.resize(part, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), moved * shrink


def _compress(grey: Pixels) -> bytes:
    """Compress the picture as a JPEG of full contrast."""
    low, high = np.percentile(grey, STRETCHED)
    full = np.clip(
        (grey.astype(np.float32) - low) * (255 / max(float(high - low), 1.0)), 0, 255
    ).astype(np.uint8)
    data = b""
    for quality in JPEG_QUALITIES:
        data = cv2.imencode(".jpg", full, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= MAX_PICTURE_BYTES:
            break
    return data


def _list_covered(pixels: Pixels, spots: Points) -> list[bool]:
    """Tell on which places pieces lie."""
    apart = measure_least_distance(spots)
    least, most = PITCH_SHARES
    found = [
        piece
        for piece in find_single_pieces(pixels, (least * apart, most * apart))
        if piece.peak > MIN_COVERING_PEAK
    ]
    return [
        any(float(np.hypot(*(piece.middle - spot))) < COVERING_SHARE * apart for piece in found)
        for spot in spots
    ]


def draw_places(picture: BoardPicture) -> bytes:
    """Draw the number of each place on the picture of a board, as a JPEG."""
    shown = cv2.cvtColor(picture.picture, cv2.COLOR_GRAY2BGR)
    for number, (x, y) in enumerate(picture.places, start=1):
        spot = round(float(x)), round(float(y))
        cv2.circle(shown, spot, NUMBER_RADIUS, (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(shown, spot, NUMBER_RADIUS, (40, 40, 170), 2, cv2.LINE_AA)
        (width, height), _ = cv2.getTextSize(str(number), *NUMBER_FONT, 2)
        corner = spot[0] - width // 2, spot[1] + height // 2
        cv2.putText(shown, str(number), corner, *NUMBER_FONT, (20, 20, 20), 2, cv2.LINE_AA)
    return bytes(cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITIES[0]])[1])
