"""Pieces and requirements at small sizes: symbols do the work that ornaments do on cards."""

from __future__ import annotations

from collections.abc import Iterator
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
from coatl_tools.printing.component import Design
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import Path, Point, polyline, rectangle
from coatl_tools.printing.drawing.surface import Surface, Type
from coatl_tools.printing.drawing.symbols import infinity, symbol
from coatl_tools.printing.pages.layout import PagesLayout
from coatl_tools.printing.pieces.shapes import PieceShape
from coatl_tools.printing.theme import Theme

_CHIP = 10.0  # side of a chip as it is stored; it is shown smaller


def draw_chip(
    surface: Surface,
    theme: Theme,
    token: SequenceElement,
    middle: Point,
    side: float,
    crossed: bool = False,
) -> None:
    """A piece as a square sign about a point: for running text."""
    name = token.colour.name if token.colour is not None else "any"
    look = "solid" if theme.solid else "line"
    key = f"chip-{look}-{name}-{'run' if token.run else 'one'}-{'not' if crossed else 'is'}"

    def draw(surface: Surface) -> None:
        outline = rectangle(-_CHIP / 2, -_CHIP / 2, _CHIP, _CHIP, _CHIP * 0.22)
        _ground(surface, theme, outline, token, crossed, 0.4 if theme.solid else 0.6)
        if crossed:
            reach = (_CHIP * 1.1, _CHIP * 1.1)
            _strike(surface, theme, token, (0, 0), reach, _CHIP * 0.26)
        else:
            _mark(surface, theme, token, (0, 0), _CHIP * 0.3)

    with surface.placed(*middle, scale=side / _CHIP) as placed:
        placed.stamp(key, Box(-_CHIP, -_CHIP, 2 * _CHIP, 2 * _CHIP), draw)


def _ground(
    surface: Surface,
    theme: Theme,
    outline: Path,
    token: SequenceElement,
    crossed: bool,
    width: float,
) -> None:
    """A piece without its sign; one that must not be there is only an outline."""
    inks = theme.piece(token.colour)
    if crossed:
        surface.paint(outline, theme.paper, inks.line if theme.solid else inks.symbol, width)
    else:
        surface.paint(outline, inks.fill if theme.solid else None, inks.line, width)


def _mark(surface: Surface, theme: Theme, token: SequenceElement, at: Point, radius: float) -> None:
    """The symbol of a colour; under it the lying eight if it is a run."""
    inks = theme.piece(token.colour)
    x, y = at
    if token.colour is None:
        if token.run:
            surface.stroke(infinity(x, y, radius * 1.1), theme.ink, radius * 0.36, cap="round")
        return
    if not token.run:
        surface.fill(symbol(token.colour, x, y, radius), inks.symbol)
        return
    surface.fill(symbol(token.colour, x, y - radius * 0.72, radius * 0.72), inks.symbol)
    width, height, low = radius * 2.3, radius * 1.16, y + radius * 0.84
    badge = rectangle(x - width / 2, low - height / 2, width, height, height / 2)
    surface.paint(badge, theme.paper, inks.line, radius * 0.11)
    surface.stroke(infinity(x, low, radius * 0.72), theme.ink, radius * 0.25, cap="round")


def _strike(
    surface: Surface,
    theme: Theme,
    token: SequenceElement,
    at: Point,
    size: tuple[float, float],
    radius: float,
) -> None:
    """A cross over a piece, and on it the symbol of the colour that must not be there."""
    (x, y), (dx, dy) = at, (size[0] / 2, size[1] / 2)
    lines = polyline((x - dx, y - dy), (x + dx, y + dy))
    lines += polyline((x - dx, y + dy), (x + dx, y - dy))
    surface.stroke(lines, theme.paper, radius * 0.95, cap="round")
    surface.stroke(lines, theme.accent, radius * 0.5, cap="round")
    _seen_on_cross(surface, theme, token.colour, at, radius)


def _seen_on_cross(
    surface: Surface, theme: Theme, colour: Colour | None, at: Point, radius: float
) -> None:
    if colour is None:
        return
    inks = theme.piece(colour)
    shape = symbol(colour, *at, radius)
    surface.stroke(shape, theme.paper, radius * 0.7)
    surface.fill(shape, inks.fill if theme.solid else inks.symbol)
    if theme.solid:  # yellow on paper needs an edge
        surface.stroke(shape, inks.line, radius * 0.14)


