"""Good files and bad ones, made for the tests of the preflight."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pikepdf
from reportlab.pdfgen.canvas import Canvas

from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    Box,
    Matrix,
    polyline,
    rectangle,
    rotation,
    translation,
)
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.drawing.typography import find_font_file
from coatl_tools.printing.items import Face
from coatl_tools.printing.pdf_document import PdfDocument, Placement, PrintPage
from coatl_tools.printing.preflight import PreflightReport, Severity, check_pdf

TEXT = FontStyle(fonts.REGULAR, 10)
A4 = (595.2756, 841.8898)
Draw = Callable[[Surface], object]


def check_file(data: bytes) -> PreflightReport:
    """What the preflight says of a file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file.pdf"
        path.write_bytes(data)
        return check_pdf(path)


def list_finding_sorts(report: PreflightReport, severity: Severity = Severity.ERROR) -> set[str]:
    """The sorts of findings of one severity."""
    return {found.what.removeprefix("preflight.") for found in report.of(severity)}


def nothing(_: Surface) -> None:
    """Draw nothing."""


def card(more: Draw = nothing, key: str = "P01") -> Face:
    """A good card, and whatever else is drawn on it."""

    def draw(surface: Surface) -> None:
        with surface.background():
            surface.fill(rectangle(-3, -3, 69, 94), "#eadbbd")
        surface.stroke(rectangle(4, 4, 55, 80), "#2a1c14", 0.4)
        surface.draw_fitted_text(Box(8, 8, 47, 20), "Zażółć gęślą jaźń, où êtes-vous ?", TEXT)
        more(surface)

    return Face(key, 63, 88, draw, safe_margin=3)


def ruler(surface: Surface) -> None:
    """What stands around the cards."""
    surface.stroke(polyline((20, 290), (120, 290)), "#000000", 0.2)
    surface.draw_text(125, 290, "a4 1/1", TEXT)


def make_card_file(
    face: Face | None = None,
    furniture: Draw = ruler,
    adjusted: Matrix | None = None,
    theme: str = "full",
    paper: tuple[float, float] = (210, 297),
    language: str = "en",
) -> bytes:
    """A file of our own with two cards, one of them turned."""
    document = PdfDocument("Cards", language, "DuplexFlipLongEdge", theme=theme)
    face = face or card()
    placements = (Placement(face, 20, 20), Placement(face, 100, 20, 90))

    def around(surface: Surface) -> None:
        furniture(surface)

    document.add_page(
        PrintPage(*paper, placements, around, 3.0, "Cards", adjustment=adjusted or Matrix())
    )
    return document.render()


def make_damaged_file(damage: Callable[[pikepdf.Pdf], object], **options: object) -> bytes:
    """The good file after something was done to it; options are those of saving."""
    with pikepdf.open(io.BytesIO(make_card_file())) as pdf:
        damage(pdf)
        file = io.BytesIO()
        pdf.save(file, **options)  # type: ignore[arg-type]
    return file.getvalue()


def make_foreign_file(draw: Callable[[Canvas], object]) -> bytes:
    """A file of somebody else's."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, initialFontName=_face(), invariant=1)  # type: ignore[arg-type]
    draw(canvas)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def _face() -> str:
    fonts.load_font(fonts.REGULAR)
    return fonts.REGULAR


def make_stream_page(content: bytes, resources: Callable[[pikepdf.Pdf], pikepdf.Object]) -> bytes:
    """A page whose content is written by hand."""
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=A4)
        page.obj.Contents = pdf.make_stream(content)
        page.obj.Resources = resources(pdf)
        file = io.BytesIO()
        pdf.save(file)
    return file.getvalue()


def form(pdf: pikepdf.Pdf, content: bytes, inner: pikepdf.Object | None = None) -> pikepdf.Object:
    """A form that can show another one as X."""
    stream = pdf.make_indirect(pdf.make_stream(content))
    stream.Subtype = pikepdf.Name.Form
    stream.BBox = pikepdf.Array([0, 0, 500, 500])
    if inner is not None:
        stream.Resources = make_form_resources(inner)
    return stream


def make_form_resources(inner: pikepdf.Object) -> pikepdf.Dictionary:
    """Resources in which X is a form."""
    return pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=inner))


def profile() -> Matrix:
    """What a printer profile may do to a page."""
    return translation(1.5, -2) @ rotation(0.4)


def whole_font() -> bytes:
    """The good file with all of a font in it."""

    def embed(pdf: pikepdf.Pdf) -> None:
        for obj in pdf.objects:
            if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/Font":
                obj.BaseFont = pikepdf.Name("/SourceSansPro-Regular")
                data = find_font_file(fonts.REGULAR).read_bytes()
                obj.FontDescriptor.FontFile2 = pdf.make_stream(data)

    return make_damaged_file(embed)
