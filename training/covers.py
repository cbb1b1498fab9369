"""What lies over pieces or is held over them: hands, fingers, sleeves, pens, paper."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from training.flat_things import FlatThing, random_flat_thing
from training.ground_textures import random_colour, random_ground

Floats = NDArray[np.float32]
SCALE = 2.5  # pixels a millimetre
REACH = 230.0  # millimetres to both sides of the place that is covered
SKINS = [
    (255, 224, 196), (241, 194, 160), (232, 184, 148), (224, 172, 105), (206, 150, 110),
    (198, 134, 66), (172, 115, 80), (141, 85, 36), (104, 66, 44), (74, 46, 32), (52, 34, 26),
]  # fmt: skip


def random_cover(rng: np.random.Generator, high: float) -> FlatThing:
    """Return something that covers pieces `high` millimetres high; its tip is in its middle."""
    maker = [_hand, _hand, _finger, _finger, _sleeve, _bar, _paper][int(rng.integers(7))]
    heights, colours, scale = maker(rng)
    return np.where(heights > 0, heights + np.float32(high), 0), colours, scale


def _make_empty(wide: float) -> tuple[Floats, Floats, Floats]:
    """Heights, and each place's millimetres from the tip; the arm lies at the left."""
    y, x = np.mgrid[0 : round(wide * SCALE), 0 : round(2 * REACH * SCALE)].astype(np.float32)
    x = x / SCALE - REACH
    y = wide / 2 - y / SCALE
    return np.zeros_like(x), np.asarray(x, np.float32), np.asarray(y, np.float32)


