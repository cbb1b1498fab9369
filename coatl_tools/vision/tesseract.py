"""Tesseract reads print. It is a program of its own, and may be missing."""

from __future__ import annotations

import shutil
from functools import lru_cache


@lru_cache(maxsize=1)
def available() -> bool:
    """Whether there is a Tesseract to ask; without it, cards are known by their marks alone."""
    return shutil.which("tesseract") is not None
