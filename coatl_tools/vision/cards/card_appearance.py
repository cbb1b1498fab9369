"""What a card looks like from above, and which published card looks like that.

Its frame, its points, and the row of pieces on it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards import requirement as req
from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.catalog import Catalog
from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.vision.cards.ocr import cut_text_lines, read_text_strip
from coatl_tools.vision.stage_trace import Pixels

CARD_PIXELS_PER_MM = 8.0  # pixels in a millimetre of a card seen from above
FRAME_BAND = (0.9, 2.6)  # millimetres from the edge between which the frame is looked at
FRAME_HUES = {Colour.R: 33.0, Colour.Y: 86.0, Colour.G: 140.0, Colour.B: 278.0}  # degrees, in Lab
TEMPLE_HUE = 62.0  # the hue of a Temple card's frame
OTHER_COLOUR = -1  # what has none of the five colours
MIN_ROW_HEIGHT = 0.55  # a piece of the row is at least so high, compared with the highest


@dataclass(frozen=True, eq=False)
class CardPieceRow:
    """The pixel columns of a row of pieces: the colour of each, and the height of the row."""

    columns: NDArray[np.int64]
    height: int

    @property
    def estimated_pieces(self) -> float:
        """The estimated number of pieces: each is nearly as long as it is high."""
        return len(self.columns) / (0.92 * self.height)

    def describe(self) -> str:
        """Return the colours in their order, repeats left out, such as BY."""
        letters = [Colour(int(c)).name if c != OTHER_COLOUR else "*" for c in self.columns]
        return "".join(a for i, a in enumerate(letters) if i == 0 or letters[i - 1] != a)[:24]


def crop_box(view: Pixels, box: Box) -> Pixels:
    """Crop a box (mm) of a card seen from above."""
    left, top = round(CARD_PIXELS_PER_MM * box.x), round(CARD_PIXELS_PER_MM * box.y)
    right, bottom = round(CARD_PIXELS_PER_MM * box.right), round(CARD_PIXELS_PER_MM * box.bottom)
    return view[top:bottom, left:right]


def balance_view(view: Pixels, share: float = 96) -> Pixels:
    """White-balance a card: the lightest pixels, above a percentile, are taken for paper."""
    white = np.percentile(view[::3, ::3].reshape(-1, 3), share, axis=0)  # a part tells enough
    white = np.maximum(white, 0.55 * white.max())  # a card that has nothing white on it
    lit = np.arange(256)[:, None] * (245.0 / np.maximum(white, 30))
    table = np.clip(lit, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(view, table), np.uint8)


def _to_lightness_chroma_hue(pixels: Pixels) -> tuple[NDArray[np.float32], ...]:
    """Convert pixels to lightness, chroma and hue (degrees)."""
    lab = cv2.cvtColor(pixels.astype(np.float32) / 255, cv2.COLOR_BGR2LAB).astype(np.float32)
    light, a, b = lab[..., 0], lab[..., 1], lab[..., 2]
    return light, np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360


def classify_colours(view: Pixels) -> NDArray[np.int64]:
    """Classify each pixel of a balanced view by piece colour, or as OTHER_COLOUR."""
    light, chroma, hue = _to_lightness_chroma_hue(view)
    classes = np.full(light.shape, OTHER_COLOUR, np.int64)
    classes[(light < 33) & (chroma < 20)] = Colour.K
    nearest = np.full(light.shape, 34.0)
    for colour, middle in FRAME_HUES.items():
        off = np.abs((hue - middle + 180) % 360 - 180)
        strong = chroma > (22 if colour is Colour.B else 28)
        better = strong & (off < nearest)
        classes[better] = colour
        nearest[better] = off[better]
    return classes


def rate_frame_colours(view: Pixels) -> Mapping[Colour | None, float]:
    """Rate how likely the frame of a balanced view has each card colour; None is Temple.

    Empty if there is no frame of one colour.
    """
    near, far = (round(CARD_PIXELS_PER_MM * v) for v in FRAME_BAND)
    sides = [
        view[near:far, far:-far], view[-far:-near, far:-far],
        view[far:-far, near:far], view[far:-far, -far:-near],
    ]  # fmt: skip
    middles = [np.median(side.reshape(-1, 3), axis=0) for side in sides]
    colour = np.median(middles, axis=0)
    even = [float(np.abs(middle - colour).max()) for middle in middles]
    if sorted(even)[2] > 45:
        return {}
    light, chroma, hue = (
        float(v[0, 0]) for v in _to_lightness_chroma_hue(colour.reshape(1, 1, 3).astype(np.uint8))
    )
    scores: dict[Colour | None, float] = {}
    for name, middle in FRAME_HUES.items():
        off = abs((hue - middle + 180) % 360 - 180)
        scores[name] = float(np.exp(-((off / 24) ** 2) / 2) * _soft_step(chroma, 16))
    off = abs((hue - TEMPLE_HUE + 180) % 360 - 180)
    scores[None] = float(0.8 * np.exp(-((off / 14) ** 2) / 2) * _soft_step(chroma, 12))
    scores[Colour.K] = float((1 - _soft_step(chroma, 16)) * (1 - _soft_step(light, 48)))
    total = sum(scores.values())
    if total < 0.15:
        return {}
    return {name: (score + 0.02) / (total + 0.12) for name, score in scores.items()}


def _soft_step(value: float, middle: float) -> float:
    return float(1 / (1 + np.exp(-(value - middle) / 4)))


def read_row(view: Pixels, box: Box) -> CardPieceRow | None:
    """Read the row of pieces inside a box (mm) of a rectified card; None if there is none.

    The background of the row is taken for white; anything that reaches beyond the box is ignored.
    """
    part = balance_view(np.ascontiguousarray(crop_box(view, box)), 80)
    height, width = part.shape[:2]
    classes = classify_colours(np.asarray(cv2.medianBlur(part, 5), np.uint8))
    mask = (classes != OTHER_COLOUR).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)).astype(np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(mask)
    parts = [
        (stats[i], middles[i]) for i in range(1, count)
        if stats[i][cv2.CC_STAT_HEIGHT] > 2.5 * CARD_PIXELS_PER_MM and stats[i][cv2.CC_STAT_TOP] > 0
        and stats[i][cv2.CC_STAT_TOP] + stats[i][cv2.CC_STAT_HEIGHT] < height
        and abs(middles[i][0] - width / 2) < 0.45 * width
    ]  # fmt: skip
    if not parts:
        return None
    main, centre = max(parts, key=lambda pair: int(pair[0][cv2.CC_STAT_AREA]))
    tallest = int(main[cv2.CC_STAT_HEIGHT])
    aligned = [
        stat for stat, at in parts
        if stat[cv2.CC_STAT_HEIGHT] > MIN_ROW_HEIGHT * tallest
        and abs(at[1] - centre[1]) < 0.35 * tallest
    ]  # fmt: skip
    left = min(int(stat[cv2.CC_STAT_LEFT]) for stat in aligned)
    right = max(int(stat[cv2.CC_STAT_LEFT] + stat[cv2.CC_STAT_WIDTH]) for stat in aligned)
    top = int(main[cv2.CC_STAT_TOP])
    if right - left < 0.5 * tallest:
        return None
    band = classes[top : top + tallest, left:right]
    counts = np.stack([(band == colour).sum(axis=0) for colour in range(len(Colour))])
    best = counts.argmax(axis=0)
    best[counts.max(axis=0) < 0.3 * tallest] = OTHER_COLOUR
    return CardPieceRow(best.astype(np.int64), tallest)


def rate_row(row: CardPieceRow, card: Card) -> float:
    """Rate how well a row shows what a card asks, from 0 to 1; 0 if the card shows no row."""
    cells = list_shown_pieces(card)
    if not cells:
        return 0.0
    length = len(row.columns)
    fits = []
    for index, colour in enumerate(cells):
        begin = int(length * (index + 0.1) / len(cells))
        end = max(begin + 1, int(length * (index + 0.9) / len(cells)))
        part = row.columns[begin:end]
        wanted = OTHER_COLOUR if colour is None else int(colour)
        fits.append(max(0.05, float((part == wanted).mean())))
    off = np.log(len(cells) / max(row.estimated_pieces, 0.3))
    # one wrong piece makes another card: the mean is that of products
    return float(np.exp(np.log(fits).mean()) * np.exp(-((off / 0.5) ** 2) / 2))


def list_shown_pieces(card: Card) -> Sequence[Colour | None]:
    """List the pieces that a card shows in a row, None for any colour; empty without a row."""
    match card.requirement:
        case req.PieceSequence(elements, before, after):
            cells = [element.colour for element in elements]
            return [*([before] if before is not None else []), *cells,
                    *([after] if after is not None else [])]  # fmt: skip
        case req.ColourCount(colour):
            return [colour]
        case req.Multiset(needs):
            return [colour for colour, number in needs for _ in range(number)]
    return []


def get_frame_colour(card: Card) -> Colour | None:
    """Get the colour of a card's frame; None for a Temple card."""
    return None if card.kind is CardKind.TEMPLE else card.colour


