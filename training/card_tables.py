"""Small photos of tables with several published cards, and where their plaques are.

Cards lie in rows, fans and piles, with snakes and hands over them, on other things and beside them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.cards.card_signs import FACE_SIZE
from coatl_tools.vision.cards.face_views import FACE_CORNERS
from coatl_tools.vision.homography import Points, invert_homography, map_points
from training.card_photos import (
    develop_card_photo,
    lay_sprite,
    light_table,
    paint_ground,
    rotate,
)
from training.card_sprites import (
    HANDS,
    SNAKES,
    THINGS,
    Sprite,
    make_card_sprite,
    make_hand,
    make_snake,
    make_thing,
)
from training.lettering import Picture
from training.published_cards import draw_back, draw_random_card
from training.random_values import random_factor
from training.row_drawing import FACE_PIXELS_PER_MM

FACE_SHRINK = 2  # faces are kept at a part of the size at which they are drawn
CARD_WIDTHS = (24.0, 150.0)  # pixels
MAX_TILT = 62  # degrees from straight above
MAX_CARDS = 12
COVERED_SHARE, FLAT_SHARE, BACK_SHARE = 0.4, 0.35, 0.07
MIDDLE = np.array(FACE_SIZE) / 2

Habit = Literal["row", "fan", "pile", "apart"]


def draw_faces(folder: Path, count: int, seed: int) -> None:
    """Draw faces of cards, and some backs; each depends on the seed and its number alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        is_back = rng.random() < BACK_SHARE
        picture = draw_back(rng) if is_back else draw_random_card(rng).picture
        high, wide = picture.shape[:2]
        size = (wide // FACE_SHRINK, high // FACE_SHRINK)
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        name = folder / f"{number:05}"
        cv2.imwrite(str(name.with_suffix(".png")), small[..., ::-1])
        name.with_suffix(".json").write_text(json.dumps({"back": is_back}), "utf-8")


@lru_cache(maxsize=1200)
def load_face(name: Path) -> tuple[Sprite, bool]:
    """Load a face as a sprite; also return whether it is a back."""
    picture = cv2.imread(str(name.with_suffix(".png")))
    if picture is None:
        raise ValueError(f"{name} has no picture. Draw the faces again.")
    is_back = bool(json.loads(name.read_text("utf-8"))["back"])
    scale = FACE_PIXELS_PER_MM / FACE_SHRINK
    return make_card_sprite(np.ascontiguousarray(picture[..., ::-1]), scale), is_back


@dataclass(frozen=True)
class LaidCard:
    """A card on the table: from its millimetres to pixels, and what of it can be seen."""

    homography: Points
    is_back: bool


@dataclass(frozen=True)
class CardTable:
    """A photo (BGR), its cards, and which of them is seen where: counted from 1, 0 for none."""

    pixels: Picture
    cards: tuple[LaidCard, ...]
    owners: NDArray[np.uint8]


def take_table_photo(rng: np.random.Generator, side: int, faces: Sequence[Path]) -> CardTable:
    """Take a square photo of cards on a table."""
    to_photo, scale = _place_camera(rng, side)
    picture = paint_ground(rng, to_photo, (side, side))
    hidden = np.zeros((side, side), np.uint8)
    owners = np.zeros((side, side), np.uint8)
    reach = side / scale / 2  # millimetres
    for _ in range(int(rng.choice([0, 1, 2])) if rng.random() < FLAT_SHARE else 0):
        flat = make_thing(int(rng.integers(THINGS)))
        lay_sprite(picture, flat, to_photo, rng.normal(0, reach, 2), rng.uniform(0, 2 * np.pi))
    if rng.random() < 0.25:
        _lay_snake(rng, picture, hidden, to_photo, rng.normal(0, reach / 2, 2))
    cards: list[LaidCard] = []
    for middle, turn in _plan_cards(rng, reach):
        corners = map_points((FACE_CORNERS - MIDDLE) @ rotate(turn)[:2, :2].T + middle, to_photo)
        if not _is_in_view(corners, side):
            continue
        sprite, is_back = load_face(faces[int(rng.integers(len(faces)))])
        if rng.random() < 0.6:
            beside = middle + rng.normal(0, 0.9, 2)
            lay_sprite(picture, sprite, to_photo, beside, turn, rng.uniform(0.1, 0.6))
        lay_sprite(picture, sprite, to_photo, middle, turn)
        own = rotate(turn)
        own[:2, 2] = middle - own[:2, :2] @ MIDDLE
        cards.append(LaidCard(to_photo @ own, is_back))
        shape = np.round(corners).astype(np.int32)
        cv2.fillConvexPoly(owners, shape, len(cards))
        cv2.fillConvexPoly(hidden, shape, 0)
    while cards and rng.random() < COVERED_SHARE:
        _cover_card(rng, picture, hidden, to_photo, cards[int(rng.integers(len(cards)))])
    tones = light_table(rng, picture, hidden, cards[0].homography if cards else to_photo)
    owners[hidden > 127] = 0
    return CardTable(develop_card_photo(rng, tones), tuple(cards), owners)


def _place_camera(rng: np.random.Generator, side: int) -> tuple[Points, float]:
    """Hold a camera over the table: from its millimetres to pixels, and how many are in one."""
    scale = random_factor(rng, *CARD_WIDTHS) / FACE_SIZE[0]
    tilt = np.radians(np.clip(abs(rng.normal(0, 30)), 0, MAX_TILT))
    distance = max(random_factor(rng, 250, 1200), 0.9 * side / scale)
    cos, sin = np.cos(tilt), np.sin(tilt)
    lean = np.array([(1, 0, 0), (0, cos, -sin), (0, sin, cos)])
    pose = rotate(rng.uniform(0, 2 * np.pi)) @ lean @ rotate(rng.uniform(0, 2 * np.pi))
    matrix = np.column_stack([pose[:, :2], (0, 0, distance)])
    matrix[:2] *= scale * distance
    to_middle = np.array([(1, 0, side / 2), (0, 1, side / 2), (0, 0, 1)])
    return to_middle @ matrix, scale


def _is_in_view(corners: Points, side: int) -> bool:
    """Tell whether a card is in front of the camera, of a likely size, and mostly in the photo."""
    area = cv2.contourArea(corners.astype(np.float32), True)
    middle = corners.mean(axis=0)
    room = 0.2 * float(np.sqrt(abs(area)))
    return area > 18**2 and bool(((middle > -room) & (middle < side + room)).all())


def _plan_cards(rng: np.random.Generator, reach: float) -> list[tuple[Points, float]]:
    """Plan where cards lie, and how they are turned, in the order in which they are laid."""
    planned: list[tuple[Points, float]] = []
    habits: Sequence[Habit] = ("row", "row", "fan", "fan", "pile", "apart")
    for _ in range(int(rng.integers(1, 3 + int(reach / 120)))):
        habit = habits[int(rng.integers(len(habits)))]
        count = 1 if habit == "apart" else int(rng.choice([2, 3, 4, 5]))
        place, turn = rng.uniform(-reach, reach, 2), rng.uniform(0, 2 * np.pi)
        step = FACE_SIZE[0] * (rng.uniform(1.0, 1.25) if habit == "row" else rng.uniform(0.15, 0.8))
        way = np.array([np.cos(turn), np.sin(turn)])
        if rng.random() < 0.2:  # one below the other
            way, step = np.array([-way[1], way[0]]), step * FACE_SIZE[1] / FACE_SIZE[0]
        lean = rng.normal(0, 0.12) if habit == "fan" else 0.0
        loose = rng.uniform(0.005, 0.1)
        group = []
        for i in range(count):
            middle = place + way * step * i + rng.normal(0, 2, 2)
            own = turn + lean * i + rng.normal(0, loose)
            if habit == "pile":
                middle, own = place + rng.normal(0, 30, 2), rng.uniform(0, 2 * np.pi)
            group.append((middle, float(own)))
        if rng.random() < 0.5:
            group.reverse()
        planned += group
    return planned[:MAX_CARDS]


def _lay_snake(
    rng: np.random.Generator, picture: Picture, hidden: Picture, to_photo: Points, middle: Points
) -> None:
    turn, snake = rng.uniform(0, 2 * np.pi), make_snake(int(rng.integers(SNAKES)))
    lay_sprite(picture, snake, to_photo, middle + rng.uniform(0.5, 3, 2), turn, 0.5)
    lay_sprite(picture, snake, to_photo, middle, turn, hidden=hidden)


def _cover_card(
    rng: np.random.Generator, picture: Picture, hidden: Picture, to_photo: Points, card: LaidCard
) -> None:
    """Lay a snake or a hand over a part of a card."""
    on_card = rng.uniform(-0.1, 1.1, 2) * np.array(FACE_SIZE)
    back = invert_homography(to_photo)
    (middle,) = map_points(map_points(on_card[None], card.homography), back)
    if rng.random() < 0.7:
        _lay_snake(rng, picture, hidden, to_photo, middle)
        return
    hand, turn = make_hand(int(rng.integers(HANDS))), rng.uniform(0, 2 * np.pi)
    lay_sprite(picture, hand, to_photo, middle + rng.uniform(0, 5, 2), turn, 0.4)
    lay_sprite(picture, hand, to_photo, middle, turn, hidden=hidden)
