"""Which part of a photo is too far away."""

from __future__ import annotations

from dataclasses import replace

from coatl_tools.language import load_language
from coatl_tools.vision.far_parts import find_far_parts
from coatl_tools.vision.reading import PhotoReading, ReadingProblem, SeenCard, describe_problem
from tests.vision.sample_readings import make_box, make_placed_coatl

SIZE = (4000, 3000)
NEAR = make_placed_coatl("<RGBYKR>", (2600, 2500))


def small(x: float, y: float, sure: bool) -> PhotoReading:
    """A photo of 4000 x 3000 pixels with a Cóatl of 33 pixels a piece at a point."""
    seen = replace(make_placed_coatl("<RGBYKR>", (2 * x, 2 * y)), sure=sure)
    reading = PhotoReading("table.jpg", SIZE, (seen,)).scale(0.5)
    return replace(reading, coatls=(*reading.coatls, NEAR))


def test_a_far_and_doubtful_coatl_is_to_be_taken_again() -> None:
    (found,) = find_far_parts(small(500, 300, sure=False))
    assert (found.code, found.coatl, found.serious) == ("far", 0, False)
    assert describe_problem(found, load_language("en")) == (
        "The upper left part of the photo, around Cóatl 1, is too far away to be read with "
        "certainty. Take that part again from nearer, in a photo of its own."
    )
    (left, top), _, (right, bottom), _ = found.area
    assert (left < 480, top < 280, right > 700, bottom > 320) == (True,) * 4


def test_what_is_sure_is_not_too_far() -> None:
    assert not [*find_far_parts(small(500, 300, sure=True))]


def test_cards_beside_which_no_piece_would_be_found_make_the_photo_unsure() -> None:
    card = SeenCard("P29", 0.9, make_box((3800, 200), 40, 56), sure=True)
    told = ReadingProblem("card_apart", ("photo.card_apart", {}), card=0, serious=False)
    reading = PhotoReading("table.jpg", SIZE, (NEAR,), cards=(card,), problems=(told,))
    (found,) = find_far_parts(reading)
    assert (found.card, found.serious) == (0, True)
    assert "upper right part" in describe_problem(found, load_language("en"))
    assert not [*find_far_parts(replace(reading, problems=()))]
