"""Tables: wood, cloth, felt, laminate, as pictures that go on at every edge."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Colour = tuple[float, float, float]  # blue, green, red, up to 255

OAK: tuple[Colour, ...] = ((118, 168, 205), (95, 150, 196), (140, 184, 212))
WALNUT: tuple[Colour, ...] = ((38, 56, 84), (44, 68, 104), (30, 44, 66))
CLOTHS: tuple[Colour, ...] = (
    (225, 228, 230), (190, 205, 215), (150, 90, 50), (60, 45, 120), (70, 110, 70), (60, 60, 62),
    (120, 140, 175), (165, 150, 120),
)  # fmt: skip


def clouds(rng: Generator, size: int, across: float, down: float | None = None) -> Floats:
    """Soft noise whose lumps are so many pixels wide and high; about one in strength."""
    down = across if down is None else down
    shape = (max(2, round(size / max(1.0, down))), max(2, round(size / max(1.0, across))))
    grains = rng.standard_normal(shape, np.float32)
    smooth = cv2.resize(grains, (size, size), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, np.float32)


def _painted(shade: Floats, dark: Colour, light: Colour) -> Pixels:
    """A shade from 0 to 1 as a mixture of two colours."""
    levels = np.clip(shade * 255, 0, 255).astype(np.uint8)
    steps = np.linspace(0, 1, 256)[:, None]
    table = np.array(dark) * (1 - steps) + np.array(light) * steps
    palette = np.clip(table, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.applyColorMap(levels, palette.reshape(256, 1, 3)), np.uint8)


def _near(rng: Generator, colour: Colour, spread: float = 14) -> Colour:
    moved = np.clip(np.array(colour) + rng.normal(0, spread, 3), 8, 248)
    return (float(moved[0]), float(moved[1]), float(moved[2]))


def _times(colour: Colour, factor: float) -> Colour:
    return (colour[0] * factor, colour[1] * factor, colour[2] * factor)


def _wood(rng: Generator, size: int, scale: float, woods: tuple[Colour, ...]) -> Pixels:
    """Boards with rings along them, fibres, and dark joints."""
    light = _near(rng, woods[rng.integers(len(woods))], 8)
    y = np.arange(size, dtype=np.float32)[:, None] / scale
    board = float(rng.uniform(60, 160))
    bent = 3 * clouds(rng, size, 120 * scale, 25 * scale)
    rings = np.sin((y + bent) * float(rng.uniform(0.5, 1.3)) + 2 * bent)
    fibres = clouds(rng, size, 22 * scale, max(1.0, 0.35 * scale))
    pores = clouds(rng, size, 5 * scale, max(1.0, 0.2 * scale))
    tone = rng.normal(0, 0.08, 64).astype(np.float32)[(y // board).astype(int) % 64]
    shade = 0.62 + 0.13 * rings + 0.10 * fibres + tone - 0.2 * (pores > 1.9)
    if rng.random() < 0.7:
        shade = shade - 0.4 * (np.abs(y % board) < 0.5)
    return _painted(np.asarray(shade, np.float32), _times(light, 0.55), _times(light, 1.12))


def _cloth(rng: Generator, size: int, scale: float, colour: Colour | None = None) -> Pixels:
    """A weave of threads, with soft folds."""
    colour = _near(rng, colour or CLOTHS[rng.integers(len(CLOTHS))])
    period = max(2.6, float(rng.uniform(0.5, 1.3)) * scale)
    line = np.arange(size, dtype=np.float32) * (2 * np.pi / period)
    weave = np.sin(line)[:, None] * np.sin(line)[None, :]
    threads = clouds(rng, size, 30 * scale, period) + clouds(rng, size, period, 30 * scale)
    folds = clouds(rng, size, 90 * scale, 60 * scale)
    shade = 0.6 + 0.10 * weave + 0.05 * threads + 0.06 * folds
    return _painted(np.asarray(shade, np.float32), _times(colour, 0.45), _times(colour, 1.2))


def _gingham(rng: Generator, size: int, scale: float) -> Pixels:
    """Checks: stripes across and along, darker where they cross."""
    step = float(rng.uniform(6, 28)) * scale
    line = (np.arange(size) % (2 * step) < step).astype(np.float32)
    shade = 1 - 0.46 * (line[:, None] + line[None, :])
    shade = shade + 0.05 * clouds(rng, size, 1.5 * max(1.0, 0.5 * scale))
    dyes: tuple[Colour, ...] = ((45, 40, 175), (150, 80, 40), (60, 120, 60), (60, 60, 60))
    dye = _near(rng, dyes[rng.integers(4)])
    return _painted(np.asarray(shade, np.float32), dye, (236, 240, 243))


def _dots(rng: Generator, size: int, scale: float) -> Pixels:
    """Dots in rows."""
    step, part = float(rng.uniform(9, 30)) * scale, float(rng.uniform(0.15, 0.32))
    grid = np.arange(size, dtype=np.float32) / step
    odd = (np.floor(grid) % 2)[:, None] * 0.5
    x, y = (grid[None, :] + odd) % 1 - 0.5, (grid[:, None] % 1 - 0.5) + 0 * grid[None, :]
    inside = np.clip((part - np.hypot(x, y)) * step * 0.7 + 0.5, 0, 1)
    ground = CLOTHS[rng.integers(len(CLOTHS))]
    dots: Colour = (240, 240, 240) if sum(ground) < 480 else _near(rng, (90, 60, 150), 50)
    shade = inside + 0.04 * clouds(rng, size, max(1.0, 0.6 * scale))
    return _painted(np.asarray(shade, np.float32), _near(rng, ground), dots)


def _stripes(rng: Generator, size: int, scale: float) -> Pixels:
    """Stripes of four shades, and threads."""
    edges = np.cumsum(rng.uniform(2, 25, 120)) * scale
    which = np.searchsorted(edges, np.arange(size)) % 4
    shade = np.array([0.1, 0.9, 0.45, 0.75], np.float32)[which][None, :] + np.zeros((size, 1))
    shade = shade + 0.05 * clouds(rng, size, 20 * scale, max(1.0, 0.5 * scale))
    one, two = rng.choice(len(CLOTHS), 2, replace=False)
    return _painted(np.asarray(shade, np.float32), CLOTHS[one], CLOTHS[two])


def _laminate(rng: Generator, size: int, scale: float) -> Pixels:
    """A smooth plate with speckles."""
    grey = float(rng.uniform(70, 215))
    colour = _near(rng, (grey, grey, grey), 7)
    fine = clouds(rng, size, max(1.0, 0.7 * scale))
    coarse = clouds(rng, size, max(1.2, 2.0 * scale))
    shade = 0.6 + 0.03 * fine + 0.16 * (fine > 1.5) - 0.18 * (coarse > 1.7)
    return _painted(np.asarray(shade, np.float32), _times(colour, 0.5), _times(colour, 1.25))


def _marble(rng: Generator, size: int, scale: float) -> Pixels:
    """Stone with veins."""
    bent = clouds(rng, size, 80 * scale) + 0.5 * clouds(rng, size, 25 * scale)
    bent = bent + 0.2 * clouds(rng, size, 7 * scale)
    veins = np.exp(-np.abs(bent) * 9)
    shade = 0.85 - 0.5 * veins + 0.06 * clouds(rng, size, 40 * scale)
    pale: Colour = (232, 234, 236) if rng.random() < 0.6 else (60, 62, 60)
    return _painted(np.asarray(shade, np.float32), _times(pale, 0.55), _near(rng, pale, 5))


def _felt(rng: Generator, size: int, scale: float) -> Pixels:
    """Short hair in all directions."""
    felts: tuple[Colour, ...] = ((62, 100, 30), (110, 60, 30), (40, 30, 110), (50, 50, 50))
    colour = _near(rng, felts[rng.integers(4)], 10)
    hair = clouds(rng, size, max(1.0, 0.3 * scale), max(1.0, 0.9 * scale))
    hair = hair + clouds(rng, size, max(1.0, 0.9 * scale), max(1.0, 0.3 * scale))
    shade = 0.6 + 0.07 * hair + 0.05 * clouds(rng, size, 50 * scale)
    return _painted(np.asarray(shade, np.float32), _times(colour, 0.5), _times(colour, 1.2))


def _plain(rng: Generator, size: int, scale: float, colour: Colour) -> Pixels:
    """Paint with hardly a speck."""
    colour = _near(rng, colour, 10)
    shade = 0.6 + 0.02 * clouds(rng, size, max(1.0, 0.5 * scale))
    shade = shade + 0.03 * clouds(rng, size, 100 * scale)
    return _painted(np.asarray(shade, np.float32), _times(colour, 0.6), _times(colour, 1.25))


Maker = Callable[[Generator, int, float], Pixels]
TABLES: Mapping[str, Maker] = {
    "wood": lambda rng, size, scale: _wood(rng, size, scale, OAK),
    "dark wood": lambda rng, size, scale: _wood(rng, size, scale, WALNUT),
    "white tablecloth": lambda rng, size, scale: _cloth(rng, size, scale, (226, 228, 230)),
    "cloth": _cloth,
    "gingham": _gingham,
    "dotted cloth": _dots,
    "striped cloth": _stripes,
    "laminate": _laminate,
    "marble": _marble,
    "felt": _felt,
    "plain light": lambda rng, size, scale: _plain(rng, size, scale, (205, 208, 210)),
    "plain dark": lambda rng, size, scale: _plain(rng, size, scale, (40, 38, 38)),
    "plain coloured": lambda rng, size, scale: _plain(
        rng, size, scale, CLOTHS[int(rng.integers(2, len(CLOTHS)))]
    ),
}
DARK = {"dark wood", "plain dark"}
PATTERNED = {"gingham", "dotted cloth", "striped cloth"}


def covered(rng: Generator, table: str, plane: NDArray[np.float64], size: tuple[int, int],
            scale: float) -> Pixels:  # fmt: skip
    """A table as it fills the photo; `plane` is from millimetres to pixels."""
    side = int(min(2048, max(768, 0.7 * max(size))))
    fine = min(scale, 7.0)
    picture = TABLES[table](rng, side, fine)
    turn = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.5 else float(rng.normal(0, 0.1))
    cos, sin = np.cos(turn) / fine, np.sin(turn) / fine
    begin = rng.uniform(-400, 400, 2)
    to_mm = np.array([(cos, -sin, begin[0]), (sin, cos, begin[1]), (0, 0, 1)])
    seen = cv2.warpPerspective(
        picture, plane @ to_mm, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(seen, np.uint8)
