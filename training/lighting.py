"""Light a scene: from the room around it and from lamps, with gloss and shadows."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.camera import Camera, CameraView, Raster, cast_shadows
from training.conditions import Conditions
from training.ground_textures import TEXTURE_SIZE, random_ground
from training.random_values import random_factor
from training.scene import SceneTable

Floats = NDArray[np.float32]
MAX_SLOPE = 3.0  # no top is steeper


@dataclass(frozen=True)
class LitSurface:
    """What each pixel shows: its colour and gloss, where it faces, and the way to the camera."""

    paint: Floats
    gloss: Floats
    normal: Floats
    towards: NDArray[np.float64]


def light_scene(
    rng: np.random.Generator,
    camera: Camera,
    table: SceneTable,
    seen: CameraView,
    conditions: Conditions,
) -> Floats:
    """Return the scene in linear light (RGB)."""
    surface = _make_surface(rng, camera, table, seen)
    patches = rng.uniform(0.2, 1.4, (4, 8)).astype(np.float32)
    sharp = rng.uniform(8, 90)  # how sharply plastic mirrors a lamp
    total = _make_room_light(rng, patches, surface, table, seen, conditions.window)
    coloured = conditions.coloured_lamps
    for _ in range(int(rng.choice([2, 2, 3] if coloured else [1, 1, 1, 2]))):
        tint = _random_lamp_colour(rng) if coloured else _random_tint(rng)
        _add_lamp(rng, total, sharp, tint, surface, table, seen)
    if rng.random() < 0.3:
        total *= _make_person_shadow(rng, total.shape[1], total.shape[0])[..., None]
    return total


def _sample_at(seen: CameraView, field: Floats) -> Floats:
    """Sample a field of the raster in each pixel."""
    there = cv2.remap(field, seen.columns, seen.rows, cv2.INTER_LINEAR, borderValue=0)
    return np.asarray(there, np.float32)


def _make_surface(
    rng: np.random.Generator, camera: Camera, table: SceneTable, seen: CameraView
) -> LitSurface:
    raised = seen.heights > 0
    paint = np.where(
        raised[..., None], _sample_at(seen, table.colours), _sample_ground(rng, camera)
    )
    gloss = np.where(raised, _sample_at(seen, table.gloss), np.float32(rng.uniform(0, 0.9)))
    return LitSurface(
        paint,
        gloss,
        _compute_normals(table, seen),
        _directions_to_camera(camera, table.raster, seen),
    )


def _sample_ground(rng: np.random.Generator, camera: Camera) -> Floats:
    """Sample the bare table in each pixel."""
    x, y = camera.ground()
    texture = random_ground(rng)
    scale = rng.uniform(1.2, 5)  # texture pixels a millimetre
    turn = rng.uniform(0, 2 * np.pi)
    u = (x * np.cos(turn) + y * np.sin(turn)) * scale + rng.uniform(0, TEXTURE_SIZE)
    v = (y * np.cos(turn) - x * np.sin(turn)) * scale + rng.uniform(0, TEXTURE_SIZE)
    far = np.clip(np.hypot(x - camera.place[0], y - camera.place[1]) / 4000, 0, 1)
    ground = cv2.remap(
        cv2.GaussianBlur(texture, (0, 0), 0.6), (u % TEXTURE_SIZE).astype(np.float32),
        (v % TEXTURE_SIZE).astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP,
    )  # fmt: skip
    mean = texture.mean(axis=(0, 1))
    return np.asarray(ground + (mean - ground) * far[..., None], np.float32)


def _compute_normals(table: SceneTable, seen: CameraView) -> Floats:
    """Which way each place faces: tops by their heights, walls by their blurred outline."""
    scale = table.raster.scale
    dx = cv2.Sobel(table.heights, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8) * scale
    dy = cv2.Sobel(table.heights, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8) * scale
    soft = cv2.GaussianBlur(table.heights, (0, 0), max(0.5 * scale, 0.8))
    slopes = [
        np.clip(_sample_at(seen, np.asarray(d, np.float32)), -MAX_SLOPE, MAX_SLOPE)
        for d in (dx, dy)
    ]
    walls = [
        _sample_at(seen, np.asarray(cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3), np.float32))
        for way in ((1, 0), (0, 1))
    ]
    normal = np.zeros((*seen.heights.shape, 3), np.float32)
    normal[..., 0] = np.where(seen.walls, -walls[0], -slopes[0])
    normal[..., 1] = np.where(seen.walls, walls[1], slopes[1])
    normal[..., 2] = np.where(seen.walls, 0.02, 1)
    normal[seen.heights <= 0] = (0, 0, 1)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True) + 1e-6
    return normal


def _directions_to_camera(camera: Camera, raster: Raster, seen: CameraView) -> NDArray[np.float64]:
    """From each place to the camera, as unit vectors."""
    x = seen.columns / raster.scale + raster.left
    y = raster.top - seen.rows / raster.scale
    eye = camera.place.astype(np.float32)
    towards = np.stack([eye[0] - x, eye[1] - y, eye[2] - seen.heights], axis=2)
    towards /= np.linalg.norm(towards, axis=2, keepdims=True)
    return np.asarray(towards, np.float64)


def _make_room_light(
    rng: np.random.Generator,
    patches: Floats,
    surface: LitSurface,
    table: SceneTable,
    seen: CameraView,
    window: bool,
) -> Floats:
    """Make what comes from the room: a sky with bright and dark patches, which gloss mirrors."""
    ambient, tint = rng.uniform(0.12, 1.1), _random_tint(rng)
    crowd = cv2.GaussianBlur(table.heights, (0, 0), 3.0 * table.raster.scale)
    around = _sample_at(seen, np.asarray(crowd, np.float32)) - seen.heights
    hidden = np.clip(around / 9, 0, 1) * rng.uniform(0.4, 1.1)
    sky = (0.55 + 0.45 * surface.normal[..., 2]) * np.clip(1 - hidden, 0.05, 1)
    total = np.asarray(surface.paint * (ambient * sky)[..., None] * tint, np.float32)
    level = (surface.normal * surface.towards).sum(axis=2)
    fresnel = 0.04 + 0.5 * (1 - np.clip(level, 0, 1)) ** 5
    mirrored = 2 * level[..., None] * surface.normal - surface.towards
    turn = np.arctan2(mirrored[..., 1], mirrored[..., 0]) / (2 * np.pi) % 1 * 63
    fall = (1 - np.clip(mirrored[..., 2], 0, 1)) * 31
    room = cv2.resize(patches, (64, 32))
    glow = cv2.remap(room, turn.astype(np.float32), fall.astype(np.float32), cv2.INTER_LINEAR)
    glow = glow * (mirrored[..., 2] > -0.2)
    if window:
        glow = glow + _mirror_window(rng, np.asarray(mirrored, np.float32), seen)
    total += (glow * fresnel * surface.gloss * ambient * rng.uniform(0.3, 2))[..., None] * tint
    return total


def _mirror_window(rng: np.random.Generator, mirrored: Floats, seen: CameraView) -> Floats:
    """Make the light of a window in each pixel whose mirrored ray goes there.

    Mostly it stands where some of the pieces' tops mirror it.
    """
    tops = mirrored[(seen.heights > 1) & ~seen.walls]
    if len(tops) and rng.random() < 0.8:
        middle = np.median(tops[:: max(1, len(tops) // 2000)], axis=0) + rng.normal(0, 0.12, 3)
    else:
        middle = rng.normal(0, 1, 3)
        middle[2] = abs(middle[2])
    middle /= np.linalg.norm(middle)
    side = np.cross(middle, rng.normal(0, 1, 3))
    side /= np.linalg.norm(side)
    up = np.cross(middle, side)
    away = np.maximum(mirrored @ middle.astype(np.float32), 0.05)
    u, v = (mirrored @ axis.astype(np.float32) / away for axis in (side, up))
    half = np.array([random_factor(rng, 0.06, 0.6) for _ in range(2)])
    soft = half.min() * random_factor(rng, 0.05, 1)
    edge = np.minimum(half[0] - np.abs(u), half[1] - np.abs(v))
    light = np.clip(edge / soft + 0.5, 0, 1) * (away > 0.06)
    if rng.random() < 0.5:  # the frame's bars
        bar = rng.uniform(0.02, 0.12) * half.min()
        light *= np.clip((np.abs(u - rng.normal(0, 0.2) * half[0]) - bar) / soft + 0.5, 0, 1)
        light *= np.clip((np.abs(v - rng.normal(0, 0.2) * half[1]) - bar) / soft + 0.5, 0, 1)
    return np.asarray(light * random_factor(rng, 8, 100), np.float32)


def _add_lamp(
    rng: np.random.Generator,
    total: Floats,
    sharp: float,
    tint: Floats,
    surface: LitSurface,
    table: SceneTable,
    seen: CameraView,
) -> None:
    """Light from one direction, its shadows, and its spots on what is glossy."""
    turn, rise = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(22, 85))
    light = np.array([np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)])
    strength = rng.uniform(0.2, 2.2) * tint
    softness = float(rng.choice([0.2, 0.8, 3.0])) * table.raster.scale
    shade = np.clip(
        (_sample_at(seen, cast_shadows(table.heights, table.raster, light)) - seen.heights) * 2
        - 0.3,
        0,
        1,
    )
    shade = cv2.GaussianBlur(shade, (0, 0), max(0.3, softness * 0.5))
    facing = np.clip(surface.normal @ light.astype(np.float32), 0, 1) * (1 - shade)
    half = surface.towards + light.astype(np.float32)
    half /= np.linalg.norm(half, axis=2, keepdims=True)
    spot = np.clip((half * surface.normal).sum(axis=2), 0, 1) ** sharp * (sharp + 8) / 40
    total += surface.paint * facing[..., None] * strength
    spot = spot * surface.gloss * 0.12 * (facing > 0) * (1 - shade)
    total += spot[..., None] * strength


def _make_person_shadow(rng: np.random.Generator, width: int, height: int) -> Floats:
    """How much light is left where a person or the phone stands in it."""
    blot = np.zeros((height, width), np.float32)
    corners = rng.uniform(-0.3, 1.3, (4, 2)) * [width, height]
    cv2.fillConvexPoly(blot, cv2.convexHull(corners.astype(np.int32)), 1.0)
    soft = cv2.GaussianBlur(blot, (0, 0), rng.uniform(2, 60))
    return np.asarray(1 - rng.uniform(0.2, 0.75) * soft, np.float32)


def _random_lamp_colour(rng: np.random.Generator) -> Floats:
    """Return the colour of a lamp that need not be white."""
    return np.asarray(np.exp(rng.normal(0, 0.4, 3)), np.float32)


def _random_tint(rng: np.random.Generator) -> Floats:
    """Return the colour of a light, from candle to shade."""
    warm = rng.normal(0, 0.28)
    return np.asarray(
        np.exp([warm, rng.normal(0, 0.05), -warm * rng.uniform(0.8, 1.6)]), np.float32
    )
