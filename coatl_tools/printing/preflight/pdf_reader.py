"""Read objects and pages of a PDF file that somebody may have damaged, or made to do harm."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import pikepdf

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM, Matrix
from coatl_tools.printing.drawing.pdf_tags import PIECE_INFO_KEY

PdfBox = tuple[float, float, float, float]  # left, bottom, right, top in points
_MOST_BLEED = 15 * POINTS_PER_MM  # a form that reaches further beyond a cut-out is not its drawing
_DEEPEST_PAGE_TREE = 21


class WorkLimitError(Exception):
    """A file that would take too long, or too much memory."""


@dataclass
class WorkBudget:
    """The work that may be spent on one file; raises WorkLimitError when it is used up."""

    steps: int = 1_000_000  # operators, of four words each, and letters
    points: int = 20_000_000  # of items, also of those that are only moved
    rendering: int = 20_000_000  # operators that a renderer follows in forms
    bytes: int = 40_000_000

    def spend(self, steps: int = 0, points: int = 0, rendering: int = 0, size: int = 0) -> None:
        """Spend some of the budget; raises WorkLimitError when it is used up."""
        self.steps -= steps
        self.points -= points
        self.rendering -= rendering
        self.bytes -= size
        if min(self.steps, self.points, self.rendering, self.bytes) < 0:
            raise WorkLimitError


def format_mm(points: float) -> str:
    """Write a length in points as millimetres."""
    return f"{points / POINTS_PER_MM:.2f} mm"


def read_stream(stream: pikepdf.Object, most: int) -> bytes:
    """Unpack a stream; empty if it is broken, WorkLimitError beyond `most` bytes."""
    try:
        filters = stream.get("/Filter")
        names = [
            str(name) for name in list_items(filters) or ([] if filters is None else [filters])
        ]
        plain = stream.get("/DecodeParms") is None
        if plain and set(names) <= {"/ASCII85Decode", "/FlateDecode"} and len(names) <= 2:
            data = bytes(stream.read_raw_bytes())
            for name in names:
                data = _decode_ascii85(data) if name == "/ASCII85Decode" else _inflate(data, most)
        elif len(stream.read_raw_bytes()) < most // 50:  # filters that nobody uses for drawings
            data = bytes(stream.read_bytes())
        else:
            data = b""
    except (pikepdf.PdfError, ValueError, zlib.error, RuntimeError, TypeError):
        return b""
    if len(data) > most:
        raise WorkLimitError
    return data


def _decode_ascii85(data: bytes) -> bytes:
    with pikepdf.new() as scratch:
        stream = scratch.make_stream(data, Filter=pikepdf.Name.ASCII85Decode)
        return bytes(stream.read_bytes())


def _inflate(data: bytes, most: int) -> bytes:
    """Inflate at most one byte more than allowed, so that a small file cannot fill the memory."""
    return zlib.decompressobj().decompress(data, most + 1)


def read_numbers(values: object) -> list[float]:
    """Read the numbers of an array, bounded; nothing if one of its values is no number."""
    if not isinstance(values, pikepdf.Array | list):
        return []
    try:
        return [max(-1e7, min(1e7, float(value))) for value in values]
    except (TypeError, ValueError, ArithmeticError):
        return []


def read_number(owner: pikepdf.Object, key: str, default: float) -> float:
    """Read a number of a dictionary; the default if it is not there, or no number."""
    found = read_numbers([owner.get(key, default)])
    return found[0] if found else default


def read_matrix(values: object) -> Matrix:
    """Read six numbers as a map; the identity if they are missing."""
    found = read_numbers(values)
    return Matrix(*found) if len(found) == 6 else Matrix()


def read_box(values: object) -> PdfBox | None:
    """Read four numbers as a box; None if they are not there."""
    found = read_numbers(values)
    if len(found) != 4:
        return None
    x0, y0, x1, y1 = found
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def intersect_boxes(one: PdfBox, other: PdfBox) -> PdfBox:
    """Return the intersection of two boxes; its left is beyond its right if it is empty."""
    low = max(one[0], other[0]), max(one[1], other[1])
    return *low, min(one[2], other[2]), min(one[3], other[3])


def map_box(matrix: Matrix, box: PdfBox) -> PdfBox:
    """Return the bounding box of a mapped box."""
    x0, y0, x1, y1 = box
    points = [matrix(x, y) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def get_dictionary(owner: object, key: str) -> pikepdf.Object | None:
    """Look up a dictionary or stream in another one; None if there is none."""
    if not isinstance(owner, pikepdf.Dictionary | pikepdf.Stream):
        return None
    found = owner.get(key)
    return found if isinstance(found, pikepdf.Dictionary | pikepdf.Stream) else None


def get_inherited(page: pikepdf.Object, key: str) -> pikepdf.Object | None:
    """Look up an entry of a page, or of the nearest node of the page tree that has it."""
    node: pikepdf.Object | None = page
    for _ in range(_DEEPEST_PAGE_TREE):
        if node is None or key in node:
            break
        node = get_dictionary(node, "/Parent")
    return None if node is None else node.get(key)


def list_items(values: object) -> list[pikepdf.Object]:
    """List the values of an array; nothing if it is none."""
    return list(values) if isinstance(values, pikepdf.Array) else []


@dataclass(frozen=True)
class CutOut:
    """Something that is cut out: where, and the margin that only its background may enter."""

    name: str
    trim: PdfBox
    safe: float

    def covers(self, paper: PdfBox) -> bool:
        """Tell whether it is the whole page, so that nothing is cut."""
        return all(abs(a - b) < POINTS_PER_MM for a, b in zip(self.trim, paper, strict=True))

    def is_drawn_by(self, box: PdfBox) -> bool:
        """Tell whether a form with this box draws it: the trim with an even margin around."""
        left, low, right, top = self.trim
        around = (left - box[0], low - box[1], box[2] - right, box[3] - top)
        return min(around) > -0.3 and max(around) < _MOST_BLEED and max(around) - min(around) < 0.3


@dataclass(frozen=True)
class CheckedPage:
    """A page as its dictionary describes it; its number counts from 1."""

    number: int
    paper: PdfBox
    trim: PdfBox | None
    bleed: PdfBox | None
    crop: PdfBox | None
    turned: bool
    unit: float  # points in a unit of the page
    ours: bool  # whether the file says what is cut out of it
    cut_outs: tuple[CutOut, ...]
    adjusted: Matrix  # what a printer profile has done to the content

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimetres."""
        left, low, right, top = self.paper
        return (right - left) * self.unit / POINTS_PER_MM, (top - low) * self.unit / POINTS_PER_MM


