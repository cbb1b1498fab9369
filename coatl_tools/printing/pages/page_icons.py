"""Small drawings for the pages: pieces and requirements at small sizes, contents of the box,
actions.

An icon is drawn about a point and fits a box of 12 by 10 millimetres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    PieceSequence,
    Requirement,
    SequenceElement,
    SingleRequirement,
    split_requirement,
)
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    Box,
    Path,
    Point,
    ellipse,
    polygon,
    polyline,
    rectangle,
    stepped_rectangle,
)
from coatl_tools.printing.drawing.ornaments import (
    colour_symbol,
    infinity_symbol,
    pyramid,
    sun_symbol,
)
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Theme
from coatl_tools.printing.pages.page_layout import PagesLayout
from coatl_tools.printing.pieces.piece_drawing import draw_piece
from coatl_tools.printing.pieces.piece_shapes import PieceShape

_CHIP_SIDE = 10.0  # side of a chip as it is stored; it is shown smaller


def draw_piece_chip(
    surface: Surface,
    theme: Theme,
    element: SequenceElement,
    middle: Point,
    side: float,
    crossed: bool = False,
) -> None:
    """Draw a piece as a square chip for running text, centred on a point."""
    key = f"chip-{_name_look(theme, element, crossed)}"

    def draw(surface: Surface) -> None:
        outline = rectangle(
            -_CHIP_SIDE / 2, -_CHIP_SIDE / 2, _CHIP_SIDE, _CHIP_SIDE, _CHIP_SIDE * 0.22
        )
        _draw_chip_ground(surface, theme, outline, element, crossed, 0.4 if theme.solid else 0.6)
        if crossed:
            reach = (_CHIP_SIDE * 1.1, _CHIP_SIDE * 1.1)
            _draw_chip_cross(surface, theme, element, (0, 0), reach, _CHIP_SIDE * 0.26)
        else:
            _draw_chip_symbol(surface, theme, element, (0, 0), _CHIP_SIDE * 0.3)

    with surface.at_origin(*middle, scale=side / _CHIP_SIDE) as placed:
        placed.draw_shared(key, Box(-_CHIP_SIDE, -_CHIP_SIDE, 2 * _CHIP_SIDE, 2 * _CHIP_SIDE), draw)


def _draw_chip_ground(
    surface: Surface,
    theme: Theme,
    outline: Path,
    element: SequenceElement,
    crossed: bool,
    width: float,
) -> None:
    """Draw a chip without its symbol; a crossed-out one is only an outline."""
    inks = theme.piece(element.colour)
    if crossed:
        surface.paint(outline, theme.paper, inks.line if theme.solid else inks.symbol, width)
    else:
        surface.paint(outline, inks.fill if theme.solid else None, inks.line, width)


def _draw_chip_symbol(
    surface: Surface, theme: Theme, element: SequenceElement, at: Point, radius: float
) -> None:
    """Draw the symbol of a colour, and an infinity sign below it for a run."""
    inks = theme.piece(element.colour)
    x, y = at
    if element.colour is None:
        if element.run:
            surface.stroke(
                infinity_symbol(x, y, radius * 1.1), theme.ink, radius * 0.36, cap="round"
            )
        return
    if not element.run:
        surface.fill(colour_symbol(element.colour, x, y, radius), inks.symbol)
        return
    surface.fill(colour_symbol(element.colour, x, y - radius * 0.72, radius * 0.72), inks.symbol)
    width, height, low = radius * 2.3, radius * 1.16, y + radius * 0.84
    badge = rectangle(x - width / 2, low - height / 2, width, height, height / 2)
    surface.paint(badge, theme.paper, inks.line, radius * 0.11)
    surface.stroke(infinity_symbol(x, low, radius * 0.72), theme.ink, radius * 0.25, cap="round")


def _draw_chip_cross(
    surface: Surface,
    theme: Theme,
    element: SequenceElement,
    at: Point,
    size: tuple[float, float],
    radius: float,
) -> None:
    """Draw a cross over a piece, and on it the symbol of the forbidden colour."""
    (x, y), (dx, dy) = at, (size[0] / 2, size[1] / 2)
    lines = polyline((x - dx, y - dy), (x + dx, y + dy))
    lines += polyline((x - dx, y + dy), (x + dx, y - dy))
    surface.stroke(lines, theme.paper, radius * 0.95, cap="round")
    surface.stroke(lines, theme.accent, radius * 0.5, cap="round")
    _draw_symbol_on_cross(surface, theme, element.colour, at, radius)


def _draw_symbol_on_cross(
    surface: Surface, theme: Theme, colour: Colour | None, at: Point, radius: float
) -> None:
    if colour is None:
        return
    inks = theme.piece(colour)
    shape = colour_symbol(colour, *at, radius)
    surface.stroke(shape, theme.paper, radius * 0.7)
    surface.fill(shape, inks.fill if theme.solid else inks.symbol)
    if theme.solid:  # yellow on paper needs an edge
        surface.stroke(shape, inks.line, radius * 0.14)


def draw_small_piece(
    surface: Surface,
    shape: PieceShape,
    theme: Theme,
    element: SequenceElement,
    crossed: bool = False,
) -> None:
    """Draw a full-size body about the origin, with lines thick enough for a quarter of it."""
    reach = shape.pitch / 2 + shape.overlap
    bounds = Box(-reach, -shape.height / 2, 2 * reach, shape.height).inset(-1)

    def draw(surface: Surface) -> None:
        _draw_chip_ground(surface, theme, shape.outline(PieceKind.BODY), element, crossed, 0.6)
        if crossed:
            _draw_chip_cross(surface, theme, element, (0, 0), (13.4, 14.4), 4.0)
        else:
            _draw_chip_symbol(surface, theme, element, (0, 0), 5.0 if element.run else 4.4)

    surface.draw_shared(f"small-{_name_look(theme, element, crossed)}", bounds, draw)


def _name_look(theme: Theme, element: SequenceElement, crossed: bool) -> str:
    """Return a name for all that decides how a small piece looks, for the key of its drawing."""
    name = element.colour.name if element.colour is not None else "any"
    look = "solid" if theme.solid else "line"
    return f"{look}-{name}-{'run' if element.run else 'one'}-{'not' if crossed else 'is'}"


@dataclass(frozen=True)
class _RequirementSign:
    """One sign of a small requirement: a piece that hooks into the one before, or a text."""

    width: float
    element: SequenceElement | None = None
    crossed: bool = False
    text: str = ""
    card: Colour | None = None
    left: bool = False
    chip: bool = False


def draw_small_requirement(
    surface: Surface, requirement: Requirement, box: Box, design: Design, pitch: float = 5.0
) -> None:
    """Draw what a card asks as a row of small pieces and signs, left-aligned in a box.

    `pitch` is the distance between pieces in mm; it shrinks if the row would not fit.
    """
    shape = design.layouts.load("pages", PagesLayout).small_piece
    signs = list(_list_signs(requirement))
    units = sum(sign.width for sign in signs)
    unit = min(pitch, box.width / units, box.height / (shape.height / shape.pitch + 0.1))
    x, y = box.x, box.centre[1]
    for sign in signs:
        _draw_sign(surface, design, shape, sign, (x, y), unit)
        x += sign.width * unit


_FIRST_PART_WIDTH = 3.0  # width of the first of two parts, in pitches
_HOOK_WIDTH = 0.17  # of a piece beyond its pitch, at both ends of a row, in pitches


def _list_signs(requirement: Requirement) -> Iterator[_RequirementSign]:
    """List the signs of a requirement with their widths, in pitches."""
    parts = split_requirement(requirement)
    for index, part in enumerate(parts):
        signs = list(_list_part_signs(part))
        yield from signs
        if index < len(parts) - 1:  # two parts stand in columns, more have to move closer
            used = sum(sign.width for sign in signs)
            yield _RequirementSign(max(0.5, _FIRST_PART_WIDTH - used) if len(parts) == 2 else 0.5)


def _list_part_signs(part: SingleRequirement) -> Iterator[_RequirementSign]:
    match part:
        case ColourCount(colour):
            yield from _list_row_signs((SequenceElement(colour), False))
            yield _RequirementSign(1.0, text="× n")
        case PieceSequence(elements, before, after):
            pieces = [(element, False) for element in elements]
            if before is not None:
                pieces.insert(0, (SequenceElement(before), True))
            if after is not None:
                pieces.append((SequenceElement(after), True))
            yield from _list_row_signs(*pieces)
        case Multiset(needs):
            for colour, number in needs:
                yield _RequirementSign(0.62, text=str(number))
                yield _RequirementSign(0.85, SequenceElement(colour), chip=True)
        case Absent(colour):
            yield _RequirementSign(1.0, SequenceElement(colour), crossed=True, chip=True)
        case Equal(first, second):
            yield _RequirementSign(0.95, SequenceElement(first), chip=True)
            yield _RequirementSign(0.6, text="=")
            yield _RequirementSign(0.95, SequenceElement(second), chip=True)
        case Length(pieces):
            yield _RequirementSign(1.3, text=f"= {pieces}", left=True)
        case NoProphecy(colour):
            yield _RequirementSign(0.85, card=colour, crossed=True)


def _list_row_signs(*pieces: tuple[SequenceElement, bool]) -> Iterator[_RequirementSign]:
    yield _RequirementSign(_HOOK_WIDTH)
    for element, crossed in pieces:
        yield _RequirementSign(1.0, element, crossed)
    yield _RequirementSign(_HOOK_WIDTH)


def _draw_sign(
    surface: Surface,
    design: Design,
    shape: PieceShape,
    sign: _RequirementSign,
    at: Point,
    unit: float,
) -> None:
    theme = design.theme
    (x, y), half = at, sign.width * unit / 2
    if sign.card is not None:
        card = rectangle(x + half - unit * 0.3, y - unit * 0.42, unit * 0.6, unit * 0.84, 0.4)
        inks = theme.card(sign.card)
        surface.paint(card, theme.paper, inks.frame if theme.solid else inks.ornament, 0.5)
        reach = (unit * 0.76, unit * 0.98)
        _draw_chip_cross(
            surface, theme, SequenceElement(sign.card), (x + half, y), reach, unit * 0.17
        )
    elif sign.chip and sign.element is not None:
        draw_piece_chip(surface, theme, sign.element, (x + half, y), unit * 0.8, sign.crossed)
    elif sign.element is not None:
        with surface.at_origin(x + half, y, scale=unit / shape.pitch) as placed:
            draw_small_piece(placed, shape, theme, sign.element, sign.crossed)
    elif sign.text:
        size = max(6.5, min(9.0, unit * 1.8))
        type_ = FontStyle(fonts.SEMIBOLD, size, theme.ink)
        if sign.left:
            surface.draw_text(x + unit * 0.12, y + type_.cap_height / 2, sign.text, type_)
        else:
            surface.draw_centred_text(x + half, y, sign.text, type_)


IconDrawer = Callable[[Surface, Design], None]
ICON_LINE = 0.3


def draw_piece_row(
    surface: Surface,
    design: Design,
    pieces: str,
    scale: float,
    at: Point = (0, 0),
    kinds: str = "",
) -> None:
    """Draw a row of pieces centred on a point; `kinds` has h, b or t for each, default all b."""
    shape = design.piece_shape
    of = {"h": PieceKind.HEAD, "b": PieceKind.BODY, "t": PieceKind.TAIL}
    for index, letter in enumerate(pieces):
        x = at[0] + (index - (len(pieces) - 1) / 2) * shape.pitch * scale
        with surface.at_origin(x, at[1], scale=scale) as placed:
            kind = of[kinds[index]] if kinds else PieceKind.BODY
            draw_piece(placed, design, kind, Colour[letter], scale=scale)


def draw_small_card_back(
    surface: Surface, design: Design, at: Point, kind: str, turn: float
) -> None:
    """Draw the back of a card, very small."""
    inks, height = design.theme.backs["temple" if kind == "temple" else "prophecy"], 9
    width = height * 63 / 88
    with surface.at_origin(*at, turn=turn) as placed:
        outline = rectangle(-width / 2, -height / 2, width, height, 0.6)
        ground = inks.ground if design.theme.solid else design.theme.paper
        placed.paint(
            outline, ground, inks.line if not design.theme.solid else inks.pattern, ICON_LINE
        )
        if kind == "temple":
            placed.fill(pyramid(0, height * 0.24, width * 0.74, height * 0.44, 3), inks.motif)
        else:
            placed.fill(sun_symbol(0, 0, width * 0.3), inks.motif)
            placed.fill(ellipse(0, 0, width * 0.13), ground)


def _draw_small_card_front(
    surface: Surface, design: Design, at: Point, colour: str, height: float
) -> None:
    """Draw the face of a Prophecy card, very small: its colour's frame and symbol."""
    inks = design.theme.card(Colour[colour])
    theme, width = design.theme, height * 63 / 88
    x, y = at
    frame = inks.frame if theme.solid else theme.paper
    line = theme.ink if theme.solid else inks.ornament
    surface.paint(
        rectangle(x - width / 2, y - height / 2, width, height, 0.6), frame, line, ICON_LINE
    )
    inner = rectangle(x - width / 2 + 0.9, y - height / 2 + 0.9, width - 1.8, height - 1.8)
    surface.paint(inner, theme.paper if theme.solid else None, None)


