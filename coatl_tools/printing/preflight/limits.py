"""The limits that a file is checked against, as data: `layouts/preflight.json`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from coatl_tools.printing.layouts import LayoutModel, Layouts, Millimetres, Points
from coatl_tools.printing.paper.papers import load_sheets_layout

Part = Annotated[float, Field(ge=0, le=1)]
Dpi = Annotated[float, Field(gt=0, le=4800)]


class PreflightLimits(LayoutModel):
    """The shape of `preflight.json`."""

    paper: Millimetres = Field(description="How far a page may be off the size of its paper")
    edge: Millimetres = Field(description="What home printers leave free at the paper's edge")
    tolerance: Millimetres = Field(description="How far something may reach beyond its place")
    text_tolerance: Millimetres = Field(description="How far a text may reach beyond its box")
    type: Points = Field(description="The smallest type size")
    hairline: Millimetres = Field(description="The thinnest line")
    raster: Dpi = Field(description="Resolution of a picture")
    line_art: Dpi = Field(description="Resolution of a picture of one or two bits")
    ink: Part = Field(description="The most ink of a page, as a part of black paper")
    low_ink: Part = Field(description="The most ink of a page of the low-ink theme")
    megabytes: Annotated[float, Field(gt=0, le=4000)]
    pages: Annotated[int, Field(gt=0, le=10000)]


def load_limits(layouts: Layouts) -> PreflightLimits:
    """Read the limits from the layout files."""
    return layouts.load("preflight", PreflightLimits)


def load_paper_sizes(layouts: Layouts) -> dict[str, tuple[float, float]]:
    """Read the sizes of paper by name: upright, in millimetres."""
    papers = load_sheets_layout(layouts).papers
    return {name: (paper.width, paper.height) for name, paper in papers.items()}
