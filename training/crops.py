"""Pieces of photos to learn from: cut out, turned and scaled at random, with the maps wanted."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.pieces.networks import STRIDE, UNIT
from training.random_values import random_factor

Floats = NDArray[np.float32]
CROP_SIDE = 256
CLUTTER = 255  # the owner of what is no piece
MIN_UNCOVERED = 0.4  # of a piece on which something lies: less of it is no piece
HIDDEN_PITCHES = 0.35  # around the middle of such a piece, nobody can tell
MAX_PITCH = 56  # pixels from a piece to the next; the search looks at smaller ones
DRAWN_SHARE, DRAWN_SIZES = 0.12, (1.2, 3.0)  # crops that show what is no piece, and how large


class PhotoCrop(NamedTuple):
    """A picture (RGB, 0 to 1) and what the network should say of it."""

    picture: Floats
    peaks: Floats  # middles, joints
    piece: Floats
    kind: NDArray[np.int64]  # -1 where nothing is
    colour: NDArray[np.int64]
    vectors: Floats  # to the middle, the axis, the direction
    weight: Floats  # 0 where nobody can tell


@cache
def load_photo(name: Path) -> tuple[NDArray[np.uint8], NDArray[np.uint8], list[dict[str, Any]]]:
    """Load a photo of the pool: its pixels, whose they are, and its pieces."""
    picture = cv2.imread(str(name.with_suffix(".jpg")), cv2.IMREAD_COLOR)
    owners = cv2.imread(str(name.with_suffix(".png")), cv2.IMREAD_GRAYSCALE)
    pieces = json.loads(name.with_suffix(".json").read_text("utf-8"))["pieces"]
    return np.asarray(picture, np.uint8), np.asarray(owners, np.uint8), pieces


def random_crop(rng: np.random.Generator, name: Path) -> PhotoCrop:
    """Return a part of one photo of the pool."""
    picture, owners, pieces = load_photo(name)
    # piece, middle/before/behind, x/y
    points = np.array([piece["points"] for piece in pieces], np.float64)
    pitch = float(np.median(np.hypot(*(points[:, 2] - points[:, 1]).T) / 2))
    wanted = np.exp(rng.uniform(np.log(15), np.log(36)))
    scale = float(np.clip(wanted / max(pitch, 1), 0.3, 2.5))
    height, width = owners.shape
    inside = [p for p in points[:, 0] if 0 <= p[0] < width and 0 <= p[1] < height]
    if inside and rng.random() < 0.85:
        x, y = inside[int(rng.integers(len(inside)))] + rng.normal(0, CROP_SIDE / 4 / scale, 2)
    else:
        x, y = rng.uniform(0, width), rng.uniform(0, height)
    if rng.random() < DRAWN_SHARE:
        rows, columns = np.nonzero(owners[::4, ::4] == CLUTTER)
        if len(rows):
            at = int(rng.integers(len(rows)))
            x, y = columns[at] * 4, rows[at] * 4
            scale = min(scale * random_factor(rng, *DRAWN_SIZES), 3.5)
    turn = float(rng.uniform(0, 360))
    move = np.asarray(cv2.getRotationMatrix2D((float(x), float(y)), turn, scale), np.float64)
    move[:, 2] += CROP_SIDE / 2 - np.array([x, y])
    if scale < 0.6:  # the warp does not average
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 / scale), np.uint8)
    cut = cv2.warpAffine(picture, move, (CROP_SIDE, CROP_SIDE), borderMode=cv2.BORDER_REPLICATE)
    inner = cv2.warpAffine(np.full(owners.shape, 255, np.uint8), move, (CROP_SIDE, CROP_SIDE))
    owner = cv2.warpAffine(owners, move, (CROP_SIDE, CROP_SIDE), flags=cv2.INTER_NEAREST)
    small = np.asarray(owner, np.uint8)[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    seen = inner[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE] > 127
    moved = points @ move[:, :2].T + move[:, 2]
    levels = np.arange(256) / 255 * rng.uniform(0.92, 1.08, (3, 1))
    shades = (np.clip(levels, 0, 1) ** rng.uniform(0.85, 1.2)).astype(np.float32)
    rgb = np.stack([shades[band][cut[:, :, 2 - band]] for band in range(3)])
    return _make_crop_with_maps(rgb, small, seen, pieces, moved)


def _add_peak(heat: Floats, x: float, y: float, spread: float, at_x: Floats, at_y: Floats) -> None:
    """Add a peak on a map: exactly 1 at the place that is nearest."""
    heat[:] = np.maximum(heat, np.exp(-((at_x - x) ** 2 + (at_y - y) ** 2) / (2 * spread**2)))
    row, column = int(y // STRIDE), int(x // STRIDE)
    if 0 <= row < heat.shape[0] and 0 <= column < heat.shape[1]:
        heat[row, column] = 1


def _make_crop_with_maps(
    picture: Floats,
    owner: NDArray[np.uint8],
    seen: NDArray[np.bool_],
    pieces: list[dict[str, Any]],
    points: NDArray[np.float64],
) -> PhotoCrop:
    cells = owner.shape[0]
    rows, columns = np.mgrid[0:cells, 0:cells].astype(np.float32)
    at_x, at_y = columns * STRIDE + STRIDE / 2, rows * STRIDE + STRIDE / 2
    peaks = np.zeros((2, cells, cells), np.float32)
    kind = np.full((cells, cells), -1, np.int64)
    colour = np.full((cells, cells), -1, np.int64)
    vectors = np.zeros((6, cells, cells), np.float32)
    weight = seen.astype(np.float32)
    for number, (piece, (here, before, behind)) in enumerate(zip(pieces, points, strict=True), 1):
        own = owner == number
        if not own.any():
            continue
        way = (before - behind) / 2  # one pitch towards the head
        pitch = float(np.hypot(*way))
        if pitch < 8 or own.sum() < 4:  # too small for anybody
            weight[own] = 0
            continue
        if pitch > MAX_PITCH:
            weight[np.hypot(at_x - here[0], at_y - here[1]) < pitch] = 0
            continue
        uncovered = piece["uncovered"]
        if uncovered < MIN_UNCOVERED:  # hardly more than its neighbour's joint can be seen
            hidden = np.hypot(at_x - here[0], at_y - here[1]) < pitch * HIDDEN_PITCHES
            weight[hidden | own] = 0
            continue
        spread = max(pitch * 0.12, 3.0)
        _add_peak(peaks[0], here[0], here[1], spread, at_x, at_y)
        for joined, beyond in zip(piece["joined"], (before, behind), strict=True):
            if joined:
                x, y = (here + beyond) / 2
                _add_peak(peaks[1], x, y, spread, at_x, at_y)
        kind[own], colour[own] = piece["kind"], piece["colour"]
        vectors[0][own], vectors[1][own] = (here[0] - at_x)[own], (here[1] - at_y)[own]
        vectors[2][own] = (way[0] ** 2 - way[1] ** 2) / pitch
        vectors[3][own] = 2 * way[0] * way[1] / pitch
        vectors[4][own], vectors[5][own] = way / pitch * UNIT
    there = (kind >= 0).astype(np.float32)
    return PhotoCrop(picture, peaks, there, kind, colour, vectors / np.float32(UNIT), weight)
