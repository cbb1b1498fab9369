"""Where a Cóatl ends: what portraits say of its outermost pieces."""

from __future__ import annotations

import numpy as np
import pytest

from coatl_tools.pieces import PieceKind
from coatl_tools.vision.pieces.classification import drop_loose_ends
from coatl_tools.vision.pieces.portraits import PortraitJudgement


def said(
    kind: PieceKind = PieceKind.BODY, joined: float = 0.99, centred: float = 12.0
) -> PortraitJudgement:
    """A piece that is joined as clearly at both sides."""
    kinds = np.array([0.97 if one is kind else 0.01 for one in PieceKind] + [0.01])
    return PortraitJudgement(kinds, np.full(5, 0.2), (joined, joined), centred)


SEEN = [said()] * 4


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        (said(joined=0.8, centred=5), False),  # a cloth's pattern
        (said(joined=0.8), True),  # clearly a piece
        (said(centred=5), True),  # clearly joined
        (said(PieceKind.TAIL, joined=0.8, centred=5), True),  # a tail stands out
        (said(PieceKind.TAIL, joined=0.1, centred=5), False),
    ],
)
def test_an_end_that_is_hardly_joined_and_hardly_a_piece_is_none(
    end: PortraitJudgement, kept: bool
) -> None:
    behind, before = [*SEEN, end], [end, *SEEN]
    assert drop_loose_ends(behind, 0, 5) == (0, 5 if kept else 4)
    assert drop_loose_ends(before, 0, 5) == (0 if kept else 1, 5)


def test_two_pieces_stay_two() -> None:
    loose = [said(joined=0.5, centred=1), said()]
    assert drop_loose_ends(loose, 0, 2) == (0, 2)
