"""The figures in running text: a labelled Cóatl, the contents, the deal, actions, Supply board,
signs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from coatl_tools.cards.requirement import (
    Absent,
    Equal,
    Length,
    PieceSequence,
    Requirement,
    SequenceElement,
)
from coatl_tools.components.components_file import ComponentsFile
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    Box,
    Path,
    ellipse,
    polygon,
    polyline,
    rectangle,
    stepped_rectangle,
    symmetric_polygon,
)
from coatl_tools.printing.drawing.surface import FontStyle, Surface, TextOverflowError
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Theme
from coatl_tools.printing.pages.page_icons import (
    PAGE_ICONS,
    draw_arrow,
    draw_piece_chip,
    draw_small_requirement,
)
from coatl_tools.printing.pages.page_layout import PagesLayout
from coatl_tools.printing.pages.page_text import FigureBlock, TextRun
from coatl_tools.printing.pages.typesetting import ParagraphStyle, TypesetBlock, typeset_paragraph
from coatl_tools.printing.pieces.piece_drawing import draw_piece
from coatl_tools.rules.constants import PROPHECIES_DEALT, PROPHECIES_KEPT

BOARD_WIDTH, BOARD_HEIGHT = 100.0, 118.0  # the units that the board is drawn in
# Left, top, width and height of each space, with what lies on it.
_BOARD_SPACES = (
    (5, 86, 29, 17, "RG"),
    (4, 38, 17, 31, "BB"),
    (5, 5, 29, 17, "KY"),
    (66, 5, 29, 17, "GR"),
    (79, 38, 17, 31, "YK"),
    (66, 86, 29, 17, "RB"),
    (25, 34, 23, 17, "G"),
    (52, 34, 23, 17, "Y"),
    (25, 59, 23, 17, "K"),
    (52, 59, 23, 17, "R"),
)
_FIRST_TAIL = 9


def draw_small_supply_board(surface: Surface, design: Design, height: float) -> None:
    """Draw the board as a mask, its top left corner at the origin."""
    theme, unit = design.theme, height / BOARD_HEIGHT
    parts = [part.place_at(0, 0, unit) for part in _mask_outlines()]
    for part in parts:
        surface.stroke(part, theme.ink, 0.7)
    for part in parts:
        surface.fill(part, theme.panel if theme.solid else theme.paper)
    _draw_mask_mouth(surface, design, unit)
    for number, (x, y, width, tall, pieces) in enumerate(_BOARD_SPACES, 1):
        space = Box(x * unit, y * unit, width * unit, tall * unit)
        frame = space.stepped_outline(0.4)
        surface.paint(frame, theme.paper, theme.ink, 0.3)
        _draw_space_pieces(surface, design, number, pieces, space)
        at = (space.centre[0], space.y)
        surface.paint(ellipse(*at, 1.75), theme.paper, theme.ink, 0.3)
        surface.draw_centred_text(*at, str(number), FontStyle(fonts.BOLD, 7, theme.ink))


def _mask_outlines() -> list[Path]:
    """Return the outlines of brow, face, ears, jaw and chin."""
    jaw = symmetric_polygon(
        (31, 78), (31, 84), (36, 84), (36, 110), (41, 110), (41, 117), middle=BOARD_WIDTH / 2
    )
    return [
        jaw,
        rectangle(2, 83, 35, 23),
        rectangle(63, 83, 35, 23),
        rectangle(1, 35, 23, 37),
        rectangle(76, 35, 23, 37),
        rectangle(21, 24, 58, 56),
        stepped_rectangle(1, 1, 98, 24, 1.6),
    ]


def _draw_mask_mouth(surface: Surface, design: Design, unit: float) -> None:
    theme = design.theme
    mouth = rectangle(39, 84, 22, 10).place_at(0, 0, unit)
    teeth = Path()
    for x in (39.6, 45, 50.4, 55.8):
        teeth += polygon((x, 84), (x + 4.6, 84), (x + 2.3, 89)).place_at(0, 0, unit)
    surface.paint(mouth, theme.ink if theme.solid else None, theme.ink, 0.3)
    surface.paint(teeth, theme.paper, None if theme.solid else theme.ink, 0.2)


def _draw_space_pieces(
    surface: Surface, design: Design, number: int, pieces: str, space: Box
) -> None:
    x, y = space.centre
    if len(pieces) == 1:
        shape = design.piece_shape
        head = number < _FIRST_TAIL
        scale = 0.82 * space.width / (shape.head + shape.pitch / 2 + shape.overlap)
        shift = (shape.head - shape.pitch / 2 - shape.overlap) / 2 * scale
        with surface.at_origin(x + (shift if head else -shift), y + 0.3, scale=scale) as placed:
            kind = PieceKind.HEAD if head else PieceKind.TAIL
            draw_piece(placed, design, kind, Colour[pieces], scale=scale)
        return
    side = 0.66 * min(space.width, space.height)
    for place, letter in zip((-0.57, 0.57), pieces, strict=True):
        along = place * side
        level = space.width > space.height
        at = (x + along, y + 0.7) if level else (x, y + along + 1.0)
        draw_piece_chip(surface, design.theme, SequenceElement(Colour[letter]), at, side)


FigureLabels = Sequence[str]


@dataclass(frozen=True)
class PageContext:
    """The design, layout and type size that figures and text are set with."""

    design: Design
    layout: PagesLayout
    components: ComponentsFile
    size: float

    def with_size(self, size: float) -> PageContext:
        """Return the context with another text size, in points."""
        return replace(self, size=size)

    @property
    def theme(self) -> Theme:
        """The inks."""
        return self.design.theme

    @property
    def style(self) -> ParagraphStyle:
        """The style of running text."""
        return ParagraphStyle(self.theme, self.size, self.layout.type.leading)

    @property
    def label_style(self) -> FontStyle:
        """The type inside figures."""
        return FontStyle(fonts.SEMIBOLD, self.layout.type.label, self.theme.ink, 1.1)


def typeset_figure(setting: PageContext, figure: FigureBlock, width: float) -> TypesetBlock:
    """Make a figure for running text, ready to be drawn in a column of this width."""
    height, draw = _FIGURE_MAKERS[figure.name](setting, figure.labels, width)
    return TypesetBlock(height, draw, space_above=setting.layout.space.figure)


_FigureDrawing = tuple[float, Callable[[Surface, float, float], None]]


def bracket_path(begin: float, end: float, y: float, drop: float = 1.2) -> Path:
    """Return a bracket that opens upwards."""
    return polyline((begin, y - drop), (begin, y), (end, y), (end, y - drop))


def _make_coatl_figure(setting: PageContext, labels: FigureLabels, width: float) -> _FigureDrawing:
    """Make a Cóatl with its parts labelled, and an arrow for the reading direction."""
    shape, theme, scale = setting.design.piece_shape, setting.theme, setting.layout.figures.piece
    colours = (Colour.G, Colour.R, Colour.Y, Colour.B, Colour.K, Colour.G)
    length = (shape.head + (len(colours) - 1) * shape.pitch + shape.tail) * scale
    scale *= min(1.0, width / length)
    length = min(length, width)
    tall, label = shape.height * scale, setting.label_style
    height = tall + 2 + 1.2 + label.line_distance + 0.6

    def draw(surface: Surface, x: float, y: float) -> None:
        left = x + (width - length) / 2
        first = left + shape.head * scale
        for index, colour in enumerate(colours):
            kind = PieceKind.BODY
            if index in (0, len(colours) - 1):
                kind = PieceKind.HEAD if index == 0 else PieceKind.TAIL
            at = first + index * shape.pitch * scale
            with surface.at_origin(at, y + tall / 2, scale=scale) as placed:
                draw_piece(placed, setting.design, kind, colour, scale=scale)
        step = shape.pitch * scale
        edges = (left, first + step / 2, first + (len(colours) - 1.5) * step, left + length)
        under = y + tall + 2
        for text, (edge, next_edge) in zip(labels, pairwise(edges), strict=True):
            begin, end = edge + 0.8, next_edge - 0.8
            surface.stroke(bracket_path(begin, end, under), theme.muted, 0.3)
            box = Box(begin - 3, under + 0.8, end - begin + 6, label.line_distance + 0.4)
            surface.draw_fitted_text(box, text, label, smallest=7, align="centre")

    return height, draw


def _make_contents_figure(
    setting: PageContext, labels: FigureLabels, width: float
) -> _FigureDrawing:
    """Make the figure of what is in the box, with pictures and numbers."""
    have, theme = setting.components, setting.theme
    colours = len(Colour)
    things = (
        ("head", colours * have.pieces.head),
        ("body", colours * have.pieces.body),
        ("tail", colours * have.pieces.tail),
        ("prophecy", have.totals.prophecy),
        ("temple", have.totals.temple),
        ("token", have.totals.sacrifice_tokens),
        ("supply", 1),
        ("board", have.player_boards.count),
        ("marker", have.first_player_markers),
    )
    cell_width, cell = width / 3, 12.4

    def draw(surface: Surface, x: float, y: float) -> None:
        for index, (icon, number) in enumerate(things):
            left, top = x + index % 3 * cell_width, y + index // 3 * cell
            with surface.at_origin(left + 6, top + cell / 2) as placed:
                PAGE_ICONS[icon](placed, setting.design)
            text = left + 13.2
            surface.draw_text(text, top + 4.9, str(number), FontStyle(fonts.BLACK, 11, theme.ink))
            room = cell_width - (13.2 if index % 3 == 2 else 15)  # keep off the next picture
            box = Box(text, top + 5.6, room, cell - 5.7)
            surface.draw_fitted_text(
                box, labels[index], setting.label_style.with_size(7.5), smallest=6.5
            )

    return 3 * cell, draw


def _make_deal_figure(setting: PageContext, labels: FigureLabels, width: float) -> _FigureDrawing:
    """Make the table of how many Prophecy cards everyone is dealt (rule 2.4)."""
    theme, label = setting.theme, setting.label_style
    row, head = 5.4, width * 0.34
    player, *numbers, dealt, kept = labels
    column = (width - head) / len(PROPHECIES_DEALT)
    rows = (
        (player, numbers),
        (dealt, [str(number) for number in PROPHECIES_DEALT]),
        (kept, [str(PROPHECIES_KEPT)] * len(PROPHECIES_DEALT)),
    )

    def draw(surface: Surface, x: float, y: float) -> None:
        plate = rectangle(x, y, width, row)
        surface.paint(plate, theme.panel if theme.solid else None, None)
        for index, (title, cells) in enumerate(rows):
            top = y + index * row
            box = Box(x + 1.5, top + 0.3, head - 2, row - 0.6)
            surface.draw_fitted_text(box, title, label, smallest=6.5, vertical="middle")
            for place, text in enumerate(cells):
                at = x + head + (place + 0.5) * column
                type_ = label if index == 0 else label.with_size(9.5)
                surface.draw_centred_text(at, top + row / 2, text, type_)
            line = polyline((x, top + row), (x + width, top + row))
            surface.stroke(line, theme.muted, 0.2)

    return row * len(rows), draw


def _make_actions_figure(
    setting: PageContext, labels: FigureLabels, width: float
) -> _FigureDrawing:
    """Make the figure of the four actions."""
    theme, gap, tall = setting.theme, 2.0, 13.0
    cell = (width - 3 * gap) / 4
    below = 8.2

    def draw(surface: Surface, x: float, y: float) -> None:
        for index, icon in enumerate(("take", "choose", "assemble", "token")):
            left = x + index * (cell + gap)
            plate = stepped_rectangle(left, y, cell, tall, 1.1)
            surface.paint(plate, theme.panel if theme.solid else None, theme.ink, 0.3)
            with surface.at_origin(left + cell / 2, y + tall / 2) as placed:
                PAGE_ICONS[icon](placed, setting.design)
            box = Box(left, y + tall + 0.8, cell, below - 0.8)
            surface.draw_fitted_text(
                box, labels[index], setting.label_style, smallest=7, align="centre"
            )

    return tall + below, draw


def _make_supply_figure(setting: PageContext, labels: FigureLabels, width: float) -> _FigureDrawing:
    """Make a small Supply board, numbered as A.D.A.M. counts its spaces (ruling 9.6)."""
    theme, tall = setting.theme, setting.layout.figures.board
    wide = tall * BOARD_WIDTH / BOARD_HEIGHT
    rows = tuple(zip(("1–6", "7–8", "9–10"), labels, strict=False))

    def draw(surface: Surface, x: float, y: float) -> None:
        with surface.at_origin(x, y + 2) as placed:
            draw_small_supply_board(placed, setting.design, tall)
        left = x + wide + 5
        row = (tall - 8) / len(rows)
        for index, (numbers, label) in enumerate(rows):
            middle = y + 2 + (index + 0.5) * row
            mark = FontStyle(fonts.BLACK, 10, theme.accent)
            surface.draw_text(left, middle + mark.cap_height / 2, numbers, mark)
            box = Box(left + 10, middle - row / 2, x + width - left - 10, row)
            surface.draw_fitted_text(
                box, label, setting.label_style, smallest=6.5, vertical="middle"
            )
        foot = y + 2 + tall - 1.8
        draw_arrow(surface, theme.muted, (left - 1, foot), (x + wide * 0.6, foot), 0.3)
        box = Box(left, foot - 3.8, x + width - left, 7.6)
        muted = FontStyle(fonts.ITALIC, setting.label_style.size, theme.muted, 1.1)
        surface.draw_fitted_text(box, labels[3], muted, smallest=6.5, vertical="middle")

    return tall + 2, draw


# Of each sign an example: a run, a white run, crossed out, equal, exactly, none.
SIGN_EXAMPLES: tuple[Requirement, ...] = (
    PieceSequence((SequenceElement(Colour.R, run=True),)),
    PieceSequence((SequenceElement(None, run=True),)),
    PieceSequence((SequenceElement(Colour.B),), before=Colour.B),
    Equal(Colour.R, Colour.Y),
    Length(9),
    Absent(Colour.G),
)


def _make_signs_figure(setting: PageContext, labels: FigureLabels, width: float) -> _FigureDrawing:
    """Make the figure that explains the signs on cards (rules 4.4 to 4.6)."""
    theme, side = setting.theme, 17.0
    texts = [typeset_paragraph((TextRun(label),), setting.style, width - side) for label in labels]
    for label, text in zip(labels, texts, strict=True):
        if text is None:
            raise TextOverflowError.for_text(label, width - side, None, setting.size)
    found = [text for text in texts if text is not None]
    least = 6.4
    heights = [max(least, text[0] + 1.0) for text in found]

    def draw(surface: Surface, x: float, y: float) -> None:
        for index, ((tall, paint), height) in enumerate(zip(found, heights, strict=True)):
            if index:
                surface.stroke(polyline((x, y), (x + width, y)), theme.muted, 0.15)
            box = Box(x, y + 0.4, side - 2, height - 0.8)
            draw_small_requirement(surface, SIGN_EXAMPLES[index], box, setting.design)
            paint(surface, x + side, y + (height - tall) / 2)
            y += height

    return sum(heights), draw


_FIGURE_MAKERS: dict[str, Callable[[PageContext, FigureLabels, float], _FigureDrawing]] = {
    "coatl": _make_coatl_figure,
    "contents": _make_contents_figure,
    "deal": _make_deal_figure,
    "actions": _make_actions_figure,
    "supply": _make_supply_figure,
    "signs": _make_signs_figure,
}
