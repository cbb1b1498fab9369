"""What a score sheet says of each card, as words and colours that any screen can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from coatl_tools.cards.requirement import (
    Absent,
    Condition,
    Count,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    Sequence,
    parts_of,
)
from coatl_tools.language import Language
from coatl_tools.pieces import Coatl, Colour
from coatl_tools.scoring.reach import Extension
from coatl_tools.scoring.score import CardScore, Occurrence
from coatl_tools.scoring.sheet import NextLevel, Note

COUNTABLE = (Count, Sequence, Multiset)
Saying: TypeAlias = tuple[str | Colour, ...]  # a colour is shown as its screen shows colours


@dataclass(frozen=True, slots=True)
class Following:
    """What leads to the next level: words, and the pieces to attach, if any are said."""

    words: str
    extension: Extension | None = None


def reasons(found: CardScore, coatl: Coatl, language: Language) -> list[Saying]:
    """Which pieces a card uses; for conditions, whether they hold and what there is."""
    said: list[Saying] = []
    for part, match in zip(parts_of(found.card.requirement), found.parts, strict=True):
        reason: Saying
        if isinstance(part, COUNTABLE):
            reason = (", ".join(_places(places) for places in match.occurrences) or "–",)
        else:
            reason = _state(part, coatl, language)
        if not isinstance(found.card.requirement, COUNTABLE):
            reason = ("✓ " if match.count else "✗ ", *reason)
        said.append(reason)
    return said


def _places(places: Occurrence) -> str:
    """Piece numbers, neighbours as a range."""
    if len(places) > 1 and places[-1] - places[0] == len(places) - 1:
        return f"{places[0]}–{places[-1]}"
    return "+".join(map(str, places))


def _state(condition: Condition, coatl: Coatl, language: Language) -> Saying:
    """What there is of the thing that a condition speaks of."""

    def number(colour: Colour) -> Saying:
        return f"{coatl.colours.count(colour)}×", colour

    match condition:
        case Absent(colour):
            return number(colour)
        case Equal(first, second):
            return *number(first), " ", *number(second)
        case Length():
            return (language.label("length_is", len(coatl)),)
        case NoProphecy(colour):
            return f"{language.label('prophecy')} ", colour


def following(level: NextLevel | None, coatl: Coatl, language: Language) -> Following:
    """What the next level asks for, or why there is none."""
    if level is None:
        return Following(language.label("top_level"))
    if not level.known:
        return Following(language.label("intricate"))
    if level.extension is None:
        return Following(language.label("closed" if coatl.complete else "out_of_reach"))
    points = language.card("points", level.level.points)
    return Following(language.label("next_pieces", points=points), level.extension)


def note_text(note: Note, language: Language) -> str:
    """Something that the rules say about a choice of cards."""
    return language.label(note.key, note.n, ids=", ".join(note.ids))
