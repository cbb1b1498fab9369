"""Photos of one drawn card from near, as phones take them, with things beside and over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.vision.cards.card_signs import FACE_SIZE
from coatl_tools.vision.cards.face_views import FACE_CORNERS
from coatl_tools.vision.homography import Points, map_points
from training.card_sprites import (
    GROUNDS,
    HANDS,
    SNAKES,
    THINGS,
    Sprite,
    make_ground,
    make_hand,
    make_snake,
    make_thing,
)
from training.lettering import Picture
from training.photo_pool import make_shake_kernel
from training.random_values import random_factor

Floats = NDArray[np.float32]
SCALES = (2.2, 9.0)  # pixels a millimetre
MAX_TILT = 62  # degrees from straight above
MARGIN = 8.0  # millimetres of table around the card
MAX_SIDE = 900  # pixels
COVERED_SHARE, CUT_SHARE = 0.5, 0.08  # of cards have something over them, or leave the picture
GLARE_SHARE, WINDOW_SHARE, SHADOW_SHARE = 0.3, 0.15, 0.25  # of photos
BURNT = 0.5  # so much reflected light hides what is below
NOISE_SIDE = 1400  # pixels


@dataclass(frozen=True)
class CardPhoto:
    """A photo (BGR), where the card lies in it, and what is hidden."""

    pixels: Picture
    homography: Points  # from millimetres of the card to pixels
    hidden: Picture  # 255 where something lies over the card


def take_card_photo(
    rng: np.random.Generator, card: Sprite | None, others: Sequence[Sprite]
) -> CardPhoto:
    """Take a photo of a card, or of the table alone, with these other cards beside it."""
    homography, size = _place_card(rng)
    picture = paint_ground(rng, homography, size)
    hidden = np.zeros(picture.shape[:2], np.uint8)
    middle = np.array(FACE_SIZE) / 2
    for _ in range(int(rng.choice([0, 0, 1, 2]))):  # beside the card, or a little below it
        way = (FACE_SIZE[0] * rng.choice([-1, 1]), 0) if rng.random() < 0.5 else (0, FACE_SIZE[1])
        apart = np.array(way) * rng.choice([-1, 1]) * rng.uniform(0.6, 1.15) + rng.normal(0, 6, 2)
        turn = rng.normal(0, 0.08) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
        lay_sprite(picture, _choose_flat(rng, others), homography, middle + apart, turn)
    if card is not None:
        if rng.random() < 0.5:
            lay_sprite(
                picture, card, homography, middle + rng.normal(0, 0.7, 2), 0, rng.uniform(0.1, 0.6)
            )
        lay_sprite(picture, card, homography, middle, 0)
    if rng.random() < COVERED_SHARE:
        for _ in range(int(rng.choice([1, 1, 2]))):
            _cover(rng, picture, hidden, homography, others)
    tones = light_table(rng, picture, hidden, homography)
    pixels = develop_card_photo(rng, tones)
    if rng.random() < CUT_SHARE:
        pixels, homography, hidden = _cut_off(rng, pixels, homography, hidden)
    return CardPhoto(pixels, homography, hidden)


def _place_card(rng: np.random.Generator) -> tuple[Points, tuple[int, int]]:
    """Hold a camera over a card, and return where that shows it, and the size of the photo."""
    tilt = np.radians(np.clip(abs(rng.normal(0, 28)), 0, MAX_TILT))
    roll, turn = rng.uniform(0, 2 * np.pi, 2)
    if rng.random() < 0.5:
        roll = rng.normal(0, 0.2) - turn  # upright, as most cards are held
    distance = random_factor(rng, 200, 900)
    cos, sin = np.cos(tilt), np.sin(tilt)
    lean = np.array([(1, 0, 0), (0, cos, -sin), (0, sin, cos)])
    pose = rotate(roll) @ lean @ rotate(turn)
    focal = random_factor(rng, *SCALES) * distance
    view = focal * pose[:, :2]
    matrix = np.column_stack([pose[:, :2], (0, 0, distance)])
    matrix[:2, :2] = view[:2]
    to_middle = np.array([(1, 0, -FACE_SIZE[0] / 2), (0, 1, -FACE_SIZE[1] / 2), (0, 0, 1)])
    homography = matrix @ to_middle
    ring = FACE_CORNERS + MARGIN * np.sign(FACE_CORNERS - np.array(FACE_SIZE) / 2)
    low, high = (f(map_points(ring, homography), axis=0) for f in (np.min, np.max))
    shrink = min(1.0, MAX_SIDE / float((high - low).max()))
    fit = np.array([(shrink, 0, -low[0] * shrink), (0, shrink, -low[1] * shrink), (0, 0, 1)], float)
    wide, tall = (int(side) for side in np.ceil((high - low) * shrink))
    return fit @ homography, (wide, tall)


def rotate(angle: float) -> Points:
    """Return the matrix that turns the table."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([(cos, -sin, 0), (sin, cos, 0), (0, 0, 1)])


