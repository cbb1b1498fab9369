"""Cut files of the pieces for a cutting machine: SVG in millimetres, every line once, inner
lines first.

Two pieces that hook into each other share a seam: it is in the outlines of both, and would be
cut twice. So outlines are split into segments, duplicates are dropped, and the rest is joined
again into lines as long as possible.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from xml.sax.saxutils import quoteattr

from coatl_tools.files.atomic_writes import OutputFile
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.drawing.geometry import Path, Point, Segment, polyline
from coatl_tools.printing.drawing.svg_surface import format_svg_document, format_svg_path
from coatl_tools.printing.pdf_document import PrintPage
from coatl_tools.printing.pieces.piece_items import PieceStrip, find_strip_cuts, make_strips
from coatl_tools.printing.pieces.piece_shapes import PieceShape, PiecesLayout
from coatl_tools.printing.print_spec import PrintSpec, impose_part

SAME_POINT_DISTANCE = 0.01  # points nearer than this, in millimetres, are one point
CROSS_LENGTH = 10.0  # the length of the arms of a registration cross, from end to end
CUT_INK = "#ff0000"
CROSS_INK = "#0000ff"
CUT_LINE_WIDTH = 0.05  # the width of a line; machines take it as one to cut along


@dataclass(frozen=True)
class CutSheet:
    """A sheet of paper, the outlines of the items on it, and the seams inside them.

    All coordinates are those of the sheet. Registration crosses help to align it; they are not cut.
    """

    name: str
    width: float
    height: float
    outlines: tuple[Path, ...]
    seams: tuple[Path, ...] = ()
    crosses: tuple[Point, ...] = ()


@dataclass(frozen=True)
class CutPaths:
    """The cuts of a sheet in their order: seams between two pieces, then outer edges."""

    seams: tuple[Path, ...]
    edges: tuple[Path, ...]


def merge_cut_lines(outlines: Iterable[Path], seams: Iterable[Path] = ()) -> CutPaths:
    """Merge outlines and seams so that each line is cut once, even where outlines share it."""
    points = _PointIndex()
    found: dict[tuple[int, ...], int] = {}
    for path, times in [*((path, 2) for path in seams), *((path, 1) for path in outlines)]:
        for part in _split_into_segments(path):
            key = tuple(points.find_or_add(point) for point in part)
            if len(set(key)) > 1:
                key = min(key, key[::-1])
                found[key] = found.get(key, 0) + times
    once = _remove_overlaps(found, points)
    inner = [key for key, times in once.items() if times > 1]
    outer = [key for key, times in once.items() if times == 1]
    return CutPaths(_join_segments(inner, points), _join_segments(outer, points))


def render_cut_svg(sheet: CutSheet) -> str:
    """Render the cut file of a sheet."""
    lines = merge_cut_lines(sheet.outlines, sheet.seams)
    marks = [
        polyline((x + dx, y + dy), (x - dx, y - dy))
        for x, y in sheet.crosses
        for dx, dy in ((CROSS_LENGTH / 2, 0.0), (0.0, CROSS_LENGTH / 2))
    ]
    groups = [
        _format_group("registration", marks, CROSS_INK),
        _format_group("seams", lines.seams, CUT_INK),
        _format_group("edges", lines.edges, CUT_INK),
    ]
    return _format_document(sheet.name, sheet.width, sheet.height, groups)


def render_outlines_svg(named: Sequence[tuple[str, Path]]) -> str:
    """Render outlines side by side, each in a group of its own."""
    gap = 5.0
    groups, x, tall = [], gap, 0.0
    for name, path in named:
        left, top, right, bottom = path.bounds
        groups.append(_format_group(name, [path.place_at(x - left, gap - top)], CUT_INK))
        x += right - left + gap
        tall = max(tall, bottom - top)
    return _format_document("outlines", x, tall + 2 * gap, groups)


def _format_document(name: str, width: float, height: float, groups: Iterable[str]) -> str:
    attributes = (
        'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}"'
    )
    layer = f'<g id="sheet" inkscape:groupmode="layer" inkscape:label={quoteattr(name)}>'
    content = "\n".join(["", layer, *groups, "</g>", ""])
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + format_svg_document(
        attributes, name, content
    )


def _format_group(name: str, paths: Iterable[Path], ink: str) -> str:
    return "\n".join(
        [
            f'<g id={quoteattr(name)} fill="none" stroke="{ink}" stroke-width="{CUT_LINE_WIDTH}">',
            *(f'<path d="{format_svg_path(path, 3, short_lines=False)}"/>' for path in paths),
            "</g>",
        ]
    )


class _PointIndex:
    """Points by index; points closer than `SAME_POINT_DISTANCE` share one."""

    def __init__(self) -> None:
        self.places: list[Point] = []
        self._cells: dict[tuple[int, int], list[int]] = {}

    def find_or_add(self, point: Point) -> int:
        column, row = (math.floor(value / SAME_POINT_DISTANCE) for value in point)
        for x in (column - 1, column, column + 1):
            for y in (row - 1, row, row + 1):
                for known in self._cells.get((x, y), ()):
                    if math.dist(self.places[known], point) < SAME_POINT_DISTANCE:
                        return known
        self.places.append(point)
        self._cells.setdefault((column, row), []).append(len(self.places) - 1)
        return len(self.places) - 1


def _split_into_segments(path: Path) -> Iterable[tuple[Point, ...]]:
    """Yield every line and curve of a path: its two ends, with control points between them."""
    start = here = (0.0, 0.0)
    for kind, *v in path.segments:
        points = [(v[i], v[i + 1]) for i in range(0, len(v), 2)]
        if kind == "M":
            start = here = points[0]
        elif kind == "Z":
            yield here, start
            here = start
        else:
            yield here, *points
            here = points[-1]


def _remove_overlaps(
    found: dict[tuple[int, ...], int], points: _PointIndex
) -> dict[tuple[int, ...], int]:
    """Merge horizontal and vertical lines that partly overlap; keep all others."""
    kept: dict[tuple[int, ...], int] = {}
    along: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for key, times in found.items():
        axis = _find_axis(key, points)
        if axis is None:
            kept[key] = times
        else:
            place = round(points.places[key[0]][1 - axis] / SAME_POINT_DISTANCE)
            along.setdefault((axis, place), []).append(key)
    for (axis, _), keys in along.items():
        kept |= _unite_lines(keys, axis, found, points)
    return kept


def _find_axis(key: tuple[int, ...], points: _PointIndex) -> int | None:
    """Return 0 for a horizontal line, 1 for a vertical one, None for any other."""
    if len(key) != 2:
        return None
    (x1, y1), (x2, y2) = points.places[key[0]], points.places[key[1]]
    if abs(y1 - y2) < SAME_POINT_DISTANCE:
        return 0
    return 1 if abs(x1 - x2) < SAME_POINT_DISTANCE else None


def _unite_lines(
    keys: list[tuple[int, ...]], axis: int, found: dict[tuple[int, ...], int], points: _PointIndex
) -> dict[tuple[int, ...], int]:
    """Merge those of some collinear lines that overlap by more than a point."""

    def place(number: int) -> float:
        return points.places[number][axis]

    ordered = sorted((tuple(sorted(key, key=place)) for key in keys), key=lambda k: place(k[0]))
    united: dict[tuple[int, ...], int] = {}
    begin, end = ordered[0]
    times = found[min(ordered[0], ordered[0][::-1])]
    for key in ordered[1:]:
        if place(key[0]) < place(end) - SAME_POINT_DISTANCE:
            end = max(end, key[1], key=place)
            times += 1
        else:
            united[begin, end] = times
            begin, end = key
            times = found[min(key, key[::-1])]
    united[begin, end] = times
    return united


def _join_segments(keys: Sequence[tuple[int, ...]], points: _PointIndex) -> tuple[Path, ...]:
    """Join lines and curves end to end, into as few paths as possible."""
    at: dict[int, list[int]] = {}
    for index, key in enumerate(keys):
        for end in (key[0], key[-1]):
            at.setdefault(end, []).append(index)
    free = [True] * len(keys)

    def onward(here: int) -> tuple[int, ...] | None:
        for index in at[here]:
            if free[index]:
                free[index] = False
                key = keys[index]
                return key if key[0] == here else key[::-1]
        return None

    # open lines first, from one of their ends; then what runs round
    ends = [number for number, found in at.items() if len(found) % 2]
    paths: list[Path] = []
    for first in (*ends, *(key[0] for key in keys)):
        chain: list[tuple[int, ...]] = []
        here = first
        while (following := onward(here)) is not None:
            chain.append(following)
            here = following[-1]
        if chain:
            paths.append(_build_path(chain, points))
    return tuple(paths)


def _build_path(chain: Sequence[tuple[int, ...]], points: _PointIndex) -> Path:
    segments: list[Segment] = [("M", *points.places[chain[0][0]])]
    for key in chain:
        values = [value for number in key[1:] for value in points.places[number]]
        segments.append(("L" if len(key) == 2 else "C", *values))
    if chain[0][0] == chain[-1][-1]:
        segments.append(("Z",))
    return Path(segments)


class CutFileExport:
    """SVG files that cut the pieces exactly where `coatl print` puts them."""

    def __init__(self, spec: PrintSpec) -> None:
        layout = spec.design.layouts.load("pieces", PiecesLayout)
        found = make_strips(layout, spec.components, spec.golden)
        self._shape = spec.design.piece_shape
        self.sheets = make_cut_sheets(impose_part("pieces", spec), found, self._shape)

    def __len__(self) -> int:
        return len(self.sheets) + 1

    def __iter__(self) -> Iterator[OutputFile]:
        digits = max(2, len(str(len(self.sheets))))
        for number, sheet in enumerate(self.sheets, 1):
            path = PurePosixPath(f"pieces-{number:0{digits}}.svg")
            yield OutputFile(path, render_cut_svg(sheet).encode())
        named = [(kind.value, self._shape.outline(kind)) for kind in PieceKind]
        yield OutputFile(PurePosixPath("piece-outlines.svg"), render_outlines_svg(named).encode())


def make_cut_sheets(
    pages: Sequence[PrintPage], found: Sequence[PieceStrip], shape: PieceShape
) -> list[CutSheet]:
    """Make the cut sheets of all fronts: every seam of a strip, then its outline."""
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
            inner, outer = find_strip_cuts(strip, shape)
            seams += [path.transform(matrix) for path in inner]
            outlines.append(outer.transform(matrix))
        trim = page.trim  # the printed crop marks point at its corners; three tell how it lies
        corners = (trim.x, trim.y), (trim.right, trim.y), (trim.x, trim.bottom)
        name = f"pieces {len(sheets) + 1}"
        size = (page.width, page.height)
        sheets.append(CutSheet(name, *size, tuple(outlines), tuple(seams), corners))
    return sheets
