"""What else lies on a table: mugs, dice, pens, cards, bricks, coins, and things without a name."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training import printed_pieces
from training.flat_things import SHEET_SCALE, draw_sheet
from training.ground_textures import random_colour, random_ground, random_vivid_colour

Floats = NDArray[np.float32]
SCALE = 4.0  # pixels a millimetre
FACE_DOWN_SHARE = 0.35  # of the cards lie face down


@dataclass(frozen=True)
class ClutterItem:
    """A thing seen from above: heights in millimetres, colours in linear light, and its place."""

    heights: Floats
    colours: Floats
    scale: float
    x: float
    y: float
    turn: float
    face: str | None = None  # the id of the published card whose face it is; empty: of no deck

    @property
    def corners(self) -> NDArray[np.float64]:
        """Its corners, from its own top left, with the clock."""
        high, wide = (n / self.scale / 2 for n in self.heights.shape)
        return self._place(np.array([(-wide, high), (wide, high), (wide, -high), (-wide, -high)]))

    @property
    def outline(self) -> NDArray[np.float64]:
        """Points around it."""
        high, wide = (n / self.scale / 2 for n in self.heights.shape)
        corners = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)])
        corners = np.concatenate([corners, corners * [0, 1], corners * [1, 0], [[0, 0]]])
        return self._place(corners)

    def _place(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        turned = points @ np.array([[cos, sin], [-sin, cos]])
        return np.asarray(turned + np.array([self.x, self.y]))


def _make_empty(wide: float, high: float) -> tuple[Floats, Floats, Floats]:
    """Heights, and each place's millimetres from the middle."""
    rows, columns = round(high * SCALE), round(wide * SCALE)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    return (
        np.zeros((rows, columns), np.float32),
        np.asarray((x + 0.5) / SCALE - wide / 2, np.float32),
        np.asarray(high / 2 - (y + 0.5) / SCALE, np.float32),
    )


def _random_paint(rng: np.random.Generator) -> Floats:
    """Return the colour of a thing: often one that a piece might have."""
    if rng.random() < 0.45:
        return random_vivid_colour(rng)
    return random_colour(rng)


def _fill_solid(heights: Floats, colour: Floats) -> tuple[Floats, Floats]:
    return heights, np.broadcast_to(colour, (*heights.shape, 3)).astype(np.float32)


def _mug(rng: np.random.Generator) -> tuple[Floats, Floats]:
    heights, x, y = _make_empty(134, 90)
    apart, radius = np.hypot(x - 10, y), rng.uniform(32, 43)
    tall, paint = rng.uniform(60, 95), _random_paint(rng)
    colours = np.broadcast_to(paint, (*heights.shape, 3)).astype(np.float32)
    heights[apart < radius] = tall
    inside = apart < radius - 3.5
    heights[inside] = tall * 0.75
    colours[inside] = np.array(random_colour(rng)) * 0.3
    heights[(np.abs(y) < 5) & (x < 10 - radius + 2) & (x > -34 - 20)] = tall * 0.8
    return heights, colours


def _die(rng: np.random.Generator) -> tuple[Floats, Floats]:
    side = rng.uniform(12, 20)
    heights, x, y = _make_empty(side + 1, side + 1)
    edge = side / 2 - np.maximum(np.abs(x), np.abs(y))
    heights[edge > 0] = side - 1.5 * np.clip(1 - edge[edge > 0] / 1.5, 0, 1) ** 2
    heights, colours = _fill_solid(heights, _random_paint(rng))
    pip = random_colour(rng)
    for _ in range(int(rng.integers(1, 7))):
        px, py = rng.choice([-1, 0, 1], 2) * side / 4
        colours[np.hypot(x - px, y - py) < side / 11] = pip
    return heights, colours


