"""Things and texts that lie where they should not, and those that only nearly do."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
import pytest

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import Box, ellipse, polyline, rectangle
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.preflight import Severity
from tests.printing.preflight_samples import (
    TEXT,
    card,
    check_file,
    list_finding_sorts,
    make_card_file,
)

# the safe zone


def _turned_square(surface: Surface) -> None:
    with surface.at_origin(57, 40, turn=45) as turned:
        turned.fill(rectangle(-2.5, -2.5, 5, 5), "#000000")  # its corners reach 3.5 mm


def _turned_disc(surface: Surface) -> None:
    with surface.at_origin(55, 40, turn=45) as turned:
        turned.fill(ellipse(0, 0, 4.9), "#000000")


def _clipped(surface: Surface) -> None:
    with surface.clip(rectangle(10, 40, 30, 20)):
        surface.fill(rectangle(0, 30, 60, 60), "#000000")


NEAR_THE_EDGE: dict[str, Callable[[Surface], object]] = {
    "a text": lambda s: s.draw_text(1, 50, "close", TEXT),
    "a text below": lambda s: s.draw_text(10, 86, "gjpq", TEXT),
    "a line": lambda s: s.stroke(polyline((2.5, 40), (2.5, 60)), "#000000", 0.3),
    "a wide line": lambda s: s.stroke(polyline((10, 84.5), (50, 84.5)), "#000000", 2),
    "a curve": lambda s: s.fill(ellipse(55, 40, 6), "#000000"),
    "a turned square": _turned_square,
    "something beyond the edge": lambda s: s.fill(rectangle(62, 10, 10, 5), "#000000"),
}


@pytest.mark.parametrize("name", NEAR_THE_EDGE)
def test_something_in_the_safe_zone(name: str) -> None:
    draw = NEAR_THE_EDGE[name]
    report = check_file(make_card_file(card(draw)))
    assert "safe_zone" in list_finding_sorts(report), name
    assert {found.thing for found in report.of(Severity.ERROR)} == {"P01"}


INSIDE: dict[str, Callable[[Surface], object]] = {
    "a text": lambda s: s.draw_text(4, 50, "close", TEXT),
    "a line": lambda s: s.stroke(polyline((3.2, 40), (3.2, 60)), "#000000", 0.3),
    "a line with flat ends": lambda s: s.stroke(polyline((10, 84.9), (10, 70)), "#000000", 3),
    "a curve": lambda s: s.fill(ellipse(54, 40, 5.9), "#000000"),
    "a turned disc": _turned_disc,
    "what is clipped": _clipped,
}


@pytest.mark.parametrize("name", INSIDE)
def test_something_that_keeps_off_the_safe_zone(name: str) -> None:
    draw = INSIDE[name]
    assert check_file(make_card_file(card(draw))).good


def flattened(data: bytes) -> bytes:
    """The file as some programs save it: the content of its forms stands in the page itself."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        page = pdf.pages[0]
        content = page.Contents.read_bytes()
        for name, inner in page.Resources.XObject.items():
            call = f"{name} Do".encode()
            content = content.replace(call, b"q " + inner.read_bytes() + b" Q")
        page.Contents = pdf.make_stream(content)
        file = io.BytesIO()
        pdf.save(file)
    return file.getvalue()


def test_the_safe_zone_of_a_flattened_file() -> None:
    assert check_file(flattened(make_card_file())).good
    bad = make_card_file(card(lambda s: s.draw_text(1, 50, "close", TEXT)))
    assert "safe_zone" in list_finding_sorts(check_file(flattened(bad)))


def test_the_distance_is_told() -> None:
    line = polyline((2.5, 40), (2.5, 60))
    found = check_file(make_card_file(card(lambda s: s.stroke(line, "#000000", 0.3)))).of(
        Severity.ERROR
    )[0]
    assert (found.measured, found.limit) == ("2.35 mm", "3.00 mm")


