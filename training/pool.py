"""A folder of labelled photos to learn from: each a JPEG, a map of its pieces, and a line."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from training.photo import random_shot


def make_pool(folder: Path, count: int, seed: int, begin: int = 0) -> None:
    """Draw photos `begin` to `begin + count`; each depends on the seed and its number alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(begin, begin + count):
        name = folder / f"{number:05}"
        if name.with_suffix(".json").exists():
            continue
        shot = random_shot(np.random.default_rng([seed, number]))
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
