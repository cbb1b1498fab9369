"""Search a picture for faces of published cards: a network says where their corners are.

Each place of its maps that shows a face votes for the four corners of that card, so a card is found
by any part of it that is not covered. Votes that agree are one card.

| maps | meaning |
|---|---|
| 0 | whether there is a face |
| 1–2 | from here to its middle |
| 3–4, 5–6 | half its height and half its width, with the angle doubled, so that both ways are one |
| 7–8 | how much its corners differ from those of a parallelogram |
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.homography import Points
from coatl_tools.vision.network import run_network
from coatl_tools.vision.stage_trace import Pixels

SEARCH_NETWORK = Path(__file__).with_name("face_search.onnx.gz")
SEARCH_SIDES = (256, 640)  # pixels of the longer side at which a picture is looked at
SEARCH_STRIDE, SEARCH_UNIT = 8, 64.0  # pixels from place to place; pixels of a unit of the maps
SIDE_MULTIPLE = 32  # of which the sides of a picture must be
FACE_MAP, SHAPE_MAPS, SEARCH_MAPS = 0, slice(1, 9), 9
MIN_FACE_LOGIT = -0.4  # from this on, a place votes
MAX_VOTE_ERROR = 0.22  # of the root of a card's area, between votes for the same one
MIN_VOTES, MIN_VOTE_SHARE = 3, 0.06  # places, also as a share of those that a card has
SAME_FACE_ERROR = 0.25  # of the root of its area: the same card, seen in two looks
MAX_FACES = 60

Votes = NDArray[np.float64]


def find_faces(pixels: Pixels) -> list[Points]:
    """Find where faces may be, the clearest first: four corners each, in the card's own order."""
    longest = max(pixels.shape[:2])
    found: list[tuple[float, Points]] = []
    for side in SEARCH_SIDES:
        found += _look(pixels, min(1.0, side / longest))
        if side >= longest:
            break
    kept: list[Points] = []
    for _, corners in sorted(found, key=lambda one: -one[0])[: 2 * MAX_FACES]:
        if not any(_measure_error(corners[None], other)[0] < SAME_FACE_ERROR for other in kept):
            kept.append(corners)
    return kept[:MAX_FACES]


def _look(pixels: Pixels, scale: float) -> Iterator[tuple[float, Points]]:
    """Look at a picture at some scale; return how clear each face is, and its corners."""
    height, width = pixels.shape[:2]
    size = max(SIDE_MULTIPLE, round(width * scale)), max(SIDE_MULTIPLE, round(height * scale))
    small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    tall, wide = (-side % SIDE_MULTIPLE for side in small.shape[:2])
    padded = cv2.copyMakeBorder(small, 0, tall, 0, wide, cv2.BORDER_REPLICATE)
    planes = np.ascontiguousarray(padded[:, :, ::-1].transpose(2, 0, 1), np.float32)
    said = run_network(SEARCH_NETWORK, planes[None] / np.float32(255))[0].astype(np.float64)
    for clear, corners in gather_votes(said):
        yield clear, (corners + 0.5) / scale - 0.5


def gather_votes(said: NDArray[np.float64]) -> Iterator[tuple[float, Points]]:
    """Gather the votes of all places; return the share of them for each face, and its corners."""
    rows, columns = np.nonzero(said[FACE_MAP] > MIN_FACE_LOGIT)
    middles = np.stack([columns, rows], axis=1) * SEARCH_STRIDE + SEARCH_STRIDE / 2
    shapes = said[SHAPE_MAPS, rows, columns].T.reshape(-1, 4, 2) * SEARCH_UNIT
    votes = middles[:, None] + decode_corners(shapes)
    weights = 1 / (1 + np.exp(-said[FACE_MAP, rows, columns]))
    while len(votes):
        best = int(weights.argmax())
        votes = _turn_towards(votes, votes[best])
        near = _measure_error(votes, votes[best]) < MAX_VOTE_ERROR
        corners = np.median(votes[near], axis=0)
        near = _measure_error(_turn_towards(votes, corners), corners) < MAX_VOTE_ERROR
        near[best] = True
        area = cv2.contourArea(corners.astype(np.float32)) / SEARCH_STRIDE**2
        share = float(weights[near].sum()) / max(area, 1.0)
        if near.sum() >= MIN_VOTES and share >= MIN_VOTE_SHARE:
            yield share, np.asarray(np.median(votes[near], axis=0))
        votes, weights = votes[~near], weights[~near]


# How corners are told: by a middle, two half sides whose way does not matter, and a twist. The
# signs are those of both half sides at each corner, from the upper left with the clock.
_HEIGHT_SIGNS, _WIDTH_SIGNS = np.array([-1, -1, 1, 1])[:, None], np.array([-1, 1, 1, -1])[:, None]


def encode_corners(corners: Points) -> Points:
    """Tell four corners as a middle, two half sides with doubled angles, and a twist."""
    half_height, half_width = (
        (corners * signs).mean(axis=0) for signs in (_HEIGHT_SIGNS, _WIDTH_SIGNS)
    )
    twist = (corners * _HEIGHT_SIGNS * _WIDTH_SIGNS).mean(axis=0)
    doubled = [_change_angle(side, 2.0) for side in (half_height, half_width)]
    return np.stack([corners.mean(axis=0), *doubled, twist])


def decode_corners(shapes: Votes) -> Votes:
    """Return the four corners of each shape; the first is at one of two that are opposite."""
    middle, height, width, twist = np.moveaxis(shapes, 1, 0)
    half_height, half_width = (_change_angle(side, 0.5) for side in (height, width))
    across = half_width[:, 0] * half_height[:, 1] - half_width[:, 1] * half_height[:, 0]
    half_width = np.where(across[:, None] < 0, -half_width, half_width)  # with the clock
    sides = half_height[:, None] * _HEIGHT_SIGNS + half_width[:, None] * _WIDTH_SIGNS
    return np.asarray(
        middle[:, None] + sides + twist[:, None] * (_HEIGHT_SIGNS * _WIDTH_SIGNS), np.float64
    )


def _change_angle(vectors: Points, factor: float) -> Points:
    """Multiply the angles of vectors."""
    angle = np.arctan2(vectors[..., 1], vectors[..., 0]) * factor
    turned = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return np.asarray(np.hypot(vectors[..., 0], vectors[..., 1])[..., None] * turned)


def _turn_towards(votes: Votes, corners: Points) -> Votes:
    """Turn each vote by half if that brings it nearer: both ends of a card look much alike."""
    turned = np.roll(votes, 2, axis=1)
    nearer = np.abs(turned - corners).sum(axis=(1, 2)) < np.abs(votes - corners).sum(axis=(1, 2))
    return np.where(nearer[:, None, None], turned, votes)


def _measure_error(votes: Votes, corners: Points) -> NDArray[np.float64]:
    """Measure how far the corners of each vote are off, in roots of the card's area."""
    size = np.sqrt(max(float(cv2.contourArea(corners.astype(np.float32))), 1.0))
    away = np.hypot(*np.moveaxis(_turn_towards(votes, corners) - corners, 2, 0))
    return np.asarray(away.mean(axis=1) / size)
