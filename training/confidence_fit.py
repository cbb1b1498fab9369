"""Fit the confidence: compare what the search says of unseen photos with the truth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.pieces.classification import FoundCoatl
from coatl_tools.vision.pieces.confidence import (
    CONFIDENCE_FILE,
    compute_joint_features,
    rate_allowed_kinds,
    sharpen_probabilities,
)
from coatl_tools.vision.pieces.piece_search import search_picture
from coatl_tools.vision.stage_trace import Trace

Floats = NDArray[np.float64]
POWERS = np.geomspace(0.4, 4, 25)
SAME_PIECE_PITCHES = 0.45  # of a pitch: so near the middle of a piece is that piece


@dataclass(frozen=True)
class PhotoTruth:
    """The pieces of a photo of the pool: middles, kinds, colours, and which follows which."""

    middles: Floats
    kinds: list[int]
    colours: list[int]
    follows: list[int]  # the piece that is joined at the tail side, or -1

    @classmethod
    def read(cls, name: Path) -> PhotoTruth:
        """Read the truth of one photo."""
        pieces = json.loads(name.with_suffix(".json").read_text("utf-8"))["pieces"]
        return cls(
            np.array([piece["points"][0] for piece in pieces]),
            [piece["kind"] for piece in pieces],
            [piece["colour"] for piece in pieces],
            [i + 1 if piece["joined"][1] else -1 for i, piece in enumerate(pieces)],
        )

    def order(self, found: FoundCoatl) -> list[int]:
        """Which pieces the found ones are; -1 for none."""
        order = []
        for spot in found.chain.pieces:
            apart = np.hypot(*(self.middles - spot.middle).T)
            nearest = int(apart.argmin())
            order.append(nearest if apart[nearest] < SAME_PIECE_PITCHES * spot.pitch else -1)
        return order

    def whole(self, order: list[int]) -> bool:
        """Whether these are all pieces of one Cóatl, in the order from head to tail."""
        if -1 in order or order[0] in self.follows or self.follows[order[-1]] != -1:
            return False
        return all(self.follows[a] == b for a, b in pairwise(order))


@dataclass
class FitCases:
    """What was said, and whether it was right."""

    colours: list[tuple[Floats, int]]
    kinds: list[tuple[Floats, int]]
    joints: list[tuple[Floats, bool]]
    facing: list[tuple[Floats, bool]]


def collect_cases(pool: Path) -> FitCases:
    """Search all photos of a pool."""
    found = FitCases([], [], [], [])
    for name in sorted(pool.glob("*.json")):
        truth = PhotoTruth.read(name)
        pixels = cv2.imread(str(name.with_suffix(".jpg")), cv2.IMREAD_COLOR)
        for one in search_picture(np.asarray(pixels, np.uint8), Trace())[0]:
            _add_case(found, one, truth)
    return found


def _add_case(to: FitCases, found: FoundCoatl, truth: PhotoTruth) -> None:
    order = truth.order(found)
    forward, backward = truth.whole(order), truth.whole(order[::-1])
    to.joints.append((compute_joint_features(found), forward or backward))
    if not (forward or backward):
        return
    scales = np.array([found.facing_odds if forward else -found.facing_odds])
    to.facing += [(scales, True), (-scales, False)]  # whichever way it was looked at
    for place, (spot, index) in enumerate(zip(found.chain.pieces, order, strict=True)):
        to.colours.append((spot.colours, truth.colours[index]))
        if forward:
            to.kinds.append(
                (spot.kinds * rate_allowed_kinds(len(order), place), truth.kinds[index])
            )


def _fit_power(said: list[tuple[Floats, int]]) -> float:
    """Fit the power that makes probabilities fit what is true best."""

    def loss(power: float) -> float:
        return -float(np.mean([np.log(sharpen_probabilities(p, power)[true]) for p, true in said]))

    return float(min(POWERS, key=loss))


def _fit_logistic(said: list[tuple[Floats, bool]]) -> list[float]:
    """Fit a logistic line through features, by Newton's method, drawn towards zero a little."""
    x, y = np.array([f for f, _ in said]), np.array([float(t) for _, t in said])
    line = np.zeros(x.shape[1])
    rest = np.diag([1e-3, *([1.0] * (x.shape[1] - 1))])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ line, -30, 30)))
        slope = x.T @ (p - y) + rest @ line
        bend = (x * (p * (1 - p))[:, None]).T @ x + rest + 1e-6 * np.eye(len(line))
        line = line - np.linalg.solve(bend, slope)
    return [round(float(v), 4) for v in line]


def fit_confidence(pool: Path) -> None:
    """Learn from a pool, and write what was learned."""
    found = collect_cases(pool)
    learned = {
        "colour": round(_fit_power(found.colours), 3),
        "kind": round(_fit_power(found.kinds), 3),
        "joints": _fit_logistic(found.joints),
        "facing": _fit_logistic(found.facing)[0],
    }
    CONFIDENCE_FILE.write_text(json.dumps(learned, indent=2) + "\n", "utf-8")
    right = [t for _, t in found.joints]
    print(f"{len(right)} Cóatls, {sum(right)} whole; {learned}")
