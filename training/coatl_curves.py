"""Cóatls before they are laid: their pieces, and the curve along which they will lie."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour, PieceKind
from training.camera import Raster

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class CoatlCurve:
    """The centre line of a Cóatl: a point and an angle for each half millimetre."""

    points: NDArray[np.float64]
    angles: NDArray[np.float64]
    begin: float

    def at(self, along: float, across: float = 0) -> tuple[float, float]:
        """A place beside the line."""
        i = min(max(round((along - self.begin) * 2), 0), len(self.points) - 1)
        (x, y), angle = self.points[i], self.angles[i]
        return float(x - across * np.sin(angle)), float(y + across * np.cos(angle))


def random_curve(rng: np.random.Generator, count: int, pitch: float) -> CoatlCurve:
    """Straight, an arc, or winding."""
    begin, end = -36.0, (count - 1) * pitch + 36.0
    along = np.arange(begin, end, 0.5)
    style, turn = rng.random(), np.radians(rng.uniform(1, 13))
    if style < 0.3:
        bend = np.zeros_like(along)
    elif style < 0.65:
        bend = np.full_like(along, min(turn, np.radians(130) / count) * rng.choice([-1, 1]))
    else:
        length, phase = rng.uniform(4, 10) * pitch, rng.uniform(0, 2 * np.pi)
        bend = turn * np.sin(2 * np.pi * along / length + phase)
    angles = np.cumsum(bend / pitch) * 0.5
    angles += rng.uniform(0, 2 * np.pi) - angles[len(angles) // 2]
    points = np.cumsum(np.stack([np.cos(angles), np.sin(angles)], axis=1), axis=0) * 0.5
    return CoatlCurve(points - points[len(points) // 2], angles, begin)


@dataclass(frozen=True)
class PlannedCoatl:
    """A Cóatl, or a single piece, before it is laid."""

    kinds: list[PieceKind]
    colours: list[Colour]
    way: CoatlCurve


def random_coatl(rng: np.random.Generator, count: int, pitch: float) -> PlannedCoatl:
    """Kinds and colours at random, neighbours often alike."""
    if count == 1:
        kinds = [PieceKind(str(rng.choice(["body", "body", "head", "tail"])))]
    else:
        kinds = [PieceKind.BODY] * count
        if rng.random() < 0.75:
            kinds[0] = PieceKind.HEAD
        if rng.random() < 0.75 and (count > 2 or kinds[0] is PieceKind.BODY):
            kinds[-1] = PieceKind.TAIL
    palette = rng.permutation(5)[: int(rng.integers(1, 6))]
    colours = [Colour(int(rng.choice(palette)))]
    alike = rng.choice([0.1, 0.4, 0.7])
    while len(colours) < count:
        colours.append(colours[-1] if rng.random() < alike else Colour(int(rng.choice(palette))))
    return PlannedCoatl(kinds, colours, random_curve(rng, count, pitch))


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
