"""Labelled photos to learn from: draw a scene, photograph it as a phone does, write a folder."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.camera import Camera, aim_camera, render_view
from training.conditions import Conditions, random_conditions
from training.flat_things import PAPER_HEIGHT
from training.lighting import light_scene
from training.published_cards import draw_random_card
from training.random_values import random_factor
from training.scene import LaidFace, Material, PieceLayer, ScenePiece, lay_scene
from training.scene_plan import random_plan
from training.table_cards import CardDrawer

MATERIALS: dict[Material, int] = {"plastic": 7, "full": 4, "low-ink": 1}  # and their shares
NEAR_SCALES = (2.0, 9.0)  # pixels a millimetre in a photo of few pieces
PHOTO_SHAPES = [(4, 3), (4, 3), (3, 4), (16, 9), (1, 1)]  # of photos


@dataclass(frozen=True)
class LabelledShot:
    """A photo (BGR), whose each pixel is, and where the pieces' points are, in pixels."""

    pixels: NDArray[np.uint8]
    owners: NDArray[np.uint8]
    pieces: list[ScenePiece]
    points: NDArray[np.float64]  # for each piece: middle, a pitch before, a pitch behind
    uncovered: NDArray[np.float32]  # share of each piece on which nothing lies
    faces: NDArray[np.uint8]  # 0, or the number of the card whose face each pixel shows
    cards: list[LaidFace]  # their corners in pixels
    printed_cards: list[str]
    conditions: Conditions


def random_shot(
    rng: np.random.Generator,
    long_side: int,
    near: bool = False,
    draw_card: CardDrawer = draw_random_card,
) -> LabelledShot:
    """Return some table, some Cóatls, some light, some phone; a `near` photo shows a few pieces
    large.
    """
    conditions = random_conditions(rng)
    materials = [material for material, share in MATERIALS.items() for _ in range(share)]
    layer = PieceLayer(rng, materials[int(rng.integers(len(materials)))])
    plan = random_plan(rng, layer.pitch, layer.high, conditions, draw_card)
    camera = _random_camera(rng, plan.points, long_side)
    if near:
        camera = _move_nearer(rng, camera, plan.points)
    away = float(np.median((plan.points - camera.place) @ camera.forward))
    table = lay_scene(rng, layer, plan, float(np.clip(camera.focal / away * 1.3, 2, 7)))
    slices = _list_slices(layer.high + 0.8, float(table.heights.max()))
    seen = render_view(camera, table.heights, table.raster, slices)
    light = light_scene(rng, camera, table, seen, conditions)
    owners = cv2.remap(table.owners, seen.columns, seen.rows, cv2.INTER_NEAREST, borderValue=0)
    faces = cv2.remap(table.faces, seen.columns, seen.rows, cv2.INTER_NEAREST, borderValue=0)
    triples = [(p.middle, p.before, p.behind) for p in table.pieces]
    points = camera.project(np.array(triples).reshape(-1, 3)).reshape(-1, 3, 2)
    return LabelledShot(
        develop_photo(rng, light, conditions),
        np.asarray(np.where(seen.heights > 0, owners, 0), np.uint8),
        table.pieces,
        points,
        table.uncovered,
        np.asarray(faces, np.uint8),
        [
            replace(
                card,
                corners=camera.project(np.column_stack([card.corners, np.full(4, PAPER_HEIGHT)])),
            )
            for card in table.cards
        ],
        table.printed_cards,
        conditions,
    )


