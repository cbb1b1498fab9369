"""How many fit on a sheet and where: grids of equal things, and shelves of unlike ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from coatl_tools.printing.surface import Box

Turn = Literal[0, 90, 180, 270]
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
    """Unlike things on as few pages as it takes, in shelves, the tallest first.

    Each thing has to fit the area by itself. What is on a page lies in the middle of the area.
    """
    pages: list[_ShelfPage] = []
    lying = [_lying(width, height, area) for width, height in sizes]
    for index in sorted(range(len(sizes)), key=lambda i: (-lying[i][1], -lying[i][0], i)):
        width, height, turn = lying[index]
        if not any(page.put(index, width, height, turn) for page in pages):
            pages.append(_ShelfPage(area, gap))
            pages[-1].put(index, width, height, turn)
    return [page.centred() for page in pages]


def fits(width: float, height: float, area: Box) -> bool:
    """Whether an area holds a thing, upright or on its side."""
    return any(
        w <= area.width + _HAIR and h <= area.height + _HAIR for _, w, h in _ways(width, height)
    )


def _lying(width: float, height: float, area: Box) -> tuple[float, float, Turn]:
    """A thing as it makes the lowest shelf."""
    ways = sorted(_ways(width, height), key=lambda way: way[2])
    turn, w, h = next(way for way in ways if way[1] <= area.width + _HAIR)
    return w, h, turn


class _ShelfPage:
    def __init__(self, area: Box, gap: float) -> None:
        self._area, self._gap = area, gap
        self._shelves: list[tuple[float, float, float]] = []  # top, height, how far it is filled
        self._things: list[Shelved] = []

    def put(self, index: int, width: float, height: float, turn: Turn) -> bool:
        area, gap = self._area, self._gap
        for at, (top, tall, filled) in enumerate(self._shelves):
            if height <= tall + _HAIR and filled + gap + width <= area.width + _HAIR:
                box = Box(area.x + filled + gap, area.y + top, width, height)
                self._shelves[at] = (top, tall, filled + gap + width)
                self._things.append(Shelved(index, box, turn))
                return True
        top = max((top + tall + gap for top, tall, _ in self._shelves), default=0.0)
        if top + height > area.height + _HAIR:
            return False
        self._shelves.append((top, height, width))
        self._things.append(Shelved(index, Box(area.x, area.y + top, width, height), turn))
        return True

    def centred(self) -> list[Shelved]:
        whole = around([thing.box for thing in self._things])
        x, y = self._area.centre
        dx, dy = x - whole.centre[0], y - whole.centre[1]
        return [
            Shelved(t.index, Box(t.box.x + dx, t.box.y + dy, t.box.width, t.box.height), t.turn)
            for t in sorted(self._things, key=lambda thing: thing.index)
        ]


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box around others."""
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right - left, bottom - top)


def overlap(one: Box, other: Box, hair: float = 0.001) -> bool:
    """Whether two boxes share more than an edge."""
    return (
        one.x < other.right - hair
        and other.x < one.right - hair
        and one.y < other.bottom - hair
        and other.y < one.bottom - hair
    )
