"""The mat in a photo: found by its marks, seen from above, in its true colours."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from benchmarks.photo_simulation import render_face
from coatl_tools.language import load_language
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.mat.mat_geometry import MatGeometry, MatSheetName, load_mat_geometry
from coatl_tools.printing.mat.mat_sheets import make_mat_items
from coatl_tools.printing.paper.papers import SheetsLayout
from coatl_tools.vision.homography import Points, box_corners, map_points
from coatl_tools.vision.mat import PANEL_MARGIN, SeenMat, find_mats
from coatl_tools.vision.stage_trace import Pixels, Trace
from tests.vision.card_photos import Lying, View, Weather, photo

PAPER = {"a4": "a4", "letter": "letter", "left": "a4", "right": "a4"}
DPI = 100.0


def geometry(name: MatSheetName) -> MatGeometry:
    return load_mat_geometry(name, Layouts())


def corner(name: MatSheetName) -> tuple[float, float]:
    """Where the panel begins on its paper, which lies across."""
    room, sheet = Layouts().load("sheets", SheetsLayout), geometry(name)
    paper, page = room.papers[PAPER[name]], room.page
    x = page.sides + (paper.height - 2 * page.sides - sheet.width) / 2
    return x, page.top + (paper.width - page.top - page.bottom - sheet.height) / 2


@lru_cache(maxsize=8)
def page(name: MatSheetName) -> Pixels:
    """A printed sheet of the mat with the margins of its paper, as BGR."""
    paper = Layouts().load("sheets", SheetsLayout).papers[PAPER[name]]
    items = make_mat_items(Design(load_language("en"), "full"), paper)
    face = items[[PAPER[name], "left", "right"].index(name)].front
    return np.ascontiguousarray(render_face(face, DPI)[:, :, ::-1])


def lying(
    name: MatSheetName, x: float = 0, y: float = 0, turn: float = 0, cut: bool = False
) -> Lying:
    """A sheet on the table, the middle of its paper there; cut where it is taped to another."""
    picture, (left, _) = page(name), corner(name)
    if cut:
        picture = np.ascontiguousarray(picture[:, round(left * DPI / 25.4) :])
    high, wide = (side * 25.4 / DPI for side in picture.shape[:2])
    return Lying(name, picture, x, y, turn, wide, high)


def panel_corners(thing: Lying, view: View, cut: bool = False) -> Points:
    """Where the corners of the panel truly are in the photo."""
    sheet, (left, top) = geometry(thing.name), corner(thing.name)  # type: ignore[arg-type]
    paper = box_corners(0, 0, thing.width, thing.height).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(paper, thing.corners.astype(np.float32))
    inside = box_corners(0 if cut else left, top, sheet.width, sheet.height)
    return map_points(inside, view.homography() @ matrix)


def found(picture: Pixels) -> SeenMat:
    mats, problems = find_mats(picture, Trace())
    assert not problems
    return mats[0]


def off(mat: SeenMat, view: View, thing: Lying) -> float:
    """How far the corners of the panel are from where they truly are, in pixels."""
    sheet = mat.sheets[0].geometry
    corners = box_corners(sheet.offset, 0, sheet.width, sheet.height)
    return float(np.abs(mat.mat_to_photo(corners) - panel_corners(thing, view)).max())


def covered(picture: Pixels, mat: SeenMat, box: Points) -> Pixels:
    """The photo with something grey on a part of the mat."""
    out = picture.copy()
    cv2.fillConvexPoly(out, mat.mat_to_photo(box).astype(np.int32), (90, 110, 130))
    return out


@pytest.mark.parametrize("name", ["a4", "letter"])
def test_the_mat_is_found_from_the_side(name: MatSheetName) -> None:
    view = View(scale=3.2, tilt=35, turn=20)
    thing = lying(name)
    mat = found(photo([thing], view, seed=2)[0])
    assert [sheet.geometry.name for sheet in mat.sheets] == [name]
    assert off(mat, view, thing) < 2
    assert mat.lane == geometry(name).lane


def test_a_view_from_above_has_every_patch_in_its_place() -> None:
    view = View(scale=3.2, tilt=30, turn=-15)
    picture = photo([lying("a4")], view, Weather(noise=1), seed=3)[0]
    mat = found(picture)
    above = mat.rectify(picture, 2.0)
    assert above.shape == (
        round(2 * (181 + 2 * PANEL_MARGIN)),
        round(2 * (273 + 2 * PANEL_MARGIN)),
        3,
    )
    for patch in geometry("a4").patches:
        x, y = (round(2 * (v + PANEL_MARGIN)) for v in patch.box.centre)
        told = [int(patch.colour[i : i + 2], 16) for i in (5, 3, 1)]
        assert np.abs(above[y - 3 : y + 3, x - 3 : x + 3].mean(axis=(0, 1)) - told).max() < 12
        back = mat.view_to_photo(np.array([(x, y)], float), 2.0)
        assert np.abs(mat.photo_to_mat(back) - patch.box.centre).max() < 0.6


def test_three_marks_are_enough_and_one_is_said_to_be_too_few() -> None:
    view = View(scale=3.2, tilt=25)
    picture = photo([lying("a4")], view, seed=4)[0]
    mat, sheet = found(picture), geometry("a4")
    hidden = [box_corners(*corners[0], 15, 15) for corners in sheet.marks.values()]
    three = covered(picture, mat, hidden[0])
    assert off(found(three), view, lying("a4")) < 4
    for corner in hidden[1:3]:
        three = covered(three, mat, corner)
    mats, problems = find_mats(three, Trace())
    assert not mats
    assert [problem.code for problem in problems] == ["mat_incomplete"]
    assert not problems[0].serious


def test_a_mark_that_lies_elsewhere_has_no_say() -> None:
    view = View(scale=2.8, tilt=20)
    torn = round(45 * DPI / 25.4)  # a corner of another mat
    stray = Lying("stray", page("a4")[:torn, :torn], 60, -130, 30, 45, 45)
    mats, _ = find_mats(photo([lying("a4"), stray], view, seed=5)[0], Trace())
    assert len(mats) == 1
    assert off(mats[0], view, lying("a4")) < 2


def test_two_sheets_make_one_long_mat_even_if_one_is_askew() -> None:
    left, right = geometry("left"), geometry("right")
    view = View((2400, 1200), scale=3.4, tilt=20)
    things = [lying("left", -130), lying("right", 133, 1, 0.6, cut=True)]
    picture = photo(things, view, seed=6)[0]
    mat = found(picture)
    assert [sheet.geometry.name for sheet in mat.sheets] == ["left", "right"]
    assert mat.lane.width == pytest.approx(left.width + right.width)
    truly = panel_corners(things[1], view, cut=True)
    corners = box_corners(right.offset, 0, right.width, right.height)
    assert np.abs(mat.mat_to_photo(corners) - truly)[1:3].max() < 2
    assert np.abs(mat.photo_to_mat(truly)[1:3] - corners[1:3]).max() < 1
    assert mat.rectify(picture, 1.0).shape[1] == round(2 * 255.4 + 2 * PANEL_MARGIN)


def test_two_mats_in_a_photo_are_two() -> None:
    view = View((2400, 2000), scale=3.6)
    things = [lying("a4", 0, -110), lying("a4", 10, 110, 180)]
    mats, problems = find_mats(photo(things, view, seed=7)[0], Trace())
    assert [len(mat.sheets[0].marks) for mat in mats] == [4, 4]
    assert not problems
    assert abs(mats[0].mat_to_photo(np.array([(136.0, 90.0)]))[0, 1] - 1000) > 200


@pytest.mark.parametrize("light", [(0.55, 0.8, 1.0), (1.0, 0.85, 0.7)], ids=["warm", "cold"])
def test_colours_are_balanced_whatever_the_light(light: tuple[float, float, float]) -> None:
    view = View(scale=3.2, tilt=20)
    weather = Weather(light, noise=2)
    picture = photo([lying("a4")], view, weather, seed=8)[0]
    mat = found(picture)
    # a card lies on two patches
    boxes = [patch.box for patch in geometry("a4").patches]
    for box in boxes[3:5]:
        picture = covered(picture, mat, box_corners(box.x - 2, box.y - 2, 12, 12))
    mat = found(picture)
    balanced = mat.rectify(mat.calibrate_colours(picture), 2.0)
    for patch in (boxes[0], boxes[5], boxes[7], boxes[8], boxes[9]):
        index = boxes.index(patch)
        colour = geometry("a4").patches[index].colour
        x, y = (round(2 * (v + PANEL_MARGIN)) for v in patch.centre)
        seen = balanced[y - 3 : y + 3, x - 3 : x + 3].mean(axis=(0, 1))
        told = np.array([int(colour[i : i + 2], 16) for i in (5, 3, 1)])
        assert np.abs(seen - told).max() < 22, geometry("a4").patches[index]


def test_without_patches_colours_stay_as_they_are() -> None:
    picture = photo([lying("left")], View(scale=3.2), seed=9)[0]
    mat = found(picture)
    assert mat.colour_calibration is None
    assert mat.calibrate_colours(picture) is picture
    assert replace(mat, samples=mat.samples[:2]).colour_calibration is None


def test_no_mat_no_problem() -> None:
    picture = photo([], View(size=(640, 480)), seed=10)[0]
    assert find_mats(picture, Trace()) == ((), ())
