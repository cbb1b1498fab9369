"""Running the network: a picture in, its maps out."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.trace import Pixels

Maps = NDArray[np.float32]
WEIGHTS = Path(__file__).with_name("pieces.onnx.gz")
MULTIPLE = 32  # of which the sides of a picture must be


@cache
def _network() -> cv2.dnn.Net:
    packed = np.frombuffer(gzip.decompress(WEIGHTS.read_bytes()), np.uint8)
    return cv2.dnn.readNetFromONNX(packed)


def maps_of(pixels: Pixels) -> Maps:
    """The maps of a picture as `maps.py` describes them; what its sides lack is grey."""
    height, width = pixels.shape[:2]
    tall, wide = (-(-side // MULTIPLE) * MULTIPLE for side in (height, width))
    padded = cv2.copyMakeBorder(pixels, 0, tall - height, 0, wide - width, cv2.BORDER_REPLICATE)
    network = _network()
    network.setInput(cv2.dnn.blobFromImage(padded, 1 / 255, swapRB=True))
    return np.asarray(network.forward()[0], np.float32)
