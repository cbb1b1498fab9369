"""The measures of the boards and tokens: `layouts/boards.json` and `layouts/tokens.json`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from coatl_tools.files.json_models import StrictModel
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.printing.drawing.surface import Align, FontStyle, Surface
from coatl_tools.printing.drawing.typography import add_no_break_spaces
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import LayoutModel, Millimetres, Points, Size


class TextArea(StrictModel):
    """Where a text stands, and how large it is."""

    x: Millimetres
    y: Millimetres
    width: Size
    height: Size
    size: Points
    smallest: Annotated[Points, Field(ge=6.5)]

    def box(self, x: float = 0, y: float = 0) -> Box:
        """Return the text area as a box, moved by (x, y)."""
        return Box(x + self.x, y + self.y, self.width, self.height)

    def draw_text(
        self,
        surface: Surface,
        design: Design,
        text: str,
        ink: str,
        face: str = fonts.REGULAR,
        at: tuple[float, float] = (0, 0),
        align: Align = "left",
        vertical: Literal["top", "middle", "bottom"] = "top",
    ) -> None:
        """Draw a text in this area, shrunk to fit if necessary."""
        text = add_no_break_spaces(text, design.language.code)
        type_ = FontStyle(face, self.size, ink, 1.16)
        surface.draw_fitted_text(self.box(*at), text, type_, self.smallest, align, vertical)


class SupplySpaceLayout(StrictModel):
    """A space of the Supply board: its middle, and where its number stands."""

    x: Size
    y: Size
    turn: Literal[0, 90] = Field(0, description="90: the pieces lie upright")
    disc_x: Size
    disc_y: Size


class SupplySpacesLayout(StrictModel):
    """The spaces of one kind, in the order of their numbers (ruling 9.6)."""

    width: Size
    height: Size
    places: list[SupplySpaceLayout] = Field(min_length=1)

    def space_box(self, place: SupplySpaceLayout) -> Box:
        """Return the area that a space covers."""
        width, height = self.width, self.height
        if place.turn:
            width, height = height, width
        return Box(place.x - width / 2, place.y - height / 2, width, height)


class SupplyBoardLayout(StrictModel):
    """The Supply board (rule 1.4)."""

    width: Size
    height: Size
    safe: Millimetres
    disc: Size = Field(description="Radius of the disc behind a number")
    number: Points
    body: SupplySpacesLayout
    head: SupplySpacesLayout
    tail: SupplySpacesLayout
    title: TextArea
    hint: TextArea
    note: TextArea


class ScoreboardLayout(StrictModel):
    """The scoreboard (rule 5.3): a serpent that winds through rows, from the lowest one up."""

    rows: Literal[1, 3, 5, 7, 9] = Field(description="Odd: the last one ends at the right")
    x: Millimetres = Field(description="The left edge of the cells")
    y: Millimetres = Field(description="The upper edge of the highest row")
    width: Size = Field(description="Of all cells of a row together")
    row: Size = Field(description="Height of a row")
    gap: Size = Field(description="Between two rows")
    bulge: Size = Field(description="How far a bend reaches beyond the cells")
    chevron: Millimetres = Field(description="How far the borders of cells point ahead")
    number: Points
    fifth: Points
    tenth: Points
    number_y: Millimetres = Field(description="From a row's upper edge to the middle of a number")
    head: Size = Field(description="Length of the serpent's head with its neck")
    slot_y: Millimetres = Field(description="The upper edge of the places for tokens")
    slot_pitch: Size
    slot_number: Points
    title: TextArea
    note: TextArea


class FieldSize(StrictModel):
    """A size without a place."""

    width: Size
    height: Size


class PlayerBoardLayout(StrictModel):
    """A player board (rule 1.5)."""

    width: Size
    height: Size
    safe: Millimetres
    colours: list[Literal["R", "G", "B", "Y", "K"]] = Field(min_length=1)
    columns: Annotated[int, Field(ge=1, le=20)]
    x: Millimetres = Field(description="The left edge of the fields")
    y: Millimetres = Field(description="The upper edge of the fields")
    field: FieldSize
    gap_x: Millimetres
    gap_y: Millimetres
    band: Size = Field(description="Height of the band in the player's colour")
    emblem: Size = Field(description="Radius of the player's emblem")
    heading: TextArea
    summary_y: Size
    icon: Size
    action: TextArea
    how: TextArea
    coatl: Size = Field(description="Length of the small Cóatl before the words about it")
    complete: TextArea

    def list_fields(self, count: int) -> list[Box]:
        """List the fields for `count` pieces, row by row."""
        across, down = self.field.width + self.gap_x, self.field.height + self.gap_y
        return [
            Box(
                self.x + i % self.columns * across,
                self.y + i // self.columns * down,
                self.field.width,
                self.field.height,
            )
            for i in range(count)
        ]


class BoardsLayout(LayoutModel):
    """The shape of `boards.json`."""

    supply: SupplyBoardLayout
    score: ScoreboardLayout
    player: PlayerBoardLayout


class SacrificeTokenLayout(StrictModel):
    """A Sacrifice token (rule 1.5)."""

    size: Size
    safe: Millimetres
    rim: Size
    icon_y: Size
    icon: Size = Field(description="How large the icon is: 1 is a centimetre")
    name: TextArea
    number: Points


class FirstPlayerLayout(StrictModel):
    """The First Player marker."""

    size: Size
    safe: Millimetres
    rim: Size
    disc: Size = Field(description="Radius of the disc in the middle")
    one: Points = Field(description="Size of the 1")
    one_y: Size
    name: TextArea


class ScoreMarkerLayout(StrictModel):
    """A marker on the scoreboard."""

    size: Size
    safe: Millimetres
    symbol: Size = Field(description="Radius of the symbol")


class TokensLayout(LayoutModel):
    """The shape of `tokens.json`."""

    sacrifice: SacrificeTokenLayout
    first_player: FirstPlayerLayout
    score_marker: ScoreMarkerLayout
