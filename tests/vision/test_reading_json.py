"""The JSON of a reading."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from coatl_tools.cards.catalog import load_cards
from coatl_tools.errors import FileError
from coatl_tools.language import load_language
from coatl_tools.vision.corrections.corrected_reading import apply_corrections
from coatl_tools.vision.corrections.correction import parse_corrections
from coatl_tools.vision.reading import (
    PhotoReading,
    Point,
    ReadingProblem,
    format_confidence,
    make_unreadable_reading,
    reading_to_json,
)
from tests.vision.sample_readings import make_clear_reading, make_doubtful_reading


def test_a_reading_as_json() -> None:
    data = reading_to_json(make_doubtful_reading(), load_language("en"))
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert (data["file"], data["sure"], data["size"]) == ("photos/table.jpg", False, [1600, 1200])
    first, second = data["coatls"]
    assert (first["coatl"], first["sure"], first["complete"]) == ("<RBBYG>", True, True)
    assert (first["orientation_known"], second["orientation_known"]) == (True, False)
    assert (second["coatl"], second["sure"]) == ("KKYR", False)
    head = first["pieces"][0]
    assert (head["kind"], head["colour"], head["confidence"]) == ("head", "red", 0.9702)
    assert head["outline"] == [[270.0, 270.0], [330.0, 270.0], [330.0, 330.0], [270.0, 330.0]]
    assert [piece["sure"] for piece in second["pieces"]] == [True, False, True, True]
    assert second["pieces"][1]["colours"] == {"black": 0.55, "blue": 0.45}
    known, unknown = data["cards"]
    assert (known["id"], known["coatl"], known["sure"]) == ("P29", 0, True)
    assert (unknown["id"], unknown["candidates"]) == (None, ["P01", "P02"])
    assert data["problems"][0] == {
        "code": "piece_unsure",
        "text": "There is no file “<b>”.",
        "advice": "Standard input is closed.",
        "grave": True,
        "coatl": 1,
        "piece": 1,
        "card": None,
        "area": None,
    }
    assert data["strays"][0]["colour"] == "green"
    assert reading_to_json(make_clear_reading(), load_language("en"))["sure"]


def test_a_problem_of_a_card_says_which_also_after_another_one_is_gone() -> None:
    unread = tuple(
        ReadingProblem("card_unreadable", ("photo.card_unreadable", {}), card=i) for i in (0, 1)
    )
    reading = replace(make_doubtful_reading(), problems=unread)

    def told(code: str) -> list[str]:
        return [one["text"] for one in reading_to_json(reading, load_language(code))["problems"]]

    assert told("en") == ["Card c1: it could not be read.", "Card c2: it could not be read."]
    assert told("fr")[1] == "Carte c2 : elle n’a pas pu être lue."
    cards = load_cards()
    reading = apply_corrections(reading, cards, *parse_corrections("c1-", cards))
    assert told("pl") == ["Karta c1: nie udało się jej odczytać."]


def test_nothing_that_was_seen_is_shown_as_certain() -> None:
    shown = [format_confidence(part, load_language("en")) for part in (0.0, 0.987, 0.995, 1.0)]
    assert shown == ["0%", "98%", "99%", "99%"]


def test_in_a_larger_photo_everything_lies_in_proportion() -> None:
    reading = make_doubtful_reading()
    larger = reading.scale(2.5)
    assert list_points(larger) == [(2.5 * x, 2.5 * y) for x, y in list_points(reading)]
    assert larger.size == reading.size


def list_points(reading: PhotoReading) -> list[Point]:
    """Every point of what was seen."""
    pieces = [piece for coatl in reading.coatls for piece in coatl.pieces]
    pieces += reading.loose_pieces
    outlines = [piece.outline for piece in pieces] + [card.outline for card in reading.cards]
    return [piece.centre for piece in pieces] + [point for one in outlines for point in one]


def test_a_photo_that_cannot_be_opened_has_nothing_but_a_problem() -> None:
    reading = make_unreadable_reading(Path("a.jpg"), FileError("photo.empty", path=Path("a.jpg")))
    data = reading_to_json(reading, load_language("fr"))
    assert (data["coatls"], data["cards"], data["strays"]) == ([], [], [])
    (problem,) = data["problems"]
    assert (data["sure"], problem["code"]) == (False, "empty")
    assert problem["text"] == "« a.jpg » est vide. Copiez la photo à nouveau."
