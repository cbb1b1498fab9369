"""Each fault is put into a file, and the preflight finds it; a good file has none."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from click.testing import CliRunner
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from coatl_tools.cli.printing.checks import check as check_command
from coatl_tools.cli.shared_options import Settings
from coatl_tools.printing.drawing.geometry import Box, rectangle
from coatl_tools.printing.drawing.pdf_surface import PdfSurface
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import Face
from coatl_tools.printing.pdf_document import PdfDocument, Placement, PrintPage
from coatl_tools.printing.preflight import Severity
from tests.conftest import Run
from tests.printing.preflight_samples import (
    TEXT,
    card,
    check_file,
    list_finding_sorts,
    make_card_file,
    make_damaged_file,
    make_foreign_file,
    make_stream_page,
    profile,
    ruler,
    whole_font,
)


def canvas_of(surface: Surface) -> Canvas:
    assert isinstance(surface, PdfSurface)
    return surface.canvas


def test_a_good_file_has_no_fault() -> None:
    report = check_file(make_card_file())
    assert report.good
    assert report.pages == 1
    assert {found.what for found in report.findings} == {"preflight.ink"}


def test_a_good_file_with_a_printer_profile_has_no_fault() -> None:
    assert check_file(make_card_file(adjusted=profile())).good


def test_a_whole_page_may_have_ruler_and_stamp_in_its_margin() -> None:
    def page(surface: Surface) -> None:
        surface.draw_fitted_text(Box(12, 12, 186, 260), "A page that is not cut.", TEXT)

    document = PdfDocument("Rules", "en")
    face = Face("rules", 210, 297, page, safe_margin=12)
    document.add_page(PrintPage(210, 297, (Placement(face, 0, 0),), ruler, bookmark="Rules"))
    assert check_file(document.render()).good


# fonts and letters


def helvetica(surface: Surface) -> None:
    canvas = canvas_of(surface)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(40, -150, "not embedded")


def test_a_font_that_is_not_embedded() -> None:
    (found,) = check_file(make_card_file(card(helvetica))).of(Severity.ERROR)
    assert (found.what, found.text) == ("preflight.not_embedded", "Helvetica")


def test_a_font_that_is_not_used_does_no_harm() -> None:
    def name_it(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].Resources.Font.Other = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
        )

    assert check_file(make_damaged_file(name_it)).good


def test_a_font_that_is_embedded_whole() -> None:
    assert "not_subset" in list_finding_sorts(check_file(whole_font()))


def test_a_font_made_of_drawings() -> None:
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

    data = make_stream_page(b"BT /F 12 Tf 100 100 Td (aaa) Tj ET", draw)
    assert "type3" in list_finding_sorts(check_file(data))


def test_a_letter_that_the_font_lacks() -> None:
    report = check_file(make_card_file(card(lambda s: s.draw_text(10, 50, "one \u4e2d two", TEXT))))
    (found,) = report.of(Severity.ERROR)
    assert (found.what, found.page, found.text) == ("preflight.glyph", 1, "one □ two")


def test_a_letter_that_cannot_be_read_back() -> None:
    def spoil(pdf: pikepdf.Pdf) -> None:
        for obj in pdf.objects:
            if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/Font":
                table = obj.ToUnicode.read_bytes().replace(b"<005A>", b"<FFFD>")  # Z
                obj.ToUnicode = pdf.make_stream(table)

    (found,) = check_file(make_damaged_file(spoil)).of(Severity.ERROR)
    assert found.what == "preflight.glyph"
    assert found.text.startswith("□ażółć")


def test_a_font_of_two_bytes_a_letter() -> None:
    def draw(canvas: Canvas) -> None:
        pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
        canvas.setFont("HeiseiMin-W3", 12)
        canvas.drawString(100, 100, "\u65e5\u672c")

    found = check_file(make_foreign_file(draw)).of(Severity.ERROR)
    assert [one.text for one in found if one.what == "preflight.not_embedded"] == ["HeiseiMin-W3"]


# boxes, paper and hints


def without(*keys: str) -> Callable[[pikepdf.Pdf], None]:
    def damage(pdf: pikepdf.Pdf) -> None:
        owner: Any = pdf.Root if keys[0] != "/TrimBox" else pdf.pages[0].obj
        for key in keys[:-1]:
            owner = owner[key] if key != "/TrimBox" else owner
        del owner[keys[-1]]

    return damage


def unreadable(pdf: pikepdf.Pdf) -> None:
    """Take away what tells letters from codes."""
    for found in pdf.objects:
        if isinstance(found, pikepdf.Dictionary) and "/ToUnicode" in found:
            del found["/ToUnicode"]


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
        (lambda pdf: setattr(pdf.pages[0], "cropbox", [50, 50, 400, 400]), "box_order"),
        (unreadable, "unreadable"),
    ],
)
def test_a_box_or_a_hint_that_is_missing_or_false(
    damage: Callable[[pikepdf.Pdf], object], sort: str
) -> None:
    assert list_finding_sorts(check_file(make_damaged_file(damage))) == {sort}


def test_a_page_that_the_file_turns_is_warned_of() -> None:
    report = check_file(make_damaged_file(lambda pdf: setattr(pdf.pages[0], "Rotate", 90)))
    assert list_finding_sorts(report, Severity.WARNING) == {"turned"}


def test_a_paper_that_nobody_has() -> None:
    (found,) = check_file(make_card_file(paper=(210, 296))).of(Severity.ERROR)
    assert (found.what, found.measured) == ("preflight.paper", "210.0 × 296.0 mm")


def test_papers_lie_or_stand_but_do_not_mix() -> None:
    document = PdfDocument("Papers", "en")
    for width, height in ((210, 297), (297, 210), (215.9, 279.4)):
        document.add_page(PrintPage(width, height, bookmark="x"))
    (found,) = check_file(document.render()).of(Severity.ERROR)
    assert (found.what, found.page) == ("preflight.papers", 3)


# pictures and ink


def picture(dpi: float, mode: str = "RGB") -> Callable[[Surface], None]:
    image = Image.new(mode, (round(dpi), round(dpi)), 1)

    def draw(surface: Surface) -> None:
        canvas_of(surface).drawImage(ImageReader(image), 40, -200, 72, 72)

    return draw


def test_a_coarse_picture() -> None:
    report = check_file(make_card_file(card(picture(72))))
    (found,) = report.of(Severity.ERROR)
    assert (found.what, found.measured) == ("preflight.raster", "72 dpi")
    assert check_file(make_card_file(card(picture(300)))).good


def test_a_picture_is_as_coarse_as_the_page_is_enlarged() -> None:
    with pikepdf.open(io.BytesIO(make_card_file(card(picture(300))))) as pdf:
        pdf.pages[0].obj.UserUnit = 4
        file = io.BytesIO()
        pdf.save(file)
    report = check_file(file.getvalue())
    coarse = [found for found in report.of(Severity.ERROR) if found.what == "preflight.raster"]
    assert [found.measured for found in coarse] == ["75 dpi"]


def test_coarse_line_art() -> None:
    def stencil(width: int) -> bytes:
        content = b"q 72 0 0 72 99 99 cm BI /W %d /H %d /BPC 1 /IM true ID x EI Q" % (width, width)
        return make_stream_page(content, lambda _: pikepdf.Dictionary())

    assert "raster" in list_finding_sorts(check_file(stencil(300)))
    assert "raster" not in list_finding_sorts(check_file(stencil(600)))


def black(surface: Surface) -> None:
    with surface.background():
        surface.fill(rectangle(0, 0, 210, 297), "#101010")


def test_too_much_ink() -> None:
    assert list_finding_sorts(check_file(make_card_file(furniture=black)), Severity.WARNING) == {
        "much_ink"
    }
    low = check_file(make_card_file(furniture=black, theme="low-ink"))
    assert list_finding_sorts(low) == {"low_ink"}
    assert check_file(make_card_file(theme="low-ink")).good


def test_transparency() -> None:
    report = check_file(make_card_file(furniture=lambda s: canvas_of(s).setFillAlpha(0.5)))
    assert list_finding_sorts(report, Severity.WARNING) == {"transparent"}


# the command


def test_the_command(run: Run, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.pdf", tmp_path / "bad.pdf"
    good.write_bytes(make_card_file())
    bad.write_bytes(make_card_file(card(helvetica)))
    told = CliRunner().invoke(
        check_command, ["--lang", "fr", str(good), str(bad)], obj=Settings(), standalone_mode=False
    )
    assert (told.return_value, told.stderr) == (1, "")
    assert told.output.startswith(f"{good} : bon pour l’impression (1 page)\n")
    assert "erreur\u00a0: la police Helvetica n’est pas incorporée" in told.output
    result = run("print", "check", "--json", bad, tmp_path / "none.pdf", good)
    assert result.code == 3
    assert "none.pdf" in result.err
    files = json.loads(result.out)
    assert [file["ok"] for file in files] == [False, False, True]
    (found,) = [one for one in files[0]["findings"] if one["severity"] == "error"]
    assert (found["check"], found["text"]) == ("not_embedded", "Helvetica")
