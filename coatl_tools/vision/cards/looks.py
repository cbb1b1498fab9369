"""What a card looks like from above: the colour of its frame, and the row of pieces on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards import requirement as req
from coatl_tools.cards.card import Card, CardKind
from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.vision.trace import Pixels

SCALE = 8.0  # pixels in a millimetre of a card seen from above
FRAME = (0.9, 2.6)  # millimetres from the edge between which the frame is looked at
HUES = {Colour.R: 33.0, Colour.Y: 86.0, Colour.G: 140.0, Colour.B: 278.0}  # degrees, in Lab
BROWN = 62.0  # the hue of a Temple card's frame
OTHER = -1  # what has none of the five colours
TALL = 0.55  # a piece of the row is at least so high, compared with the highest


@dataclass(frozen=True, eq=False)
class Row:
    """Columns of a row of pieces from left to right, the colour of each, and how high it is."""

    columns: NDArray[np.int64]
    height: int

    @property
    def pieces(self) -> float:
        """About how many pieces it has: each is nearly as long as it is high."""
        return len(self.columns) / (0.92 * self.height)

    def told(self) -> str:
        """The colours one after the other, such as BY."""
        letters = [Colour(int(c)).name if c != OTHER else "*" for c in self.columns]
        return "".join(a for i, a in enumerate(letters) if i == 0 or letters[i - 1] != a)[:24]


def balanced_view(view: Pixels, share: float = 96) -> Pixels:
    """A card as in white light: the lightest of it, up to a share in percent, is paper."""
    white = np.percentile(view[::3, ::3].reshape(-1, 3), share, axis=0)  # a part tells enough
    white = np.maximum(white, 0.55 * white.max())  # a card that has nothing white on it
    lit = np.arange(256)[:, None] * (245.0 / np.maximum(white, 30))
    table = np.clip(lit, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(view, table), np.uint8)


def _lab(pixels: Pixels) -> tuple[NDArray[np.float32], ...]:
    """Lightness, chroma and hue in degrees."""
    lab = cv2.cvtColor(pixels.astype(np.float32) / 255, cv2.COLOR_BGR2LAB).astype(np.float32)
    light, a, b = lab[..., 0], lab[..., 1], lab[..., 2]
    return light, np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360


def colour_classes(view: Pixels) -> NDArray[np.int64]:
    """The piece colour of each pixel of a balanced view, or OTHER."""
    light, chroma, hue = _lab(view)
    classes = np.full(light.shape, OTHER, np.int64)
    classes[(light < 33) & (chroma < 20)] = Colour.K
    nearest = np.full(light.shape, 34.0)
    for colour, middle in HUES.items():
        off = np.abs((hue - middle + 180) % 360 - 180)
        strong = chroma > (22 if colour is Colour.B else 28)
        better = strong & (off < nearest)
        classes[better] = colour
        nearest[better] = off[better]
    return classes


def frame_likelihoods(view: Pixels) -> Mapping[Colour | None, float]:
    """How likely the frame of a balanced view has each card colour; None is a Temple card's.

    Empty if there is no frame of one colour.
    """
    near, far = (round(SCALE * v) for v in FRAME)
    sides = [
        view[near:far, far:-far], view[-far:-near, far:-far],
        view[far:-far, near:far], view[far:-far, -far:-near],
    ]  # fmt: skip
    middles = [np.median(side.reshape(-1, 3), axis=0) for side in sides]
    colour = np.median(middles, axis=0)
    even = [float(np.abs(middle - colour).max()) for middle in middles]
    if sorted(even)[2] > 45:
        return {}
    light, chroma, hue = (float(v[0, 0]) for v in _lab(colour.reshape(1, 1, 3).astype(np.uint8)))
    scores: dict[Colour | None, float] = {}
    for name, middle in HUES.items():
        off = abs((hue - middle + 180) % 360 - 180)
        scores[name] = float(np.exp(-((off / 24) ** 2) / 2) * _step(chroma, 16))
    off = abs((hue - BROWN + 180) % 360 - 180)
    scores[None] = float(0.8 * np.exp(-((off / 14) ** 2) / 2) * _step(chroma, 12))
    scores[Colour.K] = float((1 - _step(chroma, 16)) * (1 - _step(light, 48)))
    total = sum(scores.values())
    if total < 0.15:
        return {}
    return {name: (score + 0.02) / (total + 0.12) for name, score in scores.items()}


def _step(value: float, middle: float) -> float:
    return float(1 / (1 + np.exp(-(value - middle) / 4)))


def read_row(view: Pixels, box: Box) -> Row | None:
    """The row of pieces inside a box of a card from above, in millimetres; None if there is none.

    What it lies on is taken for white, and what reaches beyond the box for something else.
    """
    x, y, width, height = (round(SCALE * v) for v in (box.x, box.y, box.width, box.height))
    part = balanced_view(np.ascontiguousarray(view[y : y + height, x : x + width]), 80)
    classes = colour_classes(np.asarray(cv2.medianBlur(part, 5), np.uint8))
    mask = (classes != OTHER).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)).astype(np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(mask)
    parts = [
        (stats[i], middles[i]) for i in range(1, count)
        if stats[i][cv2.CC_STAT_HEIGHT] > 2.5 * SCALE and stats[i][cv2.CC_STAT_TOP] > 0
        and stats[i][cv2.CC_STAT_TOP] + stats[i][cv2.CC_STAT_HEIGHT] < height
        and abs(middles[i][0] - width / 2) < 0.45 * width
    ]  # fmt: skip
    if not parts:
        return None
    main, centre = max(parts, key=lambda pair: int(pair[0][cv2.CC_STAT_AREA]))
    tallest = int(main[cv2.CC_STAT_HEIGHT])
    aligned = [
        stat for stat, at in parts
        if stat[cv2.CC_STAT_HEIGHT] > TALL * tallest and abs(at[1] - centre[1]) < 0.35 * tallest
    ]  # fmt: skip
    left = min(int(stat[cv2.CC_STAT_LEFT]) for stat in aligned)
    right = max(int(stat[cv2.CC_STAT_LEFT] + stat[cv2.CC_STAT_WIDTH]) for stat in aligned)
    top = int(main[cv2.CC_STAT_TOP])
    if right - left < 0.5 * tallest:
        return None
    band = classes[top : top + tallest, left:right]
    counts = np.stack([(band == colour).sum(axis=0) for colour in range(len(Colour))])
    best = counts.argmax(axis=0)
    best[counts.max(axis=0) < 0.3 * tallest] = OTHER
    return Row(best.astype(np.int64), tallest)


def row_likeness(row: Row, card: Card) -> float:
    """How well a row shows what a card asks, from 0 to 1; 0 for what is not shown as a row."""
    cells = shown_cells(card)
    if not cells:
        return 0.0
    length = len(row.columns)
    fits = []
    for index, colour in enumerate(cells):
        begin = int(length * (index + 0.1) / len(cells))
        end = max(begin + 1, int(length * (index + 0.9) / len(cells)))
        part = row.columns[begin:end]
        wanted = OTHER if colour is None else int(colour)
        fits.append(max(0.05, float((part == wanted).mean())))
    off = np.log(len(cells) / max(row.pieces, 0.3))
    # one wrong piece makes another card: the mean is that of products
    return float(np.exp(np.log(fits).mean()) * np.exp(-((off / 0.5) ** 2) / 2))


def shown_cells(card: Card) -> Sequence[Colour | None]:
    """The pieces that a card shows side by side, None for any colour; none if it shows no row."""
    match card.requirement:
        case req.Sequence(tokens, before, after):
            cells = [token.colour for token in tokens]
            return [*([before] if before is not None else []), *cells,
                    *([after] if after is not None else [])]  # fmt: skip
        case req.Count(colour):
            return [colour]
        case req.Multiset(needs):
            return [colour for colour, number in needs for _ in range(number)]
    return []


def family(card: Card) -> Colour | None:
    """The colour of a card's frame; None for a Temple card."""
    return None if card.kind is CardKind.TEMPLE else card.colour
