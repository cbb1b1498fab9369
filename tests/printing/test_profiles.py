"""Printer profiles: what is read off the calibration sheet cancels what the printer does."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import pytest

from coatl_tools.errors import CardDataError, CommandLineError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.printing.items import Design
from coatl_tools.printing.paper.calibration_sheet import compute_divisors, place_targets
from coatl_tools.printing.paper.papers import BackPrinting
from coatl_tools.printing.paper.printer_profiles import (
    PrinterProfile,
    change_profile,
    find_printer_profile,
    load_printer_profiles,
    save_printer_profiles,
)
from coatl_tools.printing.print_spec import render_calibration_sheet
from tests.parameters import sample
from tests.printing.pdf_positions import Point, find_letters, lines_of_form, map_to_back, read_sides
from tests.printing.sample_faces import LAYOUT, make_items, make_pdf_of_items

DUPLEX: tuple[BackPrinting, ...] = ("duplex-long", "duplex-short")


class CrookedPrinter:
    """Puts every back askew: turned, enlarged and shifted, as one sees it from the front."""

    def __init__(self, dx: float, dy: float, rotate: float, scale: float) -> None:
        self.dx, self.dy, self.turn, self.scale = dx, dy, math.radians(rotate), scale / 100

    def seen(self, point: Point, width: float, height: float, backs: BackPrinting) -> Point:
        """Where a point of the back page is seen, looking at the front."""
        x, y = map_to_back(point, width, height, backs)  # turning over twice leads back
        x, y = x - width / 2, y - height / 2
        cos, sin = math.cos(self.turn) * self.scale, math.sin(self.turn) * self.scale
        # y is downwards: to turn clockwise moves what lies at the right down
        return width / 2 + x * cos - y * sin + self.dx, height / 2 + x * sin + y * cos + self.dy


PRINTERS = [
    CrookedPrinter(1.2, 0, 0, 100),
    CrookedPrinter(0, -0.8, 0, 100),
    CrookedPrinter(0, 0, 0.3, 100),
    CrookedPrinter(0, 0, 0, 99.5),
    CrookedPrinter(-0.7, 1.4, -0.25, 100.4),
]


def crosses(data: bytes) -> list[Point]:
    """The middles of the crosses on the back of a calibration sheet."""
    lines = lines_of_form(data, 1, "calibration-back")
    assert len(lines) == 10
    return [
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for a, b in lines[::2]  # the first line of each cross
    ]


def sheet(paper: str, backs: BackPrinting, profile: PrinterProfile | None = None) -> bytes:
    return render_calibration_sheet(Design(load_language("en")), paper, backs, None, profile).data


def read_off(
    printer: CrookedPrinter, data: bytes, paper: str, backs: BackPrinting
) -> dict[str, Point]:
    """What somebody reads who holds the sheet against the light: right and down are plus."""
    size = LAYOUT.find_paper(paper)
    read = {}
    for cross in crosses(data):
        seen = printer.seen(cross, size.width, size.height, backs)
        letter, (x, y) = min(
            place_targets(size, LAYOUT.calibration).items(),
            key=lambda item: math.dist(item[1], seen),
        )
        read[letter] = (seen[0] - x, seen[1] - y)
    assert sorted(read) == ["A", "B", "C", "D", "E"]
    return read


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("backs", DUPLEX)
@pytest.mark.parametrize("printer", PRINTERS)
def test_what_is_read_off_the_sheet_cancels_what_the_printer_does(
    paper: str, backs: BackPrinting, printer: CrookedPrinter
) -> None:
    read = read_off(printer, sheet(paper, backs), paper, backs)
    # as the sheet says it
    profile = change_profile(
        PrinterProfile(),
        dx=read["C"][0],
        dy=read["C"][1],
        rotate=(read["B"][1] - read["A"][1]) / 3,
        scale=100 + (read["D"][1] - read["A"][1]) / 2,
    )
    again = read_off(printer, sheet(paper, backs, profile), paper, backs)
    for offset in again.values():
        assert math.hypot(*offset) < 0.01


@pytest.mark.parametrize("backs", DUPLEX)
def test_cards_lie_behind_each_other_on_a_crooked_printer(backs: BackPrinting) -> None:
    printer = PRINTERS[-1]
    profile = PrinterProfile(dx=-0.7, dy=1.4, rotate=-0.25, scale=100.4)
    front, back = read_sides(make_pdf_of_items(make_items(9, 63, 88), "a4", backs, profile=profile))
    for one, other in zip(front.forms, back.forms, strict=True):
        left_top, right_top, right_low, left_low = other.corners
        mirrored = (right_top, left_top, left_low, right_low)
        for corner, behind_it in zip(one.corners, mirrored, strict=True):
            assert math.dist(corner, printer.seen(behind_it, 210, 297, backs)) < 0.01


def test_a_page_that_lies_on_its_side_is_displaced_as_the_sheet_is() -> None:
    profile = PrinterProfile(dx=1.5, dy=-0.5, rotate=0.25, scale=99.5)
    upright, on_its_side = profile.displacement(210, 297), profile.displacement(297, 210)
    for x, y in ((0, 0), (297, 0), (100, 200)):
        moved_x, moved_y = on_its_side(x, y)
        # its top is the right edge of the sheet
        assert upright(210 - y, x) == pytest.approx((210 - moved_y, moved_x))


def test_fronts_and_folded_sheets_are_left_alone() -> None:
    profile = PrinterProfile(dx=2)
    assert (
        read_sides(make_pdf_of_items(make_items(1, 63, 88)))[0]
        == read_sides(make_pdf_of_items(make_items(1, 63, 88), profile=profile))[0]
    )
    folded = make_pdf_of_items(make_items(1, 63, 88), backs="fold")
    assert folded == make_pdf_of_items(make_items(1, 63, 88), backs="fold", profile=profile)


def test_the_sheet_says_the_formulas_that_are_meant() -> None:
    assert compute_divisors(LAYOUT.calibration) == pytest.approx((3, 2), abs=0.001)
    written = "".join(char for char, _ in find_letters(sheet("a4", "duplex-long"), 0))
    assert "rotate=(B−A)÷3scale=100+(D−A)÷2" in written
    assert "coatlprintprofileNAME--dx…--dy…--rotate…--scale…" in written


@pytest.mark.parametrize(
    ("language", "paper"),
    sample(product(LANGUAGE_CODES, ("a4", "letter")), ("fr", "letter"), ("pl", "a4")),
)
def test_the_sheet_explains_itself_in_every_language(language: str, paper: str) -> None:
    design = Design(load_language(language))
    data = render_calibration_sheet(
        design, paper, "duplex-short", "my printer", PrinterProfile(dx=1)
    ).data
    size = LAYOUT.find_paper(paper)
    for page in (0, 1):
        for char, (left, top, right, bottom) in find_letters(data, page):
            assert min(left, top, size.width - right, size.height - bottom) > 4, char


# the file


def test_profiles_are_kept_and_found(tmp_path: Path) -> None:
    path = tmp_path / "new" / "printers.json"
    assert load_printer_profiles(path) == {}
    save_printer_profiles(
        path, {"office": PrinterProfile(dx=0.5, scale=100.2), "à côté": PrinterProfile()}
    )
    assert find_printer_profile(path, "office") == PrinterProfile(dx=0.5, scale=100.2)
    assert [file.name for file in path.parent.iterdir()] == ["printers.json"]
    with pytest.raises(CommandLineError, match="there are: office, à côté"):
        find_printer_profile(path, "ofice")


def test_a_file_with_mistakes_says_where(tmp_path: Path) -> None:
    path = tmp_path / "printers.json"
    path.write_text(json.dumps({"printers": {"x": {"dx": 99, "dz": 1}}}, indent=1))
    with pytest.raises(CardDataError) as error:
        load_printer_profiles(path)
    assert "printers.json:4:10" in str(error.value)
    assert '"printers.x.dx"' in str(error.value)
    assert '"printers.x.dz"' in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("dx", 10.1), ("dy", -11), ("rotate", 5), ("scale", 90), ("scale", 1.2), ("dx", math.nan)],
)
def test_numbers_beyond_all_measure_are_refused(name: str, value: float) -> None:
    with pytest.raises(CommandLineError, match=f"--{name} is {value:g}, but must be from"):
        change_profile(PrinterProfile(), **{name: value})


def test_a_scale_may_be_a_factor() -> None:
    assert change_profile(PrinterProfile(), scale=1.004) == change_profile(
        PrinterProfile(), scale=100.4
    )
