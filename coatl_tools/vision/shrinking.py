"""Shrink photos: many looks need a photo small, so a smaller one of it is made once."""

from __future__ import annotations

import weakref

import cv2
import numpy as np

from coatl_tools.vision.stage_trace import Pixels

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


def _resize(pixels: Pixels, scale: float) -> Pixels:
    smaller = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, np.uint8)
