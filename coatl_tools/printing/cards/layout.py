"""The measures of cards, as data: every one is taken from an edge, so that any size is re-laid."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from coatl_tools.errors import CommandLineError
from coatl_tools.json_models import StrictModel
from coatl_tools.printing.layouts import LayoutModel, Layouts, Millimetres, Points, Size

Share = Annotated[float, Field(ge=0, le=1)]


class CardSize(StrictModel):
    """The size of a card when it is cut."""

    width: Annotated[Size, Field(ge=52, le=76)]
    height: Annotated[Size, Field(ge=80, le=130)]


class Header(StrictModel):
    """The upper part of the frame: points at the left, the motif at the right."""

    height: Size = Field(description="From the upper edge to the field")
    grow: Share = Field(description="The part of a taller card's height that it gets")
    top: Millimetres = Field(description="From the upper edge to the table and the motif")
    sides: Millimetres = Field(description="From the left and right edge to them")
    gap: Millimetres = Field(description="Between table and motif")


class Fret(StrictModel):
    """The band of step-frets at the lower end of the header."""

    height: Size
    gap: Millimetres = Field(description="From the band to the field, and to the table above it")


class LightField(StrictModel):
    """The light field of the requirement and its words."""

    step: Size = Field(description="Size of a step of its corners")
    steps: int = Field(ge=1, le=5, description="Steps in each corner")
    padding_x: Millimetres = Field(description="Free at its left and right")
    padding_y: Millimetres = Field(description="Free at its top and bottom")
    gap: Millimetres = Field(description="Between the requirement and its words")


class Footer(StrictModel):
    """The lower part of the frame: the machine mark at the left, the id at the right."""

    height: Size = Field(description="From the field to the lower edge")
    bottom: Millimetres = Field(description="From the tablets to the lower edge")
    sides: Millimetres = Field(description="From the tablets to the left and right edge")
    gap: Millimetres = Field(description="Between the two tablets")
    step: Size = Field(description="Size of a step of their corners")
    padding: Millimetres = Field(description="Free inside the tablet of the id")
    frame: Millimetres = Field(description="Between the white of the mark and its stepped edge")


class Table(StrictModel):
    """What each level needs and pays."""

    rows: int = Field(ge=1, le=10, description="Levels in a column, before a second one begins")
    cell: Size = Field(description="Width of a column, if there is only one")
    row: Size = Field(description="Height of a row at most")
    step: Size = Field(description="Size of a step of its corners")
    need: Points = Field(description="Type of what is needed, at most")
    points: Points = Field(description="Type of the points, at most")


class Row(StrictModel):
    """The requirement as pieces."""

    largest: Annotated[Size, Field(le=2)] = Field(
        description="Scale of the pieces at most; 1 is the real size"
    )
    rule: Size = Field(description="Thickness of the rules between several requirements")
    picture: Share = Field(description="Part of the width for the picture, words beside it")
    narrow: Share = Field(description="The same where the words need more room")
    least: Size = Field(description="Height of such a row at least")


class Text(StrictModel):
    """The requirement in words."""

    size: Points = Field(description="Below the pieces, at most")
    beside: Points = Field(description="Beside the pictures of several requirements, at most")
    smallest: Points
    smallest_own: Points = Field(description="For cards of one's own that ask very much")
    side: Millimetres = Field(description="Free beside words, more than beside the pieces")
    share: Share = Field(description="The part of the field that words may take")
    least: Millimetres = Field(description="The height that words have at least")


class Label(StrictModel):
    """The id and the kind of card."""

    id: Annotated[Points, Field(ge=12)]
    smallest_id: Annotated[Points, Field(ge=12)]
    smallest_own_id: Points = Field(description="For very long ids of one's own")
    kind: Points
    smallest_kind: Points
    symbol: Size = Field(description="Radius of the symbol of the card colour")


class FaceLayout(StrictModel):
    """The face of a card."""

    drawn_for: CardSize = Field(description="The size that the measures are meant for")
    side: Millimetres = Field(description="Width of the frame at the left and right")
    header: Header
    fret: Fret
    field: LightField
    footer: Footer
    table: Table
    row: Row
    text: Text
    label: Label


class Band(StrictModel):
    """A band of step-frets across a back, and the same at the other end."""

    edge: Millimetres = Field(description="From the edge; far enough that a shift is not seen")
    height: Size
    line: Millimetres = Field(description="Free ground above and below it")


class BackLayout(StrictModel):
    """The backs of cards."""

    pattern: Size = Field(description="Width of one figure of the ground's pattern")
    motif: Share = Field(description="Width of the motif, as a part of the card's")
    band: Band


class CardsLayout(LayoutModel):
    """The shape of `cards.json`."""

    safe: Annotated[Millimetres, Field(ge=2)] = Field(
        description="Only grounds come nearer to the edge than this"
    )
    sizes: dict[str, CardSize] = Field(min_length=1)
    face: FaceLayout
    back: BackLayout

    def larger(self, size: CardSize) -> float:
        """How much larger than usual things may get on a card of this size."""
        usual = self.face.drawn_for
        return max(1.0, min(size.width / usual.width, size.height / usual.height))


def load_cards_layout(layouts: Layouts) -> CardsLayout:
    """The measures of cards."""
    return layouts.read("cards", CardsLayout)


def card_size(layouts: Layouts, name: str) -> CardSize:
    """A card size by its name; raises CommandLineError with all names if there is none such."""
    sizes = load_cards_layout(layouts).sizes
    name = name.lower()
    if name not in sizes:
        raise CommandLineError("print.card_size", name=name, sizes=", ".join(sizes))
    return sizes[name]
