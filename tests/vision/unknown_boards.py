"""Boards that nobody has drawings of: art at random, ten places at random; and photos of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.rules.constants import Pieces
from coatl_tools.vision.homography import map_points
from tests.vision.board_photos import PHOTO_SIZE, PIXELS_PER_MM, Pixels, Place, lay_pieces

BOARD_MM = 230, 230
TABLE_MM = 90  # around the board
MIN_APART_MM = 45.0
BODY_ROOM_MM, ROOM_MM = 34.0, 24.0  # from the edge to a place for two pieces, for one
SPACES = 10


@dataclass(frozen=True)
class UnknownBoard:
    """A board (RGB) and its places."""

    picture: Pixels
    places: tuple[Place, ...]


@dataclass(frozen=True)
class BoardPhoto:
    """A photo (BGR) of a board, and where the middles of its places are in it."""

    pixels: Pixels
    places: NDArray[np.float64]


@cache
def draw_unknown_board(seed: int) -> UnknownBoard:
    """Draw a board at random: patches, rings, leaves and lines on a ground of its own."""
    random = np.random.default_rng(seed)
    places = _choose_places(random)
    width, height = (side * PIXELS_PER_MM for side in BOARD_MM)
    picture = np.full((height, width, 3), random.integers(90, 230, 3), np.uint8)
    for _ in range(int(random.integers(40, 110))):
        _draw_figure(picture, random)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    ground = random.integers(110, 225, 3).tolist()
    for x, y, turn in places:
        middle = int(x * PIXELS_PER_MM), int(y * PIXELS_PER_MM)
        size = (48 * PIXELS_PER_MM, 24 * PIXELS_PER_MM)
        corners = cv2.boxPoints((middle, size, turn)).astype(np.int32)
        cv2.fillConvexPoly(picture, corners, ground, cv2.LINE_AA)
        cv2.polylines(picture, [corners], True, (40, 30, 30), 4, cv2.LINE_AA)
    return UnknownBoard(picture, places)


def _choose_places(random: np.random.Generator) -> tuple[Place, ...]:
    """Choose places far enough from each other, and from the edge."""
    found: list[Place] = []
    while len(found) < SPACES:
        found = []
        for _ in range(400):
            room = BODY_ROOM_MM if len(found) < 6 else ROOM_MM
            x, y = (random.uniform(room, side - room) for side in BOARD_MM)
            turn = float(random.choice([0, 90, 25, 140]))
            if all(_is_apart((x, y, turn), other) for other in found):
                found.append((float(x), float(y), turn))
            if len(found) == SPACES:
                break
    return tuple(found)


def _is_apart(one: Place, other: Place) -> bool:
    """Whether pieces on both places do not touch: three points along each place are apart."""

    def points(place: Place) -> NDArray[np.float64]:
        ahead = np.array([np.cos(np.radians(place[2])), np.sin(np.radians(place[2]))])
        return np.array([np.array(place[:2]) + step * ahead for step in (-16, 0, 16)])

    gaps = np.hypot(*(points(one)[:, None] - points(other)[None]).transpose(2, 0, 1))
    return bool(gaps.min() > 30 and np.hypot(one[0] - other[0], one[1] - other[1]) > MIN_APART_MM)


def _draw_figure(picture: Pixels, random: np.random.Generator) -> None:
    height, width = picture.shape[:2]
    middle = int(random.integers(0, width)), int(random.integers(0, height))
    colour, size = random.integers(20, 245, 3).tolist(), int(random.integers(15, 130))
    around = [int(side) for side in random.integers(15, 130, 2)]
    match int(random.integers(0, 4)):
        case 0:
            spread = random.integers(-size, size, (int(random.integers(3, 8)), 2))
            points = np.array(middle) + spread
            cv2.fillPoly(picture, [points.astype(np.int32)], colour, cv2.LINE_AA)
        case 1:
            cv2.circle(picture, middle, size, colour, int(random.integers(3, 14)), cv2.LINE_AA)
        case 2:
            turn = float(random.uniform(0, 360))
            cv2.ellipse(picture, middle, around, turn, 0, 360, colour, -1, cv2.LINE_AA)
        case _:
            points = np.cumsum(random.integers(-60, 60, (9, 2)), axis=0) + np.array(middle)
            cv2.polylines(picture, [points.astype(np.int32)], False, colour, 5, cv2.LINE_AA)


def photograph_board(
    board: UnknownBoard,
    contents: Sequence[Pieces],
    seed: int,
    turn: float | None = None,
    size: tuple[int, int] = PHOTO_SIZE,
) -> BoardPhoto:
    """Photograph a board with pieces on it: on a table, turned, from a side, in a light."""
    random = np.random.default_rng(seed)
    edge = TABLE_MM * PIXELS_PER_MM
    laid = lay_pieces(board.picture, board.places, contents)
    laid = _cast_shadows(laid, board.picture)
    scene = _draw_table(random, (laid.shape[0] + 2 * edge, laid.shape[1] + 2 * edge))
    scene[edge:-edge, edge:-edge] = laid
    turn = float(random.uniform(-40, 40)) if turn is None else turn
    matrix = _look_from(random, scene.shape[1::-1], laid.shape[1::-1], turn, size)
    seen = cv2.warpPerspective(
        scene, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
    )
    photo = np.asarray(seen, np.float64)
    photo = np.asarray(cv2.GaussianBlur(photo, (0, 0), float(random.uniform(0.5, 1.1))), np.float64)
    photo = photo * _draw_light(random, size) + random.normal(0, random.uniform(2, 6), photo.shape)
    pixels = np.ascontiguousarray(np.clip(photo, 0, 255).astype(np.uint8)[:, :, ::-1])
    _, packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 88])
    flat = (np.array([place[:2] for place in board.places]) + TABLE_MM) * PIXELS_PER_MM
    places = map_points(flat, matrix)
    return BoardPhoto(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), places)


def _cast_shadows(laid: Pixels, bare: Pixels) -> Pixels:
    """Darken what lies beside pieces, which are a few millimetres high."""
    pieces = (np.abs(laid.astype(np.int16) - bare).max(axis=2) > 8).astype(np.float32)
    dark = cv2.GaussianBlur(np.roll(pieces, (6, 8), (0, 1)), (0, 0), 4)[:, :, None]
    shaded = laid * (1 - 0.45 * dark * (1 - pieces[:, :, None]))
    return np.asarray(shaded, np.uint8)


def _draw_table(random: np.random.Generator, shape: tuple[int, int]) -> Pixels:
    """Draw a table with a grain."""
    grain = cv2.GaussianBlur(random.normal(0, 1, shape), (0, 0), sigmaX=1.5, sigmaY=25)
    grain = grain / np.abs(grain).max() * random.uniform(8, 40)
    colour = random.integers(60, 210, 3)
    return np.asarray(np.clip(colour + grain[:, :, None], 0, 255), np.uint8)


def _look_from(
    random: np.random.Generator,
    scene: tuple[int, int],
    board: tuple[int, int],
    turn: float,
    size: tuple[int, int],
) -> NDArray[np.float64]:
    """Return the homography of a camera above one side of the table."""
    middle = np.array(scene) / 2
    half = np.array(board) / 2
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * half
    angle = np.radians(turn)
    turned = corners @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    flat = turned / np.abs(turned).max()
    away = 1 + random.uniform(0, 0.2) * (1 - flat[:, 1:])
    seen = flat * np.array([1.0, random.uniform(0.75, 1.0)]) / away
    seen = seen * random.uniform(0.8, 0.95) * size[1] / 2 + np.array(size) / 2
    from_ = (corners + middle).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(from_, seen.astype(np.float32)), np.float64)


def _draw_light(random: np.random.Generator, size: tuple[int, int]) -> NDArray[np.float64]:
    """Draw a light from one side, a little tinted."""
    angle = random.uniform(0, 2 * np.pi)
    x, y = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    slope = 1 + random.uniform(0, 0.25) * (np.cos(angle) * x + np.sin(angle) * y)
    tint = 1 + random.uniform(-0.06, 0.06, 3)
    return np.asarray(random.uniform(0.7, 1.0) * slope[:, :, None] * tint, np.float64)
