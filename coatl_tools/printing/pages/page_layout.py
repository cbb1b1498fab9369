"""The measures of the printed pages: the shape of `pages.json`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from coatl_tools.files.json_models import StrictModel
from coatl_tools.printing.layouts import LayoutModel, Millimetres, Points, Size
from coatl_tools.printing.pieces.piece_shapes import PieceShape

Factor = Annotated[float, Field(gt=0, le=10)]


class PageTypeSizes(StrictModel):
    """Type sizes."""

    largest: Points = Field(description="Text, where there is room")
    smallest: Points = Field(description="Text, where there is little room")
    step: Factor = Field(description="By so much the text shrinks until it fits")
    leading: Factor = Field(description="The distance of lines, as a part of the type size")
    title: Points
    subtitle: Points
    heading: Points
    rules: Points = Field(description="The numbers of rules")
    label: Points = Field(description="What stands in figures")


class TitleBandLayout(StrictModel):
    """The band at the top of a page, with its title."""

    height: Size
    fret: Size = Field(description="Height of the step-fret in it")
    step: Size = Field(description="Of its corners")
    below: Millimetres = Field(description="Space under it")


class PageSpacing(StrictModel):
    """Distances in running text."""

    columns: Millimetres = Field(description="Between the two columns")
    section: Millimetres = Field(description="Above a section")
    most: Millimetres = Field(description="By so much that may grow, for columns of one length")
    more: Millimetres = Field(description="By so much other distances may grow")
    heading: Millimetres = Field(description="Below the heading of a section")
    paragraph: Millimetres = Field(description="Between paragraphs")
    indent: Millimetres = Field(description="Of the text of a list's entry")
    icon: Size = Field(description="Width of the picture beside a step")
    figure: Millimetres = Field(description="Above and below a figure")
    box: Millimetres = Field(description="Inside the edge of a box")


class FigureSizes(StrictModel):
    """Sizes of figures."""

    piece: Factor = Field(description="Scale of the pieces of the labelled Cóatl")
    example: Factor = Field(description="Scale of the pieces of the scoring example, at most")
    board: Size = Field(description="Height of the small Supply board")


class AdamMatLayout(StrictModel):
    """The places for A.D.A.M.'s cards."""

    card_width: Size
    card_height: Size
    inset: Millimetres = Field(description="A frame is so much smaller than the card that hides it")
    gap: Millimetres = Field(description="Between two cards, at most")
    head: Size = Field(description="Height of the line of numbers above the cards")


class ReferenceLayout(StrictModel):
    """The card reference."""

    columns: Annotated[int, Field(ge=1, le=6)]
    gap: Millimetres = Field(description="Between columns")
    row: Size = Field(description="Height of a card's line, where there is room")
    smallest_row: Size = Field(description="Height of a card's line, where there is little room")
    heading: Size = Field(description="Height of a group's heading")
    group: Millimetres = Field(description="Space above a group")
    id: Size = Field(description="Width of a card's id")
    level: Size = Field(description="Width of one level")
    pitch: Size = Field(description="From one small piece to the next")


class PagesLayout(LayoutModel):
    """The shape of `pages.json`."""

    type: PageTypeSizes
    band: TitleBandLayout
    space: PageSpacing
    boxed: list[str] = Field(description="Sections that stand in a box")
    wide: list[str] = Field(description="Sections across both columns, at the foot of the page")
    numbered: list[str] = Field(description="Pages whose sections have numbers")
    figures: FigureSizes
    small_piece: PieceShape = Field(description="A body with room for its symbol at small sizes")
    mat: AdamMatLayout
    reference: ReferenceLayout
