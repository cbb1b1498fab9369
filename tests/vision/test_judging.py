"""Where a Cóatl ends: what portraits say of its outermost pieces."""

from __future__ import annotations

import numpy as np
import pytest

from coatl_tools.pieces import Kind
from coatl_tools.vision.pieces.judging import firm
from coatl_tools.vision.pieces.portraits import Judgement


def said(kind: Kind = Kind.BODY, joined: float = 0.99, centred: float = 12.0) -> Judgement:
    """A piece that is joined as clearly at both sides."""
    kinds = np.array([0.97 if one is kind else 0.01 for one in Kind] + [0.01])
    return Judgement(kinds, np.full(5, 0.2), (joined, joined), centred)


SEEN = [said()] * 4


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        (said(joined=0.8, centred=5), False),  # a cloth's pattern
        (said(joined=0.8), True),  # clearly a piece
        (said(centred=5), True),  # clearly joined
        (said(Kind.TAIL, joined=0.8, centred=5), True),  # a tail stands out
        (said(Kind.TAIL, joined=0.1, centred=5), False),
    ],
)
def test_an_end_that_is_hardly_joined_and_hardly_a_piece_is_none(
    end: Judgement, kept: bool
) -> None:
    behind, before = [*SEEN, end], [end, *SEEN]
    assert firm(behind, 0, 5) == (0, 5 if kept else 4)
    assert firm(before, 0, 5) == (0 if kept else 1, 5)


def test_two_pieces_stay_two() -> None:
    loose = [said(joined=0.5, centred=1), said()]
    assert firm(loose, 0, 2) == (0, 2)
