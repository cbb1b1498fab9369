"""The photo mat in millimetres: where its marks, colour patches, lane and card places lie.

Drawing the mat and reading it back from a photo both use this module and `mat.json`. Lengths are
measured from the top left corner of the sheet's panel (the printed ground); they do not depend on
the paper. Nothing here draws or needs a drawing package.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Literal

from pydantic import Field, model_validator

from coatl_tools.files.json_models import UNSET, StrictModel
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.drawing.geometry import Box, Point
from coatl_tools.printing.layouts import (
    HexColour,
    LayoutModel,
    Layouts,
    Millimetres,
    Points,
    Size,
    load_theme,
)

MatSheetName = Literal["a4", "letter", "left", "right"]
MatCorner = Literal["top_left", "top_right", "bottom_right", "bottom_left"]
PatchColour = Literal["R", "G", "B", "Y", "K", "golden", "white", "light", "middle", "dark"]
CardPlaceKind = Literal["prophecy", "temple"]
SINGLE_SHEETS: tuple[MatSheetName, ...] = ("a4", "letter")  # each a whole mat
DOUBLE_SHEETS: tuple[MatSheetName, ...] = ("left", "right")  # two sheets that make one
Coordinate = Annotated[float, Field(ge=-200, le=2000)]


class PointModel(StrictModel):
    """Where something begins; a card may lie over the edge of the panel."""

    x: Coordinate
    y: Coordinate


class BoxModel(StrictModel):
    """A rectangle on the panel."""

    x: Millimetres
    y: Millimetres
    width: Size
    height: Size

    @property
    def box(self) -> Box:
        """The rectangle as a `Box`."""
        return Box(self.x, self.y, self.width, self.height)


class CardPlaceModel(PointModel):
    """A place for a card."""

    kind: CardPlaceKind


class PatchesModel(StrictModel):
    """The first patch, and how far it is to the next one."""

    x: Millimetres
    y: Millimetres
    across: Size
    down: Size


class MarkModel(StrictModel):
    """The marks in the corners."""

    size: Annotated[Size, Field(ge=14)] = Field(description="The side of a mark")
    quiet: Size = Field(description="White around it")


class MatCardModel(StrictModel):
    """A card that is laid on the mat."""

    width: Size
    height: Size
    corner: Millimetres


class MatColours(StrictModel):
    """Neutral greys: the ground, what lies on it, and the patches. Pieces have the theme's."""

    ground: HexColour
    field: HexColour = Field(description="The lane and the card places")
    white: HexColour
    light: HexColour
    middle: HexColour
    dark: HexColour


class MatTypeSizes(StrictModel):
    """Type sizes."""

    title: Points
    subtitle: Points
    hints: Points
    place: Points
    lane: Points
    scale: Points
    join: Points
    smallest: Annotated[Points, Field(ge=6.5)]


class MatSheetModel(StrictModel):
    """One sheet of a mat: its panel, and what lies on it."""

    width: Size
    height: Size
    offset: Millimetres = Field(0, description="Where the panel begins in a mat of two sheets")
    lane: BoxModel
    scale: BoxModel = Field(description="As long as the ruler on it is")
    marks: dict[MatCorner, PointModel] = Field(min_length=4, max_length=4)
    places: list[CardPlaceModel]
    patches: PatchesModel = Field(UNSET)
    title: BoxModel
    hints: BoxModel
    frets: list[BoxModel] = Field(description="Bands of step-frets, to fill a gap")