def _pen(rng: np.random.Generator) -> tuple[Floats, Floats]:
    length, radius = rng.uniform(80, 160), rng.uniform(3, 6)
    heights, x, y = _make_empty(length, 2 * radius + 1)
    thick = radius * np.clip((length / 2 - np.abs(x)) / 12, 0.15, 1)
    round_ = np.sqrt(np.maximum(thick**2 - y**2, 0))
    heights[:] = np.where(np.abs(y) < thick, radius + round_, 0)
    heights, colours = _fill_solid(heights, _random_paint(rng))
    colours[:, : int(colours.shape[1] * rng.uniform(0, 0.4))] = _random_paint(rng)
    return heights, colours


def _coin(rng: np.random.Generator) -> tuple[Floats, Floats]:
    radius = rng.uniform(5, 30)
    heights, x, y = _make_empty(2 * radius + 1, 2 * radius + 1)
    apart = np.hypot(x, y)
    heights[apart < radius] = rng.uniform(0.8, 14)
    heights, colours = _fill_solid(heights, _random_paint(rng))
    colours[apart < radius * rng.uniform(0.3, 0.9)] = _random_paint(rng)
    return heights, colours


def _bricks(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return a row of coloured blocks: almost a Cóatl, but nothing hooks."""
    count, long, wide = int(rng.integers(1, 7)), rng.uniform(8, 24), rng.uniform(8, 22)
    heights, x, y = _make_empty(count * long + 1, wide + 1)
    inside = (np.abs(y) < wide / 2) & (np.abs(x) < count * long / 2)
    along = (x + count * long / 2) % long
    gap = rng.uniform(0.1, 0.6)
    heights[inside & (along > gap) & (along < long - gap)] = rng.uniform(0.4, 12)
    heights, colours = _fill_solid(heights, _random_paint(rng))
    number = ((x + count * long / 2) // long).astype(int)
    for i in range(count):
        colours[number == i] = _random_paint(rng)
    return heights, colours


def _blob(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return some closed shape with a flat or a round top."""
    size = rng.uniform(15, 60)
    heights, _, _ = _make_empty(size, size * rng.uniform(0.3, 1))
    rows, columns = heights.shape
    turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 16))))
    reach = rng.uniform(0.35, 1, len(turns))
    points = np.stack([np.cos(turns) * reach, np.sin(turns) * reach], axis=1)
    points = (points + 1) / 2 * [columns - 1, rows - 1]
    mask = np.zeros((rows, columns), np.uint8)
    cv2.fillPoly(mask, [points.astype(np.int32)], 255)
    tall = rng.uniform(0.3, 20)
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 5) / SCALE
    heights = np.where(mask > 0, tall * np.clip(inside / rng.uniform(0.3, 6), 0.3, 1), 0)
    return _fill_solid(heights.astype(np.float32), _random_paint(rng))


