"""Where the faces of Source Sans Pro lie, for those who have no use for a PDF library too."""

from __future__ import annotations

from pathlib import Path

import font_source_sans_pro

REGULAR = "SourceSansPro-Regular"
ITALIC = "SourceSansPro-It"
SEMIBOLD = "SourceSansPro-Semibold"
BOLD = "SourceSansPro-Bold"
BLACK = "SourceSansPro-Black"
FACES = (REGULAR, ITALIC, SEMIBOLD, BOLD, BLACK)


def file_of(face: str) -> Path:
    """Where a face lies."""
    return Path(font_source_sans_pro.__file__).parent / "files" / f"{face}.ttf"