def draw_arrow(surface: Surface, ink: str, begin: Point, end: Point, width: float = 0.5) -> None:
    """Draw a horizontal or vertical arrow."""
    (x1, y1), (x2, y2), length = begin, end, 1.5
    dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
    x, y, half = x2 - dx * length, y2 - dy * length, length * 0.55
    surface.stroke(polyline(begin, (x, y)), ink, width)
    tip = polygon(end, (x + dy * half, y + dx * half), (x - dy * half, y - dx * half))
    surface.fill(tip, ink)


def _draw_card_backs_icon(surface: Surface, design: Design, kind: str) -> None:
    draw_small_card_back(surface, design, (-1.2, 0), kind, -8)
    draw_small_card_back(surface, design, (1.2, 0), kind, 5)


def _draw_token_icon(surface: Surface, design: Design) -> None:
    inks, theme = design.theme.backs["tokens"], design.theme
    disc = stepped_rectangle(-4, -4, 8, 8, 0.8)
    surface.paint(disc, inks.ground if theme.solid else theme.paper, inks.line, ICON_LINE)
    surface.fill(sun_symbol(0, 0, 2.6), inks.motif)
    surface.fill(ellipse(0, 0, 1.15), inks.ground if theme.solid else theme.paper)


def _draw_supply_icon(surface: Surface, design: Design) -> None:
    theme = design.theme
    surface.paint(ellipse(0, 0, 4.8), theme.panel if theme.solid else None, theme.ink, ICON_LINE)
    for x, y in ((0, 3.3), (-2.9, 1.65), (-2.9, -1.65), (0, -3.3), (2.9, -1.65), (2.9, 1.65)):
        surface.paint(ellipse(x, y, 0.95), theme.paper, theme.ink, 0.2)
    for x, y in ((-0.8, -0.8), (0.8, -0.8), (-0.8, 0.8), (0.8, 0.8)):
        surface.paint(ellipse(x, y, 0.55), theme.paper, theme.ink, 0.2)


