"""Pictures with edges that are laid on a table: cards, things, snakes of plastic, hands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from training.covers import random_cover
from training.flat_things import random_flat_thing
from training.ground_textures import random_ground
from training.lettering import Picture
from training.piece_shapes import SHAPE_PIXELS_PER_MM
from training.row_drawing import FACE_PIXELS_PER_MM
from training.scene import PieceLayer
from training.scene_plan import random_coatl

CORNER_RADIUS = 3.2  # millimetres, of a card
SNAKE_SCALE = 5.0  # pixels a millimetre
SNAKES, HANDS, THINGS, GROUNDS = 40, 24, 24, 40  # different ones; more would only take longer


@dataclass(frozen=True, eq=False)
class Sprite:
    """A picture (RGB) with how much it covers, at several sizes, the largest first."""

    pictures: tuple[Picture, ...]  # with four planes
    scale: float  # pixels a millimetre of the largest

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimetres."""
        high, wide = self.pictures[0].shape[:2]
        return wide / self.scale, high / self.scale

    def choose(self, scale: float) -> tuple[Picture, float]:
        """Choose the picture for a photo of some pixels a millimetre, and return its own scale."""
        number = int(
            np.clip(np.floor(np.log2(self.scale / scale) + 0.2), 0, len(self.pictures) - 1)
        )
        return self.pictures[number], self.scale / 2**number


def make_sprite(picture: Picture, cover: Picture, scale: float) -> Sprite:
    """Make a sprite of a picture and what it covers."""
    sizes = [np.dstack([picture, cover])]
    while min(sizes[-1].shape[:2]) > 60 and len(sizes) < 4:
        high, wide = sizes[-1].shape[:2]
        half = cv2.resize(sizes[-1], (wide // 2, high // 2), interpolation=cv2.INTER_AREA)
        sizes.append(np.asarray(half, np.uint8))
    return Sprite(tuple(sizes), scale)


def make_card_sprite(picture: Picture, scale: float = FACE_PIXELS_PER_MM) -> Sprite:
    """Make a sprite of the face or the back of a card."""
    return make_sprite(picture, _round_corners(picture), scale)


@cache
def make_ground(number: int) -> Picture:
    """Make a table or a cloth, one of `GROUNDS`."""
    return _to_tones(random_ground(np.random.default_rng([7, number])))


@cache
def make_thing(number: int) -> Sprite:
    """Make one of `THINGS` that lie flat on tables: a printed card or a sheet."""
    _, colours, scale = random_flat_thing(np.random.default_rng([8, number]))
    picture = _to_tones(colours)
    return make_sprite(picture, _round_corners(picture), scale)


@cache
def make_snake(number: int) -> Sprite:
    """Make one of `SNAKES`: a Cóatl of plastic, some pieces long."""
    rng = np.random.default_rng([9, number])
    layer = PieceLayer(rng, "plastic")
    chain = random_coatl(rng, int(rng.integers(1, 7)), layer.pitch)
    heights, colours, _ = layer.draw_straight_coatl(chain)
    return _shade(rng, heights, colours, SHAPE_PIXELS_PER_MM, SNAKE_SCALE)


@cache
def make_hand(number: int) -> Sprite:
    """Make one of `HANDS`: hands, sleeves, pens, paper; their tips are in the middle."""
    rng = np.random.default_rng([10, number])
    heights, colours, scale = random_cover(rng, 0.0)
    return _shade(rng, heights, colours, scale, scale)


def _to_tones(light: NDArray[np.float32]) -> Picture:
    return np.asarray(np.clip(light, 0, 1) ** (1 / 2.2) * 255, np.uint8)


def _round_corners(picture: Picture) -> Picture:
    high, wide = picture.shape[:2]
    radius = round(CORNER_RADIUS / 88 * max(high, wide))
    cover = np.zeros((high, wide), np.uint8)
    cv2.rectangle(cover, (radius, 0), (wide - radius - 1, high), 255, -1)
    cv2.rectangle(cover, (0, radius), (wide, high - radius - 1), 255, -1)
    for x in (radius, wide - radius - 1):
        for y in (radius, high - radius - 1):
            cv2.circle(cover, (x, y), radius, 255, -1)
    return cover


def _shade(
    rng: np.random.Generator,
    heights: NDArray[np.float32],
    colours: NDArray[np.float32],
    scale: float,
    target: float,
) -> Sprite:
    """Light something with heights from a side."""
    across, down = (
        cv2.Sobel(heights, cv2.CV_32F, *way, ksize=3, scale=scale / 8) for way in ((1, 0), (0, 1))
    )
    long = np.sqrt(1 + across**2 + down**2)
    angle, flat = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.8)
    way = flat * np.cos(angle), flat * np.sin(angle)
    facing = (np.sqrt(1 - flat**2) - across * way[0] - down * way[1]) / long
    light = 0.35 + 0.75 * np.clip(facing, 0, 1)
    shine = rng.uniform(0, 0.5) * np.clip(facing, 0, 1) ** rng.uniform(10, 60)
    tones = _to_tones(colours * light[..., None] + shine[..., None])
    cover = np.asarray((heights > 0).astype(np.uint8) * 255, np.uint8)
    if target < scale:
        share = target / scale
        tones, cover = (
            np.asarray(
                cv2.resize(one, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
            )
            for one in (tones, cover)
        )
    return make_sprite(tones, cover, min(scale, target))
