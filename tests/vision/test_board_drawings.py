"""The small Cóatl that is drawn on a player board is none, whatever else lies there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from coatl_tools.vision.boards.board_drawings import remove_board_drawings
from coatl_tools.vision.boards.board_location import find_board
from coatl_tools.vision.boards.board_pictures import load_boards
from coatl_tools.vision.boards.board_reading import BoardKind
from coatl_tools.vision.homography import map_points
from coatl_tools.vision.pieces.piece_search import FoundPieces
from coatl_tools.vision.reading import SeenCoatl
from coatl_tools.vision.stage_trace import Pixels
from tests.vision.board_photos import BoardLook, draw_board_photo
from tests.vision.sample_readings import make_seen_coatl

SMALL, LARGE = 0.4, 1.1  # of a Cóatl of 50 pixels from piece to piece


def lay(text: str, middle: tuple[float, float], size: float) -> SeenCoatl:
    """A Cóatl of some size with its middle at a place."""
    seen = make_seen_coatl(text, y=0)
    centre = np.mean([piece.centre for piece in seen.pieces], axis=0)

    def move(point: tuple[float, float]) -> tuple[float, float]:
        x, y = np.array(middle) + size * (np.array(point) - centre)
        return float(x), float(y)

    return replace(
        seen,
        pieces=tuple(
            replace(piece, centre=move(piece.centre), outline=tuple(map(move, piece.outline)))
            for piece in seen.pieces
        ),
    )


def list_left(pixels: Pixels, *coatls: SeenCoatl) -> list[str]:
    """What is left of these Cóatls."""
    return [seen.notation for seen in remove_board_drawings(FoundPieces(coatls, ()), pixels).coatls]


@pytest.mark.parametrize(
    "look", [BoardLook(1), BoardLook(3, "low-ink", "pl")], ids=["full", "low ink"]
)
def test_a_small_coatl_on_a_board_is_drawn_there(look: BoardLook) -> None:
    photo = draw_board_photo([()] * 12, look)
    board = find_board(photo, load_boards(BoardKind.PLAYER, "en"))
    assert board is not None
    height, width = board.board.picture.shape
    ((x, y),) = map_points(np.array([(0.2 * width, 0.8 * height)]), board.homography)
    drawn = lay("<RRR>", (float(x), float(y)), SMALL)
    real = lay("<RGBY", (600, 450), LARGE)
    assert list_left(photo, drawn, real) == ["<RGBY"]
    assert list_left(photo, drawn) == []
    assert list_left(photo, lay("<RRR>", (float(x), float(y)), LARGE), real) == ["<RRR>", "<RGBY"]


def test_small_coatls_elsewhere_are_far_away() -> None:
    table = np.full((900, 1200, 3), 190, np.uint8)
    cv2.rectangle(table, (100, 100), (500, 400), (40, 60, 200), 8)
    far, near = lay("<RRR>", (300, 250), SMALL), lay("<RGBY", (600, 700), LARGE)
    assert list_left(table, far, near) == ["<RRR>", "<RGBY"]
