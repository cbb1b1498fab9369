"""The fonts of a PDF file: what their codes mean, how wide they are, which outlines they show.

It only reads; whether every font is embedded is checked in `file_checks.py`.
Of an embedded TrueType program only what is asked for is looked up, so that a hostile font costs
no more than a good one.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import pikepdf

from coatl_tools.printing.preflight.pdf_reader import (
    list_items,
    read_number,
    read_numbers,
    read_stream,
)

GlyphBox = tuple[float, float, float, float]  # left, bottom, right, top in 1/1000 of the size
MISSING = "\N{WHITE SQUARE}"  # stands for a letter that a font lacks
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_SECTION = re.compile(rb"begin(bfchar|bfrange)(.*?)end\1", re.DOTALL)
_HEX = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")
_PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
_MOST_BYTES = 20_000_000  # of a font program
_MOST_CODES = 70_000
_USUAL_WIDTH = 500.0  # of a glyph of which nothing is known, in 1/1000 of the size


@dataclass(frozen=True, slots=True)
class PdfGlyph:
    """What a code shows."""

    text: str
    width: float
    box: GlyphBox
    missing: bool
    is_space: bool  # of one byte: word spacing is added to it


@dataclass(frozen=True, eq=False)
class PdfFont:
    """A font of a file. `kind` is its subtype, `bytes_each` the length of its codes."""

    name: str
    kind: str
    embedded: bool
    subset: bool
    readable: bool  # its texts can be selected and searched
    bytes_each: int
    glyph: Callable[[int], PdfGlyph]

    def glyphs(self, text: bytes) -> Iterator[PdfGlyph]:
        """Iterate over what a string shows."""
        step = self.bytes_each
        for at in range(0, len(text) - step + 1, step):
            yield self.glyph(int.from_bytes(text[at : at + step]))


def read_font(obj: pikepdf.Object) -> PdfFont:
    """Read a font; anything broken in it counts as missing."""
    kind = str(obj.get("/Subtype", "")).removeprefix("/")
    composite = kind == "Type0"
    inner = _get_descendant(obj) if composite else obj
    descriptor = inner.get("/FontDescriptor")
    descriptor = descriptor if isinstance(descriptor, pikepdf.Dictionary) else pikepdf.Dictionary()
    name = str(obj.get("/BaseFont", descriptor.get("/FontName", ""))).removeprefix("/")
    files = [file for key in _PROGRAMS if isinstance(file := descriptor.get(key), pikepdf.Stream)]
    program = read_truetype(read_stream(files[0], _MOST_BYTES)) if files else None
    width_of = _read_cid_widths(inner) if composite else _read_widths(inner, descriptor)
    table = obj.get("/ToUnicode")
    texts = _read_to_unicode(table) if isinstance(table, pikepdf.Stream) else {}
    encoding = obj.get("/Encoding", "")
    named = isinstance(encoding, pikepdf.Dictionary)  # glyphs are chosen by name
    identity = str(encoding).startswith("/Identity")
    codec = "mac_roman" if "MacRoman" in str(encoding) else "cp1252"
    low = read_number(descriptor, "/Descent", 0) or -220.0
    high = read_number(descriptor, "/Ascent", 0) or 750.0

    def choose_glyph(code: int, text: str) -> int | None:
        if composite:
            return _map_cid(inner, code) if identity else None
        return None if program is None or named else program.find_glyph(code, text)

    @lru_cache(maxsize=_MOST_CODES)
    def read_glyph(code: int) -> PdfGlyph:
        text = texts.get(code)
        if text is None:
            text = "" if composite else bytes([code]).decode(codec, "replace")
        width, box, missing = width_of(code), None, "\ufffd" in text
        glyph = choose_glyph(code, text)
        if glyph is not None:
            missing |= glyph == 0 if program is None else program.is_missing(glyph)
            box = None if program is None else program.measure_glyph(glyph)
        return PdfGlyph(
            text=MISSING if missing else text,
            width=width,
            box=(0.0, low, width, high) if box is None else box,
            missing=missing,
            is_space=code == 32 and not composite,
        )

    return PdfFont(
        name=name or kind,
        kind=kind,
        embedded=bool(files),
        subset=bool(_SUBSET.match(name)),
        readable=bool(texts) or (not composite and not _SUBSET.match(name)),
        bytes_each=2 if composite else 1,
        glyph=read_glyph,
    )


def _get_descendant(font: pikepdf.Object) -> pikepdf.Object:
    found = list_items(font.get("/DescendantFonts"))
    return found[0] if found and isinstance(found[0], pikepdf.Dictionary) else pikepdf.Dictionary()


def _read_widths(font: pikepdf.Object, descriptor: pikepdf.Object) -> Callable[[int], float]:
    first = int(read_number(font, "/FirstChar", 0))
    widths = read_numbers(font.get("/Widths"))
    usual = read_number(descriptor, "/MissingWidth", _USUAL_WIDTH)
    return lambda code: widths[code - first] if 0 <= code - first < len(widths) else usual


def _read_cid_widths(font: pikepdf.Object) -> Callable[[int], float]:
    usual = read_number(font, "/DW", 1000)
    known: dict[int, float] = {}
    items = list_items(font.get("/W"))
    at = codes = 0
    while at + 1 < len(items) and codes < _MOST_CODES:
        if isinstance(items[at + 1], pikepdf.Array):  # a code, and the widths from there on
            start = read_numbers([items[at]])
            widths = read_numbers(items[at + 1])
            known |= enumerate(widths, int(start[0]) if start else 0)
            at, codes = at + 2, codes + len(widths)
        else:  # two codes, and the width of all between them
            values = read_numbers(items[at : at + 3])
            if len(values) == 3:
                first, last = max(0, int(values[0])), min(int(values[1]), 65535)
                known |= dict.fromkeys(range(first, last + 1), values[2])
                codes += max(0, last + 1 - first)
            at += 3
    return lambda code: known.get(code, usual)


def _map_cid(font: pikepdf.Object, cid: int) -> int:
    table = font.get("/CIDToGIDMap")
    if not isinstance(table, pikepdf.Stream):
        return cid
    return int.from_bytes(read_stream(table, 200_000)[2 * cid : 2 * cid + 2])


def _read_to_unicode(table: pikepdf.Object) -> dict[int, str]:
    """Read the texts of codes out of a ToUnicode table."""
    found: dict[int, str] = {}
    codes = 0
    for kind, body in _SECTION.findall(read_stream(table, 2_000_000)):
        words = _HEX.findall(body)
        if kind == b"bfchar":
            pairs = zip(words[::2], words[1::2], strict=False)
            found |= {_parse_code(code): _parse_text(text) for (code, *_), (text, *_) in pairs}
            continue
        at = 0
        while at + 2 < len(words) and codes < _MOST_CODES:
            first, last = _parse_code(words[at][0]), min(_parse_code(words[at + 1][0]), 65535)
            if words[at + 2][1]:  # a list of texts
                at += 3
                while at < len(words) and not words[at][2]:
                    found[first] = _parse_text(words[at][0])
                    first, at = first + 1, at + 1
                at += 1
                continue
            text = _parse_text(words[at + 2][0])
            for more in range(last + 1 - first):
                last_character = chr(min(ord(text[-1]) + more, 0x10FFFF)) if text else ""
                found[first + more] = text[:-1] + last_character
            at, codes = at + 3, codes + max(0, last + 1 - first)
    return found


def _parse_code(digits: bytes) -> int:
    return int(re.sub(rb"\s", b"", digits) or b"0", 16) & 0xFFFFFFFF


def _parse_text(digits: bytes) -> str:
    digits = re.sub(rb"\s", b"", digits)
    return bytes.fromhex(digits[: len(digits) // 4 * 4].decode()).decode("utf-16-be", "replace")


class TrueTypeProgram:
    """An embedded font program; raises ValueError if it is none."""

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        if data[:4] not in (b"\0\1\0\0", b"true"):
            raise ValueError("no TrueType outlines")
        try:
            count = struct.unpack_from(">H", data, 4)[0]
            rows = (struct.unpack_from(">4sIII", data, 12 + 16 * i) for i in range(count))
            self._tables = {tag: (offset, length) for tag, _, offset, length in rows}
            head = self._get_table(b"head")
            self._unit = 1000 / (struct.unpack_from(">H", head, 18)[0] or 1000)
            self._long = struct.unpack_from(">h", head, 50)[0] == 1
            self._code_tables = self._read_code_tables()
        except struct.error as error:
            raise ValueError(str(error)) from None

    def _get_table(self, tag: bytes) -> memoryview:
        offset, length = self._tables.get(tag, (0, 0))
        return self._data[offset : offset + length]

    def _read_code_tables(self) -> dict[tuple[int, int], memoryview]:
        cmap = self._get_table(b"cmap")
        if not cmap:
            return {}
        count = min(struct.unpack_from(">H", cmap, 2)[0], 32)
        rows = (struct.unpack_from(">HHI", cmap, 4 + 8 * i) for i in range(count))
        return {(platform, encoding): cmap[offset:] for platform, encoding, offset in rows}

    def find_glyph(self, code: int, character: str) -> int | None:
        """Find the glyph of a simple font's code or character; None if the font does not say."""
        asked = {
            (3, 0): (code, 0xF000 + code),
            (1, 0): (code,),
            (3, 1): (ord(character),) if len(character) == 1 else (),
        }
        known = [table for table in asked if table in self._code_tables and asked[table]]
        if not known:
            return None
        found = (_look_up(self._code_tables[table], one) for table in known for one in asked[table])
        return next((glyph for glyph in found if glyph), 0)

    def is_missing(self, glyph: int) -> bool:
        """Tell whether a glyph is the one for missing characters, or looks like it."""
        outline = self._get_outline(glyph)
        return glyph == 0 or (bool(outline) and outline == self._get_outline(0))

    def measure_glyph(self, glyph: int) -> GlyphBox:
        """Measure the box of a glyph's outline; that of a space has no size."""
        outline = self._get_outline(glyph)
        if len(outline) < 10:
            return 0, 0, 0, 0
        left, low, right, top = struct.unpack_from(">4h", outline, 2)
        unit = self._unit
        return left * unit, low * unit, right * unit, top * unit

    def _get_outline(self, glyph: int) -> memoryview:
        places, outlines = self._get_table(b"loca"), self._get_table(b"glyf")
        size, form, unit = (4, ">2I", 1) if self._long else (2, ">2H", 2)
        if size * (glyph + 2) > len(places):
            return outlines[:0]
        begin, end = struct.unpack_from(form, places, size * glyph)
        return outlines[unit * begin : unit * end]


