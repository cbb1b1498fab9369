"""A whole score sheet: the cards of a Cóatl, what each is worth, and what it still lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from coatl_tools.cards.card import Card, CardKind, Level
from coatl_tools.cards.requirement import depends_on_cards
from coatl_tools.errors import RequirementTooIntricateError
from coatl_tools.pieces import Coatl
from coatl_tools.scoring.best import MAX_PROPHECIES, BestSet, best_set, fulfilled
from coatl_tools.scoring.reach import Extension, missing
from coatl_tools.scoring.score import CardScore, score


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
class Line:
    """One card of the sheet; `next_level` is None at the highest level."""

    score: CardScore
    next_level: NextLevel | None


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the rules say about this choice of cards; the key of a label."""

    key: str
    n: int | None = None
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """The scored cards; with `best`, all that are fulfilled and the best legal set of them."""

    coatl: Coatl
    lines: tuple[Line, ...]
    total: int
    best: BestSet | None = None
    notes: tuple[Note, ...] = ()


def score_set(coatl: Coatl, cards: Sequence[Card], closed_ends: bool = False) -> Sheet:
    """Score cards that lie beside a Cóatl together."""
    lines = tuple(_line(coatl, card, cards, closed_ends) for card in cards)
    total = sum(line.score.points for line in lines)
    return Sheet(coatl, lines, total, notes=tuple(_set_notes(coatl, cards)))


def score_without_cards(
    coatl: Coatl, deck: Sequence[Card], different_colours: bool = False, closed_ends: bool = False
) -> Sheet:
    """All cards of a deck that a Cóatl fulfils, and the best legal set of them."""
    found = fulfilled(coatl, deck, closed_ends)
    best = best_set(coatl, (line.card for line in found), different_colours, closed_ends)
    notes: list[Note] = []
    varying = sorted(f.card.id for f in found if depends_on_cards(f.card.requirement))
    if varying:
        notes.append(Note("note_alone", ids=tuple(varying)))
    kinds = {found.card.kind for found in best.scores}
    if kinds and CardKind.PROPHECY not in kinds:
        notes.append(Note("note_no_prophecy"))
    if not coatl.complete:
        notes.append(Note("note_incomplete"))
    lines = tuple(Line(line, None) for line in found)
    return Sheet(coatl, lines, best.total, best, tuple(notes))


def _line(coatl: Coatl, card: Card, beside: Sequence[Card], closed_ends: bool) -> Line:
    found = score(coatl, card, beside, closed_ends)
    if found.level == len(card.levels):
        return Line(found, None)
    following = card.levels[found.level]
    number = found.level + 1
    try:
        extension = missing(coatl, card, following.count, beside, closed_ends)
    except RequirementTooIntricateError:
        return Line(found, NextLevel(number, following, None, known=False))
    return Line(found, NextLevel(number, following, extension))


def _set_notes(coatl: Coatl, cards: Sequence[Card]) -> list[Note]:
    """What the rules say against this set of cards (rules 3.9 to 3.11, 5.1)."""
    notes: list[Note] = []
    prophecies = [card for card in cards if card.kind is CardKind.PROPHECY]
    temples = [card for card in cards if card.kind is CardKind.TEMPLE]
    if len(prophecies) > MAX_PROPHECIES:
        notes.append(Note("note_prophecies", len(prophecies)))
    numbers = Counter(card.id for card in prophecies)
    if repeated := tuple(card_id for card_id, number in numbers.items() if number > 1):
        notes.append(Note("note_identical", ids=repeated))
    if len(temples) > 1:
        notes.append(Note("note_temples", len(temples)))
    if not coatl.complete:
        notes.append(Note("note_incomplete"))
    return notes
