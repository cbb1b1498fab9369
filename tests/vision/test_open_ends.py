"""Something that lies over the open end of a Cóatl is noticed, whatever it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from coatl_tools.vision.open_ends import find_covered_ends
from coatl_tools.vision.problems import find_coatl_problems
from coatl_tools.vision.reading import SeenCoatl
from coatl_tools.vision.stage_trace import Pixels
from tests.vision.sample_readings import make_placed_coatl

SKIN, CLOTH = (140, 170, 230), (60, 110, 40)  # BGR


def draw_table(stripes: bool = False) -> Pixels:
    """A table of 700 × 300 pixels, with stripes if wanted."""
    picture = np.full((300, 700, 3), CLOTH, np.uint8)
    if stripes:
        for x in range(0, 700, 60):
            picture[:, x : x + 30] = (200, 200, 210)
    return picture


def lay(text: str) -> SeenCoatl:
    """A Cóatl at the left of the table, 66 pixels from piece to piece."""
    return make_placed_coatl(text, (100, 150))


@pytest.mark.parametrize("stripes", [False, True])
@pytest.mark.parametrize("text", ["<RBBG", "RBBG>", "RBBG"])
def test_the_table_beyond_an_open_end_is_no_reason_to_doubt(text: str, stripes: bool) -> None:
    assert [*find_covered_ends(lay(text), draw_table(stripes))] == []


@pytest.mark.parametrize("stripes", [False, True])
def test_a_hand_over_an_open_end_is_a_doubt(stripes: bool) -> None:
    picture = draw_table(stripes)
    cv2.ellipse(picture, (410, 150), (80, 120), 0, 0, 360, SKIN, -1)
    seen = lay("<RBBG")
    assert [*find_covered_ends(seen, picture)] == [3]
    (problem,) = (one for one in find_coatl_problems(0, seen, (), picture) if one.serious)
    assert (problem.code, problem.piece) == ("goes_on", 3)


def test_a_hand_beside_a_tail_is_none() -> None:
    picture = draw_table()
    cv2.ellipse(picture, (410, 150), (80, 120), 0, 0, 360, SKIN, -1)
    assert [*find_covered_ends(lay("<RBBG>"), picture)] == []


def test_what_the_picture_does_not_show_is_not_looked_at() -> None:
    assert [*find_covered_ends(lay("<RBBG"), draw_table()[:, :370])] == []
    assert [*find_covered_ends(lay("<RBBG"), draw_table()[140:160, 60:370])] == []
