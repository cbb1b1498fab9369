"""The pieces: they hook into each other, all of them are there, and their backs tell nothing."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coatl_tools.components.components_file import load_components
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing.geometry import Point
from coatl_tools.printing.items import Design, Item
from coatl_tools.printing.layouts import THEME_NAMES, Layouts, ThemeName
from coatl_tools.printing.pieces.piece_items import find_strip_cuts, make_piece_items, make_strips
from coatl_tools.printing.pieces.piece_shapes import PiecesLayout
from tests.printing.face_measurements import make_face_page

LAYOUT = Layouts().load("pieces", PiecesLayout)
SHAPE = LAYOUT.shape
COMPONENTS = load_components()


def inside(x: float, y: float, polygon: list[Point]) -> bool:
    """Whether a point lies in a polygon, by counting the edges that a ray crosses."""
    crossed = False
    for (ax, ay), (bx, by) in pairwise([*polygon, polygon[0]]):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            crossed = not crossed
    return crossed


@given(
    st.floats(-1.4 * SHAPE.pitch, 1.4 * SHAPE.pitch),
    st.floats(-SHAPE.height / 2 + 1, SHAPE.height / 2 - 1),
    st.sampled_from(
        [
            (PieceKind.HEAD, PieceKind.BODY),
            (PieceKind.BODY, PieceKind.BODY),
            (PieceKind.BODY, PieceKind.TAIL),
        ]
    ),
)
def test_neighbours_share_the_seam_and_nothing_else(
    x: float, y: float, kinds: tuple[PieceKind, PieceKind]
) -> None:
    """Between their middles, every point belongs to one of two neighbours (the seam to either)."""
    left = SHAPE.outline(kinds[0]).place_at(-SHAPE.pitch / 2, 0).flatten()[0]
    right = SHAPE.outline(kinds[1]).place_at(SHAPE.pitch / 2, 0).flatten()[0]
    near = [(x + dx, y + dy) for dx in (-0.15, 0, 0.15) for dy in (-0.15, 0, 0.15)]
    sides = {(inside(*point, left), inside(*point, right)) for point in near}
    if len(sides) == 1 and -SHAPE.pitch / 2 < x < SHAPE.pitch / 2:
        assert sides in ({(True, False)}, {(False, True)})
    assert (True, True) not in sides or len(sides) > 1  # the flattened curves may touch


def test_a_hook_holds() -> None:
    """A piece cannot be pulled away sideways: its neighbour's hook stands in the way."""
    left = SHAPE.outline(PieceKind.BODY).flatten()[0]
    right = (
        SHAPE.outline(PieceKind.BODY).place_at(SHAPE.pitch + 2, 0).flatten()[0]
    )  # pulled by 2 mm
    grid = [(x / 4, y / 4) for x in range(0, 80) for y in range(-44, 45)]
    assert any(inside(*point, left) and inside(*point, right) for point in grid)


def test_all_pieces_of_the_game_are_on_the_strips() -> None:
    found = Counter(
        (strip.colour, kind)
        for strip in make_strips(LAYOUT, COMPONENTS, True)
        for kind in strip.kinds
    )
    assert found.total() == 150 + COMPONENTS.golden_bodies  # rule 1.2
    for colour in Colour:
        kinds = [found[colour, kind] for kind in (PieceKind.HEAD, PieceKind.BODY, PieceKind.TAIL)]
        assert kinds == [3, 24, 3]
    assert found["golden", PieceKind.BODY] == COMPONENTS.golden_bodies
    assert not any(strip.colour == "golden" for strip in make_strips(LAYOUT, COMPONENTS, False))


@pytest.mark.parametrize("numbers", [(0, 5, 0), (4, 3, 1), (1, 20, 3), (2, 0, 2)])
def test_other_numbers_of_pieces_are_cut_into_strips_too(numbers: tuple[int, int, int]) -> None:
    head, body, tail = numbers
    pieces = COMPONENTS.pieces.model_copy(update={"head": head, "body": body, "tail": tail})
    changed = COMPONENTS.model_copy(update={"pieces": pieces})
    found = Counter(kind for strip in make_strips(LAYOUT, changed, False) for kind in strip.kinds)
    assert found == Counter(
        {PieceKind.HEAD: 5 * head, PieceKind.BODY: 5 * body, PieceKind.TAIL: 5 * tail}
    )


def items(theme: ThemeName = "full") -> list[Item]:
    return make_piece_items(Design(load_language("en"), theme), COMPONENTS, golden=True)


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_a_back_looks_the_same_behind_every_body(theme: ThemeName) -> None:
    back = items(theme)[0].back
    assert back is not None
    picture = make_face_page(back).render(scale=127 / 72).to_numpy().astype(int)  # 5 pixels per mm
    pitch = int(SHAPE.pitch * 5)
    middle = picture[:, 4 * pitch : 5 * pitch]
    for index in (5, 6, 7):
        other = picture[:, index * pitch : (index + 1) * pitch]
        assert abs(middle - other).mean() < 1
    assert middle.std() > 1  # there is a pattern


def test_backs_are_the_same_whatever_the_colour() -> None:
    keys = {item.back.key for item in items() if item.back and item.name[0] in "RGBYK"}
    assert len(keys) == 1


def test_every_seam_is_cut_once_and_lies_between_two_pieces() -> None:
    strip = make_strips(LAYOUT, COMPONENTS, False)[0]
    seams, outline = find_strip_cuts(strip, SHAPE)
    assert len(seams) == len(strip.kinds) - 1
    left, top, right, bottom = outline.bounds
    assert (top, bottom) == (0, SHAPE.height)
    assert right - left == pytest.approx(strip.width(SHAPE), abs=1)  # its tips are rounded
    for seam, other in pairwise(seams):
        assert other.bounds[0] - seam.bounds[0] == pytest.approx(SHAPE.pitch)
