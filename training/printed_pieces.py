"""What `coatl print` makes, as pictures: pieces to lay as Cóatls, and cards to lie beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.photo_simulation import render_face
from coatl_tools.cards.catalog import load_cards
from coatl_tools.components.components_file import load_components
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.cards.card_front import make_card_items
from coatl_tools.printing.drawing.geometry import Path
from coatl_tools.printing.items import Design, Face
from coatl_tools.printing.pieces.piece_items import make_single_pieces
from training.piece_shapes import HALF_HEIGHT, HALF_WIDTH, SHAPE_PIXELS_PER_MM, fill_shape

Floats = NDArray[np.float32]
InkStyle = Literal["full", "low-ink"]
CARD_PIXELS_PER_MM = 5  # pixels a millimetre
_CARD_IDS: dict[int, str] = {}  # by the pictures of fronts, which are made once


@dataclass(frozen=True)
class PieceTile:
    """A printed piece: where it is, and its colours in linear light."""

    mask: NDArray[np.uint8]
    colours: Floats


def _to_linear(picture: NDArray[np.uint8]) -> Floats:
    return np.asarray((picture / 255.0) ** 2.2, np.float32)


def _render_face(face: Face, scale: float) -> NDArray[np.uint8]:
    return render_face(face, scale * 25.4)


def _make_mask(outline: Path) -> NDArray[np.uint8]:
    """Make an outline about the middle of the stem; paths run downwards, rasters of solids
    upwards.
    """
    return fill_shape([(x, -y) for x, y in outline.flatten()[0]])


@cache
def render_tiles(look: InkStyle) -> tuple[float, dict[tuple[PieceKind, Colour], PieceTile]]:
    """Render the pitch of printed pieces, and each of them."""
    design = Design(load_language("en"), look)
    shape = design.piece_shape
    made = {}
    for piece in make_single_pieces(design, load_components(), golden=False):
        if piece.colour is None:
            continue
        outline = shape.outline(piece.kind)
        left, top, *_ = outline.bounds
        picture = _render_face(piece.face, SHAPE_PIXELS_PER_MM)
        rows, columns = (
            round(2 * half * SHAPE_PIXELS_PER_MM) for half in (HALF_HEIGHT, HALF_WIDTH)
        )
        colours = np.zeros((rows, columns, 3), np.float32)
        row = round((HALF_HEIGHT + top) * SHAPE_PIXELS_PER_MM)
        column = round((HALF_WIDTH + left) * SHAPE_PIXELS_PER_MM)
        high, wide = picture.shape[:2]
        colours[row : row + high, column : column + wide] = _to_linear(picture)
        made[piece.kind, piece.colour] = PieceTile(_make_mask(outline), colours)
    return shape.pitch, made


@cache
def render_cards() -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
    """Fronts of some printed cards, and all backs, in linear light."""
    design = Design(load_language("en"))
    deck = load_cards().deck(promo=True)
    items = make_card_items(
        design, deck, "poker", load_marks_layout(design.layouts).assign_numbers(deck)
    )
    fronts = {item.name: item.front for item in items[::3]}
    backs = {item.back.key: item.back for item in items if item.back is not None}
    pictures = _render_faces(fronts.values())
    _CARD_IDS.update(zip(map(id, pictures), fronts, strict=True))
    return pictures, _render_faces(backs.values())


def find_card_id(picture: Floats) -> str | None:
    """Find the id of the card whose front this is; None if it is no front."""
    return _CARD_IDS.get(id(picture))


def _render_faces(faces: Iterable[Face]) -> tuple[Floats, ...]:
    return tuple(_to_linear(_render_face(face, CARD_PIXELS_PER_MM)) for face in faces)