def read_page(number: int, page: pikepdf.Page) -> CheckedPage | None:
    """Read the boxes of a page, and what is cut out of it; None if it has no size."""
    obj = page.obj
    paper = read_box(get_inherited(obj, "/MediaBox"))
    if paper is None or paper[0] >= paper[2] or paper[1] >= paper[3]:
        return None
    unit = read_number(obj, "/UserUnit", 1)
    info = get_dictionary(get_dictionary(obj, "/PieceInfo"), f"/{PIECE_INFO_KEY}")
    private = get_dictionary(info, "/Private")
    return CheckedPage(
        number=number,
        paper=paper,
        trim=read_box(obj.get("/TrimBox")),
        bleed=read_box(obj.get("/BleedBox")),
        crop=read_box(obj.get("/CropBox")),
        turned=int(read_number(obj, "/Rotate", 0)) % 360 != 0,
        unit=unit if unit > 0 else 1.0,
        ours=info is not None,
        cut_outs=() if private is None else tuple(_read_cut_outs(private)),
        adjusted=Matrix() if private is None else read_matrix(private.get("/Adjusted")),
    )


def _read_cut_outs(private: pikepdf.Object) -> list[CutOut]:
    found = []
    for item in list_items(private.get("/Things")):
        trim = read_box(item.get("/Trim")) if isinstance(item, pikepdf.Dictionary) else None
        if trim is not None:
            safe = read_number(item, "/Safe", 0)
            found.append(CutOut(str(item.get("/Name", "")), trim, safe))
    return found
