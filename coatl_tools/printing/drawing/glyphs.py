"""Letters as outlines, for pictures that need no font; fontTools comes with the extra `web`."""

from __future__ import annotations

import io
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

from coatl_tools.printing.drawing.font_files import FACES, file_of

_LOCK = Lock()  # a font reads its tables and glyphs when it is asked: one thread at a time


class Glyph(NamedTuple):
    """The outline of a character in SVG's words, and how far it moves on; units of the font.

    Its y axis points upwards. A space has no outline.
    """

    outline: str
    advance: float


@lru_cache(maxsize=len(FACES))
def units(face: str) -> int:
    """How many units of a face make its size."""
    with _LOCK:
        return int(_font(face)["head"].unitsPerEm)


@lru_cache(maxsize=4096)
def glyph(face: str, char: str) -> Glyph:
    """A character of a face; a box stands for one that the face does not have."""
    with _LOCK:
        font = _font(face)
        known = font.getGlyphSet()
        found = known[font.getBestCmap().get(ord(char), ".notdef")]
        pen = SVGPathPen(known, ntos=lambda value: str(round(value)))
        found.draw(pen)
        return Glyph(pen.getCommands(), found.width)


@lru_cache(maxsize=len(FACES))
def _font(face: str) -> TTFont:
    return TTFont(io.BytesIO(file_of(face).read_bytes()))
