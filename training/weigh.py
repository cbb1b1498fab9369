"""Making confidence honest: what the search says of photos it was not trained on, and the truth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.pieces.judging import Found
from coatl_tools.vision.pieces.search import search
from coatl_tools.vision.pieces.weigh import (
    CONFIDENCE,
    allowed,
    joint_features,
    sharpened,
)
from coatl_tools.vision.trace import Trace

Floats = NDArray[np.float64]
POWERS = np.geomspace(0.4, 4, 25)
NEAR = 0.45  # of a pitch: so near the middle of a piece is that piece


@dataclass(frozen=True)
class Truth:
    """The pieces of a photo of the pool: middles, kinds, colours, and which follows which."""

    middles: Floats
    kinds: list[int]
    colours: list[int]
    follows: list[int]  # the piece that is joined at the tail side, or -1

    @classmethod
    def read(cls, name: Path) -> Truth:
        """The truth of one photo."""
        pieces = json.loads(name.with_suffix(".json").read_text("utf-8"))
        return cls(
            np.array([piece["points"][0] for piece in pieces]),
            [piece["kind"] for piece in pieces],
            [piece["colour"] for piece in pieces],
            [i + 1 if piece["joined"][1] else -1 for i, piece in enumerate(pieces)],
        )

    def order(self, found: Found) -> list[int]:
        """Which pieces the found ones are; -1 for none."""
        order = []
        for spot in found.chain.spots:
            apart = np.hypot(*(self.middles - spot.middle).T)
            nearest = int(apart.argmin())
            order.append(nearest if apart[nearest] < NEAR * spot.pitch else -1)
        return order

    def whole(self, order: list[int]) -> bool:
        """Whether these are all pieces of one Cóatl, in the order from head to tail."""
        if -1 in order or order[0] in self.follows or self.follows[order[-1]] != -1:
            return False
        return all(self.follows[a] == b for a, b in pairwise(order))


@dataclass
class Cases:
    """What was said, and whether it was right."""

    colours: list[tuple[Floats, int]]
    kinds: list[tuple[Floats, int]]
    joints: list[tuple[Floats, bool]]
    facing: list[tuple[Floats, bool]]


def cases(pool: Path) -> Cases:
    """Search all photos of a pool."""
    found = Cases([], [], [], [])
    for name in sorted(pool.glob("*.json")):
        truth = Truth.read(name)
        pixels = cv2.imread(str(name.with_suffix(".jpg")), cv2.IMREAD_COLOR)
        for one in search(np.asarray(pixels, np.uint8), Trace())[0]:
            _add(found, one, truth)
    return found


def _add(to: Cases, found: Found, truth: Truth) -> None:
    order = truth.order(found)
    forward, backward = truth.whole(order), truth.whole(order[::-1])
    to.joints.append((joint_features(found), forward or backward))
    if not (forward or backward):
        return
    scales = np.array([found.scales if forward else -found.scales])
    to.facing += [(scales, True), (-scales, False)]  # whichever way it was looked at
    for place, (spot, index) in enumerate(zip(found.chain.spots, order, strict=True)):
        to.colours.append((spot.colours, truth.colours[index]))
        if forward:
            to.kinds.append((spot.kinds * allowed(len(order), place), truth.kinds[index]))


def _power(said: list[tuple[Floats, int]]) -> float:
    """The power that makes probabilities fit what is true best."""

    def loss(power: float) -> float:
        return -float(np.mean([np.log(sharpened(p, power)[true]) for p, true in said]))

    return float(min(POWERS, key=loss))


def _line(said: list[tuple[Floats, bool]], calm: float = 1.0) -> list[float]:
    """A logistic line through features, by Newton's method, drawn towards zero a little."""
    x, y = np.array([f for f, _ in said]), np.array([float(t) for _, t in said])
    line = np.zeros(x.shape[1])
    rest = np.diag([1e-3, *([calm] * (x.shape[1] - 1))])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ line, -30, 30)))
        slope = x.T @ (p - y) + rest @ line
        bend = (x * (p * (1 - p))[:, None]).T @ x + rest + 1e-6 * np.eye(len(line))
        line = line - np.linalg.solve(bend, slope)
    return [round(float(v), 4) for v in line]


def weigh(pool: Path) -> None:
    """Learn from a pool, and write what was learned."""
    found = cases(pool)
    learned = {
        "colour": round(_power(found.colours), 3),
        "kind": round(_power(found.kinds), 3),
        "joints": _line(found.joints),
        "facing": _line(found.facing)[0],
    }
    CONFIDENCE.write_text(json.dumps(learned, indent=2) + "\n", "utf-8")
    right = [t for _, t in found.joints]
    print(f"{len(right)} Cóatls, {sum(right)} whole; {learned}")
