"""The photo mat: what is printed lies where the geometry says, and a camera finds it."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from benchmarks.photo_simulation import (
    PicturePixels,
    Points,
    find_mark_corners,
    fit_homography,
    map_points,
    render_face,
    simulate_photo,
)
from coatl_tools.errors import CardDataError, CoatlError
from coatl_tools.files.data_paths import LANGUAGE_CODES, LAYOUTS
from coatl_tools.language import load_language
from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.printing.drawing.surface import TextOverflowError
from coatl_tools.printing.items import Design, Face
from coatl_tools.printing.layouts import THEME_NAMES, Layouts, ThemeName
from coatl_tools.printing.mat.mat_geometry import (
    DOUBLE_SHEETS,
    SINGLE_SHEETS,
    MatGeometry,
    MatSheetName,
    find_mat_sheet,
    load_mat_geometry,
    load_mat_layout,
)
from coatl_tools.printing.mat.mat_sheets import make_mat_items
from coatl_tools.printing.paper.papers import PaperSize, SheetsLayout
from tests.parameters import sample
from tests.printing.sample_faces import make_pdf_of_faces

ROOM = Layouts().load("sheets", SheetsLayout)
PX = 100 / 25.4  # pixels in a millimetre at 100 dpi
SHEETS: list[tuple[str, MatSheetName]] = [
    ("a4", "a4"), ("a4", "left"), ("a4", "right"),
    ("letter", "letter"), ("letter", "left"), ("letter", "right"),
]  # fmt: skip


def face(paper: str, name: str, theme: ThemeName = "full", language: str = "en") -> Face:
    items = make_mat_items(Design(load_language(language), theme), ROOM.papers[paper])
    return items[[paper, "left", "right"].index(name)].front


@lru_cache
def picture(paper: str, name: str, theme: ThemeName = "full") -> PicturePixels:
    return render_face(face(paper, name, theme), 100)


def geometry(name: MatSheetName) -> MatGeometry:
    return load_mat_geometry(name, Layouts())


def corner(sheet: MatGeometry, paper: PaperSize) -> tuple[float, float]:
    """Where the panel begins on the paper, which lies across: in the middle of the room."""
    page = ROOM.page
    free = paper.height - 2 * page.sides - sheet.width
    below = paper.width - page.top - page.bottom - sheet.height
    return page.sides + free / 2, page.top + below / 2


def corners_of(sheet: MatGeometry) -> dict[int, Points]:
    return {number: np.array(corners) for number, corners in sheet.marks.items()}


def middle_of(box: Box) -> Points:
    return np.array([box.centre])


def colour_at(photo: PicturePixels, point: Points, reach: int = 4) -> Points:
    x, y = (round(float(v)) for v in point.reshape(2))
    return np.asarray(photo[y - reach : y + reach, x - reach : x + reach].mean(axis=(0, 1)))


@pytest.mark.parametrize(("paper", "name"), SHEETS)
def test_the_marks_lie_where_the_geometry_says(paper: str, name: MatSheetName) -> None:
    sheet = geometry(name)
    shift = np.array(corner(sheet, ROOM.papers[paper]))
    for theme in THEME_NAMES:
        found = find_mark_corners(picture(paper, name, theme))
        assert set(found) == set(sheet.marks)
        for number, corners in sheet.marks.items():
            assert np.abs(found[number] / PX - shift - corners).max() < 0.3


@pytest.mark.parametrize(("paper", "name"), sample(SHEETS, *SHEETS[:1], *SHEETS[-1:]))
def test_a_photograph_at_an_angle_leads_back_to_every_place(paper: str, name: MatSheetName) -> None:
    sheet, page = geometry(name), picture(paper, name)
    view = np.array([(330, 190), (1330, 240), (1530, 1080), (90, 1010)])
    photo, seen = simulate_photo(page, view, (1600, 1200), seed=6)
    found = find_mark_corners(photo)
    assert set(found) == set(sheet.marks)
    back = fit_homography(found, corners_of(sheet))
    shift = np.array(corner(sheet, ROOM.papers[paper]))
    lane = sheet.lane
    points = [(lane.x, lane.y), (lane.right, lane.y), (lane.right, lane.bottom), lane.centre]
    points += [patch.box.centre for patch in sheet.patches]
    points += [place.box.centre for place in sheet.places]
    truly = map_points((np.array(points) + shift) * PX, seen)
    assert np.abs(map_points(truly, back) - np.array(points)).max() < 1


@pytest.mark.parametrize(("paper", "name"), [("a4", "a4"), ("letter", "right")])
@pytest.mark.parametrize("theme", THEME_NAMES)
def test_patches_are_read_from_a_photograph(
    paper: str, name: MatSheetName, theme: ThemeName
) -> None:
    sheet = geometry(name)
    view = np.array([(200, 150), (1420, 190), (1500, 1060), (120, 1020)])
    photo, _ = simulate_photo(picture(paper, name, theme), view, (1600, 1200), seed=7)
    forth = fit_homography(corners_of(sheet), find_mark_corners(photo))
    seen: dict[str, Points] = {
        p.tint: colour_at(photo, map_points(middle_of(p.box), forth)) for p in sheet.patches
    }
    lightness: dict[str, float] = {
        tint: float(colour @ (0.299, 0.587, 0.114)) for tint, colour in seen.items()
    }
    for darker, lighter in (
        ("K", "dark"), ("dark", "middle"), ("middle", "light"), ("light", "white"),
        ("K", "B"), ("B", "R"), ("R", "G"), ("G", "Y"), ("golden", "Y"),
    ):  # fmt: skip
        assert lightness[darker] + 5 < lightness[lighter], (darker, lighter)
    for tint, strongest in (("R", 0), ("G", 1), ("B", 2)):
        assert seen[tint].argmax() == strongest
    grey = seen["middle"]
    assert grey.max() - grey.min() < 8


def test_patches_and_grounds_have_the_colours_that_are_known() -> None:
    for theme in THEME_NAMES:
        sheet, page = geometry("a4"), picture("a4", "a4", theme)
        shift = np.array(corner(sheet, ROOM.papers["a4"]))
        known = [(patch.box.centre, patch.colour) for patch in sheet.patches]
        if theme == "full":
            known += [((213.0 + 5, 10.0), sheet.ground), (sheet.lane.centre, sheet.field)]
        for point, colour in known:
            told = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
            at = (np.array(point) + shift) * PX
            assert np.abs(colour_at(page, at) - told).max() < 3, (point, colour)
    tints = {patch.tint for patch in geometry("right").patches}
    assert tints == {"R", "G", "B", "Y", "K", "golden", "white", "light", "middle", "dark"}


def test_each_sheet_is_told_by_any_of_its_marks() -> None:
    numbers = [n for name in (*SINGLE_SHEETS, *DOUBLE_SHEETS) for n in geometry(name).marks]
    assert len(set(numbers)) == len(numbers) == 16
    for name in (*SINGLE_SHEETS, *DOUBLE_SHEETS):
        assert {find_mat_sheet(n, Layouts()) for n in geometry(name).marks} == {name}
    assert find_mat_sheet(1, Layouts()) is None


def test_a_mat_has_places_for_four_prophecy_cards_and_a_temple_card() -> None:
    for names in (("a4",), ("letter",), DOUBLE_SHEETS):
        places = [place for name in names for place in geometry(name).places]
        told = sorted((place.kind, place.number) for place in places)
        assert told == [*(("prophecy", n) for n in (1, 2, 3, 4)), ("temple", 1)]
        for name in names:
            sheet = geometry(name)
            for place in sheet.places:  # a card may lie over the margin, hardly over the paper
                assert place.box.y > -13
                assert place.box.bottom < sheet.height + 17 + 1
                assert not place.box.overlaps(sheet.lane)


def test_the_two_sheets_join() -> None:
    left, right = (geometry(name) for name in DOUBLE_SHEETS)
    assert left.offset == 0
    assert right.offset == left.width == left.lane.right
    assert right.lane.x == 0
    assert (left.lane.y, left.lane.height) == (right.lane.y, right.lane.height)
    assert left.height == right.height
    # one on the other, cut at the line: the lane and the ground run on, all marks are found
    pages = [picture("a4", name) for name in DOUBLE_SHEETS]
    x = corner(left, ROOM.papers["a4"])[0]
    ends = [round((x + left.width) * PX), round(x * PX)]
    joined = np.ascontiguousarray(np.hstack([pages[0][:, : ends[0]], pages[1][:, ends[1] :]]))
    found = find_mark_corners(joined)
    assert set(found) == {*left.marks, *right.marks}
    lane = round((corner(left, ROOM.papers["a4"])[1] + left.lane.y + 10) * PX)
    across = joined[lane, ends[0] - 30 : ends[0] + 30]
    assert (
        np.abs(across.astype(int) - joined[lane, ends[0] - 40]).max(axis=1).tolist().count(0) > 50
    )
    one = fit_homography({n: found[n] for n in left.marks}, corners_of(left))
    for number, corners in right.marks.items():
        seen = map_points(found[number], one)
        assert np.abs(seen - np.array(corners) - (right.offset, 0)).max() < 0.5


@pytest.mark.parametrize(
    ("language", "paper", "theme"),
    sample(
        product(LANGUAGE_CODES, ("a4", "letter"), THEME_NAMES),
        ("en", "letter", "low-ink"),
        ("fr", "a4", "full"),
        ("pl", "letter", "full"),
    ),
)
def test_all_texts_fit(language: str, paper: str, theme: ThemeName) -> None:
    items = make_mat_items(Design(load_language(language), theme), ROOM.papers[paper])
    assert len(make_pdf_of_faces(*(item.front for item in items))) < 120_000


def test_a_text_without_room_is_refused(tmp_path: Path) -> None:
    layout = json.loads((LAYOUTS / "mat.json").read_text("utf-8"))
    layout["sheets"]["a4"]["hints"]["height"] = 12
    (tmp_path / "mat.json").write_text(json.dumps(layout))
    design = Design(load_language("en"), "full", Layouts(tmp_path))
    with pytest.raises(TextOverflowError):
        render_face(make_mat_items(design, ROOM.papers["a4"])[0].front, 30)


def test_nothing_but_paper_in_the_margins() -> None:
    for paper, name in SHEETS:
        page, margins = picture(paper, name), ROOM.page
        sides, top, low = (int(mm * PX) - 1 for mm in (margins.sides, margins.top, margins.bottom))
        for strip in (page[:top], page[-low:], page[:, :sides], page[:, -sides:]):
            assert strip.min() == 255


def test_low_ink_takes_a_quarter_of_the_ink() -> None:
    def ink(theme: ThemeName) -> float:
        return float((255 - picture("a4", "a4", theme).astype(float)).sum())

    assert ink("low-ink") < 0.25 * ink("full")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"x": 70, "y": 70}, "overlap"),
        ({"x": 260, "y": 0}, "not on the panel"),
        ({"x": "left", "y": 0}, "top_right"),
    ],
)
def test_a_layout_that_covers_something_is_refused(
    change: dict[str, object], told: str, tmp_path: Path
) -> None:
    layout = json.loads((LAYOUTS / "mat.json").read_text("utf-8"))
    layout["sheets"]["a4"]["marks"]["top_right"] = change
    (tmp_path / "mat.json").write_text(json.dumps(layout, indent=1))
    with pytest.raises(CardDataError, match=told):
        load_mat_layout(Layouts(tmp_path))


def test_a_larger_paper_takes_the_mat_that_fits_a_smaller_one_none() -> None:
    design = Design(load_language("en"))
    a3 = make_mat_items(design, PaperSize(width=297, height=420))
    assert a3[0].front.key == make_mat_items(design, ROOM.papers["a4"])[0].front.key
    assert set(find_mark_corners(render_face(a3[0].front, 75))) == set(geometry("a4").marks)
    with pytest.raises(CoatlError, match="148"):
        make_mat_items(design, PaperSize(width=148, height=210))


def test_reading_back_needs_no_drawing_package() -> None:
    code = (
        "import sys\n"
        "import coatl_tools.printing.preflight\n"
        "from coatl_tools.printing.layouts import Layouts\n"
        "from coatl_tools.printing.mat.mat_geometry import load_mat_geometry\n"
        "print(len(load_mat_geometry('a4', Layouts()).marks), 'reportlab' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["4", "False"]


def test_the_example_of_the_docs_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    text = (LAYOUTS.parent / "docs" / "mat.md").read_text("utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    exec(code, {})
    assert f"# {capsys.readouterr().out.strip()}\n" in code
