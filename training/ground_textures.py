"""Textures of what lies under the pieces: tables and cloths of every kind, repeating."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
TEXTURE_SIZE = 1024  # pixels of a texture's side
VIVID_COLOURS = [(222, 40, 45), (122, 192, 68), (5, 122, 180), (243, 206, 42), (48, 44, 47)]


def make_noise(rng: np.random.Generator, coarse: tuple[int, int], octaves: int = 3) -> Floats:
    """Smooth noise from 0 to 1 that repeats: rows and columns of its coarsest grid."""
    total = np.zeros((TEXTURE_SIZE, TEXTURE_SIZE), np.float32)
    for octave in range(octaves):
        rows, columns = (min(TEXTURE_SIZE, n << octave) for n in coarse)
        grid = rng.random((rows, columns)).astype(np.float32)
        grid = np.pad(grid, ((1, 1), (1, 1)), mode="wrap")
        high, wide = TEXTURE_SIZE * (rows + 2) // rows, TEXTURE_SIZE * (columns + 2) // columns
        large = cv2.resize(grid, (wide, high), interpolation=cv2.INTER_CUBIC)
        top, left = TEXTURE_SIZE // rows, TEXTURE_SIZE // columns
        total += large[top : top + TEXTURE_SIZE, left : left + TEXTURE_SIZE] / 2**octave
    total -= total.min()
    return np.asarray(total / max(float(total.max()), 1e-6), np.float32)


def random_colour(rng: np.random.Generator) -> Floats:
    """Any colour that a table may have, in linear light."""
    hue, saturation = rng.uniform(0, 180), rng.choice([0, 1, 2]) * rng.uniform(20, 110)
    value = rng.uniform(15, 250)
    hsv = np.array([[[hue, min(saturation, 230), value]]], np.float32).astype(np.uint8)
    rgb = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0] / 255.0
    return np.asarray(rgb**2.2, np.float32)


def random_vivid_colour(rng: np.random.Generator) -> Floats:
    """Any colour that a piece may have, in linear light."""
    vivid = np.array(VIVID_COLOURS[int(rng.integers(5))]) * rng.uniform(0.8, 1.05)
    return np.asarray((np.clip(vivid + rng.normal(0, 10, 3), 5, 252) / 255) ** 2.2, np.float32)


def _mix_colours(a: Floats, b: Floats, weight: Floats) -> Floats:
    return np.asarray(a + (b - a) * weight[..., None], np.float32)


def _make_grid() -> tuple[Floats, Floats]:
    rows, columns = np.mgrid[0:TEXTURE_SIZE, 0:TEXTURE_SIZE].astype(np.float32) / TEXTURE_SIZE
    return columns, rows


def _plain(rng: np.random.Generator) -> Floats:
    colour = random_colour(rng)
    coarse = int(rng.choice([3, 10, 60, 250]))
    weight = make_noise(rng, (coarse, coarse), 2) * rng.uniform(0, 0.6)
    return _mix_colours(colour, colour * rng.uniform(0.3, 0.9), weight)


def _wood(rng: np.random.Generator) -> Floats:
    light = np.array([205, 160, 105]) * rng.uniform(0.25, 1.15) + rng.normal(0, 12, 3)
    light = (np.clip(light, 8, 250) / 255) ** 2.2
    dark = light * rng.uniform(0.25, 0.7)
    fine = make_noise(rng, (int(rng.integers(40, 120)), 3), 2)
    broad = make_noise(rng, (int(rng.integers(5, 16)), 2), 3)
    bands = 0.5 + 0.5 * np.sin(broad * rng.uniform(8, 40))
    weight = rng.uniform(0.2, 0.8) * bands + 0.4 * fine
    texture = _mix_colours(
        np.asarray(light, np.float32), np.asarray(dark, np.float32), np.clip(weight, 0, 1)
    )
    if rng.random() < 0.6:  # planks
        rows, count = _make_grid()[1], int(rng.integers(3, 9))
        near = np.abs((rows * count) % 1 - 0.5)
        texture = texture * np.where(near < 0.012 * rng.uniform(0.5, 2), 0.15, 1)[..., None]
    return np.asarray(texture, np.float32)


def _weave(rng: np.random.Generator) -> Floats:
    x, y = _make_grid()
    colour, count = random_colour(rng), int(rng.integers(60, 220))
    weave = np.maximum(np.sin(x * count * 2 * np.pi), np.sin(y * count * 2 * np.pi)) * 0.5 + 0.5
    weight = weave * rng.uniform(0.1, 0.6) + make_noise(rng, (6, 6), 2) * rng.uniform(0, 0.4)
    return _mix_colours(colour, colour * 0.5, np.asarray(np.clip(weight, 0, 1), np.float32))


def _patterned(rng: np.random.Generator) -> Floats:
    """Draw checks, stripes, dots, rings, zigzags: a cloth with a pattern."""
    x, y = _make_grid()
    count, style = int(rng.integers(3, 28)), int(rng.integers(6))
    u, v = (x * count) % 1, (y * count) % 1
    if style == 0:
        weight = np.asarray(((u < 0.5).astype(np.float32) + (v < 0.5)) / 2, np.float32)
    elif style == 1:
        weight = (u < rng.uniform(0.2, 0.8)).astype(np.float32)
    elif style == 2:
        weight = (np.hypot(u - 0.5, v - 0.5) < rng.uniform(0.12, 0.42)).astype(np.float32)
    elif style == 3:
        seeds = rng.random((max(4, count * count // 3), 2)) * TEXTURE_SIZE
        mask = np.full((TEXTURE_SIZE, TEXTURE_SIZE), 255, np.uint8)
        mask[seeds[:, 1].astype(int), seeds[:, 0].astype(int)] = 0
        apart = cv2.distanceTransform(mask, cv2.DIST_L2, 5) / TEXTURE_SIZE * count
        weight = (np.sin(apart * rng.uniform(6, 20)) > rng.uniform(-0.3, 0.5)).astype(np.float32)
    elif style == 4:
        weight = ((v + np.abs(u - 0.5) * rng.uniform(0.5, 2)) % 1 < 0.5).astype(np.float32)
    else:
        weight = make_noise(rng, (count, count), 1)
        weight = (weight > rng.uniform(0.4, 0.6)).astype(np.float32)
    texture = _mix_colours(random_colour(rng), random_colour(rng), weight)
    return np.asarray(
        texture * (1 - rng.uniform(0, 0.3) * make_noise(rng, (200, 200), 1)[..., None])
    )


def _stone(rng: np.random.Generator) -> Floats:
    colour = random_colour(rng)
    veins = make_noise(rng, (5, 5), 6)
    texture = _mix_colours(colour, colour * rng.uniform(0.3, 0.8), veins)
    specks = make_noise(rng, (300, 300), 1) > rng.uniform(0.6, 0.9)
    return np.asarray(np.where(specks[..., None], texture * rng.uniform(0.3, 1.6), texture))


def random_ground(rng: np.random.Generator) -> Floats:
    """Return the texture of a table in linear RGB."""
    maker = [_plain, _wood, _wood, _weave, _patterned, _patterned, _stone][int(rng.integers(7))]
    return np.asarray(np.clip(maker(rng), 0.002, 1), np.float32)
