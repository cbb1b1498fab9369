"""Light falls on a scene, and a phone takes a photo of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.camera import Camera, Seen, looking_at, see, shadows
from training.scene import Layer, Material, Piece, Table, laid, random_plan
from training.tables import SIZE, random_table

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Shot:
    """A photo (BGR), whose each pixel is, and where the pieces' points are, in pixels."""

    pixels: NDArray[np.uint8]
    owners: NDArray[np.uint8]
    pieces: list[Piece]
    points: NDArray[np.float64]  # for each piece: middle, a pitch before, a pitch behind


def random_shot(rng: np.random.Generator, long_side: int = 640) -> Shot:
    """Some table, some Cóatls, some light, some phone."""
    materials: list[Material] = ["plastic"] * 7 + ["full"] * 4 + ["low-ink"]
    layer = Layer(rng, materials[int(rng.integers(len(materials)))])
    plan = random_plan(rng, layer)
    shapes = [(4, 3), (4, 3), (3, 4), (16, 9), (1, 1)]
    across, down = shapes[int(rng.integers(len(shapes)))]
    size = (
        round(long_side * across / max(across, down)),
        round(long_side * down / max(across, down)),
    )
    camera = looking_at(
        plan.points,
        np.radians(90 - abs(rng.normal(0, 26)) if rng.random() < 0.3 else rng.uniform(30, 86)),
        np.radians(rng.normal(0, 5)),
        rng.uniform(23, 55),
        size,
        rng.uniform(0.35, 0.98) if rng.random() < 0.8 else rng.uniform(0.98, 1.5),
        (rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8)),
    )
    near = float(np.median((plan.points - camera.place) @ camera.forward))
    scale = float(np.clip(camera.focal / near * 1.3, 2, 7))
    table = laid(rng, layer, plan, scale)
    high = layer.high + 0.8
    slices = list(np.linspace(0.25, high, 5 if high < 2 else 22))
    tallest = float(table.heights.max())
    while slices[-1] < tallest:
        slices.append(slices[-1] * 1.06 + 0.3)
    seen = see(camera, table.heights, table.raster, [float(z) for z in slices])
    light = _lit(rng, camera, table, seen)
    owners = cv2.remap(table.owners, seen.columns, seen.rows, cv2.INTER_NEAREST, borderValue=0)
    owners = np.where(seen.heights > 0, owners, 0).astype(np.uint8)
    triples = [(p.middle, p.before, p.behind) for p in table.pieces]
    points = camera.project(np.array(triples).reshape(-1, 3)).reshape(-1, 3, 2)
    return Shot(_developed(rng, light), owners, table.pieces, points)


