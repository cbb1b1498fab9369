"""Flat things in a photo."""

from __future__ import annotations

import numpy as np
import pytest

from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.vision.homography import clip_outline, rectify_box

SIZE = (400, 300)
INSIDE = [(10, 20), (110, 20), (110, 160), (10, 160)]
OVER = [(-1000, 50), (200, 50), (200, 250), (-1000, 250)]


def test_an_outline_in_the_picture_stays_as_it_is() -> None:
    points = np.array(INSIDE, float)
    assert clip_outline(points, SIZE) is points


def test_an_outline_ends_where_the_picture_does() -> None:
    inside = clip_outline(np.array(OVER, float), SIZE)
    assert {tuple(point) for point in inside} == {(0, 50), (200, 50), (200, 250), (0, 250)}


@pytest.mark.parametrize("far", [500.0, -1e5])
def test_an_outline_outside_is_at_the_edge(far: float) -> None:
    inside = clip_outline(np.array(INSIDE, float) + far, SIZE)
    assert ((inside >= 0) & (inside <= SIZE)).all()


def test_a_box_of_which_hardly_a_strip_is_in_the_photo_is_rectified() -> None:
    picture = np.full((300, 400, 3), 90, np.uint8)
    far_right = np.array([(30.0, 0, 384.2), (0, 30.0, 5), (0, 0, 1)])
    view = rectify_box(picture, far_right, Box(0, 0, 10, 10), 1.0)
    assert view.shape == (10, 10, 3)
