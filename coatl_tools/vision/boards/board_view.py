"""A board of a photo, seen from above."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from coatl_tools.vision.boards.board_location import SeenBoard
from coatl_tools.vision.homography import invert_homography, map_points, to_outline
from coatl_tools.vision.reading import SeenPiece
from coatl_tools.vision.stage_trace import Pixels

VIEW_SIDE = 720  # pixels of the longer side of a board seen from above
MARGIN_SHARE = 0.06  # of the longer side: pieces stand high, and lie over the edge


class BoardView:
    """A board seen from above, and how its pixels lie to the board's picture and the photo."""

    def __init__(self, pixels: Pixels, seen: SeenBoard) -> None:
        height, width = seen.board.picture.shape
        self.board, self.seen = seen.board, seen
        self.scale = VIEW_SIDE / max(height, width)
        self.margin = MARGIN_SHARE * max(height, width)
        self.pixels = seen.rectify(pixels, self.scale, self.margin)
        half = 0.5 / self.scale
        self.to_picture = np.array(
            [
                (1 / self.scale, 0, half - self.margin - 0.5),
                (0, 1 / self.scale, half - self.margin - 0.5),
                (0, 0, 1),
            ]
        )
        self.places = map_points(self.board.places, invert_homography(self.to_picture))
        least, most = self.board.pitches
        self.pitches = least * self.scale, most * self.scale

    def to_photo(self, piece: SeenPiece) -> SeenPiece:
        """Move a piece to the photo."""
        matrix = self.seen.homography @ self.to_picture
        outline = map_points(np.array(piece.outline), matrix)
        ((x, y),) = map_points(np.array([piece.centre]), matrix)
        return replace(piece, outline=to_outline(outline), centre=(float(x), float(y)))
