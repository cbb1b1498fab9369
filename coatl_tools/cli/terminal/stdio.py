"""Standard input and output: encodings, JSON, and whether somebody sits at a terminal."""

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
from coatl_tools.files.json_files import read_document, read_limited_file

_ASCII_REPLACEMENTS = dict(zip("łŁ–—…’×→“”„«»✓✗·▶─▲●■★◆", 'lL--.\'x>"""""+-.>-RGBYK', strict=True))


def configure_stdio() -> None:
    """Make output drop accents that the terminal's encoding lacks, instead of failing."""
    codecs.register_error("coatl-plain", _replace_unencodable)
    sys.stdout = sys.stdout or _open_null()  # None where the caller has closed it
    sys.stderr = sys.stderr or _open_null()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="coatl-plain")


def use_ascii_output() -> None:
    """Write plain ASCII from now on, one character for each, so that columns stay aligned."""
    codecs.register_error("coatl-plain", _replace_unencodable)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="ascii", errors="coatl-plain")


def is_interactive() -> bool:
    """Tell whether there is a person to ask, at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def _open_null() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def read_input(path: Path) -> bytes:
    """Read a file, or standard input for `-`; errors as those of `read_limited_file`."""
    if str(path) != "-":
        return read_limited_file(path)
    if sys.stdin is None:
        raise FileError("file.no_input")
    return read_document(sys.stdin.buffer)


def discard_stdout() -> None:
    """Redirect standard output to nowhere, as nobody reads it any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def can_encode(text: str) -> bool:
    """Tell whether standard output can encode all these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def format_json(data: object) -> str:
    """Format JSON in one line, with escapes if standard output lacks the characters."""
    text = json.dumps(data, ensure_ascii=False)
    return text if can_encode(text) else json.dumps(data)


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(map(_convert_to_ascii, wrong)), error.end


def _convert_to_ascii(char: str) -> str:
    if char in _ASCII_REPLACEMENTS:
        return _ASCII_REPLACEMENTS[char]
    if unicodedata.combining(char):  # an accent by itself takes no room
        return ""
    base = unicodedata.normalize("NFKD", char)[:1]
    return base if base.isascii() else "?"


def print_json(data: object) -> None:
    """Print a JSON value on one line of standard output."""
    print(format_json(data))


def is_dumb_terminal() -> bool:
    """Tell whether the terminal understands nothing but text."""
    return os.environ.get("TERM", "dumb") in ("dumb", "unknown")
