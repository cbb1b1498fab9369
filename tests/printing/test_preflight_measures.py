"""The preflight measures what a renderer shows: both agree on where things lie."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable

import numpy as np
import pikepdf
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray

from coatl_tools.printing.drawing.geometry import (
    POINTS_PER_MM,
    Box,
    Matrix,
    ellipse,
    polyline,
    rectangle,
    smooth_curve,
)
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.pdf_document import PdfDocument, PrintPage
from coatl_tools.printing.preflight.content_stream import ContentReader
from coatl_tools.printing.preflight.display_list import TEXT, DisplayList
from coatl_tools.printing.preflight.pdf_reader import read_page
from tests.printing.golden_pictures import render_pdf_page
from tests.printing.preflight_samples import make_card_file

DPI = 150
WAVE = smooth_curve([(20, 20), (30, 60), (45, 25), (60, 55)], closed=False)


def painted(data: bytes) -> DisplayList:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        page = read_page(1, pdf.pages[0])
        assert page is not None
        return ContentReader().read_content(pdf.pages[0].obj, Matrix(), page.paper)[0]


def around(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate((boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)))


def test_texts_lie_where_another_reader_finds_them() -> None:
    data = make_card_file()
    found = painted(data)
    closing = contextlib.closing
    with (
        closing(pdfium.PdfDocument(data)) as file,
        closing(file[0]) as page,
        closing(page.get_textpage()) as text,
    ):
        boxes = np.array([text.get_charbox(i) for i in range(text.count_chars())])
    boxes = boxes[boxes[:, 2] > boxes[:, 0]]
    assert around(found.whole[found.items["kind"] == TEXT]) == pytest.approx(
        around(boxes), abs=0.05
    )


def turned(surface: Surface) -> None:
    with surface.at_origin(50, 50, turn=30, scale=1.4, mirror=True):
        surface.stroke(ellipse(0, 0, 12, 5), "#000000", 1)


def clipped(surface: Surface) -> None:
    with surface.clip(rectangle(30, 20, 25, 60)):
        surface.fill(ellipse(50, 50, 30), "#000000")


def stamped(surface: Surface) -> None:
    with surface.at_origin(40, 40, turn=90, scale=0.5):
        surface.draw_shared("wave", Box(0, 0, 99, 99), DRAWINGS["a curve"])


DRAWINGS: dict[str, Callable[[Surface], None]] = {
    "a wide line": lambda s: s.stroke(polyline((20, 30), (70, 30)), "#000000", 8),
    "round ends": lambda s: s.stroke(polyline((20, 30), (70, 30)), "#000000", 8, cap="round"),
    "a curve": lambda s: s.stroke(WAVE, "#000000", 1, cap="round"),
    "an area": lambda s: s.fill(WAVE, "#000000"),
    "turned and mirrored": turned,
    "clipped": clipped,
    "a form in a form": stamped,
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings_lie_where_they_are_seen(name: str) -> None:
    document = PdfDocument("Drawing", "en")
    document.add_page(PrintPage(100, 100, draw_margins=DRAWINGS[name]))
    data = document.render()
    dark = np.asarray(render_pdf_page(data, dpi=DPI).convert("L")) < 128
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    seen = np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1]) * 25.4 / DPI
    left, low, right, top = around(painted(data).seen) / POINTS_PER_MM
    assert np.array([left, 100 - top, right, 100 - low]) == pytest.approx(seen, abs=0.25)
