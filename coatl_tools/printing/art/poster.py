"""A tall picture to share from phone to phone: blocks below each other, as PNG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coatl_tools.printing.art.coatl import CoatlPicture
from coatl_tools.printing.component import Design, Face
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.ornaments import fret_band
from coatl_tools.printing.drawing.paths import rectangle
from coatl_tools.printing.drawing.surface import Surface, Type
from coatl_tools.printing.drawing.units import INCH
from coatl_tools.printing.export.raster import Shot, png_of

WIDTH = 108.0  # millimetres
SIDE = 7.0  # free at the left and right
PIXELS = 10  # of a millimetre: 1080 in all
_TOP, _FOOT, _FRET = 13.0, 11.0, 5.0
_SIGNED = "Cóatl Tools"


@dataclass(frozen=True)
class Block:
    """A part of a picture: its height, and who draws it into its box."""

    height: float
    draw: Callable[[Surface, Box], None]


def poster(design: Design, blocks: Sequence[Block]) -> bytes:
    """The blocks from top to bottom, under a band of step-frets; a PNG of 1080 pixels in width.

    Raises CommandLineError if it would be too tall for a picture.
    """
    height = round(_TOP + sum(block.height for block in blocks) + _FOOT, 1)

    def draw(surface: Surface) -> None:
        theme = design.theme
        band = theme.backs["prophecy"]
        surface.fill(rectangle(-3, -3, WIDTH + 6, height + 6), theme.paper)
        surface.fill(rectangle(-3, -3, WIDTH + 6, 3 + _TOP - 3), band.ground)
        surface.fill(fret_band(0, (_TOP - 3 - _FRET) / 2, WIDTH, _FRET), band.motif)
        y = _TOP
        for block in blocks:
            block.draw(surface, Box(SIDE, y, WIDTH - 2 * SIDE, block.height))
            y += block.height
        type_ = Type(fonts.SEMIBOLD, 10, theme.muted, spacing=0.05)
        surface.centred(WIDTH / 2, height - _FOOT / 2, _SIGNED, type_)

    face = Face("poster", WIDTH, height, draw, safe=0)
    pixels = round(WIDTH * PIXELS), round(height * PIXELS)
    return png_of(Shot("poster", face, *pixels, PIXELS * INCH))


def row_scale(picture: CoatlPicture, width: float, largest: float) -> float:
    """How large a row of pieces may be in a width, and at most."""
    return min(largest, width / picture.view.width)


def draw_row(
    surface: Surface, design: Design, picture: CoatlPicture, at: tuple[float, float], scale: float
) -> None:
    """A row of pieces, its top left corner at a point."""
    view = picture.view
    with surface.placed(at[0] - view.x * scale, at[1] - view.y * scale, scale=scale):
        picture.draw(surface, design, scale)


def shortened(text: str, type_: Type, width: float) -> str:
    """A text, such as a player's name, cut off where it is too wide."""
    if type_.width(text) <= width:
        return text
    while text and type_.width(f"{text}…") > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def rows_of(count: int, most: int) -> int | None:
    """How many pieces to put in a row, so that all rows are about as long; None for one row."""
    if count <= most:
        return None
    rows = -(-count // most)
    return -(-count // rows)
