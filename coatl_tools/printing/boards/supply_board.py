"""The Supply board (rule 1.4): ten numbered spaces on the mask of a feathered serpent."""

from __future__ import annotations

from collections.abc import Iterator

from coatl_tools.components.components_file import SupplyBoard
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.boards.board_layout import (
    BoardsLayout,
    SupplyBoardLayout,
    SupplySpaceLayout,
    SupplySpacesLayout,
)
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    Path,
    Point,
    ellipse,
    polygon,
    polyline,
    rectangle,
    rounded_polygon,
    scaling,
    smooth_curve,
    stepped_rectangle,
    symmetric_polygon,
    translation,
)
from coatl_tools.printing.drawing.ornaments import feather, fret_band, quill, ray_polygons
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.items import Design, fill_ground
from coatl_tools.printing.layouts import Theme
from coatl_tools.printing.pieces.piece_shapes import PieceShape

MASK_WIDTH, MASK_HEIGHT = 186.0, 240.0
MASK_MIDDLE = MASK_WIDTH / 2


def draw_mask(surface: Surface, theme: Theme, width: float, height: float) -> None:
    """Draw the mask of a board, all but its spaces."""
    with surface.transformed(scaling(width / MASK_WIDTH, height / MASK_HEIGHT)):
        for part in (
            _draw_crown,
            _draw_ears,
            _draw_jaw,
            _draw_upper_face,
            _draw_mouth,
            _draw_headdress,
        ):
            part(surface, theme)


def mirror_path(path: Path) -> Path:
    """Return the mirror image of a path, about the middle line of the mask."""
    return path.transform(translation(2 * MASK_MIDDLE, 0) @ scaling(-1, 1))


def _line_weight(theme: Theme) -> float:
    return 0.55 if theme.solid else 0.3


def _paint_both_sides(
    surface: Surface, theme: Theme, path: Path, fill: str, width: float = 1
) -> None:
    for one in (path, mirror_path(path)):
        surface.paint(one, fill, theme.boards.line, _line_weight(theme) * width)


def _symmetric_outline(*left: Point) -> Path:
    """Return an outline on the mask from its left half, from top to bottom."""
    return symmetric_polygon(*left, middle=MASK_MIDDLE)


def _draw_plume(
    surface: Surface, theme: Theme, x: float, y: float, turn: float, length: float, ink: int
) -> None:
    """Draw a long feather with an eye near its tip."""
    inks, width = theme.boards, _line_weight(theme)
    with surface.at_origin(x, y, turn):
        surface.paint(feather(length, 13), inks.plumes[ink], inks.line, width)
        line = inks.line if not theme.solid else inks.bone
        surface.stroke(quill(length * 0.8, 10, 4), line, width * 0.6, cap="round")
        tip = ellipse(0, -length * 0.86, 1.9, 2.3)
        surface.paint(tip, inks.plumes[(ink + 1) % 3], inks.line, width * 0.7)


def _draw_crown(surface: Surface, theme: Theme) -> None:
    """Draw the plumes behind the headdress, the middle one in front."""
    for step in range(6, -1, -1):
        for side in (-1, 1) if step else (1,):
            turn = side * step * 6.4
            x = MASK_MIDDLE + side * step * 9.4
            _draw_plume(surface, theme, x, 52, turn, 43 - step * 0.9, step % 3)


def _draw_headdress(surface: Surface, theme: Theme) -> None:
    """Draw the band that the upper spaces stand on, with a sun in its middle."""
    inks, width = theme.boards, _line_weight(theme)
    band = _symmetric_outline(
        (70, 31), (66, 31), (66, 36), (8, 36), (8, 69), (26, 69), (26, 73), (34, 73), (34, 77)
    )
    surface.paint(band, inks.shade, inks.line, width)
    x, y = MASK_MIDDLE, 52.5
    surface.paint(stepped_rectangle(x - 22, y - 19, 44, 38, 3.4), inks.plumes[1], inks.line, width)
    surface.paint(ellipse(x, y, 15.5), inks.bone, inks.line, width)
    surface.paint(ray_polygons(x, y, 8.6, 14, 16), inks.plumes[0], inks.line, width * 0.5)
    surface.paint(ellipse(x, y, 8.2), inks.plumes[2], inks.line, width)
    surface.paint(
        stepped_rectangle(x - 4.2, y - 4.2, 8.4, 8.4, 1.4), inks.plumes[1], inks.line, width
    )
    surface.paint(ellipse(x, y, 1.7), inks.plumes[0], inks.line, width * 0.7)
    surface.paint(rectangle(38, 73, 110, 9), inks.plumes[0], inks.line, width)
    surface.fill(fret_band(41, 75, 104, 5), inks.bone if theme.solid else inks.line)


