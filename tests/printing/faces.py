"""Simple faces: what a target does with a face does not depend on its art."""

from __future__ import annotations

from coatl_tools.printing.component import BLEED, Face
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
