"""Pages of `coatl print`, rendered and cut: pieces, cards, sheets of the mat and of the rules."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from coatl_tools.cards.card import CardKind
from coatl_tools.cards.catalog import load_cards
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing.geometry import Path, invert_matrix, rectangle, translation
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Layouts, ThemeName
from coatl_tools.printing.mat.mat_geometry import MatGeometry, MatSheetName, load_mat_geometry
from coatl_tools.printing.paper.papers import SheetsLayout
from coatl_tools.printing.pdf_document import Placement, PrintPage
from coatl_tools.printing.pieces.piece_shapes import PieceShape, PiecesLayout
from coatl_tools.printing.print_spec import PrintSpec, build_printout, impose_part

Pixels = NDArray[np.uint8]
DPI = 240
PER_MM = DPI / 25.4
CARDS_A_SHEET = 9
SPARE = 1.5  # millimetres around a cut that are kept, for those who cut badly


@dataclass(frozen=True, eq=False)
class Cutout:
    """Something cut out of paper: its BGR pixels, and where it ends, in millimetres of its own.

    `corner` is the place of the first pixel's corner in those millimetres.
    """

    pixels: Pixels
    corner: tuple[float, float]
    outline: NDArray[np.float64]

    @property
    def to_mm(self) -> NDArray[np.float64]:
        """From pixel middles to its own millimetres."""
        half = 0.5 / PER_MM
        x, y = self.corner[0] + half, self.corner[1] + half
        return np.array([(1 / PER_MM, 0, x), (0, 1 / PER_MM, y), (0, 0, 1)])

    def mask(self, beyond: float = 0.0) -> Pixels:
        """Where there is paper, if the cut strays by so many millimetres outwards."""
        fine = 8  # bits of a pixel
        points = (self.outline - self.corner) * PER_MM - 0.5
        mask = np.zeros(self.pixels.shape[:2], np.uint8)
        corners = np.round(points * 2**fine).astype(np.int32)
        cv2.fillPoly(mask, [corners], (255,), cv2.LINE_AA, fine)
        size = 2 * round(abs(beyond) * PER_MM) + 1
        if size > 1:
            round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
            mask = np.asarray((cv2.dilate if beyond > 0 else cv2.erode)(mask, round_), np.uint8)
        return mask


@dataclass(frozen=True)
class Press:
    """What is printed: in a language, with a look, on a paper."""

    language: str = "en"
    theme: ThemeName = "full"
    paper: str = "a4"


@cache
def piece_shape() -> PieceShape:
    """The measures of the pieces."""
    return Layouts().load("pieces", PiecesLayout).shape


@cache
def card_ids() -> dict[CardKind, tuple[str, ...]]:
    """The cards of the game, by kind."""
    return {kind: tuple(c.id for c in load_cards() if c.kind is kind) for kind in CardKind}


@cache
def piece(press: Press, kind: PieceKind, colour: Colour) -> Cutout:
    """A piece, about the middle of its stem, from the first strip of its colour."""
    name, shape = f"strip-{colour.name}-head-tail", piece_shape()
    pages = _pages(press, "pieces")
    number, place = next(
        (n, placement)
        for n, page in enumerate(pages)
        for placement in page.placements
        if placement.face.key.startswith(name)
    )
    bodies = int(place.face.key.rsplit("-", 1)[1])
    index = {PieceKind.HEAD: 0, PieceKind.BODY: bodies // 2, PieceKind.TAIL: bodies + 1}[kind]
    middle = (shape.head + index * shape.pitch, shape.height / 2)
    return _cut(_rendered(press, "pieces", number), place, shape.outline(kind), middle)


@cache
def piece_back(press: Press) -> Cutout:
    """The back of a body segment."""
    pages, shape = _pages(press, "pieces"), piece_shape()
    place = pages[1].placements[0]
    middle = (shape.tail + 3 * shape.pitch, shape.height / 2)
    return _cut(_rendered(press, "pieces", 1), place, shape.outline(PieceKind.BODY), middle)


def card(press: Press, card_id: str, corner: float = 3.0) -> Cutout:
    """A card, about its middle."""
    plain = _cards(press, _numbers()[card_id] // CARDS_A_SHEET, "front")[f"card-{card_id}"]
    return replace(plain, outline=_rounded(plain.outline, corner))


def card_back(press: Press, kind: CardKind) -> Cutout:
    """The back of a card."""
    sheet = _numbers()[card_ids()[kind][-1]] // CARDS_A_SHEET
    plain = _cards(press, sheet, "back")[f"back-{kind.value}"]
    return replace(plain, outline=_rounded(plain.outline, 3.0))


@lru_cache(maxsize=5)
def mat(press: Press, name: MatSheetName) -> tuple[Cutout, MatGeometry]:
    """A sheet of the mat, from the corner of its panel, on all its paper.

    The right one of two is cut where it begins, as it says.
    """
    pages, geometry = _pages(press, "mat"), load_mat_geometry(name, Layouts())
    number = next(
        n for n, page in enumerate(pages) if f"mat-{name}-" in page.placements[0].face.key
    )
    place = pages[number].placements[0]
    face, margins = place.face, Layouts().load("sheets", SheetsLayout).page
    wide = face.width - 2 * margins.sides - geometry.width
    high = face.height - margins.top - margins.bottom - geometry.height
    panel = (margins.sides + wide / 2, margins.top + high / 2)
    left = 0.0 if name == "right" else -panel[0]
    outline = rectangle(left, -panel[1], face.width - panel[0] - left, face.height)
    return _cut(_rendered(press, "mat", number), place, outline, panel), geometry


@lru_cache(maxsize=4)
def rules(press: Press, number: int) -> Cutout:
    """A page of the rules, about its middle."""
    pages = _pages(press, "rules")
    number %= len(pages)
    place = pages[number].placements[0]
    width, height = place.face.width, place.face.height
    outline = rectangle(-width / 2, -height / 2, width, height)
    return _cut(_rendered(press, "rules", number), place, outline, (width / 2, height / 2))


def _rounded(corners: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """A rectangle about the origin, its corners rounded."""
    width, height = (float(size) for size in np.ptp(corners, axis=0))
    return np.array(rectangle(-width / 2, -height / 2, width, height, radius).flatten(4)[0])


@lru_cache(maxsize=12)
def _cards(press: Press, number: int, side: str) -> Mapping[str, Cutout]:
    """Cards of a sheet or two, with sharp corners: the next nine of the deck, all copies."""
    everything = _order(press).cards
    some = everything[number * CARDS_A_SHEET : (number + 1) * CARDS_A_SHEET]
    design = _order(press).design
    spec = PrintSpec(design, some, known_cards=everything, paper_name=press.paper)
    found: dict[str, Cutout] = {}
    for page in impose_part("cards", spec):
        new = [p for p in page.placements if p.face.key not in found and page.side == side]
        picture = _picture(press, page) if new else None
        for place in new:
            width, height = place.face.width, place.face.height
            outline = rectangle(-width / 2, -height / 2, width, height)
            if picture is not None:
                found[place.face.key] = _cut(picture, place, outline, (width / 2, height / 2))
    return found


def _cut(page: Pixels, place: Placement, outline: Path, middle: tuple[float, float]) -> Cutout:
    """What lies inside an outline about a point of a face, upright, with a little more around."""
    points = np.array(outline.flatten(4)[0])
    low, high = points.min(axis=0) - SPARE, points.max(axis=0) + SPARE
    to_page = place.matrix @ translation(*middle)
    ends = np.array([to_page(*low), to_page(*high)]) * PER_MM
    left, top = np.maximum(np.floor(ends.min(axis=0)), 0).astype(int)
    right, bottom = np.ceil(ends.max(axis=0)).astype(int)
    part = page[top:bottom, left:right]
    corners = [(left, top), (left + part.shape[1], top + part.shape[0])]
    own = np.array([invert_matrix(to_page)(x / PER_MM, y / PER_MM) for x, y in corners])
    pixels = np.ascontiguousarray(np.rot90(part, place.turn // 90))
    corner = own.min(axis=0)
    return Cutout(pixels, (float(corner[0]), float(corner[1])), points)


@cache
def _numbers() -> dict[str, int]:
    return {one.id: n for n, one in enumerate(load_cards())}


@cache
def _order(press: Press) -> PrintSpec:
    design = Design(load_language(press.language), press.theme)
    return PrintSpec(design, tuple(load_cards()), paper_name=press.paper)


@cache
def _pages(press: Press, part: str) -> tuple[PrintPage, ...]:
    return tuple(impose_part(part, _order(press)))


@lru_cache(maxsize=2)
def _rendered(press: Press, part: str, number: int) -> Pixels:
    return _picture(press, _pages(press, part)[number])


def _picture(press: Press, page: PrintPage) -> Pixels:
    """A page of a real PDF file, drawn by a real renderer."""
    order = _order(press)
    file = build_printout("page", "page", order.design, order.backs, [page])
    closing = contextlib.closing
    with closing(pypdfium2.PdfDocument(file.data)) as pdf, closing(pdf[0]) as sheet:
        return np.array(sheet.render(scale=DPI / 72).to_numpy()[:, :, :3], np.uint8)
