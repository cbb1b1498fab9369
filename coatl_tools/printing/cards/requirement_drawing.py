"""The requirement on a card: drawn as pieces, arranged as large as they fit, and in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from coatl_tools.cards import requirement as req
from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card, describe_part
from coatl_tools.cards.requirement import Several, SingleRequirement, split_requirement
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.cards.card_layout import CardSize, CardsLayout
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    POINTS_PER_MM,
    Box,
    Path,
    ellipse,
    polygon,
    polyline,
    rectangle,
    rounded_polygon,
    stepped_rectangle,
)
from coatl_tools.printing.drawing.surface import (
    FontStyle,
    Surface,
    TextOverflowError,
    measure_text_height,
    mix_inks,
    wrap_text,
)
from coatl_tools.printing.drawing.typography import add_no_break_spaces
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Theme
from coatl_tools.printing.pieces.piece_drawing import (
    draw_crossed_symbol,
    draw_piece,
    draw_piece_symbol,
)
from coatl_tools.printing.pieces.piece_shapes import PieceShape

LOOSE_GAP = 5.0  # between things that are not hooked together
ROW_END_WIDTH = 7.0  # of the little head and tail that tell which way a row runs
ROW_END_GAP = 2.2  # from them to the row
NUMBER_HEIGHT = 10.0  # height of a figure beside pieces


@dataclass(frozen=True)
class RequirementFigure:
    """A drawing, with its width and height in millimetres."""

    width: float
    height: float
    draw: Callable[[Surface], None]


class SequenceCell(NamedTuple):
    """One place of a row."""

    colour: Colour | None
    run: bool = False
    crossed: bool = False


@dataclass(frozen=True)
class FigurePainter:
    """The design and the scale that figures are drawn with."""

    design: Design
    scale: float = 1.0  # at which the figures will be drawn

    @property
    def shape(self) -> PieceShape:
        """The measures of the pieces."""
        return self.design.piece_shape

    @property
    def theme(self) -> Theme:
        """The inks."""
        return self.design.theme

    @property
    def piece_width(self) -> float:
        """The width of one piece with both of its hooks."""
        return self.shape.pitch + 2 * self.shape.overlap

    @property
    def height(self) -> float:
        """The height of a row."""
        return self.shape.height

    def draw_piece(self, surface: Surface, x: float, colour: Colour | None, **look: bool) -> None:
        """Draw a body segment whose left hook begins at x."""
        with surface.at_origin(x + self.piece_width / 2, 0) as at:
            draw_piece(at, self.design, PieceKind.BODY, colour, scale=self.scale, **look)

    def draw_cross(self, surface: Surface, x: float, colour: Colour) -> None:
        """Draw the cross over a crossed-out segment whose left hook begins at x."""
        with surface.at_origin(x + self.piece_width / 2, 0) as at:
            draw_crossed_symbol(at, self.theme, colour, 15, 17.5)

    def draw_number(self, surface: Surface, x: float, y: float, text: str, height: float) -> None:
        """Draw a number of the given height, centred on a point."""
        size = height * POINTS_PER_MM / fonts.CAP_HEIGHT
        surface.draw_centred_text(x, y, text, FontStyle(fonts.BOLD, size, self.theme.ink))


def make_figures(
    requirement: req.SingleRequirement, brush: FigurePainter, room: float
) -> list[RequirementFigure]:
    """Make the figures of a requirement, several if a sequence is wider than `room`."""
    match requirement:
        case req.PieceSequence():
            return _make_sequence_figures(requirement, brush, room)
        case req.Multiset(needs):
            return _make_multiset_figures(needs, brush, room)
        case req.ColourCount(colour):
            return [
                RequirementFigure(
                    brush.piece_width, brush.height, lambda s: brush.draw_piece(s, 0, colour)
                )
            ]
        case req.Absent(colour):
            return [_make_absent_figure(colour, brush)]
        case req.Equal(first, second):
            return [_make_equal_figure(first, second, brush)]
        case req.Length(pieces):
            return [_make_length_figure(pieces, brush)]
        case req.NoProphecy(colour):
            return [_make_no_prophecy_figure(colour, brush)]


def _make_sequence_figures(
    sequence: req.PieceSequence, brush: FigurePainter, room: float
) -> list[RequirementFigure]:
    """Make hooked pieces between a little head and a little tail, wrapped if too wide."""
    cells = [SequenceCell(element.colour, run=element.run) for element in sequence.elements]
    if sequence.before is not None:
        cells.insert(0, SequenceCell(sequence.before, crossed=True))
    if sequence.after is not None:
        cells.append(SequenceCell(sequence.after, crossed=True))
    pitch, around = brush.shape.pitch, 2 * brush.shape.overlap + 2 * (ROW_END_WIDTH + ROW_END_GAP)
    most = _limit_count((room - around) / pitch)
    lines = -(-len(cells) // most)
    each = -(-len(cells) // lines)
    parts = [cells[i : i + each] for i in range(0, len(cells), each)]
    return [
        _make_hooked_figure(part, brush, i == 0, i == len(parts) - 1)
        for i, part in enumerate(parts)
    ]


def _make_hooked_figure(
    cells: Sequence[SequenceCell], brush: FigurePainter, first: bool, last: bool
) -> RequirementFigure:
    pitch, start = brush.shape.pitch, ROW_END_WIDTH + ROW_END_GAP
    width = start + len(cells) * pitch + 2 * brush.shape.overlap + start

    def draw(surface: Surface) -> None:
        for index, (colour, _, crossed) in enumerate(cells):
            brush.draw_piece(
                surface, start + index * pitch, colour, crossed=crossed, bare=not crossed
            )
        for index, (colour, run, crossed) in enumerate(cells):
            x = start + index * pitch
            if crossed and colour is not None:
                brush.draw_cross(surface, x, colour)
            else:
                with surface.at_origin(x + brush.piece_width / 2, 0) as at:
                    draw_piece_symbol(at, brush.theme, colour, run)
        if first:
            _draw_row_end(surface, brush, PieceKind.HEAD, 0)
        if last:
            _draw_row_end(surface, brush, PieceKind.TAIL, width)

    return RequirementFigure(width, brush.height, draw)


def _draw_row_end(surface: Surface, brush: FigurePainter, kind: PieceKind, x: float) -> None:
    """Draw a small, pale head or tail that shows which way the row runs (rule 4.3)."""
    theme = brush.theme
    pale = mix_inks(theme.muted, theme.paper, 0.45)
    if kind is PieceKind.HEAD:
        points = [
            (ROW_END_WIDTH, -4.4),
            (4.0, -4.6),
            (0.0, -1.9),
            (0.3, 0.5),
            (4.4, 0.8),
            (1.2, 2.3),
            (2.2, 4.4),
            (ROW_END_WIDTH, 4.4),
        ]
        shape = rounded_polygon(points, [0.6, 2.0, 1.0, 0.5, 0.3, 0.5, 0.8, 0.6]).place_at(x, 0)
        eye = ellipse(x + 4.2, -2.0, 0.9)
    else:
        shape = polygon(
            (0, -2.6),
            (2.2, -4.4),
            (5.6, -4.4),
            (4.4, -2.2),
            (ROW_END_WIDTH, 0),
            (4.4, 2.2),
            (5.6, 4.4),
            (2.2, 4.4),
            (0, 2.6),
        ).place_at(x - ROW_END_WIDTH, 0)
        eye = Path()
    if theme.solid:
        surface.fill(shape, pale)
        surface.fill(eye, theme.paper)
    else:
        surface.stroke(shape + eye, theme.muted, 0.5)


def _make_multiset_figures(
    needs: Sequence[tuple[Colour, int]], brush: FigurePainter, room: float
) -> list[RequirementFigure]:
    """Make loose pieces, with their number below each."""
    most = _limit_count((room + LOOSE_GAP) / (brush.piece_width + LOOSE_GAP))
    lines = -(-len(needs) // most)
    each = -(-len(needs) // lines)
    return [_make_loose_figure(needs[i : i + each], brush) for i in range(0, len(needs), each)]


def _make_loose_figure(
    needs: Sequence[tuple[Colour, int]], brush: FigurePainter
) -> RequirementFigure:
    step = brush.piece_width + LOOSE_GAP
    height = brush.height + 0.5 * LOOSE_GAP + NUMBER_HEIGHT
    top = -height / 2 + brush.height / 2

    def draw(surface: Surface) -> None:
        for index, (colour, number) in enumerate(needs):
            with surface.at_origin(0, top) as at:
                brush.draw_piece(at, index * step, colour)
            middle = index * step + brush.piece_width / 2
            brush.draw_number(
                surface, middle, height / 2 - NUMBER_HEIGHT / 2, f"{number}×", NUMBER_HEIGHT
            )

    return RequirementFigure(len(needs) * step - LOOSE_GAP, height, draw)


def _make_absent_figure(colour: Colour, brush: FigurePainter) -> RequirementFigure:
    def draw(surface: Surface) -> None:
        brush.draw_piece(surface, 0, colour, crossed=True)
        brush.draw_cross(surface, 0, colour)

    return RequirementFigure(brush.piece_width, brush.height, draw)


def _make_equal_figure(first: Colour, second: Colour, brush: FigurePainter) -> RequirementFigure:
    bars = 7.0
    width = 2 * brush.piece_width + bars + LOOSE_GAP

    def draw(surface: Surface) -> None:
        brush.draw_piece(surface, 0, first)
        brush.draw_piece(surface, width - brush.piece_width, second)
        for y in (-2.6, 2.6):
            bar = polyline((width / 2 - bars / 2, y), (width / 2 + bars / 2, y))
            surface.stroke(bar, brush.theme.ink, 2.0)

    return RequirementFigure(width, brush.height, draw)


def _make_length_figure(pieces: int, brush: FigurePainter) -> RequirementFigure:
    """Make a whole Cóatl of any colour, with its number of pieces on it."""
    shape = brush.shape
    middle = 15.0  # half of what lies between head and tail
    width = shape.head + 2 * middle + shape.tail

    def draw(surface: Surface) -> None:
        inks = brush.theme.piece(None)
        with surface.at_origin(shape.head, 0) as at:
            draw_piece(at, brush.design, PieceKind.HEAD, None, bare=True, scale=brush.scale)
        with surface.at_origin(shape.head + 2 * middle, 0) as at:
            draw_piece(at, brush.design, PieceKind.TAIL, None, bare=True, scale=brush.scale)
        tablet = stepped_rectangle(shape.head + middle - 15, -11, 30, 22, 2.2)
        surface.paint(tablet, inks.fill, inks.line, 0.7)
        brush.draw_number(surface, shape.head + middle, 0, str(pieces), 14)

    return RequirementFigure(width, brush.height, draw)


def _make_no_prophecy_figure(colour: Colour, brush: FigurePainter) -> RequirementFigure:
    """Make a card of that colour, crossed out."""
    width, height, beyond = 17.0, brush.height, 3.0

    def draw(surface: Surface) -> None:
        theme = brush.theme
        inks = theme.card(colour)
        line = inks.frame if theme.solid else inks.ornament
        card = rectangle(-width / 2, -height / 2, width, height, 1.8)
        field = stepped_rectangle(-width / 2 + 2.2, -height / 2 + 6, width - 4.4, height - 8.2, 1.2)
        with surface.at_origin(width / 2 + beyond, 0) as at:
            at.paint(card, mix_inks(inks.frame, theme.paper, 0.3), line, 0.7)
            at.paint(field, theme.paper, None if theme.solid else line, 0.55)
            draw_crossed_symbol(at, theme, colour, width + 2 * beyond - 2, height - 1)

    return RequirementFigure(width + 2 * beyond, height + 1, draw)


def _limit_count(number: float) -> int:
    """Limit a number of things on a line: at least 1, at most what a card can ask for."""
    return max(1, int(min(number, req.MAX_SEQUENCE_ELEMENTS + 2)))


SCALE_STEP = 0.96  # from one scale that is tried to the next
SMALLEST_UNWRAPPED_SCALE = 0.27  # as long as pieces are this large, a sequence stays on one line


@dataclass(frozen=True)
class _FigureRow:
    """Figures side by side; `ends` says whether a requirement ends here."""

    figures: tuple[RequirementFigure, ...]
    ends: bool = True

    @property
    def width(self) -> float:
        return sum(f.width for f in self.figures) + 3 * LOOSE_GAP * (len(self.figures) - 1)

    @property
    def height(self) -> float:
        return max(f.height for f in self.figures)


@dataclass(frozen=True)
class FigureArrangement:
    """Shelves at one scale."""

    shelves: tuple[_FigureRow, ...]
    scale: float

    @property
    def height(self) -> float:
        """Its height on the card, in millimetres."""
        return self.scale * _measure_rows(self.shelves)

    @property
    def width(self) -> float:
        """Its width on the card, in millimetres."""
        return self.scale * max(shelf.width for shelf in self.shelves)


def arrange_figures(
    parts: Sequence[SingleRequirement],
    brush: FigurePainter,
    width: float,
    height: float,
    largest: float,
) -> FigureArrangement:
    """Arrange the parts as large as they fit: side by side, below each other, or wrapped."""
    scale, wraps = largest, False
    while True:
        if not wraps and scale < SMALLEST_UNWRAPPED_SCALE:
            scale, wraps = largest, True
        room = width / scale
        shelves = _make_figure_rows(parts, replace(brush, scale=scale), room, wraps)
        fits = all(shelf.width <= room + 0.01 for shelf in shelves)
        if fits and scale * _measure_rows(shelves) <= height + 0.01:
            return FigureArrangement(tuple(shelves), scale)
        scale *= SCALE_STEP


def _make_figure_rows(
    parts: Sequence[SingleRequirement], brush: FigurePainter, room: float, wraps: bool
) -> list[_FigureRow]:
    shelves: list[_FigureRow] = []
    for part in parts:
        lines = make_figures(part, brush, room if wraps else math.inf)
        if len(lines) == 1 and shelves and shelves[-1].ends:
            beside = _FigureRow((*shelves[-1].figures, lines[0]))
            if beside.width <= room:
                shelves[-1] = beside
                continue
        shelves += [_FigureRow((line,), i == len(lines) - 1) for i, line in enumerate(lines)]
    return shelves


def _measure_rows(shelves: Sequence[_FigureRow]) -> float:
    gaps = sum(2 * LOOSE_GAP if shelf.ends else 0.6 * LOOSE_GAP for shelf in shelves[:-1])
    return sum(shelf.height for shelf in shelves) + gaps


def draw_arranged_figures(
    surface: Surface, arrangement: FigureArrangement, box: Box, ink: str, rule: float
) -> None:
    """Draw the arrangement centred in a box, with thin rules between requirements."""
    scale = arrangement.scale
    y = box.centre[1] - arrangement.height / 2
    shelves = arrangement.shelves
    for index, shelf in enumerate(shelves):
        middle = y + scale * shelf.height / 2
        x = box.centre[0] - scale * shelf.width / 2
        for number, figure in enumerate(shelf.figures):
            with surface.at_origin(x, middle, scale=scale) as at:
                figure.draw(at)
            x += scale * figure.width
            if number < len(shelf.figures) - 1:
                at_x = x + 1.5 * LOOSE_GAP * scale
                half = scale * shelf.height / 2
                surface.stroke(polyline((at_x, middle - half), (at_x, middle + half)), ink, rule)
            x += 3 * LOOSE_GAP * scale
        y += scale * shelf.height
        if index < len(shelves) - 1:
            gap = scale * LOOSE_GAP * (2 if shelf.ends else 0.6)
            if shelf.ends:
                line = polyline((box.x, y + gap / 2), (box.right, y + gap / 2))
                surface.stroke(line, ink, rule)
            y += gap


PUBLISHED_SETS = ("base", "promo")  # the sets whose words are always on their cards
LEAST_PICTURE_SIZE = 2.0  # millimetres that pieces need at the very least, in each direction
MOST_LINES_BESIDE_PICTURE = 4  # of text beside a picture, if possible
PICTURE_CLEARANCE = 2.0  # mm by which a picture is lower than its row, so as not to touch the rules


@dataclass(frozen=True)
class RequirementArea:
    """The area of a requirement: pieces above, text below.

    Several requirements may instead have a row each, with the text beside the pieces.
    """

    design: Design
    layout: CardsLayout
    size: CardSize
    card: Card

    def draw(self, surface: Surface, field: Box) -> None:
        """Draw pieces and text inside the light field, keeping a margin."""
        face = self.layout.face
        field = field.inset(face.field.padding_x, face.field.padding_y)
        if isinstance(self.card.requirement, Several) and self._draw_side_by_side(surface, field):
            return
        text = add_no_break_spaces(
            describe_card(self.card, self.design.language.code), self.design.language.code
        )
        words = self._fit_text(text, field)
        room = field
        if words is not None:
            type_, box = words
            room = Box(field.x, field.y, field.width, box.y - face.field.gap - field.y)
            surface.draw_fitted_text(box, text, type_, align="centre", vertical="middle")
        if min(room.width, room.height) < LEAST_PICTURE_SIZE:
            raise TextOverflowError.for_text(text, field.width, field.height, face.text.smallest)
        parts = split_requirement(self.card.requirement)
        largest = face.row.largest * self.layout.growth_factor(self.size)
        laid = arrange_figures(parts, self._brush, room.width, room.height, largest)
        draw_arranged_figures(surface, laid, room, self._rule_ink, face.row.rule)

    def _fit_text(self, text: str, field: Box) -> tuple[FontStyle, Box] | None:
        """Find the type of the text, and its box at the lower end of the field.

        Returns None for a player's own card with too long a text: then the pieces must do.
        """
        setting = self.layout.face.text
        type_ = FontStyle(fonts.REGULAR, setting.size, self._words_ink, 1.18)
        published = self.card.set in PUBLISHED_SETS
        smallest = setting.smallest if published else setting.smallest_own
        most = setting.share * field.height
        x, width = field.x + setting.side, field.width - 2 * setting.side
        size = round(setting.size * self.layout.growth_factor(self.size) * 4) / 4
        while size >= smallest:
            lines = wrap_text(text, type_.with_size(size), width)
            if lines is not None:
                height = measure_text_height(len(lines), type_.with_size(size))
                if height <= most:
                    tall = max(height, setting.least)
                    return type_.with_size(size), Box(x, field.bottom - tall, width, tall)
            size -= 0.25
        if published:
            raise TextOverflowError.for_text(text, width, most, smallest)
        return None

    def _draw_side_by_side(self, surface: Surface, field: Box) -> bool:
        """Draw each requirement in a row, its text beside it; return False if they do not fit."""
        face, language = self.layout.face, self.design.language
        parts = split_requirement(self.card.requirement)
        texts = [_format_sentence(describe_part(part, language), language.code) for part in parts]
        between = face.field.gap
        room = field.height - (len(parts) - 1) * between
        for type_, picture, most in self._list_text_settings(field.width):
            width = field.width - picture - face.field.gap
            filled = [lines for text in texts if (lines := wrap_text(text, type_, width))]
            tall = [measure_text_height(len(lines), type_) for lines in filled]
            if tall and max(tall) <= room / len(parts):
                rows = [room / len(parts)] * len(parts)
            else:
                rows = [max(height, face.row.least) for height in tall]
            spare = (room - sum(rows)) / len(parts)
            if len(tall) < len(parts) or spare < -0.01 or max(map(len, filled)) > most:
                continue
            y = field.y
            for index, (part, text, row) in enumerate(zip(parts, texts, rows, strict=True)):
                if index:
                    line = polyline((field.x, y), (field.right, y))
                    surface.stroke(line.place_at(0, -between / 2), self._rule_ink, face.row.rule)
                box = Box(field.x, y, picture, row + spare)
                lower = max(LEAST_PICTURE_SIZE, box.height - PICTURE_CLEARANCE)
                laid = arrange_figures((part,), self._brush, picture, lower, face.row.largest)
                draw_arranged_figures(surface, laid, box, self._rule_ink, face.row.rule)
                words = Box(field.right - width, y, width, box.height)
                surface.draw_fitted_text(words, text, type_, vertical="middle")
                y += box.height + between
            return True
        return False

    def _list_text_settings(self, width: float) -> Iterator[tuple[FontStyle, float, int]]:
        """Yield ways to set text beside pictures, best first: type, picture width in mm, lines."""
        setting, row = self.layout.face.text, self.layout.face.row
        largest = round(setting.beside * self.layout.growth_factor(self.size) * 4)
        sizes = range(largest, round(setting.smallest * 4) - 1, -1)
        for lines in (MOST_LINES_BESIDE_PICTURE, 100):
            for picture, quarters in (
                (row.picture, sizes[:1]),  # the largest type matters more than a large picture
                (row.narrow, sizes),
                (row.picture, sizes[1:]),
            ):
                for quarter in quarters:
                    type_ = FontStyle(fonts.REGULAR, quarter / 4, self._words_ink, 1.16)
                    yield type_, picture * width, lines

    @property
    def _brush(self) -> FigurePainter:
        return FigurePainter(self.design)

    @property
    def _rule_ink(self) -> str:
        return self.design.theme.card(self.card.colour).ornament

    @property
    def _words_ink(self) -> str:
        """The ink of the text: a little lighter in the low-ink theme."""
        theme = self.design.theme
        return theme.ink if theme.solid else mix_inks(theme.ink, theme.paper, 0.2)


def _format_sentence(phrase: str, lang: str) -> str:
    return add_no_break_spaces(f"{phrase[0].upper()}{phrase[1:]}.", lang)
