"""The small table of what each level of a card needs and pays."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.cards.card import Card, Level
from coatl_tools.cards.requirement import (
    ColourCount,
    Multiset,
    PieceSequence,
    Several,
    split_requirement,
)
from coatl_tools.printing.cards.layout import Table
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import Path, polyline, rectangle, stepped
from coatl_tools.printing.drawing.surface import Surface, Type
from coatl_tools.printing.drawing.symbols import symbol
from coatl_tools.printing.theme import CardInks, Theme

TICK = 1.3  # the width of one, in figures
TICKS = 3  # so many are drawn; more are written as a number and one tick


@dataclass(frozen=True)
class LevelTable:
    """The table of a card, in the room that it has."""

    card: Card
    table: Table
    room: Box
    larger: float = 1.0  # on a large card

    @property
    def columns(self) -> int:
        """How many levels stand side by side."""
        return -(-len(self.card.levels) // self.table.rows)

    @property
    def rows(self) -> int:
        """How many stand below each other."""
        return -(-len(self.card.levels) // self.columns)

    @property
    def box(self) -> Box:
        """What it covers: the upper left part of its room."""
        wanted = self.larger * self.table.cell * (1 if self.columns == 1 else 0.74 * self.columns)
        row = min(self.table.row, self.room.height / self.rows)
        return Box(self.room.x, self.room.y, min(wanted, self.room.width), row * self.rows)

    def cell(self, index: int) -> Box:
        """Where a level stands: down the first column, then down the next."""
        column, row = divmod(index, self.rows)
        box = self.box
        width, height = box.width / self.columns, box.height / self.rows
        return Box(box.x + column * width, box.y + row * height, width, height)

    def draw(self, surface: Surface, theme: Theme, inks: CardInks) -> None:
        """Draw the tablet and its levels, the points larger than what they ask for."""
        box = self.box
        outline = stepped(box.x, box.y, box.width, box.height, self.table.step)
        edge = theme.ink if theme.solid else inks.ornament
        surface.fill(outline, theme.paper)
        if theme.solid:
            with surface.clipped(outline):
                for column in range(self.columns):
                    cell = self.cell(column * self.rows)
                    half = cell.width * SPLIT
                    surface.fill(
                        rectangle(cell.x + half, box.y, cell.width - half, box.height), inks.light
                    )
        for index in range(len(self.card.levels)):
            cell = self.cell(index)
            if index % self.rows:
                inset = 1.0
                rule = polyline((cell.x + inset, cell.y), (cell.right - inset, cell.y))
                surface.stroke(rule, inks.ornament, 0.2)
        for column in range(1, self.columns):
            x = self.cell(column * self.rows).x
            surface.stroke(polyline((x, box.y), (x, box.bottom)), edge, 0.25)
        surface.stroke(outline, edge, 0.4 if theme.solid else 0.28)
        for index, level in enumerate(self.card.levels):
            self._level(surface, theme, level, self.cell(index))

    def _level(self, surface: Surface, theme: Theme, level: Level, cell: Box) -> None:
        split = cell.x + cell.width * SPLIT
        y = cell.centre[1]
        points = Type(fonts.BLACK, self._points_size(), theme.ink)
        surface.centred((split + cell.right) / 2, y, str(level.points), points)
        need = Type(fonts.SEMIBOLD, self._need_size(), theme.ink)
        middle = (cell.x + split) / 2 + 0.2
        requirement = self.card.requirement
        if isinstance(requirement, ColourCount):
            text = str(level.count)
            radius = 0.62 * need.cap
            gap = 0.7
            width = need.width(text) + gap + 2 * radius
            left = middle - width / 2
            surface.text(left, y + need.cap / 2, text, need)
            inks = theme.piece(requirement.colour)
            shape = symbol(requirement.colour, left + width - radius, y, 0.86 * radius)
            surface.paint(shape, inks.fill if theme.solid else inks.symbol, inks.line, 0.2)
        elif isinstance(requirement, PieceSequence | Multiset):
            surface.centred(middle, y, f"{level.count}×", need)
        else:
            self._ticks(surface, level.count, middle, y, need, theme)

    def _ticks(
        self, surface: Surface, count: int, x: float, y: float, need: Type, theme: Theme
    ) -> None:
        """One tick for each requirement that must be met."""
        size = need.cap
        parts = len(split_requirement(self.card.requirement))
        shown = count if count <= min(parts, TICKS) else 1
        text = "" if shown == count else str(count)
        step = 0.95 * size
        label = need.width(text) + 0.4 if text else 0
        left = x - (label + shown * step) / 2
        if text:
            surface.text(left, y + need.cap / 2, text, need)
        for i in range(shown):
            tick = _tick(left + label + i * step, y, size)
            surface.stroke(tick, theme.ink, 0.2 * size, cap="round")

    def _points_size(self) -> float:
        widest = max(len(str(level.points)) for level in self.card.levels)
        cell = self.cell(0)
        return self._size(
            self.larger * self.table.points, 0.64 * cell.height, cell.width * (1 - SPLIT), widest
        )

    def _need_size(self) -> float:
        cell = self.cell(0)
        widest: float = max(len(str(level.count)) for level in self.card.levels) + 1
        if isinstance(self.card.requirement, Several):
            widest = max(widest, TICK * min(TICKS, max(level.count for level in self.card.levels)))
        return self._size(
            self.larger * self.table.need, 0.5 * cell.height, cell.width * SPLIT, widest
        )

    @staticmethod
    def _size(largest: float, height: float, width: float, characters: float) -> float:
        """A type size for so many figures in a space."""
        by_height = height / (fonts.CAP_HEIGHT * 25.4 / 72)
        by_width = (width - 2.2) / (characters * 0.56 * 25.4 / 72)
        return round(min(largest, by_height, by_width), 2)


SPLIT = 0.52  # the part of a cell for what is needed; the rest is for the points


def _tick(x: float, y: float, size: float) -> Path:
    """A tick of a size, beginning at x, about y."""
    return polyline(
        (x + 0.08 * size, y + 0.05 * size),
        (x + 0.32 * size, y + 0.36 * size),
        (x + 0.78 * size, y - 0.38 * size),
    )
