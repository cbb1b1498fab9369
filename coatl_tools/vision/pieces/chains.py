"""Joining single pieces to Cóatls, and telling which end is the head's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.pieces import maps
from coatl_tools.vision.pieces.spots import Spot, Vector

NEAR, FAR = 0.55, 1.5  # pitches between the middles of neighbours
BESIDE = 0.6  # how far the way to a neighbour may lean from the axis: the sine of the angle
WEAK = 0.25  # a weaker joint is none
Joints = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Chain:
    """Pieces in the order from head to tail.

    `joins` is how likely each joint is one, `ends` how likely there are joints beyond the first
    and the last piece, `facing` how clearly the pieces say that this is the direction.
    """

    spots: tuple[Spot, ...]
    joins: tuple[float, ...]
    ends: tuple[float, float]
    facing: float

    def reversed(self) -> Chain:
        """The same from tail to head."""
        return Chain(self.spots[::-1], self.joins[::-1], self.ends[::-1], -self.facing)


def _joint(joints: Joints, at: Vector) -> float:
    """How likely a joint is near a pixel."""
    rows, columns = joints.shape
    column, row = (int(n // maps.STRIDE) for n in at)
    if not (0 <= row < rows and 0 <= column < columns):
        return 0.0
    return float(joints[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].max())


def _fit(one: Spot, other: Spot, joints: Joints) -> float:
    """How likely two pieces are joined."""
    way = other.middle - one.middle
    apart = float(np.hypot(*way))
    pitch = (one.pitch + other.pitch) / 2
    if not NEAR * pitch < apart < FAR * pitch:
        return 0.0
    lean = 0.0
    for spot in (one, other):
        across = abs(float(way[0] * spot.axis[1] - way[1] * spot.axis[0]))
        lean = max(lean, across / apart / max(spot.pitch, 1e-6))
    if lean > BESIDE:
        return 0.0
    return _joint(joints, (one.middle + other.middle) / 2) * (1 - 0.5 * (lean / BESIDE) ** 2)


def _side(spot: Spot, other: Spot) -> int:
    """At which end of its axis a piece has another one."""
    return int(np.dot(other.middle - spot.middle, spot.axis) > 0)


def chains_of(spots: list[Spot], joints: Joints) -> list[Chain]:
    """All Cóatls, and single pieces as chains of one."""
    fits = sorted(
        ((_fit(spots[i], spots[j], joints), i, j) for i, j in combinations(range(len(spots)), 2)),
        reverse=True,
    )
    beside: dict[tuple[int, int], tuple[int, float]] = {}  # a piece and a side of it
    group = list(range(len(spots)))

    def root(i: int) -> int:
        while group[i] != i:
            i = group[i]
        return i

    for fit, i, j in fits:
        if fit < WEAK:
            break
        ends = (i, _side(spots[i], spots[j])), (j, _side(spots[j], spots[i]))
        if ends[0] in beside or ends[1] in beside or root(i) == root(j):
            continue
        beside[ends[0]], beside[ends[1]] = (j, fit), (i, fit)
        group[root(i)] = root(j)
    done: set[int] = set()
    chains = []
    for i in range(len(spots)):
        if i not in done and not ((i, 0) in beside and (i, 1) in beside):
            order, joins = _walked(i, beside)
            done.update(order)
            chains.append(_chain([spots[k] for k in order], joins, joints))
    return chains


def _walked(
    start: int, beside: dict[tuple[int, int], tuple[int, float]]
) -> tuple[list[int], list[float]]:
    """From an end to the other: the pieces, and how likely their joints are."""
    order, joins = [start], list[float]()
    while True:
        ahead = [beside[order[-1], side] for side in (0, 1) if (order[-1], side) in beside]
        onward = [(index, fit) for index, fit in ahead if index not in order[-2:]]
        if not onward:
            return order, joins
        order.append(onward[0][0])
        joins.append(onward[0][1])


def _chain(spots: list[Spot], joins: list[float], joints: Joints) -> Chain:
    """The pieces of a walk as a Cóatl, turned so that the head end comes first."""
    middles = np.array([spot.middle for spot in spots])
    first, last = spots[0], spots[-1]
    if len(spots) > 1:
        ways = -np.gradient(middles, axis=0)  # towards the first piece
        ways /= np.maximum(np.hypot(*ways.T), 1e-6)[:, None]
        facing = float(
            sum(np.dot(spot.to_head, way) for spot, way in zip(spots, ways, strict=True))
        )
        # a head or a tail at an end is the strongest vote
        facing += 2 * float(first.kinds[0] + last.kinds[2] - first.kinds[2] - last.kinds[0])
        ends = (
            _joint(joints, first.middle + _outward(first, spots[1])),
            _joint(joints, last.middle + _outward(last, spots[-2])),
        )
    else:
        facing, ends = 0.0, (0.0, 0.0)
    chain = Chain(tuple(spots), tuple(joins), ends, facing)
    return chain if facing >= 0 else chain.reversed()


def ways_ahead(spots: Sequence[Spot]) -> NDArray[np.float64]:
    """For each of two or more pieces, the direction along the Cóatl towards the first one."""
    ways = -np.gradient(np.array([spot.middle for spot in spots]), axis=0)
    return np.asarray(ways / np.maximum(np.hypot(*ways.T), 1e-6)[:, None])


def _outward(spot: Spot, neighbour: Spot) -> Vector:
    """From a piece at an end half a pitch on, away from its neighbour."""
    return np.asarray(spot.axis * (-0.5 if _side(spot, neighbour) else 0.5))
