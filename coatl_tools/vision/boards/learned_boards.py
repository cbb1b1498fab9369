"""Supply boards that somebody has shown: their picture and their places, stored by name.

Nobody has a drawing of a bought board, so a photo of it is learned, with its places tapped. This
module imports no OpenCV; `board_learning` learns boards, `board_pictures` makes them findable.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Annotated

from platformdirs import user_config_path
from pydantic import Field, field_validator

from coatl_tools.errors import CommandLineError
from coatl_tools.files.atomic_writes import wrap_os_errors, write_file_atomically
from coatl_tools.files.json_models import StrictModel, load_json_model
from coatl_tools.rules.constants import SPACE_KINDS
from coatl_tools.vision.reading import Point

DEFAULT_BOARD_NAME = "own"
MAX_NAME_LENGTH = 40
MAX_BOARDS = 8  # each is looked for in every photo
MAX_PICTURE_SIDE = 720  # pixels
MAX_PICTURE_BYTES = 250_000  # so that the file of all boards stays below the limit of JSON files
MIN_APART_PIXELS = 25.0  # of the photo: from a place to the next
MAX_PLACES_LENGTH = 500  # characters of all places, as they are typed
_JPEG_BEGIN = b"\xff\xd8\xff"
_PLACE = re.compile(r"(\d{1,5}(?:\.\d{1,3})?),(\d{1,5}(?:\.\d{1,3})?)")
MAX_SHOWN_LENGTH = 40  # characters of a wrong place that are quoted


@dataclass(frozen=True, slots=True)
class LearnedBoard:
    """A board: a grey JPEG, and the middles of its places there in the referee's order.

    `bare` tells which places had nothing on them when the board was learned.
    """

    jpeg: bytes
    places: tuple[Point, ...]
    bare: tuple[bool, ...]


BoardName = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]
Coordinate = Annotated[float, Field(ge=0, le=MAX_PICTURE_SIDE, allow_inf_nan=False)]
PlaceModel = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
_MAX_BASE64_LENGTH = 4 * -(-MAX_PICTURE_BYTES // 3)


class BoardModel(StrictModel):
    """A board as the file has it; its picture is a JPEG in Base64."""

    picture: Annotated[str, Field(max_length=_MAX_BASE64_LENGTH)]
    places: Annotated[
        list[PlaceModel], Field(min_length=len(SPACE_KINDS), max_length=len(SPACE_KINDS))
    ]
    bare: Annotated[list[bool], Field(min_length=len(SPACE_KINDS), max_length=len(SPACE_KINDS))]

    @field_validator("picture")
    @classmethod
    def check_picture(cls, text: str) -> str:
        """Refuse what is no JPEG; whether it can be decoded is seen when it is used."""
        try:
            data = base64.b64decode(text, validate=True)
        except binascii.Error:
            raise ValueError("the picture is not Base64") from None
        if not data.startswith(_JPEG_BEGIN):
            raise ValueError("the picture is not a JPEG")
        return text

    @field_validator("places")
    @classmethod
    def check_places(cls, places: list[list[float]]) -> list[list[float]]:
        """Refuse places that lie on each other."""
        if min(dist(one, other) for one, other in combinations(places, 2)) < 1:
            raise ValueError("two places lie on each other")
        return places


class BoardsFile(StrictModel):
    """The shape of `boards.json`."""

    boards: Annotated[dict[BoardName, BoardModel], Field(max_length=MAX_BOARDS)]


def get_boards_path() -> Path:
    """Get the path of the learned boards, in the user's configuration folder."""
    return user_config_path("coatl", appauthor=False) / "boards.json"


def load_learned_boards(path: Path) -> Mapping[str, LearnedBoard]:
    """Load all boards by name, none without a file; CardDataError for a file with mistakes."""
    if not path.exists():
        return {}
    found = load_json_model(path, BoardsFile, "boards.problems").boards
    return {
        name: LearnedBoard(
            base64.b64decode(model.picture),
            tuple((x, y) for x, y in model.places),
            tuple(model.bare),
        )
        for name, model in found.items()
    }


def find_learned_board(path: Path, name: str) -> LearnedBoard:
    """Find a board by its name; raises CommandLineError, listing the names, if unknown."""
    boards = load_learned_boards(path)
    if name not in boards:
        if not boards:
            raise CommandLineError("boards.none", name=name[:MAX_NAME_LENGTH])
        names = ", ".join(boards)
        raise CommandLineError("boards.unknown", name=name[:MAX_NAME_LENGTH], names=names)
    return boards[name]


def check_board_name(name: str, known: Iterable[str]) -> None:
    """Raise CommandLineError if a text cannot name a board, or there is no room for another."""
    if not name.strip() or len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise CommandLineError("boards.bad_name", name=name[:MAX_NAME_LENGTH])
    if name not in known and len({*known}) >= MAX_BOARDS:
        raise CommandLineError("boards.many", most=MAX_BOARDS)


def save_learned_boards(path: Path, boards: Mapping[str, LearnedBoard]) -> None:
    """Write the boards atomically; raises FileError."""
    data = {"boards": {name: board_to_json(boards[name]) for name in sorted(boards)}}
    with wrap_os_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_file_atomically(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def add_learned_board(path: Path, name: str, board: LearnedBoard) -> bool:
    """Save a board under a name; tell whether it replaces one of the same name."""
    boards = load_learned_boards(path)
    check_board_name(name, boards)
    save_learned_boards(path, {**boards, name: board})
    return name in boards


def board_to_json(board: LearnedBoard) -> dict[str, object]:
    """Convert a board to JSON, as the file has it."""
    return {
        "picture": base64.b64encode(board.jpeg).decode("ascii"),
        "places": [[round(x, 1), round(y, 1)] for x, y in board.places],
        "bare": list(board.bare),
    }


def parse_places(text: str, count: int = len(SPACE_KINDS)) -> tuple[Point, ...]:
    """Parse places as people type them; CommandLineError if there are not so many.

    >>> parse_places(" ".join(f"{50 * place},70" for place in range(10)))[1]
    (50.0, 70.0)
    """
    if len(text) > MAX_PLACES_LENGTH:
        raise CommandLineError("boards.places", text=f"{text[:MAX_SHOWN_LENGTH]}…")
    parts = [part for part in re.split(r"[\s;]+", re.sub(r"\s*,\s*", ",", text)) if part]
    found = [_PLACE.fullmatch(part) for part in parts]
    for part, place in zip(parts, found, strict=True):
        if place is None:
            raise CommandLineError("boards.places", text=part[:MAX_SHOWN_LENGTH])
    places = tuple((float(place[1]), float(place[2])) for place in found if place is not None)
    if count == 1 and len(places) != 1:
        raise CommandLineError("boards.places", text=text[:MAX_SHOWN_LENGTH])
    if len(places) != count:
        raise CommandLineError("boards.places_count", seen=len(places), wanted=count)
    return places


def check_places(places: Sequence[Point], size: tuple[int, int]) -> None:
    """Raise CommandLineError for a place outside a photo, or two that lie on each other."""
    for number, (x, y) in enumerate(places, start=1):
        if not (0 <= x < size[0] and 0 <= y < size[1]):
            raise CommandLineError(
                "boards.place_outside", space=number, width=size[0], height=size[1]
            )
    for (one, first), (other, second) in combinations(enumerate(places, start=1), 2):
        if dist(first, second) < MIN_APART_PIXELS:
            raise CommandLineError("boards.places_near", first=one, second=other)
