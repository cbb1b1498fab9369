"""The scoreboard (rule 5.3): a serpent of numbered cells that winds upwards, head at the end."""

from __future__ import annotations

from typing import NamedTuple

from coatl_tools.components.components_file import ComponentsFile
from coatl_tools.pieces import Colour
from coatl_tools.printing.boards.board_layout import BoardsLayout, ScoreboardLayout, TokensLayout
from coatl_tools.printing.boards.supply_board import draw_board_ground
from coatl_tools.printing.boards.tokens import octagon_path
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    Box,
    Path,
    Point,
    ellipse,
    polygon,
    polyline,
    rounded_polygon,
    smooth_curve,
)
from coatl_tools.printing.drawing.ornaments import colour_symbol, feather
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Theme

FIVES, TENS = 5, 10
HEAD_ROW_HEIGHT = 24  # the head is drawn for rows of this height
_LOZENGE = ((0, -2.4), (1.7, 0), (0, 2.4), (-1.7, 0))


class TrackCell(NamedTuple):
    """A position of the track: its number, its place, and which way the track runs there."""

    number: int
    box: Box
    ahead: int


def draw_scoreboard(surface: Surface, design: Design, components: ComponentsFile) -> None:
    """Draw the track, and the slots for tokens that lie with their number up."""
    boards = design.layouts.load("boards", BoardsLayout)
    layout, theme = boards.score, design.theme
    last = components.scoreboard.last_position
    token = components.sacrifice_tokens.back
    draw_board_ground(surface, theme, boards.supply.width, boards.supply.height)
    _draw_serpent(surface, theme, layout)
    for cell in list_track_cells(layout, last):
        _draw_cell(surface, theme, layout, cell)
    _draw_slots(surface, design, layout, boards.supply.width, token)
    label = design.language.label
    layout.title.draw_text(surface, design, label("board_score"), theme.ink, fonts.BLACK)
    layout.note.draw_text(surface, design, label("board_score_how", token), theme.ink)


