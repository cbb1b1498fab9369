"""Simple faces, whose art does not matter, and files of any faces."""

from __future__ import annotations

from coatl_tools.printing.component import BLEED, Face
from coatl_tools.printing.document import Document, Page, Placement
from coatl_tools.printing.drawing.paths import Path, ellipse, rectangle
from coatl_tools.printing.drawing.surface import Surface


def plain(key: str, width: float, height: float, ink: str, outline: Path | None = None) -> Face:
    """A ground of one ink, with a white circle in the middle, at most 20 mm wide."""

    def draw(surface: Surface) -> None:
        with surface.background():
            ground = rectangle(-BLEED, -BLEED, width + 2 * BLEED, height + 2 * BLEED)
            surface.fill(ground, ink)
        surface.fill(ellipse(width / 2, height / 2, min(10, width / 4)), "#ffffff")

    return Face(key, width, height, draw, outline=outline)


def file_of(*faces: Face) -> bytes:
    """A PDF file in which each face is a page of its size."""
    document = Document("Faces", "en")
    for face in faces:
        document.add(Page(face.width, face.height, (Placement(face, 0, 0),)))
    return document.finished()
