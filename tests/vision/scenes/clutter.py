"""What else lies on a table: stray pieces, dice, pens, coins, a mug, backs of cards, rules."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.random import Generator

from coatl_tools.cards.card import CardKind
from coatl_tools.pieces import Colour, PieceKind
from tests.vision.scenes import cutouts
from tests.vision.scenes.arrangement import APART, Laid, turned
from tests.vision.scenes.camera import Camera
from tests.vision.scenes.cutouts import PER_MM, Cutout, Press
from tests.vision.scenes.light import Light
from tests.vision.scenes.painting import Pixels, Points, Printer, lay, sprite

FINE = 4  # bits of a pixel, for drawn edges
MASK = 8  # the map of what is taken is so many times as small as the photo
THINGS = ("die", "die", "pen", "mug", "coin", "card back", "tile back", "rules", "stray", "stray")


@dataclass
class Table:
    """A photo in the making, and where something lies already."""

    photo: Pixels
    camera: Camera
    light: Light
    printer: Printer
    taken: Pixels = field(init=False)
    near: Pixels = field(init=False)  # to what matters; nothing may stand before it

    def __post_init__(self) -> None:
        height, width = self.photo.shape[:2]
        self.taken = np.zeros((height // MASK + 1, width // MASK + 1), np.uint8)
        self.near = self.taken.copy()

    def keep(self, outline: Points) -> None:
        """Nothing else may lie here, nor close by."""
        self._fill(self.near, self.camera.straight(_wider(outline, APART)))
        self._fill(self.taken, self.camera.straight(outline))

    def free(self, *outlines: Points) -> bool:
        """Whether nothing lies where these outlines are, in pixels; if so, it is taken now."""
        mask = np.zeros_like(self.taken)
        for outline in outlines:
            self._fill(mask, outline)
        if (mask & (self.near | self.taken)).any():
            return False
        self.taken |= mask
        return True

    def _fill(self, mask: Pixels, outline: Points) -> None:
        hull = cv2.convexHull((outline / MASK).astype(np.float32)).astype(np.int32)
        cv2.fillConvexPoly(mask, hull, (255,))


def _wider(outline: Points, by: float) -> Points:
    away = outline - outline.mean(axis=0)
    reach = np.linalg.norm(away, axis=1, keepdims=True)
    return np.asarray(outline + away / np.maximum(reach, 1e-6) * by)


@dataclass(frozen=True, eq=False)
class Clutter:
    """What was put there: names of things, and the stray pieces."""

    objects: tuple[str, ...]
    strays: tuple[Laid, ...]


def strewn(rng: Generator, table: Table, press: Press, count: int) -> Clutter:
    """Put so many things on the table, where there is room."""
    objects: list[str] = []
    strays: list[Laid] = []
    for name in rng.choice(THINGS, count):
        for _ in range(8):
            at = table.camera.table(rng.uniform(0, 1, (1, 2)) * table.photo.shape[1::-1])[0]
            turn = float(rng.uniform(0, 360))
            if str(name) == "stray":
                stray = _stray(rng, table, press, turned(turn, *at))
                if stray is None:
                    continue
                strays.append(stray)
            elif not _put(rng, table, press, str(name), turned(turn, *at)):
                continue
            objects += [] if str(name) == "stray" else [str(name)]
            break
    return Clutter(tuple(objects), tuple(strays))


def _stray(rng: Generator, table: Table, press: Press, place: Points) -> Laid | None:
    """A piece that belongs to nothing, whole in the photo."""
    kind = [PieceKind.BODY, PieceKind.BODY, PieceKind.HEAD, PieceKind.TAIL][rng.integers(4)]
    colour = Colour(int(rng.integers(5)))
    laid = Laid(cutouts.piece(press, kind, colour), place, f"{kind.value}:{colour.word}")
    seen = table.camera.seen(laid.outline)
    if (seen < 4).any() or (seen > np.array(table.camera.size) - 4).any():
        return None
    if not table.free(table.camera.straight(_wider(laid.outline, APART / 2))):
        return None
    paper = sprite(rng, table.printer, laid.cutout, 0.02, table.camera.scale(laid.middle))
    lay(table.photo, table.camera, paper, place, laid.thick, table.light)
    return laid


def _put(rng: Generator, table: Table, press: Press, name: str, place: Points) -> bool:
    if name == "die":
        return _die(rng, table, place)
    if name == "pen":
        return _pen(rng, table, place)
    if name == "mug":
        return _mug(rng, table, place)
    if name == "coin":
        return _paper(rng, table, _coin(rng), place, 1.5)
    kinds = [*CardKind]
    cutout = {
        "card back": lambda: cutouts.card_back(press, kinds[rng.integers(2)]),
        "tile back": lambda: cutouts.piece_back(press),
        "rules": lambda: cutouts.rules(press, int(rng.integers(5))),
    }[name]()
    return _paper(rng, table, cutout, place, 0.3)


def _paper(rng: Generator, table: Table, cutout: Cutout, place: Points, thick: float) -> bool:
    outline = cutout.outline @ place[:2, :2].T + place[:2, 2]
    if not table.free(table.camera.straight(outline)):
        return False
    paper = sprite(rng, table.printer, cutout, 0.03, table.camera.scale(place[:2, 2]))
    lay(table.photo, table.camera, paper, place, thick, table.light)
    return True


def _coin(rng: Generator) -> Cutout:
    """A disc of metal with a rim."""
    reach = float(rng.uniform(9, 13))
    metals = [(120, 170, 190), (175, 180, 182), (80, 120, 170)]
    side = math.ceil(2 * (reach + 1) * PER_MM)
    line = (np.arange(side) / PER_MM - reach - 1)[None, :]
    far = np.hypot(line, line.T)
    tone = 0.8 + 0.15 * np.sin(line * 0.2 + line.T * 0.1) + 0.2 * (np.abs(far - reach + 1) < 0.4)
    tone = tone + 0.12 * (rng.standard_normal((side, side)) > 1) * (far < reach * 0.6)
    pixels = np.clip(tone[:, :, None] * np.array(metals[rng.integers(3)]), 0, 255).astype(np.uint8)
    around = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    outline = reach * np.column_stack([np.cos(around), np.sin(around)])
    return Cutout(pixels, (-reach - 1, -reach - 1), outline)


def _polygon(photo: Pixels, points: Points, colour: Points) -> None:
    corners = np.round(points * 2**FINE).astype(np.int32)
    b, g, r = (float(np.clip(value, 0, 255)) for value in colour)
    cv2.fillPoly(photo, [corners], (b, g, r), cv2.LINE_AA, FINE)


def _standing(table: Table, foot: Points, height: float) -> bool:
    """Make room for something that stands, and let it throw its shadow."""
    foot_seen, top_seen = table.camera.straight(foot), table.camera.straight(foot, height)
    body = np.concatenate([foot_seen, top_seen])
    if not table.free(body):
        return False
    fallen = foot + np.array(table.light.shift) * height
    hull = cv2.convexHull(np.concatenate([foot, fallen]).astype(np.float32))[:, 0]
    scale = table.camera.scale(foot.mean(axis=0))
    shade = np.zeros(table.taken.shape, np.float32)
    seen = np.round(table.camera.straight(hull.astype(float)) / MASK).astype(np.int32)
    cv2.fillConvexPoly(shade, seen, (1.0,))
    soft = max(1.0, (0.3 + 0.3 * table.light.soft * height) * scale / MASK)
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), soft))
    rows, columns = table.photo.shape[:2]
    large = cv2.resize(shade, (columns, rows), interpolation=cv2.INTER_LINEAR)
    dim = 1 - table.light.dark * np.asarray(large)
    table.photo[:] = cv2.multiply(table.photo, cv2.merge([dim] * 3), dtype=cv2.CV_8U)
    return True


def _die(rng: Generator, table: Table, place: Points) -> bool:
    """A cube with pips, seen from its side."""
    half = float(rng.uniform(6, 9))
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    foot = corners @ place[:2, :2].T + place[:2, 2]
    if not _standing(table, foot, 2 * half):
        return False
    colours = [(235, 238, 240), (40, 35, 180), (50, 50, 50), (150, 80, 30), (60, 130, 50)]
    colour = np.array(colours[rng.integers(5)], float)
    pip = (240, 240, 240) if colour.sum() < 500 else (30, 30, 30)
    low, high = table.camera.straight(foot), table.camera.straight(foot, 2 * half)
    faces = []
    for i in range(4):
        j = (i + 1) % 4
        quad = np.array([high[i], high[j], low[j], low[i]])
        across = quad[1] - quad[0]
        down = quad[3] - quad[0]
        if across[0] * down[1] - across[1] * down[0] < 0:  # it looks at us
            faces.append((quad, float(rng.uniform(0.55, 0.8))))
    faces.append((high, 1.0))
    for quad, tone in faces:
        picture = np.full((64, 64, 3), colour * tone, np.uint8)
        for x, y in _pips(int(rng.integers(1, 7))):
            cv2.circle(picture, (x, y), 6, pip, -1, cv2.LINE_AA)
        square = np.array([(0, 0), (63, 0), (63, 63), (0, 63)], np.float32)
        seen = cv2.getPerspectiveTransform(square, quad.astype(np.float32))
        if len(faces) == 1 or np.ptp(quad, axis=0).min() > 1:
            _over(table.photo, picture, np.asarray(seen), quad)
    return True


def _over(photo: Pixels, picture: Pixels, seen: Points, quad: Points) -> None:
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, photo.shape[1::-1])
    if (high - low < 2).any():
        return
    here = np.array([(1, 0, -low[0]), (0, 1, -low[1]), (0, 0, 1.0)])
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    warped = cv2.warpPerspective(picture, here @ seen, size, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((size[1], size[0], 3), np.uint8)
    _polygon(mask, quad - low, np.full(3, 255.0))
    part = photo[low[1] : high[1], low[0] : high[0]]
    mixed = part * (1 - mask / 255.0) + warped * (mask / 255.0)
    part[:] = mixed.astype(np.uint8)


def _pips(number: int) -> list[tuple[int, int]]:
    a, b, c = 15, 32, 49
    sets = {
        1: [(b, b)], 2: [(a, a), (c, c)], 3: [(a, a), (b, b), (c, c)],
        4: [(a, a), (a, c), (c, a), (c, c)], 5: [(a, a), (a, c), (c, a), (c, c), (b, b)],
        6: [(a, a), (a, b), (a, c), (c, a), (c, b), (c, c)],
    }  # fmt: skip
    return sets[number]


def _pen(rng: Generator, table: Table, place: Points) -> bool:
    """A round stick with a tip."""
    long, reach = float(rng.uniform(120, 160)) / 2, float(rng.uniform(3.5, 5))
    foot = np.array([(-long, -reach), (long, -reach), (long, reach), (-long, reach)])
    if not _standing(table, foot @ place[:2, :2].T + place[:2, 2], 1.6 * reach):
        return False
    colours = [(160, 60, 20), (30, 30, 170), (40, 40, 40), (40, 140, 60), (40, 180, 230)]
    colour = np.array(colours[rng.integers(5)], float)
    parts = [(-long, 0.55 * long, colour), (0.55 * long, 0.85 * long, colour * 0.5 + 60)]
    for low, high, paint in [*parts, (0.85 * long, long, np.array((190.0, 195, 200)))]:
        for k in range(10):
            a, b = (math.pi * (k + d) / 10 for d in (0, 1.15))
            thin = 0.3 if high == long else 1.0
            quad = [
                (low, -reach * math.cos(a), reach + reach * math.sin(a)),
                (high, -thin * reach * math.cos(a), reach + thin * reach * math.sin(a)),
                (high, -thin * reach * math.cos(b), reach + thin * reach * math.sin(b)),
                (low, -reach * math.cos(b), reach + reach * math.sin(b)),
            ]
            spots = np.array(quad)
            flat = spots[:, :2] @ place[:2, :2].T + place[:2, 2]
            tone = 0.45 + 0.6 * math.sin((a + b) / 2) + (0.5 if k == 6 else 0)
            seen = table.camera.straight(np.column_stack([flat, spots[:, 2]]))
            _polygon(table.photo, seen, paint * tone)
    return True


def _mug(rng: Generator, table: Table, place: Points) -> bool:
    """A mug with something dark in it."""
    reach, tall = float(rng.uniform(36, 45)), float(rng.uniform(75, 105))
    around = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    ring = np.column_stack([np.cos(around), np.sin(around)])
    at = place[:2, 2]
    if not _standing(table, ring * reach + at, tall):
        return False
    colours = [(235, 236, 238), (40, 40, 150), (120, 80, 30), (50, 60, 60), (90, 190, 220)]
    colour = np.array(colours[rng.integers(5)], float)
    low, high = (table.camera.straight(ring * reach + at, z) for z in (0.0, tall))
    sun = -np.array(table.light.shift)
    sun = sun / max(1e-6, float(np.linalg.norm(sun)))
    for i in range(48):
        j = (i + 1) % 48
        quad = np.array([high[i], high[j], low[j], low[i]])
        across, down = quad[1] - quad[0], quad[3] - quad[0]
        if across[0] * down[1] - across[1] * down[0] < 0:
            tone = 0.6 + 0.35 * float(ring[i] @ sun)
            _polygon(table.photo, quad, colour * tone)
    _polygon(table.photo, high, colour)
    inner = table.camera.straight(ring * (reach - 4) + at, tall)
    _polygon(table.photo, inner, colour * 0.6)
    drink = table.camera.straight(ring * (reach - 7) + at, tall - 3)
    _polygon(table.photo, drink, np.array((18.0, 32, 58)))
    return True
