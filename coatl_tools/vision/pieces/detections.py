"""Detect pieces in the network's maps, and join them to chains: Cóatls from head to tail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.pieces.networks import (
    AXIS,
    COLOURS,
    JOINT,
    KINDS,
    MIDDLE,
    PIECE,
    STRIDE,
    TO_HEAD,
    TO_MIDDLE,
    UNIT,
    Floats,
    Maps,
    sigmoid,
    softmax,
)

Vector = NDArray[np.float64]
MIN_PEAK = 0.2  # below this, no piece is looked for
MIN_PIECE_PROBABILITY = 0.5  # a place of a piece
MIN_PLACES = 5  # places; a smaller piece cannot be told
MIN_AREA = 0.25  # of a pitch squared: how much of a piece must be seen
MAX_DETECTIONS = 300  # pieces; there are 150 in the box


@dataclass(frozen=True, eq=False)
class PieceDetection:
    """A detected piece, in pixels of the picture."""

    middle: Vector
    axis: Vector  # to where a neighbour has its middle, at either side
    to_head: Vector  # which way the head lies; 1 long if that is clear
    kinds: NDArray[np.float64]
    colours: NDArray[np.float64]
    peak: float
    outline: NDArray[np.float64]
    no_piece: float = 0.0  # how likely this is no piece

    @property
    def pitch(self) -> float:
        """The distance to a neighbour."""
        return float(np.hypot(*self.axis))

    def move_to_picture(self, scale: float, corner: Vector) -> PieceDetection:
        """Map a piece from a scaled part to the whole picture."""
        return replace(
            self,
            middle=self.middle / scale + corner,
            axis=self.axis / scale,
            outline=self.outline / scale + corner,
        )


def _find_peaks(heat: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    highest = cv2.dilate(np.asarray(heat, np.float32), np.ones((3, 3)))
    rows, columns = np.nonzero((heat >= highest) & (heat > MIN_PEAK))
    strongest = np.argsort(-heat[rows, columns], kind="stable")[:MAX_DETECTIONS]
    return rows[strongest], columns[strongest]


def detect_pieces(said: Maps) -> list[PieceDetection]:
    """Detect all pieces in the maps of a picture."""
    warm = np.asarray(sigmoid(said[MIDDLE]), np.float32)
    heat = np.asarray(cv2.GaussianBlur(warm, (0, 0), 0.5), np.float32)
    rows, columns = _find_peaks(heat)
    own_rows, own_columns = np.nonzero(sigmoid(said[PIECE]) > MIN_PIECE_PROBABILITY)
    if not len(rows) or not len(own_rows):
        return []
    inside = said[:, own_rows, own_columns].astype(np.float64)
    places = np.stack([own_columns, own_rows], axis=1) * STRIDE + STRIDE / 2
    aims = places + inside[TO_MIDDLE].T * UNIT
    pitches = np.hypot(*inside[AXIS]) * UNIT
    peaks = np.stack([columns, rows], axis=1) * STRIDE + STRIDE / 2
    apart = np.hypot(*(aims[:, None] - peaks[None]).transpose(2, 0, 1))
    nearest = apart.argmin(axis=1)
    nearest[apart.min(axis=1) > np.maximum(0.45 * pitches, 6)] = -1
    kinds, colours = softmax(inside[KINDS]), softmax(inside[COLOURS])
    found = []
    for number, peak in enumerate(peaks):
        own = nearest == number
        area = float(own.sum()) * STRIDE**2
        if own.sum() < MIN_PLACES or area < MIN_AREA * float(np.median(pitches[own])) ** 2:
            continue
        found.append(
            PieceDetection(
                middle=(np.median(aims[own], axis=0) + peak) / 2,
                axis=_halve_angle(np.median(inside[AXIS][:, own], axis=1)) * UNIT,
                to_head=inside[TO_HEAD][:, own].mean(axis=1),
                kinds=np.asarray(kinds[:, own].mean(axis=1), np.float64),
                colours=np.asarray(colours[:, own].mean(axis=1), np.float64),
                peak=float(heat[rows[number], columns[number]]),
                outline=_trace_outline(own_rows[own], own_columns[own]),
            )
        )
    return found


def map_joints(said: Maps) -> NDArray[np.float32]:
    """Map how likely a joint is at every place."""
    return np.asarray(sigmoid(said[JOINT]), np.float32)


def _halve_angle(axis: Vector) -> Vector:
    """Halve the angle of a vector, which was doubled to make both directions equal."""
    angle = np.arctan2(axis[1], axis[0]) / 2
    return np.asarray(np.hypot(*axis) * np.array([np.cos(angle), np.sin(angle)]))


def _trace_outline(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
    """Trace the border of the largest connected part of some map places, in pixels."""
    top, left = int(rows.min()), int(columns.min())
    cells = np.zeros((int(rows.max()) - top + 1, int(columns.max()) - left + 1))
    cells[rows - top, columns - left] = 1
    large = cv2.resize(np.pad(cells, 2), None, fx=STRIDE, fy=STRIDE)
    soft = cv2.GaussianBlur(large, (0, 0), STRIDE * 0.6)
    least = 0.45 if float(soft.max()) > 0.45 else 0.1
    mask = (soft > least).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    points = cv2.approxPolyDP(max(contours, key=cv2.contourArea), 0.8, True)[:, 0]
    return np.asarray(points + (np.array([left, top]) - 2) * STRIDE + 0.5, np.float64)


MIN_JOINT_PITCHES, MAX_JOINT_PITCHES = 0.55, 1.5  # pitches between the middles of neighbours
MAX_LEAN = 0.6  # how far the way to a neighbour may lean from the axis: the sine of the angle
MIN_JOINT_PROBABILITY = 0.25  # a weaker joint is none
JointMap = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PieceChain:
    """Pieces in the order from head to tail.

    `joints` is how likely each joint is one, `ends` how likely there are joints beyond the first
    and the last piece, `facing` how clearly the pieces say that this is the direction.
    """

    pieces: tuple[PieceDetection, ...]
    joints: tuple[float, ...]
    ends: tuple[float, float]
    facing: float

    def reverse(self) -> PieceChain:
        """Reverse the chain: from tail to head."""
        return PieceChain(self.pieces[::-1], self.joints[::-1], self.ends[::-1], -self.facing)


def _look_up_joint(joints: JointMap, at: Vector) -> float:
    """Return how likely a joint is near a pixel."""
    rows, columns = joints.shape
    column, row = (int(n // STRIDE) for n in at)
    if not (0 <= row < rows and 0 <= column < columns):
        return 0.0
    return float(joints[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].max())


def _rate_joint(one: PieceDetection, other: PieceDetection, joints: JointMap) -> float:
    """Return how likely two pieces are joined."""
    way = other.middle - one.middle
    apart = float(np.hypot(*way))
    pitch = (one.pitch + other.pitch) / 2
    if not MIN_JOINT_PITCHES * pitch < apart < MAX_JOINT_PITCHES * pitch:
        return 0.0
    lean = 0.0
    for spot in (one, other):
        across = abs(float(way[0] * spot.axis[1] - way[1] * spot.axis[0]))
        lean = max(lean, across / apart / max(spot.pitch, 1e-6))
    if lean > MAX_LEAN:
        return 0.0
    return _look_up_joint(joints, (one.middle + other.middle) / 2) * (
        1 - 0.5 * (lean / MAX_LEAN) ** 2
    )


def _find_side(spot: PieceDetection, other: PieceDetection) -> int:
    """Return at which end of a piece's axis another one lies: 0 or 1."""
    return int(np.dot(other.middle - spot.middle, spot.axis) > 0)


