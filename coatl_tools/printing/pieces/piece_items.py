"""The pieces to cut out: strips of one colour for paper, and single pieces as faces of their own.

A strip has one colour throughout, so a cut that strays by a millimetre shows nothing. Its back
repeats from piece to piece, so no piece can be recognised by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coatl_tools.components.components_file import ComponentsFile
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing.geometry import Box, Path, ellipse, rectangle, rounded_polygon
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import BLEED, Design, Face, Item
from coatl_tools.printing.pieces.piece_drawing import GOLDEN, draw_piece
from coatl_tools.printing.pieces.piece_shapes import PieceShape, PiecesLayout


@dataclass(frozen=True)
class PieceStrip:
    """Pieces of one colour, hooked into each other."""

    colour: Colour | str
    kinds: tuple[PieceKind, ...]

    @property
    def name(self) -> str:
        """The name of the strip, such as `R-head-tail-8`."""
        letter = self.colour.name if isinstance(self.colour, Colour) else self.colour
        return f"{letter}-{self.shape_name}"

    @property
    def shape_name(self) -> str:
        """The name without the colour."""
        ends = [kind.value for kind in self.kinds if kind is not PieceKind.BODY]
        return "-".join([*ends, str(self.kinds.count(PieceKind.BODY))])

    def first_middle(self, shape: PieceShape) -> float:
        """Return the x of its first piece's middle."""
        if self.kinds[0] is PieceKind.HEAD:
            return shape.head
        return shape.pitch / 2 + shape.overlap

    def width(self, shape: PieceShape) -> float:
        """Return its length, in millimetres."""
        last = self.first_middle(shape) + (len(self.kinds) - 1) * shape.pitch
        end = shape.tail if self.kinds[-1] is PieceKind.TAIL else shape.pitch / 2 + shape.overlap
        return last + end


def make_strips(layout: PiecesLayout, components: ComponentsFile, golden: bool) -> list[PieceStrip]:
    """Make strips of all pieces (rule 1.2): whole Cóatls first, then what is left over."""
    found = [
        strip
        for colour in Colour
        for strip in _make_colour_strips(
            colour,
            components.pieces.head,
            components.pieces.body,
            components.pieces.tail,
            layout.strip.bodies,
        )
    ]
    if golden and components.golden_bodies:
        found += _make_colour_strips(GOLDEN, 0, components.golden_bodies, 0, layout.strip.bodies)
    return found


def _make_colour_strips(
    colour: Colour | str, heads: int, bodies: int, tails: int, length: int
) -> Sequence[PieceStrip]:
    found = []
    while heads or bodies or tails:
        middle = min(bodies, length)
        kinds = (
            [PieceKind.HEAD] * min(1, heads)
            + [PieceKind.BODY] * middle
            + [PieceKind.TAIL] * min(1, tails)
        )
        heads, bodies, tails = max(0, heads - 1), bodies - middle, max(0, tails - 1)
        found.append(PieceStrip(colour, tuple(kinds)))
    return found


def make_piece_items(
    design: Design, components: ComponentsFile, golden: bool = False
) -> list[Item]:
    """Make the strips, each with its front and the uniform back."""
    layout = design.layouts.load("pieces", PiecesLayout)
    return [
        _make_strip_item(design, layout, strip) for strip in make_strips(layout, components, golden)
    ]


def _make_strip_item(design: Design, layout: PiecesLayout, strip: PieceStrip) -> Item:
    shape, width = layout.shape, strip.width(layout.shape)
    front = Face(
        f"strip-{strip.name}",
        width,
        shape.height,
        lambda surface: _draw_strip_front(surface, design, strip),
        safe_margin=0.5,
    )
    back = Face(
        f"strip-back-{strip.shape_name}",
        width,
        shape.height,
        lambda surface: _draw_strip_back(surface, design, layout, strip),
        safe_margin=0.0,
    )
    return Item(strip.name, front, back, _describe_strip(strip, design))


def _describe_strip(strip: PieceStrip, design: Design) -> str:
    """Return the word for the colour of a strip."""
    if isinstance(strip.colour, Colour):
        return design.language.colours[strip.colour]["name"].capitalize()
    return design.language.label("result_golden").capitalize()


