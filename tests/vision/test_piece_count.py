"""Counting the pieces along a line by what portraits say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from coatl_tools.vision.pieces.detections import PieceDetection
from coatl_tools.vision.pieces.piece_count import CoatlPath, count_pieces
from coatl_tools.vision.pieces.portraits import PortraitJudgement

PITCH = 20.0
Floats = NDArray[np.float64]


def spot(x: float, y: float, pitch: float = PITCH) -> PieceDetection:
    alike = np.full(3, 1 / 3), np.full(5, 1 / 5)
    return PieceDetection(
        np.array([x, y]), np.array([pitch, 0.0]), np.zeros(2), *alike, 0.9, np.zeros((4, 2))
    )


def said(
    grid: NDArray[np.float64], pieces: list[float], cut: float | None = None
) -> list[PortraitJudgement]:
    """What portraits say of a line with pieces at these places; behind `cut` nothing is joined."""
    out = []
    for mark in grid:
        nearest = min(abs(mark - piece) for piece in pieces)
        joined = tuple(
            0.99 if any(0.6 < side * (p - mark) < 1.4 for p in pieces) else 0.01 for side in (-1, 1)
        )
        if cut is not None and abs(mark - cut) < 1:
            joined = (joined[0], 0.01) if mark < cut else (0.01, joined[1])
        odds = 5 - 40 * nearest**2
        out.append(PortraitJudgement(np.ones(4) / 4, np.ones(5) / 5, (joined[0], joined[1]), odds))
    return out


@given(
    st.lists(st.floats(0.88, 1.12), min_size=1, max_size=14),
    st.floats(-0.4, 0.4),
    st.sets(st.integers(0, 13)),
)
def test_pieces_that_a_look_missed_are_found(
    steps: list[float], begin: float, missed: set[int]
) -> None:
    pieces = [begin, *(begin + float(s) for s in np.cumsum(steps))]
    kept = [p for i, p in enumerate(pieces) if i not in missed or i in (0, len(pieces) - 1)]
    line = CoatlPath.from_detections([spot(PITCH * p, 0) for p in kept])
    grid = line.list_portrait_places()
    found = count_pieces(grid, said(grid, [p - kept[0] for p in pieces]), np.zeros(len(grid)))
    assert found is not None
    assert len(found.places) == len(pieces)
    assert np.abs(found.places + kept[0] - pieces).max() < 0.15
    assert found.margin > 0


def test_two_pieces_taken_for_one_are_told_apart() -> None:
    line = CoatlPath.from_detections(
        [spot(0, 0), spot(30, 0), spot(60, 0)]
    )  # the middle one lies on a joint
    grid = line.list_portrait_places()
    found = count_pieces(grid, said(grid, [0.0, 1.0, 2.0, 3.0]), np.zeros(len(grid)))
    assert found is not None
    assert found.places == pytest.approx([0, 1, 2, 3], abs=0.1)


def test_a_piece_that_is_not_joined_is_left_out() -> None:
    line = CoatlPath.from_detections([spot(0, 0), spot(20, 0), spot(40, 0)])
    grid = line.list_portrait_places()
    found = count_pieces(grid, said(grid, [0.0, 1.0, 2.0, 3.05], cut=2.5), np.zeros(len(grid)))
    assert found is not None
    assert len(found.places) == 3


def test_nothing_is_counted_where_no_piece_is() -> None:
    line = CoatlPath.from_detections([spot(0, 0), spot(20, 0)])
    grid = line.list_portrait_places()
    assert count_pieces(grid, said(grid, [100.0]), np.zeros(len(grid))) is None


def test_a_line_goes_along_its_pieces_and_beyond() -> None:
    line = CoatlPath.from_detections([spot(0, 0), spot(20, 0), spot(40, 0, 60.0), spot(60, 0)])
    places, ways, pitches = line.sample(np.array([-1.0, 0.0, 1.5, 4.0]))
    assert places == pytest.approx(np.array([[-20, 0], [0, 0], [30, 0], [80, 0]]))
    assert ways == pytest.approx(np.array([[-1.0, 0.0]] * 4))
    assert pitches == pytest.approx([PITCH] * 4)  # one strange pitch is none
