"""Which way a piece faces, seen from so near that the scales carved into it show.

The hooks of a body are the same at both ends: turned by half, its outline is the same again.
Only its scales tell where the head is, and a portrait of a whole piece is too small for them.
A third network, the smallest, looks at close-ups.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.pieces.network import FACING, said_of
from coatl_tools.vision.pieces.portraits import Frame, Vector, portrait
from coatl_tools.vision.trace import Pixels

CLOSE_UP = Frame(pitch=56, width=96, height=80)
FAINT = 0.02  # a contrast that is as good as none


def close_up(cut: Pixels) -> NDArray[np.float32]:
    """A close-up as the network takes it: RGB, its colour and its contrast taken away."""
    planes = cut[:, :, ::-1].transpose(2, 0, 1).astype(np.float32) / 255
    planes -= planes.mean(axis=(1, 2), keepdims=True)
    return np.asarray(planes / (planes.std() + FAINT), np.float32)


def faces(pixels: Pixels, middle: Vector, ahead: Vector) -> float:
    """How clearly a piece faces `ahead`, which is one pitch long: the logarithm of the odds."""
    upright = said_of(close_up(portrait(pixels, middle, ahead, CLOSE_UP)), FACING)
    turned = said_of(close_up(portrait(pixels, middle, -ahead, CLOSE_UP)), FACING)
    return float(upright[0] - turned[0]) / 2