def _band(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return a bent strip: a cord, a ribbon, a toy snake without hooks."""
    heights, _, _ = _make_empty(110, 70)
    rows, columns = heights.shape
    t = np.linspace(0, 1, 60)
    x = 0.08 + 0.84 * t
    y = 0.5 + rng.uniform(0, 0.3) * np.sin(t * rng.uniform(2, 14) + rng.uniform(0, 6))
    line = np.stack([x * columns, y * rows], axis=1).astype(np.int32)
    mask = np.zeros((rows, columns), np.uint8)
    cv2.polylines(mask, [line], False, 255, max(2, round(rng.uniform(3, 22) * SCALE)))
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 5) / SCALE
    heights = np.where(mask > 0, rng.uniform(1, 12) * np.clip(inside / 3, 0.3, 1), 0)
    heights, colours = _fill_solid(heights.astype(np.float32), _random_paint(rng))
    for cut in np.sort(rng.integers(0, columns, int(rng.integers(0, 5)))):
        colours[:, cut:] = _random_paint(rng)
    return heights, colours


def _sheet(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return a flat thing with something on it: paper, a box, a book, a napkin."""
    heights, _, _ = _make_empty(rng.uniform(40, 140), rng.uniform(30, 100))
    heights[:] = rng.choice([0.2, 0.4, 2.0, 12.0])
    texture = random_ground(rng)[: heights.shape[0], : heights.shape[1]]
    heights = heights[: texture.shape[0], : texture.shape[1]]
    colours = texture.copy() if rng.random() < 0.5 else _fill_solid(heights, _random_paint(rng))[1]
    for _ in range(int(rng.integers(0, 7))):  # lines of print
        row, tall = int(rng.integers(heights.shape[0])), int(rng.integers(2, 12))
        begin, end = np.sort(rng.integers(0, heights.shape[1], 2))
        colours[row : row + tall, begin:end] = _random_paint(rng)
    return heights, colours


def _card(rng: np.random.Generator) -> tuple[Floats, Floats]:
    fronts, backs = printed_pieces.render_cards()
    pictures = backs if rng.random() < FACE_DOWN_SHARE else fronts
    picture = pictures[int(rng.integers(len(pictures)))]
    return np.full(picture.shape[:2], 0.4, np.float32), picture


def _drawn_sheet(rng: np.random.Generator) -> tuple[Floats, Floats]:
    heights, colours, _ = draw_sheet(rng)
    return heights, colours


def _beads(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return a toy caterpillar, or a chain of beads, in the colours of pieces."""
    count, size = int(rng.integers(3, 9)), rng.uniform(8, 24)
    apart = size * rng.uniform(0.7, 1.05)
    heights, x, y = _make_empty((count - 1) * apart + size + 1, 2 * size)
    wave, step = rng.uniform(0, 0.4) * size, rng.uniform(0.5, 2)
    colours = np.zeros((*heights.shape, 3), np.float32)
    for i in range(count):
        middle = (i - (count - 1) / 2) * apart, wave * np.sin(i * step)
        off = np.hypot(x - middle[0], (y - middle[1]) * rng.uniform(0.8, 1.1)) / (size / 2)
        tall = size * rng.uniform(0.3, 0.5) * (1 + np.sqrt(np.clip(1 - off**2, 0, 1)))
        own = (off < 1) & (tall > heights)
        heights[own] = tall[own]
        colours[own] = random_vivid_colour(rng) if rng.random() < 0.8 else _random_paint(rng)
    return heights, colours


CARD_SCALES = {_card: float(printed_pieces.CARD_PIXELS_PER_MM), _drawn_sheet: SHEET_SCALE}
CLUTTER_MAKERS = [
    _beads,
    _mug,
    _die,
    _die,
    _pen,
    _pen,
    _coin,
    _bricks,
    _bricks,
    _blob,
    _blob,
    _band,
    _sheet,
]


def random_clutter(
    rng: np.random.Generator, outlines: list[NDArray[np.float64]]
) -> list[ClutterItem]:
    """Return some things around the Cóatls, none on top of another."""
    things: list[ClutterItem] = []
    taken = list(outlines)
    middle = np.concatenate(outlines).mean(axis=0)
    flat = [_card, _card, _drawn_sheet]
    makers = CLUTTER_MAKERS if rng.random() < 0.6 else [*flat, *CLUTTER_MAKERS]
    if rng.random() < 0.25:
        makers = flat
    for _ in range(int(rng.integers(1, 8))):
        maker = makers[int(rng.integers(len(makers)))]
        heights, colours = maker(rng)
        scale = CARD_SCALES.get(maker, SCALE)
        for attempt in range(12):
            x, y = middle + rng.normal(0, 70 + 12 * attempt, 2)
            thing = ClutterItem(heights, colours, scale, x, y, float(rng.uniform(0, 2 * np.pi)))
            reach = np.hypot(*heights.shape) / scale / 2
            places = np.concatenate(taken)
            if np.hypot(*(places - (x, y)).T).min() > reach + 4:
                things.append(thing)
                taken.append(thing.outline)
                break
    return things
