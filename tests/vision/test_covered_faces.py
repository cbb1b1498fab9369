"""Where cards may lie of which a corner is seen, on a table whose plane is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from coatl_tools import load_cards
from coatl_tools.vision.cards.card_search import FoundCards, add_covered_cards, find_cards
from coatl_tools.vision.cards.covered_faces import guess_covered_faces
from coatl_tools.vision.cards.plaque_search import lay_cards_on_table
from coatl_tools.vision.homography import map_points
from coatl_tools.vision.reading import SeenCard
from coatl_tools.vision.stage_trace import Trace
from coatl_tools.vision.table_plane import PITCH, TablePlane, estimate_table_plane
from tests.vision.card_photos import Lying, Weather, photo
from tests.vision.test_published_cards import VIEW, draw

CATALOG = load_cards()
DAYLIGHT = Weather((0.9, 0.95, 1.0), 0.1)
Points = NDArray[np.float64]


def find_all(things: list[Lying], seed: int) -> tuple[FoundCards, FoundCards]:
    """The cards whose outlines or plaques are seen, and those and the ones of which a corner is."""
    picture = photo(things, VIEW, DAYLIGHT, seed)[0]
    found = find_cards(picture, CATALOG, Trace())
    return found, add_covered_cards(found, picture, (), CATALOG, Trace())


def list_sure(found: FoundCards) -> list[str]:
    return sorted(card.id or "" for card in found.settle(CATALOG)[0] if card.sure)


def test_a_corner_tells_where_the_card_lies() -> None:
    things = [Lying("whole", draw("P29"), -70, 0, 4), Lying("half", draw("P31", 2), 40, 10, -20)]
    picture, corners = photo(things, VIEW, DAYLIGHT, 5)
    whole, half = (np.asarray(corners[name], float) for name in ("whole", "half"))
    covered = picture.copy()
    middle = half.mean(axis=0).astype(int)
    covered[middle[1] :, :] = (70, 110, 150)  # its lower half, and more, lies under something
    outline = tuple((float(x), float(y)) for x, y in whole)
    plane = estimate_table_plane((), [SeenCard("P29", 1.0, outline)], picture.shape[1::-1])
    errors = [
        min(np.hypot(*(np.roll(guess, turn, axis=0) - half).T).max() for turn in range(4))
        for guess in guess_covered_faces(covered, plane)
    ]
    assert min(errors) < 0.1 * np.hypot(*(half[1] - half[0]))


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_cards_in_a_fan_are_read(seed: int) -> None:
    ids = ["P29", "P36", "P08", "P22"]
    things = [Lying("apart", draw("P31", seed), -130, 10, 80)] + [
        Lying(card_id, draw(card_id, seed), 30.0 * i, 4.0 * i, -4.0 * i)
        for i, card_id in enumerate(ids)
    ]
    seen, both = find_all(things, seed)
    assert len(list_sure(both)) >= max(4, len(list_sure(seen)))
    assert set(list_sure(both)) <= {*ids, "P31"}


@pytest.mark.parametrize(("across", "down"), [(20.0, -9.0), (6.0, -27.0)])
def test_a_card_under_others_is_read_by_the_row_that_is_clear(across: float, down: float) -> None:
    """Where its other row would be lies that of the next card."""
    ids = ["P29", "P36", "P22"]
    things = [Lying("P31", draw("P31"), -130, 10, 80)] + [
        Lying(card_id, draw(card_id), across * i, down * i, 3.0 * i)
        for i, card_id in enumerate(ids)
    ]
    _, both = find_all(things, 1)
    assert list_sure(both) == sorted(["P31", *ids])


def test_a_card_that_is_far_away_is_not_sure() -> None:
    far = replace(VIEW, scale=1.2)
    picture = photo([Lying("P29", draw("P29"), 0, 0, 5)], far, DAYLIGHT, 1)[0]
    cards, problems = find_cards(picture, CATALOG, Trace()).settle(CATALOG)
    assert not any(card.sure for card in cards)
    assert len(problems) == len(cards)


@pytest.mark.parametrize("shift", [(9.0, 0.0), (-6.0, 8.0), (0.0, -10.0)])
def test_rough_corners_are_corrected_on_the_table(shift: tuple[float, float]) -> None:
    picture, corners = photo([Lying("P29", draw("P29"), 0, 0, 5)], VIEW, DAYLIGHT, 1)
    there = np.asarray(corners["P29"], float)
    plane = TablePlane(np.asarray(np.linalg.inv(VIEW.homography()), float), 0.0)
    plane = replace(plane, to_table=np.diag([1, 1, PITCH]) @ plane.to_table)
    to_photo = np.asarray(np.linalg.inv(plane.to_table), float)
    moved = map_points(plane.map(there) + np.array(shift) / PITCH, to_photo)
    rough = moved + np.random.default_rng(1).normal(0, 8, (4, 2))
    (found,) = lay_cards_on_table(picture, [rough], plane)
    width = np.hypot(*(there[1] - there[0]))
    assert np.hypot(*(found - there).T).max() < 0.05 * width


def test_nothing_is_guessed_into_an_empty_table() -> None:
    found = FoundCards((), (800, 600))
    empty = np.full((600, 800, 3), 120, np.uint8)
    assert add_covered_cards(found, empty, (), CATALOG, Trace()).sightings == ()
    plane = estimate_table_plane((), (), (800, 600))
    assert guess_covered_faces(empty, plane) == []
