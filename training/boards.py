"""The printed boards, with the places where people lay loose pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.photo_simulation import render_face
from coatl_tools.components.components_file import load_components
from coatl_tools.language import load_language
from coatl_tools.printing.boards.board_items import make_board_items
from coatl_tools.printing.boards.board_layout import BoardsLayout, PlayerBoardLayout
from coatl_tools.printing.items import Design, Face
from training.printed_pieces import InkStyle

Floats = NDArray[np.float32]
BOARD_PIXELS_PER_MM = 4  # pixels a millimetre
BOARD_HEIGHT = 0.5  # millimetres
STYLES: tuple[InkStyle, ...] = ("full", "low-ink")


@dataclass(frozen=True)
class BoardField:
    """Where pieces lie on a board: millimetres from its middle, y upwards, and how they lie."""

    x: float
    y: float
    turn: float
    pieces: int


@dataclass(frozen=True)
class RenderedBoard:
    """A board seen from above: its heights, its colours in linear light, and its fields."""

    heights: Floats
    colours: Floats
    scale: float
    fields: Sequence[BoardField]


@cache
def render_boards() -> tuple[RenderedBoard, ...]:
    """Render the boards of all print styles; the Supply board as often as all player boards."""
    return tuple(board for style in STYLES for board in _render_style(style))


def _render_style(style: InkStyle) -> list[RenderedBoard]:
    design, components = Design(load_language("en"), style), load_components()
    layout = design.layouts.load("boards", BoardsLayout)
    supply, *players = make_board_items(design, components)
    spaces = components.player_boards.spaces
    faces = {item.front.key: item.front for item in players}
    on_player = [_render(face, _list_player_fields(layout.player, spaces))
                 for face in faces.values()]  # fmt: skip
    on_supply = _render(supply.front, _list_supply_fields(layout))
    back = [] if supply.back is None else [_render(supply.back, ())]
    return [*on_player, *[on_supply] * len(on_player), *back]


def _list_supply_fields(layout: BoardsLayout) -> list[BoardField]:
    board = layout.supply
    return [
        BoardField(
            place.x - board.width / 2, board.height / 2 - place.y, np.radians(place.turn), pieces
        )
        for spaces, pieces in ((board.body, 2), (board.head, 1), (board.tail, 1))
        for place in spaces.places
    ]


def _list_player_fields(board: PlayerBoardLayout, spaces: int) -> list[BoardField]:
    return [
        BoardField(
            box.x + box.width / 2 - board.width / 2,
            board.height / 2 - box.y - box.height / 2,
            0.0,
            1,
        )
        for box in board.list_fields(spaces)
    ]


def _render(face: Face, fields: Sequence[BoardField]) -> RenderedBoard:
    picture = render_face(face, BOARD_PIXELS_PER_MM * 25.4)
    colours = np.asarray((picture / 255.0) ** 2.2, np.float32)
    heights = np.full(colours.shape[:2], BOARD_HEIGHT, np.float32)
    return RenderedBoard(heights, colours, BOARD_PIXELS_PER_MM, fields)
