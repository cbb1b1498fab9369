"""The typefaces on paper: Source Sans Pro, embedded from its package."""

from __future__ import annotations

from functools import lru_cache

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from coatl_tools.printing.drawing.font_files import (
    BLACK,
    BOLD,
    FACES,
    ITALIC,
    REGULAR,
    SEMIBOLD,
    file_of,
)
from coatl_tools.printing.drawing.units import MM

__all__ = ["BLACK", "BOLD", "CAP_HEIGHT", "FACES", "ITALIC", "REGULAR", "SEMIBOLD", "font"]
__all__ += ["file_of", "missing", "width"]

CAP_HEIGHT = 0.66  # of a capital letter and of a figure, as a part of the type size


@lru_cache(maxsize=len(FACES))
def font(face: str) -> TTFont:
    """A face, ready to be drawn with."""
    found = TTFont(face, str(file_of(face)))
    pdfmetrics.registerFont(found)
    return found


def width(text: str, face: str, size: float) -> float:
    """How wide a text is at so many points, in millimetres."""
    return float(font(face).stringWidth(text, size)) / MM


def missing(text: str, face: str = REGULAR) -> str:
    """The characters of a text that a face cannot show."""
    known = font(face).face.charToGlyph
    return "".join(sorted({char for char in text if ord(char) not in known and char != "\n"}))
