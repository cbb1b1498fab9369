"""The Supply board in small: where its spaces lie, and how A.D.A.M. numbers them (ruling 9.6)."""

from __future__ import annotations

from coatl_tools.cards.requirement import SequenceElement
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.component import Design
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import Path, ellipse, polygon, rectangle, stepped
from coatl_tools.printing.drawing.surface import Surface, Type
from coatl_tools.printing.pages.small_pieces import draw_chip
from coatl_tools.printing.pieces.art import draw_piece
from coatl_tools.printing.pieces.shapes import PiecesLayout

WIDTH, HEIGHT = 100.0, 118.0  # the units that the board is drawn in
# Left, top, width and height of each space, with what lies on it.
_SPACES = (
    (5, 86, 29, 17, "RG"), (4, 38, 17, 31, "BB"), (5, 5, 29, 17, "KY"),
    (66, 5, 29, 17, "GR"), (79, 38, 17, 31, "YK"), (66, 86, 29, 17, "RB"),
    (25, 34, 23, 17, "G"), (52, 34, 23, 17, "Y"), (25, 59, 23, 17, "K"), (52, 59, 23, 17, "R"),
)  # fmt: skip
_FIRST_TAIL = 9


def draw_supply_board(surface: Surface, design: Design, height: float) -> None:
    """The board as a mask, its top left corner at the origin."""
    theme, unit = design.theme, height / HEIGHT
    parts = [part.at(0, 0, unit) for part in _mask()]
    for part in parts:
        surface.stroke(part, theme.ink, 0.7)
    for part in parts:
        surface.fill(part, theme.panel if theme.solid else theme.paper)
    _draw_mouth(surface, design, unit)
    for number, (x, y, width, tall, pieces) in enumerate(_SPACES, 1):
        space = Box(x * unit, y * unit, width * unit, tall * unit)
        frame = stepped(space.x, space.y, space.width, space.height, 0.4)
        surface.paint(frame, theme.paper, theme.ink, 0.3)
        _draw_pieces(surface, design, number, pieces, space)
        at = (space.centre[0], space.y)
        surface.paint(ellipse(*at, 1.75), theme.paper, theme.ink, 0.3)
        surface.centred(*at, str(number), Type(fonts.BOLD, 7, theme.ink))


def _mask() -> list[Path]:
    """Brow, face, ears, jaw and chin."""
    jaw = polygon(
        (31, 78), (69, 78), (69, 84), (64, 84), (64, 110), (59, 110), (59, 117), (41, 117),
        (41, 110), (36, 110), (36, 84), (31, 84),
    )  # fmt: skip
    return [
        jaw,
        rectangle(2, 83, 35, 23),
        rectangle(63, 83, 35, 23),
        rectangle(1, 35, 23, 37),
        rectangle(76, 35, 23, 37),
        rectangle(21, 24, 58, 56),
        stepped(1, 1, 98, 24, 1.6),
    ]


def _draw_mouth(surface: Surface, design: Design, unit: float) -> None:
    theme = design.theme
    mouth = rectangle(39, 84, 22, 10).at(0, 0, unit)
    teeth = Path()
    for x in (39.6, 45, 50.4, 55.8):
        teeth += polygon((x, 84), (x + 4.6, 84), (x + 2.3, 89)).at(0, 0, unit)
    surface.paint(mouth, theme.ink if theme.solid else None, theme.ink, 0.3)
    surface.paint(teeth, theme.paper, None if theme.solid else theme.ink, 0.2)


def _draw_pieces(surface: Surface, design: Design, number: int, pieces: str, space: Box) -> None:
    x, y = space.centre
    if len(pieces) == 1:
        shape = design.layouts.read("pieces", PiecesLayout).shape
        head = number < _FIRST_TAIL
        scale = 0.82 * space.width / (shape.head + shape.pitch / 2 + shape.overlap)
        shift = (shape.head - shape.pitch / 2 - shape.overlap) / 2 * scale
        with surface.placed(x + (shift if head else -shift), y + 0.3, scale=scale) as placed:
            kind = PieceKind.HEAD if head else PieceKind.TAIL
            draw_piece(placed, shape, design.theme, kind, Colour[pieces], scale=scale)
        return
    side = 0.66 * min(space.width, space.height)
    for place, letter in zip((-0.57, 0.57), pieces, strict=True):
        along = place * side
        level = space.width > space.height
        at = (x + along, y + 0.7) if level else (x, y + along + 1.0)
        draw_chip(surface, design.theme, SequenceElement(Colour[letter]), at, side)
