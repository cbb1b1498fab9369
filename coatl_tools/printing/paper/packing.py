"""How many fit on a sheet and where: grids of equal things, and shelves of unlike ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coatl_tools.printing.drawing.boxes import Box, Turn

_HAIR = 1e-6  # what sums of fractions may be off


@dataclass(frozen=True, slots=True)
class Grid:
    """Places of one size in columns and rows, in the middle of an area."""

    area: Box
    columns: int
    rows: int
    width: float
    height: float
    spacing: float
    turn: Turn

    @property
    def size(self) -> int:
        """How many places it has."""
        return self.columns * self.rows

    @property
    def box(self) -> Box:
        """What all places cover together."""
        width = self.columns * (self.width + self.spacing) - self.spacing
        height = self.rows * (self.height + self.spacing) - self.spacing
        x, y = self.area.centre
        return Box(x - width / 2, y - height / 2, width, height)

    def place(self, index: int) -> Box:
        """A place, counted in rows from the top left."""
        row, column = divmod(index, self.columns)
        x = self.box.x + column * (self.width + self.spacing)
        y = self.box.y + row * (self.height + self.spacing)
        return Box(x, y, self.width, self.height)

    def places(self) -> tuple[Box, ...]:
        """All places."""
        return tuple(self.place(index) for index in range(self.size))


def grids(width: float, height: float, area: Box, spacing: float) -> list[Grid]:
    """The grids of things of one size that an area holds, the one with most places first.

    The things may lie on their side. After each grid follow those with a column or a row less.
    """
    found = []
    for turn, w, h in _ways(width, height):
        columns, rows = _count(area.width, w, spacing), _count(area.height, h, spacing)
        found += [
            Grid(area, c, r, w, h, spacing, turn)
            for c in range(max(1, columns - 1), columns + 1)
            for r in range(max(1, rows - 1), rows + 1)
        ]
    return sorted(found, key=lambda grid: (-grid.size, grid.turn))


def _ways(width: float, height: float) -> Iterator[tuple[Turn, float, float]]:
    yield 0, width, height
    if width != height:
        yield 90, height, width


def _count(room: float, size: float, spacing: float) -> int:
    return int((room + spacing + _HAIR) // (size + spacing))


@dataclass(frozen=True, slots=True)
class Shelved:
    """A thing on a shelf: which one it is, where it lies, and whether on its side."""

    index: int
    box: Box
    turn: Turn


def shelves(sizes: Sequence[tuple[float, float]], area: Box, gap: float) -> list[list[Shelved]]:
    """Unlike things on as few pages as it takes: equal ones in rows, rows on shelves.

    Each thing has to fit the area by itself. What is on a page lies in the middle of the area.
    """
    pages: list[_ShelfPage] = []
    for row in sorted(_rows(sizes, area, gap), key=lambda row: (-row.height, -row.length(gap))):
        if not any(page.put(row) for page in pages):
            pages.append(_ShelfPage(area, gap))
            pages[-1].put(row)
    return [page.things() for page in pages]


def fits(width: float, height: float, area: Box) -> bool:
    """Whether an area holds a thing, upright or on its side."""
    return any(
        w <= area.width + _HAIR and h <= area.height + _HAIR for _, w, h in _ways(width, height)
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """Equal things side by side."""

    indices: tuple[int, ...]
    width: float
    height: float
    turn: Turn

    def length(self, gap: float) -> float:
        return len(self.indices) * (self.width + gap) - gap


def _rows(sizes: Sequence[tuple[float, float]], area: Box, gap: float) -> Iterator[_Row]:
    """Things of one size in rows of about one length."""
    for width, height in dict.fromkeys(sizes):
        same = [index for index, size in enumerate(sizes) if size == (width, height)]
        # as they make the lowest rows
        ways = sorted(_ways(width, height), key=lambda way: way[2])
        turn, w, h = next(way for way in ways if way[1] <= area.width + _HAIR)
        rows = -(-len(same) // _count(area.width, w, gap))
        columns = -(-len(same) // rows)
        for begin in range(0, len(same), columns):
            yield _Row(tuple(same[begin : begin + columns]), w, h, turn)


class _ShelfPage:
    def __init__(self, area: Box, gap: float) -> None:
        self._area, self._gap = area, gap
        self._shelves: list[list[_Row]] = []

    def put(self, row: _Row) -> bool:
        """Lay a row on a shelf that has room for it, or on a new one; False if there is none."""
        for shelf in self._shelves:
            filled = sum(other.length(self._gap) + self._gap for other in shelf)
            if row.height <= shelf[0].height and self._fits(filled + row.length(self._gap)):
                shelf.append(row)
                return True
        top = sum(shelf[0].height + self._gap for shelf in self._shelves)
        if top + row.height > self._area.height + _HAIR:
            return False
        self._shelves.append([row])
        return True

    def _fits(self, length: float) -> bool:
        return length <= self._area.width + _HAIR

    def things(self) -> list[Shelved]:
        """All things, each shelf in the middle, in the order in which they were given."""
        found: list[Shelved] = []
        gap, (middle, centre) = self._gap, self._area.centre
        y = centre - sum(shelf[0].height + gap for shelf in self._shelves) / 2 + gap / 2
        for shelf in self._shelves:
            x = middle - sum(row.length(gap) + gap for row in shelf) / 2 + gap / 2
            for row in shelf:
                for index in row.indices:
                    found.append(Shelved(index, Box(x, y, row.width, row.height), row.turn))
                    x += row.width + gap
            y += shelf[0].height + gap
        return sorted(found, key=lambda thing: thing.index)
