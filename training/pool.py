"""A folder of labelled photos to learn from: each a JPEG, a map of its pieces, and a line."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from training.photo import Shot, random_shot

SIDE = 640  # pixels of the longer side
FEWEST = 300  # pixels of pieces
BURNT, MOST_BURNT = 235, 0.35  # such pixels are white, whatever they show; how many may be
DARK = 45  # the brightest pixels of pieces in a photo that shows nothing


def make_pool(
    folder: Path, count: int, seed: int, begin: int = 0, side: int = SIDE, near: bool = False
) -> None:
    """Draw photos `begin` to `begin + count`; each depends on the seed and its number alone.

    Their longer side has `side` pixels. Those from `near` show a few pieces, with all that is
    carved into them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(begin, begin + count):
        name = folder / f"{number:05}"
        if name.with_suffix(".json").exists():
            continue
        shot = _readable_shot(np.random.default_rng([seed, number]), side, near)
        cv2.imwrite(str(name.with_suffix(".jpg")), shot.pixels, [cv2.IMWRITE_JPEG_QUALITY, 93])
        cv2.imwrite(str(name.with_suffix(".png")), shot.owners)
        pieces = [
            {
                "kind": list(type(piece.kind)).index(piece.kind),
                "colour": int(piece.colour),
                "joined": [int(j) for j in piece.joined],
                "points": np.round(points, 2).tolist(),
            }
            for piece, points in zip(shot.pieces, shot.points, strict=True)
        ]
        name.with_suffix(".json").write_text(json.dumps(pieces), "utf-8")


def _readable_shot(rng: np.random.Generator, side: int, near: bool) -> Shot:
    """A photo in which somebody could tell the pieces."""
    while True:
        shot = random_shot(rng, side, near)
        pieces = shot.pixels[(shot.owners > 0) & (shot.owners < 255)]
        if len(pieces) < FEWEST:
            continue
        burnt = float((pieces.min(axis=1) > BURNT).mean())
        if burnt <= MOST_BURNT and float(np.percentile(pieces.max(axis=1), 90)) >= DARK:
            return shot
