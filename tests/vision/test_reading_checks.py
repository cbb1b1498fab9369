"""What the tests demand of every reading: each demand is one that a bad reading fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.reading import PhotoReading, SeenCard, SeenCoatl, SeenPiece
from tests.vision.reading_checks import check_sound

OUTLINE = ((10.0, 10.0), (20.0, 10.0), (20.0, 20.0))
HEAD = SeenPiece({Colour.R: 0.9, Colour.K: 0.1}, {PieceKind.HEAD: 1.0}, OUTLINE, (15.0, 15.0))
BODY = replace(HEAD, kinds={PieceKind.BODY: 1.0})
COATL = SeenCoatl((HEAD, BODY), 0.9, 1.0, True)
CARD = SeenCard("P29", 0.9, OUTLINE, coatl=0, sure=True)
READING = PhotoReading("photo.jpg", (100, 80), (COATL,), (), (CARD,))


def with_piece(**changes: Any) -> PhotoReading:
    return replace(READING, coatls=(replace(COATL, pieces=(HEAD, replace(BODY, **changes))),))


def test_a_sound_reading_passes() -> None:
    check_sound(READING)


@pytest.mark.parametrize(
    "reading",
    [
        with_piece(centre=(float("nan"), 3.0)),
        with_piece(centre=(500.0, 3.0)),
        with_piece(outline=((float("inf"), 3.0),)),
        with_piece(colours={Colour.R: 0.9, Colour.K: 0.3}),
        with_piece(kinds={PieceKind.HEAD: 1.0}),
        replace(READING, coatls=(replace(COATL, joint_confidence=1.2),)),
        replace(READING, coatls=(replace(COATL, sure=False),)),
        replace(READING, cards=(CARD, CARD)),
        replace(READING, cards=(replace(CARD, id="P999"),)),
        replace(READING, cards=(replace(CARD, id=None),)),
        replace(READING, cards=(replace(CARD, coatl=3),)),
    ],
)  # fmt: skip
def test_an_unsound_reading_fails(reading: PhotoReading) -> None:
    with pytest.raises((AssertionError, ValueError)):
        check_sound(reading)
