"""A photo of some scene, with the truth about its pieces."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from training.camera import Camera, looking_at, see
from training.light import lit
from training.phone import developed
from training.scene import Layer, Material, Piece, laid, random_plan

MATERIALS: dict[Material, int] = {"plastic": 7, "full": 4, "low-ink": 1}  # and their shares
NEAR = (2.0, 9.0)  # pixels a millimetre in a photo of few pieces
SHAPES = [(4, 3), (4, 3), (3, 4), (16, 9), (1, 1)]  # of photos


@dataclass(frozen=True)
class Shot:
    """A photo (BGR), whose each pixel is, and where the pieces' points are, in pixels."""

    pixels: NDArray[np.uint8]
    owners: NDArray[np.uint8]
    pieces: list[Piece]
    points: NDArray[np.float64]  # for each piece: middle, a pitch before, a pitch behind


def random_shot(rng: np.random.Generator, long_side: int, near: bool = False) -> Shot:
    """Some table, some Cóatls, some light, some phone; a `near` photo shows a few pieces large."""
    materials = [material for material, share in MATERIALS.items() for _ in range(share)]
    layer = Layer(rng, materials[int(rng.integers(len(materials)))])
    plan = random_plan(rng, layer)
    camera = _random_camera(rng, plan.points, long_side)
    if near:
        camera = _nearer(rng, camera, plan.points)
    away = float(np.median((plan.points - camera.place) @ camera.forward))
    table = laid(rng, layer, plan, float(np.clip(camera.focal / away * 1.3, 2, 7)))
    slices = _slices(layer.high + 0.8, float(table.heights.max()))
    seen = see(camera, table.heights, table.raster, slices)
    light = lit(rng, camera, table, seen)
    owners = cv2.remap(table.owners, seen.columns, seen.rows, cv2.INTER_NEAREST, borderValue=0)
    triples = [(p.middle, p.before, p.behind) for p in table.pieces]
    points = camera.project(np.array(triples).reshape(-1, 3)).reshape(-1, 3, 2)
    return Shot(
        developed(rng, light),
        np.asarray(np.where(seen.heights > 0, owners, 0), np.uint8),
        table.pieces,
        points,
    )


def _random_camera(rng: np.random.Generator, points: NDArray[np.float64], long_side: int) -> Camera:
    """A phone held by somebody: any shape of picture, mostly with all Cóatls in it."""
    across, down = SHAPES[int(rng.integers(len(SHAPES)))]
    longer = max(across, down)
    size = (round(long_side * across / longer), round(long_side * down / longer))
    while True:
        camera = looking_at(
            points,
            np.radians(90 - abs(rng.normal(0, 26)) if rng.random() < 0.3 else rng.uniform(30, 86)),
            np.radians(rng.normal(0, 5)),
            rng.uniform(23, 55),
            size,
            rng.uniform(0.35, 0.98) if rng.random() < 0.8 else rng.uniform(0.98, 1.5),
            (rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8)),
        )
        if camera.is_above(points):  # a low and near one may have ended up below the table
            return camera


def _nearer(rng: np.random.Generator, camera: Camera, points: NDArray[np.float64]) -> Camera:
    """A camera at the same place that looks at some part, as if it had many more pixels."""
    away = points[int(rng.integers(len(points)))] - camera.place
    distance = float(np.hypot.reduce(away))
    forward = away / distance
    right = camera.right - forward * (camera.right @ forward)
    right /= np.hypot.reduce(right)
    up = np.cross(right, forward)
    focal = np.exp(rng.uniform(*np.log(NEAR))) * distance
    return replace(camera, right=right, up=up, forward=forward, focal=float(focal))


def _slices(high: float, tallest: float) -> list[float]:
    """Heights to look at: close to each other up to the pieces' tops, wider above them."""
    slices = [float(z) for z in np.linspace(0.25, high, 5 if high < 2 else 22)]
    while slices[-1] < tallest:
        slices.append(slices[-1] * 1.06 + 0.3)
    return slices