def name_frame(colour: Colour | None) -> str:
    """Name a frame by its colour, as witnesses do."""
    return "temple" if colour is None else colour.word


POINTS_BOX = Box(1.5, 1.5, 30, 34)  # the upper left corner, where the lines of points stand
ROW_BOX = Box(4.5, 60, 54, 26)  # the lower part, where the row of pieces lies
LEVEL_PATTERN = re.compile(r"([1-9])[Xx]=?([1-9]\d?)")
LEVEL_ALPHABET = "0123456789Xx="
FIGURE_HEIGHTS = (1.8, 6.5)  # millimetres that the figures of points are high
MIN_ROW_LIKENESS = 0.7  # from here on, a row shows what a card asks
MIN_LIKENESS_ALONE = 0.85  # a row without points must be this clear to tell that it is a card
MIN_CERTAINTY = 0.95  # the part that one card must have of all likelihood
MAX_CANDIDATES = 8  # candidates are few, so that picking one is quick


@dataclass(frozen=True, eq=False)
class CardFeatures:
    """What can be seen of a card: each of the three may be missing."""

    frame: Mapping[Colour | None, float] = field(default_factory=dict)
    points: Mapping[int, int] = field(default_factory=dict)
    row: CardPieceRow | None = None

    def allows(self, card: Card) -> bool:
        """Tell whether neither frame nor points contradict a card."""
        levels = {level.count: level.points for level in card.levels}
        framed = not self.frame or self.frame.get(get_frame_colour(card), 0.0) > 0.2
        return framed and self.points.items() <= levels.items()

    def likelihood(self, card: Card) -> float:
        """Return the log-likelihood of a card given all features."""
        total = float(np.log(self.frame.get(get_frame_colour(card), 0.02))) if self.frame else 0.0
        if self.points:
            levels = {level.count: level.points for level in card.levels}
            for count, points in self.points.items():
                total += float(np.log(0.9 if levels.get(count) == points else 0.02))
            if len(levels) != len(self.points):
                total += float(np.log(0.4))
        if self.row is not None:
            total += 6 * float(np.log(max(0.05, rate_row(self.row, card))))
        return total


