"""What lies where in a finished PDF: read from its content streams, in millimetres, y downwards."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2

MM = 72 / 25.4
Point = tuple[float, float]
Six = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Form:
    """A face on a page: the name of its form, and its corners as its drawing knows them.

    The corners begin at the top left one of the drawing and go round clockwise.
    """

    name: str
    corners: tuple[Point, ...]
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Side:
    """A page as it is in the file."""

    width: float
    height: float
    side: str
    forms: tuple[Form, ...]
    lines: tuple[tuple[Point, Point], ...]  # drawn on the page itself, not in a form
    trims: tuple[tuple[float, ...], ...]
    trim_box: tuple[float, ...]
    bleed_box: tuple[float, ...]


def read_sides(data: bytes | Path, bleed: float = 0) -> list[Side]:
    """All pages of a file whose faces are painted so far beyond their edges."""
    source = io.BytesIO(data) if isinstance(data, bytes) else data
    with pikepdf.open(source) as pdf:
        return [_side(page, bleed) for page in pdf.pages]


def _side(page: pikepdf.Page, bleed: float) -> Side:
    width, height = (float(value) / MM for value in page.mediabox[2:])

    def down(x: float, y: float) -> Point:
        return x / MM, height - y / MM

    forms, lines = [], []
    for kind, matrix, found in _walk(page, page.obj.Resources, (1, 0, 0, 1, 0, 0)):
        if kind == "form":
            name, box = found
            left, low, right, top = (float(v) for v in box)
            inner = (bleed + 0.1) * MM  # neighbours are painted over each other by a hair
            face = [(left + inner, top - inner), (right - inner, top - inner)]
            face += [(right - inner, low + inner), (left + inner, low + inner)]
            corners = tuple(down(*_map(matrix, *corner)) for corner in face)
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            forms.append(Form(name, corners, (min(xs), min(ys), max(xs), max(ys))))
        else:
            begin, end = found
            lines.append((down(*_map(matrix, *begin)), down(*_map(matrix, *end))))
    private = page.obj.PieceInfo.CoatlTools.Private
    trims = tuple(_box(thing.Trim, height) for thing in private.Things)
    return Side(
        width,
        height,
        str(private.Side).lstrip("/"),
        tuple(forms),
        tuple(lines),
        trims,
        _box(page.obj.TrimBox, height),
        _box(page.obj.BleedBox, height),
    )


def lines_of_form(data: bytes, page: int, name: str) -> list[tuple[Point, Point]]:
    """The straight lines inside a form, where they come to lie on the page."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        sheet = pdf.pages[page]
        height = float(sheet.mediabox[3]) / MM
        form = next(v for k, v in sheet.obj.Resources.XObject.items() if name in k)
        outer = next(
            matrix
            for kind, matrix, found in _walk(sheet, sheet.obj.Resources, (1, 0, 0, 1, 0, 0))
            if kind == "form" and name in found[0]
        )
        found = []
        for kind, matrix, line in _walk(form, form.get("/Resources"), outer):
            if kind == "line":
                a, b = (_map(matrix, *point) for point in line)
                found.append(((a[0] / MM, height - a[1] / MM), (b[0] / MM, height - b[1] / MM)))
        return found


def _walk(stream: Any, resources: Any, matrix: Six) -> Iterator[tuple[str, Six, Any]]:
    """Every form that is shown and every straight line that is drawn, with its matrix."""
    kept: list[Six] = []
    at: Point = (0, 0)
    for instruction in pikepdf.parse_content_stream(stream):
        operands: Any = instruction.operands
        match str(instruction.operator):
            case "q":
                kept.append(matrix)
            case "Q":
                matrix = kept.pop()
            case "cm":
                matrix = _times(tuple(float(v) for v in operands), matrix)  # type: ignore[arg-type]
            case "m":
                at = (float(operands[0]), float(operands[1]))
            case "l":
                end = (float(operands[0]), float(operands[1]))
                yield "line", matrix, (at, end)
                at = end
            case "Do":
                form = resources.XObject[str(operands[0])]
                yield "form", matrix, (str(operands[0]), list(form.BBox))


def _times(first: Six, then: Six) -> Six:
    a, b, c, d, e, f = first
    x, y = _map(then, e, f)
    return (
        a * then[0] + b * then[2],
        a * then[1] + b * then[3],
        c * then[0] + d * then[2],
        c * then[1] + d * then[3],
        x,
        y,
    )


def _map(matrix: Six, x: float, y: float) -> Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _box(values: Any, height: float) -> tuple[float, ...]:
    left, low, right, top = (float(v) / MM for v in values)
    return left, height - top, right, height - low


def find_letters(data: bytes, page: int) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Every character of a page and the box of its ink."""
    pdf = pypdfium2.PdfDocument(data)
    sheet = pdf[page]
    text, height = sheet.get_textpage(), sheet.get_height() / MM
    found = []
    for index in range(text.count_chars()):
        left, low, right, top = (v / MM for v in text.get_charbox(index))
        if char := text.get_text_range(index, 1).strip():
            found.append((char, (left, height - top, right, height - low)))
    pdf.close()
    return found


def map_to_back(point: Point, width: float, height: float, hint: str) -> Point:
    """Where on the back page a point lies that is seen through a point of the front page.

    The page is printed on an upright sheet; a wide one is turned a quarter for it, its back too.
    The printer then turns the sheet over about its long or its short edge.
    """
    wide = width > height
    x, y = (height - point[1], point[0]) if wide else point
    across, down = (height, width) if wide else (width, height)
    x, y = (across - x, y) if hint == "duplex-long" else (x, down - y)
    return (y, across - x) if wide else (x, y)
