"""Cards as they stand in a card file, and the way back: plain data, which is not checked here.

`model` is the border that checks what people write; what has been checked, or was written by
`card_data`, is read by `card_from`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coatl_tools.cards.card import Card, CardKind, Level
from coatl_tools.cards.requirement import (
    Absent,
    Count,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    Requirement,
    Sequence,
    Several,
    Single,
    parse_sequence,
)
from coatl_tools.pieces import Colour

_VALUES: dict[str, Any] = {
    "count": lambda letter: Count(Colour[letter]),
    "sequence": parse_sequence,
    "multiset": lambda needs: Multiset(
        tuple((Colour[letter], number) for letter, number in needs.items())
    ),
    "absent": lambda letter: Absent(Colour[letter]),
    "equal": lambda pair: Equal(Colour[pair[0]], Colour[pair[1]]),
    "length": Length,
    "no_prophecy": lambda word: NoProphecy(Colour.from_word(word)),
}


def single_from(asked: str, value: Any) -> Single:
    """One requirement, from its name in a card file and what stands behind it."""
    found: Single = _VALUES[asked](value)
    return found


def levels_from(points: Mapping[str, int]) -> tuple[Level, ...]:
    """The levels of a card, from the lowest on."""
    return tuple(Level(*level) for level in sorted((int(n), worth) for n, worth in points.items()))


def card_from(data: Mapping[str, Any], set_name: str) -> Card:
    """A card from a card file; KeyError, TypeError or ValueError if it is none."""
    ((asked, value),) = data["requires"].items()
    requirement: Requirement
    if asked == "several":
        requirement = Several(tuple(single_from(*item) for part in value for item in part.items()))
    else:
        requirement = single_from(asked, value)
    return Card(
        id=data["id"],
        kind=CardKind(data["kind"]),
        requirement=requirement,
        levels=levels_from(data["points"]),
        colour=Colour.from_word(data["colour"]) if "colour" in data else None,
        copies=data.get("copies", 1),
        set=set_name,
    )


def requirement_data(requirement: Requirement) -> dict[str, Any]:
    """A requirement as it stands in a card file: the way back from the frozen value."""
    match requirement:
        case Count(colour):
            return {"count": colour.name}
        case Sequence():
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
            return {"several": [requirement_data(part) for part in parts]}


def card_data(card: Card) -> dict[str, Any]:
    """A card as it stands in a card file."""
    return {
        "id": card.id,
        "kind": card.kind.value,
        **({} if card.colour is None else {"colour": card.colour.word}),
        **({} if card.copies == 1 else {"copies": card.copies}),
        "requires": requirement_data(card.requirement),
        "points": {str(level.count): level.points for level in card.levels},
    }
