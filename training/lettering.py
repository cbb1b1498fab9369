"""Draw letters as if by hand, as they stand on published cards."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import font_source_sans_pro
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Picture = NDArray[np.uint8]
FONTS = ("Black", "Bold", "Semibold", "Regular", "BoldIt", "SemiboldIt")
STROKES_SHARE, PLAIN_SHARE = 0.45, 0.15  # of texts: single strokes, OpenCV's letters; else fonts
MARGIN, LETTER_HEIGHT, LETTER_GAP = 7, 42, 9  # pixels, before they are scaled
_RING = tuple((0.3 + 0.3 * np.cos(a), 0.5 + 0.5 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 13))
_LOW_RING = tuple((x, 0.42 + 0.58 * y) for x, y in _RING)
_HIGH_RING = tuple((x, 0.58 * y) for x, y in _RING)
_EIGHT_RINGS = tuple((0.08 + 0.75 * x, 0.46 * y) for x, y in _RING), _LOW_RING
# The strokes of each letter, in a box 1 high, from its upper left.
STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "0": (_RING,),
    "1": (((0, 0.18), (0.16, 0), (0.16, 1)),),
    "2": (((0, 0.2), (0.15, 0.02), (0.42, 0.02), (0.54, 0.25), (0.4, 0.5), (0, 1), (0.58, 1)),),
    "3": (((0, 0.03), (0.5, 0.03), (0.22, 0.42), (0.45, 0.5), (0.52, 0.76), (0.35, 1), (0, 0.95)),),
    "4": (((0.42, 1), (0.42, 0), (0, 0.68), (0.6, 0.68)),),
    "5": (
        ((0.5, 0), (0.06, 0), (0.03, 0.42), (0.38, 0.42), (0.53, 0.68), (0.38, 0.97), (0, 0.95)),
    ),
    "6": (((0.48, 0.04), (0.12, 0.3), (0, 0.7)), _LOW_RING),
    "7": (((0, 0.02), (0.56, 0.02), (0.2, 1)),),
    "8": _EIGHT_RINGS,
    "9": (_HIGH_RING, ((0.6, 0.3), (0.52, 0.7), (0.12, 1))),
    "X": (((0, 0), (0.62, 1)), ((0.62, 0), (0, 1))),
    "x": (((0, 0.4), (0.45, 1)), ((0.45, 0.4), (0, 1))),
    "=": (((0, 0.38), (0.5, 0.38)), ((0, 0.68), (0.5, 0.68))),
    "/": (((0.45, 0), (0, 1)),),
    " ": (((0.0, 1.0),),),
}


def draw_text(
    rng: np.random.Generator, text: str, tall: float, tone: tuple[float, ...]
) -> NDArray[np.float32]:
    """Draw letters as if by hand: RGB and how much each pixel is covered; `tall` is in pixels."""
    way = rng.random()
    if way < STROKES_SHARE:
        cover = _draw_strokes(rng, text)
    elif way < STROKES_SHARE + PLAIN_SHARE:
        faces = [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]
        face, thick = faces[int(rng.integers(3))], int(rng.integers(3, 7))
        (wide, high), _ = cv2.getTextSize(text, face, 2, thick)
        cover = np.zeros((high + 2 * MARGIN, wide + 2 * MARGIN), np.uint8)
        cv2.putText(cover, text, (MARGIN, high + MARGIN), face, 2, 255, thick, cv2.LINE_AA)
    else:
        font = _load_font(f"SourceSansPro-{FONTS[int(rng.integers(len(FONTS)))]}.ttf", 48)
        left, top, right, low = font.getbbox(text)
        size = round(right - left) + 2 * MARGIN, round(low - top) + 2 * MARGIN
        image = Image.new("L", size)
        ImageDraw.Draw(image).text((MARGIN - left, MARGIN - top), text, font=font, fill=255)
        cover = np.asarray(image, np.uint8)
    high, wide = cover.shape
    scale = tall / (high - 2 * MARGIN)
    squeeze = rng.uniform(0.68, 1.05)
    rows, columns = np.mgrid[0:high, 0:wide].astype(np.float32)
    wave = rng.normal(0, 1.1, (2, 3, 5)).astype(np.float32)
    shift = [cv2.resize(part, (wide, high), interpolation=cv2.INTER_CUBIC) for part in wave]
    cover = np.asarray(
        cv2.remap(cover, columns + shift[0], rows + shift[1], cv2.INTER_LINEAR), np.uint8
    )
    scaled = max(2, round(wide * scale * squeeze)), max(2, round(high * scale))
    cover = np.asarray(cv2.resize(cover, scaled, interpolation=cv2.INTER_AREA), np.uint8)
    drawn = np.empty((*cover.shape, 4), np.float32)
    drawn[..., :3] = tone
    drawn[..., 3] = cover / np.float32(255)
    return drawn


@cache
def _load_font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(
        str(Path(font_source_sans_pro.SourceSansProBold).with_name(name)), size
    )


def _draw_strokes(rng: np.random.Generator, text: str) -> Picture:
    """Draw letters of single strokes, each a little different every time."""
    thick, serif = int(rng.integers(4, 10)), rng.random() < 0.15
    x, lines = float(MARGIN), list[NDArray[np.float64]]()
    for letter in text:
        right = 0.0
        for stroke in STROKES[letter]:
            points = np.array(stroke) * LETTER_HEIGHT
            points = points + rng.normal(0, 0.9, points.shape)
            right = max(right, float(points[:, 0].max()))
            lines.append(points + np.array([x, MARGIN]))
        if letter == "1" and serif:
            foot = np.array([[-0.02, 1], [0.34, 1]]) * LETTER_HEIGHT
            lines.append(foot + np.array([x, MARGIN]))
            right = max(right, 0.34 * LETTER_HEIGHT)
        x += max(right, 2.0) + LETTER_GAP + thick / 2
    cover = np.zeros((LETTER_HEIGHT + 2 * MARGIN, round(x) + MARGIN), np.uint8)
    for line in lines:
        if len(line) > 1:
            cv2.polylines(cover, [np.rint(line).astype(np.int32)], False, 255, thick, cv2.LINE_AA)
    return cover