def draw_small_piece(
    surface: Surface, shape: PieceShape, theme: Theme, token: SequenceElement, crossed: bool = False
) -> None:
    """A body about the origin in full size, drawn to be shown at a quarter of it."""
    name = token.colour.name if token.colour is not None else "any"
    look = "solid" if theme.solid else "line"
    reach = shape.pitch / 2 + shape.overlap
    bounds = Box(-reach, -shape.height / 2, 2 * reach, shape.height).inset(-1)

    def draw(surface: Surface) -> None:
        _ground(surface, theme, shape.outline(PieceKind.BODY), token, crossed, 0.6)
        if crossed:
            _strike(surface, theme, token, (0, 0), (13.4, 14.4), 4.0)
        else:
            _mark(surface, theme, token, (0, 0), 5.0 if token.run else 4.4)

    key = f"small-{look}-{name}-{'run' if token.run else 'one'}-{'not' if crossed else 'is'}"
    surface.stamp(key, bounds, draw)


@dataclass(frozen=True)
class _Sign:
    """One sign of a small requirement: a piece that hooks into the one before, or a text."""

    width: float
    token: SequenceElement | None = None
    crossed: bool = False
    text: str = ""
    card: Colour | None = None
    left: bool = False
    chip: bool = False


def mini_requirement(
    surface: Surface, requirement: Requirement, box: Box, design: Design, pitch: float = 5.0
) -> None:
    """What a card asks as a small row of pieces and signs, at the left of a box, in its middle.

    `pitch` is the distance of two pieces; it gets smaller if the row would not fit.
    """
    shape = design.layouts.read("pages", PagesLayout).small_piece
    signs = list(_signs(requirement))
    units = sum(sign.width for sign in signs)
    unit = min(pitch, box.width / units, box.height / (shape.height / shape.pitch + 0.1))
    x, y = box.x, box.centre[1]
    for sign in signs:
        _draw_sign(surface, design, shape, sign, (x, y), unit)
        x += sign.width * unit


_PART = 3.0  # width of the first of two parts, in pitches
_HOOK = 0.17  # of a piece beyond its pitch, at both ends of a row, in pitches


def _signs(requirement: Requirement) -> Iterator[_Sign]:
    """The signs of a requirement with their widths, in pitches."""
    parts = split_requirement(requirement)
    for index, part in enumerate(parts):
        signs = list(_signs_of(part))
        yield from signs
        if index < len(parts) - 1:  # two parts stand in columns, more have to move closer
            used = sum(sign.width for sign in signs)
            yield _Sign(max(0.5, _PART - used) if len(parts) == 2 else 0.5)


def _signs_of(part: SingleRequirement) -> Iterator[_Sign]:
    match part:
        case ColourCount(colour):
            yield from _row((SequenceElement(colour), False))
            yield _Sign(1.0, text="× n")
        case PieceSequence(tokens, before, after):
            pieces = [(token, False) for token in tokens]
            if before is not None:
                pieces.insert(0, (SequenceElement(before), True))
            if after is not None:
                pieces.append((SequenceElement(after), True))
            yield from _row(*pieces)
        case Multiset(needs):
            for colour, number in needs:
                yield _Sign(0.62, text=str(number))
                yield _Sign(0.85, SequenceElement(colour), chip=True)
        case Absent(colour):
            yield _Sign(1.0, SequenceElement(colour), crossed=True, chip=True)
        case Equal(first, second):
            yield _Sign(0.95, SequenceElement(first), chip=True)
            yield _Sign(0.6, text="=")
            yield _Sign(0.95, SequenceElement(second), chip=True)
        case Length(pieces):
            yield _Sign(1.3, text=f"= {pieces}", left=True)
        case NoProphecy(colour):
            yield _Sign(0.85, card=colour, crossed=True)


def _row(*pieces: tuple[SequenceElement, bool]) -> Iterator[_Sign]:
    yield _Sign(_HOOK)
    for token, crossed in pieces:
        yield _Sign(1.0, token, crossed)
    yield _Sign(_HOOK)


def _draw_sign(
    surface: Surface, design: Design, shape: PieceShape, sign: _Sign, at: Point, unit: float
) -> None:
    theme = design.theme
    (x, y), half = at, sign.width * unit / 2
    if sign.card is not None:
        card = rectangle(x + half - unit * 0.3, y - unit * 0.42, unit * 0.6, unit * 0.84, 0.4)
        inks = theme.card(sign.card)
        surface.paint(card, theme.paper, inks.frame if theme.solid else inks.ornament, 0.5)
        reach = (unit * 0.76, unit * 0.98)
        _strike(surface, theme, SequenceElement(sign.card), (x + half, y), reach, unit * 0.17)
    elif sign.chip and sign.token is not None:
        draw_chip(surface, theme, sign.token, (x + half, y), unit * 0.8, sign.crossed)
    elif sign.token is not None:
        with surface.placed(x + half, y, scale=unit / shape.pitch) as placed:
            draw_small_piece(placed, shape, theme, sign.token, sign.crossed)
    elif sign.text:
        size = max(6.5, min(9.0, unit * 1.8))
        type_ = Type(fonts.SEMIBOLD, size, theme.ink)
        if sign.left:
            surface.text(x + unit * 0.12, y + type_.cap / 2, sign.text, type_)
        else:
            surface.centred(x + half, y, sign.text, type_)
