"""Each fault is put into a file, and the preflight finds it; a good file has none."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from coatl_tools.errors import FileError
from coatl_tools.language import load_language
from coatl_tools.printing import fonts
from coatl_tools.printing.component import Face
from coatl_tools.printing.document import Document, Page, Placement
from coatl_tools.printing.paths import ellipse, polyline, rectangle
from coatl_tools.printing.preflight import Report, Severity, check
from coatl_tools.printing.surface import Box, Surface, Type
from coatl_tools.resources import CODES
from tests.conftest import Run
from tests.printing.faults import (
    TEXT,
    card,
    damaged,
    form,
    made,
    nothing,
    profile,
    ruler,
    showing,
    strange,
    streamed,
    whole_font,
)


@pytest.fixture
def checked(tmp_path: Path) -> Callable[[bytes], Report]:
    def check_bytes(data: bytes) -> Report:
        path = tmp_path / "file.pdf"
        path.write_bytes(data)
        return check(path)

    return check_bytes


Checked = Callable[[bytes], Report]


def sorts(report: Report, severity: Severity = Severity.ERROR) -> set[str]:
    return {found.what.removeprefix("preflight.") for found in report.of(severity)}


def test_a_good_file_has_no_fault(checked: Checked) -> None:
    report = checked(made())
    assert report.good
    assert report.pages == 1
    assert {found.what for found in report.findings} == {"preflight.ink"}


def test_a_good_file_with_a_printer_profile_has_no_fault(checked: Checked) -> None:
    assert checked(made(adjusted=profile())).good


def test_a_whole_page_may_have_ruler_and_stamp_in_its_margin(checked: Checked) -> None:
    def page(surface: Surface) -> None:
        surface.fitted(Box(12, 12, 186, 260), "A page that is not cut.", TEXT)

    document = Document("Rules", "en")
    face = Face("rules", 210, 297, page, safe=12)
    document.add(Page(210, 297, (Placement(face, 0, 0),), ruler, bookmark="Rules"))
    assert checked(document.finished()).good


# fonts and letters


def helvetica(surface: Surface) -> None:
    surface.canvas.setFont("Helvetica", 10)
    surface.canvas.drawString(40, -150, "not embedded")


def test_a_font_that_is_not_embedded(checked: Checked) -> None:
    (found,) = checked(made(card(helvetica))).of(Severity.ERROR)
    assert (found.what, found.text) == ("preflight.not_embedded", "Helvetica")


def test_a_font_that_is_not_used_does_no_harm(checked: Checked) -> None:
    def name_it(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].Resources.Font.Other = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
        )

    assert checked(damaged(name_it)).good


def test_a_font_that_is_embedded_whole(checked: Checked) -> None:
    assert "not_subset" in sorts(checked(whole_font()))


def test_a_font_made_of_drawings(checked: Checked) -> None:
    def draw(pdf: pikepdf.Pdf) -> pikepdf.Object:
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.Type3,
            FontBBox=pikepdf.Array([0, 0, 750, 750]),
            FontMatrix=pikepdf.Array([0.001, 0, 0, 0.001, 0, 0]),
            CharProcs=pikepdf.Dictionary(a=pdf.make_stream(b"750 0 d0 0 0 750 750 re f")),
            Encoding=pikepdf.Dictionary(Differences=pikepdf.Array([97, pikepdf.Name.a])),
            FirstChar=97,
            LastChar=97,
            Widths=pikepdf.Array([750]),
        )
        return pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))

    data = streamed(b"BT /F 12 Tf 100 100 Td (aaa) Tj ET", draw)
    assert "type3" in sorts(checked(data))


def test_a_letter_that_the_font_lacks(checked: Checked) -> None:
    report = checked(made(card(lambda s: s.text(10, 50, "one \u4e2d two", TEXT))))
    (found,) = report.of(Severity.ERROR)
    assert (found.what, found.page, found.text) == ("preflight.glyph", 1, "one □ two")


def test_a_letter_that_cannot_be_read_back(checked: Checked) -> None:
    def spoil(pdf: pikepdf.Pdf) -> None:
        for obj in pdf.objects:
            if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/Font":
                table = obj.ToUnicode.read_bytes().replace(b"<005A>", b"<FFFD>")  # Z
                obj.ToUnicode = pdf.make_stream(table)

    (found,) = checked(damaged(spoil)).of(Severity.ERROR)
    assert found.what == "preflight.glyph"
    assert found.text.startswith("□ażółć")


def test_a_font_of_two_bytes_a_letter(checked: Checked) -> None:
    def draw(canvas: Canvas) -> None:
        pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
        canvas.setFont("HeiseiMin-W3", 12)
        canvas.drawString(100, 100, "\u65e5\u672c")

    found = checked(strange(draw)).of(Severity.ERROR)
    assert [one.text for one in found if one.what == "preflight.not_embedded"] == ["HeiseiMin-W3"]


# boxes, paper and hints


def without(*keys: str) -> Callable[[pikepdf.Pdf], None]:
    def damage(pdf: pikepdf.Pdf) -> None:
        owner: Any = pdf.Root if keys[0] != "/TrimBox" else pdf.pages[0].obj
        for key in keys[:-1]:
            owner = owner[key] if key != "/TrimBox" else owner
        del owner[keys[-1]]

    return damage


@pytest.mark.parametrize(
    ("damage", "sort"),
    [
        (without("/ViewerPreferences", "/PrintScaling"), "scaling"),
        (without("/ViewerPreferences", "/Duplex"), "duplex"),
        (without("/Lang"), "language"),
        (without("/Outlines"), "bookmarks"),
        (lambda pdf: pdf.docinfo.__delitem__("/Title"), "title"),
        (without("/TrimBox", "/TrimBox"), "no_box"),
        (lambda pdf: pdf.pages[0].obj.__delitem__("/BleedBox"), "no_box"),
        (lambda pdf: setattr(pdf.pages[0], "bleedbox", [200, 600, 400, 700]), "box_order"),
        (lambda pdf: setattr(pdf.pages[0], "bleedbox", [-9, 0, 595, 841]), "box_order"),
        (lambda pdf: setattr(pdf.pages[0], "trimbox", [60, 600, 400, 700]), "thing_box"),
    ],
)
def test_a_box_or_a_hint_that_is_missing_or_false(
    damage: Callable[[pikepdf.Pdf], object], sort: str, checked: Checked
) -> None:
    assert sorts(checked(damaged(damage))) == {sort}


def test_a_paper_that_nobody_has(checked: Checked) -> None:
    (found,) = checked(made(paper=(210, 296))).of(Severity.ERROR)
    assert (found.what, found.measured) == ("preflight.paper", "210.0 × 296.0 mm")


def test_papers_lie_or_stand_but_do_not_mix(checked: Checked) -> None:
    document = Document("Papers", "en")
    for width, height in ((210, 297), (297, 210), (215.9, 279.4)):
        document.add(Page(width, height, bookmark="x"))
    (found,) = checked(document.finished()).of(Severity.ERROR)
    assert (found.what, found.page) == ("preflight.papers", 3)


# the safe zone


def _turned_square(surface: Surface) -> None:
    with surface.placed(57, 40, turn=45) as turned:
        turned.fill(rectangle(-2.5, -2.5, 5, 5), "#000000")  # its corners reach 3.5 mm


def _turned_disc(surface: Surface) -> None:
    with surface.placed(55, 40, turn=45) as turned:
        turned.fill(ellipse(0, 0, 4.9), "#000000")


def _clipped(surface: Surface) -> None:
    with surface.clipped(rectangle(10, 40, 30, 20)):
        surface.fill(rectangle(0, 30, 60, 60), "#000000")


NEAR_THE_EDGE: dict[str, Callable[[Surface], object]] = {
    "a text": lambda s: s.text(1, 50, "close", TEXT),
    "a text below": lambda s: s.text(10, 86, "gjpq", TEXT),
    "a line": lambda s: s.stroke(polyline((2.5, 40), (2.5, 60)), "#000000", 0.3),
    "a wide line": lambda s: s.stroke(polyline((10, 84.5), (50, 84.5)), "#000000", 2),
    "a curve": lambda s: s.fill(ellipse(55, 40, 6), "#000000"),
    "a turned square": _turned_square,
    "something beyond the edge": lambda s: s.fill(rectangle(62, 10, 10, 5), "#000000"),
}


@pytest.mark.parametrize("name", NEAR_THE_EDGE)
def test_something_in_the_safe_zone(name: str, checked: Checked) -> None:
    draw = NEAR_THE_EDGE[name]
    report = checked(made(card(draw)))
    assert "safe_zone" in sorts(report), name
    assert {found.thing for found in report.of(Severity.ERROR)} == {"P01"}


INSIDE: dict[str, Callable[[Surface], object]] = {
    "a text": lambda s: s.text(4, 50, "close", TEXT),
    "a line": lambda s: s.stroke(polyline((3.2, 40), (3.2, 60)), "#000000", 0.3),
    "a line with flat ends": lambda s: s.stroke(polyline((10, 84.9), (10, 70)), "#000000", 3),
    "a curve": lambda s: s.fill(ellipse(54, 40, 5.9), "#000000"),
    "a turned disc": _turned_disc,
    "what is clipped": _clipped,
}


@pytest.mark.parametrize("name", INSIDE)
def test_something_that_keeps_off_the_safe_zone(name: str, checked: Checked) -> None:
    draw = INSIDE[name]
    assert checked(made(card(draw))).good


def test_the_distance_is_told(checked: Checked) -> None:
    line = polyline((2.5, 40), (2.5, 60))
    found = checked(made(card(lambda s: s.stroke(line, "#000000", 0.3)))).of(Severity.ERROR)[0]
    assert (found.measured, found.limit) == ("2.35 mm", "3.00 mm")


def test_the_safe_zone_is_found_in_a_form_inside_a_form(checked: Checked) -> None:
    def draw(surface: Surface) -> None:
        with surface.placed(1, 40):
            surface.stamp(
                "inner", Box(0, 0, 9, 9), lambda s: s.fill(rectangle(0, 0, 5, 5), "#000000")
            )

    assert sorts(checked(made(card(draw)))) == {"safe_zone"}


@pytest.mark.parametrize(
    "furniture",
    [
        lambda s: s.fill(rectangle(40, 40, 5, 5), "#000000"),
        lambda s: s.text(70, 50, "over two cards", TEXT),
        lambda s: s.stroke(polyline((10, 30), (25, 30)), "#000000", 0.2),
    ],
)
def test_furniture_on_a_card(furniture: Callable[[Surface], object], checked: Checked) -> None:
    assert "on_thing" in sorts(checked(made(furniture=furniture)))


def test_crop_marks_around_a_card_are_no_fault(checked: Checked) -> None:
    def marks(surface: Surface) -> None:
        corners = polyline((12, 20), (18, 20)) + polyline((20, 12), (20, 18))
        frame = rectangle(15, 15, 180, 200)
        surface.stroke(corners + frame, "#000000", 0.2)

    assert checked(made(furniture=marks)).good


def test_furniture_that_a_printer_cuts_off(checked: Checked) -> None:
    (found,) = checked(made(furniture=lambda s: s.text(20, 295, "low", TEXT))).of(Severity.ERROR)
    assert found.what == "preflight.edge"


# texts

LONG = {
    "en": "A sentence, longer now",
    "fr": "Une phrase trop longue, là",
    "pl": "Zdanie się wydłużyło, oj",
}


@pytest.mark.parametrize("language", CODES)
def test_a_text_that_overflows(language: str, checked: Checked) -> None:
    def draw(surface: Surface) -> None:
        with surface.text_box(Box(8, 60, 30, 6)):
            surface.text(8, 64, LONG[language], TEXT)

    (found,) = checked(made(card(draw), language=language)).of(Severity.ERROR)
    assert found.what == "preflight.overflow"
    assert (found.thing, found.language) == ("P01", language)
    for code in CODES:
        assert LONG[language] in found.message(load_language(code))


def test_texts_that_overlap(checked: Checked) -> None:
    def draw(surface: Surface) -> None:
        surface.fitted(Box(8, 60, 40, 6), "first text", TEXT)
        surface.fitted(Box(8, 61.5, 40, 6), "second text", TEXT)

    (found,) = checked(made(card(draw))).of(Severity.ERROR)
    assert found.what == "preflight.overlap"
    assert {found.text, found.limit} == {"first text", "second text"}


def test_a_text_that_is_cut_off(checked: Checked) -> None:
    def draw(surface: Surface) -> None:
        with surface.clipped(rectangle(8, 60, 10, 6)):
            surface.text(8, 64, "half of it", TEXT)

    assert sorts(checked(made(card(draw)))) == {"text_cut"}


def test_what_is_too_small_to_print_well(checked: Checked) -> None:
    def draw(surface: Surface) -> None:
        surface.text(8, 64, "tiny", Type(fonts.REGULAR, 5.5))
        surface.stroke(polyline((8, 70), (20, 70)), "#000000", 0.05)

    report = checked(made(card(draw)))
    assert report.good
    assert sorts(report, Severity.WARNING) == {"small_type", "hairline"}


# pictures and ink


def picture(dpi: float, mode: str = "RGB") -> Callable[[Surface], None]:
    image = Image.new(mode, (round(dpi), round(dpi)), 1)

    def draw(surface: Surface) -> None:
        surface.canvas.drawImage(ImageReader(image), 40, -200, 72, 72)

    return draw


def test_a_coarse_picture(checked: Checked) -> None:
    report = checked(made(card(picture(72))))
    (found,) = report.of(Severity.ERROR)
    assert (found.what, found.measured) == ("preflight.raster", "72 dpi")
    assert checked(made(card(picture(300)))).good


def test_coarse_line_art(checked: Checked) -> None:
    def stencil(width: int) -> bytes:
        content = b"q 72 0 0 72 99 99 cm BI /W %d /H %d /BPC 1 /IM true ID x EI Q" % (width, width)
        return streamed(content, lambda _: pikepdf.Dictionary())

    assert "raster" in sorts(checked(stencil(300)))
    assert "raster" not in sorts(checked(stencil(600)))


def black(surface: Surface) -> None:
    with surface.background():
        surface.fill(rectangle(0, 0, 210, 297), "#101010")


def test_too_much_ink(checked: Checked) -> None:
    assert sorts(checked(made(furniture=black)), Severity.WARNING) == {"much_ink"}
    low = checked(made(furniture=black, theme="low-ink"))
    assert sorts(low) == {"low_ink"}
    assert checked(made(theme="low-ink")).good


def test_transparency(checked: Checked) -> None:
    report = checked(made(furniture=lambda s: s.canvas.setFillAlpha(0.5)))
    assert sorts(report, Severity.WARNING) == {"transparent"}


# files that are none, or do harm


def test_a_strange_file_is_checked_as_far_as_it_goes(checked: Checked) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 12)
        canvas.drawString(1, 1, "hello")

    report = checked(strange(draw))
    expected = {"not_embedded", "no_box", "scaling", "duplex", "bookmarks"}
    assert expected <= sorts(report)
    assert "foreign" in sorts(report, Severity.INFO)


def test_an_encrypted_file(checked: Checked) -> None:
    for user in ("secret", ""):
        lock = pikepdf.Encryption(owner="secret", user=user)
        assert "encrypted" in sorts(checked(damaged(nothing, encryption=lock)))  # type: ignore[arg-type]


@pytest.mark.parametrize("kept", [0.2, 0.5, 0.9, 0.99])
def test_a_truncated_file(kept: float, checked: Checked) -> None:
    good = made()
    assert sorts(checked(good[: int(len(good) * kept)])) & {"damaged", "broken"}


def test_a_file_that_is_no_pdf(checked: Checked) -> None:
    assert sorts(checked(b"hello")) == {"no_pdf"}
    assert sorts(checked(b"%PDF-1.4\nhello")) == {"broken"}


def test_a_file_without_pages(checked: Checked) -> None:
    file = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.save(file)
    assert sorts(checked(file.getvalue())) == {"empty"}


def cyclic(pdf: pikepdf.Pdf) -> pikepdf.Object:
    one = form(pdf, b"/X Do /X Do")
    other = form(pdf, b"/X Do /X Do", one)
    one.Resources = showing(other)
    return showing(one)


def nested(pdf: pikepdf.Pdf, depth: int, times: int) -> pikepdf.Object:
    inner = form(pdf, b"0 0 1 1 re f\n" * 10)
    for _ in range(depth):
        inner = form(pdf, b"/X Do\n" * times, inner)
    return showing(inner)


@pytest.mark.parametrize(
    ("content", "resources", "sort"),
    [
        (b"/X Do", cyclic, "cyclic"),
        (b"/X Do", lambda pdf: nested(pdf, 60, 1), "deep"),
        (b"/X Do", lambda pdf: nested(pdf, 12, 30), "too_much"),
        (b"q " * 100_000, lambda _: pikepdf.Dictionary(), "too_much"),
        (b"1 " * 12_000_000, lambda _: pikepdf.Dictionary(), "too_much"),
    ],
)
def test_a_hostile_file_ends_in_a_sentence(
    content: bytes, resources: Callable[[pikepdf.Pdf], pikepdf.Object], sort: str, checked: Checked
) -> None:
    begin = time.perf_counter()
    assert sort in sorts(checked(streamed(content, resources)))
    assert time.perf_counter() - begin < 20


GARBAGE = [
    b"EMC Q Q ET (a) Tj /X Do /X gs /F 3 Tf [(a) -9 /b] TJ W n 1 2 re f 1 c h h",
    b"9" * 400
    + b" 0 0 9 0 0 cm 0 0 m 9 9 l S "
    + b"99999 0 0 99999 0 0 cm " * 99
    + b"0 0 9 9 re f",
    b"0 0 0 0 0 0 cm 0 0 9 9 re f 0 w 0 0 m 1 1 l S << /a [ ( < <4 >> BI ID EI \x00\xff",
]


@pytest.mark.parametrize("content", GARBAGE)
def test_garbage_does_no_harm(content: bytes, checked: Checked) -> None:
    report = checked(streamed(content, lambda _: pikepdf.Dictionary()))
    assert "ink" in sorts(report, Severity.INFO)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError):
        check(tmp_path / "nothing.pdf")
    with pytest.raises(FileError):
        check(tmp_path)


# the command


def test_the_command(run: Run, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.pdf", tmp_path / "bad.pdf"
    good.write_bytes(made())
    bad.write_bytes(made(card(helvetica)))
    result = run("print", "check", "--lang", "fr", good, bad)
    assert (result.code, result.err) == (1, "")
    assert result.out.startswith(f"{good} : bon (1 page)\n")
    assert "erreur: la police Helvetica n’est pas incorporée" in result.out
    result = run("print", "check", "--json", bad, tmp_path / "none.pdf", good)
    assert result.code == 3
    assert "none.pdf" in result.err
    files = json.loads(result.out)
    assert [file["ok"] for file in files] == [False, False, True]
    (found,) = [one for one in files[0]["findings"] if one["severity"] == "error"]
    assert (found["check"], found["text"]) == ("not_embedded", "Helvetica")
