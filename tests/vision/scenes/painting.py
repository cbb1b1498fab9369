"""Laying cut-outs into a photo: paper as a printer left it, with its edge and its shadow."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tests.vision.scenes.camera import Camera
from tests.vision.scenes.cutouts import PER_MM, Cutout
from tests.vision.scenes.light import Light

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Printer:
    """What somebody's printer makes of inks: its paper, its black, how much colour it has."""

    paper: Points
    black: float
    rich: float
    gamma: float
    stray: float  # millimetres that scissors stray, at most
    edge: float  # how light the cut edge is

    def inked(self, pixels: Pixels) -> Pixels:
        """Pixels of a file as they come out on paper."""
        grey = np.array([[0.114, 0.587, 0.299]] * 3) * (1 - self.rich)
        mixed = cv2.transform(pixels, grey + np.eye(3) * self.rich)
        level = (np.arange(256) / 255) ** self.gamma
        curve = self.black + level[:, None] * (self.paper[None] - self.black)
        table = np.clip(curve, 0, 255).astype(np.uint8).reshape(256, 1, 3)
        return np.asarray(cv2.LUT(np.asarray(mixed, np.uint8), table), np.uint8)


def random_printer(rng: Generator) -> Printer:
    """Some printer and its paper, and whoever cuts."""
    white = rng.uniform(226, 250)
    return Printer(
        np.array([white + rng.normal(-3, 4), white, white + rng.normal(1, 3)]),
        float(rng.uniform(6, 42)),
        float(rng.uniform(0.78, 1.05)),
        float(rng.uniform(0.85, 1.15)),
        float(rng.choice([0.1, 0.3, 0.6])),
        float(rng.choice([0.0, 0.3, 0.6])),
    )


@dataclass(frozen=True, eq=False)
class Sprite:
    """Pixels with their opacity, and the map from them to the photo's plane on the table."""

    pixels: Pixels
    opacity: Pixels
    to_mm: Points


def sprite(rng: Generator, printer: Printer, cutout: Cutout, curl: float, scale: float) -> Sprite:
    """A cut-out on its way to the table: printed, cut, and shaded where the paper bends.

    It gets about as many pixels as a photo of so many pixels a millimetre has, so that nothing
    flickers when it is made smaller.
    """
    stray = float(rng.uniform(-printer.stray, printer.stray))
    pixels, mask, to_mm = _smaller(cutout, cutout.mask(stray), scale)
    pixels = printer.inked(pixels)
    if printer.edge:
        rim = cv2.subtract(mask, cv2.erode(mask, np.ones((3, 3), np.uint8)))
        weight = cv2.convertScaleAbs(rim, alpha=printer.edge * min(1.0, scale / PER_MM))
        paper = np.full_like(pixels, printer.paper.astype(np.uint8))
        pixels = mixed(pixels, paper, np.asarray(weight, np.uint8))
    if curl:
        pixels = _shaded(rng, pixels, curl)
    return Sprite(pixels, mask, to_mm)


def mixed(under: Pixels, over: Pixels, opacity: Pixels) -> Pixels:
    """One picture over another."""
    alpha = cv2.merge([opacity, opacity, opacity])
    one = cv2.multiply(over, alpha, scale=1 / 255)
    two = cv2.multiply(under, cv2.bitwise_not(alpha), scale=1 / 255)
    return np.asarray(cv2.add(one, two), np.uint8)


def _shaded(rng: Generator, pixels: Pixels, curl: float) -> Pixels:
    """Paper that does not lie quite flat is lighter here and darker there."""
    height, width = pixels.shape[:2]
    way = rng.uniform(0, 2 * math.pi)
    x, y = np.meshgrid(np.linspace(-1, 1, 16), np.linspace(-1, 1, 16))
    wave = np.sin((x * math.cos(way) + y * math.sin(way)) * rng.uniform(1, 2.5) + rng.uniform(0, 6))
    level = (1 + curl * wave).astype(np.float32)
    large = np.asarray(cv2.resize(level, (width, height), interpolation=cv2.INTER_LINEAR))
    three = cv2.merge([large, large, large])
    return np.asarray(cv2.multiply(pixels, three, dtype=cv2.CV_8U), np.uint8)


def lay(
    photo: Pixels, camera: Camera, thing: Sprite, place: Points, thick: float, light: Light
) -> None:
    """Put a sprite into the photo, where a map of the table says, with its shadow."""
    shift = np.eye(3)
    shift[:2, 2] = np.array(light.shift) * thick
    to_photo = camera.plane @ place @ thing.to_mm
    middle = _mapped(place @ thing.to_mm, np.array([thing.pixels.shape[1::-1]]) / 2)[0]
    scale = camera.scale(middle)
    soft = (0.12 + light.soft * thick) * scale
    box = _box(photo, thing, [to_photo, camera.plane @ shift @ place @ thing.to_mm], 3 * soft + 3)
    if box is None:
        return
    left, top, right, bottom = box
    size = (right - left, bottom - top)
    here = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1.0)])
    part = photo[top:bottom, left:right]
    shade = cv2.warpPerspective(thing.opacity, here @ camera.plane @ shift @ place @ thing.to_mm,
                                size, flags=cv2.INTER_LINEAR)  # fmt: skip
    shade = cv2.GaussianBlur(shade, (0, 0), max(0.5, soft))
    seen = cv2.warpPerspective(
        thing.pixels, here @ to_photo, size, flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    over = cv2.warpPerspective(thing.opacity, here @ to_photo, size, flags=cv2.INTER_LINEAR)
    dim = 255 - cv2.convertScaleAbs(shade, alpha=light.dark)
    under = cv2.multiply(part, cv2.merge([dim, dim, dim]), scale=1 / 255)
    part[:] = mixed(
        np.asarray(under, np.uint8), np.asarray(seen, np.uint8), np.asarray(over, np.uint8)
    )


def _smaller(cutout: Cutout, mask: Pixels, scale: float) -> tuple[Pixels, Pixels, Points]:
    """A cut-out and its mask with fewer pixels, and the map from them to its millimetres."""
    factor = min(1.0, 1.25 * scale / PER_MM)
    if factor > 0.8:
        return cutout.pixels, mask, cutout.to_mm
    height, width = mask.shape
    size = (max(2, round(width * factor)), max(2, round(height * factor)))
    x, y = width / size[0], height / size[1]
    back = np.array([(x, 0, x / 2 - 0.5), (0, y, y / 2 - 0.5), (0, 0, 1)])
    pixels = cv2.resize(cutout.pixels, size, interpolation=cv2.INTER_AREA)
    opacity = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    return np.asarray(pixels, np.uint8), np.asarray(opacity, np.uint8), cutout.to_mm @ back


def _box(
    photo: Pixels, thing: Sprite, maps: list[Points], margin: float
) -> tuple[int, int, int, int] | None:
    """The part of the photo that it covers, with its shadow."""
    height, width = thing.pixels.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    seen = np.concatenate([_mapped(one, corners) for one in maps])
    low, high = seen.min(axis=0) - margin, seen.max(axis=0) + margin
    left, top = max(0, math.floor(low[0])), max(0, math.floor(low[1]))
    right = min(photo.shape[1], math.ceil(high[0]))
    bottom = min(photo.shape[0], math.ceil(high[1]))
    return (left, top, right, bottom) if right - left > 1 and bottom - top > 1 else None


def _mapped(matrix: Points, points: Points) -> Points:
    seen = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(seen[:, :2] / seen[:, 2:])
