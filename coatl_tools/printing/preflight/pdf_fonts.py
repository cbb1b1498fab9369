"""A font as a PDF file has it: what its codes mean, how wide they are, and whether it is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import pikepdf

from coatl_tools.printing.preflight.streams import numbers_of, stream_bytes
from coatl_tools.printing.preflight.truetype import Bounds, TrueType, read_truetype

MISSING = "\N{WHITE SQUARE}"  # stands for a letter that a font lacks
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_SECTION = re.compile(rb"begin(bfchar|bfrange)(.*?)end\1", re.DOTALL)
_HEX = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")
_LARGEST = 20_000_000  # bytes of a font program
_USUAL = 500.0  # width of a glyph of which nothing is known, in thousandths of the size


@dataclass(frozen=True, slots=True)
class Glyph:
    """What a code shows."""

    text: str
    width: float
    bounds: Bounds
    missing: bool
    is_space: bool  # of one byte: word spacing is added to it


@dataclass(frozen=True, eq=False)
class Font:
    """A font of a file. `kind` is its subtype, `bytes_each` the length of its codes."""

    name: str
    kind: str
    embedded: bool
    subset: bool
    readable: bool  # its texts can be selected and searched
    bytes_each: int
    glyph: Callable[[int], Glyph]

    def glyphs(self, text: bytes) -> Iterator[Glyph]:
        """What a string shows."""
        step = self.bytes_each
        for at in range(0, len(text) - step + 1, step):
            yield self.glyph(int.from_bytes(text[at : at + step]))


def read_font(obj: pikepdf.Object) -> Font:
    """A font; what is broken in it is taken as not being there."""
    kind = str(obj.get("/Subtype", "")).removeprefix("/")
    composite = kind == "Type0"
    inner = _descendant(obj) if composite else obj
    descriptor = inner.get("/FontDescriptor")
    descriptor = descriptor if isinstance(descriptor, pikepdf.Dictionary) else pikepdf.Dictionary()
    name = str(obj.get("/BaseFont", descriptor.get("/FontName", ""))).removeprefix("/")
    file = next(
        (
            found
            for key in ("/FontFile", "/FontFile2", "/FontFile3")
            if isinstance(found := descriptor.get(key), pikepdf.Stream)
        ),
        None,
    )
    program = None if file is None else read_truetype(stream_bytes(file, _LARGEST))
    widths = _cid_widths(inner) if composite else _simple_widths(inner, descriptor)
    to_unicode = obj.get("/ToUnicode")
    meanings = (
        _meanings(stream_bytes(to_unicode, 2_000_000))
        if isinstance(to_unicode, pikepdf.Stream)
        else {}
    )
    codec = "mac_roman" if "MacRoman" in str(obj.get("/Encoding", "")) else "cp1252"
    tall = _tall(descriptor)
    named = isinstance(obj.get("/Encoding"), pikepdf.Dictionary)  # glyphs are chosen by name

    identity = str(obj.get("/Encoding", "")).startswith("/Identity")

    def choose(code: int, text: str) -> int | None:
        if composite:
            return _glyph_of_cid(inner, code) if identity else None
        return None if program is None or named else program.glyph(code, text)

    @lru_cache(maxsize=70_000)
    def glyph(code: int) -> Glyph:
        text = meanings.get(code)
        if text is None:
            text = "" if composite else bytes([code]).decode(codec, "replace")
        width = widths(code)
        chosen = choose(code, text)
        missing = "\ufffd" in text or (
            chosen is not None
            and (program.is_missing(chosen) if program is not None else chosen == 0)
        )
        bounds = _bounds(program, chosen, width, tall)
        is_space = code == 32 and not composite
        return Glyph(MISSING if missing else text, width, bounds, missing, is_space)

    return Font(
        name=name or kind,
        kind=kind,
        embedded=file is not None,
        subset=bool(_SUBSET.match(name)),
        readable=bool(meanings) or (not composite and not _SUBSET.match(name)),
        bytes_each=2 if composite else 1,
        glyph=glyph,
    )


def _descendant(obj: pikepdf.Object) -> pikepdf.Object:
    found = obj.get("/DescendantFonts")
    if isinstance(found, pikepdf.Array) and len(found) and isinstance(found[0], pikepdf.Dictionary):
        return found[0]
    return pikepdf.Dictionary()


def _bounds(
    program: TrueType | None, chosen: int | None, width: float, tall: tuple[float, float]
) -> Bounds:
    if program is not None and chosen is not None:
        return program.bounds(chosen)
    return 0.0, tall[0], width, tall[1]


def _tall(descriptor: pikepdf.Object) -> tuple[float, float]:
    """How deep and how high letters reach, as far as the file tells."""
    low, high = (numbers_of([descriptor.get(key, 0)]) for key in ("/Descent", "/Ascent"))
    return (low[0] if low else 0) or -220.0, (high[0] if high else 0) or 750.0


def _simple_widths(font: pikepdf.Object, descriptor: pikepdf.Object) -> Callable[[int], float]:
    first = numbers_of([font.get("/FirstChar", 0)])
    widths = numbers_of(font.get("/Widths"))
    usual = numbers_of([descriptor.get("/MissingWidth", _USUAL)])
    begin = int(first[0]) if first else 0

    def width(code: int) -> float:
        if 0 <= code - begin < len(widths):
            return widths[code - begin]
        return usual[0] if usual else _USUAL

    return width


def _cid_widths(font: pikepdf.Object) -> Callable[[int], float]:
    usual = numbers_of([font.get("/DW", 1000)])
    known: dict[int, float] = {}
    rows = font.get("/W")
    items = list(rows) if isinstance(rows, pikepdf.Array) else []
    at = 0
    while at + 1 < len(items) and len(known) < 70_000:
        start = numbers_of([items[at]])
        if isinstance(items[at + 1], pikepdf.Array):
            for i, value in enumerate(numbers_of(items[at + 1])):
                known[int(start[0] if start else 0) + i] = value
            at += 2
        else:
            values = numbers_of(items[at : at + 3])
            if len(values) == 3:
                last = min(int(values[1]), 65535)
                known |= dict.fromkeys(range(max(0, int(values[0])), last + 1), values[2])
            at += 3
    return lambda code: known.get(code, usual[0] if usual else 1000.0)


def _glyph_of_cid(font: pikepdf.Object, cid: int) -> int:
    table = font.get("/CIDToGIDMap")
    if not isinstance(table, pikepdf.Stream):
        return cid
    data = stream_bytes(table, 200_000)
    return int.from_bytes(data[2 * cid : 2 * cid + 2])


def _meanings(data: bytes) -> dict[int, str]:
    """The texts of codes, out of a ToUnicode table."""
    found: dict[int, str] = {}
    for kind, body in _SECTION.findall(data):
        words = _HEX.findall(body)
        if kind == b"bfchar":
            codes = [word for word, *_ in words]
            found |= {
                _code(code): _text(text)
                for code, text in zip(codes[::2], codes[1::2], strict=False)
            }
            continue
        at = 0
        while at + 2 < len(words) and len(found) < 70_000:
            first, last = _code(words[at][0]), min(_code(words[at + 1][0]), 65535)
            if words[at + 2][1]:  # a list of texts
                at += 3
                while at < len(words) and not words[at][2]:
                    found[first] = _text(words[at][0])
                    first, at = first + 1, at + 1
                at += 1
                continue
            text = _text(words[at + 2][0])
            for code in range(first, last + 1):
                found[code] = (
                    text[:-1] + chr(min(ord(text[-1]) + code - first, 0x10FFFF)) if text else ""
                )
            at += 3
    return found


def _code(digits: bytes) -> int:
    return int(re.sub(rb"\s", b"", digits) or b"0", 16) & 0xFFFFFFFF


def _text(digits: bytes) -> str:
    digits = re.sub(rb"\s", b"", digits)
    return bytes.fromhex(digits[: len(digits) // 4 * 4].decode()).decode("utf-16-be", "replace")
