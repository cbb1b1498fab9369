"""Tell whether something lies over the open end of a Cóatl, such as a hand.

Beyond a free end, the table looks as it does beside the Cóatl. Where it does not, more pieces may
lie under what is there.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import PieceKind
from coatl_tools.vision.reading import SeenCoatl
from coatl_tools.vision.stage_trace import Pixels

Vector = NDArray[np.float64]
SAMPLED_PITCH = 24.0  # pixels from piece to piece at which the table is looked at
BEYOND, BESIDE = 1.45, 1.35  # pitches from the middle of a piece to what is looked at
ALONG = (0, 1, 2)  # pitches from the end, along which the table beside it is looked at
BEYOND_REACH, BESIDE_REACH = 0.3, 0.25  # pitches, half the side of what is looked at
LIGHT_SHARE = 0.5  # of differences of light, which shadows make, beside those of colour
MAX_DIFFERENCE = 20.0  # CIELAB in 8 bits: the table hardly differs more from itself


def find_covered_ends(seen: SeenCoatl, pixels: Pixels) -> Iterator[int]:
    """Find the open ends (places of pieces) beyond which it does not look as beside them."""
    if len(seen.pieces) < 2 or not all(piece.outline for piece in seen.pieces):
        return
    middles = [np.array(piece.centre) for piece in seen.pieces]
    last = len(middles) - 1
    for end, inner, tip in ((0, 1, PieceKind.HEAD), (last, last - 1, PieceKind.TAIL)):
        if seen.pieces[end].kind is not tip and _differs(
            pixels, middles[end], middles[end] - middles[inner]
        ):
            yield end


def _differs(pixels: Pixels, middle: Vector, out: Vector) -> bool:
    """Tell whether what lies beyond an end differs from everything beside it."""
    pitch = float(np.hypot(*out))
    across = np.array([-out[1], out[0]])
    beyond = _sample_colour(pixels, middle + BEYOND * out, BEYOND_REACH * pitch, pitch)
    beside = [
        _sample_colour(pixels, middle - step * out + side * across, BESIDE_REACH * pitch, pitch)
        for step in ALONG
        for side in (-BESIDE, BESIDE)
    ]
    known = [colour for colour in beside if colour is not None]
    if beyond is None or not known:
        return False  # at the edge of the picture, which is told apart
    weights = np.array([LIGHT_SHARE, 1.0, 1.0])
    apart = min(float(np.linalg.norm((colour - beyond) * weights)) for colour in known)
    return apart > MAX_DIFFERENCE


def _sample_colour(pixels: Pixels, middle: Vector, reach: float, pitch: float) -> Vector | None:
    """Sample the usual colour (CIELAB) of a square; None if the picture does not show all of it."""
    left, top = (int(value) for value in middle - reach)
    right, bottom = (int(value) + 1 for value in middle + reach)
    if left < 0 or top < 0 or right > pixels.shape[1] or bottom > pixels.shape[0]:
        return None
    step = max(1, int(pitch / SAMPLED_PITCH))
    part = np.ascontiguousarray(pixels[top:bottom:step, left:right:step])
    colours = cv2.cvtColor(part, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    return np.asarray(np.median(colours, axis=0), np.float64)
