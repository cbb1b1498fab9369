"""Boards with loose pieces in drawn photos: found by their drawing, read place by place."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from coatl_tools.pieces import Colour
from coatl_tools.rules.constants import Pieces
from coatl_tools.vision.boards.board_location import find_board
from coatl_tools.vision.boards.board_pictures import render_printed_boards
from coatl_tools.vision.boards.board_reader import read_board, sort_as_written
from coatl_tools.vision.boards.board_reading import BoardKind, LooseReading, list_written_pieces
from coatl_tools.vision.picture import Picture, load_picture
from tests.vision.board_photos import BoardLook, draw_board_photo, draw_loose_photo
from tests.vision.sample_readings import make_reading

PHOTOS = Path(__file__).parent / "photos"
FILLED: tuple[Pieces, ...] = (
    *(("R", "G"), ("B", "B"), (), ("G", "Y"), ("R", "R"), ("K", "B")),
    *(("<R",), ("<G",), ("B>",), ()),
)


@cache
def read_drawn(
    kind: BoardKind, look: BoardLook, contents: tuple[Pieces, ...], turn: float
) -> LooseReading:
    pixels = draw_board_photo(contents, look, turn)
    return read_board(Picture(Path(), pixels), render_printed_boards(kind, "en"))


def on_places(reading: LooseReading) -> list[Pieces]:
    return [list_written_pieces(place.pieces) for place in reading.places]


@pytest.mark.parametrize(
    ("look", "turn"),
    [(BoardLook(), 8.0), (BoardLook(0, "low-ink", "fr"), 187.0)],
    ids=["in colour", "with little ink, the other way round"],
)
def test_the_supply_board_is_read_space_by_space(look: BoardLook, turn: float) -> None:
    reading = read_drawn(BoardKind.SUPPLY, look, FILLED, turn)
    assert reading.board is BoardKind.SUPPLY
    assert on_places(reading) == list(FILLED)
    assert [place.empty for place in reading.places] == [not pieces for pieces in FILLED]


def test_the_snake_drawn_on_a_players_board_is_no_piece() -> None:
    pieces: tuple[Pieces, ...] = (("R",), ("<B",), (), ("G",), ("Y>",), (), ("K",), ())
    reading = read_drawn(BoardKind.PLAYER, BoardLook(2), pieces, -5.0)
    assert on_places(reading) == list(pieces)
    assert Colour.R not in [piece.colour for piece in reading.elsewhere]


def test_where_there_is_no_board_none_is_found() -> None:
    boards = render_printed_boards(BoardKind.SUPPLY, "en")
    assert find_board(np.full((600, 800, 3), 127, np.uint8), boards) is None
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3)).astype(np.uint8)
    assert find_board(noise, boards) is None
    assert find_board(load_picture(PHOTOS / "dev-001.jpg").pixels, boards) is None


def test_single_pieces_are_read_row_by_row() -> None:
    pieces = ("R", "G", "B", "Y", "<G", "K>", "R")
    boards = render_printed_boards(BoardKind.SUPPLY, "en")
    reading = read_board(Picture(Path(), draw_loose_photo(pieces)), boards)
    assert reading.board is None
    assert list_written_pieces(reading.elsewhere) == pieces


def test_pieces_are_sorted_as_text_is_read() -> None:
    (coatl,) = make_reading("RGB").coatls
    first, second, third = coatl.pieces
    assert sort_as_written([third, first, second]) == (first, second, third)
