"""Calibrate the colours of a photo by the mat's patches, whose printed colours are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.trace import Pixels

Values = NDArray[np.float64]
MAX_PATCH_ERROR = (
    0.16  # how far a patch may be off, in the logarithm of its light, and still be believed
)
GAMMA_RANGE = (0.6, 1.7)  # curves of cameras lie between
MIN_PATCHES = 3  # patches that must agree
MAX_PATCH_NOISE = 14.0  # grey levels by which the pixels of one patch may differ


@dataclass(frozen=True, slots=True)
class PatchSample:
    """A patch: what it was printed as and what the camera saw, as blue, green, red."""

    printed: tuple[float, float, float]
    seen: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ColourCalibration:
    """For each channel a gain and a curve: printed = gain * seen ** gamma, both from 0 to 1."""

    gain: tuple[float, float, float]
    gamma: tuple[float, float, float]
    patches: int  # that agree with it

    def apply(self, pixels: Pixels) -> Pixels:
        """The picture as if it were taken in white light."""
        light = np.arange(256) / 255.0
        curves = [
            np.clip(255 * gain * light**gamma, 0, 255)
            for gain, gamma in zip(self.gain, self.gamma, strict=True)
        ]
        table = np.round(np.stack(curves, axis=-1)).astype(np.uint8).reshape(1, 256, 3)
        return np.asarray(cv2.LUT(pixels, table), np.uint8)


def sample_patch(part: Pixels, printed: tuple[float, float, float]) -> PatchSample | None:
    """A patch from its pixels; None if something lies on it, or it shines."""
    if part.size < 3 * 4:
        return None
    values = part.reshape(-1, 3).astype(np.float64)
    if np.ptp(np.percentile(values, (15, 85), axis=0), axis=0).max() > 2 * MAX_PATCH_NOISE:
        return None
    blue, green, red = np.median(values, axis=0)
    return PatchSample(printed, (float(blue), float(green), float(red)))


def fit_calibration(samples: Sequence[PatchSample]) -> ColourCalibration | None:
    """The balance that most patches agree with; None if hardly any do.

    A patch in a shadow, in glare or under something has no say: every two patches are asked
    for a balance, and the one with the most followers is kept.
    """
    seen = np.array([sample.seen for sample in samples], float).reshape(-1, 3)
    printed = np.array([sample.printed for sample in samples], float).reshape(-1, 3)
    # what is burnt out or black tells nothing of light
    usable = ((seen > 6) & (seen < 250) & (printed > 6)).all(axis=1)
    x, y = np.log(seen[usable] / 255), np.log(printed[usable] / 255)
    if len(x) < MIN_PATCHES:
        return None
    best: tuple[int, float, NDArray[np.bool_]] | None = None
    for one, other in combinations(range(len(x)), 2):
        gap = x[one] - x[other]
        if np.abs(gap).min() < 0.2:
            continue
        slope = np.clip((y[one] - y[other]) / gap, *GAMMA_RANGE)
        start = (y[one] + y[other] - slope * (x[one] + x[other])) / 2
        off = np.abs(start + slope * x - y).mean(axis=1)
        agree = off < MAX_PATCH_ERROR
        score = (int(agree.sum()), -float(off[agree].sum()))
        if best is None or score > best[:2]:
            best = (*score, agree)
    if best is None or best[0] < MIN_PATCHES:
        return None
    slope, start = _fit_channels(x[best[2]], y[best[2]])
    gain = np.exp(start)
    return ColourCalibration(
        (float(gain[0]), float(gain[1]), float(gain[2])),
        (float(slope[0]), float(slope[1]), float(slope[2])),
        best[0],
    )


def _fit_channels(x: Values, y: Values) -> tuple[Values, Values]:
    """The line through the patches, channel by channel, with a slope that a camera can have."""
    middle_x, middle_y = x.mean(axis=0), y.mean(axis=0)
    spread = np.maximum(((x - middle_x) ** 2).sum(axis=0), 1e-6)
    slope = np.clip(((x - middle_x) * (y - middle_y)).sum(axis=0) / spread, *GAMMA_RANGE)
    return slope, middle_y - slope * middle_x
