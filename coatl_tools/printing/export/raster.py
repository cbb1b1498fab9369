"""Faces as pictures of exactly so many pixels, drawn from their vectors by a PDF renderer.

A page is as large as its picture: so many pixels at so many pixels per inch. Nothing is stretched;
the face lies in the middle, and what is wanted beyond its bleed repeats the last pixels of it.
"""

from __future__ import annotations

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
from coatl_tools.printing.component import BLEED, Face
from coatl_tools.printing.document import Document, Page, Placement
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.drawing.units import INCH

Pixels = npt.NDArray[np.uint8]  # rows, columns, and red, green, blue, perhaps opacity
MOST_PIXELS = 64_000_000  # of one picture: an A4 page at 800 pixels per inch
MOST_IN_ALL = 2_000_000_000
PAGES_AT_ONCE = 64
_ONE_AT_A_TIME = Lock()


@dataclass(frozen=True)
class Shot:
    """A picture to be taken of a face: its name, its pixels, how many of them make an inch.

    One that is `cut` is transparent outside the outline, or so many millimetres beyond it.
    """

    name: str
    face: Face
    width: int
    height: int
    dpi: float
    cut: bool = False
    beyond: float = 0.0

    @property
    def page(self) -> tuple[float, float]:
        """The size of the picture in millimetres."""
        return self.width * INCH / self.dpi, self.height * INCH / self.dpi

    @property
    def place(self) -> tuple[float, float]:
        """Where the corner of the face lies on it, in millimetres: the face is in the middle."""
        width, height = self.page
        return (width - self.face.width) / 2, (height - self.face.height) / 2


def shot(name: str, face: Face, dpi: float, bleed: float = 0, cut: bool = False) -> Shot:
    """A picture of a face with so many millimetres around it, as many pixels as that makes."""
    width, height = (
        max(1, round((size + 2 * bleed) * dpi / INCH)) for size in (face.width, face.height)
    )
    return Shot(name, face, width, height, dpi, cut and face.outline is not None, bleed)


def check_pixels(shots: Sequence[Shot]) -> None:
    """Raise CommandLineError where pictures would fill the memory or the disk."""
    for one in shots:
        if one.width * one.height > MOST_PIXELS:
            raise CommandLineError(
                "export.pixels",
                name=one.name,
                width=one.width,
                height=one.height,
                most=MOST_PIXELS // 1_000_000,
            )
    total = sum(one.width * one.height for one in shots)
    if total > MOST_IN_ALL:
        raise CommandLineError(
            "export.pixels_in_all",
            total=total // 1_000_000,
            most=MOST_IN_ALL // 1_000_000,
        )


def pictures(shots: Sequence[Shot]) -> Iterator[Pixels]:
    """The pictures, in the order of the shots."""
    check_pixels(shots)
    for begin in range(0, len(shots), PAGES_AT_ONCE):
        yield from _taken(shots[begin : begin + PAGES_AT_ONCE])


def png(picture: Pixels, dpi: float) -> bytes:
    """A picture as a PNG file; the same picture gives the same bytes."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", dpi=(dpi, dpi))
    return file.getvalue()


def png_of(shot: Shot) -> bytes:
    """One picture as a PNG file, also where several threads want one: the renderer bears only one.

    Raises CommandLineError if it has too many pixels.
    """
    with _ONE_AT_A_TIME:
        (picture,) = pictures([shot])
    return png(picture, shot.dpi)


def _taken(shots: Sequence[Shot]) -> Iterator[Pixels]:
    document = Document("", "en")
    for one in shots:
        width, height = one.page
        document.add(Page(width, height, (Placement(one.face, *one.place),), bleed=BLEED))
        if one.cut:
            document.add(Page(width, height, (Placement(_mask(one), *one.place),), bleed=BLEED))
    file = pdfium.PdfDocument(document.finished())
    number = 0
    try:
        for one in shots:
            picture = _extended(_rendered(file[number], one), one)
            number += 1
            if one.cut:
                opacity = 255 - _rendered(file[number], one)[:, :, :1]
                picture = np.concatenate([picture, opacity], axis=2)
                number += 1
            yield picture
    finally:
        file.close()


def _mask(one: Shot) -> Face:
    """What is not transparent, in black."""
    face = one.face

    def draw(surface: Surface) -> None:
        surface.paint(face.cut, "#000000", "#000000", 2 * one.beyond)

    return Face(f"{face.key}-mask", face.width, face.height, draw)


def _rendered(page: pdfium.PdfPage, one: Shot) -> Pixels:
    """A page on white. The renderer is told the pixels: it would round them up by itself."""
    bitmap = pdfium.PdfBitmap.new_native(one.width, one.height, pdfium.raw.FPDFBitmap_BGRx)
    size = (0, 0, one.width, one.height)
    pdfium.raw.FPDFBitmap_FillRect(bitmap.raw, *size, 0xFFFFFFFF)
    pdfium.raw.FPDF_RenderPageBitmap(bitmap.raw, page.raw, *size, 0, 0)
    found: Pixels = bitmap.to_numpy()[:, :, 2::-1].copy()
    bitmap.close()
    page.close()
    return found


def _extended(picture: Pixels, one: Shot) -> Pixels:
    """The picture whose outermost pixels, where the face's bleed ends, repeat those inside."""
    x, y = (_unpainted(beyond, one.dpi) for beyond in one.place)
    if not x and not y:
        return picture
    inner = picture[y : one.height - y, x : one.width - x]
    return np.pad(inner, ((y, y), (x, x), (0, 0)), mode="edge")


def _unpainted(beyond: float, dpi: float) -> int:
    """So many pixels at an edge have not been painted all over."""
    return max(0, math.ceil((beyond - BLEED) * dpi / INCH - 1e-6))
