"""The networks that look at published cards: at a face, at its rows, and at its levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.cards.card_signs import (
    FAMILIES,
    MAX_LEVELS,
    ROW_SIGNS,
    RowSign,
)
from coatl_tools.vision.cards.face_views import (
    FACE_CORNERS,
    cut_face,
    cut_plates,
    cut_rows,
    make_planes,
    make_row_planes,
    measure_scale,
)
from coatl_tools.vision.homography import Points, map_points
from coatl_tools.vision.network import run_network
from coatl_tools.vision.stage_trace import Pixels

HERE = Path(__file__).parent
FACE_NETWORK, ROW_NETWORK, PLATE_NETWORK = (
    HERE / f"{name}.onnx.gz" for name in ("face", "row", "plate")
)

NO_FACE = 4  # after the four ways in which a face may be turned, by quarters
TURN_OUTPUTS = slice(0, NO_FACE + 1)
FAMILY_OUTPUTS = slice(TURN_OUTPUTS.stop, TURN_OUTPUTS.stop + len(FAMILIES))
CORNER_OUTPUTS = slice(FAMILY_OUTPUTS.stop, FAMILY_OUTPUTS.stop + 8)
CORNER_UNIT = 3.0  # millimetres

NO_SIGN, HIDDEN_COLUMN = 0, len(ROW_SIGNS) + 1
COLUMN_KINDS = len(ROW_SIGNS) + 2


class PlateState(IntEnum):
    """What is where a level may stand."""

    ABSENT = 0
    HIDDEN = 1
    PLAIN = 2
    HALVES = 3


MAX_COUNT, MAX_POINTS = 9, 12
MIN_PLATE_SCALE = 2.0  # pixels of a photo for each millimetre of a card whose letters can be read
STATE_OUTPUTS = slice(0, len(PlateState))
COUNT_OUTPUTS = slice(STATE_OUTPUTS.stop, STATE_OUTPUTS.stop + MAX_COUNT)
POINTS_OUTPUTS = slice(COUNT_OUTPUTS.stop, COUNT_OUTPUTS.stop + MAX_POINTS)

_NUMBERS = {sign: number for number, sign in enumerate(ROW_SIGNS, NO_SIGN + 1)}


def number_sign(sign: RowSign) -> int:
    """Return the number of a sign in the columns; of one that the network does not know, hidden."""
    return _NUMBERS.get(sign, HIDDEN_COLUMN)


@dataclass(frozen=True, eq=False)
class FaceJudgement:
    """What a view of a face shows, as logarithms of probabilities."""

    turns: NDArray[np.float64]  # by so many quarters, or no face
    families: NDArray[np.float64]
    corners: Points  # of the card, in millimetres of the one that the view was cut for


def judge_face(pixels: Pixels, homography: Points) -> FaceJudgement:
    """Judge whether a face is seen where this homography shows it, and correct its corners."""
    seen = make_planes(cut_face(pixels, homography))[None]
    said = run_network(FACE_NETWORK, seen)[0].astype(np.float64)
    return FaceJudgement(
        _log_softmax(said[TURN_OUTPUTS]),
        _log_softmax(said[FAMILY_OUTPUTS]),
        FACE_CORNERS + said[CORNER_OUTPUTS].reshape(4, 2) * CORNER_UNIT,
    )


def judge_faces(pixels: Pixels, homographies: Sequence[Points]) -> NDArray[np.float64]:
    """Return how likely a face is seen where each of some homographies shows it."""
    seen = np.stack([make_planes(cut_face(pixels, one)) for one in homographies])
    said = run_network(FACE_NETWORK, seen).astype(np.float64)
    return np.asarray(1 - np.exp(_log_softmax(said[:, TURN_OUTPUTS])[:, NO_FACE]))


def judge_rows(pixels: Pixels, homography: Points) -> NDArray[np.float64]:
    """Return the logarithms of what each column of both rows may be: rows, columns, kinds."""
    seen = np.stack([make_row_planes(row) for row in cut_rows(pixels, homography)])
    said = run_network(ROW_NETWORK, seen).astype(np.float64)
    return _log_softmax(said.transpose(0, 2, 1))


@dataclass(frozen=True, eq=False)
class PlateJudgement:
    """What the places of levels show, from the top, as logarithms of probabilities."""

    states: NDArray[np.float64]
    counts: NDArray[np.float64]  # of 1 and so on
    points: NDArray[np.float64]


def judge_plates(pixels: Pixels, homography: Points) -> PlateJudgement:
    """Judge the places where levels may stand; all are hidden where nobody can read letters."""
    if measure_scale(map_points(FACE_CORNERS, homography)) < MIN_PLATE_SCALE:
        return _HIDDEN_PLATES
    seen = np.stack([make_planes(plate) for plate in cut_plates(pixels, homography)])
    said = run_network(PLATE_NETWORK, seen).astype(np.float64)
    parts = (STATE_OUTPUTS, COUNT_OUTPUTS, POINTS_OUTPUTS)
    return PlateJudgement(*(_log_softmax(said[:, part]) for part in parts))


def _hide_plates() -> PlateJudgement:
    states = np.full((MAX_LEVELS, len(PlateState)), -np.inf)
    states[:, PlateState.HIDDEN] = 0.0
    any_count = np.full((MAX_LEVELS, MAX_COUNT), -np.log(MAX_COUNT))
    any_points = np.full((MAX_LEVELS, MAX_POINTS), -np.log(MAX_POINTS))
    return PlateJudgement(states, any_count, any_points)


_HIDDEN_PLATES = _hide_plates()


def _log_softmax(said: NDArray[np.float64]) -> NDArray[np.float64]:
    shifted = said - said.max(axis=-1, keepdims=True)
    logs: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return logs
