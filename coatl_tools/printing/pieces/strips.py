"""The pieces on paper: whole Cóatls of one colour, to be cut apart along their seams.

A strip has one colour throughout, so a cut that strays by a millimetre shows nothing. Its back is
the same all over, and repeats from piece to piece: a piece cannot be told by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coatl_tools.cards.components import ComponentsFile
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.component import BLEED, Design, Face, Item
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import Path, ellipse, rectangle, rounded
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.pieces.art import GOLDEN, draw_piece
from coatl_tools.printing.pieces.shapes import PieceShape, PiecesLayout


@dataclass(frozen=True)
class Strip:
    """Pieces of one colour, hooked into each other."""

    colour: Colour | str
    kinds: tuple[PieceKind, ...]

    @property
    def name(self) -> str:
        """What the strip is called: `R-head-tail-8`."""
        letter = self.colour.name if isinstance(self.colour, Colour) else self.colour
        return f"{letter}-{self.form}"

    @property
    def form(self) -> str:
        """The same but for the colour."""
        ends = [kind.value for kind in self.kinds if kind is not PieceKind.BODY]
        return "-".join([*ends, str(self.kinds.count(PieceKind.BODY))])

    def first(self, shape: PieceShape) -> float:
        """Where the middle of its first piece lies."""
        if self.kinds[0] is PieceKind.HEAD:
            return shape.head
        return shape.pitch / 2 + shape.overlap

    def width(self, shape: PieceShape) -> float:
        """How long it is."""
        last = self.first(shape) + (len(self.kinds) - 1) * shape.pitch
        end = shape.tail if self.kinds[-1] is PieceKind.TAIL else shape.pitch / 2 + shape.overlap
        return last + end


def strips(layout: PiecesLayout, components: ComponentsFile, golden: bool) -> list[Strip]:
    """All pieces of the game (rule 1.2) as strips: whole Cóatls first, then what is left over."""
    found = [
        strip
        for colour in Colour
        for strip in _of_one_colour(
            colour,
            components.pieces.head,
            components.pieces.body,
            components.pieces.tail,
            layout.strip.bodies,
        )
    ]
    if golden and components.golden_bodies:
        found += _of_one_colour(GOLDEN, 0, components.golden_bodies, 0, layout.strip.bodies)
    return found


def _of_one_colour(
    colour: Colour | str, heads: int, bodies: int, tails: int, length: int
) -> Sequence[Strip]:
    found = []
    while heads or bodies or tails:
        middle = min(bodies, length)
        kinds = (
            [PieceKind.HEAD] * min(1, heads)
            + [PieceKind.BODY] * middle
            + [PieceKind.TAIL] * min(1, tails)
        )
        heads, bodies, tails = max(0, heads - 1), bodies - middle, max(0, tails - 1)
        found.append(Strip(colour, tuple(kinds)))
    return found


def piece_items(design: Design, components: ComponentsFile, golden: bool = False) -> list[Item]:
    """The strips, each with its front and the uniform back."""
    layout = design.layouts.read("pieces", PiecesLayout)
    return [_item(design, layout, strip) for strip in strips(layout, components, golden)]


def _item(design: Design, layout: PiecesLayout, strip: Strip) -> Item:
    shape, width = layout.shape, strip.width(layout.shape)
    front = Face(
        f"strip-{strip.name}",
        width,
        shape.height,
        lambda surface: _draw_front(surface, design, shape, strip),
        safe=0.5,
    )
    back = Face(
        f"strip-back-{strip.form}",
        width,
        shape.height,
        lambda surface: _draw_back(surface, design, layout, strip),
        safe=0.0,
    )
    return Item(strip.name, front, back, _title(strip, design))


def _title(strip: Strip, design: Design) -> str:
    """The colour of a strip in words."""
    if isinstance(strip.colour, Colour):
        return design.language.colours[strip.colour]["name"].capitalize()
    return design.language.label("result_golden").capitalize()


def _draw_front(surface: Surface, design: Design, shape: PieceShape, strip: Strip) -> None:
    theme, width = design.theme, strip.width(shape)
    with surface.background():
        if theme.solid:
            ground = rectangle(-BLEED, -BLEED, width + 2 * BLEED, shape.height + 2 * BLEED)
            surface.fill(ground, theme.piece(strip.colour).fill)
    for index, kind in enumerate(strip.kinds):
        with surface.placed(strip.first(shape) + index * shape.pitch, shape.height / 2):
            draw_piece(surface, shape, theme, kind, strip.colour, cut=True)


def _draw_back(surface: Surface, design: Design, layout: PiecesLayout, strip: Strip) -> None:
    """Dots that repeat from piece to piece, mirrored as the sheet will be."""
    shape, inks = layout.shape, design.theme.backs["pieces"]
    width, height = strip.width(shape), shape.height
    step = shape.pitch / layout.strip.dots
    start = (width - strip.first(shape)) % step
    with surface.background():
        if design.theme.solid:
            ground = rectangle(-BLEED, -BLEED, width + 2 * BLEED, height + 2 * BLEED)
            surface.fill(ground, inks.ground)
        rows = int(height / 2 // step) + 1
        columns = int(width / step) + 3
        line = Box(-step, -step / 2, columns * step, step)
        dots = [(i * step, 0.0) for i in range(columns)]

        def draw_line(surface: Surface) -> None:
            for x, y in dots:
                surface.fill(ellipse(x, y, layout.strip.dot), inks.pattern)

        for row in range(-rows, rows + 1):
            shift = start - step + (step / 2 if row % 2 else 0)
            with surface.placed(shift, height / 2 + row * step):
                surface.stamp(f"dots-{strip.form}", line, draw_line)


def cut_lines(strip: Strip, shape: PieceShape) -> tuple[list[Path], Path]:
    """Where a strip is cut: each seam once, and its outline, from its top left corner."""
    middle, first = shape.height / 2, strip.first(shape)
    seams = []
    for index in range(len(strip.kinds) - 1):
        points, radii = shape.seam(first + (index + 0.5) * shape.pitch)
        seams.append(rounded(points, [0, *radii[1:-1], 0], closed=False).at(0, middle))
    return seams, _outline(strip, shape).at(0, middle)


def _outline(strip: Strip, shape: PieceShape) -> Path:
    """All of a strip, as if it were one long piece."""
    first = strip.first(shape)
    last = first + (len(strip.kinds) - 1) * shape.pitch
    left = shape.end(strip.kinds[0], "left", first)
    right = shape.end(strip.kinds[-1], "right", last)
    return rounded([*right[0], *reversed(left[0])], [*right[1], *reversed(left[1])])
