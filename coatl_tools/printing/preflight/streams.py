"""Reading parts of a PDF file that somebody else may have damaged, or made to do harm."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable

import numpy as np
import pikepdf

from coatl_tools.printing.drawing.geometry import Matrix


class TooMuchError(Exception):
    """A file that would take too long, or too much memory."""


def stream_bytes(stream: pikepdf.Object, most: int) -> bytes:
    """What a stream holds, unpacked; raises TooMuchError if that is more than so many bytes."""
    try:
        filters = stream.get("/Filter")
        names = [str(f) for f in items_of(filters)] or ([] if filters is None else [str(filters)])
        plain = stream.get("/DecodeParms") is None
        if plain and set(names) <= {"/ASCII85Decode", "/FlateDecode"} and len(names) <= 2:
            data = bytes(stream.read_raw_bytes())
            for name in names:
                data = _a85(data) if name == "/ASCII85Decode" else _inflated(data, most)
        else:  # such as nobody uses for drawings
            data = bytes(stream.read_bytes()) if _length(stream) < most // 50 else b""
    except (pikepdf.PdfError, ValueError, zlib.error, RuntimeError, TypeError):
        return b""
    if len(data) > most:
        raise TooMuchError
    return data


def _a85(data: bytes) -> bytes:
    """Five letters as four bytes, all at once: the way of the library takes a letter at a time."""
    text = data.translate(None, b" \t\r\n\f\x00").removeprefix(b"<~").partition(b"~")[0]
    if b"z" in text or (text and not (min(text) >= ord("!") and max(text) <= ord("u"))):
        return base64.a85decode(text)
    missing = -len(text) % 5
    digits = np.frombuffer(text + b"u" * missing, np.uint8).reshape(-1, 5).astype(np.int64) - 33
    words = digits @ np.array([85**4, 85**3, 85**2, 85, 1])
    whole: bytes = (words & 0xFFFFFFFF).astype(">u4").tobytes()
    return whole[: len(whole) - missing]


def _inflated(data: bytes, most: int) -> bytes:
    return zlib.decompressobj().decompress(data, most + 1)


def _length(stream: pikepdf.Object) -> int:
    return len(stream.read_raw_bytes())


def numbers_of(values: object) -> list[float]:
    """The numbers of an array; nothing if one of its values is none."""
    if not isinstance(values, pikepdf.Array | list):
        return []
    try:
        return [_bounded(value) for value in values]
    except (TypeError, ValueError, ArithmeticError):
        return []


def _bounded(value: object) -> float:
    return max(-1e7, min(1e7, float(value)))  # type: ignore[arg-type]


def matrix_of(values: object) -> Matrix:
    """Six numbers as a map; the one that changes nothing if they are not there."""
    found = numbers_of(values)
    return Matrix(*found) if len(found) == 6 else Matrix()


def box_of(values: object) -> tuple[float, float, float, float] | None:
    """Four numbers as a box: left, bottom, right, top; None if they are not there."""
    found = numbers_of(values)
    if len(found) != 4:
        return None
    x0, y0, x1, y1 = found
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def dictionary(owner: object, key: str) -> pikepdf.Object | None:
    """A dictionary or stream in a dictionary; None if there is none."""
    if not isinstance(owner, pikepdf.Dictionary | pikepdf.Stream):
        return None
    found = owner.get(key)
    return found if isinstance(found, pikepdf.Dictionary | pikepdf.Stream) else None


def items_of(values: object) -> Iterable[pikepdf.Object]:
    """The values of an array; nothing if it is none."""
    return list(values) if isinstance(values, pikepdf.Array) else []
