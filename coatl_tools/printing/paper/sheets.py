"""Imposition: things to cut out become sides of sheets, each back behind its front."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from coatl_tools.printing.component import Face, Item
from coatl_tools.printing.document import Duplex, Page, Placement
from coatl_tools.printing.drawing.boxes import Turn
from coatl_tools.printing.drawing.paths import Matrix
from coatl_tools.printing.paper.desk import Sheet, arrange
from coatl_tools.printing.paper.furniture import Furniture, Legend, Mark, Side
from coatl_tools.printing.paper.papers import Backs, Paper, SheetsLayout
from coatl_tools.printing.paper.profiles import Profile

Axis = Literal["x", "y"]
_TURNS: dict[int, Turn] = {0: 0, 90: 90, 180: 180, 270: 270}


def impose(
    items: Sequence[Item],
    paper: Paper,
    layout: SheetsLayout,
    legend: Legend,
    backs: Backs = "duplex-long",
    bleed: float = 0.0,
    profile: Profile | None = None,
) -> list[Page]:
    """Things on pages: fronts and, behind them, backs.

    Raises CommandLineError for a thing that is larger than the paper, and for a bleed that is
    more than things are painted beyond their edges.
    """
    sheets = arrange(items, paper, layout, legend, backs, bleed)
    duplex = backs in ("duplex-long", "duplex-short") and any(sheet.has_backs for sheet in sheets)
    pages: list[Page] = []
    for number, sheet in enumerate(sheets, 1):
        side: Side = "both" if sheet.fold else "front"
        pages.append(_front(sheet, layout, legend.text(number, len(sheets), side)))
        # a sheet without backs needs an empty one, or the next front would lie behind this one
        if duplex and (sheet.has_backs or number < len(sheets)):
            text = legend.text(number, len(sheets), "back")
            pages.append(_back(sheet, layout, text, backs, profile))
    return pages


def duplex_hint(pages: Iterable[Page], backs: Backs) -> Duplex:
    """How a printer should turn the sheets of a file."""
    if not any(page.side == "back" for page in pages):
        return "Simplex"
    return "DuplexFlipLongEdge" if backs == "duplex-long" else "DuplexFlipShortEdge"


# both sides


def mirror_axis(width: float, height: float, backs: Backs) -> Axis:
    """Which coordinate changes when a sheet is turned over.

    Over its long edge, an upright page is turned like the page of a book, and a wide page like
    one of a calendar; over its short edge it is the other way round.
    """
    return "x" if (backs == "duplex-long") == (width <= height) else "y"


def mirror(width: float, height: float, axis: Axis) -> Matrix:
    """From a point of one side of a sheet to the point behind it."""
    return Matrix(a=-1, e=width) if axis == "x" else Matrix(d=-1, f=height)


def behind(front: Placement, back: Face, width: float, height: float, axis: Axis) -> Placement:
    """The back of a thing, exactly behind its front, top behind top."""
    box = front.box
    if axis == "x":
        return Placement(back, width - box.right, box.y, _TURNS[-front.turn % 360])
    return Placement(back, box.x, height - box.bottom, _TURNS[(180 - front.turn) % 360])


def _front(sheet: Sheet, layout: SheetsLayout, stamp: str) -> Page:
    fronts = [put.front for put in sheet.things]
    cuts = tuple(
        front.face.outline.mapped(front.matrix)
        for front in fronts
        if front.face.outline is not None
    )
    placements = fronts
    if sheet.fold:
        placements = [*fronts, *_backs(sheet, "x")]
    furniture = Furniture(layout, sheet.lines, stamp, sheet.marks, cuts, sheet.fold)
    return Page(
        sheet.width,
        sheet.height,
        tuple(placements),
        furniture.draw,
        sheet.bleed,
        bookmark=sheet.name,
    )


def _back(
    sheet: Sheet, layout: SheetsLayout, stamp: str, backs: Backs, profile: Profile | None
) -> Page:
    width, height = sheet.width, sheet.height
    axis = mirror_axis(width, height, backs)
    over = mirror(width, height, axis)
    marks = tuple(Mark(*over(mark.x1, mark.y1), *over(mark.x2, mark.y2)) for mark in sheet.marks)
    placements = tuple(_backs(sheet, axis))
    lines = sheet.lines
    if sheet.whole and placements and placements[0].turn == 180:  # its margins are turned too
        lines = lines.upside_down(width, height)
    furniture = Furniture(layout, lines, stamp, marks if sheet.has_backs else ())
    return Page(
        width,
        height,
        placements,
        furniture.draw,
        sheet.bleed,
        side="back",
        adjusted=profile.correction(width, height, over) if profile else Matrix(),
    )


def _backs(sheet: Sheet, axis: Axis) -> Iterable[Placement]:
    for put in sheet.things:
        if put.item.back is not None:
            yield behind(put.front, put.item.back, sheet.width, sheet.height, axis)