def test_the_safe_zone_is_found_in_a_form_inside_a_form() -> None:
    def draw(surface: Surface) -> None:
        with surface.at_origin(1, 40):
            surface.draw_shared(
                "inner", Box(0, 0, 9, 9), lambda s: s.fill(rectangle(0, 0, 5, 5), "#000000")
            )

    assert list_finding_sorts(check_file(make_card_file(card(draw)))) == {"safe_zone"}


@pytest.mark.parametrize(
    "furniture",
    [
        lambda s: s.fill(rectangle(40, 40, 5, 5), "#000000"),
        lambda s: s.draw_text(70, 50, "over two cards", TEXT),
        lambda s: s.stroke(polyline((10, 30), (25, 30)), "#000000", 0.2),
    ],
)
def test_furniture_on_a_card(furniture: Callable[[Surface], object]) -> None:
    assert "on_thing" in list_finding_sorts(check_file(make_card_file(furniture=furniture)))


def test_crop_marks_around_a_card_are_no_fault() -> None:
    def marks(surface: Surface) -> None:
        corners = polyline((12, 20), (18, 20)) + polyline((20, 12), (20, 18))
        frame = rectangle(15, 15, 180, 200)
        surface.stroke(corners + frame, "#000000", 0.2)

    assert check_file(make_card_file(furniture=marks)).good


def test_furniture_that_a_printer_cuts_off() -> None:
    (found,) = check_file(make_card_file(furniture=lambda s: s.draw_text(20, 295, "low", TEXT))).of(
        Severity.ERROR
    )
    assert found.what == "preflight.edge"


# texts


LONG = {
    "de": "Ein Satz, zu lang für ihn",
    "en": "A sentence, longer now",
    "fr": "Une phrase trop longue, là",
    "pl": "Zdanie się wydłużyło, oj",
}


@pytest.mark.parametrize("language", LONG)
def test_a_text_that_overflows(language: str) -> None:
    def draw(surface: Surface) -> None:
        with surface.text_box(Box(8, 60, 30, 6)):
            surface.draw_text(8, 64, LONG[language], TEXT)

    (found,) = check_file(make_card_file(card(draw), language=language)).of(Severity.ERROR)
    assert found.what == "preflight.overflow"
    assert (found.thing, found.language) == ("P01", language)
    for code in LANGUAGE_CODES:
        assert LONG[language] in found.message(load_language(code))


def test_texts_that_overlap() -> None:
    def draw(surface: Surface) -> None:
        surface.draw_fitted_text(Box(8, 60, 40, 6), "first text", TEXT)
        surface.draw_fitted_text(Box(8, 61.5, 40, 6), "second text", TEXT)

    (found,) = check_file(make_card_file(card(draw))).of(Severity.ERROR)
    assert found.what == "preflight.overlap"
    assert {found.text, found.limit} == {"first text", "second text"}


def test_a_text_that_is_printed_twice_to_look_bold_is_no_fault() -> None:
    def draw(surface: Surface) -> None:
        for x in (8, 8.1):
            surface.draw_text(x, 64, "bold", TEXT)

    assert check_file(make_card_file(card(draw))).good


def test_a_text_that_is_cut_off() -> None:
    def draw(surface: Surface) -> None:
        with surface.clip(rectangle(8, 60, 10, 6)):
            surface.draw_text(8, 64, "half of it", TEXT)

    assert list_finding_sorts(check_file(make_card_file(card(draw)))) == {"text_cut"}


def test_what_is_too_small_to_print_well() -> None:
    def draw(surface: Surface) -> None:
        surface.draw_text(8, 64, "tiny", FontStyle(fonts.REGULAR, 5.5))
        surface.stroke(polyline((8, 70), (20, 70)), "#000000", 0.05)

    report = check_file(make_card_file(card(draw)))
    assert report.good
    assert list_finding_sorts(report, Severity.WARNING) == {"small_type", "hairline"}
