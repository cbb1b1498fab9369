"""The names under which our PDF files say what they should be: written when printing, read by the
preflight, which loads no ReportLab.
"""

from __future__ import annotations

PIECE_INFO_KEY = "CoatlTools"  # our entry in a page's PieceInfo
TEXT_BOX_TAG = "CoatlBox"  # around a text: the box that it was meant to fit
