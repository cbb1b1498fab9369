"""Cards and sheets that pieces lie on, with rows of small pieces drawn on them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.pieces import Colour, PieceKind
from training import printed_pieces
from training.ground_textures import random_colour, random_ground, random_vivid_colour
from training.piece_shapes import SHAPE_PIXELS_PER_MM

Floats = NDArray[np.float32]
FlatThing = tuple[Floats, Floats, float]  # heights, colours, pixels a millimetre
CARD_SHARE = 0.5  # of the things are the project's cards
PAPER_HEIGHT = 0.4  # millimetres
DRAWN_SIZES = (0.22, 0.6)  # of drawn pieces, as a part of real ones
SHEET_SCALE = 5.0  # pixels a millimetre


def random_flat_thing(rng: np.random.Generator) -> FlatThing:
    """Return a card, or a sheet with pieces drawn on it."""
    if rng.random() < CARD_SHARE:
        fronts, _ = printed_pieces.render_cards()
        picture = fronts[int(rng.integers(len(fronts)))]
        heights = np.full(picture.shape[:2], PAPER_HEIGHT, np.float32)
        return heights, picture, float(printed_pieces.CARD_PIXELS_PER_MM)
    return draw_sheet(rng)


def draw_sheet(rng: np.random.Generator) -> FlatThing:
    """Draw a sheet with a picture at random and rows of pieces: a card or a board of any maker."""
    card = rng.random() < 0.7
    wide, high = (63.0, 88.0) if card else (rng.uniform(90, 160), rng.uniform(60, 130))
    rows, columns = round(high * SHEET_SCALE), round(wide * SHEET_SCALE)
    colours = np.array(random_ground(rng)[:rows, :columns])
    rows, columns = colours.shape[:2]
    frame = random_vivid_colour(rng)
    edge = round(rng.uniform(1, 4) * SHEET_SCALE)
    for border in (colours[:edge], colours[-edge:], colours[:, :edge], colours[:, -edge:]):
        border[:] = frame
    for _ in range(int(rng.integers(0, 6))):  # plates, discs, arms of whatever is drawn
        x, y = int(rng.integers(columns)), int(rng.integers(rows))
        axes = int(rng.integers(8, columns // 3)), int(rng.integers(8, rows // 4))
        colour = tuple(map(float, random_colour(rng)))
        cv2.ellipse(colours, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, colour, -1)
    for _ in range(int(rng.integers(1, 4))):
        _draw_row(rng, colours)
    return np.full(colours.shape[:2], PAPER_HEIGHT, np.float32), colours, SHEET_SCALE


def _draw_row(rng: np.random.Generator, colours: Floats) -> None:
    """Draw a row of small pieces somewhere, upright or level."""
    pitch, tiles = printed_pieces.render_tiles("full")
    size = rng.uniform(*DRAWN_SIZES)
    scale = size * SHEET_SCALE / SHAPE_PIXELS_PER_MM
    count = int(rng.integers(1, 7))
    kinds = [PieceKind.BODY] * count
    if count > 1 and rng.random() < 0.4:
        kinds[0], kinds[-1] = PieceKind.HEAD, PieceKind.TAIL
    step = pitch * size * SHEET_SCALE * rng.choice([1.0, rng.uniform(1.0, 1.6)])
    tile = next(iter(tiles.values()))
    high, wide = (round(n * scale) for n in tile.mask.shape)
    row = np.zeros((high, round(wide + (count - 1) * step) + 1, 4), np.float32)
    colour = Colour(int(rng.integers(5)))
    alike = rng.choice([0.0, 0.5, 1.0])
    for i, kind in enumerate(kinds):
        colour = colour if rng.random() < alike else Colour(int(rng.integers(5)))
        tile = tiles[kind, colour]
        shade = np.float32(rng.uniform(0.7, 1.1))
        small = cv2.resize(tile.colours, (wide, high), interpolation=cv2.INTER_AREA) * shade
        mask = cv2.resize(tile.mask, (wide, high), interpolation=cv2.INTER_AREA) / np.float32(255)
        left = round(i * step)
        part = row[:, left : left + wide]
        part[..., :3] += (small - part[..., :3]) * mask[..., None]
        part[..., 3] = np.maximum(part[..., 3], mask)
    if rng.random() < 0.4:
        row = np.ascontiguousarray(np.rot90(row, int(rng.choice([1, 3]))))
    plaque = random_colour(rng) if rng.random() < 0.6 else None
    high, wide = row.shape[:2]
    if high >= colours.shape[0] or wide >= colours.shape[1]:
        return
    top = int(rng.integers(colours.shape[0] - high))
    left = int(rng.integers(colours.shape[1] - wide))
    part = colours[top : top + high, left : left + wide]
    if plaque is not None:
        part[:] = plaque
    part += (row[..., :3] - part) * row[..., 3:]
