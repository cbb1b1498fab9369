"""Figures of requirements laid out in a box, as large as they fit, whatever a card asks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coatl_tools.cards.requirement import SingleRequirement
from coatl_tools.printing.cards.requirement_figures import GAP, Brush, Figure, figures
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import polyline
from coatl_tools.printing.drawing.surface import Surface

STEP = 0.96  # from one scale that is tried to the next
UNWRAPPED = 0.27  # as long as pieces are this large, a sequence stays on one line


@dataclass(frozen=True)
class _Shelf:
    """Figures side by side; `ends` says whether a requirement ends here."""

    figures: tuple[Figure, ...]
    ends: bool = True

    @property
    def width(self) -> float:
        return sum(f.width for f in self.figures) + 3 * GAP * (len(self.figures) - 1)

    @property
    def height(self) -> float:
        return max(f.height for f in self.figures)


@dataclass(frozen=True)
class Arrangement:
    """Shelves at one scale."""

    shelves: tuple[_Shelf, ...]
    scale: float

    @property
    def height(self) -> float:
        """What it takes, in millimetres on the card."""
        return self.scale * _height(self.shelves)

    @property
    def width(self) -> float:
        """The same from left to right."""
        return self.scale * max(shelf.width for shelf in self.shelves)


def arranged(
    parts: Sequence[SingleRequirement], brush: Brush, width: float, height: float, largest: float
) -> Arrangement:
    """The parts as large as they fit: side by side, below each other, or wrapped."""
    scale, wraps = largest, False
    while True:
        if not wraps and scale < UNWRAPPED:
            scale, wraps = largest, True
        room = width / scale
        shelves = _shelves(parts, replace(brush, scale=scale), room, wraps)
        fits = all(shelf.width <= room + 0.01 for shelf in shelves)
        if fits and scale * _height(shelves) <= height + 0.01:
            return Arrangement(tuple(shelves), scale)
        scale *= STEP


def _shelves(
    parts: Sequence[SingleRequirement], brush: Brush, room: float, wraps: bool
) -> list[_Shelf]:
    shelves: list[_Shelf] = []
    for part in parts:
        lines = figures(part, brush, room if wraps else math.inf)
        if len(lines) == 1 and shelves and len(shelves[-1].figures) > 0 and shelves[-1].ends:
            beside = _Shelf((*shelves[-1].figures, lines[0]))
            if beside.width <= room:
                shelves[-1] = beside
                continue
        shelves += [_Shelf((line,), i == len(lines) - 1) for i, line in enumerate(lines)]
    return shelves


def _height(shelves: Sequence[_Shelf]) -> float:
    gaps = sum(2 * GAP if shelf.ends else 0.6 * GAP for shelf in shelves[:-1])
    return sum(shelf.height for shelf in shelves) + gaps


def draw_arrangement(
    surface: Surface, arrangement: Arrangement, box: Box, ink: str, rule: float
) -> None:
    """Draw it about the middle of a box, with thin rules between requirements."""
    scale = arrangement.scale
    y = box.centre[1] - arrangement.height / 2
    shelves = arrangement.shelves
    for index, shelf in enumerate(shelves):
        middle = y + scale * shelf.height / 2
        x = box.centre[0] - scale * shelf.width / 2
        for number, figure in enumerate(shelf.figures):
            with surface.placed(x, middle, scale=scale) as at:
                figure.draw(at)
            x += scale * figure.width
            if number < len(shelf.figures) - 1:
                at_x = x + 1.5 * GAP * scale
                half = scale * shelf.height / 2
                surface.stroke(polyline((at_x, middle - half), (at_x, middle + half)), ink, rule)
            x += 3 * GAP * scale
        y += scale * shelf.height
        if index < len(shelves) - 1:
            gap = scale * GAP * (2 if shelf.ends else 0.6)
            if shelf.ends:
                line = polyline((box.x, y + gap / 2), (box.right, y + gap / 2))
                surface.stroke(line, ink, rule)
            y += gap
