"""Imposition: which item lies on which sheet and where, and the pages, each back behind its
front.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from coatl_tools.errors import CommandLineError
from coatl_tools.printing.drawing.geometry import Box, Matrix, QuarterTurn, bounding_box
from coatl_tools.printing.items import Face, Item, check_bleed
from coatl_tools.printing.paper.crop_marks import (
    CropMark,
    FoldLine,
    MarginContent,
    MarginSlots,
    PrintedSide,
    StampText,
    clip_crop_marks,
    find_margin_slots,
    make_crop_marks,
)
from coatl_tools.printing.paper.packing import PlaceGrid, can_hold, list_grids, pack_shelves
from coatl_tools.printing.paper.papers import BackPrinting, CropMarksLayout, PaperSize, SheetsLayout
from coatl_tools.printing.paper.printer_profiles import PrinterProfile
from coatl_tools.printing.pdf_document import DuplexMode, Placement, PrintPage

_SHORTEST_VISIBLE_MARK = 1.0  # mm: a mark that is shorter is overlooked


@dataclass(frozen=True)
class PlacedItem:
    """An item on a sheet: where its front lies, and how it is turned."""

    item: Item
    box: Box
    turn: QuarterTurn

    @property
    def front(self) -> Placement:
        """The placement of its front on the page."""
        return Placement(self.item.front, self.box.x, self.box.y, self.turn)


@dataclass(frozen=True)
class ImposedSheet:
    """A sheet of paper with its items, as seen from the front."""

    width: float
    height: float
    items: tuple[PlacedItem, ...]
    bleed: float
    margin_slots: MarginSlots
    crop_marks: tuple[CropMark, ...] = ()
    fold: FoldLine | None = None
    is_whole_page: bool = False  # a page that is not cut

    @property
    def has_backs(self) -> bool:
        """Whether something is printed behind the fronts."""
        return self.fold is None and any(put.item.back for put in self.items)

    @property
    def name(self) -> str:
        """The names of the first and the last item on it."""
        first, last = (self.items[i].item for i in (0, -1))
        begin, end = first.title or first.name, last.title or last.name
        return begin if begin == end else f"{begin}–{end}"


def arrange_on_sheets(
    items: Sequence[Item],
    paper: PaperSize,
    layout: SheetsLayout,
    legend: StampText,
    backs: BackPrinting,
    bleed: float,
) -> list[ImposedSheet]:
    """Arrange items on sheets: grids of equal sizes, leftovers of all sizes together."""
    check_bleed(bleed)
    stamp = legend.measure_longest(layout, folded=backs == "fold")
    desk = _SheetArranger(paper, layout, stamp, bleed, legend.language.label("print_fold"))
    sheets: list[ImposedSheet] = []
    left_over: list[_LeftoverItems] = []
    for group in _group_by_size(items):
        if desk.is_whole_page(group[0]):
            sheets += chain.from_iterable(desk.whole_pages(item, backs) for item in group)
            continue
        fit = desk.find_grid(group[0], folded=backs == "fold" and any(item.back for item in group))
        if fit is None:  # too large to be folded: backs get sheets of their own
            fit = desk.require_grid(group[0])
            sheets += desk.place_in_grid([replace(one, back=None) for one in group], fit)
            sheets += desk.place_in_grid(
                [replace(one, front=one.back, back=None) for one in group if one.back], fit
            )
            continue
        full = len(group) // fit.grid.place_count * fit.grid.place_count
        sheets += desk.place_in_grid(group[:full], fit)
        if group[full:]:
            # a sheet by itself is filled from its middle, one of several like the others
            own = fit if full else desk.reduce_grid(fit, group)
            left_over.append(_LeftoverItems(len(sheets), group[full:], own))
    return _add_leftovers(sheets, left_over, desk)


@dataclass(frozen=True)
class _PageArea:
    """A page, and the part of it in which fronts may lie."""

    width: float
    height: float
    area: Box  # for a grid
    shared_area: Box  # for unlike things, with wider margins
    folded: bool

    def with_backs(self, boxes: Iterable[Box]) -> list[Box]:
        """Return the boxes of fronts and, on a folded page, those of their backs."""
        fronts = list(boxes)
        if not self.folded:
            return fronts
        return [*fronts, *(Box(self.width - b.right, b.y, b.width, b.height) for b in fronts)]


@dataclass(frozen=True)
class _GridFit:
    """A grid on a page that leaves room for ruler and stamp."""

    field: _PageArea
    grid: PlaceGrid
    lines: MarginSlots
    marks: CropMarksLayout


@dataclass(frozen=True)
class _LeftoverItems:
    """Items that do not fill a sheet, and the sheet index where they belong."""

    at: int
    items: list[Item]
    fit: _GridFit


def _add_leftovers(
    sheets: list[ImposedSheet], left_over: Sequence[_LeftoverItems], desk: _SheetArranger
) -> list[ImposedSheet]:
    shared: list[ImposedSheet] = []
    alone = list(left_over)
    for folded in (False, True):
        together = [
            one
            for one in left_over
            if one.fit.field.folded == folded and desk.can_share_sheet(one.items[0], folded)
        ]
        if len(together) > 1:
            alone = [one for one in alone if one not in together]
            shared += desk.place_on_shelves(
                [item for one in together for item in one.items], folded
            )
    for one in reversed(alone):
        sheets[one.at : one.at] = desk.place_in_grid(one.items, one.fit)
    return [*sheets, *shared]


def _group_by_size(items: Iterable[Item]) -> Iterable[list[Item]]:
    groups: dict[tuple[float, float, bool], list[Item]] = {}
    for item in items:
        face = item.front
        key = (round(face.width, 3), round(face.height, 3), face.outline is not None)
        groups.setdefault(key, []).append(item)
    return groups.values()


@dataclass(frozen=True)
class _SheetArranger:
    """The paper, and how items may be laid on it."""

    paper: PaperSize
    layout: SheetsLayout
    stamp: float
    bleed: float
    fold_label: str

    # whole pages

    def is_whole_page(self, item: Item) -> bool:
        sizes = sorted((item.front.width, item.front.height))
        wanted = (self.paper.width, self.paper.height)
        return all(abs(size - want) < 0.5 for size, want in zip(sizes, wanted, strict=True))

    def whole_pages(self, item: Item, backs: BackPrinting) -> Iterable[ImposedSheet]:
        """Yield the sheet of a page that is not cut; two if its back cannot be printed behind it.

        Raises CommandLineError if ruler and stamp have no room.
        """
        if item.back is not None and backs in ("fold", "none"):
            yield from self.whole_pages(replace(item, back=None), backs)
            yield from self.whole_pages(replace(item, front=item.back, back=None), backs)
            return
        width, height, page = item.front.width, item.front.height, self.layout.page
        box = Box(0, 0, width, height)
        content = Box(page.sides, page.top, width - 2 * page.sides, height - page.top - page.bottom)
        lines = find_margin_slots(width, height, content, [content], self.layout, self.stamp)
        if lines is None:
            raise self._make_too_large_error(item)
        yield ImposedSheet(width, height, (PlacedItem(item, box, 0),), 0, lines, is_whole_page=True)

    # grids

    def find_grid(self, item: Item, folded: bool) -> _GridFit | None:
        """Find the largest grid for an item; None if it is too large to be folded."""
        if not folded:
            return self.require_grid(item)
        return self._search_grid(item, folded)

    def require_grid(self, item: Item) -> _GridFit:
        """Find the largest grid for an item; raises CommandLineError if the paper is too small."""
        fit = self._search_grid(item, folded=False)
        if fit is None:
            raise self._make_too_large_error(item)
        return fit

    def _search_grid(self, item: Item, folded: bool) -> _GridFit | None:
        face, bleed, spacing = item.front, *self._distances(item)
        found = [
            (field, grid)
            for field in self._list_page_areas(bleed, folded)
            for grid in list_grids(face.width, face.height, field.area, spacing)
        ]
        largest_first = sorted(found, key=lambda one: -one[1].place_count)
        # without room for marks at every cut only if there is no other way
        for needed in (True, False):
            for field, grid in largest_first:
                for marks in (self.layout.marks, self.layout.marks.shorten):
                    places = grid.places()
                    if needed and not self._all_marked(field, places, item, marks):
                        continue
                    lines = self._find_grid_slots(field, places, item, marks)
                    if lines is not None:
                        return _GridFit(field, grid, lines, marks)
        return None

    def _all_marked(
        self, field: _PageArea, places: Sequence[Box], item: Item, marks: CropMarksLayout
    ) -> bool:
        """Tell whether every cut has a visible mark at one end at least."""
        if item.front.outline is not None:
            return True  # it has a line to cut along
        bleed = self._distances(item)[0]
        painted = [box.inset(-bleed) for box in field.with_backs(places)]
        drawn = list(make_crop_marks(places, bleed, marks))
        clear = clip_crop_marks(drawn, painted, field.width, field.height, self.layout)
        seen = {mark.cut for mark in clear if mark.length >= _SHORTEST_VISIBLE_MARK}
        return seen == {mark.cut for mark in drawn}

    def reduce_grid(self, fit: _GridFit, items: Sequence[Item]) -> _GridFit:
        """Return the grid with no more columns and rows than the items need."""
        columns = min(fit.grid.columns, len(items))
        grid = replace(fit.grid, columns=columns, rows=-(-len(items) // columns))
        lines = self._find_grid_slots(fit.field, grid.places(), items[0], fit.marks)
        return fit if lines is None else _GridFit(fit.field, grid, lines, fit.marks)

    def place_in_grid(self, items: Sequence[Item], fit: _GridFit) -> Iterable[ImposedSheet]:
        """Yield sheets with these items in a grid."""
        field, grid = fit.field, fit.grid
        for begin in range(0, len(items), grid.place_count):
            things = tuple(
                PlacedItem(item, grid.place(index), grid.turn)
                for index, item in enumerate(items[begin : begin + grid.place_count])
            )
            bleed = self._distances(things[0].item)[0]
            marks: list[CropMark] = []
            if things[0].item.front.outline is None:
                marks = list(make_crop_marks([put.box for put in things], bleed, fit.marks))
            yield self._make_sheet(field, things, bleed, marks, fit.lines)

    # shelves

    def can_share_sheet(self, item: Item, folded: bool) -> bool:
        """Tell whether an item is small enough to share a sheet with others."""
        field, *_ = self._list_page_areas(self._distances(item)[0], folded)
        return can_hold(item.front.width, item.front.height, field.shared_area)

    def place_on_shelves(self, items: Sequence[Item], folded: bool) -> Iterable[ImposedSheet]:
        """Yield sheets of items of different sizes, each with its own marks."""
        marks = self.layout.marks
        bleed = max(self._distances(item)[0] for item in items)
        field, *_ = self._list_page_areas(bleed, folded)
        gap = max(2 * bleed + marks.reach + marks.offset, self.layout.cut.gap)
        sizes = [(item.front.width, item.front.height) for item in items]
        for page in pack_shelves(sizes, field.shared_area, gap):
            things = tuple(PlacedItem(items[one.index], one.box, one.turn) for one in page)
            around_each = [
                mark
                for put in things
                if put.item.front.outline is None
                for mark in make_crop_marks([put.box], bleed, marks)
            ]
            yield self._make_sheet(field, things, bleed, around_each)

    # both

    def _list_page_areas(self, bleed: float, folded: bool) -> list[_PageArea]:
        """List the page areas: portrait or, if folded, the left half of landscape and portrait."""
        upright = (self.paper.width, self.paper.height)
        page, edge = self.layout.page, max(self.layout.edge, bleed)
        found = []
        for width, height in (upright[::-1], upright) if folded else (upright,):
            end = width / 2 - self.layout.fold.gap - bleed if folded else width
            right, far = (0.0, 0.0) if folded else (edge, page.sides)
            area = Box(edge, edge, end - edge - right, height - 2 * edge)
            tall = height - page.top - page.bottom
            shared = Box(page.sides, page.top, end - page.sides - far, tall)
            found.append(_PageArea(width, height, area, shared, folded))
        return found

    def _distances(self, item: Item) -> tuple[float, float]:
        """Return how far an item is painted beyond its edge, and the gap to the next, in mm."""
        if item.front.outline is None:
            return self.bleed, 2 * self.bleed
        cut = self.layout.cut
        return max(self.bleed, cut.bleed), max(cut.gap, 2 * self.bleed)

    def _find_grid_slots(
        self, field: _PageArea, places: Sequence[Box], item: Item, marks: CropMarksLayout
    ) -> MarginSlots | None:
        """Find slots for ruler and stamp around a whole grid."""
        bleed, both = self._distances(item)[0], field.with_backs(places)
        drawn = make_crop_marks(both, bleed, marks) if item.front.outline is None else ()
        return self._find_slots(field, both, bleed, [mark.box for mark in drawn])

    def _find_slots(
        self, field: _PageArea, boxes: Sequence[Box], bleed: float, marks: Iterable[Box]
    ) -> MarginSlots | None:
        taken = [*(box.inset(-bleed) for box in boxes), *marks]
        if field.folded:
            taken.append(self._make_fold_line(field, ()).box)
        width, height = field.width, field.height
        return find_margin_slots(width, height, bounding_box(boxes), taken, self.layout, self.stamp)

    def _make_sheet(
        self,
        field: _PageArea,
        things: tuple[PlacedItem, ...],
        bleed: float,
        marks: list[CropMark],
        lines: MarginSlots | None = None,
    ) -> ImposedSheet:
        boxes = field.with_backs(put.box for put in things)
        width, height = field.width, field.height
        if field.folded:
            marks = marks + [CropMark(width - m.x1, m.y1, width - m.x2, m.y2) for m in marks]
        painted = [box.inset(-bleed) for box in boxes]
        clear = clip_crop_marks(marks, painted, width, height, self.layout)
        lines = lines or self._find_slots(field, boxes, bleed, [mark.box for mark in clear])
        if lines is None:
            raise self._make_too_large_error(things[0].item)
        fold = self._make_fold_line(field, clear) if field.folded else None
        return ImposedSheet(width, height, things, bleed, lines, clear, fold)

    def _make_fold_line(self, field: _PageArea, marks: Sequence[CropMark]) -> FoldLine:
        """Make the fold line in the middle, its label clear of the crop marks."""
        x, edge = field.width / 2, self.layout.edge
        line = FoldLine(x, edge, field.height - edge, self.fold_label, field.height / 2)
        room = line.label_box(self.layout)
        for y in range(int(edge + room.height), int(field.height - edge - room.height)):
            moved = replace(line, label_y=float(y))
            if not any(mark.box.overlaps(moved.label_box(self.layout)) for mark in marks):
                return moved
        return line

    def _make_too_large_error(self, item: Item) -> CommandLineError:
        return CommandLineError(
            "print.too_large",
            name=item.name[:60],
            width=item.front.width,
            height=item.front.height,
            paper_width=self.paper.width,
            paper_height=self.paper.height,
        )


MirrorAxis = Literal["x", "y"]
_QUARTER_TURNS: dict[int, QuarterTurn] = {0: 0, 90: 90, 180: 180, 270: 270}


def impose_items(
    items: Sequence[Item],
    paper: PaperSize,
    layout: SheetsLayout,
    legend: StampText,
    backs: BackPrinting = "duplex-long",
    bleed: float = 0.0,
    profile: PrinterProfile | None = None,
) -> list[PrintPage]:
    """Arrange items on pages: fronts and, behind them, backs.

    Raises CommandLineError for an item that is larger than the paper, and for a bleed that is wider
    than what items are painted beyond their edges.
    """
    sheets = arrange_on_sheets(items, paper, layout, legend, backs, bleed)
    duplex = backs in ("duplex-long", "duplex-short") and any(sheet.has_backs for sheet in sheets)
    pages: list[PrintPage] = []
    for number, sheet in enumerate(sheets, 1):
        side: PrintedSide = "both" if sheet.fold else "front"
        pages.append(_make_front_page(sheet, layout, legend.format(number, len(sheets), side)))
        # a sheet without backs needs an empty one, or the next front would lie behind this one
        if duplex and (sheet.has_backs or number < len(sheets)):
            text = legend.format(number, len(sheets), "back")
            pages.append(_make_back_page(sheet, layout, text, backs, profile))
    return pages


def choose_duplex_mode(pages: Iterable[PrintPage], backs: BackPrinting) -> DuplexMode:
    """Choose how a printer should turn the sheets of a file."""
    if not any(page.side == "back" for page in pages):
        return "Simplex"
    return "DuplexFlipLongEdge" if backs == "duplex-long" else "DuplexFlipShortEdge"


# both sides


def choose_mirror_axis(width: float, height: float, backs: BackPrinting) -> MirrorAxis:
    """Choose which coordinate is mirrored when a sheet is turned over.

    Over its long edge, a portrait page turns like the page of a book, and a landscape page like one
    of a calendar; over its short edge it is the other way round.
    """
    return "x" if (backs == "duplex-long") == (width <= height) else "y"


def make_mirror_matrix(width: float, height: float, axis: MirrorAxis) -> Matrix:
    """Return the map from a point on one side of a sheet to the point behind it."""
    return Matrix(a=-1, e=width) if axis == "x" else Matrix(d=-1, f=height)


def place_back(
    front: Placement, back: Face, width: float, height: float, axis: MirrorAxis
) -> Placement:
    """Place the back of an item exactly behind its front, top behind top."""
    box = front.box
    if axis == "x":
        return Placement(back, width - box.right, box.y, _QUARTER_TURNS[-front.turn % 360])
    return Placement(back, box.x, height - box.bottom, _QUARTER_TURNS[(180 - front.turn) % 360])


def _make_front_page(sheet: ImposedSheet, layout: SheetsLayout, stamp: str) -> PrintPage:
    fronts = [put.front for put in sheet.items]
    cuts = tuple(
        front.face.outline.transform(front.matrix)
        for front in fronts
        if front.face.outline is not None
    )
    placements = fronts
    if sheet.fold:
        placements = [*fronts, *_place_backs(sheet, "x")]
    furniture = MarginContent(layout, sheet.margin_slots, stamp, sheet.crop_marks, cuts, sheet.fold)
    return PrintPage(
        sheet.width,
        sheet.height,
        tuple(placements),
        furniture.draw,
        sheet.bleed,
        bookmark=sheet.name,
    )


def _make_back_page(
    sheet: ImposedSheet,
    layout: SheetsLayout,
    stamp: str,
    backs: BackPrinting,
    profile: PrinterProfile | None,
) -> PrintPage:
    width, height = sheet.width, sheet.height
    axis = choose_mirror_axis(width, height, backs)
    over = make_mirror_matrix(width, height, axis)
    marks = tuple(
        CropMark(*over(mark.x1, mark.y1), *over(mark.x2, mark.y2)) for mark in sheet.crop_marks
    )
    placements = tuple(_place_backs(sheet, axis))
    lines = sheet.margin_slots
    if sheet.is_whole_page and placements and placements[0].turn == 180:
        # its margins are turned too
        lines = lines.turn_upside_down(width, height)
    furniture = MarginContent(layout, lines, stamp, marks if sheet.has_backs else ())
    return PrintPage(
        width,
        height,
        placements,
        furniture.draw,
        sheet.bleed,
        side="back",
        adjustment=profile.correction(width, height, over) if profile else Matrix(),
    )


def _place_backs(sheet: ImposedSheet, axis: MirrorAxis) -> Iterable[Placement]:
    for put in sheet.items:
        if put.item.back is not None:
            yield place_back(put.front, put.item.back, sheet.width, sheet.height, axis)
