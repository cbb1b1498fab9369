"""A table with Cóatls, single pieces and clutter on it, laid out at random, seen from above."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour, PieceKind
from training import printed_pieces
from training.camera import Raster
from training.clutter import ClutterItem
from training.piece_shapes import HALF_HEIGHT, HALF_WIDTH, SHAPE_PIXELS_PER_MM, PieceSet, random_set
from training.scene_plan import CoatlCurve, PlannedCoatl, ScenePlan

Floats = NDArray[np.float32]
Material = Literal["plastic", "full", "low-ink"]
PAPER_HEIGHT = 0.4
MAX_COVER_GLOSS = 0.35  # of skin and cloth; plastic has 1
BASE_COLOURS = {
    Colour.R: (222, 40, 45), Colour.G: (122, 192, 68), Colour.B: (5, 122, 180),
    Colour.Y: (243, 206, 42), Colour.K: (48, 44, 47),
}  # fmt: skip


@dataclass(frozen=True)
class ScenePiece:
    """A piece that lies somewhere: where its middle is, and a pitch towards head and tail."""

    kind: PieceKind
    colour: Colour
    middle: tuple[float, float, float]
    before: tuple[float, float, float]
    behind: tuple[float, float, float]
    joined: tuple[bool, bool]  # at the head side, at the tail side


@dataclass(frozen=True)
class LaidFace:
    """The face of a published card: its id, empty if it is of no deck, and its corners."""

    id: str
    corners: NDArray[np.float64]


@dataclass
class SceneTable:
    """What lies on the table, on a raster: heights, colours in linear light, whose it is."""

    raster: Raster
    heights: Floats
    colours: Floats
    owners: NDArray[np.uint8]  # 0 for none, else the number of a piece, or 255 for clutter
    gloss: Floats
    faces: NDArray[np.uint8]  # 0, or the number of the card whose face is seen there
    cards: list[LaidFace] = field(default_factory=list)
    printed_cards: list[str] = field(default_factory=list)  # ids of the project's own cards
    pieces: list[ScenePiece] = field(default_factory=list)
    uncovered: Floats = field(default_factory=lambda: np.ones(0, np.float32))  # share of each piece

    def around(
        self, points: NDArray[np.float64], margin: float
    ) -> tuple[tuple[slice, slice] | None, Raster]:
        """Return the part of the raster around some places, if there is any, and that part's
        raster.
        """
        scale = self.raster.scale
        rows, columns = self.heights.shape
        left, low = points.min(axis=0) - margin
        right, top = points.max(axis=0) + margin
        first_column = max(0, int((left - self.raster.left) * scale))
        last_column = min(columns, int((right - self.raster.left) * scale) + 1)
        first_row = max(0, int((self.raster.top - top) * scale))
        last_row = min(rows, int((self.raster.top - low) * scale) + 1)
        part = Raster(
            self.raster.left + first_column / scale, self.raster.top - first_row / scale, scale
        )
        if first_column >= last_column or first_row >= last_row:
            return None, part
        return (slice(first_row, last_row), slice(first_column, last_column)), part


class PieceLayer:
    """Lays things of one material on a table."""

    def __init__(self, rng: np.random.Generator, material: Material) -> None:
        self.rng = rng
        self.material = material
        self.plastic: PieceSet | None = None
        if material == "plastic":
            self.plastic = random_set(rng)
            self.pitch, self.high = self.plastic.pitch, self.plastic.height
            self.shear = self.plastic.shear
        else:
            self.pitch, self.high = printed_pieces.render_tiles(material)[0], PAPER_HEIGHT
            self.shear = 0.0
            self.loose = rng.uniform(0, 0.6)  # how carelessly tiles are laid
        self.paints = {colour: self._paint(colour) for colour in Colour}

    def _paint(self, colour: Colour) -> Floats:
        base = np.array(BASE_COLOURS[colour], float)
        spread = 4 if colour is Colour.K else 11
        mixed = base * self.rng.uniform(0.8, 1.06) + self.rng.normal(0, spread, 3)
        return np.asarray((np.clip(mixed, 6, 252) / 255) ** 2.2, np.float32)

    def draw_straight_coatl(self, chain: PlannedCoatl) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Heights, colours and numbers of a straight Cóatl; the first stem is HALF_WIDTH in."""
        count = len(chain.kinds)
        wide = round((2 * HALF_WIDTH + (count - 1) * self.pitch) * SHAPE_PIXELS_PER_MM) + 2
        high = round(2 * HALF_HEIGHT * SHAPE_PIXELS_PER_MM)
        heights = np.zeros((high, wide), np.float32)
        colours = np.zeros((high, wide, 3), np.float32)
        numbers = np.zeros((high, wide), np.uint8)
        for i, (kind, colour) in enumerate(zip(chain.kinds, chain.colours, strict=True)):
            tall, paint = self._piece(kind, colour)
            left = round(i * self.pitch * SHAPE_PIXELS_PER_MM)
            part = np.s_[:, left : left + tall.shape[1]]
            own = tall > np.maximum(heights[part], 0.05)
            heights[part][own] = tall[own]
            colours[part][own] = paint[own] if paint.ndim == 3 else paint
            numbers[part][own] = i + 1
        return heights, colours, numbers

    def _piece(self, kind: PieceKind, colour: Colour) -> tuple[Floats, Floats]:
        """Heights and colours of one piece, moved and turned a little in its place."""
        if self.plastic is not None:
            tall, paint, play = self.plastic.fields[kind], self.paints[colour], 0.12
        else:
            tile = printed_pieces.render_tiles(self.material)[1][kind, colour]
            shade = self.paints[colour] / (np.array(BASE_COLOURS[colour]) / 255) ** 2.2
            fade = 0.85 + 0.15 * float(np.clip(shade.mean(), 0, 1))
            tall = (tile.mask > 127).astype(np.float32) * PAPER_HEIGHT * self.rng.uniform(0.9, 1.1)
            paint, play = tile.colours * fade, self.loose
        turn = self.rng.normal(0, 0.4 if self.plastic else 0.4 + 2 * play)
        middle = (tall.shape[1] / 2, tall.shape[0] / 2)
        move = np.asarray(cv2.getRotationMatrix2D(middle, turn, 1), np.float64)
        move[:, 2] += self.rng.normal(0, play * SHAPE_PIXELS_PER_MM / 2, 2)
        size = (tall.shape[1], tall.shape[0])
        tall = np.asarray(cv2.warpAffine(tall, move, size), np.float32)
        if paint.ndim == 3:
            paint = np.asarray(cv2.warpAffine(paint, move, size), np.float32)
        return tall, paint

    def lay(self, table: SceneTable, chain: PlannedCoatl, x: float, y: float) -> None:
        """Put a Cóatl with the middle of its line at x, y."""
        heights, colours, numbers = self.draw_straight_coatl(chain)
        way, count = chain.way, len(chain.kinds)
        part, raster = table.around(way.points + np.array([x, y]), 16)
        if part is None:
            return
        along, across = measure_clearance(way, x, y, raster, table.heights[part].shape)
        along = along - self.shear * across
        at_column = (along + HALF_WIDTH) * SHAPE_PIXELS_PER_MM
        at_row = (HALF_HEIGHT - across) * SHAPE_PIXELS_PER_MM
        smooth = max(1.0, SHAPE_PIXELS_PER_MM / raster.scale) * 0.4
        soft = cv2.GaussianBlur(heights, (0, 0), smooth)
        tall = cv2.remap(soft, at_column, at_row, cv2.INTER_LINEAR, borderValue=0)
        number = cv2.remap(numbers, at_column, at_row, cv2.INTER_NEAREST, borderValue=0)
        if self.plastic is None:
            colours = np.asarray(cv2.GaussianBlur(colours, (0, 0), smooth), np.float32)
            paint = cv2.remap(colours, at_column, at_row, cv2.INTER_LINEAR)
        else:
            paint = cv2.remap(colours, at_column, at_row, cv2.INTER_NEAREST)
        own = number > 0
        table.heights[part][own] = np.maximum(tall, 0.3)[own]
        table.colours[part][own] = paint[own]
        table.owners[part][own] = number[own] + len(table.pieces)
        table.faces[part][own] = 0
        table.gloss[part][own] = 1.0 if self.plastic is not None else 0.15
        for i, (kind, colour) in enumerate(zip(chain.kinds, chain.colours, strict=True)):
            middle, before, behind = (
                (way.at(s)[0] + x, way.at(s)[1] + y, self.high)
                for s in (i * self.pitch, (i - 1) * self.pitch, (i + 1) * self.pitch)
            )
            joined = (i > 0, i < count - 1)
            table.pieces.append(ScenePiece(kind, colour, middle, before, behind, joined))


