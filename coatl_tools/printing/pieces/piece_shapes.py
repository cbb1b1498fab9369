"""The outlines of heads, bodies and tails, which hook into each other, and `pieces.json`.

Two neighbours share one seam: from the upper edge it runs down behind a hook that hangs from the
piece at the left, and back up and down around a hook that stands on the piece at the right. A piece
is drawn about the middle of its stem; its neighbours follow one pitch away.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from coatl_tools.files.json_models import StrictModel
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.drawing.geometry import Path, Point, rounded_polygon
from coatl_tools.printing.layouts import LayoutModel, Millimetres, Size


class PieceShape(StrictModel):
    """The measures of the pieces."""

    pitch: Size = Field(description="From one piece of a Cóatl to the next")
    height: Size = Field(description="Across the Cóatl")
    stem: Size = Field(description="Width of the middle of a piece")
    arm: Size = Field(description="Thickness of the arms that the hooks hang from")
    lean: Millimetres = Field(description="How far a hook tapers towards its tip")
    round: Millimetres = Field(description="Radius of the corners of the seam")
    corner: Millimetres = Field(description="Radius of the outer corners")
    head: Size = Field(description="From the middle of a head to the tip of its snout")
    tail: Size = Field(description="From the middle of a tail to the tip of its feathers")

    @property
    def overlap(self) -> float:
        """How far a hook reaches beyond the border between two pieces."""
        return (self.pitch - self.stem) / 2

    def seam(self, x: float) -> tuple[list[Point], list[float]]:
        """Return the seam at x from top to bottom: its corners and their radii."""
        half, reach, inner = self.height / 2, self.overlap, self.height / 2 - self.arm
        points = [
            (x + reach, -half),
            (x + reach, inner),
            (x + self.lean, inner),
            (x - self.lean, -inner),
            (x - reach, -inner),
            (x - reach, half),
        ]
        r, c = self.round, self.corner
        return points, [c, r, r, r, r, c]

    def outline(self, kind: PieceKind) -> Path:
        """Return the outline of a piece, about the middle of its stem."""
        right, right_radii = self.end(kind, "right")
        left, left_radii = self.end(kind, "left")
        return rounded_polygon([*right, *reversed(left)], [*right_radii, *reversed(left_radii)])

    def end(
        self, kind: PieceKind, side: Literal["left", "right"], x: float = 0
    ) -> tuple[list[Point], list[float]]:
        """Return an end of a piece centred on x, from top to bottom: corners and their radii."""
        if kind is PieceKind.HEAD and side == "left":
            points, radii = self._snout()
        elif kind is PieceKind.TAIL and side == "right":
            points, radii = self._feathers()
        else:
            points, radii = self.seam(self.pitch / 2 if side == "right" else -self.pitch / 2)
        return [(x + px, y) for px, y in points], radii

    def _snout(self) -> tuple[list[Point], list[float]]:
        """Return the end of a head, from top to bottom."""
        half, reach = self.height / 2, self.head
        points = [
            (-0.30 * reach, -half),
            (-0.62 * reach, -0.92 * half),
            (-0.97 * reach, -0.34 * half),
            (-1.00 * reach, 0.16 * half),
            (-0.88 * reach, 0.70 * half),
            (-0.42 * reach, half),
        ]
        return points, [3, 4, 3, 2.5, 3, 3]

    def _feathers(self) -> tuple[list[Point], list[float]]:
        """Return the end of a tail, from top to bottom: three feathers."""
        half, reach = self.height / 2, self.tail
        points = [
            (0.56 * reach, -half),
            (0.80 * reach, -0.84 * half),
            (0.72 * reach, -0.40 * half),
            (1.00 * reach, 0.00 * half),
            (0.72 * reach, 0.40 * half),
            (0.80 * reach, 0.84 * half),
            (0.56 * reach, half),
        ]
        return points, [4, 1.2, 1.5, 1.2, 1.5, 1.2, 4]


class StripLayout(StrictModel):
    """How pieces lie on a sheet: whole Cóatls of one colour, to be cut apart."""

    bodies: int = Field(ge=1, le=40, description="Body segments between a head and a tail")
    bleed: Annotated[Millimetres, Field(le=3)] = Field(
        description="How far a strip is painted beyond its edge"
    )
    dot: Size = Field(description="Radius of the dots on the back")
    dots: int = Field(ge=1, le=12, description="Dots on the back from one piece to the next")


class PiecesLayout(LayoutModel):
    """The shape of `pieces.json`."""

    shape: PieceShape
    strip: StripLayout
