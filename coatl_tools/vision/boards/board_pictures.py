"""How boards look, and where pieces lie on them: those of `coatl print`, as they are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from coatl_tools.components.components_file import load_components
from coatl_tools.language import load_language
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.boards.board_items import make_board_items
from coatl_tools.printing.boards.board_layout import BoardsLayout
from coatl_tools.printing.boards.supply_board import list_spaces
from coatl_tools.printing.export.raster import make_picture_spec, render_pictures
from coatl_tools.printing.items import Design, Face
from coatl_tools.printing.layouts import THEME_NAMES, ThemeName
from coatl_tools.vision.boards.board_reading import BoardKind
from coatl_tools.vision.homography import Points
from coatl_tools.vision.stage_trace import Pixels

PIXELS_PER_MM = 2.5  # of a printed board's picture
MM_PER_INCH = 25.4
PITCHES_MM = 14.0, 26.0  # the least and the most from a piece to the next: plastic or printed


@dataclass(frozen=True, eq=False)
class BoardPicture:
    """A board seen from above, grey, and the middles of its places, in pixels of the picture.

    `turns` says how the pieces of a place lie: radians from its first to its last piece. `kinds`
    is what each place is for, the kind of each piece; nothing where any kind may lie. `pitches` is
    how long a pitch may be; `printed` tells that its places are empty here.
    """

    kind: BoardKind
    picture: Pixels
    places: Points
    turns: tuple[float, ...]
    kinds: tuple[PieceKind | None, ...]
    pitches: tuple[float, float]
    printed: bool = True


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
    )


def _render_grey(face: Face) -> Pixels:
    (picture,) = render_pictures([make_picture_spec(face.key, face, PIXELS_PER_MM * MM_PER_INCH)])
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2GRAY), np.uint8)