def _draw_board_icon(surface: Surface, design: Design) -> None:
    theme = design.theme
    plate = stepped_rectangle(-5.6, -3.6, 11.2, 7.2, 0.7)
    surface.paint(plate, theme.panel if theme.solid else None, theme.ink, ICON_LINE)
    for column in range(4):
        for row in range(2):
            cell = rectangle(-4.5 + column * 2.3, -2.35 + row * 2.45, 2.05, 2.2, 0.3)
            surface.paint(cell, theme.paper, theme.ink, 0.2)


def _draw_marker_icon(surface: Surface, design: Design) -> None:
    theme = design.theme
    inks = theme.cards["temple"]
    fill = inks.frame if theme.solid else None
    surface.paint(pyramid(0, 4, 9.5, 7, 4), fill, theme.ink, ICON_LINE)
    surface.fill(sun_symbol(0, -4, 1.1), theme.accent)


def _draw_take_icon(surface: Surface, design: Design) -> None:
    theme = design.theme
    surface.paint(
        ellipse(0, -2, 4.6, 2.7), theme.panel if theme.solid else None, theme.ink, ICON_LINE
    )
    draw_piece_chip(surface, theme, SequenceElement(Colour.R), (-1.7, -2), 2.7)
    draw_piece_chip(surface, theme, SequenceElement(Colour.B), (1.7, -2), 2.7)
    draw_arrow(surface, theme.ink, (0, 1.3), (0, 4.9))


