"""Joining single pieces to Cóatls, and telling which end is the head's."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from coatl_tools.vision.pieces.spots import Spot

NEAR = 0.42  # of a pitch: so near a neighbour must lie to where it is expected


@dataclass(frozen=True, eq=False)
class Chain:
    """Pieces in the order from head to tail.

    `joins` is how well each neighbour is where it is expected, `ends` how likely more pieces
    are joined beyond the first and the last one, `facing` how the pieces vote on the direction.
    """

    spots: tuple[Spot, ...]
    joins: tuple[float, ...]
    ends: tuple[float, float]
    facing: float

    def reversed(self) -> Chain:
        """The same from tail to head."""
        return Chain(self.spots[::-1], self.joins[::-1], self.ends[::-1], self.facing)


def _fit(one: Spot, side: int, other: Spot, other_side: int) -> float:
    """How well two pieces fit together at these sides (0 head, 1 tail): 1 exactly, 0 not."""
    way = other.middle - one.middle
    reach = (one.to_head, one.to_tail)[side]
    back = (other.to_head, other.to_tail)[other_side]
    pitch = max(1.0, (one.pitch + other.pitch) / 2)
    off = max(np.hypot(*(way - reach)), np.hypot(*(-way - back))) / pitch
    if off > NEAR or not 0.6 < one.pitch / max(other.pitch, 1) < 1.67:
        return 0.0
    likely = one.joined[side] * other.joined[other_side]
    return float(np.sqrt(likely) * (1 - 0.5 * off / NEAR))


def chains_of(spots: list[Spot]) -> list[Chain]:
    """All Cóatls, and single pieces as chains of one."""
    fits = sorted(
        (
            (_fit(a, side, b, other), i, j, side, other)
            for (i, a), (j, b) in combinations(enumerate(spots), 2)
            if np.hypot(*(a.middle - b.middle)) < 2 * max(a.pitch, b.pitch)
            for side in (0, 1)
            for other in (0, 1)
        ),
        reverse=True,
    )
    beside: dict[tuple[int, int], tuple[int, int, float]] = {}  # piece and side
    group = list(range(len(spots)))

    def root(i: int) -> int:
        while group[i] != i:
            i = group[i]
        return i

    for fit, i, j, side, other in fits:
        if fit < 0.15:
            break
        if (i, side) in beside or (j, other) in beside or root(i) == root(j):
            continue
        beside[i, side], beside[j, other] = (j, other, fit), (i, side, fit)
        group[root(i)] = root(j)
    done: set[int] = set()
    chains = []
    for i in range(len(spots)):
        if i in done or ((i, 0) in beside and (i, 1) in beside):
            continue
        walked = _walked(i, beside)
        done.update(index for index, _ in walked)
        chains.append(_chain(spots, walked, beside))
    return chains


def _walked(
    start: int, beside: dict[tuple[int, int], tuple[int, int, float]]
) -> list[tuple[int, int]]:
    """From an end: each piece, and the side by which it is left."""
    side = 0 if (start, 0) in beside else 1
    walk = [(start, side)]
    while (nxt := beside.get(walk[-1])) is not None:
        walk.append((nxt[0], 1 - nxt[1]))
    return walk


def _chain(
    spots: list[Spot],
    walked: list[tuple[int, int]],
    beside: dict[tuple[int, int], tuple[int, int, float]],
) -> Chain:
    """The walk as a Cóatl, turned so that most pieces are left by their tail side."""
    first, last = spots[walked[0][0]], spots[walked[-1][0]]
    votes = float(sum(1 if side == 1 else -1 for _, side in walked))
    # a head or a tail at an end is the strongest vote
    votes += 2 * float(first.kinds[0] + last.kinds[2] - first.kinds[2] - last.kinds[0])
    if votes < 0:
        walked = [(index, 1 - side) for index, side in reversed(walked)]
    (begin, out), (end, on) = walked[0], walked[-1]
    return Chain(
        spots=tuple(spots[index] for index, _ in walked),
        joins=tuple(beside[left][2] for left in walked[:-1]),
        ends=(spots[begin].joined[1 - out], spots[end].joined[on]),
        facing=abs(votes) / (len(walked) + 4),
    )
