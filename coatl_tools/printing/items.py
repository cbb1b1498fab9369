"""What is printed: items to cut out, with a front and perhaps a back, and the design (language,
theme, layouts) they are drawn with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from coatl_tools.errors import CommandLineError
from coatl_tools.language import Language
from coatl_tools.printing.drawing.geometry import Path, rectangle
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.layouts import Layouts, Theme, ThemeName, load_theme
from coatl_tools.printing.pieces.piece_shapes import PieceShape, PiecesLayout

BLEED = 3.0  # mm that every face is painted beyond its edge; the rest is cut off


def check_bleed(bleed: float) -> None:
    """Raise CommandLineError unless a bleed is between 0 and what is painted (`BLEED`)."""
    if not 0 <= bleed <= BLEED:
        raise CommandLineError("print.bleed", bleed=bleed, most=BLEED)


@dataclass(frozen=True)
class Design:
    """What everything is drawn with: a language, a theme, and the layouts."""

    language: Language
    theme_name: ThemeName = "full"
    layouts: Layouts = field(default_factory=Layouts)

    @cached_property
    def theme(self) -> Theme:
        """The inks."""
        return load_theme(self.theme_name, self.layouts)

    @cached_property
    def piece_shape(self) -> PieceShape:
        """The measures of the pieces."""
        return self.layouts.load("pieces", PiecesLayout).shape

    def face_key(self, name: str) -> str:
        """Return the key of a face whose words and inks are those of this design."""
        return f"{name}-{self.language.code}-{self.theme_name}"


@dataclass(frozen=True)
class Face:
    """One side of an item, drawn from its own top left corner, in millimetres.

    `key` names the drawing: faces with the same key look the same and are stored once in a file.
    Only backgrounds may enter `safe_margin`, the strip inside the edge. `outline` is the line to
    cut along if the face is not a rectangle.
    """

    key: str
    width: float
    height: float
    draw: Callable[[Surface], None]
    safe_margin: float = 3.0
    outline: Path | None = None

    @property
    def cut_path(self) -> Path:
        """The line to cut along."""
        return self.outline or rectangle(0, 0, self.width, self.height)


def fill_ground(surface: Surface, width: float, height: float, ink: str) -> None:
    """Fill the background of a face and its bleed with one ink."""
    with surface.background():
        surface.fill(rectangle(-BLEED, -BLEED, width + 2 * BLEED, height + 2 * BLEED), ink)


@dataclass(frozen=True)
class Item:
    """An item to cut out: its name, its front, and its back if it has one.

    `title` is what readers call it, in their language, if that is not its name.
    """

    name: str
    front: Face
    back: Face | None = None
    title: str = ""