def _draw_choose_icon(surface: Surface, design: Design) -> None:
    for x, turn, colour in ((-3, -14, "R"), (0, 0, "G"), (3, 14, "B")):
        with surface.at_origin(x, abs(turn) * 0.04, turn=turn) as placed:
            _draw_small_card_front(placed, design, (0, 0), colour, 8.6)
            ink = design.theme.piece(Colour[colour]).line
            placed.fill(colour_symbol(Colour[colour], 0, 0, 1.3), ink)


def _draw_search_icon(surface: Surface, design: Design) -> None:
    theme = design.theme
    lid = Path([("M", -5.4, 0), ("C", -3, -4, 3, -4, 5.4, 0), ("C", 3, 4, -3, 4, -5.4, 0), ("Z",)])
    surface.paint(lid, theme.paper, theme.ink, 0.45)
    surface.paint(ellipse(0, 0, 2.1), theme.accent if theme.solid else None, theme.ink, 0.45)
    surface.fill(ellipse(0, 0, 0.9), theme.ink)


def _draw_place_icon(surface: Surface, design: Design) -> None:
    theme = design.theme
    _draw_small_card_front(surface, design, (1.6, 0), "B", 10)
    draw_piece_chip(surface, theme, SequenceElement(Colour.Y), (1.6, 0), 3.1)
    draw_arrow(surface, theme.ink, (-6, 0), (-2.6, 0))


