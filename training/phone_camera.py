"""Develop light as a phone does: exposure, lens, sensor, tone and compression."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
TONE_KNEE = 0.7  # brighter than this, tones are squeezed


def develop_photo(rng: np.random.Generator, light: Floats) -> NDArray[np.uint8]:
    """A photo (BGR) of a scene in linear light (RGB)."""
    exposed = _expose(rng, light)
    sharp = _apply_lens(rng, exposed)
    return _compress_photo(rng, _apply_tone(rng, _add_noise(rng, sharp)))


def _expose(rng: np.random.Generator, light: Floats) -> Floats:
    """White balance and exposure, neither of them quite right; darker towards the corners."""
    mean = light.mean(axis=(0, 1))
    # part of the tint is balanced
    gains = (mean.mean() / np.maximum(mean, 1e-4)) ** rng.uniform(0, 0.85)
    gains = np.clip(gains, 0.5, 2.0) * np.exp(rng.normal(0, 0.05, 3))
    balanced = light * gains.astype(np.float32)
    bright = float(np.percentile(balanced.max(axis=2), 97))
    exposed = balanced / max(bright, 1e-4) * float(np.exp(rng.normal(-0.35, 0.4)))
    height, width = light.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    corner = (width / 2) ** 2 + (height / 2) ** 2
    apart = ((columns - width / 2) ** 2 + (rows - height / 2) ** 2) / corner
    return np.asarray(exposed * (1 - rng.uniform(0, 0.3) * apart)[..., None], np.float32)


def _apply_lens(rng: np.random.Generator, light: Floats) -> Floats:
    """Sharp, out of focus, or moved by a shaking hand."""
    kind = rng.random()
    if kind < 0.15:
        return np.asarray(cv2.filter2D(light, -1, _make_shake_kernel(rng)), np.float32)
    if kind < 0.5:
        return np.asarray(cv2.GaussianBlur(light, (0, 0), rng.uniform(0.3, 1.4)), np.float32)
    return light


def _make_shake_kernel(rng: np.random.Generator) -> Floats:
    """The way that a point goes while a hand shakes."""
    length, angle = rng.uniform(1.5, 6), rng.uniform(0, np.pi)
    ends = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    begin, end = (np.round((7 + side * ends) * 16).astype(int) for side in (-1, 1))
    kernel = np.zeros((15, 15), np.float32)
    cv2.line(kernel, tuple(map(int, begin)), tuple(map(int, end)), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / max(float(kernel.sum()), 1e-3), np.float32)


def _add_noise(rng: np.random.Generator, light: Floats) -> Floats:
    """The noise of a sensor, softened as phones do."""
    grain = rng.normal(0, 1, light.shape).astype(np.float32)
    noise = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.4, 1.2))
    strength = float(np.exp(rng.normal(-4.6, 0.7)))
    noisy = light + noise * 1.5 * strength * np.sqrt(np.maximum(light, 0) + 0.004)
    return np.asarray(np.clip(noisy, 0, None), np.float32)


def _apply_tone(rng: np.random.Generator, light: Floats) -> Floats:
    """From linear light to what a screen shows: gamma, contrast, saturation, sharpening."""
    squeezed = TONE_KNEE + (1 - TONE_KNEE) * (1 - np.exp(-(light - TONE_KNEE) / (1 - TONE_KNEE)))
    tones = np.where(light <= TONE_KNEE, light, squeezed)
    tones = np.power(np.maximum(tones, 1e-6), 1 / rng.uniform(1.9, 2.5))
    contrast = rng.uniform(-0.1, 0.3)
    tones = (1 - contrast) * tones + contrast * (tones * tones * (3 - 2 * tones))
    grey = tones.mean(axis=2, keepdims=True)
    tones = grey + (tones - grey) * rng.uniform(0.75, 1.2)
    if rng.random() < 0.6:
        tones = tones + rng.uniform(0.1, 0.6) * (tones - cv2.GaussianBlur(tones, (0, 0), 1.0))
    return np.asarray(tones, np.float32)


def _compress_photo(rng: np.random.Generator, tones: Floats) -> NDArray[np.uint8]:
    """As JPEG and back, as BGR."""
    pixels = (np.clip(tones, 0, 1) * 255 + 0.5).astype(np.uint8)[:, :, ::-1]
    quality = int(rng.uniform(45, 96))
    packed = cv2.imencode(
        ".jpg", np.ascontiguousarray(pixels), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
