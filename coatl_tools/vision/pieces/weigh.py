"""How far a Cóatl that was found can be relied upon, and what the rules say about it.

The network's own probabilities are made honest by a few numbers, learned from photos that it
was not trained on: `python -m training weigh` writes them to `confidence.json`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour, Kind
from coatl_tools.vision.pieces.judging import LOOSE, Found
from coatl_tools.vision.pieces.spots import Spot
from coatl_tools.vision.reading import SeenCoatl, SeenPiece

CONFIDENCE = Path(__file__).with_name("confidence.json")
FEWEST = 1e-6
LEAST_MARGIN = 2.0  # where another number of pieces is nearly as likely,
DOUBTED = 0.6  # whether all were counted is in doubt, whatever else speaks for it


@dataclass(frozen=True)
class Weights:
    """What makes probabilities honest: powers for those of a piece, lines for the rest."""

    colour: float
    kind: float
    joints: tuple[float, ...]
    facing: float  # of the scales, which say nothing where they are 0


@cache
def weights() -> Weights:
    """The numbers that were learned."""
    read = json.loads(CONFIDENCE.read_text("utf-8"))
    return Weights(read["colour"], read["kind"], tuple(read["joints"]), read["facing"])


def sharpened(probabilities: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """Probabilities made more or less extreme; they still add to 1."""
    raised = np.maximum(probabilities, FEWEST) ** power
    return np.asarray(raised / raised.sum())


def allowed(count: int, index: int) -> NDArray[np.float64]:
    """Which kinds a piece can have at its place: heads and tails are at ends only (rule 3.7)."""
    head, tail = index == 0, index == count - 1
    return np.array([1.0 if head else FEWEST, 1.0, 1.0 if tail else FEWEST])


def joint_features(found: Found) -> NDArray[np.float64]:
    """What tells whether all pieces are there, in their order."""
    chain = found.chain
    first, last = chain.spots[0], chain.spots[-1]
    beyond = max(
        chain.ends[0] * (1 - float(first.kinds[0])), chain.ends[1] * (1 - float(last.kinds[2]))
    )
    middle = [spot.kinds[1] for spot in chain.spots[1:-1]]
    steps = np.hypot(*np.diff([spot.middle for spot in chain.spots], axis=0).T)
    pitches = np.array([spot.pitch for spot in chain.spots])
    off = np.abs(np.log(steps / (pitches[1:] + pitches[:-1]) * 2))  # a piece was left out
    return np.array(
        [
            1.0,
            _logit(min(chain.joins)),
            _logit(1 - beyond),
            _logit(min(spot.peak for spot in chain.spots)),
            _logit(float(min(middle, default=1.0))),
            _logit(min(found.links)),
            _logit(1 - max(spot.nothing for spot in chain.spots)),
            1.0 if found.agreed else 0.0,
            10 * float(off.max()),
            10 * float(np.abs(np.diff(np.log(steps))).max(initial=0.0)),
            min(found.margin, 8.0),
            min(found.centred, 6.0),
        ]
    )


def _logit(p: float) -> float:
    p = min(max(p, 0.002), 0.998)
    return float(np.log(p / (1 - p)))


def likely(line: tuple[float, ...], features: NDArray[np.float64]) -> float:
    """The probability that a line gives to features."""
    return float(1 / (1 + np.exp(-np.clip(np.dot(line, features), -30, 30))))


def seen_piece(spot: Spot, places: NDArray[np.float64] | None = None) -> SeenPiece:
    """A piece with honest probabilities; `places` are the kinds that its place allows."""
    own = weights()
    kinds = sharpened(spot.kinds * (1.0 if places is None else places), own.kind)
    colours = sharpened(spot.colours, own.colour)
    return SeenPiece(
        {colour: float(p) for colour, p in zip(Colour, colours, strict=True)},
        {kind: float(p) for kind, p in zip(Kind, kinds, strict=True)},
        tuple((float(x), float(y)) for x, y in spot.outline),
        (float(spot.middle[0]), float(spot.middle[1])),
    )


def seen_coatl(found: Found) -> SeenCoatl:
    """A Cóatl with honest probabilities, its kinds such as the rules allow."""
    spots, own = found.chain.spots, weights()
    pieces = tuple(seen_piece(spot, allowed(len(spots), index)) for index, spot in enumerate(spots))
    joined = likely(own.joints, joint_features(found))
    if found.margin < LEAST_MARGIN or _ends_loosely(found, pieces):
        joined = min(joined, DOUBTED)
    facing = likely((own.facing,), np.array([found.scales]))
    if pieces[0].kind is Kind.HEAD or pieces[-1].kind is Kind.TAIL:
        facing = 1.0  # told by the kinds, whose probabilities count already
    ends = found.chain.ends
    beyond = (
        ends[0] * (1 - pieces[0].kinds[Kind.HEAD]),
        ends[1] * (1 - pieces[-1].kinds[Kind.TAIL]),
    )
    return SeenCoatl(pieces, joined, facing, beyond=beyond)


def _ends_loosely(found: Found, pieces: Sequence[SeenPiece]) -> bool:
    """Whether an end without head or tail may be a cloth's pattern, or where a hook ends."""
    first = pieces[0].kind is not Kind.HEAD and found.links[0] < LOOSE
    return first or (pieces[-1].kind is not Kind.TAIL and found.links[-1] < LOOSE)
