"""Photos of tables with cards as the networks of plaques see them, with what they should say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.vision.cards.card_signs import ROW_MIDDLE, TURNED_MIDDLE
from coatl_tools.vision.cards.face_views import FACE_CORNERS, Floats, make_planes
from coatl_tools.vision.cards.plaque_search import (
    CORNER_UNIT,
    PLACE_BOX,
    PLACE_SCALE,
    PLACE_UNIT,
    PLAQUE_KINDS,
    PLAQUE_STRIDE,
)
from coatl_tools.vision.homography import Points, fit_homography, map_points, rectify_box
from training.card_tables import CardTable, LaidCard, take_table_photo

CROP_SIDE = 256
MIDDLES = (ROW_MIDDLE, TURNED_MIDDLE)
PLAQUES = (Box(11, 74.5, 41, 7.5), Box(0.5, 39, 9, 26))  # what shows the row, and a little more
MIN_LENGTHS = (17.0, 13.0)  # pixels of a plaque: nobody can tell a smaller one
SEEN, HALF_SEEN = 0.6, 0.3  # shares of a plaque from which on it must be found, or may be
NEAR, PEAK_WIDTH = 1.6, 0.05  # places around a middle that tell corners; of a card's height
SHIFT, TURN, GROWTH, CORNER_NOISE = 4.0, 0.06, 0.08, 1.8  # errors of a plaque: mm, radians, share
MAX_ERROR = 16.0  # millimetres of a corner; a card that is farther off is not looked for


class PlaqueCrop(NamedTuple):
    """A picture (RGB, 0 to 1) and what the network should say of it."""

    picture: Floats
    peaks: Floats
    corners: Floats
    own: Floats  # 1 where corners are told, divided by the size of the card
    weight: Floats  # 0 where nobody can tell whether there is a plaque


class PlaceSample(NamedTuple):
    """A view of a card whose place is roughly known, and how far its corners are off."""

    planes: Floats
    corners: Floats


@cache
def _list_faces(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob("*.json")))


def draw_plaque_crops(rng: np.random.Generator, name: Path) -> Iterator[PlaqueCrop]:
    """Draw a photo of a table with faces of the folder of this one."""
    table = take_table_photo(rng, CROP_SIDE, _list_faces(name.parent))
    yield label_table(table)


def label_table(table: CardTable) -> PlaqueCrop:
    """Say what the network should say of a photo."""
    side = CROP_SIDE // PLAQUE_STRIDE
    peaks = np.zeros((PLAQUE_KINDS, side, side), np.float32)
    weight = np.ones_like(peaks)
    corners = np.zeros((8, side, side), np.float32)
    own = np.zeros((side, side), np.float32)
    rows, columns = np.mgrid[0:side, 0:side]
    here = np.stack([columns, rows], axis=2) * PLAQUE_STRIDE + PLAQUE_STRIDE / 2
    for number, card in enumerate(table.cards, 1):
        if card.is_back:
            continue
        outline = map_points(FACE_CORNERS, card.homography)
        size = float(
            np.mean([np.hypot(*(outline[3] - outline[0])), np.hypot(*(outline[2] - outline[1]))])
        )
        for kind, (middle, box) in enumerate(zip(MIDDLES, PLAQUES, strict=True)):
            seen = _measure_seen(table.owners, card, box, number)
            (place,) = map_points(np.array([middle]), card.homography)
            far = np.hypot(*(here - place).transpose(2, 0, 1))
            length = _measure_length(card, box)
            if seen < HALF_SEEN and length >= MIN_LENGTHS[kind]:
                continue
            if seen < SEEN or length < MIN_LENGTHS[kind]:
                weight[kind, far < max(PEAK_WIDTH * size * 2.5, 6)] = 0
                continue
            spread = max(PEAK_WIDTH * size / 2, 2.5)
            bump = np.exp(-(far**2) / (2 * spread**2)).astype(np.float32)
            row, column = (int(place[axis] // PLAQUE_STRIDE) for axis in (1, 0))
            if 0 <= row < side and 0 <= column < side:
                bump[row, column] = 1
            np.maximum(peaks[kind], bump, out=peaks[kind])
            near = far < NEAR * PLAQUE_STRIDE
            away = outline[None] - here[near][:, None]
            corners[:, near] = (away / CORNER_UNIT).reshape(-1, 8).T
            own[near] = CORNER_UNIT / size
    rgb = table.pixels[:, :, ::-1].transpose(2, 0, 1).astype(np.float32) / 255
    return PlaqueCrop(np.ascontiguousarray(rgb), peaks, corners, own, weight)


def _measure_seen(owners: NDArray[np.uint8], card: LaidCard, box: Box, number: int) -> float:
    """Measure the share of a part of a card that is seen."""
    across, down = np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 9))
    spots = np.column_stack([box.x + across.ravel() * box.width, box.y + down.ravel() * box.height])
    places = np.round(map_points(spots, card.homography)).astype(int)
    inside = ((places >= 0) & (places < owners.shape[0])).all(axis=1)
    found = owners[places[inside, 1], places[inside, 0]] == number
    return float(found.sum()) / len(spots)


def _measure_length(card: LaidCard, box: Box) -> float:
    middle = np.array([box.x + box.width / 2, box.y + box.height / 2])
    half = np.array([box.width / 2, 0]) if box.width > box.height else np.array([0, box.height / 2])
    one, other = map_points(np.array([middle - half, middle + half]), card.homography)
    return float(np.hypot(*(other - one)))


def draw_place_samples(rng: np.random.Generator, name: Path) -> Iterator[PlaceSample]:
    """Draw such a photo, and cut its cards out where plaques might tell that they are."""
    side = int(rng.choice([256, 384, 512]))
    table = take_table_photo(rng, side, _list_faces(name.parent))
    for number, card in enumerate(table.cards, 1):
        length = _measure_length(card, PLAQUES[0])
        seen = max(_measure_seen(table.owners, card, box, number) for box in PLAQUES)
        if card.is_back or seen < SEEN or length < MIN_LENGTHS[0]:
            continue
        for _ in range(2):
            rough = _mislead(rng)
            homography = fit_homography(FACE_CORNERS, map_points(rough, card.homography))
            to_rough = fit_homography(rough, FACE_CORNERS)
            if homography is None or to_rough is None:
                continue
            off = (map_points(FACE_CORNERS, to_rough) - FACE_CORNERS) / PLACE_UNIT
            if np.abs(off).max() * PLACE_UNIT > MAX_ERROR:
                continue
            view = rectify_box(table.pixels, homography, PLACE_BOX, PLACE_SCALE)
            yield PlaceSample(make_planes(view), off.ravel().astype(np.float32))


def _mislead(rng: np.random.Generator) -> Points:
    """Return corners as a plaque tells them: shifted, turned, too large or too small."""
    strength = rng.uniform(0.1, 1.4)
    middle = FACE_CORNERS.mean(axis=0)
    angle = rng.normal(0, TURN) * strength
    cos, sin = np.cos(angle), np.sin(angle)
    turned = (FACE_CORNERS - middle) @ np.array([(cos, sin), (-sin, cos)])
    grown = turned * np.exp(rng.normal(0, GROWTH, 2) * strength)
    noise = rng.normal(0, SHIFT, 2) + rng.normal(0, CORNER_NOISE, (4, 2))
    return np.asarray(middle + grown + noise * strength)
