"""The graphics state of a content stream, as far as it tells where something is painted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from coatl_tools.printing.drawing.geometry import Matrix
from coatl_tools.printing.preflight.painted import EVERYWHERE
from coatl_tools.printing.preflight.pdf_fonts import Font

BoxOf = tuple[float, float, float, float]


@dataclass(slots=True)
class State:
    """What `q` keeps and `Q` brings back."""

    matrix: Matrix
    clip: BoxOf = EVERYWHERE
    width: float = 1.0
    cap: int = 0
    font: Font | None = None
    size: float = 0.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    render: int = 0

    def copy(self) -> State:
        """The same, to be changed."""
        return replace(self)

    def cut(self, box: BoxOf) -> None:
        """Let nothing be seen outside a box any more."""
        self.clip = within(self.clip, box)


def within(one: BoxOf, other: BoxOf) -> BoxOf:
    """What two boxes share; its left is right of its right if they share nothing."""
    return (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )


def box_behind(matrix: Matrix, box: BoxOf) -> BoxOf:
    """The box around a box behind a map."""
    x0, y0, x1, y1 = box
    points = [matrix(x, y) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
