"""Published cards in photos of a table; all are drawn at random, none is copied."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from coatl_tools import load_cards
from coatl_tools.vision.cards.card_search import find_cards
from coatl_tools.vision.cards.card_signs import get_family, list_level_signs, list_row_signs
from coatl_tools.vision.reading import ReadingProblem, SeenCard
from coatl_tools.vision.stage_trace import Pixels, Trace
from tests.vision.card_photos import Lying, View, Weather, face, photo
from training.published_cards import draw_back, draw_card
from training.row_drawing import FACE_PIXELS_PER_MM

CATALOG = load_cards()
VIEW = View((1600, 1200), scale=3.9, tilt=20, turn=10)
WOOD = (70, 110, 150)


def draw(card_id: str, seed: int = 1) -> Pixels:
    """A face (BGR) with this card's row and levels, and art at random."""
    card, rng = CATALOG[card_id], np.random.default_rng(seed)
    drawn = draw_card(rng, get_family(card), list_row_signs(card), list_level_signs(card))
    return np.ascontiguousarray(drawn.picture[:, :, ::-1])


def cover(picture: Pixels, x: float, y: float, width: float, height: float) -> Pixels:
    """The same face with a board on a part of it, in millimetres."""
    out = picture.copy()
    left, top, right, low = (round(v * FACE_PIXELS_PER_MM) for v in (x, y, x + width, y + height))
    out[top:low, left:right] = WOOD
    return out


def read(things: Sequence[Lying], seed: int = 1) -> tuple[list[SeenCard], list[ReadingProblem]]:
    picture = photo(things, VIEW, Weather((0.85, 0.95, 1.0), 0.1), seed)[0]
    cards, problems = find_cards(picture, CATALOG, Trace()).settle(CATALOG)
    return list(cards), list(problems)


@pytest.mark.parametrize("seed", range(3))
def test_cards_that_lie_beside_each_other_are_read(seed: int) -> None:
    wanted = ["P29", "P36", "T03", "P08"]
    things = [
        Lying(card_id, draw(card_id, seed), 94.0 * i - 141, 5.0 * i, 90.0 * seed + 4 * i)
        for i, card_id in enumerate(wanted)
    ]
    cards, problems = read(things, seed)
    assert sorted(card.id or "" for card in cards) == sorted(wanted)
    assert sum(card.sure for card in cards) >= 3
    assert len(problems) == sum(not card.sure for card in cards)
    assert all({"row", "turned", "levels"} & set(card.witnesses) for card in cards)


def test_nothing_but_the_networks_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytesseract.pytesseract.tesseract_cmd", "no-such-program")
    cards, problems = read([Lying("x", draw("P31", 3), 0, 0, 8)], seed=4)
    assert [(card.id, card.sure) for card in cards] == [("P31", True)]
    assert not problems


def test_a_card_with_covered_rows_has_candidates_and_is_not_sure() -> None:
    picture = cover(cover(draw("P22", 5), 2, 70, 59, 16), 0.5, 34, 13, 36)
    cards, problems = read([Lying("x", picture, 0, 0, 5)], seed=6)
    assert [card.sure for card in cards] == [False]
    assert 0 < len(cards[0].candidates) <= 8
    assert "P22" in cards[0].candidates
    assert [problem.code for problem in problems] == ["card_doubtful"]


def test_backs_and_printed_cards_are_no_published_faces() -> None:
    back = np.ascontiguousarray(draw_back(np.random.default_rng(2))[:, :, ::-1])
    things = [Lying("back", back, -60, 0, 12), Lying("P29", face("P29"), 60, 0, -7)]
    cards, problems = read(things, seed=3)
    assert [(card.id, card.sure) for card in cards] == [("P29", True)]
    assert "mark" in cards[0].witnesses
    assert not problems
