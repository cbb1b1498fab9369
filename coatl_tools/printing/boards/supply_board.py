"""The Supply board (rule 1.4): ten numbered spaces on a mask."""

from __future__ import annotations

from collections.abc import Iterator

from coatl_tools.cards.components import SupplyBoard
from coatl_tools.errors import CardDataError
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.boards.layout import BoardsLayout, Place, Spaces, SupplyLayout
from coatl_tools.printing.boards.mask import draw_mask
from coatl_tools.printing.component import BLEED, Design
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.paths import Path, ellipse, polyline, rectangle, stepped
from coatl_tools.printing.drawing.surface import Surface, Type
from coatl_tools.printing.pieces.shapes import PieceShape, PiecesLayout
from coatl_tools.printing.theme import Theme


def draw_supply_board(surface: Surface, design: Design, board: SupplyBoard) -> None:
    """Draw the whole board."""
    theme = design.theme
    layout = design.layouts.read("boards", BoardsLayout).supply
    shape = design.layouts.read("pieces", PiecesLayout).shape
    draw_ground(surface, theme, layout.width, layout.height)
    draw_mask(surface, theme, layout.width, layout.height)
    for number, (kind, spaces, place) in enumerate(spaces_of(layout, board), 1):
        pieces = board.bodies_per_space if kind is PieceKind.BODY else 1
        _draw_space(surface, theme, shape, kind, spaces, place, pieces)
        _draw_number(surface, theme, layout, place, number)
    _draw_legend(surface, design, layout)


def spaces_of(
    layout: SupplyLayout, board: SupplyBoard
) -> Iterator[tuple[PieceKind, Spaces, Place]]:
    """The spaces in the order of their numbers (ruling 9.6): bodies, heads, tails."""
    for kind, spaces, count in (
        (PieceKind.BODY, layout.body, board.body_spaces),
        (PieceKind.HEAD, layout.head, board.head_spaces),
        (PieceKind.TAIL, layout.tail, board.tail_spaces),
    ):
        if count > len(spaces.places):
            problem = f"boards.json: supply.{kind.value}.places: {count} are needed"
            raise CardDataError("print.layout_problems", problems=(problem,))
        yield from ((kind, spaces, place) for place in spaces.places[:count])


def ghosts(shape: PieceShape, kind: PieceKind, pieces: int) -> list[Path]:
    """The outlines of the pieces of a space, hooked into each other, about its middle."""
    outline = shape.outline(kind)
    left, _, right, _ = outline.bounds
    span = right - left + (pieces - 1) * shape.pitch
    return [outline.at(-left - span / 2 + i * shape.pitch, 0) for i in range(pieces)]


def draw_ground(surface: Surface, theme: Theme, width: float, height: float) -> None:
    """The paper of a board."""
    if theme.solid:
        with surface.background():
            ground = rectangle(-BLEED, -BLEED, width + 2 * BLEED, height + 2 * BLEED)
            surface.fill(ground, theme.paper)


def _draw_space(
    surface: Surface,
    theme: Theme,
    shape: PieceShape,
    kind: PieceKind,
    spaces: Spaces,
    place: Place,
    pieces: int,
) -> None:
    inks, box = theme.boards, spaces.box(place)
    field = stepped(box.x, box.y, box.width, box.height, 1.2)
    surface.paint(field, inks.field, theme.ink, 0.6 if theme.solid else 0.4)
    marks = Path()
    for ghost in ghosts(shape, kind, pieces):
        marks += ghost
    marks += _features(shape, kind)
    surface.stroke(marks.at(place.x, place.y, turn=place.turn), inks.ghost, 0.4, cap="round")


def _features(shape: PieceShape, kind: PieceKind) -> Path:
    """What tells the ghost of a head or a tail at first sight: an eye and a mouth, or quills."""
    left, _, right, _ = shape.outline(kind).bounds
    x, half = -(left + right) / 2, shape.height / 2
    if kind is PieceKind.HEAD:
        eye = ellipse(x - 0.56 * shape.head, -0.3 * half, 2.2)
        jaw = [(x - 0.97 * shape.head, 0.28 * half), (x - 0.46 * shape.head, 0.42 * half)]
        return eye + polyline(*jaw)
    quills = Path()
    if kind is PieceKind.TAIL:
        for tip_x, tip_y in ((0.7, -0.68), (0.88, 0.0), (0.7, 0.68)):
            foot = (x + 0.4 * shape.tail, 0.34 * tip_y * half)
            quills += polyline(foot, (x + tip_x * shape.tail, tip_y * half))
    return quills


def _draw_number(
    surface: Surface, theme: Theme, layout: SupplyLayout, place: Place, number: int
) -> None:
    disc = ellipse(place.disc_x, place.disc_y, layout.disc)
    surface.paint(disc, theme.boards.bone, theme.ink, 0.5 if theme.solid else 0.35)
    type_ = Type(fonts.BOLD, layout.number, theme.ink)
    surface.centred(place.disc_x, place.disc_y, str(number), type_)


def _draw_legend(surface: Surface, design: Design, layout: SupplyLayout) -> None:
    theme, label = design.theme, design.language.label
    layout.title.write(surface, design, label("board_supply"), theme.ink, fonts.BLACK)
    layout.hint.write(surface, design, label("board_take"), theme.ink)
    layout.note.write(surface, design, label("board_refill"), theme.ink)