def paint_ground(rng: np.random.Generator, homography: Points, size: tuple[int, int]) -> Picture:
    """Paint a table or a cloth as a homography from its millimetres shows it."""
    texture = make_ground(int(rng.integers(GROUNDS)))
    zoom = 1 / rng.uniform(1.2, 6)  # millimetres a pixel of texture
    pixel = zoom * _measure_scale(homography, np.zeros(2))
    if pixel < 0.7:  # the warp does not average
        share = max(pixel, 1 / 16)
        texture = np.asarray(
            cv2.resize(texture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
        )
        zoom /= share
    place = np.array([(zoom, 0, -rng.uniform(0, 60)), (0, zoom, -rng.uniform(0, 60)), (0, 0, 1)])
    matrix = homography @ rotate(rng.uniform(0, 2 * np.pi)) @ place
    ground = cv2.warpPerspective(
        texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    return np.asarray(ground, np.uint8)


def _measure_scale(homography: Points, place: Points) -> float:
    """Measure how many pixels a millimetre of the table has at a place."""
    one, other = map_points(np.array([place, place + np.array([1, 0])]), homography)
    return float(np.hypot(*(other - one)))


def _choose_flat(rng: np.random.Generator, others: Sequence[Sprite]) -> Sprite:
    """Choose another card, or some other flat thing."""
    if others and rng.random() < 0.75:
        return others[int(rng.integers(len(others)))]
    return make_thing(int(rng.integers(THINGS)))


def lay_sprite(
    picture: Picture,
    sprite: Sprite,
    homography: Points,
    middle: Points,
    turn: float,
    shadow: float = 0.0,
    hidden: Picture | None = None,
) -> None:
    """Lay a sprite on the table, or only its shadow; mark what it hides."""
    drawn, scale = sprite.choose(max(_measure_scale(homography, middle), 0.3))
    high, wide = drawn.shape[:2]
    own = np.array(
        [(1 / scale, 0, -wide / scale / 2), (0, 1 / scale, -high / scale / 2), (0, 0, 1)]
    )
    place = np.array([(1, 0, middle[0]), (0, 1, middle[1]), (0, 0, 1)])
    matrix = homography @ place @ rotate(turn) @ own
    ends = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float)
    if ((np.column_stack([ends, np.ones(4)]) @ matrix.T)[:, 2] <= 0).any():
        return  # it reaches behind the camera
    corners = map_points(ends, matrix)
    left, top = (max(0, int(v)) for v in corners.min(axis=0))
    right, low = (int(v) + 1 for v in corners.max(axis=0))
    part = picture[top:low, left:right]
    if not part.size:
        return
    shift = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)], float)
    seen = cv2.warpPerspective(
        drawn, shift @ matrix, (part.shape[1], part.shape[0]), flags=cv2.INTER_LINEAR
    )
    if shadow:
        cover = seen[..., 3:].astype(np.float32) * np.float32(shadow / 255)
        part[:] = (part * (1 - cover)).astype(np.uint8)
        return
    inside = seen[..., 3] == 255
    edge = (seen[..., 3] > 0) & ~inside
    part[inside] = seen[inside][:, :3]
    share = seen[edge][:, 3:].astype(np.float32) / 255
    part[edge] = (part[edge] + (seen[edge][:, :3] - part[edge].astype(np.float32)) * share).astype(
        np.uint8
    )
    if hidden is not None:
        np.maximum(hidden[top:low, left:right], seen[..., 3], out=hidden[top:low, left:right])


