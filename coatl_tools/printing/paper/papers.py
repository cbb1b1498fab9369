"""Sizes of paper, the measures of crop marks, ruler and stamp (`sheets.json`), and how to print
the files.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from coatl_tools.errors import CommandLineError
from coatl_tools.files.json_models import StrictModel
from coatl_tools.language import Language
from coatl_tools.printing.layouts import HexColour, LayoutModel, Layouts, Millimetres, Points, Size

BackPrinting = Literal["duplex-long", "duplex-short", "fold", "none"]
BACK_PRINTING_CHOICES: tuple[BackPrinting, ...] = get_args(BackPrinting)
# the advice for each, as a label
BACK_PRINTING_STEPS: dict[BackPrinting, str] = {
    "duplex-long": "print_how_duplex_long",
    "duplex-short": "print_how_duplex_short",
    "fold": "print_how_fold",
    "none": "print_how_none",
}
LineWidth = Annotated[float, Field(ge=0.05, le=2)]


class PaperSize(StrictModel):
    """A size of paper, upright."""

    width: Annotated[Size, Field(ge=80)]
    height: Annotated[Size, Field(ge=80)]

    @model_validator(mode="after")
    def _upright(self) -> PaperSize:
        if self.width > self.height:
            raise ValueError(
                "give the paper in portrait orientation: its height is at least its width"
            )
        return self


class PageMargins(StrictModel):
    """What pages that are not cut keep free at their edges."""

    top: Millimetres
    sides: Millimetres
    bottom: Millimetres = Field(description="Ruler and stamp stand in it")


class CropMarksLayout(StrictModel):
    """The crop marks: short lines that point at the cuts from outside."""

    offset: Millimetres = Field(description="From the edge, or from the end of the bleed")
    length: Size
    shortest: Size = Field(description="Where it lets more things fit on a sheet")
    edge: Millimetres = Field(description="A mark ends so far from the edge of the paper")
    line: LineWidth
    ink: HexColour

    @property
    def reach(self) -> float:
        """How far a mark reaches out from the cut, in millimetres."""
        return self.offset + self.length

    @property
    def shorten(self) -> CropMarksLayout:
        """The layout with the shortest allowed marks."""
        return self.model_copy(update={"length": self.shortest})


class CutLinesLayout(StrictModel):
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
    def _bleeds_apart(self) -> CutLinesLayout:
        if 2 * self.bleed > self.gap:
            raise ValueError("bleed is more than half of the gap: neighbours would overlap")
        return self


class FoldLayout(StrictModel):
    """The line to fold at, between fronts and backs."""

    gap: Size = Field(description="From the line to the things, or to the end of their bleed")
    line: LineWidth
    dash: list[Size] = Field(min_length=2, max_length=2, description="A stroke and a gap")
    type: Points
    ink: HexColour


class RulerLayout(StrictModel):
    """The ruler to check the scale with."""

    length: Annotated[Size, Field(ge=20, le=200)]
    step: Size = Field(description="From tick to tick")
    short: Size = Field(description="A tick")
    long: Size = Field(description="Every second tick")
    line: LineWidth
    type: Annotated[Points, Field(ge=6)]
    ink: HexColour


class StampLayout(StrictModel):
    """The line that tells what a sheet is."""

    type: Annotated[Points, Field(ge=6)]
    gap: Millimetres = Field(description="Between ruler and stamp")
    ink: HexColour


class CalibrationLayout(StrictModel):
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

    papers: dict[Annotated[str, Field(pattern="^[a-z0-9][a-z0-9-]*$")], PaperSize] = Field(
        min_length=1
    )
    page: PageMargins
    edge: Millimetres = Field(description="Nothing is written nearer to the edge of the paper")
    marks: CropMarksLayout
    cut: CutLinesLayout
    fold: FoldLayout
    ruler: RulerLayout
    stamp: StampLayout
    calibration: CalibrationLayout

    def find_paper(self, name: str) -> PaperSize:
        """Find a paper by its name; raises CommandLineError, listing the names, if unknown."""
        if name.lower() not in self.papers:
            raise CommandLineError("print.paper", name=name[:40], names=", ".join(self.papers))
        return self.papers[name.lower()]


def load_sheets_layout(layouts: Layouts) -> SheetsLayout:
    """Load the papers, and what stands on every sheet."""
    return layouts.load("sheets", SheetsLayout)


def describe_printing_steps(
    language: Language,
    layout: SheetsLayout,
    paper_name: str,
    backs: BackPrinting,
    duplex: bool,
    unmarked: int = 0,
) -> list[str]:
    """Describe how to print the files, as sentences.

    `duplex` says whether any file has backs to print behind fronts. `unmarked` is the number of
    cards without an ArUco mark, which the photo reader cannot recognize by it.
    """
    paper = layout.find_paper(paper_name)
    number = language.typography.format_number
    size = f"{paper_name.capitalize()} ({number(paper.width)} × {number(paper.height)} mm)"
    lines = [
        language.label("print_how_scale", paper=size, length=number(layout.ruler.length)),
        language.label(BACK_PRINTING_STEPS[backs if duplex or backs == "fold" else "none"]),
        language.label("print_how_paper"),
        language.label("print_how_cut"),
    ]
    if duplex:
        lines.append(language.label("print_how_calibrate"))
    if unmarked:
        lines.append(language.label("print_unmarked", unmarked))
    return lines