def list_track_cells(layout: ScoreboardLayout, last: int) -> list[TrackCell]:
    """List the cells of the track: from the lowest row up, to and fro."""
    columns = -(-last // layout.rows)
    width = layout.width / columns
    found = []
    for number in range(1, last + 1):
        row, column = divmod(number - 1, columns)
        ahead = 1 if row % 2 == 0 else -1
        x = layout.x + (column if ahead > 0 else columns - 1 - column) * width
        found.append(
            TrackCell(number, Box(x, _find_row_top(layout, row), width, layout.row), ahead)
        )
    return found


def _find_row_top(layout: ScoreboardLayout, row: int) -> float:
    """Return the y of a row's upper edge; row 0 is the lowest, and the head is above the last."""
    return layout.y + (layout.rows - 1 - row) * (layout.row + layout.gap)


def _serpent_outline(layout: ScoreboardLayout) -> Path:
    """Return the outline of the serpent without head and tail, with bends at both sides."""
    left, right = layout.x - layout.bulge, layout.x + layout.width + layout.bulge
    notch = layout.bulge + layout.row * 0.62
    outer, inner = layout.row / 2, layout.gap / 2
    points: list[Point] = [(layout.x, _find_row_top(layout, 0) + layout.row)]
    radii = [2.5]
    back: list[Point] = [(layout.x, _find_row_top(layout, 0))]
    back_radii = [2.5]
    for row in range(layout.rows):
        low, top = _find_row_top(layout, row) + layout.row, _find_row_top(layout, row + 1)
        side, other = (right, right - notch) if row % 2 == 0 else (left, left + notch)
        outside = [(side, low), (side, top)]
        inside = [(other, low - layout.row), (other, top + layout.row)]
        if row % 2 == 0:
            points, radii = points + outside, [*radii, outer, outer]
            back, back_radii = back + inside, [*back_radii, inner, inner]
        else:
            points, radii = points + inside, [*radii, inner, inner]
            back, back_radii = back + outside, [*back_radii, outer, outer]
    neck = right - layout.head + 24
    points, radii = [*points, (neck, _find_row_top(layout, layout.rows))], [*radii, 0.0]
    back = [*back, (neck, _find_row_top(layout, layout.rows) + layout.row)]
    return rounded_polygon([*points, *reversed(back)], [*radii, 0.0, *reversed(back_radii)])


def _draw_serpent(surface: Surface, theme: Theme, layout: ScoreboardLayout) -> None:
    inks = theme.boards
    width = 0.6 if theme.solid else 0.35
    _draw_tail(surface, theme, layout)
    surface.paint(_serpent_outline(layout), inks.face, inks.line, width)
    _draw_bends(surface, theme, layout)
    _draw_head(surface, theme, layout)


def _draw_bends(surface: Surface, theme: Theme, layout: ScoreboardLayout) -> None:
    """Draw two arrow heads in each bend, pointing along the track."""
    inks = theme.boards
    width = 0.9 if theme.solid else 0.4
    inside = layout.bulge + layout.row * 0.62
    for row in range(layout.rows):
        side = 1 if row % 2 == 0 else -1
        edge = layout.x + (layout.width + layout.bulge if side > 0 else -layout.bulge)
        x, y = edge - side * inside / 2, _find_row_top(layout, row) - layout.gap / 2
        last = row == layout.rows - 1  # no way on from there: the head is no cell
        for i in range(0 if last else 2):
            chevron = polyline(*((x + dx, y - 2.2 + i * 3 + abs(dx) * 0.36) for dx in (-5, 0, 5)))
            surface.stroke(chevron, inks.bone if theme.solid else theme.ink, width, cap="round")
        for dy in (0, 6, 12, 18) if last else (-18, -12, 12, 18):
            scale = polygon(*((edge - side * 4 + sx, y + dy + sy) for sx, sy in _LOZENGE))
            surface.paint(scale, inks.shade, None if theme.solid else inks.line, 0.3)


def _draw_tail(surface: Surface, theme: Theme, layout: ScoreboardLayout) -> None:
    """Draw three pointed feathers before position 1."""
    inks, reach = theme.boards, layout.bulge
    wide, y = layout.row / 3, _find_row_top(layout, 0) + layout.row / 2
    line = inks.bone if theme.solid else inks.line
    for ink, side, length in ((2, -1, 0.84), (2, 1, 0.84), (0, 0, 1.0)):
        tip, root = -reach * length, reach * 0.4
        vane = rounded_polygon(
            [(root, -wide / 2), (0.45 * tip, -wide / 2), (tip, 0), (0.45 * tip, wide / 2),
             (root, wide / 2)],
            [0, 2.5, 0.8, 2.5, 0],
        )  # fmt: skip
        with surface.at_origin(layout.x, y + side * wide):
            surface.paint(vane, inks.plumes[ink], inks.line, 0.5)
            barbs = polyline((0, 0), (0.8 * tip, 0))
            for part in (0.05, 0.32):
                for dy in (-1.9, 1.9):
                    barbs += polyline((part * tip, 0), ((part + 0.22) * tip, dy))
            surface.stroke(barbs, line, 0.35, cap="round")


def _draw_head(surface: Surface, theme: Theme, layout: ScoreboardLayout) -> None:
    """Draw a head in profile above the last row, looking back over the track."""
    inks = theme.boards
    width = 0.6 if theme.solid else 0.35
    top = _find_row_top(layout, layout.rows)
    right = layout.x + layout.width + layout.bulge
    with surface.at_origin(right - layout.head, top, scale=layout.row / HEAD_ROW_HEIGHT):
        for ink, start, turn in ((2, 47, -62), (1, 44, -78), (0, 42, -95), (2, 42, -112)):
            with surface.at_origin(start - 6, HEAD_ROW_HEIGHT / 2, turn + 180):
                surface.paint(feather(20, 8), inks.plumes[ink], inks.line, width * 0.8)
        tongue = smooth_curve(
            [(9, 18), (3, 17.4), (-3, 15), (0, 18.4), (-4, 21), (3, 19.4), (9, 20)]
        )
        surface.paint(tongue, inks.plumes[0], inks.line, width * 0.8)
        jaw = rounded_polygon(
            [(4, 17), (30, 17), (40, 15), (38, 24), (12, 24), (7, 22)], [1, 2, 2, 6, 3, 2]
        )
        surface.paint(jaw, inks.shade, inks.line, width)
        skull = rounded_polygon(
            [(0.5, 16), (0.5, 10), (3, 6), (12, 3), (22, 0), (40, 0), (42, 12), (40, 18),
             (30, 17.5), (16, 16.5), (4, 18)],
            [1.5, 2, 3, 4, 4, 5, 4, 3, 2, 2, 1],
        )  # fmt: skip
        surface.paint(skull, inks.face, inks.line, width)
        for i in range(5):
            x = 4.5 + i * 4.2
            tooth = polygon((x, 16.7), (x + 2.6, 16.6), (x + 1.3, 20))
            surface.paint(tooth, inks.bone, inks.line, width * 0.7)
        surface.paint(ellipse(22, 7.6, 4.2), inks.plumes[1], inks.line, width)
        surface.paint(ellipse(22, 7.6, 2.7), inks.bone, inks.line, width * 0.7)
        surface.fill(ellipse(21.3, 7.8, 1.3), theme.ink)
        surface.fill(ellipse(4.4, 9.4, 0.9, 0.7), theme.ink)


def _draw_cell(surface: Surface, theme: Theme, layout: ScoreboardLayout, cell: TrackCell) -> None:
    """Draw a cell whose borders point ahead; fives and tens stand out."""
    inks, box, number = theme.boards, cell.box, cell.number
    tip = layout.chevron * cell.ahead
    pad = 1.3
    top, low = box.y + pad, box.bottom - pad
    middle = (top + low) / 2
    left, right = box.x + 0.4, box.right - 0.4
    shape = polygon(
        (left, top), (right, top), (right + tip, middle), (right, low), (left, low),
        (left + tip, middle),
    )  # fmt: skip
    fill, ink, size = inks.pale, theme.ink, layout.number
    if number % TENS == 0:
        fill, size = inks.plumes[0], layout.tenth
        ink = inks.bone if theme.solid else theme.accent
    elif number % FIVES == 0:
        fill, size = inks.plumes[1], layout.fifth
    heavy = 0.7 if number % FIVES == 0 else 0.35
    surface.paint(shape, fill, inks.line, 0.35 if theme.solid else heavy)
    type_ = FontStyle(fonts.BOLD, size, ink)
    surface.draw_centred_text(box.centre[0] + tip / 4, box.y + layout.number_y, str(number), type_)


def _draw_slots(
    surface: Surface, design: Design, layout: ScoreboardLayout, width: float, number: int
) -> None:
    """Draw a slot for a token of each colour."""
    theme = design.theme
    size = design.layouts.load("tokens", TokensLayout).sacrifice.size
    first = width / 2 - layout.slot_pitch * (len(Colour) - 1) / 2
    for colour in Colour:
        x, y = first + colour * layout.slot_pitch, layout.slot_y + size / 2
        inks = theme.piece(colour)
        edge = inks.shade if theme.solid else inks.line
        surface.paint(octagon_path(x, y, size / 2), theme.boards.field, edge, 0.6)
        disc = ellipse(x, y - 4.2, 5.4)
        surface.paint(disc, inks.fill, inks.line, 0.4)
        surface.fill(colour_symbol(colour, x, y - 4.2, 2.9), inks.symbol)
        type_ = FontStyle(fonts.BOLD, layout.slot_number, theme.ink)
        surface.draw_centred_text(x, y + 7.2, f"+{number}", type_)