def _draw_ears(surface: Surface, theme: Theme) -> None:
    """Draw the plates at the sides, and a pendant below each."""
    inks, width = theme.boards, _line_weight(theme)
    for ink, turn in ((2, -26), (1, 26), (0, 0)):
        vane, shaft = feather(26, 9.5), quill(21, 8, 3)
        _paint_both_sides(
            surface, theme, vane.place_at(21.5, 154, turn=180 + turn), inks.plumes[ink]
        )
        lines = shaft.place_at(21.5, 154, turn=180 + turn)
        for one in (lines, mirror_path(lines)):
            line = inks.bone if theme.solid else inks.line
            surface.stroke(one, line, width * 0.6, cap="round")
    _paint_both_sides(surface, theme, stepped_rectangle(5.5, 84.5, 32, 57, 1.6), inks.shade)
    _paint_both_sides(surface, theme, ellipse(21.5, 151.5, 9.4), inks.plumes[1])
    _paint_both_sides(surface, theme, ellipse(21.5, 151.5, 6.2), inks.plumes[2])
    _paint_both_sides(surface, theme, ellipse(21.5, 151.5, 2.6), inks.bone)


def _draw_jaw(surface: Surface, theme: Theme) -> None:
    """Draw the lower jaw, down to the chin at the edge of the board."""
    inks, width = theme.boards, _line_weight(theme)
    jaw = _symmetric_outline(
        (54, 172), (54, 188), (66.5, 188), (66.5, 222), (72, 222), (72, 229), (79, 229), (79, 235.5)
    )
    surface.paint(jaw, inks.shade, inks.line, width)


def _draw_upper_face(surface: Surface, theme: Theme) -> None:
    """Draw the upper face: sockets for the spaces, brows, nose and cheeks."""
    inks, width = theme.boards, _line_weight(theme)
    face = _symmetric_outline((39, 78), (39, 166), (43, 166), (43, 172), (48, 172), (48, 178))
    surface.paint(face, inks.face, inks.line, width)
    brow = polygon((42, 92), (42, 88), (45, 88), (45, 85), (85, 85), (85, 88), (88, 88), (88, 92))
    _paint_both_sides(surface, theme, brow, inks.plumes[1])
    nose = rounded_polygon(
        [(89.5, 86), (96.5, 86), (97.6, 116), (104, 121), (107, 127), (105, 132), (98, 133.5),
         (93, 131), (88, 133.5), (81, 132), (79, 127), (82, 121), (88.4, 116)],
        [1, 1, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4],
    )  # fmt: skip
    surface.paint(nose, inks.shade, inks.line, width)
    _paint_both_sides(surface, theme, ellipse(86, 128, 2.3, 1.6), inks.mouth)
    for i, gem_y in enumerate((91, 98, 105)):
        surface.paint(
            _lozenge_path(gem_y, 2), inks.plumes[1 if i % 2 == 0 else 0], inks.line, width * 0.7
        )
    for y in (139.5, 145.5, 151.5, 157.5):
        mark = polyline((MASK_MIDDLE - 3.6, y), (MASK_MIDDLE, y + 2.6), (MASK_MIDDLE + 3.6, y))
        surface.stroke(mark, inks.shade if theme.solid else inks.line, width * 2, cap="round")


def _lozenge_path(y: float, half: float) -> Path:
    """Return a lozenge on the middle line."""
    tall = half * 1.4
    return polygon(
        (MASK_MIDDLE, y - tall),
        (MASK_MIDDLE + half, y),
        (MASK_MIDDLE, y + tall),
        (MASK_MIDDLE - half, y),
    )


