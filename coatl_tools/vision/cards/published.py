"""The published cards: frame, points and row of pieces, compared with every card there is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import Catalog
from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.vision.cards.lines import text_lines
from coatl_tools.vision.cards.looks import (
    SCALE,
    Row,
    balanced_view,
    family,
    frame_likelihoods,
    read_row,
    row_likeness,
    shown_cells,
)
from coatl_tools.vision.cards.text import read_strip
from coatl_tools.vision.trace import Pixels

POINTS = Box(1.5, 1.5, 30, 34)  # the upper left corner, where the lines of points stand
PLAQUE = Box(4.5, 60, 54, 26)  # the lower part, where the row of pieces lies
LEVEL = re.compile(r"([1-9])[Xx]=?([1-9]\d?)")
ALPHABET = "0123456789Xx="
FIGURES = (1.8, 6.5)  # millimetres that the figures of points are high
LIKE = 0.7  # from here on, a row shows what a card asks
ALONE = 0.85  # a row without points must be this clear to tell that it is a card
CERTAIN = 0.95  # the part that one card must have of all likelihood
MOST = 8  # candidates are few, so that picking one is quick


@dataclass(frozen=True, eq=False)
class Look:
    """What can be seen of a card: each of the three may be missing."""

    frame: Mapping[Colour | None, float] = field(default_factory=dict)
    points: Mapping[int, int] = field(default_factory=dict)
    row: Row | None = None

    def allows(self, card: Card) -> bool:
        """Whether neither frame nor points speak against a card."""
        levels = {level.count: level.points for level in card.levels}
        framed = not self.frame or self.frame.get(family(card), 0.0) > 0.2
        return framed and self.points.items() <= levels.items()

    def likelihood(self, card: Card) -> float:
        """How well a card agrees with all of it, as a logarithm."""
        total = float(np.log(self.frame.get(family(card), 0.02))) if self.frame else 0.0
        if self.points:
            levels = {level.count: level.points for level in card.levels}
            for count, points in self.points.items():
                total += float(np.log(0.9 if levels.get(count) == points else 0.02))
            if len(levels) != len(self.points):
                total += float(np.log(0.4))
        if self.row is not None:
            total += 6 * float(np.log(max(0.05, row_likeness(self.row, card))))
        return total


@dataclass(frozen=True, eq=False)
class Verdict:
    """The likeliest cards, how likely the first is, and whether nothing speaks against it."""

    candidates: tuple[str, ...]
    confidence: float
    agreed: bool
    witnesses: Mapping[str, str]


def look_at(view: Pixels) -> Look:
    """A card from above, upright: its frame and its row of pieces."""
    return Look(frame_likelihoods(balanced_view(view)), row=read_row(view, PLAQUE))


def read_points(views: Sequence[Pixels]) -> tuple[Mapping[int, int], ...]:
    """What each number of occurrences pays on each of some cards, as far as it can be read.

    Raises NoTesseractError if Tesseract is missing.
    """
    x, y, right, low = (round(SCALE * v) for v in (POINTS.x, POINTS.y, POINTS.right, POINTS.bottom))
    lines: list[Pixels] = []
    owners: list[int] = []
    for index, view in enumerate(views):
        grey = np.asarray(cv2.cvtColor(view[y:low, x:right], cv2.COLOR_BGR2GRAY), np.uint8)
        for line in text_lines(grey, *(SCALE * height for height in FIGURES)):
            lines.append(line)
            owners.append(index)
    texts: list[list[str]] = [[] for _ in views]
    for index, read in zip(owners, read_strip(lines, ALPHABET), strict=True):
        texts[index].append(read.text)
    return tuple(_levels(text) for text in texts)


def _levels(lines: Sequence[str]) -> Mapping[int, int]:
    """Lines such as 3X = 2; nothing if they do not rise, as those of every card do."""
    found: dict[int, int] = {}
    for match in filter(None, map(LEVEL.fullmatch, lines)):
        found.setdefault(int(match[1]), int(match[2]))
    rising = [found[count] for count in sorted(found)]
    return found if rising == sorted(set(rising)) else {}


def judge(look: Look, catalog: Catalog) -> Verdict | None:
    """Which cards it may be; None if nothing tells that it is a card at all."""
    cards = list(catalog)
    rows = [row_likeness(look.row, card) if look.row else 0.0 for card in cards]
    if not _is_a_card(look, cards, rows):
        return None
    if max((f for c, f in zip(cards, rows, strict=True) if look.allows(c)), default=0.0) < LIKE:
        look, rows = replace(look, row=None), [0.0] * len(cards)  # it is something else
    scores = np.array([look.likelihood(card) for card in cards])
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    order = sorted(range(len(cards)), key=lambda i: (-shares[i], cards[i].id))
    best = order[0]
    witnesses: dict[str, str] = {}
    if look.frame:
        colour = max(look.frame, key=lambda name: look.frame[name])
        witnesses["frame"] = "temple" if colour is None else colour.word
    if look.points:
        witnesses["points"] = " ".join(f"{n}X={p}" for n, p in sorted(look.points.items()))
    if look.row is not None and max(rows) >= LIKE:
        witnesses["row"] = look.row.told()
    card = cards[best]
    levels = {level.count: level.points for level in card.levels}
    supported = [
        bool(look.frame) and look.frame.get(family(card), 0.0) > 0.5,
        bool(look.points) and all(levels.get(n) == p for n, p in look.points.items()),
        rows[best] >= LIKE,
    ]
    agreed = shares[best] >= CERTAIN and rows[best] >= LIKE and sum(supported) >= 2
    against = (bool(look.points) and not supported[1]) or (bool(look.frame) and not supported[0])
    likely = [i for i in order[:MOST] if shares[i] > 0.01]
    return Verdict(
        tuple(cards[i].id for i in likely),
        float(shares[best]),
        bool(agreed and not against),
        witnesses,
    )


def _is_a_card(look: Look, cards: Sequence[Card], rows: Sequence[float]) -> bool:
    """Whether points that some card has can be read, or a row of colours that fits the frame."""
    levels = [{level.count: level.points for level in card.levels} for card in cards]
    if look.points and any(look.points.items() <= level.items() for level in levels):
        return True
    return any(
        fit > ALONE and len(set(shown_cells(card))) > 1 and look.frame.get(family(card), 0.0) > 0.5
        for card, fit in zip(cards, rows, strict=True)
    )
