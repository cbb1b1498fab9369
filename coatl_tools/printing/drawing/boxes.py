"""Rectangles in millimetres, for layouts and for those who read a picture back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from coatl_tools.printing.drawing.paths import Matrix, moved, turned

Turn = Literal[0, 90, 180, 270]  # degrees, clockwise


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def inset(self, x: float, y: float | None = None) -> Box:
        """The box, smaller by a margin on all sides."""
        y = x if y is None else y
        return Box(self.x + x, self.y + y, self.width - 2 * x, self.height - 2 * y)

    def meets(self, other: Box, hair: float = 0.0) -> bool:
        """Whether the two share more than an edge, or more than so much of it."""
        return (
            self.x < other.right - hair
            and other.x < self.right - hair
            and self.y < other.bottom - hair
            and other.y < self.bottom - hair
        )

    def filled(self, turn: Turn) -> Matrix:
        """From the millimetres of what fills the box, turned by quarters, to those around it."""
        corners = (
            (self.x, self.y),
            (self.right, self.y),
            (self.right, self.bottom),
            (self.x, self.bottom),
        )
        return moved(*corners[turn // 90]) @ turned(turn)


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box around others."""
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right - left, bottom - top)
