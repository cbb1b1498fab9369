"""How boards look, and where pieces lie on them: those of `coatl print`, as they are drawn, and
those that somebody has shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np

from coatl_tools.components.components_file import load_components
from coatl_tools.errors import CardDataError, FileError
from coatl_tools.language import load_language
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.boards.board_items import make_board_items
from coatl_tools.printing.boards.board_layout import BoardsLayout
from coatl_tools.printing.boards.supply_board import list_spaces
from coatl_tools.printing.export.raster import make_picture_spec, render_pictures
from coatl_tools.printing.items import Design, Face
from coatl_tools.printing.layouts import THEME_NAMES, ThemeName
from coatl_tools.rules.constants import SPACE_KINDS
from coatl_tools.vision.boards.board_reading import BoardKind
from coatl_tools.vision.boards.learned_boards import (
    MAX_BOARDS,
    MAX_PICTURE_SIDE,
    LearnedBoard,
    load_learned_boards,
)
from coatl_tools.vision.boards.piece_answers import PIECE_KINDS
from coatl_tools.vision.homography import Points
from coatl_tools.vision.picture import decode_picture
from coatl_tools.vision.stage_trace import Pixels

PIXELS_PER_MM = 2.5  # of a printed board's picture
MM_PER_INCH = 25.4
PITCHES_MM = 14.0, 26.0  # the least and the most from a piece to the next: plastic or printed
# Of a learned board, shares of the least distance from a place to the next:
PITCH_SHARES = 0.2, 0.9  # the least and the most from a piece to the next
EDGE_SHARE = 0.75  # what of a board is seen around its places
COVERED_SHARE = 0.55  # around a place: what pieces cover


@dataclass(frozen=True, eq=False)
class BoardPicture:
    """A board seen from above, grey, and the middles of its places, in pixels of the picture.

    `turns` says how the pieces of a place lie: radians from its first to its last piece, None if
    nobody knows. `kinds` is what each place is for, the kind of each piece; nothing where any kind
    may lie. `pitches` is how long a pitch may be. `bare` tells which places are empty here. Only
    where `mask` is not 0 the picture is the board's own; all of it without one.
    """

    kind: BoardKind
    picture: Pixels
    places: Points
    turns: tuple[float | None, ...]
    kinds: tuple[PieceKind | None, ...]
    pitches: tuple[float, float]
    bare: tuple[bool, ...]
    mask: Pixels | None = None


def count_pieces_on_place(kind: PieceKind | None) -> int:
    """Count how many pieces lie on a place for this kind (rules 1.4 and 1.5)."""
    return load_components().supply_board.bodies_per_space if kind is PieceKind.BODY else 1


@cache
def render_printed_boards(kind: BoardKind, lang: str) -> tuple[BoardPicture, ...]:
    """Render the boards of a kind as `coatl print` makes them, in each style.

    Words are a small part of them, so those in other languages are found as well.
    """
    return tuple(_render_board(kind, theme, lang) for theme in THEME_NAMES)


def _render_board(kind: BoardKind, theme: ThemeName, lang: str) -> BoardPicture:
    design, components = Design(load_language(lang), theme), load_components()
    layout = design.layouts.load("boards", BoardsLayout)
    supply, player, *_ = make_board_items(design, components)
    if kind is BoardKind.SUPPLY:
        spaces = [*list_spaces(layout.supply, components.supply_board)]
        found = [(place.x, place.y, float(np.radians(place.turn))) for _, _, place in spaces]
        kinds: list[PieceKind | None] = [kind for kind, _, _ in spaces]
        face = supply.front
    else:
        boxes = layout.player.list_fields(components.player_boards.spaces)
        found = [(box.x + box.width / 2, box.y + box.height / 2, 0.0) for box in boxes]
        kinds = [None] * len(found)
        face = player.front
    places = np.array([(x, y) for x, y, _ in found]) * PIXELS_PER_MM - 0.5
    least, most = PITCHES_MM
    return BoardPicture(
        kind,
        _render_grey(face),
        places,
        tuple(turn for *_, turn in found),
        tuple(kinds),
        (least * PIXELS_PER_MM, most * PIXELS_PER_MM),
        (True,) * len(found),
    )


def _render_grey(face: Face) -> Pixels:
    (picture,) = render_pictures([make_picture_spec(face.key, face, PIXELS_PER_MM * MM_PER_INCH)])
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2GRAY), np.uint8)


def load_boards(kind: BoardKind, lang: str, learned: Path | None = None) -> list[BoardPicture]:
    """Load the boards of a kind: the printed ones, and the Supply boards of a file of learned ones.

    CardDataError if that file has mistakes.
    """
    boards = [*render_printed_boards(kind, lang)]
    if kind is BoardKind.SUPPLY and learned is not None:
        for name, board in load_learned_boards(learned).items():
            boards.append(open_learned_picture(board, name, learned))
    return boards


def open_learned_picture(board: LearnedBoard, name: str, path: Path) -> BoardPicture:
    """Make the picture of a board of a file; CardDataError if it cannot be decoded."""
    try:
        return make_learned_picture(board)
    except FileError as error:
        raise CardDataError("boards.picture", name=name, path=path) from error


@lru_cache(maxsize=MAX_BOARDS)
def make_learned_picture(board: LearnedBoard) -> BoardPicture:
    """Make the picture of a learned board; FileError if it cannot be decoded."""
    picture = decode_picture(board.jpeg, "picture.jpg")
    height, width = picture.pixels.shape[:2]
    places = np.array(board.places, np.float64)
    if max(height, width) > MAX_PICTURE_SIDE or (places >= (width, height)).any():
        raise FileError("photo.broken", path="picture.jpg")
    apart = measure_least_distance(places)
    least, most = PITCH_SHARES
    return BoardPicture(
        BoardKind.SUPPLY,
        np.asarray(cv2.cvtColor(picture.pixels, cv2.COLOR_BGR2GRAY), np.uint8),
        places,
        (None,) * len(places),
        tuple(PIECE_KINDS[kind] for kind in SPACE_KINDS),
        (least * apart, most * apart),
        board.bare,
        mask_board((height, width), places, board.bare),
    )


def mask_board(shape: tuple[int, int], places: Points, bare: tuple[bool, ...]) -> Pixels:
    """Mask what is surely the board: around its places, without those that pieces lay on."""
    apart, mask = measure_least_distance(places), np.zeros(shape, np.uint8)
    hull = cv2.convexHull(places.astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(mask, hull, 255)
    cv2.polylines(mask, [hull], True, 255, max(1, round(2 * EDGE_SHARE * apart)))
    for (x, y), empty in zip(places, bare, strict=True):
        if not empty:
            cv2.circle(mask, (round(x), round(y)), round(COVERED_SHARE * apart), 0, -1)
    return mask


def measure_least_distance(places: Points) -> float:
    """Measure the distance from a place to the next, where it is least."""
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    return float(apart[~np.eye(len(places), dtype=bool)].min())
