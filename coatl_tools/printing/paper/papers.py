"""Sheets of paper: their sizes, and the measures of what stands around the things on them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from coatl_tools.errors import CommandLineError
from coatl_tools.json_models import StrictModel
from coatl_tools.printing.layouts import HexColour, LayoutModel, Layouts, Millimetres, Points, Size

Backs = Literal["duplex-long", "duplex-short", "fold", "none"]
BACKS: tuple[Backs, ...] = ("duplex-long", "duplex-short", "fold", "none")
# the advice for each, as a label
HOW: dict[Backs, str] = {
    "duplex-long": "print_how_duplex_long",
    "duplex-short": "print_how_duplex_short",
    "fold": "print_how_fold",
    "none": "print_how_none",
}
LineWidth = Annotated[float, Field(ge=0.05, le=2)]


class Paper(StrictModel):
    """A size of paper, upright."""

    width: Annotated[Size, Field(ge=80)]
    height: Annotated[Size, Field(ge=80)]

    @model_validator(mode="after")
    def _upright(self) -> Paper:
        if self.width > self.height:
            raise ValueError("a paper is given upright: its height is not smaller than its width")
        return self


class Margins(StrictModel):
    """What pages that are not cut keep free at their edges."""

    top: Millimetres
    sides: Millimetres
    bottom: Millimetres = Field(description="Ruler and stamp stand in it")


class Marks(StrictModel):
    """The crop marks: short lines that point at the cuts from outside."""

    offset: Millimetres = Field(description="From the edge, or from the end of the bleed")
    length: Size
    shortest: Size = Field(description="Where it lets more things fit on a sheet")
    edge: Millimetres = Field(description="A mark ends so far from the edge of the paper")
    line: LineWidth
    ink: HexColour

    @property
    def reach(self) -> float:
        """How far a mark reaches out."""
        return self.offset + self.length

    @property
    def shortened(self) -> Marks:
        """The same, as short as they may be."""
        return self.model_copy(update={"length": self.shortest})


class CutLines(StrictModel):
    """The lines around things that are no rectangles."""

    gap: Millimetres = Field(description="Between two such things at least")
    bleed: Annotated[Millimetres, Field(le=3)] = Field(
        description="How far they are painted beyond, at least"
    )
    line: LineWidth
    dash: Size = Field(description="A stroke of it, and the light stroke after it")
    ink: HexColour
    light: HexColour = Field(description="The strokes between, so that it shows on dark grounds")

    @model_validator(mode="after")
    def _bleeds_apart(self) -> CutLines:
        if 2 * self.bleed > self.gap:
            raise ValueError("bleed is more than half of the gap: neighbours would overlap")
        return self


class Fold(StrictModel):
    """The line to fold at, between fronts and backs."""

    gap: Size = Field(description="From the line to the things, or to the end of their bleed")
    line: LineWidth
    dash: list[Size] = Field(min_length=2, max_length=2, description="A stroke and a gap")
    type: Points
    ink: HexColour


class Ruler(StrictModel):
    """The ruler to check the scale with."""

    length: Annotated[Size, Field(ge=20, le=200)]
    step: Size = Field(description="From tick to tick")
    short: Size = Field(description="A tick")
    long: Size = Field(description="Every second tick")
    line: LineWidth
    type: Annotated[Points, Field(ge=6)]
    ink: HexColour


class StampLine(StrictModel):
    """The line that tells what a sheet is."""

    type: Annotated[Points, Field(ge=6)]
    gap: Millimetres = Field(description="Between ruler and stamp")
    ink: HexColour


class Calibration(StrictModel):
    """The sheet that shows how far backs lie from their fronts."""

    width: Size = Field(description="Between the left and the right targets; 171.887 makes a third")
    height: Size = Field(description="Between the upper and the lower targets; 200 makes a half")
    reach: Annotated[Size, Field(ge=3, le=15)] = Field(
        description="How far the scales of a target go"
    )
    tick: Size = Field(description="A tick of a millimetre; those between are half as long")
    line: LineWidth
    cross: LineWidth = Field(description="The fine cross on the back")
    title: Points
    type: Points
    smallest: Points
    label: Points = Field(description="The letters of the targets")
    figures: Points = Field(description="The figures of their scales")


class SheetsLayout(LayoutModel):
    """The shape of `sheets.json`."""

    papers: dict[Annotated[str, Field(pattern="^[a-z0-9][a-z0-9-]*$")], Paper] = Field(min_length=1)
    page: Margins
    edge: Millimetres = Field(description="Nothing is written nearer to the edge of the paper")
    marks: Marks
    cut: CutLines
    fold: Fold
    ruler: Ruler
    stamp: StampLine
    calibration: Calibration

    def paper(self, name: str) -> Paper:
        """A paper by its name; raises CommandLineError, naming those that there are."""
        if name.lower() not in self.papers:
            raise CommandLineError("print.paper", name=name[:40], names=", ".join(self.papers))
        return self.papers[name.lower()]


def sheets_layout(layouts: Layouts) -> SheetsLayout:
    """The papers, and what stands on every sheet."""
    return layouts.read("sheets", SheetsLayout)