def _draw_fulfil_icon(surface: Surface, design: Design) -> None:
    theme = design.theme
    for shift in (1.3, 0):
        _draw_small_card_front(surface, design, (-0.6 + shift, shift * 0.4 - 0.3), "G", 9.4)
    tick = polyline((-2.3, -0.2), (-1.0, 1.4), (1.4, -2.2))
    surface.stroke(tick, theme.accent, 0.9, cap="round")


def _draw_refill_icon(surface: Surface, design: Design) -> None:
    theme = design.theme
    for x, colour in ((-4.3, "R"), (0, "K")):
        _draw_small_card_front(surface, design, (x, 0), colour, 5.2)
    surface.stroke(rectangle(2.5, -2.6, 3.7, 5.2, 0.5), theme.ink, 0.35, dash=(0.8, 0.6))
    draw_arrow(surface, theme.ink, (4.35, -6), (4.35, -3.1))


PAGE_ICONS: dict[str, IconDrawer] = {
    "head": lambda s, d: draw_piece_row(s, d, "G", 0.27, (1.8, 0), "h"),
    "body": lambda s, d: draw_piece_row(s, d, "RB", 0.24),
    "tail": lambda s, d: draw_piece_row(s, d, "Y", 0.27, (-1.8, 0), "t"),
    "prophecy": lambda s, d: _draw_card_backs_icon(s, d, "prophecy"),
    "temple": lambda s, d: _draw_card_backs_icon(s, d, "temple"),
    "token": _draw_token_icon,
    "supply": _draw_supply_icon,
    "board": _draw_board_icon,
    "marker": _draw_marker_icon,
    "take": _draw_take_icon,
    "choose": _draw_choose_icon,
    "assemble": lambda s, d: draw_piece_row(s, d, "GYR", 0.26, (1, 0), "hbb"),
    "search": _draw_search_icon,
    "place": _draw_place_icon,
    "fulfil": _draw_fulfil_icon,
    "refill": _draw_refill_icon,
}