class MatLayout(LayoutModel):
    """The shape of `mat.json`."""

    mark: MarkModel
    card: MatCardModel
    patch: Size = Field(description="The side of a patch")
    tints: list[list[PatchColour]] = Field(min_length=1, description="The patches, row by row")
    colours: MatColours
    type: MatTypeSizes
    sheets: dict[MatSheetName, MatSheetModel] = Field(min_length=4, max_length=4)

    @model_validator(mode="after")
    def _nothing_is_covered(self) -> MatLayout:
        for name, sheet in self.sheets.items():
            things = list(self._things(sheet))
            for thing, box in things:
                inside = box.x > -0.001 and box.right < sheet.width + 0.001
                inside &= box.y > -0.001 and box.bottom < sheet.height + 0.001
                if not inside and not thing.endswith("card"):
                    raise ValueError(f"{name}: {thing} is not on the panel")
            for (one, box), (other, second) in combinations(things, 2):
                if box.overlaps(second):
                    raise ValueError(f"{name}: {one} and {other} overlap")
        return self

    def _things(self, sheet: MatSheetModel) -> Iterator[tuple[str, Box]]:
        """Yield the name and the box of everything that nothing else may overlap."""
        yield "the lane", sheet.lane.box
        yield "the title", sheet.title.box
        yield "the hints", sheet.hints.box
        for band in sheet.frets:
            yield "a step-fret", band.box
        side = self.mark.size
        for corner, at in sheet.marks.items():
            yield f"the mark {corner}", Box(at.x, at.y, side, side)
        for number, place in enumerate(sheet.places, 1):
            yield f"the {number}. card", Box(place.x, place.y, self.card.width, self.card.height)
        for tint, box in self.patch_boxes(sheet):
            yield f"the patch {tint}", box

    def patch_boxes(self, sheet: MatSheetModel) -> Iterator[tuple[PatchColour, Box]]:
        """Yield the patches of a sheet, row by row."""
        first = sheet.patches
        if first is not None:
            for row, tints in enumerate(self.tints):
                for column, tint in enumerate(tints):
                    x, y = first.x + column * first.across, first.y + row * first.down
                    yield tint, Box(x, y, self.patch, self.patch)


@dataclass(frozen=True, slots=True)
class ColourPatch:
    """A patch of a known colour."""

    tint: PatchColour
    box: Box
    colour: str


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A place for a card; those of a kind are counted from 1, through both sheets of a mat."""

    kind: CardPlaceKind
    number: int
    box: Box


@dataclass(frozen=True)
class MatGeometry:
    """A sheet of the mat, in millimetres from the top left corner of its panel.

    `marks` gives the four corners of each mark by its number, in OpenCV's order: top left,
    top right, bottom right, bottom left. A sheet's x plus `offset` is the x of the whole mat.
    """

    name: MatSheetName
    width: float
    height: float
    offset: float
    marks: Mapping[int, tuple[Point, Point, Point, Point]]
    patches: tuple[ColourPatch, ...]
    lane: Box
    scale: Box
    places: tuple[CardPlace, ...]
    ground: str
    field: str


def load_mat_layout(layouts: Layouts) -> MatLayout:
    """Load the layout of the mat."""
    return layouts.load("mat", MatLayout)


def load_mat_geometry(name: MatSheetName, layouts: Layouts) -> MatGeometry:
    """Compute where everything lies on one sheet."""
    layout, theme = load_mat_layout(layouts), load_theme("full", layouts)
    sheet, numbers, side = layout.sheets[name], load_marks_layout(layouts).mat, layout.mark.size
    marks = {}
    for corner, at in sheet.marks.items():
        box = Box(at.x, at.y, side, side)
        marks[numbers[f"{name}_{corner}"]] = (
            (box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom),
        )  # fmt: skip
    greys = layout.colours.model_dump()
    fills = greys | {tint: inks.fill for tint, inks in theme.pieces.items()}
    before = [place.kind for place in layout.sheets["left"].places] if name == "right" else []
    places: list[CardPlace] = []
    for place in sheet.places:
        before.append(place.kind)
        number = before.count(place.kind)
        box = Box(place.x, place.y, layout.card.width, layout.card.height)
        places.append(CardPlace(place.kind, number, box))
    return MatGeometry(
        name=name,
        width=sheet.width,
        height=sheet.height,
        offset=sheet.offset,
        marks=marks,
        patches=tuple(
            ColourPatch(tint, box, fills[tint]) for tint, box in layout.patch_boxes(sheet)
        ),
        lane=sheet.lane.box,
        scale=sheet.scale.box,
        places=tuple(places),
        ground=layout.colours.ground,
        field=layout.colours.field,
    )


def find_mat_sheet(number: int, layouts: Layouts) -> MatSheetName | None:
    """Find the sheet that carries a mark; None if it is no mark of the mat."""
    for name in (*SINGLE_SHEETS, *DOUBLE_SHEETS):
        if number in load_mat_geometry(name, layouts).marks:
            return name
    return None
