"""The mask on the Supply board: a feathered serpent seen from the front, its chin below.

Drawn for a board of 186 x 240 mm and stretched to others; it is the same at both sides.
"""

from __future__ import annotations

from coatl_tools.printing.drawing.ornaments import feather, fret_band, quill, rays
from coatl_tools.printing.drawing.paths import (
    Path,
    Point,
    ellipse,
    moved,
    polygon,
    polyline,
    rectangle,
    rounded,
    scaled,
    smooth,
    stepped,
)
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.theme import Theme

WIDTH, HEIGHT = 186.0, 240.0
MIDDLE = WIDTH / 2


def draw_mask(surface: Surface, theme: Theme, width: float, height: float) -> None:
    """Draw the mask of a board, all but its spaces."""
    with surface.mapped(scaled(width / WIDTH, height / HEIGHT)):
        for part in (_crown, _ears, _jaw, _face, _mouth, _headdress):
            part(surface, theme)


def mirrored(path: Path) -> Path:
    """The same on the other side of the face."""
    return path.mapped(moved(2 * MIDDLE, 0) @ scaled(-1, 1))


def _weight(theme: Theme) -> float:
    return 0.55 if theme.solid else 0.3


def _both(surface: Surface, theme: Theme, path: Path, fill: str, width: float = 1) -> None:
    for one in (path, mirrored(path)):
        surface.paint(one, fill, theme.boards.line, _weight(theme) * width)


def _symmetric(*left: Point) -> Path:
    """A closed outline: its left half from the top to the bottom, and the same at the right."""
    return polygon(*left, *((2 * MIDDLE - x, y) for x, y in reversed(left)))


def _plume(
    surface: Surface, theme: Theme, x: float, y: float, turn: float, length: float, ink: int
) -> None:
    """A long feather with an eye near its tip."""
    inks, width = theme.boards, _weight(theme)
    with surface.placed(x, y, turn):
        surface.paint(feather(length, 13), inks.plumes[ink], inks.line, width)
        line = inks.line if not theme.solid else inks.bone
        surface.stroke(quill(length * 0.8, 10, 4), line, width * 0.6, cap="round")
        tip = ellipse(0, -length * 0.86, 1.9, 2.3)
        surface.paint(tip, inks.plumes[(ink + 1) % 3], inks.line, width * 0.7)


def _crown(surface: Surface, theme: Theme) -> None:
    """Plumes behind the headdress, the middle one in front."""
    for step in range(6, -1, -1):
        for side in (-1, 1) if step else (1,):
            turn = side * step * 6.4
            x = MIDDLE + side * step * 9.4
            _plume(surface, theme, x, 52, turn, 43 - step * 0.9, step % 3)


def _headdress(surface: Surface, theme: Theme) -> None:
    """The band that the upper spaces stand on, with a sun in its middle."""
    inks, width = theme.boards, _weight(theme)
    band = _symmetric(
        (70, 31), (66, 31), (66, 36), (8, 36), (8, 69), (26, 69), (26, 73), (34, 73), (34, 77)
    )
    surface.paint(band, inks.shade, inks.line, width)
    x, y = MIDDLE, 52.5
    surface.paint(stepped(x - 22, y - 19, 44, 38, 3.4), inks.plumes[1], inks.line, width)
    surface.paint(ellipse(x, y, 15.5), inks.bone, inks.line, width)
    surface.paint(rays(x, y, 8.6, 14, 16), inks.plumes[0], inks.line, width * 0.5)
    surface.paint(ellipse(x, y, 8.2), inks.plumes[2], inks.line, width)
    surface.paint(stepped(x - 4.2, y - 4.2, 8.4, 8.4, 1.4), inks.plumes[1], inks.line, width)
    surface.paint(ellipse(x, y, 1.7), inks.plumes[0], inks.line, width * 0.7)
    surface.paint(rectangle(38, 73, 110, 9), inks.plumes[0], inks.line, width)
    surface.fill(fret_band(41, 75, 104, 5), inks.bone if theme.solid else inks.line)


