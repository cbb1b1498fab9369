"""Where published cards lie, by the plaques that are seen of them; all are drawn at random."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from coatl_tools.vision.cards.plaque_search import correct_cards, find_plaques
from coatl_tools.vision.cards.published_cards import find_published_cards
from coatl_tools.vision.stage_trace import Pixels
from tests.vision.card_photos import Lying, View, Weather, photo
from tests.vision.test_published_cards import CATALOG, VIEW, draw

DAYLIGHT = Weather((0.9, 0.95, 1.0), 0.1)
NEAR = 0.12  # widths of a card
Points = NDArray[np.float64]


def measure_errors(found: list[Points], corners: Points) -> float:
    """How far the nearest one is off, in widths of the card, from its own top left."""
    width = np.hypot(*(corners[1] - corners[0]))
    return float(min((np.hypot(*(one - corners).T).mean() / width for one in found), default=9.0))


@pytest.mark.parametrize("turn", [0, 90, 200])
def test_cards_are_found_in_any_turn(turn: int) -> None:
    ids = ["P29", "P31", "P08"]
    things = [
        Lying(card_id, draw(card_id, turn), 90.0 * i - 90, 8.0 * i, turn + 10.0 * i)
        for i, card_id in enumerate(ids)
    ]
    picture, corners = photo(things, VIEW, DAYLIGHT, turn)
    found = correct_cards(picture, find_plaques(picture))
    for card_id in ids:
        assert measure_errors(found, np.asarray(corners[card_id], float)) < NEAR


def test_one_plaque_is_enough() -> None:
    things = [Lying("lower", draw("P29", 4), 0, 0, 5), Lying("upper", draw("P31", 4), 14, -34, -12)]
    picture, corners = photo(things, VIEW, DAYLIGHT, 8)
    assert (
        measure_errors(
            correct_cards(picture, find_plaques(picture)), np.asarray(corners["lower"], float)
        )
        < NEAR
    )


def test_a_card_that_fills_the_photo_is_found() -> None:
    close = View((1600, 1200), scale=12, tilt=20, turn=10)
    picture, corners = photo([Lying("P31", draw("P31", 2), 0, 0, 40)], close, DAYLIGHT, 3)
    assert (
        measure_errors(
            correct_cards(picture, find_plaques(picture)), np.asarray(corners["P31"], float)
        )
        < NEAR
    )


@pytest.mark.parametrize("colour", [0, 128, 255])
def test_an_empty_table_has_none(colour: int) -> None:
    empty: Pixels = np.full((600, 800, 3), colour, np.uint8)
    assert find_plaques(empty) == []


@pytest.mark.parametrize("size", [(1, 1), (3, 700), (900, 40)])
def test_noise_shows_no_cards(size: tuple[int, int]) -> None:
    noise: Pixels = np.random.default_rng(1).integers(0, 256, (*size, 3), np.uint8)
    assert find_published_cards(noise, correct_cards(noise, find_plaques(noise)), CATALOG) == []
