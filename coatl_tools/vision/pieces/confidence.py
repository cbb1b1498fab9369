"""How likely a found Cóatl is right: the networks' probabilities, calibrated, under the rules.

The calibration was fitted on photos that the networks were not trained on:
`python -m training weigh` writes it to `confidence.json`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.pieces.classification import LOOSE_END, FoundCoatl
from coatl_tools.vision.pieces.detections import PieceChain, PieceDetection
from coatl_tools.vision.reading import SeenCoatl, SeenPiece

CONFIDENCE_FILE = Path(__file__).with_name("confidence.json")
MIN_PROBABILITY = 1e-6
MIN_MARGIN = 2.0  # below this margin, another number of pieces is nearly as likely:
MAX_DOUBTED_JOINTS = 0.6  # then the confidence that all were counted is at most this
UNKNOWN_FACING = 0.5  # the confidence of a direction that nothing tells


@dataclass(frozen=True)
class ConfidenceWeights:
    """The calibration: powers for the probabilities of a piece, coefficients for the rest."""

    colour: float
    kind: float
    joints: tuple[float, ...]
    facing: float  # coefficient of the facing odds, which are 0 if the scales say nothing


@cache
def load_weights() -> ConfidenceWeights:
    """Load the fitted weights."""
    read = json.loads(CONFIDENCE_FILE.read_text("utf-8"))
    return ConfidenceWeights(read["colour"], read["kind"], tuple(read["joints"]), read["facing"])


def sharpen_probabilities(probabilities: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """Make probabilities more or less extreme; they still add to 1."""
    raised = np.maximum(probabilities, MIN_PROBABILITY) ** power
    return np.asarray(raised / raised.sum())


def rate_allowed_kinds(count: int, index: int) -> NDArray[np.float64]:
    """Rate the kinds that a piece at this index can be: heads and tails only at ends (rule 3.7)."""
    head, tail = index == 0, index == count - 1
    return np.array([1.0 if head else MIN_PROBABILITY, 1.0, 1.0 if tail else MIN_PROBABILITY])


def compute_joint_features(found: FoundCoatl) -> NDArray[np.float64]:
    """Compute what tells whether all pieces are there, in their order.

    The order of the features is that of `joints` in `confidence.json`: whoever changes them fits
    the weights again. Each looks at another way to go wrong: a weak joint, a piece that goes on
    beyond an end, a faint piece, a head or tail in the middle, a joint that portraits deny,
    something that is no piece, looks that disagree, a gap, uneven steps, another number of pieces
    that is nearly as likely, and a portrait beside the middle of its piece.
    """
    chain = found.chain
    first, last = chain.pieces[0], chain.pieces[-1]
    beyond = max(
        chain.ends[0] * (1 - float(first.kinds[0])), chain.ends[1] * (1 - float(last.kinds[2]))
    )
    middle = [spot.kinds[1] for spot in chain.pieces[1:-1]]
    steps = np.hypot(*np.diff([spot.middle for spot in chain.pieces], axis=0).T)
    pitches = np.array([spot.pitch for spot in chain.pieces])
    off = np.abs(np.log(steps / (pitches[1:] + pitches[:-1]) * 2))  # a piece was left out
    return np.array(
        [
            1.0,
            _logit(min(chain.joints)),
            _logit(1 - beyond),
            _logit(min(spot.peak for spot in chain.pieces)),
            _logit(float(min(middle, default=1.0))),
            _logit(min(found.links)),
            _logit(1 - max(spot.no_piece for spot in chain.pieces)),
            1.0 if found.agreed else 0.0,
            10 * float(off.max()),
            10 * float(np.abs(np.diff(np.log(steps))).max(initial=0.0)),
            min(found.margin, 8.0),
            min(found.least_centred, 6.0),
        ]
    )


def _logit(p: float) -> float:
    p = min(max(p, 0.002), 0.998)
    return float(np.log(p / (1 - p)))


def predict_probability(coefficients: tuple[float, ...], features: NDArray[np.float64]) -> float:
    """Predict a probability from features by the coefficients of a logistic regression."""
    return float(1 / (1 + np.exp(-np.clip(np.dot(coefficients, features), -30, 30))))


def make_seen_piece(spot: PieceDetection, places: NDArray[np.float64] | None = None) -> SeenPiece:
    """Make a seen piece with calibrated probabilities; `places` rates the kinds allowed there."""
    own = load_weights()
    kinds = sharpen_probabilities(spot.kinds * (1.0 if places is None else places), own.kind)
    colours = sharpen_probabilities(spot.colours, own.colour)
    return SeenPiece(
        {colour: float(p) for colour, p in zip(Colour, colours, strict=True)},
        {kind: float(p) for kind, p in zip(PieceKind, kinds, strict=True)},
        tuple((float(x), float(y)) for x, y in spot.outline),
        (float(spot.middle[0]), float(spot.middle[1])),
    )


def make_seen_coatl(found: FoundCoatl) -> SeenCoatl:
    """Make a seen Cóatl with calibrated probabilities and only kinds that the rules allow."""
    spots, own = found.chain.pieces, load_weights()
    pieces = tuple(
        make_seen_piece(spot, rate_allowed_kinds(len(spots), index))
        for index, spot in enumerate(spots)
    )
    joined = predict_probability(own.joints, compute_joint_features(found))
    if found.margin < MIN_MARGIN or _has_loose_end(found, pieces):
        joined = min(joined, MAX_DOUBTED_JOINTS)
    facing = predict_probability((own.facing,), np.array([found.facing_odds]))
    if pieces[0].kind is PieceKind.HEAD or pieces[-1].kind is PieceKind.TAIL:
        facing = 1.0  # told by the kinds, whose probabilities count already
    ends = found.chain.ends
    beyond = (
        ends[0] * (1 - pieces[0].kinds[PieceKind.HEAD]),
        ends[1] * (1 - pieces[-1].kinds[PieceKind.TAIL]),
    )
    return SeenCoatl(pieces, joined, facing, beyond_ends=beyond)


def make_first_coatl(chain: PieceChain) -> SeenCoatl:
    """Make what a first look saw of a Cóatl, before it is looked at from nearby."""
    pieces = tuple(
        make_seen_piece(spot, rate_allowed_kinds(len(chain.pieces), index))
        for index, spot in enumerate(chain.pieces)
    )
    return SeenCoatl(pieces, min(chain.joints, default=0.0), UNKNOWN_FACING)


def _has_loose_end(found: FoundCoatl, pieces: Sequence[SeenPiece]) -> bool:
    """Tell whether an end without head or tail is weakly joined: a pattern, or a hook's end."""
    first = pieces[0].kind is not PieceKind.HEAD and found.links[0] < LOOSE_END
    return first or (pieces[-1].kind is not PieceKind.TAIL and found.links[-1] < LOOSE_END)
