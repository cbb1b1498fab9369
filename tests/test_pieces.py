"""Where a piece may be attached: the one place that says it, against the letter of the rules."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coatl_tools import Coatl, Colour
from coatl_tools.pieces import MAX_PIECES, find_attachment_fault, joins_head_to_tail

LETTERS = "RGBYK"
# Rules 3.7, 3.10: at most a head, which is first, and a tail, which is last; never these two alone.
LEGAL = re.compile(rf"(?!<.{{1,2}}>$)<?[{LETTERS}]+>?")
TEXTS = st.from_regex(rf"<?[{LETTERS}]{{1,6}}>?", fullmatch=True)
BUILT = TEXTS.filter(lambda text: bool(LEGAL.fullmatch(text)))
PIECES = [f"{head}{letter}{tail}" for letter in "RK" for head, tail in ("  ", "< ", " >")]


@given(BUILT, st.sampled_from([piece.replace(" ", "") for piece in PIECES]))
def test_a_piece_may_be_attached_where_a_legal_coatl_comes_of_it(text: str, piece: str) -> None:
    for end, attached in (("head", piece + text), ("tail", text + piece)):
        may_be = find_attachment_fault(text, piece, end) is None
        assert may_be == bool(LEGAL.fullmatch(attached))


@pytest.mark.parametrize("head", [True, False])
@pytest.mark.parametrize("tail", [True, False])
@pytest.mark.parametrize("pieces", [1, 2, 3, 4])
def test_a_head_and_a_tail_have_a_body_between_them(head: bool, tail: bool, pieces: int) -> None:
    joined = joins_head_to_tail(pieces, head, tail)
    assert joined == (head and tail and pieces < 3)
    if joined:
        with pytest.raises(ValueError, match=r"rule 3\.10"):
            Coatl((Colour.R,) * pieces, head, tail)
    else:
        assert len(Coatl((Colour.R,) * pieces, head, tail)) == pieces


@pytest.mark.parametrize("pieces", [0, MAX_PIECES + 1])
def test_a_coatl_has_pieces_but_not_more_than_the_box(pieces: int) -> None:
    with pytest.raises(ValueError, match=f"1 to {MAX_PIECES} pieces"):
        Coatl((Colour.R,) * pieces)
