"""The typefaces on paper: Source Sans Pro, embedded from its package."""

from __future__ import annotations

from functools import lru_cache

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM
from coatl_tools.printing.drawing.typography import (
    BLACK,
    BOLD,
    FONT_FACES,
    ITALIC,
    REGULAR,
    SEMIBOLD,
    find_font_file,
)

__all__ = ["BLACK", "BOLD", "FONT_FACES", "ITALIC", "REGULAR", "SEMIBOLD"]  # from typography

CAP_HEIGHT = 0.66  # of a capital letter and of a figure, as a part of the type size


@lru_cache(maxsize=len(FONT_FACES))
def load_font(face: str) -> TTFont:
    """Load a face and register it with ReportLab."""
    found = TTFont(face, str(find_font_file(face)))
    pdfmetrics.registerFont(found)
    return found


def measure_text(text: str, face: str, size: float) -> float:
    """Measure the width of a text in millimetres; `size` is in points."""
    return float(load_font(face).stringWidth(text, size)) / POINTS_PER_MM
