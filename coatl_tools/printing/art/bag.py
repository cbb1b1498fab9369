"""The bag that pieces are drawn from: cloth with a band of step-frets, tied with a cord."""

from __future__ import annotations

from coatl_tools.pieces import Colour
from coatl_tools.printing.component import Face
from coatl_tools.printing.drawing.ornaments import fret_band
from coatl_tools.printing.drawing.paths import Path, ellipse, polyline, smooth
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.drawing.symbols import symbol
from coatl_tools.printing.theme import Theme

WIDTH, HEIGHT = 44.0, 48.0
_CLOTH = smooth(
    [(15.0, 13.4), (8.4, 19.5), (4.0, 29.5), (4.6, 40.0), (9.6, 45.6), (22.0, 46.8), (34.4, 45.6),
     (39.4, 40.0), (40.0, 29.5), (35.6, 19.5), (29.0, 13.4), (22.0, 12.6)]
)  # fmt: skip
_MOUTH = smooth(
    [(15.4, 12.4), (12.6, 7.0), (10.6, 2.6), (14.6, 3.6), (18.0, 1.6), (22.0, 3.4), (26.0, 1.6),
     (29.4, 3.6), (33.4, 2.6), (31.4, 7.0), (28.6, 12.4), (22.0, 13.4)]
)  # fmt: skip
_FOLDS = (
    polyline((18.6, 11.0), (17.4, 6.6))
    + polyline((22.0, 11.2), (22.0, 7.0))
    + polyline((25.4, 11.0), (26.6, 6.6))
    + polyline((16.4, 16.4), (13.2, 21.4))
    + polyline((27.6, 16.4), (30.8, 21.4))
)
_CORD = smooth([(14.2, 12.6), (18.0, 13.9), (22.0, 14.3), (26.0, 13.9), (29.8, 12.6)], closed=False)
_ENDS = smooth([(27.0, 13.8), (31.6, 15.4), (33.6, 19.4)], closed=False) + smooth(
    [(27.0, 13.8), (29.6, 17.0), (29.4, 21.0)], closed=False
)


def bag_face(theme: Theme) -> Face:
    """The bag; nothing lies around it."""
    return Face("bag", WIDTH, HEIGHT, lambda surface: _draw(surface, theme), safe=0)


def _draw(surface: Surface, theme: Theme) -> None:
    inks, boards = theme.backs["temple"], theme.boards
    for part in (_MOUTH, _CLOTH):
        surface.paint(part, inks.pattern, inks.motif, 0.9)
    surface.stroke(_FOLDS, inks.ground, 0.9, cap="round")
    with surface.clipped(_CLOTH):
        surface.fill(fret_band(-2, 37.2, 48, 4.6), inks.motif)
    for index, colour in enumerate(Colour):
        x, y = 10.4 + 5.8 * index, 29.8 + (0.6 if index % 2 else 0)
        surface.fill(symbol(colour, x, y, 2.1), inks.line)
    surface.stroke(_CORD, boards.plumes[1], 2.0, cap="round")
    surface.stroke(_ENDS, boards.plumes[1], 1.3, cap="round")
    knots = Path() + ellipse(33.6, 19.8, 1.3) + ellipse(29.4, 21.4, 1.3)
    surface.paint(knots, boards.plumes[0], inks.line, 0.4)
