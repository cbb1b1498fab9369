"""Render faces as pictures of an exact size in pixels, from their vectors, by a PDF renderer.

The PDF page is as large as the picture at its dpi, so nothing is stretched. The face is centred;
beyond its bleed, the outermost pixels are repeated.
"""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
from PIL import Image

from coatl_tools.errors import CommandLineError
from coatl_tools.printing.drawing.geometry import MM_PER_INCH
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import BLEED, Face
from coatl_tools.printing.pdf_document import PdfDocument, Placement, PrintPage

PixelArray = npt.NDArray[np.uint8]  # rows, columns, and red, green, blue, perhaps opacity
MAX_PICTURE_PIXELS = 64_000_000  # of one picture: an A4 page at 800 pixels per inch
MAX_TOTAL_PIXELS = 2_000_000_000
PAGES_PER_BATCH = 64
_RENDERER_LOCK = Lock()


@dataclass(frozen=True)
class PictureSpec:
    """A picture to render of a face: its name, its size in pixels, and its dpi.

    If `cut_out`, it is transparent outside the outline, or outside a `margin` (mm) around it.
    """

    name: str
    face: Face
    width: int
    height: int
    dpi: float
    cut_out: bool = False
    margin: float = 0.0

    @property
    def page_size(self) -> tuple[float, float]:
        """The size of the picture in millimetres."""
        return self.width * MM_PER_INCH / self.dpi, self.height * MM_PER_INCH / self.dpi

    @property
    def face_position(self) -> tuple[float, float]:
        """The top left corner of the centred face, in millimetres."""
        width, height = self.page_size
        return (width - self.face.width) / 2, (height - self.face.height) / 2


def make_picture_spec(
    name: str, face: Face, dpi: float, bleed: float = 0, cut: bool = False
) -> PictureSpec:
    """Describe a picture of a face with `bleed` millimetres around it."""
    width, height = (
        max(1, round((size + 2 * bleed) * dpi / MM_PER_INCH)) for size in (face.width, face.height)
    )
    return PictureSpec(name, face, width, height, dpi, cut and face.outline is not None, bleed)


def check_pixel_limits(specs: Sequence[PictureSpec]) -> None:
    """Raise CommandLineError if pictures would fill the memory or the disk."""
    for spec in specs:
        if spec.width * spec.height > MAX_PICTURE_PIXELS:
            raise CommandLineError(
                "export.pixels",
                name=spec.name,
                width=spec.width,
                height=spec.height,
                most=MAX_PICTURE_PIXELS // 1_000_000,
            )
    total = sum(spec.width * spec.height for spec in specs)
    if total > MAX_TOTAL_PIXELS:
        raise CommandLineError(
            "export.pixels_in_all",
            total=total // 1_000_000,
            most=MAX_TOTAL_PIXELS // 1_000_000,
        )


def render_pictures(specs: Sequence[PictureSpec]) -> Iterator[PixelArray]:
    """Render the pictures, in their order."""
    check_pixel_limits(specs)
    for begin in range(0, len(specs), PAGES_PER_BATCH):
        yield from _render_batch(specs[begin : begin + PAGES_PER_BATCH])


def encode_png(picture: PixelArray, dpi: float) -> bytes:
    """Encode a picture as a PNG file; the same picture gives the same bytes."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", dpi=(dpi, dpi))
    return file.getvalue()


def render_png(spec: PictureSpec) -> bytes:
    """Render a picture as a PNG file; safe to call from several threads.

    The renderer is not thread-safe, so a lock guards it. Raises CommandLineError for too many
    pixels.
    """
    with _RENDERER_LOCK:
        (picture,) = render_pictures([spec])
    return encode_png(picture, spec.dpi)


def _render_batch(specs: Sequence[PictureSpec]) -> Iterator[PixelArray]:
    document = PdfDocument("", "en")
    for spec in specs:
        width, height = spec.page_size
        for face in (spec.face, _make_mask_face(spec)) if spec.cut_out else (spec.face,):
            placement = Placement(face, *spec.face_position)
            document.add_page(PrintPage(width, height, (placement,), bleed=BLEED))
    file = pdfium.PdfDocument(document.render())
    with contextlib.closing(file):
        pages = iter(file)
        for spec in specs:
            picture = _extend_edges(_render_page(next(pages), spec), spec)
            if spec.cut_out:
                opacity = 255 - _render_page(next(pages), spec)[:, :, :1]
                picture = np.concatenate([picture, opacity], axis=2)
            yield picture


def _make_mask_face(spec: PictureSpec) -> Face:
    """Make a face that is black where the picture is opaque."""
    face = spec.face

    def draw(surface: Surface) -> None:
        surface.paint(face.cut_path, "#000000", "#000000", 2 * spec.margin)

    return Face(f"{face.key}-mask", face.width, face.height, draw)


def _render_page(page: pdfium.PdfPage, spec: PictureSpec) -> PixelArray:
    """Render a page on white, at exactly the wanted pixels; PDFium would round them up."""
    bitmap = pdfium.PdfBitmap.new_native(spec.width, spec.height, pdfium.raw.FPDFBitmap_BGRx)
    size = (0, 0, spec.width, spec.height)
    pdfium.raw.FPDFBitmap_FillRect(bitmap.raw, *size, 0xFFFFFFFF)
    pdfium.raw.FPDF_RenderPageBitmap(bitmap.raw, page.raw, *size, 0, 0)
    found: PixelArray = bitmap.to_numpy()[:, :, 2::-1].copy()
    bitmap.close()
    page.close()
    return found


def _extend_edges(picture: PixelArray, spec: PictureSpec) -> PixelArray:
    """Repeat the outermost painted pixels beyond the face's bleed."""
    x, y = (_count_unpainted_pixels(beyond, spec.dpi) for beyond in spec.face_position)
    if not x and not y:
        return picture
    inner = picture[y : spec.height - y, x : spec.width - x]
    return np.pad(inner, ((y, y), (x, x), (0, 0)), mode="edge")


def _count_unpainted_pixels(beyond: float, dpi: float) -> int:
    """Count the pixels at an edge that are not fully painted."""
    return max(0, math.ceil((beyond - BLEED) * dpi / MM_PER_INCH - 1e-6))
