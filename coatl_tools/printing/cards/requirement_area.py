"""What a card asks, on its face: as pieces, and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card, describe_part
from coatl_tools.cards.requirement import Several, split_requirement
from coatl_tools.printing.cards.layout import CardSize, CardsLayout
from coatl_tools.printing.cards.requirement_figures import Brush
from coatl_tools.printing.cards.requirement_row import arranged, draw_arrangement
from coatl_tools.printing.component import Design
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.inks import mixed
from coatl_tools.printing.drawing.paths import polyline
from coatl_tools.printing.drawing.surface import (
    Surface,
    TextOverflowError,
    Type,
    text_height,
    wrapped,
)
from coatl_tools.printing.drawing.typography import spaced
from coatl_tools.printing.pieces.shapes import PiecesLayout

PUBLISHED = ("base", "promo")  # the sets whose words are always on their cards
LEAST = 2.0  # millimetres that pieces need at the very least, in each direction
FEW_LINES = 4  # beside a picture, if it can be
PICTURE = 2.0  # a picture is so much lower than its row, so that it does not touch the rules


@dataclass(frozen=True)
class CardRequirement:
    """The pieces above, the words below; or each of several requirements with its own words."""

    design: Design
    layout: CardsLayout
    size: CardSize
    card: Card

    def draw(self, surface: Surface, field: Box) -> None:
        """Draw both inside the light field, a margin kept."""
        face = self.layout.face
        field = field.inset(face.field.padding_x, face.field.padding_y)
        if isinstance(self.card.requirement, Several) and self._paired(surface, field):
            return
        text = spaced(
            describe_card(self.card, self.design.language.code), self.design.language.code
        )
        words = self._words(text, field)
        room = field
        if words is not None:
            type_, box = words
            room = Box(field.x, field.y, field.width, box.y - face.field.gap - field.y)
            surface.fitted(box, text, type_, align="centre", vertical="middle")
        if min(room.width, room.height) < LEAST:
            raise TextOverflowError.of(text, field.width, field.height, face.text.smallest)
        parts = split_requirement(self.card.requirement)
        largest = face.row.largest * self.layout.larger(self.size)
        laid = arranged(parts, self._brush, room.width, room.height, largest)
        draw_arrangement(surface, laid, room, self._rule_ink, face.row.rule)

    def _words(self, text: str, field: Box) -> tuple[Type, Box] | None:
        """The size of the words and the box that they fill at the lower end of the field.

        A card of one's own may ask more than can be said: then the pieces alone say it.
        """
        setting = self.layout.face.text
        type_ = Type(fonts.REGULAR, setting.size, self._words_ink, 1.18)
        published = self.card.set in PUBLISHED
        smallest = setting.smallest if published else setting.smallest_own
        most = setting.share * field.height
        x, width = field.x + setting.side, field.width - 2 * setting.side
        size = round(setting.size * self.layout.larger(self.size) * 4) / 4
        while size >= smallest:
            lines = wrapped(text, type_.resized(size), width)
            if lines is not None:
                height = text_height(len(lines), type_.resized(size))
                if height <= most:
                    tall = max(height, setting.least)
                    return type_.resized(size), Box(x, field.bottom - tall, width, tall)
            size -= 0.25
        if published:
            raise TextOverflowError.of(text, width, most, smallest)
        return None

    def _paired(self, surface: Surface, field: Box) -> bool:
        """Each requirement in a row of its own, its words beside it; False if they do not fit."""
        face, language = self.layout.face, self.design.language
        parts = split_requirement(self.card.requirement)
        texts = [_sentence(describe_part(part, language), language.code) for part in parts]
        between = face.field.gap
        room = field.height - (len(parts) - 1) * between
        for type_, picture, most in self._settings(field.width):
            width = field.width - picture - face.field.gap
            filled = [lines for text in texts if (lines := wrapped(text, type_, width))]
            tall = [text_height(len(lines), type_) for lines in filled]
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
                    surface.stroke(line.at(0, -between / 2), self._rule_ink, face.row.rule)
                box = Box(field.x, y, picture, row + spare)
                lower = max(LEAST, box.height - PICTURE)
                laid = arranged((part,), self._brush, picture, lower, face.row.largest)
                draw_arrangement(surface, laid, box, self._rule_ink, face.row.rule)
                words = Box(field.right - width, y, width, box.height)
                surface.fitted(words, text, type_, vertical="middle")
                y += box.height + between
            return True
        return False

    def _settings(self, width: float) -> Iterator[tuple[Type, float, int]]:
        """How words beside pictures may be set, the best first: type, width of pictures, lines."""
        setting, row = self.layout.face.text, self.layout.face.row
        largest = round(setting.beside * self.layout.larger(self.size) * 4)
        sizes = range(largest, round(setting.smallest * 4) - 1, -1)
        for lines in (FEW_LINES, 100):
            for picture, quarters in (
                (row.picture, sizes[:1]),  # the largest type matters more than a large picture
                (row.narrow, sizes),
                (row.picture, sizes[1:]),
            ):
                for quarter in quarters:
                    type_ = Type(fonts.REGULAR, quarter / 4, self._words_ink, 1.16)
                    yield type_, picture * width, lines

    @property
    def _brush(self) -> Brush:
        shape = self.design.layouts.read("pieces", PiecesLayout).shape
        return Brush(shape, self.design.theme)

    @property
    def _rule_ink(self) -> str:
        return self.design.theme.card(self.card.colour).ornament

    @property
    def _words_ink(self) -> str:
        """The ink of the words: a little lighter where ink is saved."""
        theme = self.design.theme
        return theme.ink if theme.solid else mixed(theme.ink, theme.paper, 0.2)


def _sentence(phrase: str, language: str) -> str:
    return spaced(f"{phrase[0].upper()}{phrase[1:]}.", language)
