"""Single pieces become Cóatls: whatever the angle, the order in which they are found, the noise."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coatl_tools.vision.pieces.detections import JointMap, PieceChain, PieceDetection, join_chains
from coatl_tools.vision.pieces.networks import STRIDE

PITCH, SIDE = 26.0, 640


def spot(x: float, y: float, angle: float, facing: float = 1.0, kind: int = 1) -> PieceDetection:
    """A piece whose axis has this angle, the head lying that way."""
    along = np.array([np.cos(angle), np.sin(angle)])
    return PieceDetection(
        middle=np.array([x, y]),
        axis=along * PITCH * (1 if facing >= 0 else -1),
        to_head=along * facing,
        kinds=np.eye(3)[kind] * 0.97 + 0.01,
        colours=np.full(5, 0.2),
        peak=0.9,
        outline=np.zeros((3, 2)),
    )


def row(count: int, angle: float, bend: float = 0.0, facing: float = 1.0) -> list[PieceDetection]:
    """Pieces from the first, the head's end, to the last."""
    x, y, spots = SIDE / 2, SIDE / 2, []
    for _ in range(count):
        spots.append(spot(x, y, angle, facing))
        x, y = x - PITCH * np.cos(angle + bend / 2), y - PITCH * np.sin(angle + bend / 2)
        angle += bend
    return spots


def joints_between(*rows: list[PieceDetection]) -> JointMap:
    """A map with a joint between all neighbours of each row."""
    joints = np.zeros((SIDE // STRIDE,) * 2, np.float32)
    for one in rows:
        for a, b in pairwise(one):
            column, r = ((a.middle + b.middle) / 2 // STRIDE).astype(int)
            joints[r, column] = 0.9
    return joints


def places(chain: PieceChain) -> list[tuple[float, float]]:
    return [(float(s.middle[0]), float(s.middle[1])) for s in chain.pieces]


@given(
    st.integers(2, 10),
    st.floats(0, 6.28),
    st.floats(-0.12, 0.12),
    st.randoms(use_true_random=False),
)
def test_a_row_is_one_coatl_from_head_to_tail(
    count: int, angle: float, bend: float, random: object
) -> None:
    spots = row(count, angle, bend)
    found = list(spots)
    random.shuffle(found)  # type: ignore[attr-defined]
    (chain,) = join_chains(found, joints_between(spots))
    assert places(chain) == [(float(s.middle[0]), float(s.middle[1])) for s in spots]
    assert chain.facing > 0


@given(st.integers(3, 8), st.floats(0, 6.28))
def test_a_head_outvotes_pieces_that_cannot_tell(count: int, angle: float) -> None:
    spots = row(count, angle, facing=-0.2)  # they lean the wrong way, weakly
    spots[0] = replace(spots[0], kinds=np.array([0.97, 0.02, 0.01]))
    (chain,) = join_chains(spots, joints_between(spots))
    assert chain.pieces[0] is spots[0]


def test_without_a_joint_pieces_stay_apart() -> None:
    first, second = row(3, 0.3), [spot(s.middle[0], s.middle[1] + 90, 0.3) for s in row(2, 0.3)]
    chains = join_chains([*first, *second], joints_between(first))
    assert sorted(len(chain.pieces) for chain in chains) == [1, 1, 3]


def test_neighbours_side_by_side_are_not_joined() -> None:
    one = spot(300, 300, 0.0)
    beside = spot(300, 300 + PITCH, 0.0)  # across the axis, not along it
    joints = np.ones((SIDE // STRIDE,) * 2, np.float32)
    assert len(join_chains([one, beside], joints)) == 2


def test_an_end_that_goes_on_is_told() -> None:
    spots = row(4, 0.0)
    joints = joints_between(spots)
    (seen,) = join_chains(spots[:3], joints)  # the last piece was not made out
    assert seen.ends[1] > 0.8
    assert seen.ends[0] < 0.2