def _ears(surface: Surface, theme: Theme) -> None:
    """The plates at the sides, and a pendant below each."""
    inks, width = theme.boards, _weight(theme)
    for ink, turn in ((2, -26), (1, 26), (0, 0)):
        vane, shaft = feather(26, 9.5), quill(21, 8, 3)
        _both(surface, theme, vane.at(21.5, 154, turn=180 + turn), inks.plumes[ink])
        lines = shaft.at(21.5, 154, turn=180 + turn)
        for one in (lines, mirrored(lines)):
            line = inks.bone if theme.solid else inks.line
            surface.stroke(one, line, width * 0.6, cap="round")
    _both(surface, theme, stepped(5.5, 84.5, 32, 57, 1.6), inks.shade)
    _both(surface, theme, ellipse(21.5, 151.5, 9.4), inks.plumes[1])
    _both(surface, theme, ellipse(21.5, 151.5, 6.2), inks.plumes[2])
    _both(surface, theme, ellipse(21.5, 151.5, 2.6), inks.bone)


def _jaw(surface: Surface, theme: Theme) -> None:
    """The lower jaw, down to the chin at the edge of the board."""
    inks, width = theme.boards, _weight(theme)
    jaw = _symmetric(
        (54, 172), (54, 188), (66.5, 188), (66.5, 222), (72, 222), (72, 229), (79, 229), (79, 235.5)
    )
    surface.paint(jaw, inks.shade, inks.line, width)


def _face(surface: Surface, theme: Theme) -> None:
    """The upper face: sockets for the spaces, brows, nose and cheeks."""
    inks, width = theme.boards, _weight(theme)
    face = _symmetric((39, 78), (39, 166), (43, 166), (43, 172), (48, 172), (48, 178))
    surface.paint(face, inks.face, inks.line, width)
    brow = polygon((42, 92), (42, 88), (45, 88), (45, 85), (85, 85), (85, 88), (88, 88), (88, 92))
    _both(surface, theme, brow, inks.plumes[1])
    nose = rounded(
        [(89.5, 86), (96.5, 86), (97.6, 116), (104, 121), (107, 127), (105, 132), (98, 133.5),
         (93, 131), (88, 133.5), (81, 132), (79, 127), (82, 121), (88.4, 116)],
        [1, 1, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4],
    )  # fmt: skip
    surface.paint(nose, inks.shade, inks.line, width)
    _both(surface, theme, ellipse(86, 128, 2.3, 1.6), inks.mouth)
    for i, gem_y in enumerate((91, 98, 105)):
        surface.paint(_gem(gem_y, 2), inks.plumes[1 if i % 2 == 0 else 0], inks.line, width * 0.7)
    for y in (139.5, 145.5, 151.5, 157.5):
        mark = polyline((MIDDLE - 3.6, y), (MIDDLE, y + 2.6), (MIDDLE + 3.6, y))
        surface.stroke(mark, inks.shade if theme.solid else inks.line, width * 2, cap="round")


def _gem(y: float, half: float) -> Path:
    """A lozenge on the middle line."""
    tall = half * 1.4
    return polygon((MIDDLE, y - tall), (MIDDLE + half, y), (MIDDLE, y + tall), (MIDDLE - half, y))


def _mouth(surface: Surface, theme: Theme) -> None:
    """Teeth, fangs, and a forked tongue over the chin."""
    inks, width = theme.boards, _weight(theme)
    mouth = _symmetric((58, 170), (58, 183.5), (71, 183.5), (71, 195))
    surface.paint(mouth, inks.mouth, inks.line, width)
    tongue = smooth(
        [(86, 184), (85.5, 198), (86, 210), (82.5, 220), (84.5, 226.5), (89, 223), (93, 216),
         (97, 223), (101.5, 226.5), (103.5, 220), (100, 210), (100.5, 198), (100, 184), (93, 181)]
    )  # fmt: skip
    surface.paint(tongue, inks.plumes[0], inks.line, width)
    surface.paint(_gem(230, 2.4), inks.plumes[1], inks.line, width * 0.7)
    surface.stroke(polyline((MIDDLE, 188), (MIDDLE, 210)), inks.line, width * 0.7, cap="round")
    for i in range(8):
        x = 68.2 + i * 6.2
        corners = [(x, 169.5), (x + 6.2, 169.5), (x + 5.6, 177), (x + 0.6, 177)]
        tooth = rounded(corners, [0, 0, 2, 2])
        surface.paint(tooth, inks.bone, inks.line, width * 0.8)
    fang = smooth(
        [(59.5, 170), (66.5, 170), (67.5, 180), (71, 192), (75.5, 201), (67.5, 194), (61.5, 183)]
    )
    _both(surface, theme, fang, inks.bone)
    surface.paint(rectangle(50, 165.5, 86, 5.5, 2), inks.plumes[0], inks.line, width)
