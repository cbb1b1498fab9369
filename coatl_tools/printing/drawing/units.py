"""Units of length: everything is measured in millimetres, a PDF has points."""

from __future__ import annotations

INCH = 25.4  # millimetres
MM = 72 / INCH  # points in a millimetre