def _random_camera(rng: np.random.Generator, points: NDArray[np.float64], long_side: int) -> Camera:
    """Return a phone held by somebody: any shape of picture, mostly with all Cóatls in it."""
    across, down = PHOTO_SHAPES[int(rng.integers(len(PHOTO_SHAPES)))]
    longer = max(across, down)
    size = (round(long_side * across / longer), round(long_side * down / longer))
    while True:
        camera = aim_camera(
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


def _move_nearer(rng: np.random.Generator, camera: Camera, points: NDArray[np.float64]) -> Camera:
    """Move a camera at the same place that looks at some part, as if it had many more pixels."""
    away = points[int(rng.integers(len(points)))] - camera.place
    distance = float(np.hypot.reduce(away))
    forward = away / distance
    right = camera.right - forward * (camera.right @ forward)
    right /= np.hypot.reduce(right)
    up = np.cross(right, forward)
    focal = random_factor(rng, *NEAR_SCALES) * distance
    return replace(camera, right=right, up=up, forward=forward, focal=focal)


def _list_slices(high: float, tallest: float) -> list[float]:
    """Heights to look at: close to each other up to the pieces' tops, wider above them."""
    slices = [float(z) for z in np.linspace(0.25, high, 5 if high < 2 else 22)]
    while slices[-1] < tallest:
        slices.append(slices[-1] * 1.03 + 0.25)
    return slices


PHOTO_SIDE = 640  # pixels of the longer side
MIN_PIECE_PIXELS = 300  # pixels of pieces
BURNT, MOST_BURNT = 235, 0.35  # such pixels are white, whatever they show; how many may be
DARK_LEVEL = 45  # the brightest pixels of pieces in a photo that shows nothing


def make_pool(
    folder: Path, count: int, seed: int, begin: int = 0, side: int = PHOTO_SIDE, near: bool = False
) -> None:
    """Draw photos `begin` to `begin + count`; each depends on the seed and its number alone.

    Their longer side has `side` pixels. Those from `near` show a few pieces, with all that is
    carved into them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(begin, begin + count):
        name = folder / f"{number:05}"
        if name.with_suffix(".json").exists():
            continue
        shot = random_readable_shot(np.random.default_rng([seed, number]), side, near)
        cv2.imwrite(str(name.with_suffix(".jpg")), shot.pixels, [cv2.IMWRITE_JPEG_QUALITY, 93])
        cv2.imwrite(str(name.with_suffix(".png")), shot.owners)
        cv2.imwrite(str(name.with_suffix(".faces.png")), shot.faces)
        pieces = [
            {
                "kind": list(type(piece.kind)).index(piece.kind),
                "colour": int(piece.colour),
                "joined": [int(j) for j in piece.joined],
                "points": np.round(points, 2).tolist(),
                "uncovered": round(float(uncovered), 3),
            }
            for piece, points, uncovered in zip(
                shot.pieces, shot.points, shot.uncovered, strict=True
            )
        ]
        cards = [np.round(card.corners, 2).tolist() for card in shot.cards]
        truth = {"pieces": pieces, "cards": cards}
        name.with_suffix(".json").write_text(json.dumps(truth), "utf-8")


def random_readable_shot(
    rng: np.random.Generator,
    side: int,
    near: bool = False,
    draw_card: CardDrawer = draw_random_card,
) -> LabelledShot:
    """Return a photo in which somebody could tell the pieces."""
    while True:
        shot = random_shot(rng, side, near, draw_card)
        pieces = shot.pixels[(shot.owners > 0) & (shot.owners < 255)]
        if len(pieces) < MIN_PIECE_PIXELS:
            continue
        burnt = float((pieces.min(axis=1) > BURNT).mean())
        if burnt <= MOST_BURNT and float(np.percentile(pieces.max(axis=1), 90)) >= DARK_LEVEL:
            return shot


Floats = NDArray[np.float32]
TONE_KNEE = 0.7  # brighter than this, tones are squeezed


def develop_photo(
    rng: np.random.Generator, light: Floats, conditions: Conditions
) -> NDArray[np.uint8]:
    """Return a photo (BGR) of a scene in linear light (RGB)."""
    exposed = _expose(rng, light)
    night = conditions.night
    if night:
        exposed = exposed * np.float32(np.exp(rng.uniform(-1.0, 0.0)))
    noisy = _add_noise(rng, _apply_lens(rng, exposed), rng.uniform(2, 6) if night else 1.0)
    tones = _apply_tone(rng, noisy)
    if night:
        tones = _smooth_noise(rng, tones)
    if conditions.messenger:
        return _send_by_messenger(rng, tones)
    return _compress_photo(tones, int(rng.uniform(45, 96)))


def _expose(rng: np.random.Generator, light: Floats) -> Floats:
    """White balance and exposure, neither of them quite right; darker towards the corners."""
    mean = light.mean(axis=(0, 1))
    # part of the tint is balanced
    gains = (mean.mean() / np.maximum(mean, 1e-4)) ** rng.uniform(0, 0.85)
    gains = np.clip(gains, 0.5, 2.0) * np.exp(rng.normal(0, 0.05, 3))
    balanced = light * gains.astype(np.float32)
    bright = float(np.percentile(balanced.max(axis=2), 97))
    exposed = balanced / max(bright, 1e-4) * float(np.exp(rng.normal(-0.35, 0.4)))
    height, width = light.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    corner = (width / 2) ** 2 + (height / 2) ** 2
    apart = ((columns - width / 2) ** 2 + (rows - height / 2) ** 2) / corner
    return np.asarray(exposed * (1 - rng.uniform(0, 0.3) * apart)[..., None], np.float32)


def _apply_lens(rng: np.random.Generator, light: Floats) -> Floats:
    """Sharp, out of focus, or moved by a shaking hand."""
    kind = rng.random()
    if kind < 0.18:
        return np.asarray(cv2.filter2D(light, -1, make_shake_kernel(rng)), np.float32)
    if kind < 0.5:
        return np.asarray(cv2.GaussianBlur(light, (0, 0), random_factor(rng, 0.3, 2.4)), np.float32)
    return light


def make_shake_kernel(rng: np.random.Generator) -> Floats:
    """Make the way that a point goes while a hand shakes."""
    length, angle = random_factor(rng, 1.5, 10), rng.uniform(0, np.pi)
    ends = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    begin, end = (np.round((7 + side * ends) * 16).astype(int) for side in (-1, 1))
    kernel = np.zeros((15, 15), np.float32)
    cv2.line(kernel, tuple(map(int, begin)), tuple(map(int, end)), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / max(float(kernel.sum()), 1e-3), np.float32)


def _add_noise(rng: np.random.Generator, light: Floats, more: float) -> Floats:
    """Add the noise of a sensor, softened as phones do."""
    grain = rng.normal(0, 1, light.shape).astype(np.float32)
    noise = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.4, 1.2))
    strength = more * float(np.exp(rng.normal(-4.6, 0.7)))
    noisy = light + noise * 1.5 * strength * np.sqrt(np.maximum(light, 0) + 0.004)
    return np.asarray(np.clip(noisy, 0, None), np.float32)


def _apply_tone(rng: np.random.Generator, light: Floats) -> Floats:
    """From linear light to what a screen shows: gamma, contrast, saturation, sharpening."""
    squeezed = TONE_KNEE + (1 - TONE_KNEE) * (1 - np.exp(-(light - TONE_KNEE) / (1 - TONE_KNEE)))
    tones = np.where(light <= TONE_KNEE, light, squeezed)
    tones = np.power(np.maximum(tones, 1e-6), 1 / rng.uniform(1.9, 2.5))
    contrast = rng.uniform(-0.1, 0.3)
    tones = (1 - contrast) * tones + contrast * (tones * tones * (3 - 2 * tones))
    grey = tones.mean(axis=2, keepdims=True)
    tones = grey + (tones - grey) * rng.uniform(0.75, 1.2)
    if rng.random() < 0.6:
        tones = tones + rng.uniform(0.1, 0.6) * (tones - cv2.GaussianBlur(tones, (0, 0), 1.0))
    return np.asarray(tones, np.float32)


def _smooth_noise(rng: np.random.Generator, tones: Floats) -> Floats:
    """Smooth what is noise, as phones do at night: edges stay, fine lines go."""
    reach, apart = rng.uniform(0.5, 2.0), rng.uniform(0.05, 0.3)
    return np.asarray(cv2.bilateralFilter(tones, 7, apart, reach), np.float32)


def _send_by_messenger(rng: np.random.Generator, tones: Floats) -> NDArray[np.uint8]:
    """Make a photo smaller and compress it hard, then enlarge it again."""
    height, width = tones.shape[:2]
    share = rng.uniform(0.45, 1.0)
    size = max(32, round(width * share)), max(32, round(height * share))
    small = np.asarray(cv2.resize(tones, size, interpolation=cv2.INTER_AREA), np.float32)
    packed = _compress_photo(small, int(rng.uniform(28, 72)))
    return np.asarray(cv2.resize(packed, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _compress_photo(tones: Floats, quality: int) -> NDArray[np.uint8]:
    """As JPEG and back, as BGR."""
    pixels = (np.clip(tones, 0, 1) * 255 + 0.5).astype(np.uint8)[:, :, ::-1]
    packed = cv2.imencode(
        ".jpg", np.ascontiguousarray(pixels), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
