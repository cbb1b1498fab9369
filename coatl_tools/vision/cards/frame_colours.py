"""The frame of a card seen from above: its colour is a witness of which card it is."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.vision.stage_trace import Pixels

CARD_PIXELS_PER_MM = 8.0  # pixels in a millimetre of a card seen from above
FRAME_BAND = (0.9, 2.6)  # millimetres from the edge between which the frame is looked at
FRAME_HUES = {Colour.R: 33.0, Colour.Y: 86.0, Colour.G: 140.0, Colour.B: 278.0}  # degrees, in Lab
TEMPLE_HUE = 62.0  # the hue of a Temple card's frame


def crop_box(view: Pixels, box: Box) -> Pixels:
    """Crop a box (mm) of a card seen from above."""
    left, top = round(CARD_PIXELS_PER_MM * box.x), round(CARD_PIXELS_PER_MM * box.y)
    right, bottom = round(CARD_PIXELS_PER_MM * box.right), round(CARD_PIXELS_PER_MM * box.bottom)
    return view[top:bottom, left:right]


def balance_view(view: Pixels, share: float = 96) -> Pixels:
    """White-balance a card: the lightest pixels, above a percentile, are taken for paper."""
    white = np.percentile(view[::3, ::3].reshape(-1, 3), share, axis=0)  # a part tells enough
    white = np.maximum(white, 0.55 * white.max())  # a card that has nothing white on it
    lit = np.arange(256)[:, None] * (245.0 / np.maximum(white, 30))
    table = np.clip(lit, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(view, table), np.uint8)


def _to_lightness_chroma_hue(pixels: Pixels) -> tuple[NDArray[np.float32], ...]:
    """Convert pixels to lightness, chroma and hue (degrees)."""
    lab = cv2.cvtColor(pixels.astype(np.float32) / 255, cv2.COLOR_BGR2LAB).astype(np.float32)
    light, a, b = lab[..., 0], lab[..., 1], lab[..., 2]
    return light, np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360


def rate_frame_colours(view: Pixels) -> Mapping[Colour | None, float]:
    """Rate how likely the frame of a balanced view has each card colour; None is Temple.

    Empty if there is no frame of one colour.
    """
    near, far = (round(CARD_PIXELS_PER_MM * v) for v in FRAME_BAND)
    sides = [
        view[near:far, far:-far], view[-far:-near, far:-far],
        view[far:-far, near:far], view[far:-far, -far:-near],
    ]  # fmt: skip
    middles = [np.median(side.reshape(-1, 3), axis=0) for side in sides]
    colour = np.median(middles, axis=0)
    even = [float(np.abs(middle - colour).max()) for middle in middles]
    if sorted(even)[2] > 45:
        return {}
    light, chroma, hue = (
        float(v[0, 0]) for v in _to_lightness_chroma_hue(colour.reshape(1, 1, 3).astype(np.uint8))
    )
    scores: dict[Colour | None, float] = {}
    for name, middle in FRAME_HUES.items():
        off = abs((hue - middle + 180) % 360 - 180)
        scores[name] = float(np.exp(-((off / 24) ** 2) / 2) * _soft_step(chroma, 16))
    off = abs((hue - TEMPLE_HUE + 180) % 360 - 180)
    scores[None] = float(0.8 * np.exp(-((off / 14) ** 2) / 2) * _soft_step(chroma, 12))
    scores[Colour.K] = float((1 - _soft_step(chroma, 16)) * (1 - _soft_step(light, 48)))
    total = sum(scores.values())
    if total < 0.15:
        return {}
    return {name: (score + 0.02) / (total + 0.12) for name, score in scores.items()}


def _soft_step(value: float, middle: float) -> float:
    return float(1 / (1 + np.exp(-(value - middle) / 4)))


def name_frame(colour: Colour | None) -> str:
    """Name a frame by its colour, as witnesses do."""
    return "temple" if colour is None else colour.word
