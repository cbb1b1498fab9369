"""Photos of printed boards with printed pieces on them, seen from the side, and what lies where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.photo_simulation import render_face, simulate_photo
from coatl_tools.components.components_file import load_components
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour
from coatl_tools.printing.boards.board_items import make_board_items
from coatl_tools.printing.boards.board_layout import BoardsLayout
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import ThemeName
from coatl_tools.rules.constants import KIND_OF_PIECE, Pieces
from coatl_tools.vision.boards.piece_answers import PIECE_KINDS
from training.piece_shapes import SHAPE_PIXELS_PER_MM
from training.printed_pieces import render_tiles

Pixels = NDArray[np.uint8]
Place = tuple[float, float, float]  # millimetres from the top left corner, degrees
PIXELS_PER_MM = 4
GAP = 1.3  # pitches from a piece to the next on a space
PHOTO_SIZE = 1200, 900


@dataclass(frozen=True)
class BoardLook:
    """Which board, and how it is printed; `number` 0 is the Supply board, then players' boards."""

    number: int = 0
    style: ThemeName = "full"
    lang: str = "en"


@cache
def _render_board(look: BoardLook) -> tuple[Pixels, list[Place]]:
    """The board (RGB), and where pieces lie on it."""
    design, components = Design(load_language(look.lang), look.style), load_components()
    layout = design.layouts.load("boards", BoardsLayout)
    face = make_board_items(design, components)[look.number].front
    if look.number == 0:
        supply = layout.supply
        groups = supply.body.places, supply.head.places, supply.tail.places
        places = [(place.x, place.y, float(place.turn)) for group in groups for place in group]
    else:
        boxes = layout.player.list_fields(components.player_boards.spaces)
        places = [(box.x + box.width / 2, box.y + box.height / 2, 0.0) for box in boxes]
    return render_face(face, PIXELS_PER_MM * 25.4), places


def draw_board_photo(
    contents: Sequence[Pieces], look: BoardLook = BoardLook(), turn: float = 8.0
) -> Pixels:
    """Draw a photo (BGR) of a board, turned by some degrees, with these pieces on its places."""
    picture = lay_pieces(*_render_board(look), contents)
    photo, _ = simulate_photo(picture, _find_corners(picture, turn), PHOTO_SIZE, 1)
    return np.ascontiguousarray(photo[:, :, ::-1])


def lay_pieces(board: Pixels, places: Sequence[Place], contents: Sequence[Pieces]) -> Pixels:
    """Lay pieces on the places of a board, beside each other."""
    picture = board.copy()
    pitch, _ = render_tiles("full")
    for (x, y, lean), pieces in zip(places, contents, strict=False):
        ahead = np.array([np.cos(np.radians(lean)), np.sin(np.radians(lean))])
        for index, piece in enumerate(pieces):
            along = (index - (len(pieces) - 1) / 2) * GAP * pitch
            _lay_piece(picture, piece, np.array([x, y]) + along * ahead, lean + 3 * index)
    return picture


def draw_loose_photo(pieces: Pieces) -> Pixels:
    """Draw a photo (BGR) of single pieces in a row on a plain sheet."""
    picture = np.full((110 * PIXELS_PER_MM, 180 * PIXELS_PER_MM, 3), 205, np.uint8)
    for index, piece in enumerate(pieces):
        _lay_piece(picture, piece, np.array([25.0 + 42 * (index % 4), 30.0 + 45 * (index // 4)]), 4)
    photo, _ = simulate_photo(picture, _find_corners(picture, 0.0), PHOTO_SIZE, 1)
    return np.ascontiguousarray(photo[:, :, ::-1])


def _lay_piece(picture: Pixels, piece: str, middle: NDArray[np.float64], turn: float) -> None:
    """Lay a printed piece on a picture, its middle at a place (millimetres)."""
    kind, colour = PIECE_KINDS[KIND_OF_PIECE[piece]], Colour[piece.strip("<>")]
    tile = render_tiles("full")[1][kind, colour]
    height, width = tile.mask.shape
    scale = PIXELS_PER_MM / SHAPE_PIXELS_PER_MM
    move = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), -turn, scale), np.float64)
    move[:, 2] += middle * PIXELS_PER_MM - np.array([width, height]) / 2
    size = picture.shape[1::-1]
    mask = cv2.warpAffine(tile.mask, move, size, flags=cv2.INTER_AREA)
    colours = (np.clip(tile.colours, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    picture[mask > 127] = cv2.warpAffine(colours, move, size, flags=cv2.INTER_AREA)[mask > 127]


def _find_corners(picture: Pixels, turn: float) -> NDArray[np.float64]:
    """Find where the corners of a picture are in a photo taken from the side."""
    height, width = picture.shape[:2]
    corners = np.array([(-width, -height), (width, -height), (width, height), (-width, height)])
    angle = np.radians(turn)
    flat = corners @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    flat = flat / np.abs(flat).max()
    away = 1 + 0.18 * (1 - flat[:, 1:])  # the far side looks smaller
    seen = flat * np.array([1.0, 0.85]) / away
    middle = np.array(PHOTO_SIZE) / 2
    return np.asarray(middle + seen * 0.97 * PHOTO_SIZE[1] / 2, np.float64)


def write_photo(path: Path, pixels: Pixels) -> Path:
    """Write a photo as a JPEG."""
    assert cv2.imwrite(str(path), pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return path
