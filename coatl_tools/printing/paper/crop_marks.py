"""What stands around the items on a sheet: crop marks, cut lines, the fold line, ruler and
stamp.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from coatl_tools._version import __version__
from coatl_tools.language import Language
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    POINTS_PER_MM,
    Box,
    Path,
    QuarterTurn,
    bounding_box,
    polyline,
)
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.paper.papers import CropMarksLayout, RulerLayout, SheetsLayout

PrintedSide = Literal["front", "back", "both"]
_SIDE_LABELS = {"front": "print_front", "back": "print_back", "both": "print_both_sides"}
_TOUCH_TOLERANCE = 0.001  # mm by which boxes that only touch may overlap
_CLEARANCE = 0.2  # mm between text and marks or items
_FOLD_LABEL_GAP = 0.9  # from the line to fold at to its label
_RULER_TEXT_GAP = 1.2  # between the ruler and its words


@dataclass(frozen=True, slots=True)
class CropMark:
    """A short line from one point to another."""

    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def box(self) -> Box:
        """Its bounding box."""
        return bounding_box([Box(self.x1, self.y1, 0, 0), Box(self.x2, self.y2, 0, 0)])

    @property
    def length(self) -> float:
        """Its length, in millimetres."""
        return abs(self.x2 - self.x1) + abs(self.y2 - self.y1)

    @property
    def cut(self) -> tuple[str, float]:
        """The cut that it marks: its axis and position."""
        return ("x", self.x1) if self.x1 == self.x2 else ("y", self.y1)


@dataclass(frozen=True)
class StampText:
    """The texts of the stamps in one file."""

    language: Language
    component: str

    def format(self, sheet: int, sheets: int, side: PrintedSide) -> str:
        """Format the stamp of one side of one sheet."""
        return self.language.label(
            "print_stamp",
            sheet,
            component=self.component,
            language=self.language.label("print_language"),
            total=sheets,
            side=self.language.label(_SIDE_LABELS[side]),
            version=__version__,
        )

    def measure_longest(self, layout: SheetsLayout, folded: bool) -> float:
        """Measure the longest stamp that this file can have, in millimetres."""
        sides: tuple[PrintedSide, ...] = ("both", "front") if folded else ("front", "back")
        return max(make_stamp_style(layout).measure(self.format(88, 88, side)) for side in sides)


@dataclass(frozen=True, slots=True)
class MarginSlot:
    """A place for a line of text, and its direction: 0, 90 (downwards) or 270 (upwards)."""

    box: Box
    turn: QuarterTurn = 0

    @property
    def size(self) -> tuple[float, float]:
        """Its length along the text, and its thickness."""
        width, height = self.box.width, self.box.height
        return (height, width) if self.turn in (90, 270) else (width, height)

    def draw_in(self, surface: Surface) -> AbstractContextManager[Surface]:
        """Draw from its top left corner, as whoever reads the line sees it."""
        return surface.transformed(self.box.fill_matrix(self.turn))

    def turn_upside_down(self, width: float, height: float) -> MarginSlot:
        """Return the slot for a page that is turned by 180 degrees."""
        turn: dict[QuarterTurn, QuarterTurn] = {0: 180, 90: 270, 180: 0, 270: 90}
        left, top = width - self.box.right, height - self.box.bottom
        return MarginSlot(Box(left, top, self.box.width, self.box.height), turn[self.turn])


@dataclass(frozen=True, slots=True)
class MarginSlots:
    """Where ruler and stamp stand."""

    ruler: MarginSlot
    stamp: MarginSlot

    def turn_upside_down(self, width: float, height: float) -> MarginSlots:
        """Return the slots for a page that is turned by 180 degrees."""
        return MarginSlots(
            self.ruler.turn_upside_down(width, height), self.stamp.turn_upside_down(width, height)
        )


@dataclass(frozen=True)
class MarginContent:
    """Everything around the items on one side of a sheet."""

    layout: SheetsLayout
    lines: MarginSlots
    stamp: str
    marks: tuple[CropMark, ...] = ()
    cut_paths: tuple[Path, ...] = ()
    fold: FoldLine | None = None

    def draw(self, surface: Surface) -> None:
        """Draw crop marks, lines, ruler and stamp on a page."""
        layout = self.layout
        with surface.background():  # a cut line lies on the edge itself
            for cut in self.cut_paths:
                surface.stroke(cut, layout.cut.light, layout.cut.line)
                surface.stroke(cut, layout.cut.ink, layout.cut.line, (layout.cut.dash,) * 2)
        if self.marks:
            lines = (polyline((mark.x1, mark.y1), (mark.x2, mark.y2)) for mark in self.marks)
            surface.stroke(sum(lines, Path()), layout.marks.ink, layout.marks.line)
        if self.fold is not None:
            self.fold.draw(surface, layout)
        ruler, stamp = self.lines.ruler, self.lines.stamp
        with ruler.draw_in(surface):
            draw_ruler(surface, layout.ruler)
        type_ = make_stamp_style(layout)
        long, thick = stamp.size
        with stamp.draw_in(surface), surface.text_box(Box(0, 0, long, thick)):
            base = (thick + type_.cap_height) / 2
            if ruler.turn == stamp.turn:  # on the same edge it ends with the content
                surface.draw_text(long, base, self.stamp, type_, "right")
            else:
                surface.draw_text(0, base, self.stamp, type_)


@dataclass(frozen=True, slots=True)
class FoldLine:
    """A vertical fold line, and the position of its label."""

    x: float
    top: float
    bottom: float
    label: str
    label_y: float

    def draw(self, surface: Surface, layout: SheetsLayout) -> None:
        """Draw the line, dashed, with its label beside it."""
        fold = layout.fold
        line = polyline((self.x, self.top), (self.x, self.bottom))
        dash, gap = fold.dash
        surface.stroke(line, fold.ink, fold.line, (dash, gap))
        type_ = FontStyle(fonts.SEMIBOLD, fold.type, fold.ink)
        with surface.at_origin(self.x + _FOLD_LABEL_GAP, self.label_y, 90):
            surface.draw_text(0, -type_.size * 0.25 / POINTS_PER_MM, self.label, type_, "centre")

    def label_box(self, layout: SheetsLayout) -> Box:
        """Return the box of the label, with some space at both sides of the line."""
        type_ = FontStyle(fonts.SEMIBOLD, layout.fold.type)
        wide, tall = measure_line_height(type_.size) + 1, type_.measure(self.label) + 2
        return Box(self.x - wide, self.label_y - tall / 2, 2 * wide, tall)

    @property
    def box(self) -> Box:
        """The box that nothing else should enter."""
        return Box(self.x - 1, self.top, 2, self.bottom - self.top)


def make_stamp_style(layout: SheetsLayout) -> FontStyle:
    """Return the type of stamps."""
    return FontStyle(fonts.REGULAR, layout.stamp.type, layout.stamp.ink)


def make_crop_marks(
    boxes: Sequence[Box], bleed: float, marks: CropMarksLayout
) -> Iterator[CropMark]:
    """Make the marks around a grid of items: one at each end of each cut."""
    whole = bounding_box(boxes)
    near, far = bleed + marks.offset, bleed + marks.reach
    for x in sorted({round(edge, 6) for box in boxes for edge in (box.x, box.right)}):
        yield CropMark(x, whole.y - near, x, whole.y - far)
        yield CropMark(x, whole.bottom + near, x, whole.bottom + far)
    for y in sorted({round(edge, 6) for box in boxes for edge in (box.y, box.bottom)}):
        yield CropMark(whole.x - near, y, whole.x - far, y)
        yield CropMark(whole.right + near, y, whole.right + far, y)


def clip_crop_marks(
    marks: Iterable[CropMark],
    things: Sequence[Box],
    width: float,
    height: float,
    layout: SheetsLayout,
) -> tuple[CropMark, ...]:
    """Keep the marks that touch no item, shortened to the printable area."""
    edge = layout.marks.edge
    shorter = (
        CropMark(
            mark.x1,
            mark.y1,
            min(max(mark.x2, edge), width - edge),
            min(max(mark.y2, edge), height - edge),
        )
        for mark in marks
        if edge <= mark.x1 <= width - edge and edge <= mark.y1 <= height - edge
    )
    return tuple(
        mark
        for mark in shorter
        if not any(mark.box.inset(-0.002).overlaps(thing, _TOUCH_TOLERANCE) for thing in things)
    )


def draw_ruler(surface: Surface, ruler: RulerLayout) -> None:
    """Draw the ruler and its text, from its left end."""
    type_ = FontStyle(fonts.SEMIBOLD, ruler.type, ruler.ink)
    start, thick = type_.measure("0") + _RULER_TEXT_GAP, measure_line_height(ruler.type)
    base, middle = (thick + ruler.long) / 2, (thick + type_.cap_height) / 2
    ticks = [polyline((start, base), (start + ruler.length, base))]
    for i in range(round(ruler.length / ruler.step) + 1):
        tall = ruler.short if i % 2 else ruler.long
        x = start + min(i * ruler.step, ruler.length)
        ticks.append(polyline((x, base), (x, base - tall)))
    surface.stroke(sum(ticks, Path()), ruler.ink, ruler.line)
    surface.draw_text(0, middle, "0", type_)
    surface.draw_text(start + ruler.length + _RULER_TEXT_GAP, middle, f"{ruler.length:g} mm", type_)


def measure_ruler(ruler: RulerLayout) -> tuple[float, float]:
    """Measure the length and the thickness of the ruler with its text, in mm."""
    type_ = FontStyle(fonts.SEMIBOLD, ruler.type)
    words = type_.measure("0") + type_.measure(f"{ruler.length:g} mm")
    return ruler.length + words + 2 * _RULER_TEXT_GAP, max(
        measure_line_height(ruler.type), ruler.long
    )


def measure_line_height(points: float) -> float:
    """Measure the height of a line of text, in mm, from accents to descenders."""
    return points * 1.2 / POINTS_PER_MM


def find_margin_slots(
    width: float,
    height: float,
    content: Box,
    taken: Sequence[Box],
    layout: SheetsLayout,
    stamp: float,
) -> MarginSlots | None:
    """Find slots for ruler and stamp in the widest margin; None if they do not fit.

    `stamp` is the length of the stamp, in millimetres.
    """
    margins = _list_margins(width, height, content, layout)
    taken = [box.inset(-_CLEARANCE) for box in taken]
    long, thick = measure_ruler(layout.ruler)
    for margin in margins:
        for ruler in margin.list_slots(long, thick, "start"):
            if any(ruler.box.overlaps(box, _TOUCH_TOLERANCE) for box in taken):
                continue
            others = [*taken, ruler.box.inset(-layout.stamp.gap, -_CLEARANCE)]
            if ruler.turn:
                others[-1] = ruler.box.inset(-_CLEARANCE, -layout.stamp.gap)
            for second in (margin, *(m for m in margins if m is not margin)):
                for line in second.list_slots(stamp, measure_line_height(layout.stamp.type), "end"):
                    if not any(line.box.overlaps(box, _TOUCH_TOLERANCE) for box in others):
                        return MarginSlots(ruler, line)
    return None


@dataclass(frozen=True, slots=True)
class _PageMargin:
    """A strip of paper beside the content; lines are tried from its middle outwards."""

    side: Literal["bottom", "top", "left", "right"]
    room: float  # from the edge of the paper to the content
    begin: float  # where lines should begin and end, along the strip
    end: float
    page_length: float  # of the page, along the strip
    page_depth: float  # of the page, across it
    layout: SheetsLayout

    def list_slots(
        self, long: float, thick: float, align: Literal["start", "end"]
    ) -> Iterator[MarginSlot]:
        edge, reach = self.layout.edge, self.layout.marks.reach
        low, high = edge, self.page_length - edge - long
        if high < low:
            return
        depths = [edge + i * (thick + 2 * _CLEARANCE) for i in range(3)]
        if (middle := (edge + self.room - reach - thick) / 2) > edge:
            depths.insert(0, min(middle, self.layout.page.bottom / 2))
        wished = self.begin if align == "start" else self.end - long
        steps = [low + i for i in range(int(high - low) + 1)] + [high]
        if align == "end":
            steps.reverse()
        for depth in depths:
            if depth + thick > self.room:
                break
            for along in (min(max(wished, low), high), *steps):
                yield self._line(along, depth, long, thick)

    def _line(self, along: float, depth: float, long: float, thick: float) -> MarginSlot:
        far = self.page_depth - depth - thick
        match self.side:
            case "bottom":
                return MarginSlot(Box(along, far, long, thick))
            case "top":
                return MarginSlot(Box(along, depth, long, thick))
            case "left":  # it reads upwards
                return MarginSlot(Box(depth, self.page_length - along - long, thick, long), 270)
            case "right":
                return MarginSlot(Box(far, along, thick, long), 90)


def _list_margins(
    width: float, height: float, content: Box, layout: SheetsLayout
) -> list[_PageMargin]:
    sides, ends = layout.page.sides, layout.page.top
    left, right = min(content.x, sides), max(content.right, width - sides)
    top, bottom = min(content.y, ends), max(content.bottom, height - ends)
    across = (left, right, width, height, layout)
    down = (top, bottom, height, width, layout)
    up = (height - bottom, height - top, height, width, layout)
    found = [
        _PageMargin("bottom", height - content.bottom, *across),
        _PageMargin("top", content.y, *across),
        _PageMargin("left", content.x, *up),
        _PageMargin("right", width - content.right, *down),
    ]
    return sorted(found, key=lambda margin: -round(margin.room, 3))
