"""Views of drawn cards to learn from, with what is true of them, in folders of small files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.cards.card_signs import FACE_SIZE, FAMILIES, MAX_LEVELS, place_signs
from coatl_tools.vision.cards.face_networks import (
    CORNER_UNIT,
    HIDDEN_COLUMN,
    NO_FACE,
    NO_SIGN,
    PlateState,
    number_sign,
)
from coatl_tools.vision.cards.face_views import (
    COLUMN_WIDTH,
    FACE_CORNERS,
    ROW_BOX,
    ROW_COLUMNS,
    ROWS,
    cut_face,
    cut_plates,
    cut_rows,
)
from coatl_tools.vision.homography import Points, fit_homography, invert_homography, map_points
from training.card_photos import CardPhoto, take_card_photo
from training.card_sprites import THINGS, Sprite, make_card_sprite, make_thing
from training.published_cards import DrawnCard, draw_back, draw_random_card

CARDS, SHOTS = 10, 60  # different cards of a file, and photos of them
NOT_ASKED = -1
NONE_SHARE, TURNED_SHARE = (
    0.18,
    0.25,
)  # of photos show no face where one is looked for, or a turned one
CORNER_ERRORS = (1.3, 2.8)  # millimetres by which corners are off, as a rule and at most
LEFT_ERROR, LARGE_ERROR = 0.45, 1.1  # and after they were corrected, mostly and sometimes
COVERED, HALF_COVERED = 0.45, 0.2  # shares of a column or plate that hide it, or leave it open
LOST = 0.75  # a card of which so much is hidden is not asked for


def make_card_pool(folder: Path, count: int, seed: int, begin: int = 0) -> None:
    """Draw files `begin` to `begin + count`; each depends on the seed and its number alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(begin, begin + count):
        name = folder / f"{number:05}"
        if name.with_suffix(".json").exists():
            continue
        rng = np.random.default_rng([seed, number])
        cards = [draw_random_card(rng) for _ in range(CARDS)]
        sprites = [make_card_sprite(card.picture) for card in cards]
        shots = [_draw_shot(rng, cards, sprites) for _ in range(SHOTS)]
        for part in ("face", "rows", "plates"):
            np.save(f"{name}-{part}.npy", np.array([shot[0][part] for shot in shots]))
        labels = {key: [shot[1][key] for shot in shots] for key in shots[0][1]}
        name.with_suffix(".json").write_text(json.dumps(labels), "utf-8")


