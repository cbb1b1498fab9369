"""Output that never fails for want of a letter."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

_PLAIN = {"ł": "l", "Ł": "L", "–": "-", "—": "-", "…": "...", "’": "'", "×": "x", "→": "->"}
_PLAIN |= {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "✓": "+", "✗": "-", "·": "."}


def forgiving_streams() -> None:
    """Write what the terminal's encoding lacks without its accents rather than fail."""
    codecs.register_error("coatl-plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="coatl-plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(map(_plain_char, wrong)), error.end


def _plain_char(char: str) -> str:
    if char in _PLAIN:
        return _PLAIN[char]
    base = unicodedata.normalize("NFKD", char)[:1]
    return base if base.isascii() else "?"
