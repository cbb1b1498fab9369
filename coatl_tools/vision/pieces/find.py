"""Finding the Cóatls in a picture."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.vision.pieces.search import search
from coatl_tools.vision.pieces.weigh import seen_coatl, seen_piece
from coatl_tools.vision.reading import SeenCoatl, SeenPiece
from coatl_tools.vision.trace import Pixels, Trace

CLUTTER = 0.03  # what is less likely a Cóatl than this is a pen or a row of blocks
SHORT, SHORT_CLUTTER = 3, 0.18  # few pieces are taken for a Cóatl more easily


@dataclass(frozen=True, slots=True)
class Finding:
    """The Cóatls in a picture and the pieces that belong to none, in pixels of that picture."""

    coatls: tuple[SeenCoatl, ...]
    strays: tuple[SeenPiece, ...]


def find_coatls(pixels: Pixels, trace: Trace) -> Finding:
    """Find all Cóatls in a picture, whatever else there is."""
    found, strays = search(pixels, trace)
    coatls = tuple(seen for seen in map(seen_coatl, found) if not _is_clutter(seen))
    return Finding(coatls, tuple(map(seen_piece, strays)))


def _is_clutter(seen: SeenCoatl) -> bool:
    return seen.confidence < (SHORT_CLUTTER if len(seen.pieces) <= SHORT else CLUTTER)
