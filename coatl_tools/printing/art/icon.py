"""The icon of the pages: the head of a feathered serpent, as SVG and as PNG."""

from __future__ import annotations

from functools import lru_cache

from coatl_tools.printing.art.pictures import design_of, face_svg
from coatl_tools.printing.component import Face
from coatl_tools.printing.drawing.ornaments import feather
from coatl_tools.printing.drawing.paths import Path, ellipse, polygon, polyline, rectangle, smooth
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.drawing.units import INCH
from coatl_tools.printing.export.raster import Shot, png_of
from coatl_tools.printing.theme import Theme

SIZE = 100.0  # of the square; whoever masks it leaves a circle of 40 about its middle
NAME = "Cóatl Tools"

_SKULL = smooth(
    [(33, 69), (30, 58), (31, 46), (37, 37), (46, 34), (55, 36), (63, 41), (73, 43.5),
     (82, 45.5), (86.5, 50), (84.5, 55.5), (74, 57), (61, 56.5), (53, 60), (60, 67), (71, 68.5),
     (79, 68), (81, 72), (77.5, 76), (66, 79), (51, 79.5), (39, 76)]
)  # fmt: skip
_MOUTH = smooth(
    [(52.8, 60), (60, 56.4), (72, 56.6), (82.5, 55.6), (82, 62), (79.5, 68.2), (71, 68.6), (60, 67)]
)  # fmt: skip
_TONGUE = polyline((59, 62.5), (76, 63.2), (90, 59.6)) + polyline((76, 63.2), (89.5, 67))
_FEATHERS = 14  # of each ink


def icon_face(theme: Theme) -> Face:
    """The icon; its ground fills the whole square."""
    return Face("icon", SIZE, SIZE, lambda surface: _draw(surface, theme), safe=0)


@lru_cache(maxsize=1)
def icon_svg() -> str:
    """The icon, square and maskable."""
    return face_svg(icon_face(design_of("en").theme), NAME)


@lru_cache(maxsize=8)
def icon_png(pixels: int) -> bytes:
    """The icon with so many pixels a side, for phones that take no SVG."""
    face = icon_face(design_of("en").theme)
    return png_of(Shot("icon", face, pixels, pixels, pixels * INCH / SIZE))


def _draw(surface: Surface, theme: Theme) -> None:
    ground = theme.backs["prophecy"].ground
    surface.fill(rectangle(-3, -3, SIZE + 6, SIZE + 6), ground)
    with surface.placed(SIZE / 2, SIZE / 2):
        _ring(surface, theme)
    with surface.placed(8.6, 6.2, scale=0.78):
        _head(surface, theme)


def _ring(surface: Surface, theme: Theme) -> None:
    """Feathers all around, red ones behind gold ones, and a disc for the head."""
    inks, boards = theme.backs["prophecy"], theme.boards
    for length, ink, shift in ((41, boards.plumes[0], 0.5), (38, boards.plumes[1], 0.0)):
        for i in range(_FEATHERS):
            turn = 360 * (i + shift) / _FEATHERS
            surface.paint(feather(length, 12.5).at(0, 0, turn=turn), ink, inks.ground, 1.5)
            shaft = polyline((0, -29), (0, 3.5 - length)).at(0, 0, turn=turn)
            surface.stroke(shaft, inks.ground, 1.3, cap="round")
    surface.paint(ellipse(0, 0, 28), inks.ground, inks.motif, 1.4)


def _head(surface: Surface, theme: Theme) -> None:
    """The head itself, in profile; it looks to the right."""
    inks, boards = theme.backs["prophecy"], theme.boards
    for turn in (-152, -122, -92, -62, -32, -2):
        plume = feather(34, 13).at(45, 58, turn=turn)
        surface.paint(plume, boards.bone, inks.ground, 1.8)
        shaft = polyline((0, -20), (0, -29)).at(45, 58, turn=turn)
        surface.stroke(shaft, boards.plumes[0], 1.8, cap="round")
    surface.paint(_SKULL, boards.face, boards.line, 1.8)
    scales = Path()
    for x, y in ((36.5, 56), (43.5, 60.5), (36.5, 65), (43.5, 69.5), (51.5, 73)):
        scales += smooth([(x - 2.6, y - 2), (x, y + 1), (x + 2.6, y - 2)], closed=False)
    surface.stroke(scales, boards.shade, 1.8, cap="round")
    surface.paint(_MOUTH, boards.mouth, boards.line, 1.2)
    surface.stroke(_TONGUE, boards.plumes[0], 2.2, cap="round")
    fangs = Path()
    for x, size in ((62.0, 4.6), (70.0, 5.2), (78.6, 8.6)):
        fangs += polygon((x - 3.0, 56.2), (x + 3.0, 56.0), (x + 0.6, 56.4 + size))
    surface.paint(fangs, boards.bone, boards.line, 0.5)
    surface.paint(ellipse(49.5, 47.5, 5.6), boards.bone, boards.line, 1.5)
    surface.fill(ellipse(51.2, 48, 2.7), boards.line)
    brow = smooth([(40.5, 44.5), (45, 40), (51, 39.2), (57, 42.5)], closed=False)
    surface.stroke(brow, boards.line, 2.4, cap="round")
    surface.stroke(polyline((79, 49), (81.4, 49.9)), boards.line, 2.0, cap="round")