def _lit(  # noqa: PLR0915
    rng: np.random.Generator, camera: Camera, table: Table, seen: Seen
) -> Floats:
    """The scene in linear light (RGB)."""
    raster = table.raster
    sample = lambda field: cv2.remap(  # noqa: E731
        field, seen.columns, seen.rows, cv2.INTER_LINEAR, borderValue=0
    )
    raised = seen.heights > 0
    paint = np.where(raised[..., None], sample(table.colours), _ground(rng, camera))
    gloss = np.where(raised, sample(table.gloss), rng.uniform(0, 0.9))
    # normals of tops from the heights, of walls from their blurred outline
    normal = np.zeros((*seen.heights.shape, 3), np.float32)
    step = 0.5 * raster.scale
    dx = cv2.Sobel(table.heights, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8) * raster.scale
    dy = cv2.Sobel(table.heights, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8) * raster.scale
    steep = 3.0
    soft = cv2.GaussianBlur(table.heights, (0, 0), max(step, 0.8))
    wall_x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3)
    wall_y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3)
    normal[..., 0] = np.where(seen.walls, -sample(wall_x), -np.clip(sample(dx), -steep, steep))
    normal[..., 1] = np.where(seen.walls, sample(wall_y), np.clip(sample(dy), -steep, steep))
    normal[..., 2] = np.where(seen.walls, 0.02, 1)
    normal[~raised] = (0, 0, 1)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True) + 1e-6
    # from each place to the camera
    x = seen.columns / raster.scale + raster.left
    y = raster.top - seen.rows / raster.scale
    eye = camera.place.astype(np.float32)
    towards = np.stack([eye[0] - x, eye[1] - y, eye[2] - seen.heights], axis=2)
    towards /= np.linalg.norm(towards, axis=2, keepdims=True)
    mirrored = 2 * (normal * towards).sum(axis=2, keepdims=True) * normal - towards
    # the room: a sky with bright and dark patches
    room = cv2.resize(rng.uniform(0.2, 1.4, (4, 8)).astype(np.float32), (64, 32))
    sharp = rng.uniform(8, 90)
    ambient = rng.uniform(0.12, 1.1)
    tint = _tint(rng)
    crowd = cv2.GaussianBlur(table.heights, (0, 0), 3.0 * raster.scale)
    hidden = np.clip((sample(crowd) - seen.heights) / 9, 0, 1) * rng.uniform(0.4, 1.1)
    sky = (0.55 + 0.45 * normal[..., 2]) * np.clip(1 - hidden, 0.05, 1)
    total = paint * (ambient * sky)[..., None] * tint
    fresnel = 0.04 + 0.5 * (1 - np.clip((normal * towards).sum(axis=2), 0, 1)) ** 5
    turn = ((np.arctan2(mirrored[..., 1], mirrored[..., 0]) / (2 * np.pi) % 1) * 63).astype(
        np.float32
    )
    rise = ((1 - np.clip(mirrored[..., 2], 0, 1)) * 31).astype(np.float32)
    glow = cv2.remap(room, turn, rise, cv2.INTER_LINEAR) * (mirrored[..., 2] > -0.2)
    total += (glow * fresnel * gloss * ambient * rng.uniform(0.3, 2))[..., None] * tint
    for _ in range(int(rng.choice([1, 1, 1, 2]))):
        turn_, rise_ = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(22, 85))
        light = np.array(
            [np.cos(turn_) * np.cos(rise_), np.sin(turn_) * np.cos(rise_), np.sin(rise_)]
        )
        strength = rng.uniform(0.2, 2.2) * _tint(rng)
        reach = shadows(table.heights, raster, light)
        softness = rng.choice([0.2, 0.8, 3.0]) * raster.scale
        shade = np.clip((sample(reach) - seen.heights) * 2 - 0.3, 0, 1)
        shade = cv2.GaussianBlur(shade.astype(np.float32), (0, 0), max(0.3, softness * 0.5))
        facing = np.clip(normal @ light.astype(np.float32), 0, 1) * (1 - shade)
        half = towards + light.astype(np.float32)
        half /= np.linalg.norm(half, axis=2, keepdims=True)
        spot = np.clip((half * normal).sum(axis=2), 0, 1) ** sharp * (sharp + 8) / 40
        total += paint * facing[..., None] * strength
        total += (spot * gloss * 0.12 * (facing > 0) * (1 - shade))[..., None] * strength
    if rng.random() < 0.3:  # the shadow of somebody, or of the phone
        h, w = total.shape[:2]
        blot = np.zeros((h, w), np.float32)
        corners = rng.uniform(-0.3, 1.3, (4, 2)) * [w, h]
        cv2.fillConvexPoly(blot, cv2.convexHull(corners.astype(np.int32)), 1.0)
        blot = cv2.GaussianBlur(blot, (0, 0), rng.uniform(2, 60))
        total *= (1 - rng.uniform(0.2, 0.75) * blot)[..., None]
    return np.asarray(total, np.float32)


def _tint(rng: np.random.Generator) -> Floats:
    """The colour of a light, from candle to shade."""
    warm = rng.normal(0, 0.28)
    return np.asarray(
        np.exp([warm, rng.normal(0, 0.05), -warm * rng.uniform(0.8, 1.6)]), np.float32
    )