@dataclass(frozen=True, eq=False)
class CardMatch:
    """The likeliest cards, the probability of the first, and whether all features agree with it."""

    candidates: tuple[str, ...]
    confidence: float
    agreed: bool
    witnesses: Mapping[str, str]


def extract_features(view: Pixels) -> CardFeatures:
    """Extract the frame and the row of pieces of a card seen from above, upright."""
    return CardFeatures(rate_frame_colours(balance_view(view)), row=read_row(view, ROW_BOX))


def read_points(views: Sequence[Pixels]) -> tuple[Mapping[int, int], ...]:
    """Read the points of each level on some cards, as far as possible.

    Raises NoTesseractError if Tesseract is missing.
    """
    lines: list[Pixels] = []
    owners: list[int] = []
    for index, view in enumerate(views):
        corner = crop_box(view, POINTS_BOX)
        grey = np.asarray(cv2.cvtColor(corner, cv2.COLOR_BGR2GRAY), np.uint8)
        for line in cut_text_lines(
            grey, *(CARD_PIXELS_PER_MM * height for height in FIGURE_HEIGHTS)
        ):
            lines.append(line)
            owners.append(index)
    texts: list[list[str]] = [[] for _ in views]
    for index, read in zip(owners, read_text_strip(lines, LEVEL_ALPHABET), strict=True):
        texts[index].append(read.text)
    return tuple(_parse_levels(text) for text in texts)


