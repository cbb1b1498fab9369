"""Opening a photo: upright, of a size that can be worked with, and nothing that is none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from coatl_tools.vision.trace import Pixels

MAX_WORKING = 12_000_000  # pixels; larger photos are made smaller


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo in memory: upright BGR pixels, and how many pixels of the file one of them is."""

    path: Path
    pixels: Pixels
    factor: float = 1.0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the upright photo as the file has it."""
        height, width = self.pixels.shape[:2]
        return round(width * self.factor), round(height * self.factor)


def load_picture(path: Path) -> Picture:
    """Open a photo; raises FileError for what is none."""
    raise NotImplementedError
