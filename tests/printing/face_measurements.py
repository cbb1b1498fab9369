"""Measuring finished faces: what a real PDF program finds on them, in millimetres from the top."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import NamedTuple

import pypdfium2
from pypdfium2 import raw

from coatl_tools.printing.drawing.geometry import POINTS_PER_MM, Box
from coatl_tools.printing.items import Face
from tests.printing.sample_faces import make_pdf_of_faces


class Word(NamedTuple):
    text: str
    box: Box


def make_face_page(face: Face) -> pypdfium2.PdfPage:
    """The face alone on a page of its size."""
    return pypdfium2.PdfDocument(make_pdf_of_faces(face))[0]


def extract_text(face: Face) -> str:
    """All text, as a reader would select it."""
    text: str = make_face_page(face).get_textpage().get_text_range()
    return " ".join(text.split())


def measure_ink(face: Face) -> float:
    """How much of the paper is covered: 0 is none, 1 is all of it in black."""
    picture = make_face_page(face).render(scale=1.5).to_numpy()[..., :3]
    return float(1 - picture.mean() / 255)


def find_words(face: Face) -> list[Word]:
    """The words with their places: letters that stand close together on one line."""
    page = make_face_page(face)
    text, height = page.get_textpage(), page.get_height()
    found: list[list[tuple[str, float, float, float, float]]] = []
    for index in range(text.count_chars()):
        char = text.get_text_range(index, 1)
        if not char.strip():
            found.append([])
            continue
        box = text.get_charbox(index, loose=True)
        if (
            not found
            or not found[-1]
            or abs(found[-1][-1][2] - box[1]) > 1
            or box[0] - found[-1][-1][3] > 1
            or box[0] < found[-1][-1][1]
        ):
            found.append([])
        found[-1].append((char, *box))
    return [_word(letters, height) for letters in found if letters]


def _word(letters: list[tuple[str, float, float, float, float]], height: float) -> Word:
    chars, lefts, lows, rights, tops = zip(*letters, strict=True)
    left, top = min(lefts), height - max(tops)
    right, low = max(rights), height - min(lows)
    return Word(
        "".join(chars),
        Box(
            left / POINTS_PER_MM,
            top / POINTS_PER_MM,
            (right - left) / POINTS_PER_MM,
            (low - top) / POINTS_PER_MM,
        ),
    )


def find_foregrounds(face: Face) -> Iterator[Box]:
    """What everything covers that is no background."""
    page = make_face_page(face)
    height = page.get_height()
    for thing in page.get_objects():
        if thing.type == raw.FPDF_PAGEOBJ_FORM or "Artifact" in _marks(thing):
            continue
        corners, wider = _corners(thing)
        container = thing.container
        while container is not None:
            matrix = container.get_matrix()
            corners = [matrix.on_point(*corner) for corner in corners]
            container = container.container
        xs, ys = (
            [x / POINTS_PER_MM for x, _ in corners],
            [(height - y) / POINTS_PER_MM for _, y in corners],
        )
        box = Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        yield box.inset(-wider / POINTS_PER_MM)


def _corners(thing: pypdfium2.PdfObject) -> tuple[list[tuple[float, float]], float]:
    """The points of a path and half the width of its line; the corners of anything else."""
    if thing.type != raw.FPDF_PAGEOBJ_PATH:
        left, low, right, top = thing.get_bounds()
        return [(left, low), (right, low), (left, top), (right, top)], 0
    x, y, width = ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    matrix = thing.get_matrix()
    points = []
    for index in range(raw.FPDFPath_CountSegments(thing)):
        raw.FPDFPathSegment_GetPoint(raw.FPDFPath_GetPathSegment(thing, index), x, y)
        points.append(matrix.on_point(x.value, y.value))
    mode, stroked = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(thing, mode, stroked)
    raw.FPDFPageObj_GetStrokeWidth(thing, width)
    return points, width.value / 2 if stroked.value else 0


def _marks(thing: pypdfium2.PdfObject) -> set[str]:
    """The names of the marks around an object of a page."""
    names = set()
    for index in range(raw.FPDFPageObj_CountMarks(thing)):
        buffer, length = (ctypes.c_ushort * 40)(), ctypes.c_ulong()
        mark = raw.FPDFPageObj_GetMark(thing, index)
        raw.FPDFPageObjMark_GetName(mark, buffer, ctypes.sizeof(buffer), length)
        names.add(bytes(buffer)[: length.value].decode("utf-16-le").rstrip("\0"))
    return names
