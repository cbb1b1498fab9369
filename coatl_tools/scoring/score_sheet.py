"""The score sheet of one Cóatl: what each card is worth, which pieces it uses, what it still
lacks, and the texts that any screen shows of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from coatl_tools.cards.card import MAX_PROPHECIES_PER_COATL, Card, CardKind, Level
from coatl_tools.cards.requirement import (
    Absent,
    Condition,
    CountableRequirement,
    Equal,
    Length,
    NoProphecy,
    depends_on_cards,
    split_requirement,
)
from coatl_tools.errors import RequirementTooComplexError
from coatl_tools.language import Language
from coatl_tools.pieces import Coatl, Colour
from coatl_tools.scoring.missing_pieces import Extension, find_missing_pieces
from coatl_tools.scoring.score import (
    LAST_SCOREBOARD_POSITION,
    BestSet,
    CardScore,
    Occurrence,
    find_best_set,
    find_fulfilled_cards,
    locate_on_scoreboard,
    score_card,
)


@dataclass(frozen=True, slots=True)
class NextLevel:
    """The level above the one reached, and the fewest pieces that lead to it, if any do.

    Not `known` where the requirement is too intricate to search.
    """

    number: int
    level: Level
    extension: Extension | None
    known: bool = True


@dataclass(frozen=True, slots=True)
class ScoredCardEntry:
    """One card of the sheet; `next_level` is None at the highest level."""

    score: CardScore
    next_level: NextLevel | None


@dataclass(frozen=True, slots=True)
class SheetNote:
    """Something that the rules say about this choice of cards; the key of a label."""

    key: str
    n: int | None = None
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The scored cards; with `best`, all that are fulfilled and the best legal set of them."""

    coatl: Coatl
    lines: tuple[ScoredCardEntry, ...]
    total: int
    best: BestSet | None = None
    notes: tuple[SheetNote, ...] = ()


def score_card_set(coatl: Coatl, cards: Sequence[Card], closed_ends: bool = False) -> ScoreSheet:
    """Score cards that lie beside a Cóatl together."""
    lines = tuple(_score_entry(coatl, card, cards, closed_ends) for card in cards)
    total = sum(line.score.points for line in lines)
    return ScoreSheet(coatl, lines, total, notes=tuple(_check_card_set(coatl, cards)))


def score_whole_deck(
    coatl: Coatl, deck: Sequence[Card], different_colours: bool = False, closed_ends: bool = False
) -> ScoreSheet:
    """Score all cards of a deck that a Cóatl fulfils, and find the best legal set of them."""
    found = find_fulfilled_cards(coatl, deck, closed_ends)
    best = find_best_set(coatl, (line.card for line in found), different_colours, closed_ends)
    notes: list[SheetNote] = []
    varying = sorted(f.card.id for f in found if depends_on_cards(f.card.requirement))
    if varying:
        notes.append(SheetNote("note_alone", ids=tuple(varying)))
    kinds = {found.card.kind for found in best.scores}
    if kinds and CardKind.PROPHECY not in kinds:
        notes.append(SheetNote("note_no_prophecy"))
    if not coatl.complete:
        notes.append(SheetNote("note_incomplete"))
    lines = tuple(ScoredCardEntry(line, None) for line in found)
    return ScoreSheet(coatl, lines, best.total, best, tuple(notes))


def _score_entry(
    coatl: Coatl, card: Card, beside: Sequence[Card], closed_ends: bool
) -> ScoredCardEntry:
    found = score_card(coatl, card, beside, closed_ends)
    if found.level == len(card.levels):
        return ScoredCardEntry(found, None)
    following = card.levels[found.level]
    number = found.level + 1
    try:
        extension = find_missing_pieces(coatl, card, following.count, beside, closed_ends)
    except RequirementTooComplexError:
        return ScoredCardEntry(found, NextLevel(number, following, None, known=False))
    return ScoredCardEntry(found, NextLevel(number, following, extension))


def _check_card_set(coatl: Coatl, cards: Sequence[Card]) -> list[SheetNote]:
    """List what the rules say against this set of cards (rules 3.9 to 3.11, 5.1)."""
    notes: list[SheetNote] = []
    prophecies = [card for card in cards if card.kind is CardKind.PROPHECY]
    temples = [card for card in cards if card.kind is CardKind.TEMPLE]
    if len(prophecies) > MAX_PROPHECIES_PER_COATL:
        notes.append(SheetNote("note_prophecies", len(prophecies)))
    numbers = Counter(card.id for card in prophecies)
    if repeated := tuple(card_id for card_id, number in numbers.items() if number > 1):
        notes.append(SheetNote("note_identical", ids=repeated))
    if len(temples) > 1:
        notes.append(SheetNote("note_temples", len(temples)))
    if not coatl.complete:
        notes.append(SheetNote("note_incomplete"))
    return notes


