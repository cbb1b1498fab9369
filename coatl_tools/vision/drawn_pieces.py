"""Tell pieces from pictures of pieces: what is only drawn on cards is not read.

A Cóatl may lie across cards, so that pieces lie on a card proves nothing. Those that are drawn are
smaller, compared with the card; or they show what the card asks, and none lies beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.catalog import Catalog
from coatl_tools.pieces import Colour
from coatl_tools.vision.cards.card_signs import FACE_SIZE, list_row_signs
from coatl_tools.vision.homography import Points
from coatl_tools.vision.pieces.piece_search import (
    LONG_LENGTH,
    TRUSTED_CONFIDENCE,
    FoundPieces,
)
from coatl_tools.vision.reading import SeenCard, SeenCoatl, SeenPiece

DRAWN_SHARE = 0.85  # of a card, around its middle, is where pieces are drawn on it
MAX_DRAWN_PITCH = 0.2  # widths of a card from a drawn piece to the next; real ones are 0.28 apart
MAX_DRAWN_SIZE = 0.2  # widths of a card, the root of a drawn piece's area
# Of the root of a card's area: pieces are more than twice as far apart, if as near to the camera.
MAX_ORNAMENT_SHARE, MAX_LONG_ORNAMENT_SHARE = 0.12, 0.08


@dataclass(frozen=True, eq=False)
class _DrawnCard:
    """Where pieces may be drawn on a card, its width in pixels, and the colours that it shows."""

    inner: NDArray[np.float32]
    width: float
    colours: tuple[Colour | None, ...]

    @classmethod
    def locate(cls, card: SeenCard, catalog: Catalog) -> _DrawnCard:
        outline: Points = np.array(card.outline)
        middle = outline.mean(axis=0)
        inner = np.asarray(middle + DRAWN_SHARE * (outline - middle), np.float32)
        area = cv2.contourArea(outline.astype(np.float32))
        width = math.sqrt(area * FACE_SIZE[0] / FACE_SIZE[1])
        signs = list_row_signs(catalog[card.id]) if card.id is not None else ()
        return cls(inner, width, tuple(sign.colour for sign in signs))

    def count_held(self, centres: Iterable[Sequence[float]]) -> int:
        """Count the pieces that lie where pieces are drawn."""
        return sum(
            cv2.pointPolygonTest(self.inner, (float(x), float(y)), False) >= 0 for x, y in centres
        )

    def shows_line(self, centres: Sequence[Sequence[float]] | Points, pitch: float) -> bool:
        """Tell whether a line of pieces is too small to lie on the card."""
        small = pitch < MAX_DRAWN_PITCH * self.width
        return small and 2 * self.count_held(centres) > len(centres)

    def shows_coatl(self, seen: SeenCoatl) -> bool:
        """Tell whether the pieces of a Cóatl are drawn on the card."""
        centres = [piece.centre for piece in seen.pieces]
        if self.shows_line(centres, seen.pitch):
            return True
        row = [piece.colour for piece in seen.pieces]
        starts = range(len(self.colours) - len(row) + 1)
        return self.count_held(centres) == len(row) and any(
            [*self.colours[i : i + len(row)]] in (row, row[::-1]) for i in starts
        )

    def shows_piece(self, piece: SeenPiece) -> bool:
        """Tell whether a single piece is drawn on the card."""
        size = math.sqrt(cv2.contourArea(np.array(piece.outline, np.float32)))
        small = size < MAX_DRAWN_SIZE * self.width
        return bool(self.count_held([piece.centre])) and (small or piece.colour in self.colours)


class DrawnPieces:
    """What is drawn on the cards that are sure: pieces, and the small ornaments of their backs.

    What is only taken for a card must not hide a Cóatl.
    """

    def __init__(self, cards: Sequence[SeenCard], catalog: Catalog) -> None:
        known = [card for card in cards if card.sure and len(card.outline) > 2]
        self._cards = [_DrawnCard.locate(card, catalog) for card in known]
        areas = [cv2.contourArea(np.array(card.outline, np.float32)) for card in known]
        self._least_size = math.sqrt(min(areas, default=0.0))

    def show_line(self, centres: Points, pitch: float) -> bool:
        """Tell whether a line of pieces is drawn, from its size alone."""
        return any(card.shows_line(centres, pitch) for card in self._cards)

    def remove(self, finding: FoundPieces) -> FoundPieces:
        """Remove what is drawn."""
        return FoundPieces(
            tuple(
                seen
                for seen in finding.coatls
                if not any(card.shows_coatl(seen) for card in self._cards)
                and (seen.confidence >= TRUSTED_CONFIDENCE or not self._is_ornament(seen))
            ),
            tuple(
                piece
                for piece in finding.loose_pieces
                if not any(card.shows_piece(piece) for card in self._cards)
            ),
        )

    def _is_ornament(self, seen: SeenCoatl) -> bool:
        """Tell whether something is as small as the ornaments of the backs of cards."""
        long = len(seen.pieces) >= LONG_LENGTH
        share = MAX_LONG_ORNAMENT_SHARE if long else MAX_ORNAMENT_SHARE
        return seen.pitch < share * self._least_size
