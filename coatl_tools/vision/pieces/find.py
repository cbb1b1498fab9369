"""Finding the Cóatls in a picture."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.vision.reading import SeenCoatl, SeenPiece
from coatl_tools.vision.trace import Pixels, Trace


@dataclass(frozen=True, slots=True)
class Finding:
    """The Cóatls in a picture and the pieces that belong to none, in pixels of that picture."""

    coatls: tuple[SeenCoatl, ...]
    strays: tuple[SeenPiece, ...]


def find_coatls(pixels: Pixels, trace: Trace) -> Finding:
    """Find all Cóatls in a picture, whatever else there is."""
    raise NotImplementedError
