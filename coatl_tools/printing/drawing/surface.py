"""Drawing in millimetres: x to the right, y downwards; the styles of text, and inks.

Faces draw on a `Surface` and know nothing of the file that it becomes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from coatl_tools.errors import CoatlError
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    POINTS_PER_MM,
    Box,
    Matrix,
    Path,
    rotation,
    scaling,
    translation,
)
from coatl_tools.printing.drawing.typography import find_best_breaks

Align = Literal["left", "centre", "right"]
LineCap = Literal["flat", "round"]


class TextOverflowError(CoatlError):
    """A text that does not fit where the layout wants it."""

    @classmethod
    def for_text(
        cls, text: str, width: float, height: float | None, smallest: float
    ) -> TextOverflowError:
        """Make the error for a text that does not fit; None as height: a word is too wide."""
        return cls(
            "print.overflow",
            text=text[:80],
            width=f"{width:.1f}",
            height="–" if height is None else f"{height:.1f}",
            size=f"{smallest:g}",
        )


@dataclass(frozen=True, slots=True)
class FontStyle:
    """How a text is set: face, size in points, ink, and leading.

    `spacing` is the extra space between letters, as a part of the size.
    """

    face: str
    size: float
    ink: str = "#000000"
    leading: float = 1.2
    spacing: float = 0.0

    def with_size(self, size: float) -> FontStyle:
        """Return the style with another size, in points."""
        return replace(self, size=size)

    def with_ink(self, ink: str) -> FontStyle:
        """Return the style with another ink."""
        return replace(self, ink=ink)

    @property
    def line_distance(self) -> float:
        """The distance of two lines, in millimetres."""
        return self.size * self.leading / POINTS_PER_MM

    @property
    def cap_height(self) -> float:
        """The height of a capital letter, in millimetres."""
        return self.size * fonts.CAP_HEIGHT / POINTS_PER_MM

    def measure(self, text: str) -> float:
        """Measure the width of a text, in millimetres."""
        spaces = max(0, len(text) - 1) * self.spacing * self.size / POINTS_PER_MM
        return fonts.measure_text(text, self.face, self.size) + spaces


class Surface(ABC):
    """Something to draw on. The origin is the top left corner of what is drawn.

    Where it ends up, in a PDF or in an SVG, is a matter of the few methods that are left open.
    """

    # areas and lines

    @abstractmethod
    def fill(self, path: Path, ink: str) -> None:
        """Fill a path."""

    @abstractmethod
    def stroke(
        self,
        path: Path,
        ink: str,
        width: float,
        dash: tuple[float, ...] = (),
        cap: LineCap = "flat",
    ) -> None:
        """Stroke a path with a line of this width, in millimetres."""

    def paint(
        self, path: Path, fill: str | None, line: str | None = None, width: float = 0
    ) -> None:
        """Fill a path and draw its outline, as far as inks are given."""
        if fill is not None:
            self.fill(path, fill)
        if line is not None and width > 0:
            self.stroke(path, line, width)

    # text

    @abstractmethod
    def draw_line_of_text(self, x: float, y: float, text: str, type_: FontStyle) -> None:
        """Draw one line of text from x on, its base line at y."""

    def draw_text(
        self, x: float, y: float, text: str, type_: FontStyle, align: Align = "left"
    ) -> float:
        """Draw one line of text, its base line at y; return its width in millimetres."""
        width = type_.measure(text)
        left = x - {"left": 0.0, "centre": width / 2, "right": width}[align]
        self.draw_line_of_text(left, y, text, type_)
        return width

    def draw_centred_text(self, x: float, y: float, text: str, type_: FontStyle) -> float:
        """Draw one line of capitals or figures centred on a point; return its width in mm."""
        return self.draw_text(x, y + type_.cap_height / 2, text, type_, "centre")

    def draw_fitted_text(
        self,
        box: Box,
        text: str,
        type_: FontStyle,
        smallest: float | None = None,
        align: Align = "left",
        vertical: Literal["top", "middle", "bottom"] = "top",
    ) -> float:
        """Draw a text in a box, wrapped, shrunk to fit if needed; return its size in points.

        Raises TextOverflowError if it does not fit even in the smallest size.
        """
        smallest = type_.size if smallest is None else smallest
        size = type_.size
        while (
            lines := wrap_text(text, type_.with_size(size), box.width)
        ) is None or measure_text_height(len(lines), type_.with_size(size)) > box.height + 0.01:
            size = round(size - 0.25, 2)
            if size < smallest:
                raise TextOverflowError.for_text(text, box.width, box.height, smallest)
        type_ = type_.with_size(size)
        lines = break_lines_evenly(text, type_, box.width, even=align == "centre")
        room = box.height - measure_text_height(len(lines), type_)
        top = box.y + {"top": 0.0, "middle": room / 2, "bottom": room}[vertical]
        x = {"left": box.x, "centre": box.centre[0], "right": box.right}[align]
        with self.text_box(box):
            for index, line in enumerate(lines):
                base = top + _find_first_baseline(type_) + index * type_.line_distance
                self.draw_text(x, base, line, type_, align)
        return size

    # marks in the file

    @contextmanager
    def text_box(self, box: Box) -> Iterator[None]:
        """Record the box that the text drawn inside should fit, in formats that can hold it."""
        yield

    @contextmanager
    def background(self) -> Iterator[None]:
        """Mark what is drawn inside as background: only that may run over the edge."""
        yield

    # places

    @abstractmethod
    def draw_shared(self, key: str, bounds: Box, draw: Callable[[Surface], None]) -> None:
        """Draw something that the file stores once under this key, however often it is shown.

        Everything outside `bounds` is cut off.
        """

    @contextmanager
    def at_origin(
        self, x: float, y: float, turn: float = 0, scale: float = 1, mirror: bool = False
    ) -> Iterator[Surface]:
        """Draw about another origin: mirrored left to right, scaled, turned, then moved."""
        matrix = translation(x, y) @ rotation(turn) @ scaling(-scale if mirror else scale, scale)
        with self.transformed(matrix) as surface:
            yield surface

    @abstractmethod
    def transformed(self, matrix: Matrix) -> AbstractContextManager[Surface]:
        """Draw through an affine map of millimetres."""

    @abstractmethod
    def clip(self, path: Path) -> AbstractContextManager[None]:
        """Draw only inside a path."""

    @abstractmethod
    def fade(self, opacity: float, ground: str) -> AbstractContextManager[None]:
        """Draw with this opacity; formats without transparency mix the inks with `ground`."""


def wrap_text(text: str, type_: FontStyle, width: float) -> list[str] | None:
    """Wrap a text in lines of at most `width` millimetres; None if a word is wider.

    Lines never break at a no-break space.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            if type_.measure(word) > width:
                return None
            longer = f"{line} {word}" if line else word
            if line and type_.measure(longer) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


@lru_cache(maxsize=4096)
def break_lines_evenly(text: str, type_: FontStyle, width: float, even: bool) -> list[str]:
    """Wrap a text into as few lines as possible, broken where it reads best.

    See `find_best_breaks`.
    """
    lines: list[str] = []
    space = type_.measure("n n") - 2 * type_.measure("n")
    for paragraph in text.split("\n"):
        words = paragraph.split(" ")
        widths = [type_.measure(word) for word in words]
        lines += find_best_breaks(words, widths, space, width, even)
    return lines


def _find_first_baseline(type_: FontStyle) -> float:
    """Return the distance from a box's top to the first base line, with room for accents."""
    return type_.size * 0.86 / POINTS_PER_MM


def measure_text_height(lines: int, type_: FontStyle) -> float:
    """Measure the height of this many lines, in mm, from accents to descenders."""
    return (
        _find_first_baseline(type_)
        + (lines - 1) * type_.line_distance
        + type_.size * 0.22 / POINTS_PER_MM
    )


def mix_inks(ink: str, other: str, part: float) -> str:
    """Mix an ink with `part` (0 to 1) of another one.

    >>> mix_inks("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = [(int(ink[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)
