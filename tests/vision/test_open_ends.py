"""Something that lies over an end is noticed, whatever it is: the end no longer shows its hook."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from coatl_tools.cards.catalog import load_cards
from coatl_tools.pieces import PieceKind
from coatl_tools.vision.picture import Picture, load_picture
from coatl_tools.vision.pieces.open_ends import rate_covered_end, rate_covered_ends
from coatl_tools.vision.problems import LIKELY_COVERED, find_coatl_problems
from coatl_tools.vision.reader import read_photo
from coatl_tools.vision.reading import SeenCoatl
from coatl_tools.vision.stage_trace import Pixels
from tests.vision.photo_set import PHOTOS
from tests.vision.sample_readings import make_piece

LONG, HEADLESS, WITH_SINGLE_PIECES = "dev-007.jpg", "dev-018.jpg", "dev-003.jpg"
SKIN = (140, 170, 230)  # BGR


@cache
def load_photo(name: str) -> tuple[Pixels, dict[str, Any], dict[str, Any]]:
    """A photo of plastic pieces, its label, and where they are."""
    labels, places = (
        next(one for one in json.loads((PHOTOS / file).read_text("utf-8")) if one["file"] == name)
        for file in ("labels.json", "geometry.json")
    )
    return load_picture(PHOTOS / name).pixels, labels, places


def lay(name: str, count: int | None = None) -> SeenCoatl:
    """The first pieces of the Cóatl in a photo, as if they had been read, all of them red."""
    _, label, places = load_photo(name)
    pieces = [
        make_piece("R", PieceKind(piece.split(":")[0]), tuple(at))
        for piece, at in zip(label["coatls"][0]["pieces"], places["coatls"][0], strict=True)
    ]
    return SeenCoatl(tuple(pieces[:count]), joint_confidence=1.0, facing_confidence=1.0)


def cover(name: str, first: int, paint: str) -> Pixels:
    """The photo with something painted over all pieces from `first` on, beginning at the joint."""
    pixels, _, places = load_photo(name)
    points = np.array(places["coatls"][0])
    step = points[first] - points[first - 1]
    across = np.array([-step[1], step[0]])
    edge = (points[first] + points[first - 1]) / 2
    far = points[-1] + 1.2 * step
    corners = np.array([edge - across, far - across, far + across, edge + across])
    mask = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillPoly(mask, [corners.round().astype(np.int32)], 255)
    shift = np.array([[1, 0, -2.2 * across[0]], [0, 1, -2.2 * across[1]]])
    moved = cv2.warpAffine(pixels, shift, mask.shape[::-1], borderMode=cv2.BORDER_REFLECT)
    covered = pixels.copy()
    covered[mask > 0] = SKIN if paint == "skin" else moved[mask > 0]
    return covered


@pytest.mark.parametrize("paint", ["skin", "table"])
@pytest.mark.parametrize("count", [3, 6, 9, 12])
def test_an_end_under_something_is_a_doubt(count: int, paint: str) -> None:
    picture = cover(LONG, count, paint)
    seen = rate_covered_ends(lay(LONG, count), picture)
    assert [covered > LIKELY_COVERED for covered in seen.covered_ends] == [False, True]
    (problem,) = (one for one in find_coatl_problems(0, seen, (), picture) if one.serious)
    assert (problem.code, problem.piece) == ("goes_on", count - 1)


def test_free_ends_are_none() -> None:
    seen = rate_covered_ends(lay(HEADLESS), load_photo(HEADLESS)[0])
    assert max(seen.covered_ends) < LIKELY_COVERED


def test_something_over_a_tail_is_not_asked_about() -> None:
    whole = lay(LONG)
    picture = cover(LONG, 12, "skin")
    short = replace(whole, pieces=(*whole.pieces[:11], whole.pieces[-1]))
    assert rate_covered_ends(short, picture).covered_ends == (0.0, 0.0)


@pytest.mark.parametrize("way", [(60, 0), (-60, 0), (0, 60), (0, -60)])
def test_an_end_outside_the_picture_is_no_error(way: tuple[float, float]) -> None:
    pixels = load_photo(LONG)[0][:50, :50]
    for place in (0, 0), (49, 49), (-300, 20), (20, 900):
        rate_covered_end(pixels, np.array(place, float), np.array(way, float))


def test_single_pieces_with_nothing_on_them_are_none() -> None:
    pixels, label, _ = load_photo(WITH_SINGLE_PIECES)
    reading = read_photo(Picture(Path("table.jpg"), pixels), load_cards())
    assert len(reading.loose_pieces) == len(label["strays"]) == 2
    assert "covered_piece" not in {problem.code for problem in reading.problems}


def test_a_head_that_looks_out_from_under_something_is_told() -> None:
    picture = cover(LONG, 1, "skin")
    reading = read_photo(Picture(Path("table.jpg"), picture), load_cards())
    (problem,) = (one for one in reading.serious_problems if one.code == "covered_piece")
    assert problem.area
    assert not reading.sure
