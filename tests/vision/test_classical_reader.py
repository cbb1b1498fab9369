"""The reader without learning, on drawn Cóatls: it must be a fair rival of the learned one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks.classical import find_coatls_classically
from benchmarks.classical.ends import OUTLINES
from benchmarks.classical.joints import SEAM
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.trace import Pixels, Trace

PITCH, WIDTH = 60, 72
PAINT = {
    Colour.R: (45, 40, 225),
    Colour.G: (70, 195, 125),
    Colour.B: (180, 125, 0),
    Colour.Y: (40, 210, 245),
    Colour.K: (48, 45, 50),
}


def drawn(text: str, degrees: float) -> Pixels:
    """A Cóatl with head and tail on a grey table, turned."""
    coatl = parse_coatl(text)
    picture = np.full((900, 1200, 3), (150, 155, 160), np.uint8)
    left = 600 - PITCH * (len(coatl) - 2) / 2  # the first joint
    joints = [left + PITCH * i for i in range(len(coatl) - 1)]
    for i, colour in enumerate(coatl.colours):
        if i == 0:
            outline = np.array(OUTLINES[PieceKind.HEAD]) * (-PITCH, -WIDTH) + (joints[0], 450)
        elif i == len(coatl) - 1:
            outline = np.array(OUTLINES[PieceKind.TAIL]) * (PITCH, WIDTH) + (joints[-1], 450)
        else:
            corners = [(-1, -0.5), (0, -0.5), (0, 0.5), (-1, 0.5)]
            outline = np.array(corners) * (PITCH, WIDTH) + (joints[i], 450)
        cv2.fillPoly(picture, [np.rint(outline).astype(np.int32)], PAINT[colour])
    for joint in joints:
        seam = np.rint(np.array(SEAM) * (PITCH, WIDTH) + (joint, 450)).astype(np.int32)
        cv2.polylines(picture, [seam], False, (25, 25, 25), 2, cv2.LINE_AA)
        cv2.polylines(picture, [seam[2:4]], False, (25, 25, 25), 6, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((600, 450), degrees, 1)
    turned = cv2.warpAffine(picture, turn, (1200, 900), borderValue=(150, 155, 160))
    noise = np.random.default_rng(1).normal(0, 3, turned.shape)
    return np.asarray(np.clip(turned + noise, 0, 255), np.uint8)


@pytest.mark.parametrize(("text", "degrees"), [("<RGGBK>", 20), ("<YBBR>", 200)])
def test_a_drawn_coatl_is_read(text: str, degrees: float) -> None:
    finding = find_coatls_classically(drawn(text, degrees), Trace())
    assert [str(coatl.coatl) for coatl in finding.coatls] == [text]
    (coatl,) = finding.coatls
    assert 0 < coatl.confidence <= 1
    for piece in coatl.pieces:
        assert sum(piece.colours.values()) == pytest.approx(1)
        assert sum(piece.kinds.values()) == pytest.approx(1)


def test_an_empty_table_has_none() -> None:
    table = np.full((300, 400, 3), (60, 90, 120), np.uint8)
    assert find_coatls_classically(table, Trace()).coatls == ()