def _ground(rng: np.random.Generator, camera: Camera) -> Floats:
    """The bare table in each pixel."""
    x, y = camera.ground()
    texture = random_table(rng)
    scale = rng.uniform(1.2, 5)  # texture pixels a millimetre
    turn = rng.uniform(0, 2 * np.pi)
    u = (x * np.cos(turn) + y * np.sin(turn)) * scale + rng.uniform(0, SIZE)
    v = (y * np.cos(turn) - x * np.sin(turn)) * scale + rng.uniform(0, SIZE)
    far = np.clip(np.hypot(x - camera.place[0], y - camera.place[1]) / 4000, 0, 1)
    ground = cv2.remap(
        cv2.GaussianBlur(texture, (0, 0), 0.6), (u % SIZE).astype(np.float32),
        (v % SIZE).astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP,
    )  # fmt: skip
    mean = texture.mean(axis=(0, 1))
    return np.asarray(ground + (mean - ground) * far[..., None], np.float32)


def _developed(rng: np.random.Generator, light: Floats) -> NDArray[np.uint8]:
    """Exposure, white balance, lens, sensor, tone and compression of a phone; BGR."""
    u = rng.uniform
    mean = light.mean(axis=(0, 1))
    gains = (mean.mean() / np.maximum(mean, 1e-4)) ** u(0, 0.85)  # part of the tint is balanced
    gains = np.clip(gains, 0.5, 2.0) * np.exp(rng.normal(0, 0.05, 3))
    x = np.asarray(light * gains.astype(np.float32), np.float32)
    bright = float(np.percentile(x.max(axis=2), 97))
    x = x / max(bright, 1e-4) * float(np.exp(rng.normal(-0.35, 0.4)))
    h, w = x.shape[:2]
    rows, columns = np.mgrid[0:h, 0:w].astype(np.float32)
    apart = ((columns - w / 2) ** 2 + (rows - h / 2) ** 2) / ((w / 2) ** 2 + (h / 2) ** 2)
    x = x * (1 - u(0, 0.3) * apart)[..., None]
    kind = rng.random()
    if kind < 0.15:
        length, angle = u(1.5, 6), u(0, np.pi)
        kernel = np.zeros((15, 15), np.float32)
        ends = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        begin, end = (np.round((7 + s * ends) * 16).astype(int) for s in (-1, 1))
        cv2.line(kernel, tuple(map(int, begin)), tuple(map(int, end)), 1.0, 1, cv2.LINE_AA, 4)
        x = cv2.filter2D(x, -1, kernel / max(float(kernel.sum()), 1e-3))
    elif kind < 0.5:
        x = cv2.GaussianBlur(x, (0, 0), u(0.3, 1.4))
    noise = cv2.GaussianBlur(rng.normal(0, 1, x.shape).astype(np.float32), (0, 0), u(0.4, 1.2))
    x = x + noise * 1.5 * float(np.exp(rng.normal(-4.6, 0.7))) * np.sqrt(np.maximum(x, 0) + 0.004)
    x = np.clip(x, 0, None)
    knee = 0.7
    x = np.where(x <= knee, x, knee + (1 - knee) * (1 - np.exp(-(x - knee) / (1 - knee))))
    s = np.power(np.maximum(x, 1e-6), 1 / u(1.9, 2.5))
    contrast = u(-0.1, 0.3)
    s = (1 - contrast) * s + contrast * (s * s * (3 - 2 * s))
    grey = s.mean(axis=2, keepdims=True)
    s = grey + (s - grey) * u(0.75, 1.2)
    if rng.random() < 0.6:
        s = s + u(0.1, 0.6) * (s - cv2.GaussianBlur(s.astype(np.float32), (0, 0), 1.0))
    pixels = (np.clip(s, 0, 1) * 255 + 0.5).astype(np.uint8)[:, :, ::-1]
    quality = int(u(45, 96))
    packed = cv2.imencode(
        ".jpg", np.ascontiguousarray(pixels), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
