"""How small a mark may be in a photograph of a table and still be read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.photo_simulation import (
    PicturePixels,
    Points,
    find_mark_corners,
    render_face,
    simulate_photo,
)
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.drawing.geometry import rectangle
from coatl_tools.printing.drawing.surface import Surface
from coatl_tools.printing.items import Face
from coatl_tools.printing.layouts import Layouts

CARD_SIZE = (63.0, 88.0)
CARD_GRID = (3, 3)
CREAM, BLACK, WHITE = "#f7edd9", "#000000", "#ffffff"
MARK_PIXELS = (10, 12, 14, 16, 20, 25, 30, 40)  # the side of a mark in the photograph
# How the sheet lies in the photograph: how much larger its near edge is, and its turn.
CAMERA_VIEWS = ((0.0, 0), (0.12, 8), (0.22, -25), (0.3, 140))


def make_marked_cards(numbers: Sequence[int]) -> Face:
    """Nine plain cards, close together, each with a mark in its upper right corner."""
    marks = load_marks_layout(Layouts())
    width, height = CARD_SIZE[0] * CARD_GRID[0], CARD_SIZE[1] * CARD_GRID[1]

    def draw(surface: Surface) -> None:
        surface.fill(rectangle(0, 0, width, height), CREAM)
        for i, number in enumerate(numbers):
            x, y = i % CARD_GRID[0] * CARD_SIZE[0], i // CARD_GRID[0] * CARD_SIZE[1]
            surface.stroke(rectangle(x, y, *CARD_SIZE), BLACK, 0.3)
            left, top = x + CARD_SIZE[0] - 5 - marks.size, y + 5
            quiet = marks.size + 2 * marks.quiet
            surface.fill(rectangle(left - marks.quiet, top - marks.quiet, quiet, quiet), WHITE)
            surface.fill(marks.mark_path(number, left, top, marks.size), BLACK)

    return Face(f"cards-{numbers[0]}", width, height, draw)


def simulate_table_photo(
    face: Face, pixels: float, view: tuple[float, float], seed: int, dpi: float = 100
) -> PicturePixels:
    """Simulate a face on a table, so far away that a mark in its middle is so many pixels wide."""
    per_mm = pixels / load_marks_layout(Layouts()).size
    x, y = face.width * per_mm / 2, face.height * per_mm / 2
    depth, turn = view
    far, near = 1 - depth / 2, 1 + depth / 2
    corners = np.array(
        [(-x * far, -y * far), (x * far, -y * far), (x * near, y * near), (-x * near, y * near)]
    )
    corners = _rotate_points(corners, turn)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 20
    size = tuple(int(v) + 2 * margin for v in high - low)
    photo, _ = simulate_photo(
        render_face(face, dpi), corners - low + margin, (size[0], size[1]), seed
    )
    return photo


def _rotate_points(points: Points, degrees: float) -> Points:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(points @ np.array([(cos, sin), (-sin, cos)]))


def measure_recall(pixels: float, sheets: int = 4) -> tuple[int, int, int]:
    """Of the marks in some photographs: how many are there, found, and found but not there."""
    there = found = wrong = 0
    for sheet in range(sheets):
        numbers = range(sheet * 9 + 1, sheet * 9 + 10)
        face = make_marked_cards(numbers)
        for view in CAMERA_VIEWS:
            seen = set(
                find_mark_corners(simulate_table_photo(face, pixels, view, sheet, dpi=pixels * 4))
            )
            there += len(numbers)
            found += len(seen & set(numbers))
            wrong += len(seen - set(numbers))
    return there, found, wrong


def main(pixels: Sequence[int] = MARK_PIXELS, sheets: int = 4) -> None:
    """Print the table."""
    print("marks of 12 mm on nine cards, photographs with blur, noise, uneven light and JPEG")
    for depth, turn in CAMERA_VIEWS:
        print(f"  the near edge larger than the far one by {depth:.0%}, turned by {turn}°")
    print("in the middle of the picture   marks    found   wrong")
    for side in pixels:
        there, found, wrong = measure_recall(side, sheets)
        print(f"{side:>25} px {there:>7} {found / there:>8.1%} {wrong:>7}")