def _cover(
    rng: np.random.Generator,
    picture: Picture,
    hidden: Picture,
    homography: Points,
    others: Sequence[Sprite],
) -> None:
    """Lay something over a part of the card."""
    kind = rng.random()
    where = np.array([rng.uniform(-5, 68), rng.uniform(-5, 93)])
    turn = rng.uniform(0, 2 * np.pi)
    if kind < 0.45:
        sprite = make_snake(int(rng.integers(SNAKES)))
        along = np.array([np.cos(turn), np.sin(turn)]) * sprite.size[0] / 2 * rng.uniform(-1, 1)
        lay_sprite(picture, sprite, homography, where + along + rng.uniform(0.5, 3, 2), turn, 0.5)
        lay_sprite(picture, sprite, homography, where + along, turn, hidden=hidden)
    elif kind < 0.65:
        sprite = make_hand(int(rng.integers(HANDS)))
        lay_sprite(picture, sprite, homography, where + rng.uniform(0, 5, 2), turn, 0.4)
        lay_sprite(picture, sprite, homography, where, turn, hidden=hidden)
    else:
        sprite = _choose_flat(rng, others)
        if rng.random() < 0.6:
            turn = rng.normal(0, 0.1)
        away = np.array(FACE_SIZE) * rng.choice([-1, 1], 2) * rng.uniform(0.15, 1.0, 2)
        where = np.array(FACE_SIZE) / 2 + away
        lay_sprite(picture, sprite, homography, where + rng.normal(0, 0.7, 2), turn, 0.3)
        lay_sprite(picture, sprite, homography, where, turn, hidden=hidden)


def light_table(
    rng: np.random.Generator, picture: Picture, hidden: Picture, homography: Points
) -> Floats:
    """Light the table: casts, gradients, shadows; glare and windows that gloss mirrors."""
    high, wide = hidden.shape
    cast = rng.uniform(0.8, 1.2, 3) if rng.random() < 0.6 else np.exp(rng.normal(0, 0.05, 3))
    gains = (cast / cast.mean() * random_factor(rng, 0.5, 1.25)).astype(np.float32)
    coarse = 1 + rng.uniform(0, 0.4) * rng.uniform(-1, 1, (3, 3))
    if rng.random() < SHADOW_SHARE:
        rows, columns = np.mgrid[0:48, 0:48] / 24 - 1
        angle, soft = rng.uniform(0, 2 * np.pi), random_factor(rng, 0.02, 0.6)
        side = rows * np.sin(angle) + columns * np.cos(angle) - rng.uniform(-0.8, 0.8)
        fine = cv2.resize(coarse, (48, 48), interpolation=cv2.INTER_CUBIC)
        coarse = fine * (1 - rng.uniform(0.2, 0.65) / (1 + np.exp(-side / soft)))
    field = cv2.resize(coarse.astype(np.float32), (wide, high), interpolation=cv2.INTER_LINEAR)
    tones = picture.astype(np.float32) * (gains / np.float32(255))
    tones *= field[..., None]
    mirrored = _mirror_lamps(rng, homography, (high, wide))
    if mirrored is not None:
        tint = np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
        tones += mirrored[..., None] * tint
        np.maximum(hidden, (mirrored > BURNT).astype(np.uint8) * 255, out=hidden)
    return np.asarray(tones, np.float32)


