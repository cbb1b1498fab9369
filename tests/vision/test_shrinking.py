"""A large photo is shrunk once, and its parts lie where they lay."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from coatl_tools.vision import shrinking
from coatl_tools.vision.shrinking import COARSE_SIDE, get_coarse_photo, scale_part, shrink_photo
from coatl_tools.vision.stage_trace import Pixels


def make_photo(width: int = 3200, height: int = 2400) -> Pixels:
    rows, columns = np.mgrid[0:height, 0:width]
    return np.stack([columns * 255 // width, rows * 255 // height, rows * 0 + 90], 2).astype(
        np.uint8
    )


def test_a_small_photo_stays_as_it_is() -> None:
    pixels = make_photo(800, 600)
    assert get_coarse_photo(pixels) == (pixels, 1.0)
    assert shrink_photo(pixels, 1000)[0] is pixels


def test_a_large_photo_is_shrunk_once_and_forgotten_with_it() -> None:
    pixels = make_photo()
    coarse, scale = get_coarse_photo(pixels)
    assert (coarse.shape, scale) == ((1200, COARSE_SIDE, 3), 0.5)
    assert get_coarse_photo(pixels)[0] is coarse
    number = id(pixels)
    del pixels
    gc.collect()
    assert number not in shrinking._coarse_photos


@pytest.mark.parametrize("scale", [0.1, 0.3, 0.7, 1.0, 1.6])
def test_a_part_shows_what_was_there(scale: float) -> None:
    pixels = make_photo()
    part, corner = scale_part(pixels, (1001, 503, 1603, 907), scale)
    height, width = part.shape[:2]
    assert abs(width / scale - 602) < 3 / scale
    assert abs(height / scale - 404) < 3 / scale
    middle = corner + np.array([width, height]) / 2 / scale
    there = pixels[round(middle[1]), round(middle[0])].astype(int)
    assert np.abs(part[height // 2, width // 2].astype(int) - there).max() <= 2


def test_a_tiny_part_has_its_least_size() -> None:
    assert scale_part(make_photo(), (10, 10, 14, 13), 1.0, 32)[0].shape == (32, 32, 3)