def _parse_levels(lines: Sequence[str]) -> Mapping[int, int]:
    """Parse lines such as “3X = 2”; empty unless they rise, as on every card."""
    found: dict[int, int] = {}
    for match in filter(None, map(LEVEL_PATTERN.fullmatch, lines)):
        found.setdefault(int(match[1]), int(match[2]))
    rising = [found[count] for count in sorted(found)]
    return found if rising == sorted(set(rising)) else {}


def match_card(look: CardFeatures, catalog: Catalog) -> CardMatch | None:
    """Match features with the cards; None if nothing shows that it is a card at all."""
    cards = list(catalog)
    rows = [rate_row(look.row, card) if look.row else 0.0 for card in cards]
    if not _is_card(look, cards, rows):
        return None
    if (
        max((f for c, f in zip(cards, rows, strict=True) if look.allows(c)), default=0.0)
        < MIN_ROW_LIKENESS
    ):
        look, rows = replace(look, row=None), [0.0] * len(cards)  # it is something else
    scores = np.array([look.likelihood(card) for card in cards])
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    order = sorted(range(len(cards)), key=lambda i: (-shares[i], cards[i].id))
    best = order[0]
    witnesses: dict[str, str] = {}
    if look.frame:
        colour = max(look.frame, key=lambda name: look.frame[name])
        witnesses["frame"] = name_frame(colour)
    if look.points:
        witnesses["points"] = " ".join(f"{n}X={p}" for n, p in sorted(look.points.items()))
    if look.row is not None and max(rows) >= MIN_ROW_LIKENESS:
        witnesses["row"] = look.row.describe()
    card = cards[best]
    levels = {level.count: level.points for level in card.levels}
    supported = [
        bool(look.frame) and look.frame.get(get_frame_colour(card), 0.0) > 0.5,
        bool(look.points) and all(levels.get(n) == p for n, p in look.points.items()),
        rows[best] >= MIN_ROW_LIKENESS,
    ]
    agreed = (
        shares[best] >= MIN_CERTAINTY and rows[best] >= MIN_ROW_LIKENESS and sum(supported) >= 2
    )
    against = (bool(look.points) and not supported[1]) or (bool(look.frame) and not supported[0])
    likely = [i for i in order[:MAX_CANDIDATES] if shares[i] > 0.01]
    return CardMatch(
        tuple(cards[i].id for i in likely),
        float(shares[best]),
        bool(agreed and not against),
        witnesses,
    )


def _is_card(look: CardFeatures, cards: Sequence[Card], rows: Sequence[float]) -> bool:
    """Tell whether some card's points were read, or a clear row that fits the frame."""
    levels = [{level.count: level.points for level in card.levels} for card in cards]
    if look.points and any(look.points.items() <= level.items() for level in levels):
        return True
    return any(
        fit > MIN_LIKENESS_ALONE
        and len(set(list_shown_pieces(card))) > 1
        and look.frame.get(get_frame_colour(card), 0.0) > 0.5
        for card, fit in zip(cards, rows, strict=True)
    )
