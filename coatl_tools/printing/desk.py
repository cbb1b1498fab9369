"""Which thing lies on which sheet, and where: grids, shelves, folded sheets and whole pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from coatl_tools.errors import CommandLineError
from coatl_tools.printing.component import BLEED, Item
from coatl_tools.printing.document import Placement
from coatl_tools.printing.furniture import (
    FoldLine,
    Legend,
    Lines,
    Mark,
    clear_marks,
    find_lines,
    grid_marks,
)
from coatl_tools.printing.packing import Grid, Turn, around, fits, grids, shelves
from coatl_tools.printing.paper import Backs, Paper, SheetsLayout
from coatl_tools.printing.surface import Box


@dataclass(frozen=True)
class Put:
    """A thing on a sheet: where its front lies, and how it is turned."""

    item: Item
    box: Box
    turn: Turn

    @property
    def front(self) -> Placement:
        """Its front on the page."""
        return Placement(self.item.front, self.box.x, self.box.y, self.turn)


@dataclass(frozen=True)
class Sheet:
    """A sheet of paper with its things: as they are seen from the front."""

    width: float
    height: float
    things: tuple[Put, ...]
    bleed: float
    lines: Lines
    marks: tuple[Mark, ...] = ()
    fold: FoldLine | None = None
    whole: bool = False  # a page that is not cut

    @property
    def has_backs(self) -> bool:
        """Whether something is printed behind the fronts."""
        return self.fold is None and any(put.item.back for put in self.things)

    @property
    def name(self) -> str:
        """What lies on it, from the first thing to the last."""
        first, last = self.things[0].item.name, self.things[-1].item.name
        return first if first == last else f"{first}–{last}"


def arrange(
    items: Sequence[Item],
    paper: Paper,
    layout: SheetsLayout,
    legend: Legend,
    backs: Backs,
    bleed: float,
) -> list[Sheet]:
    """Things on sheets: each kind of equal size in grids; what is left over of several together."""
    if not 0 <= bleed <= BLEED:
        raise CommandLineError("print.bleed", bleed=f"{bleed:g}", most=f"{BLEED:g}")
    stamp = legend.width(layout, folded=backs == "fold")
    desk = _Desk(paper, layout, stamp, bleed, legend.language.label("print_fold"))
    sheets: list[Sheet] = []
    left_over: list[tuple[int, list[Item]]] = []
    for group in _of_one_size(items):
        if desk.is_whole_page(group[0]):
            sheets += chain.from_iterable(desk.whole_pages(item, backs) for item in group)
        elif backs == "fold" and any(item.back for item in group):
            sheets += desk.folded(group)
        else:
            grid, lines = desk.grid(group[0])
            full = len(group) // grid.size * grid.size
            sheets += desk.in_grid(group[:full], grid, lines)
            if group[full:]:
                left_over.append((len(sheets), group[full:]))
    return _with_left_over(sheets, left_over, desk)


def _with_left_over(
    sheets: list[Sheet], left_over: list[tuple[int, list[Item]]], desk: _Desk
) -> list[Sheet]:
    together = [item for _, group in left_over if desk.shares(group[0]) for item in group]
    alone = [(at, group) for at, group in left_over if not desk.shares(group[0])]
    if len(left_over) - len(alone) == 1:  # nobody to share with
        alone, together = left_over, []
    for at, group in reversed(alone):
        grid, lines = desk.grid(group[0])
        sheets[at:at] = desk.in_grid(group, grid, lines)
    return [*sheets, *desk.on_shelves(together)]


def _of_one_size(items: Iterable[Item]) -> Iterable[list[Item]]:
    groups: dict[tuple[float, float, bool], list[Item]] = {}
    for item in items:
        face = item.front
        key = (round(face.width, 3), round(face.height, 3), face.outline is not None)
        groups.setdefault(key, []).append(item)
    return groups.values()


@dataclass(frozen=True)
class _Desk:
    """Paper, and how things may be laid on it."""

    paper: Paper
    layout: SheetsLayout
    stamp: float
    bleed: float
    fold_label: str

    def is_whole_page(self, item: Item) -> bool:
        sizes = sorted((item.front.width, item.front.height))
        wanted = (self.paper.width, self.paper.height)
        return all(abs(size - want) < 0.5 for size, want in zip(sizes, wanted, strict=True))

    def whole_pages(self, item: Item, backs: Backs) -> Iterable[Sheet]:
        """A page as it is: one that has a back is two sheets where no backs are printed."""
        if item.back is not None and backs in ("fold", "none"):
            yield from self.whole_pages(Item(item.name, item.front), backs)
            yield from self.whole_pages(Item(item.name, item.back), backs)
            return
        width, height, page = item.front.width, item.front.height, self.layout.page
        box = Box(0, 0, width, height)
        content = Box(page.sides, page.top, width - 2 * page.sides, height - page.top - page.bottom)
        lines = find_lines(width, height, content, [content], self.layout, self.stamp)
        yield Sheet(width, height, (Put(item, box, 0),), 0, self._sure(lines, item), whole=True)

    def grid(self, item: Item) -> tuple[Grid, Lines]:
        """The largest grid for a thing that leaves room for ruler and stamp."""
        face, bleed, spacing = item.front, *self._distances(item)
        width, height = self.paper.width, self.paper.height
        area = Box(0, 0, width, height).inset(max(self.layout.edge, bleed))
        for grid in grids(face.width, face.height, area, spacing):
            lines = self._lines(width, height, grid.places(), bleed, face.outline is None)
            if lines is not None:
                return grid, lines
        raise self._too_large(item)

    def in_grid(self, items: Sequence[Item], grid: Grid, lines: Lines) -> Iterable[Sheet]:
        """Things in a grid, on as many sheets as it takes."""
        for begin in range(0, len(items), grid.size):
            things = tuple(
                Put(item, grid.place(index), grid.turn)
                for index, item in enumerate(items[begin : begin + grid.size])
            )
            yield self._sheet(self.paper.width, self.paper.height, things, lines)

    def shares(self, item: Item) -> bool:
        """Whether a thing may lie on a sheet with others: those have wider margins."""
        return fits(item.front.width, item.front.height, self._shared_area)

    def on_shelves(self, items: Sequence[Item]) -> Iterable[Sheet]:
        """Unlike things on common sheets, each with its own marks."""
        width, height, marks = self.paper.width, self.paper.height, self.layout.marks
        bleed = max((self._distances(item)[0] for item in items), default=0)
        gap = 2 * bleed + marks.reach + marks.offset
        sizes = [(item.front.width, item.front.height) for item in items]
        for page in shelves(sizes, self._shared_area, max(gap, self.layout.cut.gap)):
            things = tuple(Put(items[one.index], one.box, one.turn) for one in page)
            around_each = [
                mark
                for put in things
                if put.item.front.outline is None
                for mark in grid_marks([put.box], bleed, self.layout)
            ]
            clear = clear_marks(around_each, _painted(things, bleed), width, height, self.layout)
            taken = [*_painted(things, bleed), *(mark.box for mark in clear)]
            content = around([put.box for put in things])
            lines = find_lines(width, height, content, taken, self.layout, self.stamp)
            lines = self._sure(lines, things[0].item)
            yield Sheet(width, height, things, bleed, lines, clear)

    def folded(self, items: Sequence[Item]) -> Iterable[Sheet]:
        """Fronts in one half of the page, backs in the other, or on sheets of their own."""
        item, layout = items[0], self.layout
        bleed, spacing = self._distances(item)
        pages = ((self.paper.height, self.paper.width), (self.paper.width, self.paper.height))
        found = [(size, grid) for size in pages for grid in self._half(item, *size, bleed, spacing)]
        for (width, height), grid in sorted(found, key=lambda one: -one[1].size):
            places = grid.places()
            both = [*places, *(Box(width - p.right, p.y, p.width, p.height) for p in places)]
            line = FoldLine(width / 2, layout.edge, height - layout.edge, self.fold_label, 0)
            lines = self._lines(width, height, both, bleed, item.front.outline is None, line)
            if lines is None:
                continue
            for begin in range(0, len(items), grid.size):
                things = tuple(
                    Put(one, grid.place(index), grid.turn)
                    for index, one in enumerate(items[begin : begin + grid.size])
                )
                label = FoldLine(line.x, line.top, line.bottom, line.label, places[0].centre[1])
                yield self._sheet(width, height, things, lines, label)
            return
        grid, lines = self.grid(item)
        for sides in ([Item(one.name, one.front) for one in items], _second_sides(items)):
            yield from self.in_grid(sides, grid, lines)

    def _half(
        self, item: Item, width: float, height: float, bleed: float, spacing: float
    ) -> list[Grid]:
        edge = max(self.layout.edge, bleed)
        area = Box(edge, edge, width / 2 - self.layout.fold.gap - bleed - edge, height - 2 * edge)
        return grids(item.front.width, item.front.height, area, spacing)

    def _distances(self, item: Item) -> tuple[float, float]:
        """How far a thing is painted beyond its edge, and the distance to the next one."""
        if item.front.outline is None:
            return self.bleed, 2 * self.bleed
        cut = self.layout.cut
        return max(self.bleed, cut.bleed), max(cut.gap, 2 * self.bleed)

    def _lines(
        self,
        width: float,
        height: float,
        places: Sequence[Box],
        bleed: float,
        marked: bool,
        fold: FoldLine | None = None,
    ) -> Lines | None:
        painted = [place.inset(-bleed) for place in places]
        marks = list(grid_marks(places, bleed, self.layout)) if marked else []
        taken = [*painted, *(mark.box for mark in marks), *([fold.box] if fold else [])]
        return find_lines(width, height, around(places), taken, self.layout, self.stamp)

    def _sheet(
        self,
        width: float,
        height: float,
        things: tuple[Put, ...],
        lines: Lines,
        fold: FoldLine | None = None,
    ) -> Sheet:
        bleed = self._distances(things[0].item)[0]
        marks: list[Mark] = []
        if things[0].item.front.outline is None:
            boxes = [put.box for put in things]
            marks = list(grid_marks(boxes, bleed, self.layout))
            if fold:
                marks += [Mark(width - m.x1, m.y1, width - m.x2, m.y2) for m in marks]
        clear = clear_marks(marks, _painted(things, bleed), width, height, self.layout)
        return Sheet(width, height, things, bleed, lines, clear, fold)

    @property
    def _shared_area(self) -> Box:
        page = self.layout.page
        width, height = self.paper.width, self.paper.height
        return Box(page.sides, page.top, width - 2 * page.sides, height - page.top - page.bottom)

    def _sure(self, lines: Lines | None, item: Item) -> Lines:
        if lines is None:
            raise self._too_large(item)
        return lines

    def _too_large(self, item: Item) -> CommandLineError:
        return CommandLineError(
            "print.too_large",
            name=item.name[:60],
            width=f"{item.front.width:g}",
            height=f"{item.front.height:g}",
            paper_width=f"{self.paper.width:g}",
            paper_height=f"{self.paper.height:g}",
        )


def _second_sides(items: Iterable[Item]) -> list[Item]:
    return [Item(item.name, item.back) for item in items if item.back is not None]


def _painted(things: Iterable[Put], bleed: float) -> list[Box]:
    return [put.box.inset(-bleed) for put in things]
