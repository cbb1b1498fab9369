"""Search a photo for plaques of published cards; each tells where its whole card lies.

A plaque is the stone along the bottom, or the turned one at the left edge, with the row on it. A
card of which neither can be seen cannot be read either, so it does not matter what lies over the
rest. One network finds plaques and tells roughly where the corners of their cards are; another one
looks at each of these cards and corrects its corners.

| maps | meaning |
|---|---|
| 0, 1 | whether the middle of a plaque is here: of one along the bottom, of a turned one |
| 2–9 | from here to the four corners of its card, from its own top left, clockwise |
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.vision.cards.face_views import FACE_CORNERS, make_planes
from coatl_tools.vision.homography import (
    Points,
    fit_homography,
    invert_homography,
    map_points,
    rectify_box,
)
from coatl_tools.vision.network import run_network
from coatl_tools.vision.shrinking import shrink_photo
from coatl_tools.vision.stage_trace import Pixels
from coatl_tools.vision.table_plane import PITCH, TablePlane

PLAQUE_NETWORK = Path(__file__).with_name("plaques.onnx.gz")
PLAQUE_STRIDE, CORNER_UNIT = 4, 64.0  # pixels from place to place; pixels of a unit of the maps
PLAQUE_KINDS, CORNER_MAPS, PLAQUE_MAPS = 2, slice(2, 10), 10
SIDE_MULTIPLE = 32  # of which the sides of a picture must be
SEARCH_SIDES = (256, 512, 1024)  # pixels of the longer side at which a photo is looked at
MIN_PLAQUE = 0.2  # from this probability on, it is looked at
MAX_PLAQUES = 60
SAME_CARD_ERROR = 0.15  # of the root of a card's area, between the corners that two plaques tell

PLACE_NETWORK = Path(__file__).with_name("places.onnx.gz")
PLACE_BOX, PLACE_SCALE = Box(-16.5, -20, 96, 128), 1.0  # millimetres; pixels a millimetre
PLACE_UNIT = 8.0  # millimetres of a unit of its corrections
CORRECTIONS = 3  # one after the other


class FoundPlaque(NamedTuple):
    """Where the card of a plaque lies, and how likely that plaque is there."""

    corners: Points
    probability: float


def find_plaques(pixels: Pixels) -> list[Points]:
    """Find the cards of plaques: four rough corners each, from its own top left, clearest first.

    Several may be of one card.
    """
    found = [plaque for side in SEARCH_SIDES for plaque in _look(pixels, side)]
    kept: list[Points] = []
    for plaque in sorted(found, key=lambda one: -one.probability)[:MAX_PLAQUES]:
        corners = plaque.corners
        if fit_homography(FACE_CORNERS, corners) is not None:
            kept.append(corners)
    return kept


def correct_cards(pixels: Pixels, cards: list[Points]) -> list[Points]:
    """Correct the corners of cards by looking at each, several times; same ones become one."""
    for _ in range(CORRECTIONS):
        cards = _keep_different(_correct(pixels, _keep_different(cards)))
    return cards


def lay_cards_on_table(pixels: Pixels, cards: list[Points], plane: TablePlane) -> list[Points]:
    """Correct the corners of cards further, as all of them lie flat and have one size."""
    for _ in range(CORRECTIONS):
        laid = _keep_different([_lay_on_table(corners, plane) for corners in cards])
        cards = _correct(pixels, laid)
    return _keep_different([_lay_on_table(corners, plane) for corners in cards])


def _lay_on_table(corners: Points, plane: TablePlane) -> Points:
    """Lay a card flat on the table, as near to these corners as a card of its size can lie."""
    there = plane.map(corners) * PITCH
    middle, own = there.mean(axis=0), FACE_CORNERS - FACE_CORNERS.mean(axis=0)
    off = there - middle
    turn = np.arctan2((own[:, 0] * off[:, 1] - own[:, 1] * off[:, 0]).sum(), (own * off).sum())
    cos, sin = np.cos(turn), np.sin(turn)
    laid = own @ np.array([(cos, sin), (-sin, cos)]) + middle
    return map_points(laid / PITCH, invert_homography(plane.to_table))


def _look(pixels: Pixels, side: int) -> Iterator[FoundPlaque]:
    """Look at a photo with a longer side of so many pixels."""
    small, shrink = shrink_photo(pixels, side)
    tall, wide = (-length % SIDE_MULTIPLE for length in small.shape[:2])
    padded = np.asarray(cv2.copyMakeBorder(small, 0, tall, 0, wide, cv2.BORDER_REPLICATE), np.uint8)
    said = run_network(PLAQUE_NETWORK, make_planes(padded)[None])[0]
    chances = 1 / (1 + np.exp(-said[:PLAQUE_KINDS].astype(np.float64)))
    for chance in chances:
        highest = cv2.dilate(chance, np.ones((3, 3), np.uint8))
        for row, column in np.argwhere((chance >= MIN_PLAQUE) & (chance == highest)):
            here = np.array([column, row]) * PLAQUE_STRIDE + PLAQUE_STRIDE / 2
            away = said[CORNER_MAPS, row, column].astype(np.float64).reshape(4, 2) * CORNER_UNIT
            yield FoundPlaque((here + away) / shrink - 0.5, float(chance[row, column]))


def _correct(pixels: Pixels, cards: list[Points]) -> list[Points]:
    """Correct the corners of cards by looking at each."""
    homographies = [
        one for one in (fit_homography(FACE_CORNERS, c) for c in cards) if one is not None
    ]
    if not homographies:
        return []
    views = [rectify_box(pixels, one, PLACE_BOX, PLACE_SCALE) for one in homographies]
    said = run_network(PLACE_NETWORK, np.stack([make_planes(view) for view in views]))
    off = said.astype(np.float64).reshape(-1, 4, 2) * PLACE_UNIT
    return [map_points(FACE_CORNERS + o, one) for o, one in zip(off, homographies, strict=True)]


def _keep_different(cards: list[Points]) -> list[Points]:
    """Keep one of those that tell the same card, the first."""
    kept: list[Points] = []
    for one in cards:
        if not any(_is_same_card(one, other) for other in kept):
            kept.append(one)
    return kept


def _is_same_card(one: Points, other: Points) -> bool:
    away = np.hypot(*(one - other).T).mean()
    area = abs(float(cv2.contourArea(other.astype(np.float32))))
    return bool(away < SAME_CARD_ERROR * np.sqrt(area))
