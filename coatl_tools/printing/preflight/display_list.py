"""The display list of a page or form: everything that it paints, as arrays.

The same items can be moved and measured all at once. An item is an area, a stretch of a line, a
text or a picture. It keeps points whose hull encloses it, so that it can be turned without growing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from coatl_tools.printing.drawing.geometry import Matrix
from coatl_tools.printing.preflight.pdf_reader import PdfBox

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
AREA, LINE, TEXT, PICTURE, LINE_ART = range(5)  # kinds of items; the last two have pixels
NONE = -1
EVERYWHERE: PdfBox = (-1e9, -1e9, 1e9, 1e9)
_ITEM = np.dtype(
    [
        ("points", np.int64),  # how many points it has, at least one
        ("pad", np.float64, 2),  # half of a line's width around the points
        ("clip", np.float64, 4),  # the box outside of which it is not seen
        ("size", np.float64),  # of a text and of a line's width in points; of a picture its dpi
        ("kind", np.int64),
        ("background", np.bool_),
        ("text_box", np.int64),  # which of the text boxes a text was meant to fit, or NONE
        ("label", np.int64),  # which text or picture of the whole file it is, or NONE
        ("form", np.int64),  # which form of the page it belongs to, or NONE
    ]
)
PATH_OPERATORS = ("l", "c", "m", "h", "re", "v", "y")
_SAMPLES = 7  # points of a curve; what lies between them is off by less than a hair
_T = np.linspace(0, 1, _SAMPLES)[:, None]
_WEIGHTS = np.hstack(((1 - _T) ** 3, 3 * _T * (1 - _T) ** 2, 3 * _T**2 * (1 - _T), _T**3))


@dataclass(frozen=True, eq=False)
class DisplayList:
    """Items, with the points of all of them one after the other."""

    points: Floats  # (points, 2)
    items: NDArray[np.void]  # of the type _ITEM
    text_boxes: Floats  # (boxes, 4, 2): the corners of boxes that texts were meant to fit

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the points of each item begin."""
        counts = self.items["points"]
        return np.asarray(np.cumsum(counts) - counts)

    @cached_property
    def whole(self) -> Floats:
        """The box of each item before clipping: left, bottom, right, top."""
        if not len(self.items):
            return np.zeros((0, 4))
        low = np.minimum.reduceat(self.points, self.starts) - self.items["pad"]
        high = np.maximum.reduceat(self.points, self.starts) + self.items["pad"]
        return np.hstack((low, high))

    @cached_property
    def seen(self) -> Floats:
        """The visible box of each item."""
        whole, clip = self.whole, self.items["clip"]
        low, high = np.maximum(whole[:, :2], clip[:, :2]), np.minimum(whole[:, 2:], clip[:, 2:])
        return np.hstack((low, high))

    @cached_property
    def visible(self) -> Flags:
        """Whether any part of an item is visible."""
        return np.asarray((self.seen[:, :2] <= self.seen[:, 2:]).all(axis=1))

    def place(
        self, matrix: Matrix, clip: Sequence[float], background: bool, form: int | None
    ) -> DisplayList:
        """Return the items mapped and clipped, marked as background or as part of a form."""
        m = matrix
        linear, shift = np.array([[m.a, m.b], [m.c, m.d]]), np.array([m.e, m.f])
        scale = max(abs(m.a * m.d - m.b * m.c) ** 0.5, 1e-9)
        items = self.items.copy()
        clips, sizes = self.items["clip"], self.items["size"]
        x, y = clips[:, 0::2, None] * linear[0], clips[:, 1::2, None] * linear[1]
        items["clip"][:, :2] = np.maximum(x.min(axis=1) + y.min(axis=1) + shift, clip[:2])
        items["clip"][:, 2:] = np.minimum(x.max(axis=1) + y.max(axis=1) + shift, clip[2:])
        items["pad"] = np.sqrt(self.items["pad"] ** 2 @ linear**2)
        items["size"] = np.where(self.items["kind"] >= PICTURE, sizes / scale, sizes * scale)
        items["background"] |= background
        if form is not None:
            items["form"] = form
        return DisplayList(self.points @ linear + shift, items, self.text_boxes @ linear + shift)


