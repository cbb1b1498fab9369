"""Sheets of paper: their sizes, and what stands in the margins of each."""

from __future__ import annotations

from pydantic import Field

from coatl_tools.cards.model import StrictModel
from coatl_tools.printing.layouts import LayoutModel, Millimetres, Size


class Paper(StrictModel):
    """A size of paper, upright."""

    width: Size
    height: Size


class Margins(StrictModel):
    """What pages that are not cut keep free at their edges."""

    top: Millimetres
    sides: Millimetres
    bottom: Millimetres = Field(description="Ruler and stamp stand in it")


class SheetsLayout(LayoutModel):
    """The shape of `sheets.json`."""

    papers: dict[str, Paper] = Field(min_length=1)
    page: Margins