def _paint_skin(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.85, 1.1)
    skin = (np.clip(skin + rng.normal(0, 6, 3), 10, 252) / 255) ** 2.2
    coarse = rng.normal(1, 0.07, (8, 24)).astype(np.float32)
    mottled = cv2.resize(coarse, shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(skin * mottled[..., None], np.float32)


def _paint_cloth(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    if rng.random() < 0.5:
        folds = cv2.resize(rng.uniform(0.6, 1.1, (3, 9)).astype(np.float32), shape[1::-1])
        return np.asarray(random_colour(rng) * folds[..., None], np.float32)
    texture = random_ground(rng)
    across = -(-shape[1] // texture.shape[1])
    wide = np.tile(texture, (1, across, 1))
    return np.array(wide[: shape[0], : shape[1]])


def _raise_round(mask: NDArray[np.uint8], tall: float, soft: float) -> Floats:
    """Make a mask as high as `tall`, and round towards its edge, `soft` millimetres wide."""
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 5) / SCALE
    edge = np.clip(inside / soft, 0, 1)
    rise = np.sqrt(1 - (1 - edge) ** 2)
    return np.where(mask > 0, tall * (0.25 + 0.75 * rise), 0).astype(np.float32)


def _to_pixel(x: float, y: float, rows: int) -> tuple[int, int]:
    return round((x + REACH) * SCALE), round(rows / 2 - y * SCALE)


def _draw_limb(mask: NDArray[np.uint8], points: list[tuple[float, float]], width: float) -> None:
    rows = mask.shape[0]
    line = np.array([_to_pixel(x, y, rows) for x, y in points], np.int32)
    cv2.polylines(mask, [line], False, 255, max(1, round(width * SCALE)))
    for end in line:
        cv2.circle(mask, tuple(map(int, end)), max(1, round(width * SCALE / 2)), 255, -1)


def _add_sleeve(
    rng: np.random.Generator, heights: Floats, colours: Floats, x: Floats, y: Floats, ends: float
) -> None:
    """Clothe an arm up to some place."""
    half = rng.uniform(32, 55)
    own = (x < ends + 4 * np.sin(y / rng.uniform(5, 15))) & (np.abs(y) < half)
    heights[own] = np.maximum(heights, 22 * np.sqrt(np.clip(1 - (y / half) ** 2, 0.05, 1)))[own]
    colours[own] = _paint_cloth(rng, heights.shape)[own]


def _hand(rng: np.random.Generator) -> FlatThing:
    heights, x, y = _make_empty(170)
    mask = np.zeros(heights.shape, np.uint8)
    size = rng.uniform(0.75, 1.1)
    back = -rng.uniform(60, 85) * size  # the middle of the hand's back
    _draw_limb(mask, [(-REACH - 20, 0), (back - 25, 0)], 52 * size)
    palm = round(44 * size * SCALE), round(38 * size * SCALE)
    cv2.ellipse(mask, _to_pixel(back, 0, len(mask)), palm, 0, 0, 360, 255, -1)
    tips: list[tuple[float, float]] = []
    spread = rng.uniform(0.7, 1.6)
    lead = int(rng.integers(4))
    shown = rng.random(4) < rng.choice([0.35, 0.9])
    for i, (side, long) in enumerate(((27.0, -6.0), (9.0, 0.0), (-9.0, -4.0), (-26.0, -18.0))):
        if not shown[i] and i != lead:
            continue
        tip = (long * size + rng.normal(0, 5), side * size * spread)
        knuckle = ((tip[0] + back) / 2, side * size * (1 + spread) / 2 + rng.normal(0, 3))
        _draw_limb(mask, [(back + 10, side * size), knuckle, tip], rng.uniform(14, 18) * size)
        tips.append(tip)
    if rng.random() < 0.6:
        tip = (back + rng.uniform(15, 50), 52 * size)
        _draw_limb(mask, [(back - 10, 22 * size), tip], rng.uniform(16, 20) * size)
    if rng.random() < 0.5:
        mask = np.ascontiguousarray(mask[::-1])
        tips = [(px, -py) for px, py in tips]
    heights = _raise_round(mask, rng.uniform(9, 25), 9)
    colours = _paint_skin(rng, heights.shape)
    _paint_nails(rng, colours, tips)
    if rng.random() < 0.7:
        _add_sleeve(rng, heights, colours, x, y, back - rng.uniform(30, 90))
    return heights, colours, SCALE


def _paint_nails(
    rng: np.random.Generator, colours: Floats, tips: list[tuple[float, float]]
) -> None:
    if rng.random() < 0.4:
        return
    nail = colours.mean(axis=(0, 1)) * 1.15 + 0.04 if rng.random() < 0.8 else random_colour(rng)
    for px, py in tips:
        at = _to_pixel(px - 1, py, len(colours))
        size = round(6 * SCALE), round(4.5 * SCALE)
        cv2.ellipse(colours, at, size, 0, 0, 360, tuple(map(float, nail)), -1)


def _finger(rng: np.random.Generator) -> FlatThing:
    heights, x, y = _make_empty(120)
    mask = np.zeros(heights.shape, np.uint8)
    bend = rng.normal(0, 12)
    width = rng.uniform(12, 19)
    _draw_limb(mask, [(-rng.uniform(60, 90), bend), (-35, bend * 0.3), (0, 0)], width)
    _draw_limb(mask, [(-REACH - 20, bend), (-75, bend)], rng.uniform(40, 65))
    heights = _raise_round(mask, rng.uniform(7, 18), width / 2)
    colours = _paint_skin(rng, heights.shape)
    _paint_nails(rng, colours, [(-1.0, 0.0)])
    if rng.random() < 0.5:
        _add_sleeve(rng, heights, colours, x, y, -rng.uniform(100, 160))
    return heights, colours, SCALE


def _sleeve(rng: np.random.Generator) -> FlatThing:
    heights, x, y = _make_empty(150)
    colours = _paint_cloth(rng, heights.shape)
    half = rng.uniform(30, 70)
    bend = rng.normal(0, 0.12) * x + rng.normal(0, 6) * np.sin(x / rng.uniform(20, 60))
    own = (x < 6 * np.sin(y / rng.uniform(8, 25))) & (np.abs(y - bend) < half)
    if rng.random() < 0.3:
        own = np.abs(y - bend) < half  # right across
    rise = np.sqrt(np.clip(1 - ((y - bend) / half) ** 2, 0.05, 1))
    heights = np.where(own, rng.uniform(6, 30) * rise, 0).astype(np.float32)
    return heights, colours, SCALE


def _bar(rng: np.random.Generator) -> FlatThing:
    """Return a pen, a cable, a ribbon, a strap across the pieces."""
    heights, x, y = _make_empty(60)
    half = rng.uniform(1.2, 7)
    bend = rng.normal(0, 4) * np.sin(x / rng.uniform(15, 60))
    begin, end = -rng.uniform(20, REACH), rng.uniform(0, REACH)
    own = (np.abs(y - bend) < half) & (x > begin) & (x < end)
    heights = np.where(own, half * (1 + np.sqrt(np.clip(1 - ((y - bend) / half) ** 2, 0, 1))), 0)
    heights = heights.astype(np.float32)
    colours = np.broadcast_to(random_colour(rng), (*heights.shape, 3)).astype(np.float32)
    return heights, colours, SCALE


def _paper(rng: np.random.Generator) -> FlatThing:
    """Return a card or a sheet that lies over the pieces."""
    heights, colours, scale = random_flat_thing(rng)
    turned = int(rng.integers(4))
    heights = np.rot90(heights, turned)
    colours = np.ascontiguousarray(np.rot90(colours, turned))
    middle = heights.shape[1]
    wide = np.zeros((heights.shape[0], 2 * middle), np.float32)
    wide[:, :middle] = heights  # its edge lies where the tip of a hand would
    paint = np.zeros((*wide.shape, 3), np.float32)
    paint[:, :middle] = colours
    return wide, paint, scale
