"""Pieces and whole Cóatls as pictures: hooked into each other, some of them lit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from coatl_tools.language import Language, describe_piece, load_language
from coatl_tools.pieces import Coatl, Colour, PieceKind
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import Box, Path, Point, polygon, polyline, rectangle
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.drawing.svg_surface import SvgSurface
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Theme
from coatl_tools.printing.pictures.component_pictures import load_design
from coatl_tools.printing.pieces.piece_drawing import GOLDEN, draw_piece
from coatl_tools.printing.pieces.piece_shapes import PieceShape

PICTURE_MARGIN = 1.0  # around everything, in millimetres of real pieces
UNLIT_OPACITY = 0.34  # how much of a piece is seen that is not lit
ROW_GAP = 5.0  # between two rows
UNHOOKED_GAP = 2.0  # where two pieces meet that cannot be hooked together
NUMBER_ROW_HEIGHT = 7.0  # height of the row of numbers under the pieces
CARET_HEIGHT = 8.0  # height of the caret above them
GROUP_LINE_HEIGHT = 4.0  # height of the lines under groups


class PicturedPiece(NamedTuple):
    """A piece as it looks; without a colour it is a golden segment (rule 10.3)."""

    kind: PieceKind
    colour: Colour | None


def list_pieces(coatl: Coatl) -> tuple[PicturedPiece, ...]:
    """List the pieces of a Cóatl, from head to tail."""
    return tuple(map(PicturedPiece, coatl.kinds, coatl.colours))


@dataclass(frozen=True)
class CoatlPicture:
    """A row of pieces, in any order: what is read from a photo need not be a Cóatl yet.

    Only the `lit` pieces (from 1) are fully visible; None lights all. A line is drawn under each of
    the `groups`, such as the occurrences of a requirement. `caret` points at a piece; `numbers`
    stand below. After every `per_row` pieces a new row begins.
    """

    pieces: tuple[PicturedPiece, ...]
    _: KW_ONLY
    lit: frozenset[int] | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    numbers: bool = False
    caret: int | None = None
    per_row: int | None = None

    @cached_property
    def shape(self) -> PieceShape:
        """The measures of the pieces."""
        return load_design("en").piece_shape

    @cached_property
    def middles(self) -> tuple[Point, ...]:
        """The centre of each piece, in millimetres of real pieces."""
        return tuple(self._compute_middles())

    def _compute_middles(self) -> Iterator[Point]:
        shape, y, x = self.shape, 0.0, 0.0
        row = self._above + shape.height + self._below + ROW_GAP
        for index, piece in enumerate(self.pieces):
            if index % (self.per_row or len(self.pieces)) == 0:
                y = row * (index // (self.per_row or len(self.pieces)))
                x = self._reach(piece, left=True)
                x += shape.overlap if piece.kind is not PieceKind.HEAD else 0
            else:
                before = self.pieces[index - 1]
                x += self._reach(before, left=False) + self._reach(piece, left=True)
                if before.kind is PieceKind.TAIL or piece.kind is PieceKind.HEAD:
                    x += shape.overlap + UNHOOKED_GAP
            yield x, y

    @property
    def _above(self) -> float:
        return CARET_HEIGHT if self.caret is not None else 0.0

    @property
    def _below(self) -> float:
        return (GROUP_LINE_HEIGHT if self.groups else 0.0) + (
            NUMBER_ROW_HEIGHT if self.numbers else 0.0
        )

    def _reach(self, piece: PicturedPiece, left: bool) -> float:
        """Return the distance from a piece's middle to its left or right neighbour."""
        if left:
            return self.shape.head if piece.kind is PieceKind.HEAD else self.shape.pitch / 2
        return self.shape.tail if piece.kind is PieceKind.TAIL else self.shape.pitch / 2

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The box of each piece, side by side without overlap, as a target for taps."""
        return tuple(
            Box(
                x - self._reach(piece, left=True),
                y - self.shape.height / 2,
                self._reach(piece, left=True) + self._reach(piece, left=False),
                self.shape.height,
            )
            for piece, (x, y) in zip(self.pieces, self.middles, strict=True)
        )

    @cached_property
    def view(self) -> Box:
        """The box around everything: hooks, numbers and caret too."""
        right = max(
            box.right + (self.shape.overlap if piece.kind is not PieceKind.TAIL else 0)
            for piece, box in zip(self.pieces, self.boxes, strict=True)
        )
        top, bottom = self.boxes[0].y - self._above, self.boxes[-1].bottom + self._below
        return Box(0, top, right, bottom - top).inset(-PICTURE_MARGIN)

    def draw(self, surface: Surface, design: Design, scale: float = 1.0) -> None:
        """Draw the row at full size; `scale` is how small it will be shown, for line widths."""
        for number, piece in enumerate(self.pieces, start=1):
            lit = self.lit is None or number in self.lit
            with surface.at_origin(*self.middles[number - 1]):
                ink = piece.colour if piece.colour is not None else GOLDEN
                with nullcontext() if lit else surface.fade(UNLIT_OPACITY, design.theme.paper):
                    draw_piece(surface, design, piece.kind, ink, scale=scale)
                if self.numbers:
                    self._draw_number(surface, design.theme, number)
                if self.caret == number:
                    self._draw_caret(surface, design.theme)
        for group in self.groups:
            for line in self._group_lines(group):
                surface.stroke(line, design.theme.paper, 2.4, cap="round")
                surface.stroke(line, design.theme.accent, 1.5, cap="round")

    def _group_lines(self, group: tuple[int, ...]) -> Iterator[Path]:
        """Yield a line under each stretch of adjacent pieces of a group."""
        begin = 0
        for index in range(1, len(group) + 1):
            first, last = self.boxes[group[begin] - 1], self.boxes[group[index - 1] - 1]
            follows = index < len(group) and group[index] == group[index - 1] + 1
            if not follows or self.boxes[group[index] - 1].y != last.y:
                y = last.bottom + 0.6 * GROUP_LINE_HEIGHT
                yield polyline((first.x + 2.2, y), (last.right - 2.2, y))
                begin = index

    def _draw_number(self, surface: Surface, theme: Theme, number: int) -> None:
        """Draw a number on a plate of its own, legible on any background."""
        y = (
            self.shape.height / 2
            + (GROUP_LINE_HEIGHT if self.groups else 0)
            + 0.6 * NUMBER_ROW_HEIGHT
        )
        type_ = FontStyle(fonts.BOLD, 11, theme.ink)
        width = max(6.0, type_.measure(str(number)) + 2.4)
        plate = rectangle(-width / 2, y - 2.6, width, 5.2, 1.6)
        surface.paint(plate, theme.paper, theme.muted, 0.3)
        surface.draw_centred_text(0, y, str(number), type_)

    def _draw_caret(self, surface: Surface, theme: Theme) -> None:
        tip = -self.shape.height / 2 - 1.2
        arrow = polygon((0, tip), (5, tip - 6), (-5, tip - 6))
        surface.paint(arrow, theme.accent, theme.paper, 0.8)

    def describe(self, language: Language) -> str:
        """Describe the pieces in words."""
        return ", ".join(
            describe_piece(piece.colour, piece.kind, language) for piece in self.pieces
        )

    def render_svg(self, lang: str) -> str:
        """Render the picture as an SVG document."""
        surface = SvgSurface()
        self.draw(surface, load_design(lang))
        return surface.render(self.view, self.describe(load_language(lang)))


@lru_cache(maxsize=128)
def render_piece_svg(piece: PicturedPiece, lang: str) -> str:
    """Render one piece alone."""
    return CoatlPicture((piece,)).render_svg(lang)


@lru_cache(maxsize=512)
def render_coatl_svg(picture: CoatlPicture, lang: str) -> str:
    """Render a row of pieces."""
    return picture.render_svg(lang)
