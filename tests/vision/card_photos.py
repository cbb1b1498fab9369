"""Made-up photos of cards on a table: real faces, rendered, laid out at random and photographed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.photo_simulation import map_points, render_face
from coatl_tools import load_cards
from coatl_tools.language import load_language
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.cards.card_front import make_card_items
from coatl_tools.printing.items import Design
from coatl_tools.printing.layouts import Layouts, ThemeName
from coatl_tools.vision.stage_trace import Pixels

Points = NDArray[np.float64]
WIDTH, HEIGHT = 63.0, 88.0
DPI = 300.0


@lru_cache(maxsize=256)
def face(card_id: str, theme: ThemeName = "full", language: str = "en") -> Pixels:
    """The face of a card, as BGR."""
    catalog = load_cards()
    numbers = load_marks_layout(Layouts()).assign_numbers(catalog)
    design = Design(load_language(language), theme)
    item = make_card_items(design, [catalog[card_id]], "63x88", numbers)[0]
    return np.ascontiguousarray(render_face(item.front, DPI)[:, :, ::-1])


@dataclass(frozen=True)
class Lying:
    """Something flat on the table: where its middle is, in millimetres, and how it is turned."""

    name: str
    picture: Pixels
    x: float
    y: float
    turn: float  # degrees
    width: float = WIDTH
    height: float = HEIGHT

    @property
    def corners(self) -> Points:
        """Its corners on the table, clockwise from its top left."""
        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (self.width / 2, self.height / 2)
        angle = np.radians(self.turn)
        turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
        return np.asarray(half @ turn + (self.x, self.y))


@dataclass(frozen=True)
class View:
    """A camera: its tilt from above and its turn in degrees, and pixels in a millimetre."""

    size: tuple[int, int] = (1600, 1200)
    scale: float = 2.6  # pixels in a millimetre, at the middle
    tilt: float = 0.0
    turn: float = 0.0
    middle: tuple[float, float] = (0.0, 0.0)  # of the table, in the middle of the photo

    def homography(self) -> Points:
        """From millimetres of the table to pixels."""
        focal = 0.8 * max(self.size)
        distance = focal / self.scale
        tilt, turn = np.radians(self.tilt), np.radians(self.turn)
        about = np.array(
            [(np.cos(turn), -np.sin(turn), 0), (np.sin(turn), np.cos(turn), 0), (0, 0, 1)]
        )
        lean = np.array(
            [(1, 0, 0), (0, np.cos(tilt), -np.sin(tilt)), (0, np.sin(tilt), np.cos(tilt))]
        )
        pose = lean @ about
        move = np.eye(3)
        move[:2, 2] = -np.array(self.middle)
        plane = np.column_stack([pose[:, 0], pose[:, 1], (0, 0, distance)]) @ move
        width, height = self.size
        camera = np.array([(focal, 0, width / 2), (0, focal, height / 2), (0, 0, 1)])
        return np.asarray(camera @ plane)


@dataclass(frozen=True)
class Weather:
    """What a photo suffers from."""

    light: tuple[float, float, float] = (1.0, 1.0, 1.0)  # blue, green, red
    fall: float = 0.0  # how much darker one side is
    blur: float = 0.6
    noise: float = 4.0
    quality: int = 88


def table(size: tuple[int, int], rng: np.random.Generator) -> Pixels:
    """A table top: plain, grained, woven or spotted."""
    width, height = size
    ground = rng.uniform(40, 215, 3)
    kind = rng.integers(5)
    coarse = rng.normal(0, 1, (height // 24 + 2, width // 24 + 2)).astype(np.float32)
    field = cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)
    if kind == 1:  # grain
        lines = rng.normal(0, 1, (height // 3 + 1, 8)).astype(np.float32)
        field = field * 0.3 + cv2.resize(lines, size, interpolation=cv2.INTER_CUBIC)
    elif kind == 2:  # checks
        y, x = np.mgrid[0:height, 0:width]
        cell = rng.integers(20, 90)
        field = field * 0.2 + (((x // cell + y // cell) % 2) * 3.0 - 1.5).astype(np.float32)
    elif kind == 3:  # weave
        y, x = np.mgrid[0:height, 0:width]
        field = field * 0.3 + (np.sin(x / 2.5) * np.sin(y / 2.5)).astype(np.float32)
    elif kind == 4:  # spots
        field = field * 0.2
        for _ in range(120):
            at = (int(rng.integers(width)), int(rng.integers(height)))
            cv2.circle(field, at, int(rng.integers(4, 40)), float(rng.normal(0, 2)), -1)
    strength = rng.uniform(2, 26)
    tint = rng.uniform(0.7, 1.3, 3)
    return np.asarray(np.clip(ground + field[:, :, None] * strength * tint, 0, 255), np.uint8)


def photo(
    things: Sequence[Lying],
    view: View,
    weather: Weather | None = None,
    seed: int = 0,
    ground: Pixels | None = None,
) -> tuple[Pixels, Mapping[str, Points]]:
    """The photo, and where the corners of each thing are in it, by name."""
    weather = weather or Weather()
    rng = np.random.default_rng(seed)
    out = table(view.size, rng) if ground is None else ground.copy()
    plane = view.homography()
    corners: dict[str, Points] = {}
    for thing in things:
        seen = map_points(thing.corners, plane)
        corners[thing.name] = seen
        _lay(out, thing.picture, seen)
    width, _ = view.size
    shade = 1 - weather.fall * np.linspace(0, 1, width, dtype=np.float32)[None, :, None]
    light = np.asarray(weather.light, np.float32)
    seen_light = out.astype(np.float32) * shade * light
    if weather.blur:
        seen_light = np.asarray(cv2.GaussianBlur(seen_light, (0, 0), weather.blur), np.float32)
    seen_light += rng.normal(0, 1, seen_light.shape).astype(np.float32) * weather.noise
    picture = np.clip(seen_light, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, weather.quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), corners


def _lay(out: Pixels, picture: Pixels, seen: Points) -> None:
    """Put a picture onto four corners, soft at its edges, only where it is seen."""
    low = np.maximum(np.floor(seen.min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + 2, (out.shape[1], out.shape[0]))
    if (high - low).min() < 4:
        return
    longest = max(np.linalg.norm(seen[i] - seen[i - 1]) for i in range(4))
    shrink = min(1.0, 1.6 * longest / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    outer = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(outer, (seen - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    pasted = cv2.warpPerspective(
        small, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    mask = np.zeros((size[1], size[0]), np.float32)
    fixed = np.round((seen - low) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, fixed, 1.0, cv2.LINE_AA, 4)
    part = out[low[1] : high[1], low[0] : high[0]]
    soft = mask[:, :, None]
    part[:] = np.clip(pasted * soft + part * (1 - soft), 0, 255).astype(np.uint8)
