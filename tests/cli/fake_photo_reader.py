"""A reader that sees what a test says, for commands that work with photos."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision import reader
from coatl_tools.vision.picture import Picture
from coatl_tools.vision.reading import DIRECTION_PROBLEM, PhotoReading, ReadingProblem
from tests.vision.sample_readings import make_reading, make_seen_card, make_seen_piece

ReadingsByName = dict[str, PhotoReading]
BLANK = np.full((400, 600, 3), 200, np.uint8)


def write_blank_photo(path: Path) -> Path:
    """A photo of nothing, of a size that is read."""
    assert cv2.imwrite(str(path), BLANK)
    return path


def fake_reader(monkeypatch: pytest.MonkeyPatch, seen: ReadingsByName) -> list[dict[str, Any]]:
    """From now on, a photo is read as said, by the name of its file; how it was asked for."""
    asked: list[dict[str, Any]] = []

    def read(
        picture: Picture, catalog: object, trace: object = None, colours: object = None
    ) -> PhotoReading:
        asked.append({"file": picture.path.name, "colours": colours})
        return replace(seen[picture.path.name], file=str(picture.path))

    monkeypatch.setattr(reader, "read_photo", read)
    return asked


def make_problem(
    coatl: int | None, piece: int | None = None, card: int | None = None
) -> ReadingProblem:
    """Something that is not sure, said in words that a test knows again."""
    words = {"text": f"doubt {coatl} {piece} {card}"}
    return ReadingProblem("unclear", ("pieces.unknown", dict(words)), None, coatl, piece, card)


def make_doubtful_reading() -> PhotoReading:
    """A Cóatl whose piece 4 is black or blue, another that may lie the other way, cards."""
    cards = [
        make_seen_card("P29", 0),
        make_seen_card(None, 1, "P30", "P32"),
        make_seen_card("T03", 0),
    ]
    turned = replace(make_problem(1), code=DIRECTION_PROBLEM)
    problems = [make_problem(0, 3), turned, make_problem(None, card=1)]
    found = make_reading("<RBBKYG>", "BBYYGKR", cards=cards, problems=problems)
    pieces = list(found.coatls[0].pieces)
    pieces[3] = make_seen_piece(Colour.K, PieceKind.BODY, 200, 100, Colour.B)
    first = replace(found.coatls[0], pieces=tuple(pieces))
    return replace(found, coatls=(first, found.coatls[1]))