def _draw_mouth(surface: Surface, theme: Theme) -> None:
    """Draw teeth, fangs, and a forked tongue over the chin."""
    inks, width = theme.boards, _line_weight(theme)
    mouth = _symmetric_outline((58, 170), (58, 183.5), (71, 183.5), (71, 195))
    surface.paint(mouth, inks.mouth, inks.line, width)
    tongue = smooth_curve(
        [(86, 184), (85.5, 198), (86, 210), (82.5, 220), (84.5, 226.5), (89, 223), (93, 216),
         (97, 223), (101.5, 226.5), (103.5, 220), (100, 210), (100.5, 198), (100, 184), (93, 181)]
    )  # fmt: skip
    surface.paint(tongue, inks.plumes[0], inks.line, width)
    surface.paint(_lozenge_path(230, 2.4), inks.plumes[1], inks.line, width * 0.7)
    surface.stroke(
        polyline((MASK_MIDDLE, 188), (MASK_MIDDLE, 210)), inks.line, width * 0.7, cap="round"
    )
    for i in range(8):
        x = 68.2 + i * 6.2
        corners = [(x, 169.5), (x + 6.2, 169.5), (x + 5.6, 177), (x + 0.6, 177)]
        tooth = rounded_polygon(corners, [0, 0, 2, 2])
        surface.paint(tooth, inks.bone, inks.line, width * 0.8)
    fang = smooth_curve(
        [(59.5, 170), (66.5, 170), (67.5, 180), (71, 192), (75.5, 201), (67.5, 194), (61.5, 183)]
    )
    _paint_both_sides(surface, theme, fang, inks.bone)
    surface.paint(rectangle(50, 165.5, 86, 5.5, 2), inks.plumes[0], inks.line, width)


def draw_supply_board(surface: Surface, design: Design, board: SupplyBoard) -> None:
    """Draw the whole board."""
    theme = design.theme
    layout = design.layouts.load("boards", BoardsLayout).supply
    draw_board_ground(surface, theme, layout.width, layout.height)
    draw_mask(surface, theme, layout.width, layout.height)
    for number, (kind, spaces, place) in enumerate(list_spaces(layout, board), 1):
        pieces = board.bodies_per_space if kind is PieceKind.BODY else 1
        _draw_space(surface, design, kind, spaces, place, pieces)
        _draw_number(surface, theme, layout, place, number)
    _draw_legend(surface, design, layout)


def list_spaces(
    layout: SupplyBoardLayout, board: SupplyBoard
) -> Iterator[tuple[PieceKind, SupplySpacesLayout, SupplySpaceLayout]]:
    """List the spaces in the order of their numbers (ruling 9.6): bodies, heads, tails."""
    for kind, spaces, count in (
        (PieceKind.BODY, layout.body, board.body_spaces),
        (PieceKind.HEAD, layout.head, board.head_spaces),
        (PieceKind.TAIL, layout.tail, board.tail_spaces),
    ):
        yield from ((kind, spaces, place) for place in spaces.places[:count])


def outline_ghost_pieces(shape: PieceShape, kind: PieceKind, pieces: int) -> list[Path]:
    """Return the outlines of a space's pieces, hooked together, centred on the origin."""
    outline = shape.outline(kind)
    left, _, right, _ = outline.bounds
    span = right - left + (pieces - 1) * shape.pitch
    return [outline.place_at(-left - span / 2 + i * shape.pitch, 0) for i in range(pieces)]


def draw_board_ground(surface: Surface, theme: Theme, width: float, height: float) -> None:
    """Fill the background of a board."""
    if theme.solid:
        fill_ground(surface, width, height, theme.paper)


def _draw_space(
    surface: Surface,
    design: Design,
    kind: PieceKind,
    spaces: SupplySpacesLayout,
    place: SupplySpaceLayout,
    pieces: int,
) -> None:
    theme, shape = design.theme, design.piece_shape
    inks, box = theme.boards, spaces.space_box(place)
    field = box.stepped_outline(1.2)
    surface.paint(field, inks.field, theme.ink, 0.6 if theme.solid else 0.4)
    marks = Path()
    for ghost in outline_ghost_pieces(shape, kind, pieces):
        marks += ghost
    marks += _outline_ghost_features(shape, kind)
    surface.stroke(marks.place_at(place.x, place.y, turn=place.turn), inks.ghost, 0.4, cap="round")


def _outline_ghost_features(shape: PieceShape, kind: PieceKind) -> Path:
    """Return the lines that identify a head (eye and mouth) or a tail (quills)."""
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
    surface: Surface, theme: Theme, layout: SupplyBoardLayout, place: SupplySpaceLayout, number: int
) -> None:
    disc = ellipse(place.disc_x, place.disc_y, layout.disc)
    surface.paint(disc, theme.boards.bone, theme.ink, 0.5 if theme.solid else 0.35)
    type_ = FontStyle(fonts.BOLD, layout.number, theme.ink)
    surface.draw_centred_text(place.disc_x, place.disc_y, str(number), type_)


def _draw_legend(surface: Surface, design: Design, layout: SupplyBoardLayout) -> None:
    theme, label = design.theme, design.language.label
    layout.title.draw_text(surface, design, label("board_supply"), theme.ink, fonts.BLACK)
    layout.hint.draw_text(surface, design, label("board_take"), theme.ink)
    layout.note.draw_text(surface, design, label("board_refill"), theme.ink)