EMPTY = DisplayList(np.zeros((0, 2)), np.zeros(0, _ITEM), np.zeros((0, 4, 2)))


def join_lists(parts: Sequence[DisplayList]) -> DisplayList:
    """Join the items of several lists."""
    if len(parts) < 2:
        return parts[0] if parts else EMPTY
    items = np.concatenate([part.items for part in parts])
    before = np.cumsum([0, *(len(part.text_boxes) for part in parts[:-1])])
    shift = np.repeat(before, [len(part.items) for part in parts])
    items["text_box"] += np.where(items["text_box"] == NONE, 0, shift)
    return DisplayList(
        np.concatenate([part.points for part in parts]),
        items,
        np.concatenate([part.text_boxes for part in parts]),
    )


@dataclass(slots=True)
class Subpath:
    """One outline: its lines as x0 y0 x1 y1 and its curves as eight numbers each, end to end."""

    lines: list[float] = field(default_factory=list)
    curves: list[float] = field(default_factory=list)
    closed: bool = False


class PathBuilder:
    """The current path of a content stream."""

    def __init__(self) -> None:
        self._subpaths: list[Subpath] = []
        self._start = self._at = (0.0, 0.0)

    @property
    def subpaths(self) -> list[Subpath]:
        """The outlines that have any length."""
        return [one for one in self._subpaths if one.lines or one.curves]

    def add(self, operator: str, v: list[float]) -> None:
        """Add a segment; pass over one with too few or too many numbers."""
        at = self._at
        match operator, len(v):
            case "l", 2:
                self._get_open().lines += (*at, *v)
            case "c", 6:
                self._get_open().curves += (*at, *v)
            case "m", 2:
                self._subpaths.append(Subpath())
                self._start = v[0], v[1]
            case "h", _:
                self.close()
                return
            case "re", 4:
                x, y, right, top = v[0], v[1], v[0] + v[2], v[1] + v[3]
                lines = [x, y, right, y, right, y, right, top, right, top, x, top, x, top, x, y]
                self._subpaths.append(Subpath(lines, [], closed=True))
                self._start = self._at = (x, y)
                return
            case "v", 4:
                self._get_open().curves += (*at, *at, *v)
            case "y", 4:
                self._get_open().curves += (*at, *v, *v[2:])
            case _:
                return
        self._at = v[-2], v[-1]

    def close(self) -> None:
        """Go back to where the outline began."""
        if self._subpaths:
            last = self._get_open()
            if self._at != self._start:
                last.lines += (*self._at, *self._start)
            last.closed = True
            self._at = self._start

    def _get_open(self) -> Subpath:
        if not self._subpaths or self._subpaths[-1].closed:
            self._subpaths.append(Subpath())
        return self._subpaths[-1]

    def measure(self, matrix: Matrix) -> PdfBox | None:
        """Measure the box around the mapped path, control points too; None if it is empty."""
        values = [value for one in self._subpaths for value in (*one.lines, *one.curves)]
        if not values:
            return None
        points = [matrix(x, y) for x, y in zip(values[::2], values[1::2], strict=True)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class ItemContext:
    """Where and as what an item is painted."""

    matrix: Matrix
    clip: PdfBox
    background: bool = False
    text_box: int = NONE


class DisplayListBuilder:
    """The items of one content stream as they are met; `parts` are the forms that it shows."""

    def __init__(self) -> None:
        self.parts: list[DisplayList] = []
        self._text_boxes: list[list[tuple[float, float]]] = []
        self._items: list[tuple[object, ...]] = []
        self._matrices: list[tuple[float, ...]] = []
        self._lines: list[float] = []
        self._line_items: list[int] = []  # the item of each line
        self._curves: list[float] = []
        self._curve_items: list[int] = []

    def add_areas(self, subpaths: Sequence[Subpath], context: ItemContext) -> None:
        """Add filled outlines, each as an item; those of a background may lie anywhere."""
        for subpath in () if context.background else subpaths:
            item = self._add_item(context, AREA, float("inf"))
            self._lines += subpath.lines
            self._line_items += [item] * (len(subpath.lines) // 4)
            self._curves += subpath.curves
            self._curve_items += [item] * (len(subpath.curves) // 8)

    def add_lines(
        self, subpaths: Sequence[Subpath], context: ItemContext, width: float, flat_ends: bool
    ) -> None:
        """Add a line of some width along outlines; each of its stretches is an item."""
        m = context.matrix
        across = width / 2 * (m.a * m.a + m.c * m.c) ** 0.5
        upwards = width / 2 * (m.b * m.b + m.d * m.d) ** 0.5
        size = width * abs(m.a * m.d - m.b * m.c) ** 0.5
        for subpath in subpaths:
            pad = across, upwards
            lines, curves = len(subpath.lines) // 4, len(subpath.curves) // 8
            if flat_ends and lines == 1 and not curves and not subpath.closed:
                x0, y0, x1, y1 = subpath.lines
                (x0, y0), (x1, y1) = m(x0, y0), m(x1, y1)
                pad = (across if abs(y1 - y0) > 1e-6 else 0, upwards if abs(x1 - x0) > 1e-6 else 0)
            items = [self._add_item(context, LINE, size, pad) for _ in range(lines + curves)]
            self._lines += subpath.lines
            self._line_items += items[:lines]
            self._curves += subpath.curves
            self._curve_items += items[lines:]

    def add_rectangle(
        self, corners: PdfBox, context: ItemContext, kind: int, size: float, label: int
    ) -> None:
        """Add a rectangle, such as a text or a picture fills."""
        x0, y0, x1, y1 = corners
        item = self._add_item(context, kind, size, label=label)
        self._lines += (x0, y0, x1, y0, x1, y1, x0, y1)
        self._line_items += (item, item)

    def add_text_box(self, box: PdfBox, matrix: Matrix) -> int:
        """Add a box that texts are meant to fit; return its number."""
        x0, y0, x1, y1 = box
        self._text_boxes.append([matrix(x0, y0), matrix(x1, y0), matrix(x1, y1), matrix(x0, y1)])
        return len(self._text_boxes) - 1

    def _add_item(
        self,
        context: ItemContext,
        kind: int,
        size: float,
        pad: tuple[float, float] = (0, 0),
        label: int = NONE,
    ) -> int:
        m, background, text_box = context.matrix, context.background, context.text_box
        self._matrices.append((m.a, m.b, m.c, m.d, m.e, m.f))
        self._items.append((0, pad, context.clip, size, kind, background, text_box, label, NONE))
        return len(self._items) - 1

    def build(self) -> DisplayList:
        """Make arrays of all items; the stream's own come before those of its forms."""
        own = self._build_own()
        return join_lists(
            [own, *self.parts] if len(own.items) or len(own.text_boxes) else self.parts
        )

    def _build_own(self) -> DisplayList:
        text_boxes = np.array(self._text_boxes, np.float64).reshape(-1, 4, 2)
        if not self._items:
            return DisplayList(EMPTY.points, EMPTY.items, text_boxes)
        curves: Floats = (_WEIGHTS @ np.array(self._curves).reshape(-1, 4, 2)).reshape(-1, 2)
        points = np.concatenate((np.array(self._lines).reshape(-1, 2), curves))
        owners = np.concatenate(
            (np.repeat(self._line_items, 2), np.repeat(self._curve_items, _SAMPLES))
        ).astype(np.int64)
        order = np.argsort(owners, kind="stable")
        x, y = points[order].T
        a, b, c, d, e, f = np.array(self._matrices, np.float64)[owners[order]].T
        items = np.array(self._items, _ITEM)
        items["points"] = np.bincount(owners, minlength=len(items))
        return DisplayList(
            np.stack((a * x + c * y + e, b * x + d * y + f), axis=1), items, text_boxes
        )
