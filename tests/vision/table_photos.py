"""Photos of tables with printed pieces and cards on them: what each player has lies before them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.catalog import load_cards
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Coatl, PieceKind
from coatl_tools.vision.cards.card_signs import get_family, list_level_signs, list_row_signs
from coatl_tools.vision.stage_trace import Pixels
from tests.vision.card_photos import HEIGHT, WIDTH, face
from training.piece_shapes import SHAPE_PIXELS_PER_MM
from training.printed_pieces import render_tiles
from training.published_cards import draw_card

Points = NDArray[np.float64]
PIXELS_PER_MM = 4.0
CARD_GAP, COATL_GAP = 4.0, 8.0  # millimetres between cards, and from them to their Cóatl
GROUND = (150, 170, 178)  # BGR


@dataclass(frozen=True)
class Place:
    """A Cóatl with its cards in a row below it, as its player sees it.

    The place is that of the Cóatl's middle, in millimetres from the middle of the table; `side` is
    where the player sits, in degrees clockwise from the near side.
    """

    coatl: str
    cards: tuple[str, ...] = ()
    x: float = 0.0
    y: float = 0.0
    side: float = 0.0


def draw_published_face(card_id: str) -> Pixels:
    """Draw a face (BGR) that looks like a published one, with this card's row and levels."""
    card, rng = load_cards()[card_id], np.random.default_rng(1)
    drawn = draw_card(rng, get_family(card), list_row_signs(card), list_level_signs(card))
    return np.ascontiguousarray(drawn.picture[:, :, ::-1])


def draw_table(
    places: Sequence[Place],
    size: tuple[float, float],
    draw_face: Callable[[str], Pixels] = face,
    seed: int = 1,
) -> Pixels:
    """Draw a table of this size (millimetres) from above, as BGR."""
    width, height = (round(side * PIXELS_PER_MM) for side in size)
    rng = np.random.default_rng(seed)
    grain = rng.normal(0, 5, (height // 3 + 1, 8)).astype(np.float32)
    lines = np.asarray(cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC))
    picture = np.array((np.array(GROUND) + lines[..., None]).clip(0, 255), np.uint8)
    for place in places:
        _lay_cards(picture, place, draw_face)
        _lay_coatl(picture, place)
    return picture


def take_photo(table: Pixels, box: tuple[float, float, float, float], scale: float) -> bytes:
    """Photograph a part of the table (left, top, width, height in millimetres) as a JPEG.

    `scale` is in pixels a millimetre.
    """
    left, top, width, height = (round(side * PIXELS_PER_MM) for side in box)
    size = round(box[2] * scale), round(box[3] * scale)
    part = table[top : top + height, left : left + width]
    seen = cv2.resize(part, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.6))
    seen += np.random.default_rng(1).normal(0, 3, seen.shape).astype(np.float32)
    packed = cv2.imencode(".jpg", seen.clip(0, 255).astype(np.uint8))[1]
    data: bytes = packed.tobytes()
    return data


def _lay_coatl(picture: Pixels, place: Place) -> None:
    coatl: Coatl = parse_coatl(place.coatl)
    kinds = [PieceKind.BODY] * len(coatl)
    if coatl.head:
        kinds[0] = PieceKind.HEAD
    if coatl.tail:
        kinds[-1] = PieceKind.TAIL
    pitch, tiles = render_tiles("full")
    for index, (colour, kind) in enumerate(zip(coatl.colours, kinds, strict=True)):
        tile = tiles[kind, colour]
        along = (index - (len(coatl) - 1) / 2) * pitch
        move = _find_move(place, tile.mask.shape[1::-1], SHAPE_PIXELS_PER_MM, (along, 0.0), picture)
        colours = (np.clip(tile.colours, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)[:, :, ::-1]
        _paste(picture, np.ascontiguousarray(colours), tile.mask, move)


def _lay_cards(picture: Pixels, place: Place, draw_face: Callable[[str], Pixels]) -> None:
    for index, name in enumerate(place.cards):
        card = draw_face(name)
        scale = card.shape[1] / WIDTH
        across = (index - (len(place.cards) - 1) / 2) * (WIDTH + CARD_GAP)
        down = 12.0 + COATL_GAP + HEIGHT / 2
        move = _find_move(place, card.shape[1::-1], scale, (across, down), picture)
        _paste(picture, card, np.full(card.shape[:2], 255, np.uint8), move)


def _find_move(
    place: Place,
    size: Sequence[int],
    scale: float,
    middle: tuple[float, float],
    picture: Pixels,
) -> Points:
    """Find the map from a drawing to the picture; its middle lies at this place of the Cóatl's."""
    angle = np.radians(place.side)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    linear = turn * PIXELS_PER_MM / scale
    centre = turn @ np.add(middle, (place.x, place.y)) * PIXELS_PER_MM
    centre += np.array(picture.shape[1::-1]) / 2
    return np.column_stack([linear, centre - linear @ (np.array(size) / 2)])


def _paste(picture: Pixels, drawn: Pixels, mask: NDArray[np.uint8], move: Points) -> None:
    size = picture.shape[1::-1]
    there = np.asarray(cv2.warpAffine(mask, move, size, flags=cv2.INTER_AREA)) > 127
    picture[there] = np.asarray(cv2.warpAffine(drawn, move, size, flags=cv2.INTER_AREA))[there]
