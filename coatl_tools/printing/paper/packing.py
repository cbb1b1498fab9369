"""How many items fit on a sheet, and where: grids of equal ones, shelves of different ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coatl_tools.printing.drawing.geometry import Box, QuarterTurn

_ROUNDING_TOLERANCE = 1e-6  # mm; sums of floats are not exact


@dataclass(frozen=True, slots=True)
class PlaceGrid:
    """Places of one size in columns and rows, in the middle of an area."""

    area: Box
    columns: int
    rows: int
    width: float
    height: float
    spacing: float
    turn: QuarterTurn

    @property
    def place_count(self) -> int:
        """How many places it has."""
        return self.columns * self.rows

    @property
    def box(self) -> Box:
        """The bounding box of all places."""
        width = self.columns * (self.width + self.spacing) - self.spacing
        height = self.rows * (self.height + self.spacing) - self.spacing
        x, y = self.area.centre
        return Box(x - width / 2, y - height / 2, width, height)

    def place(self, index: int) -> Box:
        """Return a place by its index, counted row by row from the top left."""
        row, column = divmod(index, self.columns)
        x = self.box.x + column * (self.width + self.spacing)
        y = self.box.y + row * (self.height + self.spacing)
        return Box(x, y, self.width, self.height)

    def places(self) -> tuple[Box, ...]:
        """List all places."""
        return tuple(self.place(index) for index in range(self.place_count))


def list_grids(width: float, height: float, area: Box, spacing: float) -> list[PlaceGrid]:
    """List the grids of equal items that fit an area, the one with most places first.

    Items may lie on their side. After each grid follow those with a column or a row less.
    """
    found = []
    for turn, w, h in _list_orientations(width, height):
        columns = _count_fitting(area.width, w, spacing)
        rows = _count_fitting(area.height, h, spacing)
        found += [
            PlaceGrid(area, c, r, w, h, spacing, turn)
            for c in range(max(1, columns - 1), columns + 1)
            for r in range(max(1, rows - 1), rows + 1)
        ]
    return sorted(found, key=lambda grid: (-grid.place_count, grid.turn))


def _list_orientations(width: float, height: float) -> Iterator[tuple[QuarterTurn, float, float]]:
    yield 0, width, height
    if width != height:
        yield 90, height, width


def _count_fitting(room: float, size: float, spacing: float) -> int:
    return int((room + spacing + _ROUNDING_TOLERANCE) // (size + spacing))


@dataclass(frozen=True, slots=True)
class ShelfPlace:
    """An item on a shelf: its index, its box, and how it is turned."""

    index: int
    box: Box
    turn: QuarterTurn


def pack_shelves(
    sizes: Sequence[tuple[float, float]], area: Box, gap: float
) -> list[list[ShelfPlace]]:
    """Pack items of different sizes onto pages: equal ones in rows, rows on shelves.

    Each item must fit the area by itself. The content of a page is centred in the area.
    """
    pages: list[_ShelfPage] = []
    for row in sorted(
        _make_shelf_rows(sizes, area, gap), key=lambda row: (-row.height, -row.length(gap))
    ):
        if not any(page.try_add(row) for page in pages):
            pages.append(_ShelfPage(area, gap))
            pages[-1].try_add(row)
    return [page.list_places() for page in pages]


def can_hold(width: float, height: float, area: Box) -> bool:
    """Tell whether an area holds an item, upright or on its side."""
    return any(
        w <= area.width + _ROUNDING_TOLERANCE and h <= area.height + _ROUNDING_TOLERANCE
        for _, w, h in _list_orientations(width, height)
    )


@dataclass(frozen=True, slots=True)
class _ShelfRow:
    """Items of equal size side by side."""

    indices: tuple[int, ...]
    width: float
    height: float
    turn: QuarterTurn

    def length(self, gap: float) -> float:
        return len(self.indices) * (self.width + gap) - gap


def _make_shelf_rows(
    sizes: Sequence[tuple[float, float]], area: Box, gap: float
) -> Iterator[_ShelfRow]:
    """Yield rows of about equal length, each of items of one size."""
    for width, height in dict.fromkeys(sizes):
        same = [index for index, size in enumerate(sizes) if size == (width, height)]
        # the orientation with the lowest rows first
        ways = sorted(_list_orientations(width, height), key=lambda way: way[2])
        turn, w, h = next(way for way in ways if way[1] <= area.width + _ROUNDING_TOLERANCE)
        rows = -(-len(same) // _count_fitting(area.width, w, gap))
        columns = -(-len(same) // rows)
        for begin in range(0, len(same), columns):
            yield _ShelfRow(tuple(same[begin : begin + columns]), w, h, turn)


class _ShelfPage:
    def __init__(self, area: Box, gap: float) -> None:
        self._area, self._gap = area, gap
        self._shelves: list[list[_ShelfRow]] = []

    def try_add(self, row: _ShelfRow) -> bool:
        """Lay a row on a shelf that has room for it, or on a new one; False if there is none."""
        for shelf in self._shelves:
            filled = sum(other.length(self._gap) + self._gap for other in shelf)
            if row.height <= shelf[0].height and self._fits(filled + row.length(self._gap)):
                shelf.append(row)
                return True
        top = sum(shelf[0].height + self._gap for shelf in self._shelves)
        if top + row.height > self._area.height + _ROUNDING_TOLERANCE:
            return False
        self._shelves.append([row])
        return True

    def _fits(self, length: float) -> bool:
        return length <= self._area.width + _ROUNDING_TOLERANCE

    def list_places(self) -> list[ShelfPlace]:
        """List all items in the order in which they were given, each shelf centred."""
        found: list[ShelfPlace] = []
        gap, (middle, centre) = self._gap, self._area.centre
        y = centre - sum(shelf[0].height + gap for shelf in self._shelves) / 2 + gap / 2
        for shelf in self._shelves:
            x = middle - sum(row.length(gap) + gap for row in shelf) / 2 + gap / 2
            for row in shelf:
                for index in row.indices:
                    found.append(ShelfPlace(index, Box(x, y, row.width, row.height), row.turn))
                    x += row.width + gap
            y += shelf[0].height + gap
        return sorted(found, key=lambda thing: thing.index)
