"""Draw cards as the published ones are laid out: measures of a face, everything else at random.

The art, the tones, the letters and the row of pieces differ from card to card, so that a network
learns to read any row, and learns no picture by heart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.pieces import Colour
from coatl_tools.vision.cards.card_signs import (
    COUNTS,
    FACE_SIZE,
    FAMILIES,
    LEVEL_STEP,
    LEVELS_MIDDLE,
    MAX_LEVELS,
    ROW_MIDDLE,
    SIGN_WIDTH,
    TURNED_MIDDLE,
    TURNED_SIZE,
    Family,
    LevelSign,
    RowSign,
    SignKind,
    get_family,
    list_level_signs,
    list_row_signs,
)
from training.ground_textures import make_noise
from training.lettering import Picture, draw_text
from training.random_values import random_factor
from training.row_drawing import FACE_PIXELS_PER_MM, WHITE, RowLook, vary_tone

FACE_WIDTH, FACE_HEIGHT = (int(side) for side in FACE_SIZE)
FRAME_TONES: dict[Family, tuple[int, int, int]] = {
    Colour.R: (190, 22, 30),
    Colour.K: (20, 30, 30),
    Colour.B: (32, 135, 160),
    Colour.Y: (238, 160, 30),
    Colour.G: (44, 135, 48),
    None: (140, 96, 58),
}
STONE, PARCHMENT, BRONZE = (206, 190, 164), (234, 198, 158), (120, 74, 40)


@dataclass(frozen=True)
class RowPlace:
    """Where the middle of a row is, and its size beside the measures of signs."""

    x: float
    y: float
    size: float


@dataclass(frozen=True)
class DrawnCard:
    """A drawn face (RGB), and what is on it."""

    picture: Picture
    family: Family
    row: tuple[RowSign, ...]
    levels: tuple[LevelSign, ...]
    bottom: RowPlace
    turned: RowPlace
    id: str = ""  # in the deck; empty if it is in none


def draw_random_card(rng: np.random.Generator) -> DrawnCard:
    """Draw a card with anything on it."""
    family = FAMILIES[int(rng.integers(len(FAMILIES)))]
    if family is None:
        return draw_card(rng, family, random_temple_row(rng), random_temple_levels(rng))
    return draw_card(rng, family, random_row(rng), random_levels(rng))


def draw_deck_card(rng: np.random.Generator, card: Card) -> DrawnCard:
    """Draw a card of the deck, its art at random."""
    row, levels = list_row_signs(card), list_level_signs(card)
    return replace(draw_card(rng, get_family(card), row, levels), id=card.id)


def random_row(rng: np.random.Generator) -> tuple[RowSign, ...]:
    """Return a row of one to five pieces; some are alike, crossed out, or may repeat."""
    count = int(rng.choice([1, 2, 3, 4, 5], p=[0.12, 0.2, 0.26, 0.22, 0.2]))
    alike = float(rng.choice([0, 0.35, 0.8]))
    colours = [Colour(int(rng.integers(5)))]
    for _ in range(count - 1):
        colours.append(colours[-1] if rng.random() < alike else Colour(int(rng.integers(5))))
    row = [RowSign(SignKind.PIECE, colour) for colour in colours]
    style = rng.random()
    if style < 0.2 and count > 1:
        for i in {0, count - 1} if rng.random() < 0.7 else {int(rng.integers(count))}:
            row[i] = RowSign(SignKind.CROSSED, colours[i])
    elif style < 0.5:
        i = count // 2 if rng.random() < 0.7 else int(rng.integers(count))
        row[i] = RowSign(SignKind.REPEATED, None if rng.random() < 0.4 else colours[i])
    return tuple(row)


def random_levels(rng: np.random.Generator) -> tuple[LevelSign, ...]:
    """Return one to four levels, mostly rising as on a card."""
    count = int(rng.integers(1, MAX_LEVELS + 1))
    first = int(rng.integers(1, 7 - count + 1))
    points = np.sort(rng.choice(np.arange(1, 11), count, replace=False))
    return tuple(LevelSign(first + i, int(points[i])) for i in range(count))


def random_temple_row(rng: np.random.Generator) -> tuple[RowSign, ...]:
    """Return what a Temple card asks for: two of no colour, two alike in number, an exact count."""
    one, other, third = (Colour(int(i)) for i in rng.permutation(5)[:3])
    none = (RowSign(SignKind.CROSSED, one),)
    alike = (
        RowSign(SignKind.PIECE, other),
        RowSign(SignKind.EQUAL),
        RowSign(SignKind.PIECE, third),
    )
    exact = (RowSign(SignKind.COUNT, count=int(rng.choice(COUNTS))),)
    halves = [none + exact, alike + exact, none + alike]
    return halves[int(rng.integers(3))]


def random_temple_levels(rng: np.random.Generator) -> tuple[LevelSign, ...]:
    """Return the levels of a Temple card: one of two requirements met, and both."""
    points = (3, 7) if rng.random() < 0.7 else tuple(int(n) for n in rng.integers(1, 10, 2))
    return LevelSign(1, points[0], halves=True), LevelSign(2, points[1], halves=True)


def draw_card(
    rng: np.random.Generator,
    family: Family,
    row: Sequence[RowSign],
    levels: Sequence[LevelSign],
) -> DrawnCard:
    """Draw a card of a family with this row and these levels, everything else at random."""
    tone = np.array(FRAME_TONES[family], float)
    tone = np.clip(tone * rng.uniform(0.8, 1.15) + rng.normal(0, 10, 3), 4, 250)
    picture = _paint_frame(rng, tone)
    _paint_art(rng, picture, tone)
    _paint_levels(rng, picture, levels)
    look = RowLook(rng)
    strip = look.draw(row)
    turned = _paint_plaque(rng, picture, look, tone, strip, turned=True)
    bottom = _paint_plaque(rng, picture, look, tone, strip, turned=False)
    soft = rng.uniform(0, 0.9)
    if soft > 0.3:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), soft), np.uint8)
    return DrawnCard(picture, family, tuple(row), tuple(levels), bottom, turned)


def draw_back(rng: np.random.Generator) -> Picture:
    """Draw a back: a frame and a picture, the same from both ends."""
    tone = np.array(FRAME_TONES[FAMILIES[int(rng.integers(len(FAMILIES)))]], float)
    tone = np.clip(tone * rng.uniform(0.4, 1.3) + rng.normal(0, 30, 3), 4, 250)
    picture = _paint_frame(rng, tone)
    _paint_art(rng, picture, tone)
    half = len(picture) // 2
    if rng.random() < 0.7:
        picture[half:] = picture[:half][::-1, ::-1]
    return picture


def _to_pixels(*places: float) -> list[int]:
    return [round(place * FACE_PIXELS_PER_MM) for place in places]


def _paint_frame(rng: np.random.Generator, tone: NDArray[np.float64]) -> Picture:
    high, wide = FACE_HEIGHT * FACE_PIXELS_PER_MM, FACE_WIDTH * FACE_PIXELS_PER_MM
    coarse = int(rng.choice([3, 12, 60]))
    shade = 1 + rng.uniform(0.05, 0.4) * (_noise(rng, coarse, high, wide) - 0.5)
    return np.asarray(np.clip(tone * shade[..., None], 0, 255), np.uint8)


@cache
def _list_noises(coarse: int) -> list[NDArray[np.float32]]:
    """List some noises of a kind; a part of one serves as another."""
    return [make_noise(np.random.default_rng([coarse, i]), (coarse, coarse), 3) for i in range(6)]


def _noise(rng: np.random.Generator, coarse: int, high: int, wide: int) -> NDArray[np.float32]:
    noises = _list_noises(coarse)
    whole = noises[int(rng.integers(len(noises)))]
    top, left = (int(rng.integers(n)) for n in (whole.shape[0] - high, whole.shape[1] - wide))
    part = whole[top : top + high, left : left + wide]
    return part[:, ::-1] if rng.random() < 0.5 else part


def _random_art_tone(rng: np.random.Generator, tone: NDArray[np.float64]) -> tuple[float, ...]:
    if rng.random() < 0.5:
        light = rng.uniform(0.3, 2.2)
        return vary_tone(rng, list(np.clip(tone * light + rng.uniform(0, 40), 0, 255)), 25)
    return tuple(float(part) for part in rng.uniform(10, 250, 3))


def _paint_art(rng: np.random.Generator, picture: Picture, tone: NDArray[np.float64]) -> None:
    """Paint something of many shapes, which reaches over the frame here and there."""
    left, top = _to_pixels(rng.uniform(3.2, 5.5), rng.uniform(3.2, 5.5))
    right, low = _to_pixels(FACE_WIDTH - rng.uniform(3.2, 5.5), rng.uniform(72, 85))
    high, wide = low - top, right - left
    one, other = (np.array(_random_art_tone(rng, tone)) for _ in range(2))
    ramp = np.linspace(0, 1, high)[:, None] if rng.random() < 0.7 else np.linspace(0, 1, wide)[None]
    weight = 0.6 * ramp + 0.6 * _noise(rng, int(rng.choice([3, 12, 60])), high, wide)
    field = one + (other - one) * np.clip(weight, 0, 1)[..., None]
    picture[top:low, left:right] = np.clip(field, 0, 255)
    for _ in range(int(rng.integers(8, 30))):
        _paint_shape(rng, picture[top:low, left:right], _random_art_tone(rng, tone))
    for _ in range(int(rng.integers(0, 5))):
        _paint_shape(rng, picture[: low - 8], _random_art_tone(rng, tone), small=True)
    lines = [BRONZE, (214, 176, 96), (90, 190, 180), WHITE]
    for i in range(int(rng.integers(1, 4))):
        line = vary_tone(rng, lines[int(rng.integers(len(lines)))], 25)
        shape = np.array([[left, top], [right, top], [right, low], [left, low]])
        if rng.random() < 0.7:
            cut = _to_pixels(rng.uniform(2, 7))[0]
            corner = [[right - cut, top], [right - cut, top + cut], [right, top + cut]]
            shape = np.concatenate([shape[:1], corner, shape[2:]])
        cv2.polylines(picture, [shape + 4 * i], True, line, int(rng.integers(1, 5)), cv2.LINE_AA)


def _paint_shape(
    rng: np.random.Generator, field: Picture, tone: tuple[float, ...], small: bool = False
) -> None:
    high, wide = field.shape[:2]
    x, y = int(rng.integers(wide)), int(rng.integers(high))
    size = random_factor(rng, 8, 40 if small else 150)
    kind = int(rng.integers(5))
    if kind == 0:
        axes = round(size), round(size * rng.uniform(0.3, 1))
        thick = -1 if rng.random() < 0.7 else int(rng.integers(1, 8))
        cv2.ellipse(
            field, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, tone, thick, cv2.LINE_AA
        )
    elif kind == 1:
        around = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 9))))
        away = size * rng.uniform(0.4, 1, len(around))
        points = np.stack([x + away * np.cos(around), y + away * np.sin(around)], axis=1)
        cv2.fillPoly(field, [np.round(points).astype(np.int32)], tone, cv2.LINE_AA)
    elif kind == 2:  # feathers or beams around a point
        for angle in np.linspace(0, 360, int(rng.integers(6, 18)), endpoint=False):
            spread = rng.uniform(3, 10)
            axes = (round(size), round(size))
            shade = tuple(float(np.clip(part * rng.uniform(0.8, 1.2), 0, 255)) for part in tone)
            cv2.ellipse(
                field, (x, y), axes, 0, angle - spread, angle + spread, shade, -1, cv2.LINE_AA
            )
    elif kind == 3:
        points = np.cumsum(
            rng.normal(0, size / 3, (int(rng.integers(3, 9)), 2)), axis=0
        ) + np.array([x, y])
        cv2.polylines(
            field,
            [np.round(points).astype(np.int32)],
            False,
            tone,
            int(rng.integers(1, 9)),
            cv2.LINE_AA,
        )
    else:  # stairs, teeth, windows
        step, count = max(3, round(size / 5)), int(rng.integers(3, 9))
        for i in range(count):
            at = (x + i * step, y + int(rng.integers(3)) * step // 2)
            cv2.rectangle(field, at, (at[0] + step // 2, at[1] + step), tone, -1)


def _lay_over(picture: Picture, drawn: NDArray[np.float32], x: float, y: float) -> None:
    """Lay a drawing (RGB and cover) over a picture, its middle at x, y pixels."""
    high, wide = drawn.shape[:2]
    left, top = round(x - wide / 2), round(y - high / 2)
    first_row, first_column = max(0, -top), max(0, -left)
    part = picture[max(0, top) : top + high, max(0, left) : left + wide]
    drawn = drawn[
        first_row : first_row + part.shape[0], first_column : first_column + part.shape[1]
    ]
    cover = drawn[..., 3:]
    part[:] = np.clip(part + (drawn[..., :3] - part) * cover, 0, 255)


def _paint_levels(rng: np.random.Generator, picture: Picture, levels: Sequence[LevelSign]) -> None:
    """Paint the small plates of parchment at the top left."""
    x_middle, middle = (rng.normal(at, 0.45) for at in LEVELS_MIDDLE)
    step, long, high = rng.normal(LEVEL_STEP, 0.15), rng.normal(14.5, 0.5), rng.uniform(5, 6.4)
    tone, ink = vary_tone(rng, PARCHMENT, 12), vary_tone(rng, (60, 36, 26), 10)
    for i, level in enumerate(levels):
        y = middle + i * step
        x = np.concatenate([np.linspace(0, long, 9), np.linspace(long, 0, 9)]) + x_middle - long / 2
        edge = np.repeat([-high / 2, high / 2], 9) + y
        points = np.stack([x, edge], axis=1) + rng.normal(0, 0.22, (18, 2))
        outline = np.round(points * FACE_PIXELS_PER_MM).astype(np.int32)
        shadow = tuple(0.45 * part for part in tone)
        cv2.fillPoly(picture, [outline + np.array([1, 3])], shadow, cv2.LINE_AA)
        cv2.fillPoly(picture, [outline], tone, cv2.LINE_AA)
        if rng.random() < 0.7:
            cv2.polylines(picture, [outline], True, shadow, 1, cv2.LINE_AA)
        text = (
            f"{level.count}/2 = {level.points}"
            if level.halves
            else f"{level.count}X = {level.points}"
        )
        if rng.random() < 0.15:
            text = text.replace("X", "x") if rng.random() < 0.5 else text.replace(" ", "")
        drawn = draw_text(rng, text, rng.uniform(3.2, 4.1) * FACE_PIXELS_PER_MM, ink)
        x_text, y_text = x_middle + rng.normal(0, 0.3), y + rng.normal(0, 0.2)
        if drawn.shape[1] > 13.5 * FACE_PIXELS_PER_MM:
            size = (round(13 * FACE_PIXELS_PER_MM), drawn.shape[0])
            drawn = np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), np.float32)
        _lay_over(picture, drawn, x_text * FACE_PIXELS_PER_MM, y_text * FACE_PIXELS_PER_MM)


def _paint_plaque(
    rng: np.random.Generator,
    picture: Picture,
    look: RowLook,
    tone: NDArray[np.float64],
    strip: NDArray[np.float32],
    turned: bool,
) -> RowPlace:
    """Paint a stone plaque with the row on it: along the bottom, or turned at the left edge."""
    if turned:
        left, top = -2.0, rng.normal(37.5, 0.5)
        right, low = rng.normal(10.2, 0.4), rng.normal(67.3, 0.5)
    else:
        left, top = rng.normal(6.6, 0.5), rng.normal(73.2, 0.4)
        right, low = rng.normal(56.5, 0.5), rng.normal(83.2, 0.4)
    rim = rng.uniform(0.9, 1.9)
    border = tone if rng.random() < 0.6 else np.array(BRONZE)
    for grow, part in ((rim + 0.5, 0.35), (rim, 1.0), (0.35, 0.5)):
        tint = tuple(float(v) for v in np.clip(border * part + rng.normal(0, 8, 3), 0, 255))
        box = _to_pixels(left - grow, top - grow, right + grow, low + grow)
        cv2.rectangle(picture, tuple(box[:2]), tuple(box[2:]), tint, -1)
    if rng.random() < 0.7:
        light = vary_tone(rng, (232, 206, 170), 14)
        ledge = _to_pixels(left - rim, top - rim, right + rim, top - rim)
        cv2.line(picture, tuple(ledge[:2]), tuple(ledge[2:]), light, int(rng.integers(2, 7)))
    x, y, end, bottom = _to_pixels(max(left, 0), top, right, low)
    stone = np.array(vary_tone(rng, STONE, 8))
    grain = 1 + rng.uniform(0.1, 0.4) * (_noise(rng, 12, bottom - y, end - x) - 0.5)
    fine = 1 + rng.uniform(0, 0.2) * (_noise(rng, 60, bottom - y, end - x) - 0.5)
    picture[y:bottom, x:end] = np.clip(stone * (grain * fine)[..., None], 0, 255)
    for _ in range(int(rng.integers(0, 4))):  # cracks
        start = np.array([rng.uniform(x, end), rng.choice([y, bottom])])
        crack = np.cumsum(np.vstack([start, rng.normal(0, 9, (4, 2))]), axis=0)
        cv2.polylines(picture[y:bottom, x:end], [np.round(crack - [x, y]).astype(np.int32)], False,
                      tuple(0.72 * stone), 1, cv2.LINE_AA)  # fmt: skip
    size = rng.normal(TURNED_SIZE, 0.015) if turned else 1.0
    if turned:
        small = cv2.resize(strip, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
        drawn = np.ascontiguousarray(np.rot90(small, -1), np.float32)
        at = rng.normal(TURNED_MIDDLE[0], 0.25), rng.normal(TURNED_MIDDLE[1], 0.4)
    else:
        drawn = strip
        at = rng.normal(ROW_MIDDLE[0], 0.4), rng.normal(ROW_MIDDLE[1], 0.3)
    _lay_over(picture, drawn, *(place * FACE_PIXELS_PER_MM for place in at))
    return RowPlace(*at, size * look.pitch / SIGN_WIDTH)
