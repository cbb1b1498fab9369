"""The names under which a file of ours says what it should be: written, and read when checked."""

from __future__ import annotations

PRODUCER = "CoatlTools"  # our entry in a page's PieceInfo
TEXT_BOX = "CoatlBox"  # around a text: the box that it was meant to fit
