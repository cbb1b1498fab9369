"""The current path of a content stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from coatl_tools.printing.drawing.geometry import Matrix
from coatl_tools.printing.preflight.tokens import number

_SEGMENTS = (b"m", b"l", b"c", b"h", b"re", b"v", b"y")


@dataclass(slots=True)
class Subpath:
    """One outline: its lines as x0 y0 x1 y1 and its curves as eight numbers each, end to end."""

    lines: list[float] = field(default_factory=list)
    curves: list[float] = field(default_factory=list)
    closed: bool = False

    @property
    def lines_count(self) -> int:
        """How many lines there are."""
        return len(self.lines) // 4

    @property
    def curves_count(self) -> int:
        """How many curves there are."""
        return len(self.curves) // 8

    @property
    def is_one_line(self) -> bool:
        """Whether it is a straight line with two ends."""
        return len(self.lines) == 4 and not self.curves and not self.closed


class Tracing:
    """A path in the making."""

    def __init__(self) -> None:
        self._subpaths: list[Subpath] = []
        self._start = self._at = (0.0, 0.0)

    @property
    def subpaths(self) -> list[Subpath]:
        """The outlines that have any length."""
        return [one for one in self._subpaths if one.lines or one.curves]

    def run(self, segments: bytes) -> None:
        """Follow a run of segments as it stands in the stream."""
        stack: list[float] = []
        for word in segments.split():
            if word in _SEGMENTS:
                self.step(word, stack)
                stack = []
            else:
                try:
                    stack.append(float(word))
                except ValueError:
                    stack.append(number(word))

    def step(self, segment: bytes, v: list[float]) -> None:
        """Follow one segment; one with too few numbers is passed over."""
        at = self._at
        if segment == b"c" and len(v) == 6:
            self._last().curves += (*at, *v)
            self._at = (v[4], v[5])
        elif segment == b"l" and len(v) == 2:
            self._last().lines += (*at, *v)
            self._at = (v[0], v[1])
        elif segment == b"m" and len(v) == 2:
            self._subpaths.append(Subpath())
            self._start = self._at = (v[0], v[1])
        elif segment == b"h":
            self.close()
        elif segment == b"re" and len(v) == 4:
            x, y, right, top = v[0], v[1], v[0] + v[2], v[1] + v[3]
            lines = [x, y, right, y, right, y, right, top, right, top, x, top, x, top, x, y]
            self._subpaths.append(Subpath(lines, [], closed=True))
            self._start = self._at = (x, y)
        elif segment == b"v" and len(v) == 4:
            self._last().curves += (*at, *at, *v)
            self._at = (v[2], v[3])
        elif segment == b"y" and len(v) == 4:
            self._last().curves += (*at, *v, v[2], v[3])
            self._at = (v[2], v[3])

    def close(self) -> None:
        """Go back to where the outline began."""
        if self._subpaths:
            last = self._last()
            if self._at != self._start:
                last.lines += (*self._at, *self._start)
            last.closed = True
            self._at = self._start

    def _last(self) -> Subpath:
        if not self._subpaths or self._subpaths[-1].closed:
            self._subpaths.append(Subpath())
        return self._subpaths[-1]

    def bounds(self, matrix: Matrix) -> tuple[float, float, float, float] | None:
        """The box around all of it, control points too, behind a map; None if there is nothing."""
        points = [matrix(x, y) for x, y in self._points()]
        if not points:
            return None
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)

    def _points(self) -> Iterator[tuple[float, float]]:
        for subpath in self._subpaths:
            for values in (subpath.lines, subpath.curves):
                yield from zip(values[::2], values[1::2], strict=True)
