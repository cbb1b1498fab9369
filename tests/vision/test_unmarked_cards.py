"""Printed cards without a mark are read by their id, or by their words."""

from __future__ import annotations

import numpy as np

from coatl_tools import load_cards
from coatl_tools.vision.cards.card_search import find_cards
from coatl_tools.vision.reading import ReadingProblem, SeenCard
from coatl_tools.vision.stage_trace import Pixels, Trace
from tests.programs import needs_tesseract
from tests.vision.card_photos import DPI, Lying, View, Weather, face, photo

CATALOG = load_cards()
PX = DPI / 25.4
VIEW = View((1200, 900), scale=5.5, tilt=15)


def read(*things: Lying, seed: int = 1) -> tuple[list[SeenCard], list[ReadingProblem]]:
    picture = photo(things, VIEW, Weather((0.85, 0.95, 1.0), 0.1), seed)[0]
    cards, problems = find_cards(picture, CATALOG, Trace()).settle(CATALOG)
    return list(cards), list(problems)


def covered(card_id: str, x: float, y: float, width: float, height: float) -> Pixels:
    """A printed face with a thumb on a part of it, in millimetres."""
    out = face(card_id).copy()
    left, top, right, low = (round(v * PX) for v in (x, y, x + width, y + height))
    out[top:low, left:right] = (120, 150, 205)
    return out


@needs_tesseract
def test_a_card_whose_mark_is_covered_is_read_by_its_id() -> None:
    cards, problems = read(Lying("x", covered("P29", 5, 66, 15, 17), 0, 0, 160))
    assert [(card.id, card.sure) for card in cards] == [("P29", True)]
    assert not problems
    assert "mark" not in cards[0].witnesses
    assert cards[0].witnesses["text"] == "P29"
    assert len(cards[0].witnesses) > 1
    assert cards[0].confidence < 0.98


@needs_tesseract
def test_a_card_whose_mark_and_id_are_covered_is_read_by_its_words() -> None:
    cards, problems = read(Lying("x", covered("P45", 5, 67, 38, 16), 0, 0, -20))
    assert [(card.id, card.sure) for card in cards] == [("P45", True)]
    assert cards[0].witnesses == {"words": "P45", "frame": "green"}
    assert not problems


@needs_tesseract
def test_a_printed_card_on_which_nothing_is_legible_is_told() -> None:
    blank = face("P29").copy()
    for x, y, right, low in ((6, 6, 22, 20), (6, 28, 57, 63), (6, 68, 57, 82)):
        blank[round(y * PX) : round(low * PX), round(x * PX) : round(right * PX)] = (217, 237, 247)
    blank[round(66 * PX) : round(84 * PX), round(21.5 * PX) : round(22.9 * PX)] = (15, 150, 208)
    for line in range(30, 60, 4):  # scribbles
        blank[round(line * PX) : round((line + 1) * PX), round(8 * PX) : round(50 * PX)] = 90
    cards, problems = read(Lying("x", blank, 0, 0, 12))
    assert [card.id for card in cards] == [None]
    assert [problem.code for problem in problems] == ["card_unreadable"]
    assert problems[0].serious


def test_other_rectangles_are_no_cards() -> None:
    rng = np.random.default_rng(7)
    page = np.full((700, 500, 3), 245, np.uint8)
    for y in range(60, 640, 24):  # a page of writing
        for x in range(40, 440, 14):
            if rng.random() < 0.8:
                page[y : y + 9, x : x + int(rng.integers(4, 12))] = 60
    box = np.zeros((700, 500, 3), np.uint8) + np.array((40, 40, 150), np.uint8)  # a red box
    box[200:300, 150:350] = (90, 200, 240)
    things = [Lying("page", page, -50, 0, 10), Lying("box", box, 50, 0, -15)]
    assert read(*things, seed=8) == ([], [])
