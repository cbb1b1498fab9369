"""Which way single pieces face, on photos (rendered)."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from coatl_tools.vision.pieces.portraits import measure_facings
from tests.vision.photo_set import PHOTOS

PITCH = 56  # pixels, in the picture that pieces are cut from
Bodies = list[tuple[np.ndarray, np.ndarray, np.ndarray]]


def measure_facing(picture: np.ndarray, middle: np.ndarray, ahead: np.ndarray) -> float:
    return float(measure_facings(picture, middle[None], ahead[None])[0])


@pytest.fixture(scope="module")
def bodies() -> Bodies:
    """Bodies of several photos: a picture, their middle, and one pitch towards the head."""
    labels, places = (
        json.loads((PHOTOS / f"{name}.json").read_text("utf-8")) for name in ("labels", "geometry")
    )
    found: Bodies = []
    for label, place in zip(labels[::2], places[::2], strict=True):
        picture = np.asarray(cv2.imread(str(PHOTOS / label["file"])))
        for coatl, middles in zip(label["coatls"], place["coatls"], strict=True):
            ways = -np.gradient(np.array(middles), axis=0)
            scale = PITCH / float(np.median(np.hypot(*ways.T)))
            small = np.asarray(
                cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA),
                np.uint8,
            )
            found += [
                (small, np.array(middle) * scale, way * scale)
                for piece, middle, way in zip(coatl["pieces"], middles, ways, strict=True)
                if piece.startswith("body")
            ]
    return found


def test_scales_tell_where_the_head_is(bodies: Bodies) -> None:
    right = [measure_facing(picture, middle, ahead) > 0 for picture, middle, ahead in bodies]
    assert len(right) > 20
    assert np.mean(right) > 0.95


def test_looking_the_other_way_round_says_the_opposite(bodies: Bodies) -> None:
    for picture, middle, ahead in bodies[:4]:
        assert measure_facing(picture, middle, -ahead) == pytest.approx(
            -measure_facing(picture, middle, ahead)
        )
