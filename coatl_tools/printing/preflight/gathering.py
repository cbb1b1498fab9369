"""Marks as they are met in a content stream, made into arrays when all are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from coatl_tools.printing.drawing.geometry import Matrix
from coatl_tools.printing.preflight.painted import (
    AREA,
    LINE,
    NONE,
    Floats,
    Painted,
    together,
)
from coatl_tools.printing.preflight.tracing import Subpath

_SAMPLES = 7  # points of a curve; what lies between them is off by less than a hair
_T = np.linspace(0, 1, _SAMPLES)[:, None]
_WEIGHTS = np.hstack(((1 - _T) ** 3, 3 * _T * (1 - _T) ** 2, 3 * _T**2 * (1 - _T), _T**3))


@dataclass(frozen=True, slots=True)
class Place:
    """Where and as what something is painted."""

    matrix: Matrix
    clip: tuple[float, float, float, float]
    ground: bool = False
    frame: int = NONE


@dataclass
class Gathering:
    """Marks of one content stream, in the making."""

    parts: list[Painted] = field(default_factory=list)
    boxes: list[list[tuple[float, float]]] = field(default_factory=list)
    _lines: list[float] = field(default_factory=list)
    _line_marks: list[int] = field(default_factory=list)
    _curves: list[float] = field(default_factory=list)
    _curve_marks: list[int] = field(default_factory=list)
    _numbers: list[tuple[float, ...]] = field(default_factory=list)
    _facts: list[tuple[int, ...]] = field(default_factory=list)

    def area(self, subpaths: Sequence[Subpath], place: Place) -> None:
        """Filled outlines, each a mark."""
        if place.ground:
            return  # it may lie anywhere
        for subpath in subpaths:
            mark = self._mark(place, AREA, float("inf"))
            self._take(subpath, [mark] * subpath.lines_count, [mark] * subpath.curves_count)

    def line(self, subpaths: Sequence[Subpath], place: Place, width: float, flat: bool) -> None:
        """A line along outlines; each of its stretches is a mark."""
        m = place.matrix
        across = width / 2 * (m.a * m.a + m.c * m.c) ** 0.5
        upwards = width / 2 * (m.b * m.b + m.d * m.d) ** 0.5
        size = width * abs(m.a * m.d - m.b * m.c) ** 0.5
        for subpath in subpaths:
            pads = across, upwards
            if flat and subpath.is_one_line:  # it ends where it ends
                x0, y0, x1, y1 = subpath.lines
                (x0, y0), (x1, y1) = m(x0, y0), m(x1, y1)
                pads = (across if abs(y1 - y0) > 1e-6 else 0, upwards if abs(x1 - x0) > 1e-6 else 0)
            marks = [
                self._mark(place, LINE, size, pads)
                for _ in range(subpath.lines_count + subpath.curves_count)
            ]
            self._take(subpath, marks[: subpath.lines_count], marks[subpath.lines_count :])

    def _take(self, subpath: Subpath, lines: list[int], curves: list[int]) -> None:
        self._lines += subpath.lines
        self._line_marks += lines
        self._curves += subpath.curves
        self._curve_marks += curves

    def box(
        self,
        corners: tuple[float, float, float, float],
        place: Place,
        kind: int,
        size: float,
        label: int,
    ) -> None:
        """A rectangle, such as a text or a picture fills."""
        x0, y0, x1, y1 = corners
        mark = self._mark(place, kind, size, label=label)
        self._lines += (x0, y0, x1, y0, x1, y1, x0, y1)
        self._line_marks += (mark, mark)

    def _mark(
        self,
        place: Place,
        kind: int,
        size: float,
        pads: tuple[float, float] = (0, 0),
        label: int = NONE,
    ) -> int:
        m = place.matrix
        self._numbers.append((m.a, m.b, m.c, m.d, m.e, m.f, *place.clip, *pads, size))
        self._facts.append((kind, place.ground, place.frame, label))
        return len(self._facts) - 1

    def done(self) -> Painted:
        """All marks."""
        own = self._own()
        return together([own, *self.parts] if len(own) or len(own.boxes) else self.parts)

    def _own(self) -> Painted:
        boxes = np.array(self.boxes, np.float64).reshape(-1, 4, 2)
        if not self._facts:
            return Painted(**{**vars(Painted.nothing()), "boxes": boxes})
        lines = np.array(self._lines).reshape(-1, 2)
        curves = np.array(self._curves).reshape(-1, 4, 2)
        sampled: Floats = (_WEIGHTS @ curves).reshape(-1, 2)
        marks = np.concatenate(
            (np.repeat(self._line_marks, 2), np.repeat(self._curve_marks, _SAMPLES))
        ).astype(np.int64)
        order = np.argsort(marks, kind="stable")
        points = np.concatenate((lines, sampled))[order]
        numbers = np.array(self._numbers, np.float64)
        facts = np.array(self._facts, np.int64)
        of_mark = numbers[marks[order]]
        x, y = points[:, 0], points[:, 1]
        moved = (
            of_mark[:, 0] * x + of_mark[:, 2] * y + of_mark[:, 4],
            of_mark[:, 1] * x + of_mark[:, 3] * y + of_mark[:, 5],
        )
        return Painted(
            points=np.stack(moved, axis=1),
            counts=np.bincount(marks, minlength=len(facts)),
            pads=numbers[:, 10:12],
            clips=numbers[:, 6:10],
            sizes=numbers[:, 12],
            kinds=facts[:, 0],
            ground=facts[:, 1].astype(np.bool_),
            frames=facts[:, 2],
            labels=facts[:, 3],
            owners=np.full(len(facts), NONE),
            boxes=boxes,
        )
