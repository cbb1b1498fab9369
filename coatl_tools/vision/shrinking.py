"""Shrink photos: many looks need a photo small, so a smaller one of it is made once."""

from __future__ import annotations

import math
import weakref

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.stage_trace import Pixels

PixelBox = tuple[int, int, int, int]  # left, top, right, bottom
COARSE_SIDE = 1600  # pixels of the longer side of the smaller photo

_coarse_photos: dict[int, Pixels] = {}  # by the ids of the large ones, as long as these are there


def get_coarse_photo(pixels: Pixels) -> tuple[Pixels, float]:
    """Get a photo whose longer side is at most `COARSE_SIDE`, and its scale."""
    longest = max(pixels.shape[:2])
    if longest <= COARSE_SIDE:
        return pixels, 1.0
    number = id(pixels)
    if number not in _coarse_photos:
        _coarse_photos[number] = _resize(pixels, COARSE_SIDE / longest)
        weakref.finalize(pixels, _coarse_photos.pop, number, None)
    return _coarse_photos[number], COARSE_SIDE / longest


def shrink_photo(pixels: Pixels, side: int) -> tuple[Pixels, float]:
    """Shrink a photo to at most so many pixels of its longer side; also return the scale."""
    scale = min(1.0, side / max(pixels.shape[:2]))
    source, share = get_coarse_photo(pixels) if side <= COARSE_SIDE else (pixels, 1.0)
    return (source if scale == share else _resize(source, scale / share)), scale


def scale_part(
    pixels: Pixels, box: PixelBox, scale: float, least: int = 1
) -> tuple[Pixels, NDArray[np.float64]]:
    """Scale a part of a photo, at `least` so many pixels wide and high; also return its corner."""
    source, share = get_coarse_photo(pixels)
    if scale > share:
        source, share = pixels, 1.0
    left, top = (int(side * share) for side in box[:2])
    right, bottom = (math.ceil(side * share) for side in box[2:])
    part, corner = source[top:bottom, left:right], np.array([left, top], float) / share
    shrink = scale / share
    if shrink == 1.0 and min(part.shape[:2]) >= least:
        return part, corner
    size = max(least, round(part.shape[1] * shrink)), max(least, round(part.shape[0] * shrink))
    way = cv2.INTER_AREA if shrink < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, size, interpolation=way), np.uint8), corner


def _resize(pixels: Pixels, scale: float) -> Pixels:
    smaller = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, np.uint8)