def _mirror_lamps(
    rng: np.random.Generator, homography: Points, shape: tuple[int, int]
) -> Floats | None:
    """Return the light that gloss mirrors, if there is any, at half the size, then enlarged."""
    high, wide = shape
    small = np.zeros((high // 2 + 1, wide // 2 + 1), np.float32)
    scale = float(np.sqrt(high * wide) / 110)  # pixels a millimetre, about
    if rng.random() < GLARE_SHARE:
        for _ in range(int(rng.integers(1, 4))):
            spot = np.zeros_like(small)
            at = int(rng.integers(small.shape[1])), int(rng.integers(small.shape[0]))
            reach = [max(1, round(scale * random_factor(rng, 2, 16) / 2)) for _ in range(2)]
            cv2.ellipse(spot, at, reach, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
            soft = max(reach) * rng.uniform(0.3, 1)
            small += cv2.GaussianBlur(spot, (0, 0), soft) * np.float32(rng.uniform(0.2, 1.1))
    if rng.random() < WINDOW_SHARE:
        panes = np.zeros_like(small)
        middle = rng.uniform(0, 1, 2) * FACE_SIZE
        turn, pane = rng.uniform(0, 2 * np.pi), rng.uniform(8, 40, 2)
        way = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        for i in range(int(rng.integers(1, 3))):
            for j in range(int(rng.integers(1, 3))):
                begin = np.array([i, j]) * (pane + 3)
                ends = begin + pane * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
                corners = map_points(middle + ends @ way, homography) / 2
                cv2.fillPoly(panes, [np.round(corners).astype(np.int32)], 1.0)
        soft = scale * random_factor(rng, 0.2, 3)
        small += cv2.GaussianBlur(panes, (0, 0), soft) * np.float32(rng.uniform(0.08, 0.8))
    if not small.any():
        return None
    return np.asarray(cv2.resize(small, (wide, high), interpolation=cv2.INTER_LINEAR), np.float32)


@cache
def _list_grains() -> list[Floats]:
    """List fields of noise, fine ones and soft ones."""
    rng = np.random.default_rng(11)
    fine = rng.normal(0, 1, (NOISE_SIDE, NOISE_SIDE, 3)).astype(np.float32)
    return [fine, *(np.asarray(cv2.GaussianBlur(fine, (0, 0), s)) * (3 * s) for s in (0.6, 1.1))]


def develop_card_photo(rng: np.random.Generator, tones: Floats) -> Picture:
    """Take the photo (BGR): out of focus or shaken, with noise, contrast, sharpening and JPEG."""
    high, wide = tones.shape[:2]
    blur = rng.random()
    if blur < 0.15:
        tones = np.asarray(cv2.filter2D(tones, -1, make_shake_kernel(rng)), np.float32)
    elif blur < 0.65:
        sigma = random_factor(rng, 0.35, 2.0)
        tones = np.asarray(cv2.GaussianBlur(tones, (0, 0), sigma), np.float32)
    grains = _list_grains()
    grain = grains[int(rng.integers(len(grains)))]
    top, left = int(rng.integers(NOISE_SIDE - high)), int(rng.integers(NOISE_SIDE - wide))
    strength = np.float32(random_factor(rng, 0.002, 0.05))
    tones = tones + grain[top : top + high, left : left + wide] * strength
    np.clip(tones, 0, 1, out=tones)
    if rng.random() < 0.7:
        gamma, contrast = random_factor(rng, 0.8, 1.3), np.float32(rng.uniform(-0.1, 0.25))
        steps = np.linspace(0, 1, 1024, dtype=np.float32) ** np.float32(gamma)
        curve = (1 - contrast) * steps + contrast * (steps * steps * (3 - 2 * steps))
        tones = curve[(tones * 1023).astype(np.int32)]
    if rng.random() < 0.5:
        grey = tones.mean(axis=2, keepdims=True)
        tones = grey + (tones - grey) * np.float32(rng.uniform(0.65, 1.25))
    if rng.random() < 0.45:
        soft = cv2.GaussianBlur(tones, (0, 0), rng.uniform(0.7, 1.5))
        tones = tones + (tones - soft) * np.float32(rng.uniform(0.2, 1.0))
    pixels = np.asarray(np.clip(tones[..., ::-1] * 255 + 0.5, 0, 255), np.uint8)
    if rng.random() < 0.12:
        share = rng.uniform(0.5, 0.9)
        small = cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        packed = _compress(np.asarray(small, np.uint8), int(rng.uniform(45, 80)))
        return np.asarray(
            cv2.resize(packed, (wide, high), interpolation=cv2.INTER_LINEAR), np.uint8
        )
    return _compress(pixels, int(rng.uniform(55, 96)))


def _compress(pixels: Picture, quality: int) -> Picture:
    packed = cv2.imencode(
        ".jpg", np.ascontiguousarray(pixels), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _cut_off(
    rng: np.random.Generator, pixels: Picture, homography: Points, hidden: Picture
) -> tuple[Picture, Points, Picture]:
    """Let the card leave the picture on one side."""
    high, wide = hidden.shape
    cut, side = rng.uniform(0.1, 0.55), int(rng.integers(4))
    left, right = (round(wide * cut) if side == s else 0 for s in (0, 1))
    top, low = (round(high * cut) if side == s else 0 for s in (2, 3))
    part = np.s_[top : high - low, left : wide - right]
    shift = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)], float)
    return np.ascontiguousarray(pixels[part]), shift @ homography, hidden[part]
