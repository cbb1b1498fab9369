"""Letters as outlines, for SVG pictures that need no font; fontTools comes with the extra `web`."""

from __future__ import annotations

import io
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

from coatl_tools.printing.drawing.typography import FONT_FACES, find_font_file

_FONT_LOCK = Lock()  # a font reads its tables and glyphs when it is asked: one thread at a time


class GlyphOutline(NamedTuple):
    """The outline of a character as an SVG path, and its advance width, in font units.

    The y axis points upwards. A space has no outline.
    """

    outline: str
    advance: float


@lru_cache(maxsize=len(FONT_FACES))
def read_units_per_em(face: str) -> int:
    """Return how many font units make the type size."""
    with _FONT_LOCK:
        return int(_open_font(face)["head"].unitsPerEm)


@lru_cache(maxsize=4096)
def load_glyph(face: str, char: str) -> GlyphOutline:
    """Load a character of a face; a box stands for one that the face does not have."""
    with _FONT_LOCK:
        font = _open_font(face)
        known = font.getGlyphSet()
        found = known[font.getBestCmap().get(ord(char), ".notdef")]
        pen = SVGPathPen(known, ntos=lambda value: str(round(value)))
        found.draw(pen)
        return GlyphOutline(pen.getCommands(), found.width)


@lru_cache(maxsize=len(FONT_FACES))
def _open_font(face: str) -> TTFont:
    return TTFont(io.BytesIO(find_font_file(face).read_bytes()))
