"""A card: its requirement, what each level of it is worth, and its form in JSON.

What people write is checked by `card_files`; `parse_card` reads what has been checked, or was
written by `serialize_card`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    PieceSequence,
    Requirement,
    Several,
    SingleRequirement,
    parse_sequence,
)
from coatl_tools.pieces import Colour

MAX_PROPHECIES_PER_COATL = 4  # rule 3.9


class CardKind(Enum):
    """Prophecy or Temple (rule 1.3)."""

    PROPHECY = "prophecy"
    TEMPLE = "temple"


@dataclass(frozen=True, slots=True)
class Level:
    """From `count` occurrences on, the card pays `points`."""

    count: int
    points: int


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the game, or of a player's own making."""

    id: str
    kind: CardKind
    requirement: Requirement
    levels: tuple[Level, ...]
    colour: Colour | None = None  # a Temple card has none
    copies: int = 1
    set: str = "base"

    def level(self, count: int) -> int:
        """Return the level that `count` occurrences reach: 1 is the first, 0 none (rule 4.7)."""
        reached = 0
        for level in self.levels:
            if count < level.count:
                break
            reached += 1
        return reached


_REQUIREMENT_PARSERS: dict[str, Any] = {
    "count": lambda letter: ColourCount(Colour[letter]),
    "sequence": parse_sequence,
    "multiset": lambda needs: Multiset(
        tuple((Colour[letter], number) for letter, number in needs.items())
    ),
    "absent": lambda letter: Absent(Colour[letter]),
    "equal": lambda pair: Equal(Colour[pair[0]], Colour[pair[1]]),
    "length": Length,
    "no_prophecy": lambda word: NoProphecy(Colour.from_english_name(word)),
}


def parse_requirement(data: Mapping[str, Any]) -> Requirement:
    """Parse a requirement from a card file."""
    ((asked, value),) = data.items()
    if asked == "several":
        return Several(tuple(_parse_single_requirement(part) for part in value))
    return _parse_single_requirement(data)


def _parse_single_requirement(data: Mapping[str, Any]) -> SingleRequirement:
    ((asked, value),) = data.items()
    found: SingleRequirement = _REQUIREMENT_PARSERS[asked](value)
    return found


def parse_card(data: Mapping[str, Any], set_name: str) -> Card:
    """Parse a card from a card file; KeyError, TypeError or ValueError if it is none."""
    levels = sorted((int(count), points) for count, points in data["points"].items())
    return Card(
        id=data["id"],
        kind=CardKind(data["kind"]),
        requirement=parse_requirement(data["requires"]),
        levels=tuple(Level(*level) for level in levels),
        colour=Colour.from_english_name(data["colour"]) if "colour" in data else None,
        copies=data.get("copies", 1),
        set=set_name,
    )


def serialize_requirement(requirement: Requirement) -> dict[str, Any]:
    """Serialize a requirement as it stands in a card file."""
    match requirement:
        case ColourCount(colour):
            return {"count": colour.name}
        case PieceSequence():
            return {"sequence": str(requirement)}
        case Multiset(needs):
            return {"multiset": {colour.name: number for colour, number in needs}}
        case Absent(colour):
            return {"absent": colour.name}
        case Equal(first, second):
            return {"equal": [first.name, second.name]}
        case Length(pieces):
            return {"length": pieces}
        case NoProphecy(colour):
            return {"no_prophecy": colour.word}
        case Several(parts):
            return {"several": [serialize_requirement(part) for part in parts]}


def serialize_card(card: Card) -> dict[str, Any]:
    """Serialize a card as it stands in a card file."""
    return {
        "id": card.id,
        "kind": card.kind.value,
        **({} if card.colour is None else {"colour": card.colour.word}),
        **({} if card.copies == 1 else {"copies": card.copies}),
        "requires": serialize_requirement(card.requirement),
        "points": {str(level.count): level.points for level in card.levels},
    }
