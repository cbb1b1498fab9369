"""A page as it is checked: its boxes, the things that are cut out of it, and what is painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pikepdf

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM, Matrix
from coatl_tools.printing.drawing.pdf_tags import PIECE_INFO_KEY
from coatl_tools.printing.preflight.painted import Painted
from coatl_tools.printing.preflight.state import BoxOf
from coatl_tools.printing.preflight.streams import (
    box_of,
    dictionary,
    items_of,
    matrix_of,
    numbers_of,
)

_BLEED = 15 * POINTS_PER_MM  # a form that reaches further beyond a thing is not its drawing


@dataclass(frozen=True)
class Thing:
    """Something that is cut out: where, and the margin that only its background may enter."""

    name: str
    trim: BoxOf
    safe: float

    def covers(self, paper: BoxOf) -> bool:
        """Whether it is the whole page, so that nothing is cut."""
        return all(abs(a - b) < POINTS_PER_MM for a, b in zip(self.trim, paper, strict=True))

    def is_drawn_by(self, box: BoxOf) -> bool:
        """Whether a form with this box is its drawing: the trim, and equally much around it."""
        left, low, right, top = self.trim
        around = (left - box[0], low - box[1], box[2] - right, box[3] - top)
        return min(around) > -0.3 and max(around) < _BLEED and max(around) - min(around) < 0.3


@dataclass(frozen=True)
class CheckedPage:
    """A page, its number from 1."""

    number: int
    paper: BoxOf
    trim: BoxOf | None
    bleed: BoxOf | None
    crop: BoxOf | None
    turned: bool
    unit: float
    ours: bool
    things: tuple[Thing, ...]
    adjusted: Matrix  # what a printer profile has done to the content

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimetres."""
        left, low, right, top = self.paper
        return (right - left) * self.unit / POINTS_PER_MM, (top - low) * self.unit / POINTS_PER_MM


@dataclass(frozen=True)
class Drawn:
    """What is painted on a page; `forms` are the boxes of the forms that own some of it."""

    page: CheckedPage
    painted: Painted
    forms: Sequence[BoxOf]


def read_page(number: int, page: pikepdf.Page) -> CheckedPage | None:
    """A page; None if it has no size."""
    obj = page.obj
    paper = box_of(page.mediabox) if "/MediaBox" in obj or _inherits(obj) else None
    if paper is None or paper[0] >= paper[2] or paper[1] >= paper[3]:
        return None
    unit = numbers_of([obj.get("/UserUnit", 1)])
    info = dictionary(dictionary(obj, "/PieceInfo"), f"/{PIECE_INFO_KEY}")
    private = dictionary(info, "/Private")
    return CheckedPage(
        number=number,
        paper=paper,
        trim=box_of(obj.get("/TrimBox")),
        bleed=box_of(obj.get("/BleedBox")),
        crop=box_of(obj.get("/CropBox")),
        turned=any(int(turn) % 360 for turn in numbers_of([obj.get("/Rotate", 0)])),
        unit=unit[0] if unit and unit[0] > 0 else 1.0,
        ours=info is not None,
        things=() if private is None else tuple(_things(private)),
        adjusted=Matrix() if private is None else matrix_of(private.get("/Adjusted")),
    )


def _inherits(page: pikepdf.Object) -> bool:
    parent = dictionary(page, "/Parent")
    for _ in range(20):
        if parent is None:
            return False
        if "/MediaBox" in parent:
            return True
        parent = dictionary(parent, "/Parent")
    return False


def _things(private: pikepdf.Object) -> list[Thing]:
    found = []
    for thing in items_of(private.get("/Things")):
        trim = box_of(thing.get("/Trim")) if isinstance(thing, pikepdf.Dictionary) else None
        if trim is not None:
            safe = numbers_of([thing.get("/Safe", 0)])
            found.append(Thing(str(thing.get("/Name", "")), trim, safe[0] if safe else 0.0))
    return found
