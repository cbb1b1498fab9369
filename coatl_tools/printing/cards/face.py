"""The face of a card: points, motif, the requirement as pieces and in words, mark and id."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.cards.card import Card
from coatl_tools.printing.cards.layout import CardSize, CardsLayout
from coatl_tools.printing.cards.level_table import LevelTable
from coatl_tools.printing.cards.motifs import HEIGHT, WIDTH, draw_motif
from coatl_tools.printing.cards.places import FacePlaces
from coatl_tools.printing.cards.requirement_area import PUBLISHED, CardRequirement
from coatl_tools.printing.component import BLEED, Design
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.ornaments import FRET_SEAM, FRET_WIDTH, pyramid, step_fret
from coatl_tools.printing.drawing.paths import ellipse, rectangle, stepped
from coatl_tools.printing.drawing.surface import Surface, TextOverflowError, Type
from coatl_tools.printing.drawing.symbols import symbol
from coatl_tools.printing.marks import load_marks
from coatl_tools.printing.theme import CardInks

DOT = 0.07  # radius of the dot in a zero, as a part of its height
ID = Type(fonts.BOLD, 1, spacing=0.13)  # letters apart, so that a camera parts them too
LINE = 0.28  # of outlines where areas are not filled
LINE_FRETS = 2  # on each side of the middle, in that look


@dataclass(frozen=True)
class CardFace:
    """A card as it is drawn in one size."""

    design: Design
    layout: CardsLayout
    size: CardSize
    card: Card
    number: int | None

    def draw(self, surface: Surface) -> None:
        """Draw everything, from the ground up."""
        self._ground(surface)
        table = self._table()
        table.draw(surface, self.design.theme, self._inks)
        self._motif(surface, table)
        CardRequirement(self.design, self.layout, self.size, self.card).draw(surface, self.field)
        self._mark(surface)
        self._label(surface)

    @property
    def _inks(self) -> CardInks:
        return self.design.theme.card(self.card.colour)

    @property
    def places(self) -> FacePlaces:
        """Where everything lies."""
        return FacePlaces(self.layout, self.size, load_marks(self.design.layouts))

    @property
    def field(self) -> Box:
        """The light field."""
        return self.places.field

    def _table(self) -> LevelTable:
        larger = self.layout.larger(self.size)
        return LevelTable(self.card, self.layout.face.table, self.places.header, larger)

    # what lies there

    def _ground(self, surface: Surface) -> None:
        """The frame, which runs over the edge, its band of step-frets, and the field."""
        theme, inks, face, field = self.design.theme, self._inks, self.layout.face, self.field
        whole = Box(0, 0, self.size.width, self.size.height).inset(-BLEED)

        def draw(surface: Surface) -> None:
            with surface.background():
                if theme.solid:
                    ground = rectangle(whole.x, whole.y, whole.width, whole.height)
                    surface.fill(ground, inks.frame)
                self._fret(surface, field.y - face.fret.gap - face.fret.height)
                step, steps = face.field.step, face.field.steps
                outline = stepped(field.x, field.y, field.width, field.height, step, steps)
                if theme.solid:
                    surface.paint(outline, theme.paper, theme.ink, 0.5)
                else:
                    surface.stroke(outline, inks.ornament, LINE)

        surface.stamp(self._key("ground"), whole, draw)

    def _key(self, what: str) -> str:
        """The name of a drawing that all cards of a colour share."""
        colour = self.card.colour.word if self.card.colour is not None else "temple"
        look = "solid" if self.design.theme.solid else "line"
        return f"card-{what}-{look}-{colour}-{self.size.width:g}-{self.size.height:g}"

    def _fret(self, surface: Surface, y: float) -> None:
        """The band, both halves of it mirrored: over the edge, or a few frets in the middle."""
        inks, middle = self._inks, self.size.width / 2
        height = self.layout.face.fret.height
        period = height * FRET_WIDTH
        solid = self.design.theme.solid
        periods = int((middle + BLEED) / period) + 1 if solid else LINE_FRETS
        half = step_fret(0, 0, height, periods)
        for mirror in (False, True):
            x = middle + (FRET_SEAM if mirror else -FRET_SEAM)
            with surface.placed(x, y, mirror=mirror) as at:
                at.fill(half, inks.ornament)

    def _motif(self, surface: Surface, table: LevelTable) -> None:
        """The motif, in the middle of what the table leaves free."""
        header = self.places.header
        left = table.box.right + self.layout.face.header.gap
        room = Box(left, header.y, header.right - left, header.height)
        scale = min(room.width / WIDTH, room.height / HEIGHT)
        if scale * HEIGHT < 8:
            return
        x, y = room.centre
        with surface.placed(x, y, scale=scale) as at:
            draw_motif(at, self.design.theme, self.card.colour)

    def _mark(self, surface: Surface) -> None:
        """The machine mark, black on white in every look, in a stepped frame."""
        theme, inks, box = self.design.theme, self._inks, self.places.tablet
        marks = load_marks(self.design.layouts)
        frame = self.layout.face.footer.frame
        tablet = stepped(box.x, box.y, box.width, box.height, frame)
        surface.fill(tablet, "#ffffff")
        inner = self.places.mark
        if self.number is None:
            self._ornament(surface, inner)
        else:
            surface.fill(marks.path(self.number, inner.x, inner.y, marks.size), "#000000")
        edge = theme.ink if theme.solid else inks.ornament
        surface.stroke(tablet, edge, 0.4 if theme.solid else LINE)

    def _ornament(self, surface: Surface, box: Box) -> None:
        """What stands where a card has no mark."""
        scale = min(box.width / WIDTH, box.height / HEIGHT)
        x, y = box.centre
        with surface.placed(x, y, scale=scale) as at:
            draw_motif(at, self.design.theme, self.card.colour)

    def _label(self, surface: Surface) -> None:
        """The id and the kind of card, with the sign of the card colour."""
        theme, inks, box = self.design.theme, self._inks, self.places.label
        setting, footer = self.layout.face.label, self.layout.face.footer
        tablet = stepped(box.x, box.y, box.width, box.height, footer.step)
        edge = theme.ink if theme.solid else inks.ornament
        surface.paint(tablet, theme.paper, edge, 0.4 if theme.solid else LINE)
        inner = box.inset(footer.padding)
        beside = inner.width - 2 * setting.symbol - footer.padding
        size = self._id_size(beside)
        radius, sign_y = setting.symbol, box.centre[1]
        if size < setting.smallest_id:  # a very long id: the sign stands below it, smaller
            size = self._id_size(inner.width)
            if not size:
                smallest = setting.smallest_id
                raise TextOverflowError.of(self.card.id, inner.width, inner.height, smallest)
            radius, sign_y = 0.6 * radius, inner.bottom - 0.6 * radius
        type_ = ID.resized(size).coloured(theme.ink)
        draw_id(surface, inner.x, inner.y + 0.5 + type_.cap, self.card.id, type_)
        word = self.design.language.label(self.card.kind.value)
        line = Box(inner.x, inner.bottom - 4.6, beside, 5.0)
        kind = Type(fonts.SEMIBOLD, setting.kind, theme.ink)
        surface.fitted(line, word, kind, smallest=setting.smallest_kind, vertical="bottom")
        self._sign(surface, inner.right - radius, sign_y, radius)

    def _sign(self, surface: Surface, x: float, y: float, radius: float) -> None:
        """The symbol of the card colour; a pyramid for a Temple card."""
        theme, inks, colour = self.design.theme, self._inks, self.card.colour
        if colour is None:
            sign = pyramid(x, y + 0.68 * radius, 2.1 * radius, 1.36 * radius, 3)
        else:
            sign = symbol(colour, x, y, 0.84 * radius)
        if theme.solid:
            surface.paint(sign, inks.frame, theme.ink, 0.4)
        else:
            surface.stroke(sign, inks.ornament, 0.5)

    def _id_size(self, room: float) -> float:
        """The type size of the id; 0 if even the smallest is too large."""
        setting = self.layout.face.label
        size = min(setting.id, room / ID.width(self.card.id))
        smallest = setting.smallest_id if self.card.set in PUBLISHED else setting.smallest_own_id
        return size if size >= smallest else 0


def draw_id(surface: Surface, x: float, y: float, card_id: str, type_: Type) -> None:
    """An id whose zeros cannot be taken for the letter O: there is a dot in each.

    Tesseract takes a stroke in a zero for a Q, a dot for nothing else.
    """
    surface.text(x, y, card_id, type_)
    for index, char in enumerate(card_id):
        if char == "0":
            middle = x + type_.width(card_id[: index + 1]) - type_.width("0") / 2
            surface.fill(ellipse(middle, y - type_.cap / 2, DOT * type_.cap), type_.ink)
