"""Light on a table, and what a phone makes of it: white balance, blur, noise, sharpening."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
COARSE = 16  # light changes softly: its map is so many times as small


@dataclass(frozen=True)
class Lamp:
    """A sort of light: its blue and red against green, its strength, how it falls."""

    blue: tuple[float, float]
    red: tuple[float, float]
    strength: tuple[float, float]
    fall: tuple[float, float]  # how much darker the far side is
    soft: tuple[float, float]  # of shadows, per millimetre of height
    noise: tuple[float, float]


LAMPS: Mapping[str, Lamp] = {
    "window soft": Lamp((0.95, 1.12), (0.93, 1.05), (0.85, 1.08), (0.1, 0.45), (0.8, 2), (1, 3)),
    "window sun": Lamp((0.85, 1.0), (1.0, 1.1), (0.95, 1.25), (0.0, 0.3), (0.05, 0.2), (1, 3)),
    "tungsten": Lamp((0.62, 0.85), (1.05, 1.22), (0.7, 1.0), (0.1, 0.5), (0.3, 1), (2, 6)),
    "cool led": Lamp((1.03, 1.2), (0.85, 0.98), (0.8, 1.05), (0.1, 0.4), (0.2, 0.8), (1, 4)),
    "mixed": Lamp((0.8, 1.1), (0.92, 1.15), (0.75, 1.05), (0.2, 0.5), (0.3, 1), (2, 5)),
    "dim": Lamp((0.7, 1.0), (0.98, 1.15), (0.42, 0.62), (0.1, 0.45), (0.6, 2), (5, 10)),
}


@dataclass(frozen=True)
class Light:
    """The light of one photo; `shift` is where the shadow of a millimetre of height falls."""

    name: str
    lamp: Lamp
    shift: tuple[float, float]
    soft: float
    dark: float  # of shadows


def random_light(rng: Generator) -> Light:
    """Some light."""
    name = str(rng.choice([*LAMPS]))
    lamp = LAMPS[name]
    way, low = rng.uniform(0, 2 * math.pi), rng.uniform(0.3, 1.6)
    return Light(
        name,
        lamp,
        (float(low * math.cos(way)), float(low * math.sin(way))),
        float(rng.uniform(*lamp.soft)),
        float(rng.uniform(0.35, 0.65)),
    )


def lit(
    rng: Generator, photo: Pixels, light: Light, scale: float, clean: bool = False
) -> tuple[Floats, list[str]]:
    """The photo in its light, and what shades it or shines in it; nothing in a clean one."""
    height, width = photo.shape[:2]
    small = (max(8, width // COARSE), max(8, height // COARSE))
    x, y = np.meshgrid(np.linspace(-1, 1, small[0]), np.linspace(-1, 1, small[1]))
    way = rng.uniform(0, 2 * math.pi)
    along = (math.cos(way) * x + math.sin(way) * y) / math.sqrt(2)
    lamp, effects = light.lamp, []
    fall = float(rng.uniform(*lamp.fall))
    level = float(rng.uniform(*lamp.strength)) * (1 - fall * (along + 1) / 2)
    level = level * (1 - float(rng.uniform(0, 0.22)) * (x * x + y * y) / 2)  # darker corners
    if rng.random() < 0.3 and not clean:
        effects.append("shadow")
        level = level * _shade(rng, x, y, height / width)
    blue, red = float(rng.uniform(*lamp.blue)), float(rng.uniform(*lamp.red))
    other = float(rng.normal(0, 0.09)) if light.name == "mixed" else float(rng.normal(0, 0.015))
    field = np.stack([level * (blue - other * along), level, level * (red + other * along)], axis=2)
    large = cv2.resize(field.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    large = large * _exposure(rng, photo, field, light)
    done = np.asarray(cv2.multiply(photo, large, dtype=cv2.CV_32F), np.float32)
    if rng.random() < 0.25 and not clean:
        effects.append("gloss")
        shine = np.zeros((small[1], small[0]), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            shine += _spot(rng, small, scale)
        glow = cv2.resize(shine, (width, height), interpolation=cv2.INTER_LINEAR)
        done += glow[:, :, None]
    return done, effects


def _exposure(rng: Generator, photo: Pixels, field: NDArray[np.float64], light: Light) -> float:
    """How much a phone brightens or darkens all of it: to a middle grey, but sparing the lights."""
    small = cv2.resize(photo, (field.shape[1], field.shape[0]), interpolation=cv2.INTER_AREA)
    mean, lights = float((small * field).mean()), float(np.percentile(small * field, 99))
    wanted = float(rng.uniform(60, 85) if light.name == "dim" else rng.uniform(90, 140))
    return float(np.clip((wanted / max(1.0, mean)) ** 0.7, 0.6, min(2.2, 300 / max(1.0, lights))))


def _shade(rng: Generator, x: NDArray[np.float64], y: NDArray[np.float64], tall: float,
           ) -> NDArray[np.float64]:  # fmt: skip
    """The soft shadow of a hand with the phone, or of somebody at the window."""
    way = rng.uniform(0, 2 * math.pi)
    u = math.cos(way) * x + math.sin(way) * y * tall
    v = -math.sin(way) * x + math.cos(way) * y * tall
    u, v = u - rng.uniform(-0.2, 0.8), v - rng.uniform(-0.6, 0.6)
    wide, soft = rng.uniform(0.15, 0.5), rng.uniform(0.05, 0.25)
    edge = np.minimum(u + 0.1 * np.sin(5 * v), wide - np.abs(v))  # an arm that comes from a side
    inside = 1 / (1 + np.exp(-edge / soft * 3))
    return np.asarray(1 - rng.uniform(0.2, 0.5) * inside)


def _spot(rng: Generator, small: tuple[int, int], scale: float) -> Floats:
    """A lamp mirrored in something shiny."""
    x, y = np.meshgrid(np.arange(small[0]), np.arange(small[1]))
    at = rng.uniform(0, 1, 2) * small
    reach = rng.uniform(10, 45, 2) * scale / COARSE
    power = rng.uniform(25, 85)
    spot = np.exp(-(((x - at[0]) / reach[0]) ** 2) - ((y - at[1]) / reach[1]) ** 2)
    return np.asarray(power * spot, np.float32)


def blurred(rng: Generator, photo: Floats, blur: str, scale: float) -> Floats:
    """Out of focus, or moved, by parts of a millimetre; and the softness of every lens."""
    soft = float(rng.uniform(0.45, 0.85))
    if blur == "defocus":
        soft = max(soft, float(rng.uniform(0.15, 0.42)) * scale)
    if blur == "motion":
        reach = max(2.0, float(rng.uniform(0.3, 1.0)) * scale)
        way, size = rng.uniform(0, 2 * math.pi), 2 * math.ceil(reach / 2) + 3
        kernel = np.zeros((size, size), np.float32)
        middle, fine = (size - 1) / 2, 16
        step = np.array([math.cos(way), math.sin(way)]) * reach / 2
        one, two = ((np.array([middle, middle]) + s * step) * fine for s in (-1, 1))
        begin, end = (int(one[0]), int(one[1])), (int(two[0]), int(two[1]))
        cv2.line(kernel, begin, end, (1.0,), 1, cv2.LINE_8, 4)
        photo = np.asarray(cv2.filter2D(photo, -1, kernel / kernel.sum()), np.float32)
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), soft), np.float32)


def developed(rng: Generator, photo: Floats, noise: float) -> Pixels:
    """Noise of the sensor, then what phones do: contrast, colour, sharpness."""
    height, width = photo.shape[:2]
    tile = rng.standard_normal((512, 512, 3), np.float32)
    fine = tile * 0.8 + cv2.GaussianBlur(tile, (0, 0), 1.2) * 1.4  # denoised in part: it clumps
    begin = rng.integers(0, 512, 2)
    rows = (np.arange(height) + begin[0]) % 512
    columns = (np.arange(width) + begin[1]) % 512
    for top in range(0, height, 512):  # in bands: a large photo is not held twice
        some = rows[top : top + 512]
        photo[top : top + 512] += noise * fine[some][:, columns]
    flat = np.clip(photo, 0, 255).astype(np.uint8)
    flat = np.asarray(cv2.LUT(flat, _tones(rng)), np.uint8)
    power = float(rng.uniform(0, 0.8))
    if power > 0.15:
        smooth = cv2.GaussianBlur(flat, (0, 0), 1.3)
        flat = np.asarray(cv2.addWeighted(flat, 1 + power, smooth, -power, 0), np.uint8)
    rich = float(rng.uniform(0.85, 1.2))
    grey = np.array([[0.114, 0.587, 0.299]] * 3) * (1 - rich)
    return np.asarray(cv2.transform(flat, grey + np.eye(3) * rich), np.uint8)


def _tones(rng: Generator) -> Pixels:
    """A curve: brighter or darker middles, more or less contrast."""
    level = np.linspace(0, 1, 256) ** rng.uniform(0.82, 1.12)
    bend = rng.uniform(-0.1, 0.3)
    level = (1 - bend) * level + bend * (3 * level**2 - 2 * level**3)
    low = rng.uniform(0, 10)
    return np.clip(low + level * (255 - low), 0, 255).astype(np.uint8)
