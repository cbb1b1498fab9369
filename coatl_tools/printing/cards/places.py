"""Where things lie on the face of a card, for those who draw it and those who read it back."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.printing.cards.layout import CardSize, CardsLayout
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.marks import MarksLayout


@dataclass(frozen=True)
class FacePlaces:
    """The places on a face of one size, in millimetres: every measure is taken from an edge."""

    layout: CardsLayout
    size: CardSize
    marks: MarksLayout

    @property
    def header(self) -> Box:
        """The room of table and motif."""
        face, fret = self.layout.face, self.layout.face.fret
        top, sides = face.header.top, face.header.sides
        low = self.field.y - 2 * fret.gap - fret.height
        return Box(sides, top, self.size.width - 2 * sides, low - top)

    @property
    def field(self) -> Box:
        """The light field."""
        face = self.layout.face
        taller = self.size.height - face.drawn_for.height
        top = face.header.height + face.header.grow * max(0.0, taller)
        height = self.size.height - top - face.footer.height
        return Box(face.side, top, self.size.width - 2 * face.side, height)

    @property
    def tablet(self) -> Box:
        """The white tablet of the machine mark, its quiet zone included."""
        marks, footer = self.marks, self.layout.face.footer
        side = marks.size + 2 * marks.quiet + 2 * footer.frame
        return Box(footer.sides, self.size.height - footer.bottom - side, side, side)

    @property
    def mark(self) -> Box:
        """The machine mark itself."""
        return self.tablet.inset(self.marks.quiet + self.layout.face.footer.frame)

    @property
    def label(self) -> Box:
        """The tablet of the id."""
        tablet, footer = self.tablet, self.layout.face.footer
        left = tablet.right + footer.gap
        width = self.size.width - footer.sides - left
        return Box(left, tablet.y, width, tablet.height)
