"""Which thing lies on which sheet, and where: grids, shelves, folded sheets and whole pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from coatl_tools.errors import CommandLineError
from coatl_tools.printing.component import Item, check_bleed
from coatl_tools.printing.document import Placement
from coatl_tools.printing.drawing.boxes import Box, Turn, around
from coatl_tools.printing.paper.furniture import (
    FoldLine,
    Legend,
    Lines,
    Mark,
    clear_marks,
    find_lines,
    grid_marks,
)
from coatl_tools.printing.paper.packing import Grid, fits, grids, shelves
from coatl_tools.printing.paper.papers import Backs, Marks, Paper, SheetsLayout

_SEEN = 1.0  # mm: a mark that is shorter is overlooked


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
        first, last = (self.things[i].item for i in (0, -1))
        begin, end = first.title or first.name, last.title or last.name
        return begin if begin == end else f"{begin}–{end}"


def arrange(
    items: Sequence[Item],
    paper: Paper,
    layout: SheetsLayout,
    legend: Legend,
    backs: Backs,
    bleed: float,
) -> list[Sheet]:
    """Things on sheets: each kind of equal size in grids; what is left over of several together."""
    check_bleed(bleed)
    stamp = legend.width(layout, folded=backs == "fold")
    desk = _Desk(paper, layout, stamp, bleed, legend.language.label("print_fold"))
    sheets: list[Sheet] = []
    left_over: list[_LeftOver] = []
    for group in _of_one_size(items):
        if desk.is_whole_page(group[0]):
            sheets += chain.from_iterable(desk.whole_pages(item, backs) for item in group)
            continue
        fit = desk.fit(group[0], folded=backs == "fold" and any(item.back for item in group))
        if fit is None:  # too large to be folded: backs get sheets of their own
            fit = desk.sure_fit(group[0])
            sheets += desk.in_grid([replace(one, back=None) for one in group], fit)
            sheets += desk.in_grid(
                [replace(one, front=one.back, back=None) for one in group if one.back], fit
            )
            continue
        full = len(group) // fit.grid.size * fit.grid.size
        sheets += desk.in_grid(group[:full], fit)
        if group[full:]:
            # a sheet by itself is filled from its middle, one of several like the others
            own = fit if full else desk.reduced(fit, group)
            left_over.append(_LeftOver(len(sheets), group[full:], own))
    return _with_left_over(sheets, left_over, desk)


@dataclass(frozen=True)
class _Field:
    """A page, and the part of it in which fronts may lie."""

    width: float
    height: float
    area: Box  # for a grid
    shared: Box  # for unlike things, with wider margins
    folded: bool

    def both(self, boxes: Iterable[Box]) -> list[Box]:
        """The places of fronts, and on a folded page those of their backs."""
        fronts = list(boxes)
        if not self.folded:
            return fronts
        return [*fronts, *(Box(self.width - b.right, b.y, b.width, b.height) for b in fronts)]


@dataclass(frozen=True)
class _Fit:
    """A grid on a page that leaves room for ruler and stamp."""

    field: _Field
    grid: Grid
    lines: Lines
    marks: Marks


@dataclass(frozen=True)
class _LeftOver:
    """Things that fill no sheet, and where among the sheets they would come."""

    at: int
    items: list[Item]
    fit: _Fit


def _with_left_over(
    sheets: list[Sheet], left_over: Sequence[_LeftOver], desk: _Desk
) -> list[Sheet]:
    shared: list[Sheet] = []
    alone = list(left_over)
    for folded in (False, True):
        together = [
            one
            for one in left_over
            if one.fit.field.folded == folded and desk.shares(one.items[0], folded)
        ]
        if len(together) > 1:
            alone = [one for one in alone if one not in together]
            shared += desk.on_shelves([item for one in together for item in one.items], folded)
    for one in reversed(alone):
        sheets[one.at : one.at] = desk.in_grid(one.items, one.fit)
    return [*sheets, *shared]


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

    # whole pages

    def is_whole_page(self, item: Item) -> bool:
        sizes = sorted((item.front.width, item.front.height))
        wanted = (self.paper.width, self.paper.height)
        return all(abs(size - want) < 0.5 for size, want in zip(sizes, wanted, strict=True))

    def whole_pages(self, item: Item, backs: Backs) -> Iterable[Sheet]:
        """A page as it is: one that has a back is two sheets where no backs are printed."""
        if item.back is not None and backs in ("fold", "none"):
            yield from self.whole_pages(replace(item, back=None), backs)
            yield from self.whole_pages(replace(item, front=item.back, back=None), backs)
            return
        width, height, page = item.front.width, item.front.height, self.layout.page
        box = Box(0, 0, width, height)
        content = Box(page.sides, page.top, width - 2 * page.sides, height - page.top - page.bottom)
        lines = find_lines(width, height, content, [content], self.layout, self.stamp)
        if lines is None:
            raise self._too_large(item)
        yield Sheet(width, height, (Put(item, box, 0),), 0, lines, whole=True)

    # grids

    def fit(self, item: Item, folded: bool) -> _Fit | None:
        """The largest grid for a thing; None if it cannot be folded."""
        if not folded:
            return self.sure_fit(item)
        return self._fit(item, folded)

    def sure_fit(self, item: Item) -> _Fit:
        """The largest grid for a thing; raises CommandLineError if the paper is too small."""
        fit = self._fit(item, folded=False)
        if fit is None:
            raise self._too_large(item)
        return fit

    def _fit(self, item: Item, folded: bool) -> _Fit | None:
        face, bleed, spacing = item.front, *self._distances(item)
        found = [
            (field, grid)
            for field in self._fields(bleed, folded)
            for grid in grids(face.width, face.height, field.area, spacing)
        ]
        largest_first = sorted(found, key=lambda one: -one[1].size)
        # without room for marks at every cut only if there is no other way
        for needed in (True, False):
            for field, grid in largest_first:
                for marks in (self.layout.marks, self.layout.marks.shortened):
                    places = grid.places()
                    if needed and not self._all_marked(field, places, item, marks):
                        continue
                    lines = self._lines(field, places, item, marks)
                    if lines is not None:
                        return _Fit(field, grid, lines, marks)
        return None

    def _all_marked(self, field: _Field, places: Sequence[Box], item: Item, marks: Marks) -> bool:
        """Whether every cut has a mark that can be seen, at one of its ends at least."""
        if item.front.outline is not None:
            return True  # it has a line to cut along
        bleed = self._distances(item)[0]
        painted = [box.inset(-bleed) for box in field.both(places)]
        drawn = list(grid_marks(places, bleed, marks))
        clear = clear_marks(drawn, painted, field.width, field.height, self.layout)
        seen = {mark.cut for mark in clear if mark.length >= _SEEN}
        return seen == {mark.cut for mark in drawn}

    def reduced(self, fit: _Fit, items: Sequence[Item]) -> _Fit:
        """The same with no more columns and rows than things need."""
        columns = min(fit.grid.columns, len(items))
        grid = replace(fit.grid, columns=columns, rows=-(-len(items) // columns))
        lines = self._lines(fit.field, grid.places(), items[0], fit.marks)
        return fit if lines is None else _Fit(fit.field, grid, lines, fit.marks)

    def in_grid(self, items: Sequence[Item], fit: _Fit) -> Iterable[Sheet]:
        """Things in a grid, on as many sheets as it takes."""
        field, grid = fit.field, fit.grid
        for begin in range(0, len(items), grid.size):
            things = tuple(
                Put(item, grid.place(index), grid.turn)
                for index, item in enumerate(items[begin : begin + grid.size])
            )
            bleed = self._distances(things[0].item)[0]
            marks: list[Mark] = []
            if things[0].item.front.outline is None:
                marks = list(grid_marks([put.box for put in things], bleed, fit.marks))
            yield self._sheet(field, things, bleed, marks, fit.lines)

    # shelves

    def shares(self, item: Item, folded: bool) -> bool:
        """Whether a thing may lie on a sheet with others."""
        field, *_ = self._fields(self._distances(item)[0], folded)
        return fits(item.front.width, item.front.height, field.shared)

    def on_shelves(self, items: Sequence[Item], folded: bool) -> Iterable[Sheet]:
        """Unlike things on common sheets, each with its own marks."""
        marks = self.layout.marks
        bleed = max(self._distances(item)[0] for item in items)
        field, *_ = self._fields(bleed, folded)
        gap = max(2 * bleed + marks.reach + marks.offset, self.layout.cut.gap)
        sizes = [(item.front.width, item.front.height) for item in items]
        for page in shelves(sizes, field.shared, gap):
            things = tuple(Put(items[one.index], one.box, one.turn) for one in page)
            around_each = [
                mark
                for put in things
                if put.item.front.outline is None
                for mark in grid_marks([put.box], bleed, marks)
            ]
            yield self._sheet(field, things, bleed, around_each)

    # both

    def _fields(self, bleed: float, folded: bool) -> list[_Field]:
        """The pages that things may lie on: upright, or the left half of a wide or upright one."""
        upright = (self.paper.width, self.paper.height)
        page, edge = self.layout.page, max(self.layout.edge, bleed)
        found = []
        for width, height in (upright[::-1], upright) if folded else (upright,):
            end = width / 2 - self.layout.fold.gap - bleed if folded else width
            right, far = (0.0, 0.0) if folded else (edge, page.sides)
            area = Box(edge, edge, end - edge - right, height - 2 * edge)
            tall = height - page.top - page.bottom
            shared = Box(page.sides, page.top, end - page.sides - far, tall)
            found.append(_Field(width, height, area, shared, folded))
        return found

    def _distances(self, item: Item) -> tuple[float, float]:
        """How far a thing is painted beyond its edge, and the distance to the next one."""
        if item.front.outline is None:
            return self.bleed, 2 * self.bleed
        cut = self.layout.cut
        return max(self.bleed, cut.bleed), max(cut.gap, 2 * self.bleed)

    def _lines(
        self, field: _Field, places: Sequence[Box], item: Item, marks: Marks
    ) -> Lines | None:
        """Room for ruler and stamp around a whole grid."""
        bleed, both = self._distances(item)[0], field.both(places)
        drawn = grid_marks(both, bleed, marks) if item.front.outline is None else ()
        return self._find(field, both, bleed, [mark.box for mark in drawn])

    def _find(
        self, field: _Field, boxes: Sequence[Box], bleed: float, marks: Iterable[Box]
    ) -> Lines | None:
        taken = [*(box.inset(-bleed) for box in boxes), *marks]
        if field.folded:
            taken.append(self._fold(field, ()).box)
        width, height = field.width, field.height
        return find_lines(width, height, around(boxes), taken, self.layout, self.stamp)

    def _sheet(
        self,
        field: _Field,
        things: tuple[Put, ...],
        bleed: float,
        marks: list[Mark],
        lines: Lines | None = None,
    ) -> Sheet:
        boxes, width, height = field.both(put.box for put in things), field.width, field.height
        if field.folded:
            marks = marks + [Mark(width - m.x1, m.y1, width - m.x2, m.y2) for m in marks]
        painted = [box.inset(-bleed) for box in boxes]
        clear = clear_marks(marks, painted, width, height, self.layout)
        lines = lines or self._find(field, boxes, bleed, [mark.box for mark in clear])
        if lines is None:
            raise self._too_large(things[0].item)
        fold = self._fold(field, clear) if field.folded else None
        return Sheet(width, height, things, bleed, lines, clear, fold)

    def _fold(self, field: _Field, marks: Sequence[Mark]) -> FoldLine:
        """The line in the middle; its label stands where no marks are."""
        x, edge = field.width / 2, self.layout.edge
        line = FoldLine(x, edge, field.height - edge, self.fold_label, field.height / 2)
        room = line.label_box(self.layout)
        for y in range(int(edge + room.height), int(field.height - edge - room.height)):
            moved = replace(line, label_y=float(y))
            if not any(mark.box.meets(moved.label_box(self.layout)) for mark in marks):
                return moved
        return line

    def _too_large(self, item: Item) -> CommandLineError:
        return CommandLineError(
            "print.too_large",
            name=item.name[:60],
            width=f"{item.front.width:g}",
            height=f"{item.front.height:g}",
            paper_width=f"{self.paper.width:g}",
            paper_height=f"{self.paper.height:g}",
        )
