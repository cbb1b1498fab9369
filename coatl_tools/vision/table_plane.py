"""Where things lie on the table: the photo seen from above, found from pieces and cards alone.

Pieces of one set are equally far apart, and all cards have the same size. So the tilt of the
camera is the one for which, seen from above, steps from piece to piece are equal everywhere, and
cards are rectangles of their size. Distances on the table are in pitches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.homography import FOCAL_LENGTH_SHARE, Points, map_points
from coatl_tools.vision.reading import Outline, SeenCard, SeenCoatl

PITCH = 17.6  # millimetres from a piece to the next
CARD_SIZE = (63.0, 88.0)  # millimetres
MAX_TILT = 66.0  # degrees from straight above: nobody takes a photo from lower down
TILTS = [6.0 * number for number in range(12)]  # degrees that are tried first
TURNS = [20.0 * number for number in range(18)]  # likewise
STEPS = (3.0, 1.5, 0.7, 0.3)  # degrees by which the best is then improved
LEAST_STEPS = 4  # without a card, so many steps must be seen to tell a tilt
TILT_COST = 0.002  # for a camera at 60 degrees: without evidence it looks straight down
OUTLIER = 0.25  # a length that differs more, as a logarithm, counts no more than this


@dataclass(frozen=True, eq=False)
class TablePlane:
    """A map from the photo to the table as seen from above, and its error in parts of a length."""

    to_table: Points
    error: float

    def map(self, points: Points) -> Points:
        """Map points of the photo to the table, in pitches; y grows towards the lower edge."""
        return map_points(points, self.to_table)

    def map_outline(self, outline: Outline) -> Points:
        """Map an outline to the table, in pitches."""
        return self.map(np.array(outline))


@dataclass(frozen=True, eq=False)
class _Lengths:
    """Distances in the photo whose lengths on the table are known but for one scale."""

    begins: Points
    ends: Points
    logarithms: NDArray[np.float64]  # of their lengths in pitches

    def measure(self, to_table: Points) -> NDArray[np.float64]:
        """Measure how much each differs, seen through a map, but for the scale."""
        span = map_points(self.ends, to_table) - map_points(self.begins, to_table)
        return np.asarray(np.log(np.maximum(np.hypot(*span.T), 1e-9)) - self.logarithms)


def estimate_table_plane(
    coatls: Sequence[SeenCoatl], cards: Sequence[SeenCard], size: tuple[int, int]
) -> TablePlane:
    """Estimate how the table lies to the camera, from pieces and cards in a photo of some size.

    Without enough of them, the camera is taken to look straight down.
    """
    lengths = _list_lengths(coatls, cards)
    if lengths is None:
        return TablePlane(np.eye(3) / max(*size, 1), 1.0)
    enough = len(lengths.begins) >= LEAST_STEPS
    best = (math.inf, 0.0, 0.0)
    for tilt in TILTS if enough else (0.0,):
        for turn in TURNS if tilt else (0.0,):
            best = min(best, (_rate(lengths, size, tilt, turn), tilt, turn))
    for step in STEPS if enough else ():
        for _ in range(3):
            _, tilt, turn = best
            about = step / max(math.sin(math.radians(tilt)), 0.1)
            around = [(tilt + step, turn), (tilt - step, turn), (tilt, turn + about),
                      (tilt, turn - about)]  # fmt: skip
            tried = [(_rate(lengths, size, *way), *way)
                     for way in around if 0 <= way[0] <= MAX_TILT]  # fmt: skip
            best = min(best, *tried)
    to_table = _look_from_above(size, best[1], best[2])
    off = lengths.measure(to_table)
    scale = math.exp(-float(np.median(off)))
    error = float(np.median(np.abs(off - np.median(off))))
    return TablePlane(np.diag([scale, scale, 1.0]) @ to_table, error)


def measure_least_pitch(cards: Sequence[SeenCard]) -> float:
    """Measure how small pieces may be beside these cards, in pixels; infinite without cards."""
    areas = [cv2.contourArea(np.array(card.outline, np.float32)) for card in cards
             if card.sure and len(card.outline) == 4]  # fmt: skip
    least = min(areas, default=math.inf)
    return PITCH * math.sqrt(least / (CARD_SIZE[0] * CARD_SIZE[1]))


def _list_lengths(coatls: Sequence[SeenCoatl], cards: Sequence[SeenCard]) -> _Lengths | None:
    """List the steps of all Cóatls, and the sides of all cards that are seen whole."""
    begins, ends, known = [], [], []
    for seen in coatls:
        centres = [piece.centre for piece in seen.pieces if piece.outline]
        begins += centres[:-1]
        ends += centres[1:]
        known += [0.0] * len(centres[1:])
    for card in cards:
        if len(card.outline) != 4:
            continue
        corners = np.array(card.outline)
        sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
        if sides[0] + sides[2] > 1.5 * (sides[1] + sides[3]):
            continue  # not from its own top left: hardly a whole card
        for index in range(4):
            begins.append(card.outline[index])
            ends.append(card.outline[(index + 1) % 4])
            known.append(math.log(CARD_SIZE[index % 2] / PITCH))
    if not begins:
        return None
    return _Lengths(np.array(begins), np.array(ends), np.array(known))


def _rate(lengths: _Lengths, size: tuple[int, int], tilt: float, turn: float) -> float:
    """Rate how unequal the lengths are, seen from above by a camera that is tilted so."""
    off = lengths.measure(_look_from_above(size, tilt, turn))
    off -= np.median(off)
    return float(np.minimum(off**2, OUTLIER**2).mean()) + TILT_COST * (tilt / 60) ** 2


def _look_from_above(size: tuple[int, int], tilt: float, turn: float) -> Points:
    """Return the map to what a camera above the table would see, up to its scale.

    `tilt` is the angle of the camera from straight above, `turn` the direction in the photo, from
    its right clockwise, in which the table goes away from it.
    """
    focal = FOCAL_LENGTH_SHARE * max(size)
    lens = np.array([(focal, 0, size[0] / 2), (0, focal, size[1] / 2), (0, 0, 1)])
    lean, about = math.radians(tilt), math.radians(turn)
    axis = np.array([-math.sin(about), math.cos(about), 0.0])  # square to that direction
    cross = np.array([(0, -axis[2], axis[1]), (axis[2], 0, -axis[0]), (-axis[1], axis[0], 0)])
    rotation = np.eye(3) + math.sin(lean) * cross + (1 - math.cos(lean)) * cross @ cross
    return np.asarray(lens @ rotation @ np.linalg.inv(lens))