# A text in which a colour is shown as the screen shows colours.
TextWithColours: TypeAlias = tuple[str | Colour, ...]


def explain_card_score(found: CardScore, coatl: Coatl, language: Language) -> list[TextWithColours]:
    """Explain which pieces a card uses; for conditions, whether they hold and what there is."""
    said: list[TextWithColours] = []
    for part, match in zip(split_requirement(found.card.requirement), found.parts, strict=True):
        reason: TextWithColours
        if isinstance(part, CountableRequirement):
            reason = (", ".join(_format_positions(places) for places in match.occurrences) or "–",)
        else:
            reason = _describe_condition(part, coatl, language)
        if not isinstance(found.card.requirement, CountableRequirement):
            reason = ("✓ " if match.count else "✗ ", *reason)
        said.append(reason)
    return said


def _format_positions(places: Occurrence) -> str:
    """Format piece numbers, neighbours as a range."""
    if len(places) > 1 and places[-1] - places[0] == len(places) - 1:
        return f"{places[0]}–{places[-1]}"
    return "+".join(map(str, places))


def _describe_condition(condition: Condition, coatl: Coatl, language: Language) -> TextWithColours:
    """Describe what the Cóatl has of what a condition is about, such as its number of pieces."""

    def number(colour: Colour) -> TextWithColours:
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


def describe_next_level(
    level: NextLevel | None, coatl: Coatl, language: Language
) -> TextWithColours:
    """Describe the pieces to attach for the next level, or why there are none.

    The pieces are around "…", which stands for the Cóatl.
    """
    if level is None:
        return (language.label("top_level"),)
    if not level.known:
        return (language.label("intricate"),)
    if level.extension is None:
        return (language.label("closed" if coatl.complete else "out_of_reach"),)
    more, points = level.extension, language.card("points", level.level.points)
    lead = language.label("next_pieces", points=points) + "<" * more.head
    before = [part for colour in more.head_end for part in (colour, " ")]
    behind = [part for colour in more.tail_end for part in (" ", colour)]
    return lead, *before, "…", *behind, ">" * more.tail


def describe_scoreboard_place(points: int, language: Language) -> str:
    """Say where a total stands on the scoreboard: tokens beside it, and the position (rule 5.3)."""
    tokens, position = locate_on_scoreboard(points)
    if not tokens:
        return language.label("scoreboard", position=position)
    token = LAST_SCOREBOARD_POSITION
    return language.label("scoreboard_tokens", tokens, position=position, token=token)


def format_sheet_note(note: SheetNote, language: Language) -> str:
    """Format a note of what the rules say about a choice of cards."""
    return language.label(note.key, note.n, ids=", ".join(note.ids))


def serialize_score_sheet(sheet: ScoreSheet, language: Language) -> dict[str, Any]:
    """Serialize the sheet as JSON data, for other programs."""
    tokens, position = locate_on_scoreboard(sheet.total)
    data: dict[str, Any] = {
        "coatl": str(sheet.coatl),
        "cards": [_serialize_sheet_entry(line, sheet) for line in sheet.lines],
        "total": sheet.total,
        "scoreboard": {"tokens": tokens, "position": position},
        "complete": sheet.coatl.complete,
        "notes": [format_sheet_note(note, language) for note in sheet.notes],
    }
    if sheet.best is not None:
        data["best"] = {
            "cards": [_serialize_card_score(found) for found in sheet.best.scores],
            "total": sheet.best.total,
        }
    return data


def _serialize_sheet_entry(line: ScoredCardEntry, sheet: ScoreSheet) -> dict[str, Any]:
    data = _serialize_card_score(line.score)
    if sheet.best is None:
        data["next"] = None if line.next_level is None else _serialize_next_level(line.next_level)
    return data


def _serialize_card_score(found: CardScore) -> dict[str, Any]:
    parts = list(zip(split_requirement(found.card.requirement), found.parts, strict=True))
    data: dict[str, Any] = {"id": found.card.id}
    if isinstance(found.card.requirement, CountableRequirement):
        data["count"] = found.count
    else:
        data["met"] = list(found.met)
    data |= {"level": found.level, "points": found.points}
    if any(isinstance(part, CountableRequirement) for part, _ in parts):
        data["occurrences"] = [list(places) for places in found.occurrences]
    return data


def _serialize_next_level(following: NextLevel) -> dict[str, Any]:
    extension = following.extension
    data: dict[str, Any] = {"level": following.number, "points": following.level.points}
    if extension is None:
        return {**data, "pieces": None, **({} if following.known else {"known": False})}
    return {
        **data,
        "pieces": len(extension),
        "head_end": "<" * extension.head + _join_colour_letters(extension.head_end),
        "tail_end": _join_colour_letters(extension.tail_end) + ">" * extension.tail,
    }


def _join_colour_letters(colours: Iterable[Colour]) -> str:
    return "".join(colour.name for colour in colours)
