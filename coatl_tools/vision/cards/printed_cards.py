"""Printed cards in a photo: where they lie, the id beside the mark, and the text on them.

Any card that was found, printed or published, is a `CardSighting`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

import cv2
import numpy as np

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card, describe_part
from coatl_tools.cards.catalog import Catalog
from coatl_tools.cards.requirement import Several, split_requirement
from coatl_tools.language import load_languages
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.cards.card_layout import CardFaceGeometry, CardSize, load_cards_layout
from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.printing.layouts import Layouts
from coatl_tools.vision.cards.ocr import (
    UNREAD_LINE,
    OcrLine,
    cut_text_lines,
    read_single_line,
    read_text_block,
    read_text_strip,
)
from coatl_tools.vision.homography import (
    Points,
    box_corners,
    fit_camera_homographies,
    map_points,
    rectify_box,
)
from coatl_tools.vision.mark_detection import SeenMark
from coatl_tools.vision.reading import ReadingProblem
from coatl_tools.vision.stage_trace import Pixels

CLOSER_ADVICE = "photo.closer_and_above"
ID_SCALE = 6.0  # pixels in a millimetre at which Tesseract reads an id best
SECOND_ID_SCALE = 5.0  # another one, for a second look
ID_WIDTH, ID_HEIGHT = 21.5, 8.8  # millimetres in which the longest id stands
ID_CHARACTER_HEIGHTS = (1.8, 6.6)  # millimetres that its characters are high
MIN_READABLE_SCALE = 1.6  # pixels in a millimetre of the photo, below which ids are too small
MIN_TEXT_CONFIDENCE = 0.5  # from here on, a text that contradicts the mark is listened to
MAX_FRAME_DIFFERENCE = 25.0  # levels by which a frame may differ, lit unevenly
EDGE_DISTANCE = 1.2  # millimetres inside and outside an edge where its contrast is measured


@dataclass(frozen=True, eq=False)
class LocatedCard:
    """A printed card in a photo: its layout in mm, and the homography to pixels."""

    places: CardFaceGeometry
    homography: Points
    mark: SeenMark | None = None

    @property
    def outline(self) -> Points:
        """The corners of the card in the photo, clockwise from its top left."""
        size = self.places.size
        return map_points(box_corners(0, 0, size.width, size.height), self.homography)

    @property
    def scale(self) -> float:
        """The approximate number of pixels per millimetre."""
        size = self.places.size
        area = cv2.contourArea(self.outline.astype(np.float32))
        return float(np.sqrt(area / (size.width * size.height)))

    @property
    def id_box(self) -> Box:
        """Where the id stands."""
        label, padding = self.places.label, self.places.layout.face.footer.padding
        return Box(label.x + padding - 1.4, label.y + padding - 1.2, ID_WIDTH, ID_HEIGHT)


@dataclass(frozen=True, eq=False)
class CardSighting:
    """A sighted card: its id if known, what each witness says, and why it is not sure."""

    outline: Points
    id: str | None
    confidence: float
    witnesses: Mapping[str, str]
    candidates: tuple[str, ...] = ()
    problem: ReadingProblem | None = None


def load_usual_places() -> CardFaceGeometry:
    """Load the layout of a card of the default size."""
    layout = load_cards_layout(Layouts())
    return CardFaceGeometry(layout, layout.face.drawn_for, load_marks_layout(Layouts()))


def locate_card(pixels: Pixels, mark: SeenMark) -> LocatedCard | None:
    """Locate the card that a mark is on; its edges decide its size and tilt. None if none fits."""
    usual = load_usual_places()
    seen = (pixels.shape[1], pixels.shape[0])
    best: tuple[float, LocatedCard] | None = None
    for size in _list_distinct_sizes(usual):
        places = CardFaceGeometry(usual.layout, size, usual.marks)
        box = places.mark
        flat = box_corners(box.x, box.y, box.width, box.height)
        for order, homography in enumerate(fit_camera_homographies(flat, mark.corners, seen)):
            card = LocatedCard(places, homography, mark)
            contrast = measure_edge_contrast(pixels, card)
            # the first is the better one, unless edges say so clearly
            score = contrast * (1.0 if order == 0 else 0.8) * (1.0 if size == usual.size else 0.8)
            if best is None or score > best[0]:
                best = (score, card)
    return best[1] if best else None


def _list_distinct_sizes(usual: CardFaceGeometry) -> list[CardSize]:
    """List the sizes that can be told apart in a photo, the usual one first."""
    kept = [usual.size]
    for size in usual.layout.sizes.values():
        apart = [max(abs(size.width - k.width), abs(size.height - k.height)) for k in kept]
        if min(apart) > 3:
            kept.append(size)
    return kept


def measure_edge_contrast(pixels: Pixels, card: LocatedCard) -> float:
    """Measure how much a card contrasts with its surroundings, at its weakest edges.

    The more the frame differs along the edges, the lower the result: a card's frame is even.
    """
    width, height = card.places.size.width, card.places.size.height
    along = np.linspace(0.1, 0.9, 24)
    contrasts, frames = [], []
    for edge in range(4):
        vertical = edge % 2 == 1  # top, right, bottom, left
        far = edge in (1, 2)
        length, across = (height, width) if vertical else (width, height)
        sides = []
        for away in (EDGE_DISTANCE, -EDGE_DISTANCE):
            at = np.full(24, across - away if far else away)
            run = along * length
            points = np.column_stack([at, run] if vertical else [run, at])
            sides.append(_sample_colours(pixels, map_points(points, card.homography)))
        contrasts.append(float(np.median(np.abs(sides[0] - sides[1]).max(axis=1))))
        frames.append(sides[0])
    contrasts.sort()
    near_mark = np.median(np.vstack(frames[2:]), axis=0)  # the bottom and the left edge
    off = np.abs(np.vstack(frames) - near_mark).max(axis=1)
    alike = float(np.exp(-off / MAX_FRAME_DIFFERENCE).mean())
    return alike**3 * (contrasts[0] + contrasts[1] + 0.2 * contrasts[3] + 1.0)


def _sample_colours(pixels: Pixels, points: Points) -> Points:
    """Sample the colours at some points; at the border for those outside."""
    height, width = pixels.shape[:2]
    points = np.nan_to_num(points, nan=0.0, posinf=0.0, neginf=0.0)
    x = np.clip(np.round(points[:, 0]), 0, width - 1).astype(int)
    y = np.clip(np.round(points[:, 1]), 0, height - 1).astype(int)
    return np.asarray(pixels[y, x], np.float64)


def has_id_label(grey: Pixels, card: LocatedCard) -> bool:
    """Tell whether the light tablet of the id lies beside the mark, as on every printed card."""
    label = card.places.label.inset(2.5)
    mark = card.places.mark
    paper = rectify_box(grey, card.homography, label, 1.5)
    white = rectify_box(grey, card.homography, mark.inset(-1.2), 1.5)
    rim = np.concatenate([white[0], white[-1], white[:, 0], white[:, -1]])
    # most of it is paper, and paper is about as light as the white around the mark
    return bool(np.median(paper) > 0.62 * np.median(rim) and paper.std() > 4)


def has_printed_id(grey: Pixels, card: LocatedCard) -> bool:
    """Tell whether some large characters stand side by side where the id would be."""
    picture = rectify_box(grey, card.homography, card.id_box, ID_SCALE)
    low, high = (float(value) for value in np.percentile(picture, (3, 80)))
    if high - low < 30:
        return False
    return bool(cut_text_lines(picture, *(ID_SCALE * height for height in ID_CHARACTER_HEIGHTS)))


def collect_id_alphabet(cards: Iterable[Card]) -> str:
    """Collect the characters that ids are made of."""
    return "".join(sorted({char for card in cards for char in card.id}))


def read_ids(grey: Pixels, cards: Sequence[LocatedCard], letters: str) -> tuple[OcrLine, ...]:
    """Read the id printed on each of some cards, as far as Tesseract can.

    Raises NoTesseractError if it is missing.
    """
    large = [index for index, card in enumerate(cards) if card.scale >= MIN_READABLE_SCALE]
    lines = [UNREAD_LINE] * len(cards)
    strip = read_text_strip([_cut_id(grey, cards[index], ID_SCALE) for index in large], letters)
    for index, line in zip(large, strip, strict=True):
        lines[index] = line
    return tuple(lines)


def read_id_again(grey: Pixels, card: LocatedCard, letters: str) -> OcrLine:
    """Read an id again, alone and at another scale, so that the same mistake is unlikely."""
    picture = _cut_id(grey, card, SECOND_ID_SCALE)
    rim = 12
    framed = cv2.copyMakeBorder(picture, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=255)
    return read_single_line(np.asarray(framed, np.uint8), letters)


def _cut_id(grey: Pixels, card: LocatedCard, scale: float) -> Pixels:
    """Cut out the id, upright, dark on white."""
    part = rectify_box(grey, card.homography, card.id_box, scale)
    low, high = (float(value) for value in np.percentile(part, (3, 80)))
    stretched = (part.astype(np.float64) - low) / max(high - low, 1.0) * 255
    return np.clip(stretched, 0, 255).astype(np.uint8)


MIN_TEXT_LIKENESS = 0.8  # a card's words are recognised from here on
MIN_TEXT_LEAD = 0.04  # and only if the next card's words are so much less alike
MIN_WORDS = 3  # words that must be read


def find_card_by_text(field: Pixels, catalog: Catalog) -> tuple[str | None, tuple[str, ...]]:
    """Find the card whose text is in a grey picture of its field, and similar cards.

    Raises NoTesseractError if Tesseract is missing.
    """
    read = _split_words(read_text_block(field))
    if len(read) < MIN_WORDS:
        return None, ()
    scores = {
        card.id: max(_compare_words(read, text) for text in _list_printed_texts(card))
        for card in catalog
    }
    order = sorted(scores, key=lambda card_id: (-scores[card_id], card_id))
    near = tuple(
        i for i in order[:6] if scores[i] > max(MIN_TEXT_LIKENESS - 0.2, scores[order[0]] - 0.12)
    )
    if scores[order[0]] < MIN_TEXT_LIKENESS:
        return None, near
    clear = len(order) < 2 or scores[order[0]] - scores[order[1]] >= MIN_TEXT_LEAD
    return (order[0] if clear else None), near


@lru_cache(maxsize=512)
def _list_printed_texts(card: Card) -> tuple[str, ...]:
    """List what is printed on a card, in each language."""
    if not isinstance(card.requirement, Several):
        return tuple(describe_card(card, language.code) for language in load_languages())
    parts = split_requirement(card.requirement)
    return tuple(
        ". ".join(describe_part(part, language) for part in parts) for language in load_languages()
    )


def _split_words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.casefold()))


def _compare_words(read: Sequence[str], text: str) -> float:
    return SequenceMatcher(None, read, _split_words(text), autojunk=False).ratio()