def lay_scene(
    rng: np.random.Generator, layer: PieceLayer, plan: ScenePlan, scale: float
) -> SceneTable:
    """Lay out the plan, carried out on a raster of so many pixels a millimetre."""
    left, low, right, top = plan.bounds
    scale = min(scale, float(np.sqrt(1_600_000 / ((right - left) * (top - low)))))
    raster = Raster(left, top, scale)
    shape = (round((top - low) * scale), round((right - left) * scale))
    table = SceneTable(
        raster,
        np.zeros(shape, np.float32),
        np.zeros((*shape, 3), np.float32),
        np.zeros(shape, np.uint8),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.uint8),
    )
    for thing in (*plan.under, *plan.clutter):
        lay_clutter(table, thing, rng.uniform(0, 1))
    for chain, x, y in plan.chains:
        layer.lay(table, chain, x, y)
    laid = _count_places(table)
    for thing in plan.covers:
        lay_clutter(table, thing, rng.uniform(0, MAX_COVER_GLOSS))
    shares = _count_places(table) / np.maximum(laid, 1)
    table.uncovered = np.asarray(shares, np.float32)
    return table


def _count_places(table: SceneTable) -> NDArray[np.int_]:
    """Count the places of the raster that each piece has."""
    counts = np.bincount(table.owners.ravel(), minlength=256)
    return np.asarray(counts[1 : len(table.pieces) + 1])


