"""Run the piece network: a picture in, its maps out. Also what all networks of pieces share.

The maps are a quarter of the picture in size, with one value a place.

| maps | meaning |
|---|---|
| 0 | how near the middle of a piece is: a peak each |
| 1 | how near a joint is, midway between two joined pieces: a peak each |
| 2 | whether there is a piece |
| 3–5 | its kind: head, body, tail |
| 6–10 | its colour: red, green, blue, yellow, black |
| 11–12 | from here to its middle |
| 13–14 | its axis: one pitch along the Cóatl, with the angle doubled, so that both ways are one |
| 15–16 | the direction of the head along the axis, as a unit vector; shorter if it is not clear |

Lengths are in units of `UNIT` pixels; 0 to 10 are logits. A body segment looks almost the same
when it is turned by half: so the axis is told apart from the direction.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.network import run_network
from coatl_tools.vision.stage_trace import Pixels

Maps = NDArray[np.float32]
Floats = NDArray[np.float64] | NDArray[np.float32]
PIECE_NETWORK = Path(__file__).with_name("pieces.onnx.gz")
PORTRAIT_NETWORK = Path(__file__).with_name("portraits.onnx.gz")
FACING_NETWORK = Path(__file__).with_name("facing.onnx.gz")
SIDE_MULTIPLE = 32  # of which the sides of a picture must be

MAP_COUNT = 17
MIDDLE, JOINT, PIECE = 0, 1, 2
KINDS = slice(3, 6)
COLOURS = slice(6, 11)
TO_MIDDLE, AXIS, TO_HEAD = slice(11, 13), slice(13, 15), slice(15, 17)
STRIDE = 4
UNIT = 32.0


def sigmoid(x: Floats) -> Floats:
    """Convert logits to probabilities."""
    return np.asarray(1 / (1 + np.exp(np.clip(-x, -30, 30))))


def softmax(x: Floats) -> NDArray[np.float64]:
    """Convert logits along the first axis to probabilities that add to 1."""
    raised = np.exp(x - x.max(axis=0, keepdims=True))
    return np.asarray(raised / raised.sum(axis=0, keepdims=True), np.float64)


def run_piece_network(pixels: Pixels, turns: int = 1) -> Maps:
    """Run the piece network on a picture.

    With several turns, the picture is shown turned by quarters, and the answers are averaged:
    what the network says by chance it says once, what it sees it says each time.
    """
    height, width = pixels.shape[:2]
    tall, wide = (-(-side // SIDE_MULTIPLE) * SIDE_MULTIPLE for side in (height, width))
    padded = cv2.copyMakeBorder(pixels, 0, tall - height, 0, wide - width, cv2.BORDER_REPLICATE)
    said = [_rotate_maps_back(_run_upright(np.rot90(padded, turn)), turn) for turn in range(turns)]
    return np.asarray(np.mean(said, axis=0), np.float32)


def _run_upright(pixels: Pixels) -> Maps:
    planes = np.ascontiguousarray(pixels[:, :, ::-1].transpose(2, 0, 1), np.float32)
    planes *= np.float32(1 / 255)
    (said,) = run_network(PIECE_NETWORK, planes[None])
    return np.asarray(said)


def _rotate_maps_back(said: Maps, turn: int) -> Maps:
    """Rotate the maps of a picture that was turned by quarters back upright."""
    back = np.rot90(said, -turn, axes=(1, 2)).copy()
    for _ in range(turn):  # a quarter with the clock: x becomes -y, y becomes x (y runs down)
        for part in (TO_MIDDLE, TO_HEAD):
            x, y = back[part].copy()
            back[part] = -y, x
        back[AXIS] *= -1  # its angle is doubled
    return back
