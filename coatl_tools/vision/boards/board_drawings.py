"""Tell Cóatls from what is drawn on the player boards of `coatl print`."""

from __future__ import annotations

import numpy as np

from coatl_tools.vision.boards.board_location import find_board
from coatl_tools.vision.boards.board_pictures import PITCHES_MM, PIXELS_PER_MM, load_boards
from coatl_tools.vision.boards.board_reading import BoardKind
from coatl_tools.vision.homography import Points, invert_homography, map_points
from coatl_tools.vision.loose_pieces import measure_piece_size
from coatl_tools.vision.pieces.piece_search import TRUSTED_CONFIDENCE, FoundPieces
from coatl_tools.vision.reading import SeenCoatl
from coatl_tools.vision.shrinking import PixelBox, scale_part
from coatl_tools.vision.stage_trace import Pixels

BOARD_LANGUAGE = "en"  # words are a small part of a board, so any language will do
MAX_SMALL_SHARE = 0.75  # of the largest pieces that were found: smaller ones may be drawn
LONGEST_DRAWN = 4  # pieces of what is drawn, unless it is hardly a Cóatl
MOST_LOOKED_AT = 4  # Cóatls; looking takes time
BOARD_PITCHES = 24.0  # of the drawn pieces, from one to the farthest corner of the board
LOOKED_PITCH = 16.0  # pixels from a drawn piece to the next at which the board is looked for


def remove_board_drawings(found: FoundPieces, pixels: Pixels) -> FoundPieces:
    """Remove Cóatls that are only drawn on a board: those that are too small for it."""
    small = sorted(
        (seen for seen in found.coatls if _may_be_drawn(seen, found)), key=lambda seen: seen.pitch
    )
    drawn = [seen for seen in small[:MOST_LOOKED_AT] if _is_drawn(seen, pixels)]
    return FoundPieces(
        tuple(seen for seen in found.coatls if not any(seen is one for one in drawn)),
        found.loose_pieces,
    )


def _may_be_drawn(seen: SeenCoatl, found: FoundPieces) -> bool:
    if len(seen.pieces) > LONGEST_DRAWN and seen.confidence >= TRUSTED_CONFIDENCE:
        return False
    if len({piece.colour for piece in seen.pieces}) == 1 and seen.coatl and seen.coatl.complete:
        return True  # as on the boards, even if nothing tells how large pieces are
    own = float(np.median([measure_piece_size(piece) for piece in seen.pieces]))
    others = [piece for other in found.coatls if other is not seen for piece in other.pieces]
    sizes = [measure_piece_size(piece) for piece in (*others, *found.loose_pieces)]
    return own < MAX_SMALL_SHARE * max(sizes, default=0.0)


def _is_drawn(seen: SeenCoatl, pixels: Pixels) -> bool:
    """Tell whether a Cóatl lies on a board and is too small for it."""
    centres = np.array([piece.centre for piece in seen.pieces])
    scale = min(1.0, LOOKED_PITCH / max(seen.pitch, 1.0))
    part, corner = scale_part(pixels, _box_board(centres, seen.pitch, pixels), scale)
    board = find_board(part, load_boards(BoardKind.PLAYER, BOARD_LANGUAGE))
    if board is None:
        return False
    there = map_points((centres - corner) * scale, invert_homography(board.homography))
    height, width = board.board.picture.shape
    inside = ((there >= 0) & (there < (width, height))).all()
    step = float(np.median(np.hypot(*np.diff(there, axis=0).T)))
    return bool(inside and step < PITCHES_MM[0] * PIXELS_PER_MM)


def _box_board(centres: Points, pitch: float, pixels: Pixels) -> PixelBox:
    """Box what shows the board on which these pieces would be drawn."""
    reach = BOARD_PITCHES * pitch
    height, width = pixels.shape[:2]
    left, top = np.maximum(centres.min(axis=0) - reach, 0).astype(int)
    right, bottom = np.minimum(centres.max(axis=0) + reach, (width, height)).astype(int)
    return int(left), int(top), int(right), int(bottom)
