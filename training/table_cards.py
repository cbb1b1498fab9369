"""Published cards on a table: in rows and fans beside Cóatls, half under them, or anywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import cv2
import numpy as np

from coatl_tools.vision.cards.card_signs import FACE_SIZE
from training.clutter import ClutterItem
from training.flat_things import PAPER_HEIGHT
from training.published_cards import DrawnCard, draw_back
from training.row_drawing import FACE_PIXELS_PER_MM

CardDrawer: TypeAlias = Callable[[np.random.Generator], DrawnCard]
Habit = Literal["row", "fan", "tucked", "scattered"]
LAID_PIXELS_PER_MM = 4
BACK_SHARE = 0.1  # of the cards lie face down
HALF_WIDTH, HALF_HEIGHT = FACE_SIZE[0] / 2, FACE_SIZE[1] / 2
COATL_HALF = 13.0  # millimetres from the middle line of a Cóatl to its side


def draw_laid_card(
    rng: np.random.Generator, x: float, y: float, turn: float, over: int, draw_card: CardDrawer
) -> ClutterItem:
    """Draw a card that lies at a place, over so many others."""
    drawn = draw_card(rng) if rng.random() >= BACK_SHARE else None
    picture = draw_back(rng) if drawn is None else drawn.picture
    scale = LAID_PIXELS_PER_MM / FACE_PIXELS_PER_MM
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    colours = np.asarray((small / 255.0) ** 2.2, np.float32)
    heights = np.full(colours.shape[:2], PAPER_HEIGHT + 0.03 * over, np.float32)
    return ClutterItem(
        heights, colours, LAID_PIXELS_PER_MM, x, y, turn, face=None if drawn is None else drawn.id
    )


def lay_cards_beside(
    rng: np.random.Generator, x: float, y: float, angle: float, begin: int, draw_card: CardDrawer
) -> list[ClutterItem]:
    """Lay one to five cards at a place of a Cóatl whose line runs at an angle there.

    `begin` is how many cards lie there already.
    """
    habits: Sequence[Habit] = ("row", "row", "fan", "tucked", "scattered")
    habit = habits[int(rng.integers(len(habits)))]
    count = int(rng.choice([1, 2, 3, 4, 5], p=[0.2, 0.2, 0.2, 0.25, 0.15]))
    upright = angle + (0 if rng.random() < 0.5 else np.pi)
    half, step = HALF_HEIGHT, 2 * HALF_WIDTH
    if rng.random() < 0.25:  # across
        upright += np.pi / 2
        half, step = HALF_WIDTH, 2 * HALF_HEIGHT
    step *= 1 + rng.uniform(0.01, 0.3)
    if habit == "fan":
        step = 2 * HALF_WIDTH * rng.uniform(0.18, 0.75)
    away = COATL_HALF + half + rng.uniform(1, 25)
    if habit == "tucked":
        away = COATL_HALF + half * rng.uniform(-0.9, 0.9)
    away *= rng.choice([-1, 1])
    lean = rng.uniform(0, 0.16) if habit == "fan" else 0.0
    loose = rng.uniform(0.01, 0.12)
    ahead = np.array([np.cos(angle), np.sin(angle)])
    beside = np.array([-ahead[1], ahead[0]])
    cards: list[ClutterItem] = []
    order = list(range(count))
    if rng.random() < 0.5:
        order.reverse()
    for i in order:
        along = (i - (count - 1) / 2) * step
        place = np.array([x, y]) + ahead * along + beside * away + rng.normal(0, 2, 2)
        turn = upright + rng.normal(0, loose) - lean * (i - (count - 1) / 2)
        if habit == "scattered":
            place = np.array([x, y]) + rng.normal(0, 100, 2)
            turn = rng.uniform(0, 2 * np.pi)
        cards.append(
            draw_laid_card(
                rng, float(place[0]), float(place[1]), float(turn), begin + len(cards), draw_card
            )
        )
    return cards
