"""One photo from a seed: what lies on the table, the camera, the light, the file, its label."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image

from coatl_tools.printing.layouts import ThemeName
from tests.vision.scenes.arrangement import Arrangement, LaidCoatl, SceneKind, arranged
from tests.vision.scenes.camera import Camera, View, aimed
from tests.vision.scenes.clutter import Clutter, Table, strewn
from tests.vision.scenes.cutouts import Press
from tests.vision.scenes.light import Light, blurred, developed, lit, random_light
from tests.vision.scenes.painting import Printer, lay, random_printer, sprite
from tests.vision.scenes.table_tops import DARK, PATTERNED, TABLES, covered

Pixels = NDArray[np.uint8]
Points = NDArray[np.float64]
KINDS: tuple[SceneKind, ...] = get_args(SceneKind)
SHAPES = ((4, 3), (4, 3), (4, 3), (3, 2), (16, 9), (1, 1))
MEGAPIXELS = (0.5, 1.0, 1.92, 1.92, 1.92, 3.1, 5.0, 8.0, 12.0)
MOST = 12.0
ENOUGH = 2.0  # pixels of a millimetre, where it is farthest: a card's mark is 24 pixels wide
DEEPEST = 2.2  # so much larger is what is near than what is far, at most
ORIENTATION = 0x0112  # EXIF's tag
TURNED = {90: 8, 180: 3, 270: 6}  # what a viewer does for it: turn by so much against the clock


@dataclass(frozen=True, eq=False)
class Scene:
    """A photo as a JPEG file, what is on it, and where; as in `labels.json`, `geometry.json`."""

    data: bytes
    label: dict[str, Any]
    geometry: dict[str, Any]

    @cached_property
    def pixels(self) -> Pixels:
        """The upright photo, in BGR."""
        packed = np.frombuffer(self.data, np.uint8)
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def make_photo(
    seed: int,
    kind: SceneKind,
    megapixels: float | None = None,
    table: str | None = None,
    theme: ThemeName = "full",
    languages: Sequence[str] = ("en", "fr", "pl"),
    clean: bool = False,
) -> Scene:
    """A photo of a kind; the same for the same seed and OpenCV.

    A clean one is sharp, seen from above, in good light and without clutter.
    """
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    press = Press(str(rng.choice(languages)), theme)
    scene = arranged(rng, kind, press)
    camera = _camera(rng, scene.points, megapixels, clean)
    light = random_light(rng)
    while clean and light.name == "dim":
        light = random_light(rng)
    table_name = table or str(rng.choice([*TABLES]))
    middle = scene.points.mean(axis=0)
    scale = camera.scale(middle)
    photo = covered(rng, table_name, camera.plane, camera.size, scale)
    printer = random_printer(rng)
    if clean:
        printer = replace(printer, stray=0.1)
    clutter = _drawn(rng, photo, camera, light, printer, scene, press, clean)
    blur = "none" if clean else str(rng.choice(["none"] * 6 + ["defocus", "motion"]))
    photo, effects = _taken(rng, photo, camera, light, scale, blur, clean)
    quality = int(rng.integers(70, 96))
    turn = int(rng.choice([0, 0, 0, 90, 180, 270]))
    conditions = {
        "kind": kind,
        "table": table_name,
        "light": light.name,
        "camera_deg": round(camera.view.degrees, 1),
        "focal_mm": round(camera.view.focal, 1),
        "blur": blur,
        "effects": effects,
        "clutter": bool(clutter.objects),
        "objects": [*clutter.objects],
        "language": press.language,
        "theme": theme,
        "jpeg_quality": quality,
        "exif_turn": turn,
    }
    name = f"{kind}-{seed:05d}.jpg"
    label, geometry = _told(name, scene, clutter, camera, conditions)
    return Scene(_packed(photo, quality, turn), label, geometry)


def _size(rng: Generator, megapixels: float | None, wide: bool) -> tuple[int, int]:
    across, down = SHAPES[rng.integers(len(SHAPES))]
    if (across > down) != wide and rng.random() < 0.85:  # people turn the phone
        across, down = down, across
    drawn = float(rng.choice(MEGAPIXELS))
    side = (1e6 * (megapixels or drawn) / (across * down)) ** 0.5
    return round(across * side), round(down * side)


def _view(rng: Generator, clean: bool) -> View:
    from_above = rng.random() < 0.5
    degrees = float(rng.uniform(65, 90)) if from_above else float(rng.uniform(38, 70))
    return View(
        degrees=float(rng.uniform(72, 90)) if clean else degrees,
        focal=float(rng.uniform(24, 50)),
        roll=float(rng.normal(0, 4)),
        fill=float(rng.uniform(0.72, 0.96)),
        aside=(float(rng.uniform(-0.8, 0.8)), float(rng.uniform(-0.8, 0.8))),
        lens=float(rng.uniform(-0.02, 0.02)) if rng.random() < 0.5 else 0.0,
    )


def _drawn(
    rng: Generator,
    photo: Pixels,
    camera: Camera,
    light: Light,
    printer: Printer,
    scene: Arrangement,
    press: Press,
    clean: bool,
) -> Clutter:
    """Lay everything into the photo: clutter, then sheets, pieces and cards."""
    table = Table(photo, camera, light, printer)
    coatls = [piece for coatl in scene.coatls for piece in coatl.pieces]
    cards = [card for card, _ in scene.cards]
    for laid in [*scene.sheets, *coatls, *cards]:
        table.keep(laid.outline)
    count = 0 if clean or rng.random() < 0.35 else int(rng.integers(1, 7))
    clutter = strewn(rng, table, press, count)
    curl = float(rng.choice([0.0, 0.03, 0.07]))
    order = [*scene.sheets, *cards, *(coatls if rng.random() < 0.5 else coatls[::-1])]
    for laid in order:
        paper = sprite(rng, printer, laid.cutout, curl, camera.scale(laid.corners.mean(axis=0)))
        lay(photo, camera, paper, laid.place, laid.thick, light)
    return clutter


def _camera(rng: Generator, points: Points, megapixels: float | None, clean: bool) -> Camera:
    """A camera that sees these points; with more pixels if there are too few to read a mark."""
    view = _view(rng, clean)
    extent = np.ptp(points, axis=0)
    size = _size(rng, megapixels, bool(extent[0] > extent[1] * np.sin(np.radians(view.degrees))))
    camera = aimed(view, size, points)
    least, largest = camera.scales(points)
    while largest > DEEPEST * least and view.degrees < 80:  # nobody bends down so near
        view = replace(view, degrees=view.degrees + 5)
        camera = aimed(view, size, points)
        least, largest = camera.scales(points)
    if megapixels is None and least < ENOUGH:
        most = (1e6 * MOST / (size[0] * size[1])) ** 0.5
        more = min(most, ENOUGH / least)
        camera = aimed(view, (round(size[0] * more), round(size[1] * more)), points)
    return camera


def _taken(
    rng: Generator,
    photo: Pixels,
    camera: Camera,
    light: Light,
    scale: float,
    blur: str,
    clean: bool,
) -> tuple[Pixels, list[str]]:
    """The photo as the phone stores it, and what shades it or shines in it."""
    if camera.view.lens:
        photo = _bent(photo, camera)
    bright, effects = lit(rng, photo, light, scale, clean)
    noise = float(rng.uniform(*light.lamp.noise))
    return developed(rng, blurred(rng, bright, blur, scale), noise), effects


def _bent(photo: Pixels, camera: Camera) -> Pixels:
    """The photo through a lens that bends straight lines."""
    height, width = photo.shape[:2]
    middle, reach = camera.middle
    x = ((np.arange(width) - middle[0]) / reach).astype(np.float32)[None, :]
    y = ((np.arange(height) - middle[1]) / reach).astype(np.float32)[:, None]
    grown = (1 + camera.view.lens * (x * x + y * y)) * np.float32(reach)
    seen = cv2.remap(
        photo, x * grown + np.float32(middle[0]), y * grown + np.float32(middle[1]),
        cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT,
    )  # fmt: skip
    return np.asarray(seen, np.uint8)


def _packed(photo: Pixels, quality: int, turn: int) -> bytes:
    """A JPEG file whose pixels may lie on their side, as EXIF says."""
    lying = np.rot90(photo, k=-turn // 90)  # with the clock; viewers turn it back
    image = Image.fromarray(np.ascontiguousarray(lying[:, :, ::-1]))
    exif = Image.Exif()
    if turn:
        exif[ORIENTATION] = TURNED[turn]
    file = io.BytesIO()
    image.save(file, "JPEG", quality=quality, exif=exif)
    return file.getvalue()


def _told(
    name: str,
    scene: Arrangement,
    clutter: Clutter,
    camera: Camera,
    conditions: dict[str, Any],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The label of the photo, and where everything is in its pixels; Cóatls from top to bottom."""
    high = [float(camera.seen(coatl.middles)[:, 1].mean()) for coatl in scene.coatls]
    order = sorted(range(len(high)), key=high.__getitem__)
    coatls = [scene.coatls[i] for i in order]
    label = {
        "file": name,
        "coatls": [_coatl(coatl) for coatl in coatls],
        "strays": [stray.name for stray in clutter.strays],
        "cards": [
            {"id": card.name, "coatl": None if own is None else order.index(own)}
            for card, own in scene.cards
        ],
        "mat": scene.mat,
        "conditions": conditions,
        "difficulty": _difficulty(conditions, camera.scales(scene.points)[0]),
    }
    geometry = {
        "file": name,
        "size": [*camera.size],
        "coatls": [_rounded(camera.seen(coatl.middles)) for coatl in coatls],
        "strays": [_rounded(camera.seen(stray.middle[None]))[0] for stray in clutter.strays],
        "cards": [_rounded(camera.seen(card.corners)) for card, _ in scene.cards],
        "pixels_per_mm": round(camera.scale(scene.points.mean(axis=0)), 2),
        "bend": [coatl.bend for coatl in coatls],
        "gap_mm": [coatl.gap for coatl in coatls],
    }
    return label, geometry


def _coatl(coatl: LaidCoatl) -> dict[str, Any]:
    names = [piece.name for piece in coatl.pieces]
    head, tail = names[0].startswith("head"), names[-1].startswith("tail")
    return {"pieces": names, "complete": head and tail, "orientation_known": head or tail}


def _rounded(points: Points) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]


def _difficulty(conditions: dict[str, Any], scale: float) -> str:
    """How many things make it hard to read."""
    hard = [
        conditions["blur"] != "none",
        conditions["light"] in ("dim", "mixed"),
        conditions["table"] in DARK | PATTERNED,
        conditions["camera_deg"] < 50,
        bool(conditions["effects"]),
        len(conditions["objects"]) > 2,
        scale < 1.2 * ENOUGH,
    ]
    return ("easy", "medium", "medium", "hard")[min(3, sum(hard))]
