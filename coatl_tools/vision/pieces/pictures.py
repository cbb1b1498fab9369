"""Pictures of what the networks see, for the report."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from coatl_tools.vision.pieces import maps
from coatl_tools.vision.pieces.chains import Chain, ways_ahead
from coatl_tools.vision.pieces.network import maps_of, sigmoid
from coatl_tools.vision.pieces.portraits import WHOLE, portrait
from coatl_tools.vision.trace import Pixels

GAP, NUMBERS = 6, 20  # pixels between portraits, and above them
PIECE, JOINT, MIDDLE = (120, 200, 90), (60, 60, 255), (255, 255, 255)  # BGR
NUMBER = (60, 50, 40)


def maps_picture(pixels: Pixels, side: int) -> Pixels:
    """A grey photo, with what are pieces, their middles and their joints."""
    scale = min(1.0, side / max(pixels.shape[:2]))
    size = max(32, round(pixels.shape[1] * scale)), max(32, round(pixels.shape[0] * scale))
    small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    said = sigmoid(maps_of(small))
    grey = cv2.cvtColor(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    picture = grey.astype(np.float64) * 0.7
    wide, tall = (-(-side // maps.STRIDE) * maps.STRIDE for side in size)
    for index, colour, most in ((maps.PIECE, PIECE, 0.45), (maps.JOINT, JOINT, 1.0),
                                (maps.MIDDLE, MIDDLE, 1.0)):  # fmt: skip
        part = np.asarray(said[index], np.float32)[: tall // maps.STRIDE, : wide // maps.STRIDE]
        heat = np.asarray(cv2.resize(part, (wide, tall)))[: size[1], : size[0], None] * most
        picture = picture * (1 - heat) + np.array(colour, float) * heat
    return np.asarray(picture.clip(0, 255), np.uint8)


def portraits_picture(pixels: Pixels, chains: Sequence[Chain]) -> Pixels:
    """Each piece cut out with its axis level, the head end at the left: a row for each Cóatl.

    Above them are the numbers of the pieces.
    """
    most = max((len(chain.spots) for chain in chains), default=1)
    step_x, step_y = WHOLE.width + GAP, WHOLE.height + GAP
    size = NUMBERS + len(chains) * step_y + GAP, most * step_x + GAP
    picture: Pixels = np.full((*size, 3), 255, np.uint8)
    for column in range(most):
        at = GAP + column * step_x + WHOLE.width // 2 - GAP, NUMBERS
        cv2.putText(
            picture, str(column + 1), at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, NUMBER, 1, cv2.LINE_AA
        )
    for row, chain in enumerate(chains):
        pitch = float(np.median([spot.pitch for spot in chain.spots]))
        scale = min(1.0, WHOLE.pitch / max(pitch, 1.0))
        shrunk = round(pixels.shape[1] * scale), round(pixels.shape[0] * scale)
        small = np.asarray(cv2.resize(pixels, shrunk, interpolation=cv2.INTER_AREA), np.uint8)
        ways = ways_ahead(chain.spots)
        for column, (spot, way) in enumerate(zip(chain.spots, ways, strict=True)):
            cut = portrait(small, spot.middle * scale, -way * spot.pitch * scale)
            top, left = NUMBERS + GAP + row * step_y, GAP + column * step_x
            picture[top : top + WHOLE.height, left : left + WHOLE.width] = cut
    return picture
