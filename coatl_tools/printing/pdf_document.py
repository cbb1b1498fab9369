"""A PDF file: pages of placed faces, with everything that a print shop or a home printer needs.

Each face is stored once, as a form; a page only says where it lies. The cuts of all items are
written into the page's dictionary (`PieceInfo`), so that a finished file can be checked.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reportlab import rl_config
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFString
from reportlab.pdfgen.canvas import Canvas

from coatl_tools._version import __version__
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    POINTS_PER_MM,
    Box,
    Matrix,
    QuarterTurn,
    bounding_box,
)
from coatl_tools.printing.drawing.pdf_surface import PdfSurface
from coatl_tools.printing.drawing.pdf_tags import PIECE_INFO_KEY
from coatl_tools.printing.drawing.surface import Surface, TextOverflowError
from coatl_tools.printing.items import Face

DuplexMode = Literal["Simplex", "DuplexFlipLongEdge", "DuplexFlipShortEdge"]
_FORM_MARGIN = 0.1


@dataclass(frozen=True)
class Placement:
    """A face on a page: where its top left corner lies, turned by quarters."""

    face: Face
    x: float
    y: float
    turn: QuarterTurn = 0

    @property
    def box(self) -> Box:
        """Its box on the page."""
        width, height = self.face.width, self.face.height
        if self.turn in (90, 270):
            width, height = height, width
        return Box(self.x, self.y, width, height)

    @property
    def matrix(self) -> Matrix:
        """The map from the face's millimetres to the page's."""
        return self.box.fill_matrix(self.turn)


@dataclass(frozen=True)
class PrintPage:
    """One side of a sheet of paper, in millimetres.

    `bleed` is how far faces are painted beyond their edges. `adjustment` moves the whole content,
    to correct the printer. `draw_margins` draws what lies around the items: crop marks, ruler,
    stamp.
    """

    width: float
    height: float
    placements: tuple[Placement, ...] = ()
    draw_margins: Callable[[Surface], None] | None = None
    bleed: float = 0.0
    bookmark: str = ""
    side: Literal["front", "back"] = "front"
    adjustment: Matrix = field(default_factory=Matrix)

    @property
    def trim(self) -> Box:
        """The box around all cuts; the whole page if nothing is cut."""
        boxes = [placement.box for placement in self.placements]
        return bounding_box(boxes) if boxes else Box(0, 0, self.width, self.height)


class PdfDocument:
    """A PDF file in the making."""

    def __init__(
        self,
        title: str,
        lang: str,
        duplex: DuplexMode = "Simplex",
        subject: str = "",
        theme: str = "full",
    ) -> None:
        rl_config.useA85 = 0  # streams stay binary: smaller, and made faster
        self._file = io.BytesIO()
        fonts.load_font(fonts.REGULAR)
        self._canvas = _PieceInfoCanvas(
            self._file,
            pageCompression=1,
            invariant=1,  # no clock: the same pages are the same bytes
            lang=lang,
            # otherwise each page names a font that is not embedded
            initialFontName=fonts.REGULAR,  # type: ignore[arg-type]  # its stub: a number
        )
        canvas = self._canvas
        canvas.setTitle(title)
        canvas.setSubject(subject)
        canvas.setAuthor("Cóatl Tools")
        canvas.setCreator(f"Cóatl Tools {__version__}")
        canvas.setProducer("ReportLab")
        canvas.setKeywords(theme)
        canvas.setViewerPreference("PrintScaling", "None")
        canvas.setViewerPreference("DisplayDocTitle", "true")
        canvas.setViewerPreference("Duplex", duplex)
        self._surface = PdfSurface(canvas)
        self._pages = 0

    def add_page(self, page: PrintPage) -> None:
        """Append a page."""
        canvas, height = self._canvas, page.height
        canvas.setPageSize((page.width * POINTS_PER_MM, height * POINTS_PER_MM))
        trim = page.trim
        wider = trim.inset(-page.bleed)
        canvas.setTrimBox(_convert_to_points(trim, height))
        canvas.setBleedBox(_convert_to_points(_clip_to_page(wider, page), height))
        canvas.piece_info = _build_piece_info(page)
        if page.bookmark:
            name = f"page{self._pages}"
            canvas.bookmarkPage(name)
            canvas.addOutlineEntry(page.bookmark, name)
        surface = self._surface
        with surface.at_origin(0, -height), surface.transformed(page.adjustment):
            for placement in page.placements:
                with surface.transformed(placement.matrix):
                    self._store_face(placement.face, page.bleed)
            if page.draw_margins is not None:
                page.draw_margins(surface)
        canvas.showPage()
        self._pages += 1

    def _store_face(self, face: Face, bleed: float) -> None:
        # items that touch overlap by a hair, so that no light shows between them
        bounds = Box(0, 0, face.width, face.height).inset(-bleed - _FORM_MARGIN)
        try:
            self._surface.draw_shared(f"{face.key}-{bleed:g}", bounds, face.draw)
        except TextOverflowError as error:
            raise TextOverflowError("print.overflow_in", thing=face.key, why=error.spoken) from None

    def render(self) -> bytes:
        """Return the bytes of the whole file."""
        self._canvas.save()
        return self._file.getvalue()


class _PieceInfoCanvas(Canvas):
    """A canvas whose pages can carry our own `PieceInfo` entry."""

    piece_info: PDFDictionary | None = None

    def _setAnnotations(self, page: object) -> None:  # noqa: N802 (ReportLab's name)
        super()._setAnnotations(page)  # type: ignore[misc] # not in ReportLab's stubs
        if hasattr(page, "PieceInfo"):  # a form has none
            page.PieceInfo = self.piece_info


def _convert_to_points(box: Box, height: float) -> Sequence[float]:
    """Convert a box in mm to PDF coordinates: left, bottom, right, top in points."""
    edges = (box.x, height - box.bottom, box.right, height - box.y)
    return [round(edge * POINTS_PER_MM, 4) for edge in edges]


def _clip_to_page(box: Box, page: PrintPage) -> Box:
    left, top = max(0.0, box.x), max(0.0, box.y)
    right, bottom = min(page.width, box.right), min(page.height, box.bottom)
    return Box(left, top, right - left, bottom - top)


def _format_adjustment(page: PrintPage) -> list[float]:
    """Return the page's adjustment as a PDF matrix, in points from the lower left."""
    up = Matrix(d=-POINTS_PER_MM, a=POINTS_PER_MM, f=page.height * POINTS_PER_MM)
    down = Matrix(d=-1 / POINTS_PER_MM, a=1 / POINTS_PER_MM, f=page.height)
    m = up @ page.adjustment @ down
    return [round(value, 6) for value in (m.a, m.b, m.c, m.d, m.e, m.f)]


def _build_piece_info(page: PrintPage) -> PDFDictionary:
    """Record each item's trim box and safe margin, in points, for the preflight."""
    things = [
        PDFDictionary(
            {
                "Name": PDFString(placement.face.key),
                "Trim": PDFArray(_convert_to_points(placement.box, page.height)),
                "Safe": round(placement.face.safe_margin * POINTS_PER_MM, 4),
            }
        )
        for placement in page.placements
    ]
    private = PDFDictionary({"Side": PDFName(page.side), "Things": PDFArray(things)})
    if page.adjustment != Matrix():  # the items' boxes are those before the adjustment
        private["Adjusted"] = PDFArray(_format_adjustment(page))
    entry = PDFDictionary({"LastModified": PDFString("D:20000101000000Z"), "Private": private})
    return PDFDictionary({PIECE_INFO_KEY: entry})
