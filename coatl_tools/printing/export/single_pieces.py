"""Single pieces: each as a face of its own, to be seen without its neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coatl_tools.cards.components import ComponentsFile
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.component import Design, Face
from coatl_tools.printing.drawing.paths import rectangle
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.pieces.art import GOLDEN, draw_piece
from coatl_tools.printing.pieces.shapes import PieceShape, PiecesLayout


@dataclass(frozen=True)
class SinglePiece:
    """A piece as it lies in its bag: what it is, how many there are, how it looks."""

    kind: PieceKind
    colour: Colour | None  # None is a golden segment
    count: int
    face: Face

    @property
    def name(self) -> str:
        """What its picture is called."""
        colour = self.colour.name if self.colour is not None else GOLDEN
        return f"piece-{self.kind.value}-{colour}"


def piece_shape(design: Design) -> PieceShape:
    """The measures of the pieces."""
    return design.layouts.read("pieces", PiecesLayout).shape


def single_pieces(
    design: Design, components: ComponentsFile, golden: bool, even: bool = False
) -> Iterator[SinglePiece]:
    """Every piece that looks different from the others (rule 1.2), its outline to be cut.

    `even` makes the faces of all kinds equally large, so that a program that fits pictures into
    its own measures shows all of them at one scale.
    """
    for kind in PieceKind:
        count = getattr(components.pieces, kind.value)
        for colour in Colour:
            yield SinglePiece(kind, colour, count, _face(design, kind, colour, even))
    if golden:  # rule 10.3
        face = _face(design, PieceKind.BODY, None, even)
        yield SinglePiece(PieceKind.BODY, None, components.golden_bodies, face)


def _face(design: Design, kind: PieceKind, colour: Colour | None, even: bool) -> Face:
    shape, theme = piece_shape(design), design.theme
    outline = shape.outline(kind)
    left, top, right, bottom = outline.bounds
    if even:
        reach = max(shape.head, shape.tail) + 1  # and a millimetre around
        left, top, right, bottom = -reach, top - 1, reach, bottom + 1
    width, height = right - left, bottom - top
    ink = colour if colour is not None else GOLDEN
    inks = theme.piece(ink)
    cut = outline.at(-left, -top)

    def draw(surface: Surface) -> None:
        with surface.background():
            # the ink of the outline all around: no light rim where the picture is cut
            surface.fill(rectangle(-3, -3, width + 6, height + 6), inks.line)
            surface.fill(cut, theme.paper)
        with surface.placed(-left, -top) as moved:
            draw_piece(moved, shape, theme, kind, ink, cut=True)

    name = GOLDEN if colour is None else colour.name
    look = "solid" if theme.solid else "line"
    key = f"single-{look}-{kind.value}-{name}-{'even' if even else 'tight'}"
    return Face(key, width, height, draw, safe=0, outline=cut)