def _draw_strip_front(surface: Surface, design: Design, strip: PieceStrip) -> None:
    theme, shape = design.theme, design.piece_shape
    width = strip.width(shape)
    with surface.background():
        if theme.solid:
            ground = rectangle(-BLEED, -BLEED, width + 2 * BLEED, shape.height + 2 * BLEED)
            surface.fill(ground, theme.piece(strip.colour).fill)
    for index, kind in enumerate(strip.kinds):
        with surface.at_origin(strip.first_middle(shape) + index * shape.pitch, shape.height / 2):
            draw_piece(surface, design, kind, strip.colour, cut=True)


def _draw_strip_back(
    surface: Surface, design: Design, layout: PiecesLayout, strip: PieceStrip
) -> None:
    """Draw dots that repeat from piece to piece, mirrored like the back of the sheet."""
    shape, inks = layout.shape, design.theme.backs["pieces"]
    width, height = strip.width(shape), shape.height
    step = shape.pitch / layout.strip.dots
    start = (width - strip.first_middle(shape)) % step
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
            with surface.at_origin(shift, height / 2 + row * step):
                surface.draw_shared(f"dots-{strip.shape_name}", line, draw_line)


def find_strip_cuts(strip: PieceStrip, shape: PieceShape) -> tuple[list[Path], Path]:
    """Return each seam of a strip, and its outline, from its top left corner."""
    middle, first = shape.height / 2, strip.first_middle(shape)
    seams = []
    for index in range(len(strip.kinds) - 1):
        points, radii = shape.seam(first + (index + 0.5) * shape.pitch)
        seams.append(
            rounded_polygon(points, [0, *radii[1:-1], 0], closed=False).place_at(0, middle)
        )
    return seams, _strip_outline(strip, shape).place_at(0, middle)


def _strip_outline(strip: PieceStrip, shape: PieceShape) -> Path:
    """Return the outline of a whole strip, as of one long piece."""
    first = strip.first_middle(shape)
    last = first + (len(strip.kinds) - 1) * shape.pitch
    left = shape.end(strip.kinds[0], "left", first)
    right = shape.end(strip.kinds[-1], "right", last)
    return rounded_polygon([*right[0], *reversed(left[0])], [*right[1], *reversed(left[1])])


@dataclass(frozen=True)
class SinglePiece:
    """A kind of piece: what it is, how many there are, and its face."""

    kind: PieceKind
    colour: Colour | None  # None is a golden segment
    count: int
    face: Face

    @property
    def name(self) -> str:
        """The name of its picture."""
        colour = self.colour.name if self.colour is not None else GOLDEN
        return f"piece-{self.kind.value}-{colour}"


def make_single_pieces(
    design: Design, components: ComponentsFile, golden: bool, even: bool = False
) -> Iterator[SinglePiece]:
    """Yield every piece that looks different (rule 1.2), with an outline to cut along.

    `even` gives the faces of all kinds the same size, so that a program that fits pictures into its
    own boxes shows all of them at one scale.
    """
    for kind in PieceKind:
        count = getattr(components.pieces, kind.value)
        for colour in Colour:
            yield SinglePiece(kind, colour, count, _make_piece_face(design, kind, colour, even))
    if golden:  # rule 10.3
        face = _make_piece_face(design, PieceKind.BODY, None, even)
        yield SinglePiece(PieceKind.BODY, None, components.golden_bodies, face)


def _make_piece_face(design: Design, kind: PieceKind, colour: Colour | None, even: bool) -> Face:
    shape, theme = design.piece_shape, design.theme
    outline = shape.outline(kind)
    left, top, right, bottom = outline.bounds
    if even:
        reach = max(shape.head, shape.tail) + 1  # and a millimetre around
        left, top, right, bottom = -reach, top - 1, reach, bottom + 1
    width, height = right - left, bottom - top
    ink = colour if colour is not None else GOLDEN
    inks = theme.piece(ink)
    cut = outline.place_at(-left, -top)

    def draw(surface: Surface) -> None:
        with surface.background():
            # the ink of the outline all around: no light rim where the picture is cut
            surface.fill(rectangle(-3, -3, width + 6, height + 6), inks.line)
            surface.fill(cut, theme.paper)
        with surface.at_origin(-left, -top) as moved:
            draw_piece(moved, design, kind, ink, cut=True)

    name = GOLDEN if colour is None else colour.name
    look = "solid" if theme.solid else "line"
    key = f"single-{look}-{kind.value}-{name}-{'even' if even else 'tight'}"
    return Face(key, width, height, draw, safe_margin=0, outline=cut)
