"""A surface that only measures: many times as fast as a file that is read back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM, Box, Matrix, Path, rectangle
from coatl_tools.printing.drawing.surface import FontStyle, Surface
from coatl_tools.printing.items import Face

Edges = tuple[float, float, float, float]  # left, top, right, bottom


class MeasuringSurface(Surface):
    """A surface that notes where everything lies that is no background, and all type sizes."""

    def __init__(self) -> None:
        self.known: dict[str, MeasuringSurface] = {}
        self.clear()

    def clear(self) -> None:
        """Begin anew, but remember the stamps."""
        self.matrix = Matrix()
        self.ground = False
        self.boxes: list[Edges] = []
        self.sizes: list[float] = []
        self.clip_box: Edges | None = None

    @property
    def edges(self) -> Edges:
        """What everything covers together."""
        lefts, tops, rights, lows = zip(*self.boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(lows)

    def note(self, path: Path, margin: float = 0) -> None:
        if self.ground or not path.segments:
            return
        left, top, right, low = path.transform(self.matrix).bounds
        margin *= abs(self.matrix.a)
        box = (left - margin, top - margin, right + margin, low + margin)
        if self.clip_box is not None:
            a, b, c, d = self.clip_box
            box = (max(box[0], a), max(box[1], b), min(box[2], c), min(box[3], d))
        self.boxes.append(box)

    def fill(self, path: Path, ink: str) -> None:
        self.note(path)

    def stroke(self, path: Path, ink: str, width: float, *rest: Any, **more: Any) -> None:
        self.note(path, width / 2)

    def draw_line_of_text(self, x: float, y: float, text: str, type_: FontStyle) -> None:
        width = type_.measure(text)
        self.note(
            rectangle(
                x, y - type_.cap_height, width, type_.cap_height + 0.2 * type_.size / POINTS_PER_MM
            )
        )
        self.sizes.append(type_.size * abs(self.matrix.a))

    @contextmanager
    def background(self) -> Iterator[None]:
        self.ground = True
        yield
        self.ground = False

    @contextmanager
    def transformed(self, matrix: Matrix) -> Iterator[Surface]:
        before, self.matrix = self.matrix, self.matrix @ matrix
        yield self
        self.matrix = before

    @contextmanager
    def clip(self, path: Path) -> Iterator[None]:
        before, self.clip_box = self.clip_box, path.transform(self.matrix).bounds
        yield
        self.clip_box = before

    @contextmanager
    def fade(self, opacity: float, ground: str) -> Iterator[None]:
        yield

    def draw_shared(self, key: str, bounds: Box, draw: Callable[[Surface], None]) -> None:
        if key not in self.known:
            self.known[key] = MeasuringSurface()
            draw(self.known[key])
        if self.known[key].boxes:
            left, top, right, low = self.known[key].edges
            self.note(rectangle(left, top, right - left, low - top))


def measure_face(face: Face, surface: MeasuringSurface | None = None) -> MeasuringSurface:
    """Draw a face and prove that nothing but its ground enters the margin."""
    surface = surface or MeasuringSurface()
    surface.clear()
    face.draw(surface)
    left, top, right, low = surface.edges
    assert min(left, top) >= face.safe_margin - 0.001
    assert right <= face.width - face.safe_margin + 0.001
    assert low <= face.height - face.safe_margin + 0.001
    return surface
