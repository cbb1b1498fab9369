"""Output that never fails for want of a letter."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
import unicodedata
from pathlib import Path
from typing import TextIO

from coatl_tools.errors import FileError

_PLAIN = {"ł": "l", "Ł": "L", "–": "-", "—": "-", "…": ".", "’": "'", "×": "x", "→": ">"}
_PLAIN |= {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "✓": "+", "✗": "-", "·": "."}
_PLAIN |= {"▶": ">", "─": "-", "▲": "R", "●": "G", "■": "B", "★": "Y", "◆": "K"}


def forgiving_streams() -> None:
    """Write what the terminal's encoding lacks without its accents rather than fail."""
    codecs.register_error("coatl-plain", _plain)
    sys.stdout = sys.stdout or _nowhere()  # None where the caller has closed it
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="coatl-plain")


def ascii_only() -> None:
    """Write plain ASCII from now on, each letter as the nearest one, so that columns stay."""
    codecs.register_error("coatl-plain", _plain)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="ascii", errors="coatl-plain")


def somebody_types() -> bool:
    """Whether there is a person to ask, at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def document(path: Path) -> bytes:
    """What a file holds, or for `-` standard input; FileError if it cannot be read."""
    from coatl_tools.documents import MAX_DOCUMENT, read_document

    if str(path) != "-":
        return read_document(path)
    if sys.stdin is None:
        raise FileError("file.no_input")
    return sys.stdin.buffer.read(MAX_DOCUMENT)


def forsake_output() -> None:
    """Nobody takes our output any more; let the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def can_show(text: str) -> bool:
    """Whether standard output has all these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def as_json(data: object) -> str:
    """JSON in a line; with escapes where standard output lacks the characters."""
    text = json.dumps(data, ensure_ascii=False)
    return text if can_show(text) else json.dumps(data)


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(map(_plain_char, wrong)), error.end


def _plain_char(char: str) -> str:
    if char in _PLAIN:
        return _PLAIN[char]
    if unicodedata.combining(char):  # an accent by itself takes no room
        return ""
    base = unicodedata.normalize("NFKD", char)[:1]
    return base if base.isascii() else "?"
