"""Finding the Cóatls in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coatl_tools.vision.pieces.judging import Found
from coatl_tools.vision.pieces.search import search
from coatl_tools.vision.pieces.weigh import seen_coatl, seen_piece
from coatl_tools.vision.reading import SeenCoatl, SeenPiece
from coatl_tools.vision.trace import Pixels, Trace

CLUTTER = 0.03  # what is less likely a Cóatl than this is a pen or a row of blocks
SHORT, SHORT_CLUTTER = 3, 0.18  # few pieces are taken for a Cóatl more easily
CLEAR = 3.0  # where portraits see pieces as clearly as this, it is a Cóatl, however badly read
TRUSTED = 0.75  # so likely a Cóatl shows how large pieces are in this photo
SMALLER = 0.46  # all are of one size: what is so much smaller, and not clear, is an ornament


@dataclass(frozen=True, slots=True)
class Finding:
    """The Cóatls in a picture and the pieces that belong to none, in pixels of that picture."""

    coatls: tuple[SeenCoatl, ...]
    strays: tuple[SeenPiece, ...]


def find_coatls(pixels: Pixels, trace: Trace) -> Finding:
    """Find all Cóatls in a picture, whatever else there is."""
    found, strays = search(pixels, trace)
    both = [(one, seen_coatl(one)) for one in found]
    kept = [(one, seen) for one, seen in both if not _is_clutter(one, seen)]
    largest = max((_pitch(one) for one, seen in kept if seen.confidence >= TRUSTED), default=0.0)
    coatls = tuple(
        seen for one, seen in kept if seen.confidence >= TRUSTED or _pitch(one) >= SMALLER * largest
    )
    return Finding(coatls, tuple(map(seen_piece, strays)))


def _pitch(found: Found) -> float:
    return float(np.median([spot.pitch for spot in found.chain.spots]))


def _is_clutter(found: Found, seen: SeenCoatl) -> bool:
    if len(seen.pieces) <= SHORT:
        return seen.confidence < SHORT_CLUTTER
    return seen.confidence < CLUTTER and found.clear < CLEAR