def _look_up(table: memoryview, code: int) -> int:
    """Look a code up in a subtable of `cmap`; 0 if it is not there."""
    try:
        match struct.unpack_from(">H", table)[0]:
            case 0:
                return table[6 + code] if code < 256 else 0
            case 4:
                return _look_up_segment(table, code)
            case 6:
                first, count = struct.unpack_from(">HH", table, 6)
                if not first <= code < first + count:
                    return 0
                return int(struct.unpack_from(">H", table, 10 + 2 * (code - first))[0])
            case 12:
                return _look_up_group(table, code)
    except (struct.error, IndexError):
        pass
    return 0


def _look_up_segment(table: memoryview, code: int) -> int:
    count = struct.unpack_from(">H", table, 6)[0] // 2
    for i in range(count if code < 0x10000 else 0):
        if code > struct.unpack_from(">H", table, 14 + 2 * i)[0]:
            continue
        at = 16 + 2 * count + 2 * i
        rows = (struct.unpack_from(">H", table, at + 2 * count * row)[0] for row in range(3))
        start, delta, offset = rows
        if code < start:
            return 0
        if not offset:
            return int((code + delta) % 0x10000)
        found = struct.unpack_from(">H", table, at + 4 * count + offset + 2 * (code - start))[0]
        return int((found + delta) % 0x10000) if found else 0
    return 0


def _look_up_group(table: memoryview, code: int) -> int:
    count = min(struct.unpack_from(">I", table, 12)[0], (len(table) - 16) // 12)
    for i in range(count):
        first, last, glyph = struct.unpack_from(">3I", table, 16 + 12 * i)
        if first <= code <= last:
            return int(glyph + code - first)
    return 0


def read_truetype(data: bytes) -> TrueTypeProgram | None:
    """Read a font program; None if it is broken or of another kind."""
    try:
        return TrueTypeProgram(data)
    except ValueError:
        return None