def join_chains(spots: list[PieceDetection], joints: JointMap) -> list[PieceChain]:
    """Join pieces to chains, the likeliest joints first; single pieces are chains of one."""
    fits = sorted(
        (
            (_rate_joint(spots[i], spots[j], joints), i, j)
            for i, j in combinations(range(len(spots)), 2)
        ),
        reverse=True,
    )
    beside: dict[tuple[int, int], tuple[int, float]] = {}  # a piece and a side of it
    group = list(range(len(spots)))

    def root(i: int) -> int:
        while group[i] != i:
            i = group[i]
        return i

    for fit, i, j in fits:
        if fit < MIN_JOINT_PROBABILITY:
            break
        ends = (i, _find_side(spots[i], spots[j])), (j, _find_side(spots[j], spots[i]))
        if ends[0] in beside or ends[1] in beside or root(i) == root(j):
            continue
        beside[ends[0]], beside[ends[1]] = (j, fit), (i, fit)
        group[root(i)] = root(j)
    done: set[int] = set()
    chains = []
    for i in range(len(spots)):
        if i not in done and not ((i, 0) in beside and (i, 1) in beside):
            order, joins = _walk_chain(i, beside)
            done.update(order)
            chains.append(_orient_chain([spots[k] for k in order], joins, joints))
    return chains


def _walk_chain(
    start: int, beside: dict[tuple[int, int], tuple[int, float]]
) -> tuple[list[int], list[float]]:
    """Walk a chain from one end: its pieces, and how likely their joints are."""
    order, joins = [start], list[float]()
    while True:
        ahead = [beside[order[-1], side] for side in (0, 1) if (order[-1], side) in beside]
        onward = [(index, fit) for index, fit in ahead if index not in order[-2:]]
        if not onward:
            return order, joins
        order.append(onward[0][0])
        joins.append(onward[0][1])


def _orient_chain(spots: list[PieceDetection], joins: list[float], joints: JointMap) -> PieceChain:
    """Make a chain of pieces, oriented so that the head end comes first."""
    first, last = spots[0], spots[-1]
    if len(spots) > 1:
        ways = find_head_directions(spots)
        facing = float(
            sum(np.dot(spot.to_head, way) for spot, way in zip(spots, ways, strict=True))
        )
        # a head or a tail at an end is the strongest vote
        facing += 2 * float(first.kinds[0] + last.kinds[2] - first.kinds[2] - last.kinds[0])
        ends = (
            _look_up_joint(joints, first.middle + _step_outward(first, spots[1])),
            _look_up_joint(joints, last.middle + _step_outward(last, spots[-2])),
        )
    else:
        facing, ends = 0.0, (0.0, 0.0)
    chain = PieceChain(tuple(spots), tuple(joins), ends, facing)
    return chain if facing >= 0 else chain.reverse()


def find_head_directions(spots: Sequence[PieceDetection]) -> NDArray[np.float64]:
    """Return for each of two or more pieces the unit vector along the Cóatl to the head end."""
    ways = -np.gradient(np.array([spot.middle for spot in spots]), axis=0)
    return np.asarray(ways / np.maximum(np.hypot(*ways.T), 1e-6)[:, None])


def _step_outward(spot: PieceDetection, neighbour: PieceDetection) -> Vector:
    """Return the vector half a pitch outwards from a piece at an end."""
    return np.asarray(spot.axis * (-0.5 if _find_side(spot, neighbour) else 0.5))
