"""The marks on cards: OpenCV's own bits, numbers that stay, found from a seat at the table."""

from __future__ import annotations

import zlib
from dataclasses import replace
from itertools import count, islice

import cv2
import numpy as np
import pytest

from benchmarks import marks as benchmark
from benchmarks.photo_simulation import find_mark_corners
from coatl_tools import Card, load_cards
from coatl_tools.printing.aruco_marks import MODULES_PER_SIDE, load_marks_layout
from coatl_tools.printing.layouts import Layouts

MARKS = load_marks_layout(Layouts())
FREE = [n for n in range(MARKS.free.first, MARKS.free.last + 1) if n not in MARKS.never]


def own(*ids: str) -> list[Card]:
    card = next(iter(load_cards()))
    return [replace(card, id=card_id) for card_id in ids]


def wanted(card_id: str) -> int:
    return zlib.crc32(card_id.encode()) % len(FREE)


def test_every_mark_is_drawn_with_opencvs_bits() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    for number in range(250):
        drawn = np.full((MODULES_PER_SIDE, MODULES_PER_SIDE), 255)
        for outline in MARKS.mark_path(number, 3, 5, MODULES_PER_SIDE).flatten():
            corners = np.round(outline).astype(int) - (3, 5)
            (left, top), (right, low) = corners.min(axis=0), corners.max(axis=0)
            drawn[top:low, left:right] = 0
        truly = cv2.aruco.generateImageMarker(dictionary, number, MODULES_PER_SIDE)
        assert (drawn == truly).all(), number


def test_a_mark_fills_its_square() -> None:
    assert MARKS.mark_path(17, 2, 3, 12).bounds == pytest.approx((2, 3, 14, 15))


def test_all_numbers_differ() -> None:
    cards = [card.id for card in load_cards()]
    numbers = MARKS.assign_numbers(load_cards())
    assert sorted(numbers) == sorted(cards)
    given = [*numbers.values(), *MARKS.mat.values()]
    assert len(set(given)) == len(given)
    assert not set(given) & set(FREE)


def test_a_card_of_ones_own_keeps_its_number() -> None:
    first = MARKS.assign_numbers(own("X01"))["X01"]
    assert first == 153  # in every version: printed cards are not printed again
    others = [f"Y{i:02}" for i in range(40) if wanted(f"Y{i:02}") != wanted("X01")]
    neighbours = [name for name in others if (wanted("X01") - wanted(name)) % len(FREE) > 45]
    more = MARKS.assign_numbers([*own("X01", *neighbours), *load_cards()])
    assert more["X01"] == first


def test_two_cards_that_want_one_number_get_two() -> None:
    same = list(islice((f"Z{i}" for i in count() if wanted(f"Z{i}") == 5), 3))
    numbers = MARKS.assign_numbers(own(*same))
    assert sorted(numbers.values()) == [FREE[5], FREE[6], FREE[7]]
    assert numbers == MARKS.assign_numbers(own(*reversed(same)))
    assert numbers[min(same)] == FREE[5]


def test_when_no_number_is_free_the_rest_get_none() -> None:
    numbers = MARKS.assign_numbers(own(*(f"F{i:03}" for i in range(200))))
    assert len(numbers) == len(set(numbers.values())) == len(FREE)
    assert set(numbers.values()) == set(FREE)


@pytest.mark.parametrize("view", benchmark.CAMERA_VIEWS, ids=lambda v: f"{v[0]:.0%}-{v[1]}")
def test_marks_are_read_from_where_one_sits_at_a_table(view: tuple[float, float]) -> None:
    # A camera of 12 megapixels has about 3000 pixels on 75 cm at 65 cm; a picture sent by
    # messenger is shrunk to 1600: still 2.5 pixels in a millimetre.
    numbers = (1, 9, 17, 34, 49, 61, 75, 100, 249)
    photo = benchmark.simulate_table_photo(benchmark.make_marked_cards(numbers), 30, view, seed=3)
    assert set(find_mark_corners(photo)) == set(numbers)


def test_the_benchmark_of_marks_runs(capsys: pytest.CaptureFixture[str]) -> None:
    benchmark.main(pixels=(25,), sheets=1)
    assert "100.0%" in capsys.readouterr().out
