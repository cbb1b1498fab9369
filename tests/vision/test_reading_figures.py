"""The tests' own figures: what counts as exact, right, silently wrong and not sure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.reading import PhotoReading, ReadingProblem, SeenCard, SeenCoatl, SeenPiece
from tests.vision.reading_figures import compute_figures, describe_regressions

GEOMETRY: dict[str, Any] = {"coatls": [[[10.0, 10.0], [30.0, 10.0], [50.0, 10.0]]]}


def label(*pieces: str, known: bool = True, cards: Any = ()) -> dict[str, Any]:
    coatl = {"pieces": [*pieces], "orientation_known": known}
    return {"coatls": [coatl], "cards": [*cards]}


def seen(*pieces: str, sure: bool = True, y: float = 12.0) -> SeenCoatl:
    made = []
    for i, piece in enumerate(pieces):
        kind, colour = piece.split(":")
        centre = (10.0 + 20 * i, y)
        made.append(
            SeenPiece({Colour.from_english_name(colour): 1.0}, {PieceKind(kind): 1.0}, (), centre)
        )
    return SeenCoatl(tuple(made), 1.0, 1.0, sure)


def reading(*coatls: SeenCoatl, **more: Any) -> PhotoReading:
    return PhotoReading("photo.jpg", (100, 100), coatls, **more)


THREE = ("head:red", "body:blue", "body:blue")
PROBLEM = ReadingProblem("pieces", ("reading.test", {}))


def test_all_right() -> None:
    found = compute_figures(reading(seen(*THREE)), label(*THREE), GEOMETRY)
    assert found["exact"] == found["coatls"] == 1
    assert found["pieces_right"] == found["pieces"] == 3
    assert not found["silently_wrong"] + found["not_sure"]


def test_wrong_but_said_so_is_not_silent() -> None:
    wrong = ("head:red", "body:black", "body:blue")
    unsure = compute_figures(reading(seen(*wrong, sure=False)), label(*THREE), GEOMETRY)
    assert (unsure["exact"], unsure["silently_wrong"], unsure["not_sure"]) == (0, 0, 1)
    assert unsure["pieces_right"] == 2
    sure = compute_figures(reading(seen(*wrong)), label(*THREE), GEOMETRY)
    assert (sure["exact"], sure["silently_wrong"], sure["not_sure"]) == (0, 1, 0)


def test_a_missed_coatl_is_silent_unless_a_problem_is_told() -> None:
    assert compute_figures(reading(), label(*THREE), GEOMETRY)["silently_wrong"] == 1
    told = compute_figures(reading(problems=(PROBLEM,)), label(*THREE), GEOMETRY)
    assert (told["silently_wrong"], told["not_sure"]) == (0, 1)


def test_a_coatl_elsewhere_is_none_of_those_that_are_there() -> None:
    away = seen(*THREE, y=80)
    found = compute_figures(reading(seen(*THREE), away), label(*THREE), GEOMETRY)
    assert (found["exact"], found["silently_wrong"]) == (1, 1)
    doubtful = reading(seen(*THREE), replace(away, sure=False))
    assert compute_figures(doubtful, label(*THREE), GEOMETRY)["silently_wrong"] == 0


def test_without_head_and_tail_either_direction_is_right() -> None:
    bodies = ("body:red", "body:blue", "body:blue")
    backwards = reading(seen(*bodies[::-1]))
    assert compute_figures(backwards, label(*bodies, known=False), GEOMETRY)["exact"] == 1
    assert compute_figures(backwards, label(*bodies), GEOMETRY)["exact"] == 0


def test_cards_count_where_they_are_sure_and_belong() -> None:
    told = [{"id": "P29", "coatl": 0}, {"id": "P30", "coatl": 0}, {"id": "P31", "coatl": 0}]
    cards = (
        SeenCard("P29", 1.0, (), coatl=0, sure=True),
        SeenCard("P30", 1.0, (), coatl=None, sure=True),
        SeenCard("P31", 0.4, (), coatl=0),
        SeenCard("P40", 1.0, (), coatl=0, sure=True),
    )
    found = compute_figures(reading(seen(*THREE), cards=cards), label(*THREE, cards=told), GEOMETRY)
    assert found["cards"] == 3
    assert (found["cards_right"], found["cards_wrong"], found["cards_strange"]) == (1, 1, 1)


def test_worse_is_told_and_better_is_not() -> None:
    then = dict(compute_figures(reading(seen(*THREE)), label(*THREE), GEOMETRY))
    assert describe_regressions(then, then) == []
    now = then | {"exact": 0, "silently_wrong": 1}
    assert describe_regressions(now, then) == [
        "exact: 1 before, 0 now",
        "silently_wrong: 0 before, 1 now",
    ]
    assert describe_regressions(then, now) == []
    assert describe_regressions(now, then, slack=1) == []
