"""The front of a card: levels and points, motif, requirement, ArUco mark and id; and the cards
as items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coatl_tools.cards.card import Card, CardKind, Level
from coatl_tools.cards.requirement import (
    ColourCount,
    Multiset,
    PieceSequence,
    Several,
    split_requirement,
)
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.cards.card_back import make_card_back
from coatl_tools.printing.cards.card_layout import (
    CardFaceGeometry,
    CardSize,
    CardsLayout,
    LevelTableLayout,
    find_card_size,
    load_cards_layout,
)
from coatl_tools.printing.cards.motifs import MOTIF_HEIGHT, MOTIF_WIDTH, draw_motif
from coatl_tools.printing.cards.requirement_drawing import PUBLISHED_SETS, RequirementArea
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    POINTS_PER_MM,
    Box,
    Path,
    ellipse,
    polyline,
    rectangle,
)
from coatl_tools.printing.drawing.ornaments import (
    FRET_SEAM,
    FRET_WIDTH,
    colour_symbol,
    pyramid,
    step_fret,
)
from coatl_tools.printing.drawing.surface import FontStyle, Surface, TextOverflowError
from coatl_tools.printing.items import BLEED, Design, Face, Item
from coatl_tools.printing.layouts import CardInks, Theme

TICK_WIDTH = 1.3  # of a tick, in widths of a figure
MOST_TICKS = 3  # at most; more are written as a number and one tick


@dataclass(frozen=True)
class LevelTable:
    """The table of a card's levels, and the box available for it."""

    card: Card
    table: LevelTableLayout
    room: Box
    growth_factor: float = 1.0  # on a large card

    @property
    def columns(self) -> int:
        """The number of columns."""
        return -(-len(self.card.levels) // self.table.rows)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return -(-len(self.card.levels) // self.columns)

    @property
    def box(self) -> Box:
        """The box that the table covers: the upper left part of its room."""
        wanted = (
            self.growth_factor * self.table.cell * (1 if self.columns == 1 else 0.74 * self.columns)
        )
        row = min(self.table.row, self.room.height / self.rows)
        return Box(self.room.x, self.room.y, min(wanted, self.room.width), row * self.rows)

    def cell(self, index: int) -> Box:
        """Return the cell of a level; cells run down the first column, then down the next."""
        column, row = divmod(index, self.rows)
        box = self.box
        width, height = box.width / self.columns, box.height / self.rows
        return Box(box.x + column * width, box.y + row * height, width, height)

    def draw(self, surface: Surface, theme: Theme, inks: CardInks) -> None:
        """Draw the tablet and its levels, the points larger than the required counts."""
        box = self.box
        outline = box.stepped_outline(self.table.step)
        edge = theme.ink if theme.solid else inks.ornament
        surface.fill(outline, theme.paper)
        if theme.solid:
            with surface.clip(outline):
                for column in range(self.columns):
                    cell = self.cell(column * self.rows)
                    half = cell.width * NEED_SHARE
                    surface.fill(
                        rectangle(cell.x + half, box.y, cell.width - half, box.height), inks.light
                    )
        for index in range(len(self.card.levels)):
            cell = self.cell(index)
            if index % self.rows:
                inset = 1.0
                rule = polyline((cell.x + inset, cell.y), (cell.right - inset, cell.y))
                surface.stroke(rule, inks.ornament, 0.2)
        for column in range(1, self.columns):
            x = self.cell(column * self.rows).x
            surface.stroke(polyline((x, box.y), (x, box.bottom)), edge, 0.25)
        surface.stroke(outline, edge, 0.4 if theme.solid else 0.28)
        for index, level in enumerate(self.card.levels):
            self._draw_level(surface, theme, level, self.cell(index))

    def _draw_level(self, surface: Surface, theme: Theme, level: Level, cell: Box) -> None:
        split = cell.x + cell.width * NEED_SHARE
        y = cell.centre[1]
        points = FontStyle(fonts.BLACK, self._points_size(), theme.ink)
        surface.draw_centred_text((split + cell.right) / 2, y, str(level.points), points)
        need = FontStyle(fonts.SEMIBOLD, self._need_size(), theme.ink)
        middle = (cell.x + split) / 2 + 0.2
        requirement = self.card.requirement
        if isinstance(requirement, ColourCount):
            text = str(level.count)
            radius = 0.62 * need.cap_height
            gap = 0.7
            width = need.measure(text) + gap + 2 * radius
            left = middle - width / 2
            surface.draw_text(left, y + need.cap_height / 2, text, need)
            inks = theme.piece(requirement.colour)
            shape = colour_symbol(requirement.colour, left + width - radius, y, 0.86 * radius)
            surface.paint(shape, inks.fill if theme.solid else inks.symbol, inks.line, 0.2)
        elif isinstance(requirement, PieceSequence | Multiset):
            surface.draw_centred_text(middle, y, f"{level.count}×", need)
        else:
            self._draw_ticks(surface, level.count, middle, y, need, theme)

    def _draw_ticks(
        self, surface: Surface, count: int, x: float, y: float, need: FontStyle, theme: Theme
    ) -> None:
        """Draw one tick for each requirement that must be met."""
        size = need.cap_height
        parts = len(split_requirement(self.card.requirement))
        shown = count if count <= min(parts, MOST_TICKS) else 1
        text = "" if shown == count else str(count)
        step = 0.95 * size
        label = need.measure(text) + 0.4 if text else 0
        left = x - (label + shown * step) / 2
        if text:
            surface.draw_text(left, y + need.cap_height / 2, text, need)
        for i in range(shown):
            tick = _tick_path(left + label + i * step, y, size)
            surface.stroke(tick, theme.ink, 0.2 * size, cap="round")

    def _points_size(self) -> float:
        widest = max(len(str(level.points)) for level in self.card.levels)
        cell = self.cell(0)
        return self._size(
            self.growth_factor * self.table.points,
            0.64 * cell.height,
            cell.width * (1 - NEED_SHARE),
            widest,
        )

    def _need_size(self) -> float:
        cell = self.cell(0)
        widest: float = max(len(str(level.count)) for level in self.card.levels) + 1
        if isinstance(self.card.requirement, Several):
            widest = max(
                widest, TICK_WIDTH * min(MOST_TICKS, max(level.count for level in self.card.levels))
            )
        return self._size(
            self.growth_factor * self.table.need, 0.5 * cell.height, cell.width * NEED_SHARE, widest
        )

    @staticmethod
    def _size(largest: float, height: float, width: float, characters: float) -> float:
        """Return the largest type size, in points, for `characters` figures in a space in mm."""
        by_height = height * POINTS_PER_MM / fonts.CAP_HEIGHT
        by_width = (width - 2.2) * POINTS_PER_MM / (characters * 0.56)
        return round(min(largest, by_height, by_width), 2)


NEED_SHARE = 0.52  # the part of a cell for what is needed; the rest is for the points


def _tick_path(x: float, y: float, size: float) -> Path:
    """Return a tick that begins at x and is centred on y."""
    return polyline(
        (x + 0.08 * size, y + 0.05 * size),
        (x + 0.32 * size, y + 0.36 * size),
        (x + 0.78 * size, y - 0.38 * size),
    )


ZERO_DOT_RADIUS = 0.07  # radius of the dot in a zero, as a part of its height
ID_STYLE = FontStyle(fonts.BOLD, 1, spacing=0.13)  # spaced out, so that OCR separates the letters
OUTLINE_WIDTH = 0.28  # of outlines where areas are not filled
SMALLEST_MOTIF = 8  # mm: where there is less room, no motif is drawn
OUTLINED_FRETS = 2  # on each side of the middle, where areas are not filled


@dataclass(frozen=True)
class CardFace:
    """A card as it is drawn in one size."""

    design: Design
    layout: CardsLayout
    size: CardSize
    card: Card
    mark_number: int | None

    def draw(self, surface: Surface) -> None:
        """Draw the whole card, from the background up."""
        self._draw_ground(surface)
        table = self._table()
        table.draw(surface, self.design.theme, self._inks)
        self._draw_motif(surface, table)
        RequirementArea(self.design, self.layout, self.size, self.card).draw(surface, self.field)
        self._draw_mark(surface)
        self._draw_label(surface)

    @property
    def _inks(self) -> CardInks:
        return self.design.theme.card(self.card.colour)

    @property
    def geometry(self) -> CardFaceGeometry:
        """The places of everything on the card."""
        return CardFaceGeometry(self.layout, self.size, load_marks_layout(self.design.layouts))

    @property
    def field(self) -> Box:
        """The light field."""
        return self.geometry.field

    def _table(self) -> LevelTable:
        larger = self.layout.growth_factor(self.size)
        return LevelTable(self.card, self.layout.face.table, self.geometry.header, larger)

    # parts

    def _draw_ground(self, surface: Surface) -> None:
        """Draw the frame, which runs over the edge, its band of step-frets, and the field."""
        theme, inks, face, field = self.design.theme, self._inks, self.layout.face, self.field
        whole = Box(0, 0, self.size.width, self.size.height).inset(-BLEED)

        def draw(surface: Surface) -> None:
            with surface.background():
                if theme.solid:
                    ground = whole.outline()
                    surface.fill(ground, inks.frame)
                self._draw_fret(surface, field.y - face.fret.gap - face.fret.height)
                outline = field.stepped_outline(face.field.step, face.field.steps)
                if theme.solid:
                    surface.paint(outline, theme.paper, theme.ink, 0.5)
                else:
                    surface.stroke(outline, inks.ornament, OUTLINE_WIDTH)

        surface.draw_shared(self._key("ground"), whole, draw)

    def _key(self, what: str) -> str:
        """Return the key of a drawing that all cards of a colour share."""
        colour = self.card.colour.word if self.card.colour is not None else "temple"
        look = "solid" if self.design.theme.solid else "line"
        return f"card-{what}-{look}-{colour}-{self.size.width:g}-{self.size.height:g}"

    def _draw_fret(self, surface: Surface, y: float) -> None:
        """Draw the band of step-frets, its right half mirrored.

        It runs over the edge, or has a few frets in the middle in the low-ink look.
        """
        inks, middle = self._inks, self.size.width / 2
        height = self.layout.face.fret.height
        period = height * FRET_WIDTH
        solid = self.design.theme.solid
        periods = int((middle + BLEED) / period) + 1 if solid else OUTLINED_FRETS
        half = step_fret(height, periods)
        for mirror in (False, True):
            x = middle + (FRET_SEAM if mirror else -FRET_SEAM)
            with surface.at_origin(x, y, mirror=mirror) as at:
                at.fill(half, inks.ornament)

    def _draw_motif(self, surface: Surface, table: LevelTable) -> None:
        """Draw the motif in the middle of the space that the table leaves."""
        header = self.geometry.header
        left = table.box.right + self.layout.face.header.gap
        room = Box(left, header.y, header.right - left, header.height)
        if _fit_motif(room) * MOTIF_HEIGHT >= SMALLEST_MOTIF:
            self._draw_motif_in(surface, room)

    def _draw_motif_in(self, surface: Surface, room: Box) -> None:
        with surface.at_origin(*room.centre, scale=_fit_motif(room)) as at:
            draw_motif(at, self.design.theme, self.card.colour)

    def _draw_mark(self, surface: Surface) -> None:
        """Draw the ArUco mark, black on white in every look, in a stepped frame."""
        theme, inks, box = self.design.theme, self._inks, self.geometry.tablet
        marks = load_marks_layout(self.design.layouts)
        frame = self.layout.face.footer.frame
        tablet = box.stepped_outline(frame)
        surface.fill(tablet, "#ffffff")
        inner = self.geometry.mark
        if self.mark_number is None:
            self._draw_motif_in(surface, inner)
        else:
            surface.fill(marks.mark_path(self.mark_number, inner.x, inner.y, marks.size), "#000000")
        edge = theme.ink if theme.solid else inks.ornament
        surface.stroke(tablet, edge, 0.4 if theme.solid else OUTLINE_WIDTH)

    def _draw_label(self, surface: Surface) -> None:
        """Draw the id and the kind of card, with the symbol of the card colour."""
        theme, inks, box = self.design.theme, self._inks, self.geometry.label
        setting, footer = self.layout.face.label, self.layout.face.footer
        tablet = box.stepped_outline(footer.step)
        edge = theme.ink if theme.solid else inks.ornament
        surface.paint(tablet, theme.paper, edge, 0.4 if theme.solid else OUTLINE_WIDTH)
        inner = box.inset(footer.padding)
        beside = inner.width - 2 * setting.symbol - footer.padding
        size = self._id_size(beside)
        radius, sign_y = setting.symbol, box.centre[1]
        if size < setting.smallest_id:  # a very long id: the sign stands below it, smaller
            size = self._id_size(inner.width)
            if not size:
                smallest = setting.smallest_id
                raise TextOverflowError.for_text(self.card.id, inner.width, inner.height, smallest)
            radius, sign_y = 0.6 * radius, inner.bottom - 0.6 * radius
        type_ = ID_STYLE.with_size(size).with_ink(theme.ink)
        draw_card_id(surface, inner.x, inner.y + 0.5 + type_.cap_height, self.card.id, type_)
        word = self.design.language.label(self.card.kind.value)
        line = Box(inner.x, inner.bottom - 4.6, beside, 5.0)
        kind = FontStyle(fonts.SEMIBOLD, setting.kind, theme.ink)
        surface.draw_fitted_text(
            line, word, kind, smallest=setting.smallest_kind, vertical="bottom"
        )
        self._draw_colour_sign(surface, inner.right - radius, sign_y, radius)

    def _draw_colour_sign(self, surface: Surface, x: float, y: float, radius: float) -> None:
        """Draw the symbol of the card colour; a pyramid for a Temple card."""
        theme, inks, colour = self.design.theme, self._inks, self.card.colour
        if colour is None:
            sign = pyramid(x, y + 0.68 * radius, 2.1 * radius, 1.36 * radius, 3)
        else:
            sign = colour_symbol(colour, x, y, 0.84 * radius)
        if theme.solid:
            surface.paint(sign, inks.frame, theme.ink, 0.4)
        else:
            surface.stroke(sign, inks.ornament, 0.5)

    def _id_size(self, room: float) -> float:
        """Return the type size of the id; 0 if even the smallest is too large."""
        setting = self.layout.face.label
        size = min(setting.id, room / ID_STYLE.measure(self.card.id))
        smallest = (
            setting.smallest_id if self.card.set in PUBLISHED_SETS else setting.smallest_own_id
        )
        return size if size >= smallest else 0


def _fit_motif(room: Box) -> float:
    """Return the scale at which a motif fits a box."""
    return min(room.width / MOTIF_WIDTH, room.height / MOTIF_HEIGHT)


def draw_card_id(surface: Surface, x: float, y: float, card_id: str, type_: FontStyle) -> None:
    """Draw an id with a dot in each zero, so that it is not taken for the letter O.

    Tesseract reads a slashed zero as Q, but reads a dotted one correctly.
    """
    surface.draw_text(x, y, card_id, type_)
    for index, char in enumerate(card_id):
        if char == "0":
            middle = x + type_.measure(card_id[: index + 1]) - type_.measure("0") / 2
            surface.fill(
                ellipse(middle, y - type_.cap_height / 2, ZERO_DOT_RADIUS * type_.cap_height),
                type_.ink,
            )


def make_card_items(
    design: Design, cards: Sequence[Card], size_name: str, numbers: Mapping[str, int]
) -> list[Item]:
    """Make one item for each copy of each card; `numbers` maps ids to ArUco marks.

    Raises CommandLineError for an unknown size, TextOverflowError if a text does not fit.
    """
    size = find_card_size(design.layouts, size_name)
    layout = load_cards_layout(design.layouts)
    backs = {kind: make_card_back(design, layout, size, kind) for kind in CardKind}
    items = []
    for card in cards:
        art = CardFace(design, layout, size, card, numbers.get(card.id))
        front = Face(f"card-{card.id}", size.width, size.height, art.draw, layout.safe)
        items += [Item(card.id, front, backs[card.kind])] * card.copies
    return items
