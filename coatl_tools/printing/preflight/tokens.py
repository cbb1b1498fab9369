"""The words of a content stream: operators with their operands, as fast as Python allows.

Most of a drawing are the segments of paths: a whole run of them is one word here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from coatl_tools.printing.preflight.streams import TooMuchError

PATH = "path"  # the operator of a run of path segments; its operand is the run as it stands
Operand = object  # float, bytes (a string), Name, list or dict
_REGULAR = rb"[^ \t\r\n\f\x00()<>\[\]{}/%]"
_TOKEN = re.compile(
    rb"""
    (?P<path>(?:(?:[-+]?[0-9.]++[ \r\n]++){0,6}+(?:re|[mlchvy])[ \r\n]++)++)
    |(?P<number>[-+]?[0-9.]++)(?!REGULAR)
    |(?P<name>/REGULAR*+)
    |(?P<string>\((?:[^()\\]++|\\.)*+\))
    |(?P<nested>\()
    |(?P<open><<|\[)
    |(?P<hex><[^<>]*+>)
    |(?P<close>>>|\])
    |(?P<comment>%[^\r\n]*+)
    |(?P<operator>REGULAR++)
    |(?P<junk>[^ \t\r\n\f\x00])
    """.replace(b"REGULAR", _REGULAR),
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_END_OF_IMAGE = re.compile(rb"[ \t\r\n\f\x00]EI(?=[ \t\r\n\f\x00]|$)")
_BRACKET = re.compile(rb"\\.|[()]", re.DOTALL)
_DEPTH = 30
_OPERANDS = 100_000


class Name(str):
    """A name, without its slash."""

    __slots__ = ()


def instructions(data: bytes) -> Iterator[tuple[str, list[Operand]]]:
    """Every operator with its operands; what makes no sense is passed over.

    Raises TooMuchError if one has more operands than any that is meant.
    """
    at = 0
    operands: list[Operand] = []
    outer: list[tuple[bytes, list[Operand]]] = []  # open arrays and dictionaries around
    while found := _TOKEN.search(data, at):
        at = found.end()
        kind, word = found.lastgroup, found.group()
        match kind:
            case "path":
                yield PATH, [word]
                operands = []
            case "number":
                operands.append(number(word))
            case "name":
                operands.append(_name(word))
            case "string":
                operands.append(_unescaped(word[1:-1]))
            case "nested":
                text, at = _nested(data, at)
                operands.append(text)
            case "hex":
                operands.append(_from_hex(word))
            case "open" if len(outer) < _DEPTH:
                outer.append((word, operands))
                operands = []
            case "close" if outer:
                opening, around = outer.pop()
                around.append(operands if opening == b"[" else _dictionary(operands))
                operands = around
            case "operator":
                name = word.decode("latin-1")
                if name in ("true", "false", "null"):
                    operands.append({"true": True, "false": False}.get(name))
                elif not outer:
                    if name == "ID":
                        end = _END_OF_IMAGE.search(data, at)
                        at = end.end() if end else len(data)
                    yield name, operands
                    operands = []
        if len(operands) > _OPERANDS:
            raise TooMuchError


def number(word: bytes) -> float:
    """What a word means as a number; 0 if it is none."""
    try:
        return float(word)
    except ValueError:
        return 0.0


def _name(word: bytes) -> Name:
    if b"#" in word:
        word = re.sub(rb"#([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), word)
    return Name(word[1:].decode("utf-8", "replace"))


def _unescaped(text: bytes) -> bytes:
    return _ESCAPE.sub(_meant, text) if b"\\" in text else text


def _meant(escape: re.Match[bytes]) -> bytes:
    code = escape[1]
    if code[0:1].isdigit() and code[0] < ord("8"):
        return bytes([int(code, 8) & 255])
    return b"" if code in (b"\n", b"\r", b"\r\n") else _ESCAPED.get(code, code)


def _nested(data: bytes, at: int) -> tuple[bytes, int]:
    """A string with brackets inside, from behind its opening bracket; and where it ends."""
    depth, start = 1, at
    for found in _BRACKET.finditer(data, start):
        depth += {b"(": 1, b")": -1}.get(found.group(), 0)
        if depth == 0:
            return _unescaped(data[start : found.start()]), found.end()
    return b"", len(data)


def _from_hex(word: bytes) -> bytes:
    digits = re.sub(rb"[^0-9A-Fa-f]", b"", word)
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())


def _dictionary(operands: list[Operand]) -> dict[str, Operand]:
    return {str(key): value for key, value in zip(operands[::2], operands[1::2], strict=False)}