def lay_clutter(table: SceneTable, thing: ClutterItem, gloss: float) -> None:
    """Put a thing that is no piece on the table."""
    part, raster = table.around(thing.outline, 2)
    if part is None:
        return
    heights = table.heights[part]
    rows, columns = heights.shape
    cos, sin = np.float32(np.cos(thing.turn)), np.float32(np.sin(thing.turn))
    dx = (raster.left + (np.arange(columns, dtype=np.float32) + 0.5) / raster.scale - thing.x)[None]
    dy = (raster.top - (np.arange(rows, dtype=np.float32) + 0.5) / raster.scale - thing.y)[:, None]
    high, wide = thing.heights.shape
    at_column = ((dx * cos + dy * sin) * thing.scale + wide / 2).astype(np.float32)
    at_row = (high / 2 - (dy * cos - dx * sin) * thing.scale).astype(np.float32)
    tall = cv2.remap(thing.heights, at_column, at_row, cv2.INTER_LINEAR, borderValue=0)
    paint = cv2.remap(thing.colours, at_column, at_row, cv2.INTER_LINEAR, borderValue=0)
    own = tall > np.maximum(0.05, heights)
    heights[own] = tall[own]
    table.colours[part][own] = paint[own]
    table.owners[part][own] = 255
    table.gloss[part][own] = gloss
    printed = printed_pieces.find_card_id(thing.colours)
    if printed is not None:
        table.printed_cards.append(printed)
    if thing.face is not None:
        table.cards.append(LaidFace(thing.face, thing.corners))
    table.faces[part][own] = len(table.cards) if thing.face is not None else 0


def measure_clearance(
    way: CoatlCurve, x: float, y: float, raster: Raster, shape: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """For each place of a raster, how far along the way it is and how far beside it."""
    rows, columns = shape
    line = np.full((rows, columns), 255, np.uint8)
    index = np.zeros((rows, columns), np.int32)
    points = np.asarray(way.points + np.array([x, y]), np.float32)
    at = np.stack([raster.columns(points[:, 0]), raster.rows(points[:, 1])], axis=1)
    pixels = np.round(at).astype(int)
    inside = np.asarray(((pixels >= 0) & (pixels < [columns, rows])).all(axis=1))
    if not inside.any():
        inside[0], pixels[0] = True, (0, 0)
    line[pixels[inside, 1], pixels[inside, 0]] = 0
    index[pixels[inside, 1], pixels[inside, 0]] = np.flatnonzero(inside)
    _, labels = cv2.distanceTransformWithLabels(
        line, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    of_label = np.zeros(int(labels.max()) + 1, np.int32)
    of_label[labels[line == 0]] = index[line == 0]
    nearest = of_label[labels]
    place_x = (raster.left + (np.arange(columns, dtype=np.float32) + 0.5) / raster.scale)[None, :]
    place_y = (raster.top - (np.arange(rows, dtype=np.float32) + 0.5) / raster.scale)[:, None]
    cosines = np.cos(way.angles).astype(np.float32)
    sines = np.sin(way.angles).astype(np.float32)
    # from the nearest pixel of the line to the nearest point of it
    dx, dy = place_x - points[nearest, 0], place_y - points[nearest, 1]
    along = dx * cosines[nearest] + dy * sines[nearest]
    nearest = np.clip(nearest + np.round(along * 2).astype(np.int32), 0, len(points) - 1)
    dx, dy = place_x - points[nearest, 0], place_y - points[nearest, 1]
    cosine, sine = cosines[nearest], sines[nearest]
    along = np.float32(way.begin) + nearest.astype(np.float32) / 2 + dx * cosine + dy * sine
    return np.asarray(along, np.float32), np.asarray(dy * cosine - dx * sine, np.float32)
