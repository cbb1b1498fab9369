"""Cards without mark and id, drawn only for these tests: how published ones are described.

No photo of a published card was at hand: a frame in the card colour, points as lines like
`3X = 2` at the top left, and along the bottom a plaque with hooked pieces between a small head and
a small tail. Everything else is made up, and differs from seed to seed.
"""

from __future__ import annotations

import cv2
import font_source_sans_pro
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from coatl_tools import load_cards
from coatl_tools.pieces import Colour
from coatl_tools.vision.cards.card_appearance import get_frame_colour, list_shown_pieces
from coatl_tools.vision.stage_trace import Pixels

PX = 12  # pixels in a millimetre
FRAMES = {
    Colour.R: (150, 36, 34), Colour.G: (52, 118, 62), Colour.B: (36, 76, 140),
    Colour.Y: (214, 160, 30), Colour.K: (44, 40, 42), None: (138, 92, 54),
}  # fmt: skip
PIECES = {
    Colour.R: (206, 44, 40), Colour.G: (66, 160, 74), Colour.B: (30, 70, 160),
    Colour.Y: (246, 200, 40), Colour.K: (34, 32, 36), None: (244, 240, 230),
}  # fmt: skip


def draw_published_card(card_id: str, seed: int = 0) -> Pixels:
    """A face as BGR, 63 × 88 mm."""
    rng = np.random.default_rng(seed)
    card = load_cards()[card_id]
    width, height = 63 * PX, 88 * PX
    frame = FRAMES[get_frame_colour(card)]
    image = Image.new("RGB", (width, height), frame)
    draw = ImageDraw.Draw(image)
    rim = int(rng.uniform(3.0, 4.5) * PX)
    draw.rectangle((rim, rim, width - rim, height - rim), fill=_art(rng))
    for _ in range(14):  # something painted
        x, y = rng.uniform(rim, width - rim), rng.uniform(rim, 60 * PX)
        radius = rng.uniform(2, 9) * PX
        box = (max(rim, x - radius), max(rim, y - radius), min(width - rim, x + radius), y + radius)
        draw.ellipse(box, fill=_art(rng))
    _points(draw, card_id, rng)
    _plaque(draw, card_id, rng)
    art = np.asarray(image, np.uint8)[:, :, ::-1]
    return np.asarray(cv2.GaussianBlur(np.ascontiguousarray(art), (0, 0), 1), np.uint8)


def _art(rng: np.random.Generator) -> tuple[int, int, int]:
    light = rng.uniform(70, 200)
    red, green, blue = (int(np.clip(light + rng.normal(0, 22), 0, 255)) for _ in range(3))
    return red, green, blue


def _points(draw: ImageDraw.ImageDraw, card_id: str, rng: np.random.Generator) -> None:
    levels = load_cards()[card_id].levels
    size = int(rng.uniform(4.6, 5.6) * PX)
    font = ImageFont.truetype(font_source_sans_pro.SourceSansProBold, size)
    left, top = 5 * PX, 5 * PX
    step = int(1.15 * size)
    draw.rounded_rectangle(
        (left - PX, top - PX // 2, left + 20 * PX, top + step * len(levels) + PX),
        PX, fill=(240, 228, 200),
    )  # fmt: skip
    for index, level in enumerate(levels):
        text = f"{level.count}X = {level.points}"
        draw.text((left + PX, top + index * step), text, font=font, fill=(40, 28, 20))


def _plaque(draw: ImageDraw.ImageDraw, card_id: str, rng: np.random.Generator) -> None:
    cells = list_shown_pieces(load_cards()[card_id])
    top, low = int(rng.uniform(64, 67) * PX), int(rng.uniform(82, 84) * PX)
    draw.rounded_rectangle((5 * PX, top, 58 * PX, low), 2 * PX, fill=(232, 218, 186))
    side = min(10 * PX, 40 * PX // max(1, len(cells)))
    left = (63 * PX - side * len(cells)) // 2
    middle = (top + low) // 2
    tall = int(side / rng.uniform(0.85, 1.0))
    right = left + side * len(cells)
    for tip, flat in ((left - 4 * PX, left - PX), (right + 4 * PX, right + PX)):  # head and tail
        ends = [(tip, middle), (flat, middle - 2 * PX), (flat, middle + 2 * PX)]
        draw.polygon(ends, fill=(150, 140, 124))
    hook = side // 5
    for index, colour in enumerate(cells):
        x = left + index * side
        ink, line = PIECES[colour], (20, 18, 18)
        up, down = middle - tall // 2, middle + tall // 2
        body = [
            (x, up), (x + side - hook, up), (x + side - hook, middle), (x + side + hook, middle),
            (x + side + hook, down), (x + hook, down), (x + hook, middle), (x, middle),
        ]  # fmt: skip
        draw.polygon(body, fill=ink, outline=line, width=3)
