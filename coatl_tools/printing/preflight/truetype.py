"""An embedded TrueType program: which glyph a code shows, and the box of its outline.

Only what is asked for is looked up, so that a hostile font costs no more than a good one.
"""

from __future__ import annotations

import struct

Bounds = tuple[float, float, float, float]  # left, bottom, right, top in thousandths of the size
NOTHING: Bounds = (0, 0, 0, 0)  # of a space


class TrueType:
    """A font program; raises ValueError if it is none."""

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        try:
            self._tables = self._directory()
            head = self._table(b"head")
            self._unit = 1000 / (struct.unpack_from(">H", head, 18)[0] or 1000)
            self._long = struct.unpack_from(">h", head, 50)[0] == 1
            self._cmaps = self._subtables()
        except struct.error as error:
            raise ValueError(str(error)) from None

    def _directory(self) -> dict[bytes, tuple[int, int]]:
        if bytes(self._data[:4]) not in (b"\0\1\0\0", b"true"):
            raise ValueError("no TrueType outlines")
        count = struct.unpack_from(">H", self._data, 4)[0]
        rows = (struct.unpack_from(">4sIII", self._data, 12 + 16 * i) for i in range(count))
        return {tag: (offset, length) for tag, _, offset, length in rows}

    def _table(self, tag: bytes) -> memoryview:
        offset, length = self._tables.get(tag, (0, 0))
        return self._data[offset : offset + length]

    def _subtables(self) -> dict[tuple[int, int], memoryview]:
        cmap = self._table(b"cmap")
        if not cmap:
            return {}
        count = min(struct.unpack_from(">H", cmap, 2)[0], 32)
        rows = (struct.unpack_from(">HHI", cmap, 4 + 8 * i) for i in range(count))
        return {(platform, encoding): cmap[offset:] for platform, encoding, offset in rows}

    def glyph(self, code: int, character: str) -> int | None:
        """The glyph of a code of a simple font, or of its character; None if that is not told."""
        asked = {
            (3, 0): (code, 0xF000 + code),
            (1, 0): (code,),
            (3, 1): (ord(character),) if len(character) == 1 else (),
        }
        known = [place for place in asked if place in self._cmaps and asked[place]]
        if not known:
            return None
        found = (_glyph(self._cmaps[place], one) for place in known for one in asked[place])
        return next((glyph for glyph in found if glyph), 0)

    def is_missing(self, glyph: int) -> bool:
        """Whether a glyph is the one that stands for all that a font lacks, or looks like it."""
        return glyph == 0 or (
            bool(self._outline(glyph)) and self._outline(glyph) == self._outline(0)
        )

    def bounds(self, glyph: int) -> Bounds:
        """The box of a glyph's outline."""
        outline = self._outline(glyph)
        if len(outline) < 10:
            return NOTHING
        left, low, right, top = struct.unpack_from(">4h", outline, 2)
        unit = self._unit
        return left * unit, low * unit, right * unit, top * unit

    def _outline(self, glyph: int) -> memoryview:
        loca, glyf = self._table(b"loca"), self._table(b"glyf")
        size, form = (4, ">2I") if self._long else (2, ">2H")
        if size * (glyph + 2) > len(loca):
            return glyf[:0]
        begin, end = struct.unpack_from(form, loca, size * glyph)
        return glyf[begin:end] if self._long else glyf[2 * begin : 2 * end]


def _glyph(table: memoryview, code: int) -> int:
    """What a subtable of `cmap` says of a code; 0 if it knows none."""
    try:
        match struct.unpack_from(">H", table)[0]:
            case 0:
                return table[6 + code] if code < 256 else 0
            case 4:
                return _in_segments(table, code)
            case 6:
                first, count = struct.unpack_from(">HH", table, 6)
                if not first <= code < first + count:
                    return 0
                return int(struct.unpack_from(">H", table, 10 + 2 * (code - first))[0])
            case 12:
                return _in_groups(table, code)
    except (struct.error, IndexError):
        pass
    return 0


def _in_segments(table: memoryview, code: int) -> int:
    count = struct.unpack_from(">H", table, 6)[0] // 2
    for i in range(count if code < 0x10000 else 0):
        if code > struct.unpack_from(">H", table, 14 + 2 * i)[0]:
            continue
        at = 16 + 2 * count + 2 * i
        start, delta, offset = (
            struct.unpack_from(">H", table, at + 2 * count * row)[0] for row in range(3)
        )
        if code < start:
            return 0
        if not offset:
            return int((code + delta) % 0x10000)
        found = struct.unpack_from(">H", table, at + 4 * count + offset + 2 * (code - start))[0]
        return int((found + delta) % 0x10000) if found else 0
    return 0


def _in_groups(table: memoryview, code: int) -> int:
    count = min(struct.unpack_from(">I", table, 12)[0], (len(table) - 16) // 12)
    for i in range(count):
        first, last, glyph = struct.unpack_from(">3I", table, 16 + 12 * i)
        if first <= code <= last:
            return int(glyph + code - first)
    return 0


def read_truetype(data: bytes) -> TrueType | None:
    """A font program; None if it is broken or of another kind."""
    try:
        return TrueType(data)
    except ValueError:
        return None
