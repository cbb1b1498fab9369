"""Plain faces and items whose art does not matter, and PDF files of them."""

from __future__ import annotations

from coatl_tools.language import load_language
from coatl_tools.printing.drawing.geometry import Path, ellipse, polygon, rectangle
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import BLEED, Face, Item
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.paper.crop_marks import StampText
from coatl_tools.printing.paper.imposition import choose_duplex_mode, impose_items
from coatl_tools.printing.paper.papers import BackPrinting, SheetsLayout, load_sheets_layout
from coatl_tools.printing.paper.printer_profiles import PrinterProfile
from coatl_tools.printing.pdf_document import PdfDocument, Placement, PrintPage


def make_plain_face(
    key: str, width: float, height: float, ink: str, outline: Path | None = None
) -> Face:
    """A ground of one ink, with a white circle in the middle, at most 20 mm wide."""

    def draw(surface: Surface) -> None:
        with surface.background():
            ground = rectangle(-BLEED, -BLEED, width + 2 * BLEED, height + 2 * BLEED)
            surface.fill(ground, ink)
        surface.fill(ellipse(width / 2, height / 2, min(10, width / 4)), "#ffffff")

    return Face(key, width, height, draw, outline=outline)


def make_pdf_of_faces(*faces: Face) -> bytes:
    """A PDF file in which each face is a page of its size."""
    document = PdfDocument("Faces", "en")
    for face in faces:
        document.add_page(PrintPage(face.width, face.height, (Placement(face, 0, 0),)))
    return document.render()


LAYOUT: SheetsLayout = load_sheets_layout(Layouts())


def make_arrow_face(key: str, width: float, height: float, outline: Path | None = None) -> Face:
    def draw(surface: Surface) -> None:
        with surface.background():
            surface.fill(rectangle(-3, -3, width + 6, height + 6), "#ddccaa")
        surface.fill(polygon((width / 2, 4), (width / 2 + 2, 8), (width / 2 - 2, 8)), "#000000")

    return Face(key, width, height, draw, outline=outline)


def make_items(
    count: int,
    width: float,
    height: float,
    back: bool = True,
    name: str = "X",
    round_: bool = False,
) -> list[Item]:
    outline = ellipse(width / 2, height / 2, width / 2, height / 2) if round_ else None
    return [
        Item(
            f"{name}{i:02}",
            make_arrow_face(f"{name}{i:02}-front", width, height, outline),
            make_arrow_face(f"{name}{i:02}-back", width, height, outline) if back else None,
        )
        for i in range(1, count + 1)
    ]


def make_legend(language: str = "en") -> StampText:
    return StampText(load_language(language), "Cards")


def make_pdf_of_items(
    items: list[Item],
    paper: str = "a4",
    backs: BackPrinting = "duplex-long",
    bleed: float = 0,
    profile: PrinterProfile | None = None,
) -> bytes:
    pages = impose_items(
        items, LAYOUT.find_paper(paper), LAYOUT, make_legend(), backs, bleed, profile
    )
    document = PdfDocument("Things", "en", choose_duplex_mode(pages, backs))
    for page in pages:
        document.add_page(page)
    return document.render()