def _draw_shot(
    rng: np.random.Generator, cards: Sequence[DrawnCard], sprites: Sequence[Sprite]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw a photo of one of these cards, or of something else; return its views and labels."""
    chosen = int(rng.integers(len(cards)))
    kind = rng.random()
    card = cards[chosen] if kind > NONE_SHARE / 2 else None
    sprite: Sprite | None = sprites[chosen]
    if card is None:
        sprite = _choose_other(rng)
    photo = take_card_photo(rng, sprite, sprites)
    elsewhere = NONE_SHARE / 2 < kind < NONE_SHARE
    seen = _jitter(rng, photo.homography, *CORNER_ERRORS)
    if elsewhere:
        seen = _move_away(rng, photo.homography)
    turned = int(rng.integers(1, 4)) if rng.random() < TURNED_SHARE else 0
    labels = {
        "turned": turned,
        "family": NOT_ASKED,
        "corners": [0.0] * 8,
        "rows": [[NOT_ASKED] * ROW_COLUMNS] * 2,
        "plates": [[NOT_ASKED] * 3] * MAX_LEVELS,
    }
    near = _jitter(rng, photo.homography, LEFT_ERROR if rng.random() < 0.85 else LARGE_ERROR)
    if card is None or elsewhere:
        labels["turned"] = NO_FACE
    else:
        labels |= _label_rows_and_plates(photo, card, near)
        lost = float(cut_face(photo.hidden, photo.homography).mean()) / 255 > LOST
        if lost:
            labels["turned"] = NOT_ASKED
        elif turned == 0:
            labels["family"] = FAMILIES.index(card.family)
            found = map_points(map_points(FACE_CORNERS, photo.homography), invert_homography(seen))
            labels["corners"] = ((found - FACE_CORNERS) / CORNER_UNIT).ravel().round(4).tolist()
    rolled = fit_homography(np.roll(FACE_CORNERS, turned, axis=0), map_points(FACE_CORNERS, seen))
    assert rolled is not None
    views = {
        "face": cut_face(photo.pixels, rolled),
        "rows": np.array(cut_rows(photo.pixels, near)),
        "plates": np.array(cut_plates(photo.pixels, near)),
    }
    return views, labels


def _choose_other(rng: np.random.Generator) -> Sprite | None:
    """Choose what lies where a face could: a back, another thing, or nothing."""
    chance = rng.random()
    if chance < 0.5:
        return make_card_sprite(draw_back(rng))
    return make_thing(int(rng.integers(THINGS))) if chance < 0.8 else None


def _jitter(
    rng: np.random.Generator, homography: Points, spread: float, most: float = 9.0
) -> Points:
    """Move the corners of a card a little."""
    common = rng.normal(0, spread * 0.5, 2)
    apart = np.clip(common + rng.normal(0, spread * 0.8, (4, 2)), -most, most)
    return _fit(FACE_CORNERS + apart, homography)


def _move_away(rng: np.random.Generator, homography: Points) -> Points:
    """Look beside a card, at a part of it, or at more than it."""
    middle = np.array(FACE_SIZE) / 2
    chance = rng.random()
    size, away = rng.uniform(0.35, 0.75), rng.uniform(-0.2, 0.2, 2)
    if chance < 0.5:
        size, away = rng.uniform(0.8, 1.2), rng.choice([-1, 1], 2) * rng.uniform(0.3, 0.7, 2)
    elif chance < 0.7:
        size = rng.uniform(1.35, 1.8)
    return _fit((FACE_CORNERS - middle) * size + middle * (1 + 2 * away), homography)


def _fit(corners: Points, homography: Points) -> Points:
    fitted = fit_homography(FACE_CORNERS, map_points(corners, homography))
    return homography if fitted is None else fitted


def _label_rows_and_plates(photo: CardPhoto, card: DrawnCard, near: Points) -> dict[str, Any]:
    back = invert_homography(photo.homography)
    covers = cut_rows(photo.hidden, near)
    rows = [
        _label_columns(photo, card, near @ row, back, cover, turned=bool(i))
        for i, (row, cover) in enumerate(zip(ROWS, covers, strict=True))
    ]
    plates = []
    for i, cover in enumerate(cut_plates(photo.hidden, near)):
        share = float(cover.mean()) / 255
        level = card.levels[i] if i < len(card.levels) else None
        state = PlateState.ABSENT
        if level is not None:
            state = PlateState.HALVES if level.halves else PlateState.PLAIN
        if share > COVERED:
            state = PlateState.HIDDEN
        told = level is not None and share < HALF_COVERED
        asked = share < HALF_COVERED or share > COVERED
        plates.append(
            [
                int(state) if asked else NOT_ASKED,
                level.count if told and level is not None else NOT_ASKED,
                level.points if told and level is not None else NOT_ASKED,
            ]
        )
    return {"rows": rows, "plates": plates}


def _label_columns(
    photo: CardPhoto,
    card: DrawnCard,
    to_photo: Points,
    back: Points,
    cover: NDArray[np.uint8],
    turned: bool,
) -> list[int]:
    """Label each column of a row: the sign that it shows, none, or hidden."""
    along = ROW_BOX.x + (np.arange(ROW_COLUMNS) + 0.5) * COLUMN_WIDTH
    seen = map_points(np.column_stack([along, np.zeros(ROW_COLUMNS)]), to_photo)
    places = map_points(seen, back)  # in millimetres of the card
    row = card.turned if turned else card.bottom
    own = (places[:, 1] - row.y if turned else places[:, 0] - row.x) / row.size
    labels = np.full(ROW_COLUMNS, NO_SIGN)
    for sign, middle in zip(card.row, place_signs(card.row), strict=True):
        labels[np.abs(own - middle) < sign.width / 2] = number_sign(sign)
    high = cover.shape[0]
    middle_part = cover[high // 5 : -(high // 5)]
    hidden = cv2.resize(middle_part, (ROW_COLUMNS, 1), interpolation=cv2.INTER_AREA)[0] / 255
    labels[(hidden > HALF_COVERED) & (hidden <= COVERED)] = NOT_ASKED
    labels[hidden > COVERED] = HIDDEN_COLUMN
    size = np.array(photo.pixels.shape[1::-1])
    labels[~((seen >= 0) & (seen < size)).all(axis=1)] = HIDDEN_COLUMN
    return [int(label) for label in labels]
