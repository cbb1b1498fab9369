"""The cut files of the pieces: one for every sheet of strips, and one of single outlines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from coatl_tools.pieces import PieceKind
from coatl_tools.printing.contents import Order
from coatl_tools.printing.document import Page
from coatl_tools.printing.export.cut_file import CutSheet, cut_svg, outlines_svg
from coatl_tools.printing.export.single_pieces import piece_shape
from coatl_tools.printing.folder import Made
from coatl_tools.printing.pieces.shapes import PieceShape, PiecesLayout
from coatl_tools.printing.pieces.strips import Strip, cut_lines, strips
from coatl_tools.printing.printout import part_pages


class CutExport:
    """SVG files that cut the pieces exactly where `coatl print` puts them."""

    def __init__(self, order: Order) -> None:
        layout = order.design.layouts.read("pieces", PiecesLayout)
        found = strips(layout, order.components, order.golden)
        self._shape = piece_shape(order.design)
        self.sheets = cut_sheets(part_pages("pieces", order), found, self._shape)

    def __len__(self) -> int:
        return len(self.sheets) + 1

    def __iter__(self) -> Iterator[Made]:
        digits = max(2, len(str(len(self.sheets))))
        for number, sheet in enumerate(self.sheets, 1):
            path = PurePosixPath(f"pieces-{number:0{digits}}.svg")
            yield Made(path, cut_svg(sheet).encode())
        named = [(kind.value, self._shape.outline(kind)) for kind in PieceKind]
        yield Made(PurePosixPath("piece-outlines.svg"), outlines_svg(named).encode())


def cut_sheets(pages: Sequence[Page], found: Sequence[Strip], shape: PieceShape) -> list[CutSheet]:
    """Where the fronts of sheets are cut: every seam of a strip, then around the strip."""
    by_key = {f"strip-{strip.name}": strip for strip in found}
    sheets: list[CutSheet] = []
    for page in pages:
        placed = [
            (by_key[placement.face.key], placement.matrix)
            for placement in page.placements
            if placement.face.key in by_key
        ]
        if not placed:
            continue
        seams, outlines = [], []
        for strip, matrix in placed:
            inner, outer = cut_lines(strip, shape)
            seams += [path.mapped(matrix) for path in inner]
            outlines.append(outer.mapped(matrix))
        trim = page.trim  # the printed crop marks point at its corners; three tell how it lies
        corners = (trim.x, trim.y), (trim.right, trim.y), (trim.x, trim.bottom)
        name = f"pieces {len(sheets) + 1}"
        size = (page.width, page.height)
        sheets.append(CutSheet(name, *size, tuple(outlines), tuple(seams), corners))
    return sheets
