"""The measures of cards (`layouts/cards.json`), and where things lie on the face of a card of
any size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from coatl_tools.errors import CommandLineError
from coatl_tools.files.json_models import StrictModel
from coatl_tools.printing.aruco_marks import MarksLayout
from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.printing.layouts import LayoutModel, Layouts, Millimetres, Points, Size

Fraction = Annotated[float, Field(ge=0, le=1)]


class CardSize(StrictModel):
    """The size of a card when it is cut."""

    width: Annotated[Size, Field(ge=52, le=76)]
    height: Annotated[Size, Field(ge=80, le=130)]


class HeaderLayout(StrictModel):
    """The upper part of the frame: points at the left, the motif at the right."""

    height: Size = Field(description="From the upper edge to the field")
    grow: Fraction = Field(description="The part of a taller card's height that it gets")
    top: Millimetres = Field(description="From the upper edge to the table and the motif")
    sides: Millimetres = Field(description="From the left and right edge to them")
    gap: Millimetres = Field(description="Between table and motif")


class FretLayout(StrictModel):
    """The band of step-frets at the lower end of the header."""

    height: Size
    gap: Millimetres = Field(description="From the band to the field, and to the table above it")


class LightFieldLayout(StrictModel):
    """The light field of the requirement and its words."""

    step: Size = Field(description="Size of a step of its corners")
    steps: int = Field(ge=1, le=5, description="Steps in each corner")
    padding_x: Millimetres = Field(description="Free at its left and right")
    padding_y: Millimetres = Field(description="Free at its top and bottom")
    gap: Millimetres = Field(description="Between the requirement and its words")


class FooterLayout(StrictModel):
    """The lower part of the frame: the ArUco mark at the left, the id at the right."""

    height: Size = Field(description="From the field to the lower edge")
    bottom: Millimetres = Field(description="From the tablets to the lower edge")
    sides: Millimetres = Field(description="From the tablets to the left and right edge")
    gap: Millimetres = Field(description="Between the two tablets")
    step: Size = Field(description="Size of a step of their corners")
    padding: Millimetres = Field(description="Free inside the tablet of the id")
    frame: Millimetres = Field(description="Between the white of the mark and its stepped edge")


class LevelTableLayout(StrictModel):
    """What each level needs and pays."""

    rows: int = Field(ge=1, le=10, description="Levels in a column, before a second one begins")
    cell: Size = Field(description="Width of a column, if there is only one")
    row: Size = Field(description="Height of a row at most")
    step: Size = Field(description="Size of a step of its corners")
    need: Points = Field(description="Type of what is needed, at most")
    points: Points = Field(description="Type of the points, at most")


class RequirementRowLayout(StrictModel):
    """The requirement as pieces."""

    largest: Annotated[Size, Field(le=2)] = Field(
        description="Scale of the pieces at most; 1 is the real size"
    )
    rule: Size = Field(description="Thickness of the rules between several requirements")
    picture: Fraction = Field(description="Part of the width for the picture, words beside it")
    narrow: Fraction = Field(description="The same where the words need more room")
    least: Size = Field(description="Height of such a row at least")


class RequirementTextLayout(StrictModel):
    """The requirement in words."""

    size: Points = Field(description="Below the pieces, at most")
    beside: Points = Field(description="Beside the pictures of several requirements, at most")
    smallest: Points
    smallest_own: Points = Field(description="For cards of one's own that ask very much")
    side: Millimetres = Field(description="Free beside words, more than beside the pieces")
    share: Fraction = Field(description="The part of the field that words may take")
    least: Millimetres = Field(description="The height that words have at least")


class LabelLayout(StrictModel):
    """The id and the kind of card."""

    id: Annotated[Points, Field(ge=12)]
    smallest_id: Annotated[Points, Field(ge=12)]
    smallest_own_id: Points = Field(description="For very long ids of one's own")
    kind: Points
    smallest_kind: Points
    symbol: Size = Field(description="Radius of the symbol of the card colour")


class CardFaceLayout(StrictModel):
    """The face of a card."""

    drawn_for: CardSize = Field(description="The size that the measures are meant for")
    side: Millimetres = Field(description="Width of the frame at the left and right")
    header: HeaderLayout
    fret: FretLayout
    field: LightFieldLayout
    footer: FooterLayout
    table: LevelTableLayout
    row: RequirementRowLayout
    text: RequirementTextLayout
    label: LabelLayout


class BackBandLayout(StrictModel):
    """A band of step-frets across a back, and the same at the other end."""

    edge: Millimetres = Field(description="From the edge; far enough that a shift is not seen")
    height: Size
    line: Millimetres = Field(description="Free ground above and below it")


class CardBackLayout(StrictModel):
    """The backs of cards."""

    pattern: Size = Field(description="Width of one figure of the ground's pattern")
    motif: Fraction = Field(description="Width of the motif, as a part of the card's")
    band: BackBandLayout


class CardsLayout(LayoutModel):
    """The shape of `cards.json`."""

    safe: Annotated[Millimetres, Field(ge=2)] = Field(
        description="Only grounds come nearer to the edge than this"
    )
    sizes: dict[str, CardSize] = Field(min_length=1)
    face: CardFaceLayout
    back: CardBackLayout

    def growth_factor(self, size: CardSize) -> float:
        """Return how much larger things may be drawn on a card of this size; at least 1."""
        usual = self.face.drawn_for
        return max(1.0, min(size.width / usual.width, size.height / usual.height))


def load_cards_layout(layouts: Layouts) -> CardsLayout:
    """Load the measures of cards."""
    return layouts.load("cards", CardsLayout)


def find_card_size(layouts: Layouts, name: str) -> CardSize:
    """Find a card size by its name; raises CommandLineError, listing the names, if unknown."""
    sizes = load_cards_layout(layouts).sizes
    name = name.lower()
    if name not in sizes:
        raise CommandLineError("print.card_size", name=name, sizes=", ".join(sizes))
    return sizes[name]


@dataclass(frozen=True)
class CardFaceGeometry:
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
        """The white tablet of the ArUco mark, its quiet zone included."""
        marks, footer = self.marks, self.layout.face.footer
        side = marks.size + 2 * marks.quiet + 2 * footer.frame
        return Box(footer.sides, self.size.height - footer.bottom - side, side, side)

    @property
    def mark(self) -> Box:
        """The ArUco mark itself."""
        return self.tablet.inset(self.marks.quiet + self.layout.face.footer.frame)

    @property
    def label(self) -> Box:
        """The tablet of the id."""
        tablet, footer = self.tablet, self.layout.face.footer
        left = tablet.right + footer.gap
        width = self.size.width - footer.sides - left
        return Box(left, tablet.y, width, tablet.height)
