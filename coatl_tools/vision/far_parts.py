"""Tell which part of a photo is too far away to be read with certainty, so it is taken again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from coatl_tools.errors import Phrase
from coatl_tools.vision.homography import Points, box_corners, clip_outline, to_outline
from coatl_tools.vision.reading import PhotoReading, ReadingProblem, SeenCard, SeenCoatl
from coatl_tools.vision.table_plane import CARD_SIZE, PITCH

FAR_PITCH = 45.0  # pixels from a piece to the next, below which distance may be why it is unclear
LEAST_PITCH_SHARE = 0.0075  # of the longer side: smaller pieces are not even found
MARGIN = 3.0  # pitches around what is doubtful
_ADVICE = "photo.advice_part"
_PARTS = (
    ("photo.part_upper_left", "photo.part_upper", "photo.part_upper_right"),
    ("photo.part_left", "photo.part_middle", "photo.part_right"),
    ("photo.part_lower_left", "photo.part_lower", "photo.part_lower_right"),
)


def find_far_parts(reading: PhotoReading) -> Iterator[ReadingProblem]:
    """Find the parts of a photo in which something is not sure because it is small.

    Each part is told once, with a frame around everything that is doubtful there. Cards whose
    pieces would be too small to be found make the reading as a whole not sure.
    """
    least = LEAST_PITCH_SHARE * max(reading.size)
    unread = {problem.card for problem in reading.serious_problems}
    unclear = {problem.card for problem in reading.problems}
    doubtful: list[tuple[float, Points, int | None, int | None]] = [
        (seen.pitch, _list_points(seen), index, None)
        for index, seen in enumerate(reading.coatls)
        if not seen.sure and 0 < seen.pitch < FAR_PITCH
    ]
    for index, card in enumerate(reading.cards):
        pitch = _measure_pitch(card)
        if (index in unread and pitch < FAR_PITCH) or (index in unclear and pitch < least):
            doubtful.append((pitch, np.array(card.outline), None, index))
    parts: dict[str, list[tuple[float, Points, int | None, int | None]]] = {}
    for one in doubtful:
        parts.setdefault(_name_part(one[1], reading.size), []).append(one)
    for part, things in parts.items():
        size, _, coatl, about = things[0]
        phrase: Phrase = ("photo.far", {"part": (part, {})})
        if coatl is not None:
            phrase = ("photo.far_coatl", {"part": (part, {}), "coatl": coatl + 1})
        lost = any(other is not None and pitch < least for pitch, _, _, other in things)
        points = np.vstack([points for _, points, _, _ in things])
        frame = to_outline(_frame(points, MARGIN * size, reading.size))
        yield ReadingProblem("far", phrase, _ADVICE, coatl, None, about, lost, frame)


def _list_points(seen: SeenCoatl) -> Points:
    return np.array([point for piece in seen.pieces for point in (*piece.outline, piece.centre)])


def _measure_pitch(card: SeenCard) -> float:
    """Measure how far apart the pieces beside a card would be, in pixels."""
    if len(card.outline) < 3:
        return math.inf
    area = float(cv2.contourArea(np.array(card.outline, np.float32)))
    return PITCH * math.sqrt(area / (CARD_SIZE[0] * CARD_SIZE[1]))


def _name_part(points: Points, size: Sequence[int]) -> str:
    """Name the part of the photo, of nine, in which the middle of some points lies."""
    column, row = ((points.min(axis=0) + points.max(axis=0)) / 2 * 3 / np.array(size)).astype(int)
    return _PARTS[min(max(row, 0), 2)][min(max(column, 0), 2)]


def _frame(points: Points, margin: float, size: tuple[int, int]) -> Points:
    left, top = points.min(axis=0) - margin
    right, bottom = points.max(axis=0) + margin
    return clip_outline(box_corners(left, top, right - left, bottom - top), size)
