"""What is on each photo of a folder: `labels.json`, and `geometry.json` where it is there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from math import dist
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.reading import Point

Piece: TypeAlias = tuple[PieceKind, Colour]
Pieces: TypeAlias = tuple[Piece, ...]


class LabelsError(Exception):
    """The folder, or what was asked of it, is wrong; the message says what to do."""


class LabelledCoatl(NamedTuple):
    """A Cóatl that is there, from the head end to the tail end."""

    pieces: Pieces
    orientation_known: bool = True  # a head or a tail tells it, not the hooks alone
    centres: tuple[Point, ...] = ()
    cut: bool = False  # it leaves the picture
    covered: tuple[int, ...] = ()  # pieces under something, such as a hand
    player: int | None = None

    @property
    def readable(self) -> bool:
        """Whether all of its pieces can be seen."""
        return not self.cut and not self.covered


class LabelledCard(NamedTuple):
    """A card that is there, and the Cóatl that it lies beside."""

    id: str
    coatl: int | None = None
    has_place: bool = True  # somebody labelled at which Cóatl it lies, or that it lies at none
    corners: tuple[Point, ...] = ()  # from its own top left, clockwise
    covered: float = 0.0  # the share of it that lies under something

    @property
    def width(self) -> float:
        """Its upper and lower edges in pixels, on average; 0 without corners."""
        if not self.corners:
            return 0.0
        one, two, three, four = self.corners
        return (dist(one, two) + dist(three, four)) / 2


class LabelledPhoto(NamedTuple):
    """A photo and what is on it; Cóatls from top to bottom. No cards at all is `()`."""

    path: Path
    coatls: tuple[LabelledCoatl, ...]
    cards: tuple[LabelledCard, ...] | None = None  # nobody labelled them
    conditions: Mapping[str, object] = {}
    difficulty: str = ""
    other_cards: frozenset[str] = frozenset()  # they lie there too, and need not be read


def format_pieces(pieces: Pieces) -> str:
    """Pieces in the notation, even such that no Cóatl can have.

    >>> head, body = (PieceKind.HEAD, Colour.R), (PieceKind.BODY, Colour.B)
    >>> format_pieces((head, body, head))
    '<RB<R'
    """
    left, right = {PieceKind.HEAD: "<"}, {PieceKind.TAIL: ">"}
    return "".join(f"{left.get(k, '')}{colour.name}{right.get(k, '')}" for k, colour in pieces)


def load_labels(folder: Path, only: str = "") -> tuple[LabelledPhoto, ...]:
    """Load the labelled photos of a folder; `only` picks some by number, as in `001-024,031`."""
    geometry = {
        str(entry["file"]): entry.get("coatls", ())
        for entry in _read_entries(folder / "geometry.json", missing=())
    }
    wanted = _parse_numbers(only)
    found = [
        _parse_photo(folder, entry, geometry.get(str(entry["file"]), ()))
        for entry in _read_entries(folder / "labels.json")
        if wanted is None or _parse_number(str(entry["file"])) in wanted
    ]
    if not found:
        raise LabelsError(f"no photo of {folder} is labelled{f' among {only}' if only else ''}")
    for photo in found:
        if not photo.path.is_file():
            raise LabelsError(f"{photo.path} is labelled, but is not there")
    return tuple(found)


def _read_entries(path: Path, missing: Iterable[Any] | None = None) -> Iterable[Mapping[str, Any]]:
    """Read the list of objects in a JSON file, each with a file name that leads nowhere else."""
    if not path.is_file():
        if missing is not None:
            return missing
        raise LabelsError(f"{path} is not there: give a folder of photos with their labels")
    try:
        found = json.loads(path.read_text("utf-8"))
    except (ValueError, OSError) as error:
        raise LabelsError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, list):
        raise LabelsError(f"{path} is not a list of photos")
    for entry in found:
        name = entry.get("file") if isinstance(entry, dict) else None
        if not isinstance(name, str) or Path(name).name != name:
            raise LabelsError(f'{path} has an entry without a "file": {str(entry)[:80]}')
    return found


def _parse_photo(folder: Path, entry: Mapping[str, Any], centres: Any) -> LabelledPhoto:
    name = entry["file"]
    try:
        coatls = [
            LabelledCoatl(
                tuple(map(parse_piece, coatl["pieces"])),
                bool(coatl.get("orientation_known", True)),
                cut=bool(coatl.get("cut", False)),
                covered=tuple(map(int, coatl.get("covered") or ())),
                player=coatl.get("player"),
            )
            for coatl in entry["coatls"]
        ]
        for i, found in enumerate(centres if len(centres) == len(coatls) else ()):
            coatls[i] = coatls[i]._replace(centres=tuple((float(x), float(y)) for x, y in found))
        cards = entry.get("cards")
        if cards is not None:
            cards = tuple(map(_parse_card, cards))
            if not {card.coatl for card in cards} <= {None, *range(len(coatls))}:
                raise ValueError("a card lies beside a Cóatl that is not there")
        conditions = dict(entry.get("conditions", {}))
        others = frozenset(map(str, entry.get("other_cards", ())))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LabelsError(f"the label of {name} is wrong: {error!r}") from error
    return LabelledPhoto(
        folder / name, tuple(coatls), cards, conditions, str(entry.get("difficulty", "")), others
    )


def _parse_card(card: Mapping[str, Any]) -> LabelledCard:
    corners = tuple((float(x), float(y)) for x, y in card.get("corners", ()))
    if len(corners) not in (0, 4):
        raise ValueError(f"a card has {len(corners)} corners")
    covered = float(card.get("covered", 0.0))
    return LabelledCard(str(card["id"]), card.get("coatl"), "coatl" in card, corners, covered)


def parse_piece(piece: str) -> Piece:
    """Parse a piece as labels have it: `head:green`; raises ValueError for any other text."""
    kind, _, colour = piece.partition(":")
    return PieceKind(kind), Colour.from_english_name(colour)


def _parse_number(name: str) -> int:
    """Parse the last number in a file's name; -1 if there is none."""
    numbers = re.findall(r"\d+", Path(name).stem)
    return int(numbers[-1]) if numbers else -1


def _parse_numbers(only: str) -> set[int] | None:
    if not only:
        return None
    found = set[int]()
    for part in only.split(","):
        match = re.fullmatch(r"\s*(\d{1,6})(?:-(\d{1,6}))?\s*", part)
        if not match:
            raise LabelsError(f"--only takes numbers of photos, as in 001-024,031; not {only!r}")
        found |= set(range(int(match[1]), int(match[2] or match[1]) + 1))
    return found
