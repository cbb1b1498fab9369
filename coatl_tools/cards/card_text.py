"""The text of a card: what it asks, derived from its requirement, in any language."""

from __future__ import annotations

from itertools import groupby

from coatl_tools.cards.card import Card, Level
from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    CountableRequirement,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    PieceSequence,
    Requirement,
    SequenceElement,
    Several,
    SingleRequirement,
    depends_on_cards,
    split_requirement,
)
from coatl_tools.language import Language, load_language


def describe_card(card: Card, lang: str = "en") -> str:
    """Describe what a card asks, as a sentence.

    >>> from coatl_tools import load_cards
    >>> describe_card(load_cards()["P11"])
    '3 yellow pieces in a row.'
    """
    text = describe_requirement(card.requirement, load_language(lang))
    return f"{text[0].upper()}{text[1:]}."


def describe_requirement(requirement: Requirement, language: Language) -> str:
    """Describe what a requirement asks, as a phrase."""
    say = language.card
    match requirement:
        case ColourCount(colour):
            return say("count", colour=colour)
        case PieceSequence():
            return _describe_sequence(requirement, language)
        case Multiset(needs):
            items = [say("group", number, colour=colour) for colour, number in needs]
            key = "multiset" if len(needs) > 1 else "anywhere"
            return say(key, items=_join_items(items, language))
        case Absent(colour):
            return say("absent", colour=colour)
        case Equal(first, second):
            return say("equal", first=first, second=second)
        case Length(pieces):
            return say("length", pieces)
        case NoProphecy(colour):
            return say("no_prophecy", colour=colour)
        case Several(parts):
            return say("semicolon").join(describe_part(part, language) for part in parts)


def describe_part(part: SingleRequirement, language: Language) -> str:
    """Describe one of several requirements; a colour to count only has to be there."""
    if isinstance(part, ColourCount):
        return language.card("some", colour=part.colour)
    return describe_requirement(part, language)


def format_count(card: Card, level: Level) -> str:
    """Write the count that a level needs, as the rulebook does: "2×", or "1/2" of several parts."""
    if isinstance(card.requirement, Several):
        return f"{level.count}/{len(card.requirement.parts)}"
    return f"{level.count}×"


def describe_level(card: Card, level: Level, language: Language) -> str:
    """Describe what a level needs and pays: "2 times: 6 points"."""
    match card.requirement:
        case ColourCount(colour):
            needs = language.card("pieces", level.count, colour=colour)
        case PieceSequence() | Multiset():
            needs = language.card("times", level.count)
        case _:
            needs = language.card("met", level.count)
    return language.card("level", needs=needs, points=language.card("points", level.points))


def _describe_sequence(sequence: PieceSequence, language: Language) -> str:
    groups = [
        _describe_group(element, len(list(same)), language)
        for element, same in groupby(sequence.elements)
    ]
    together = language.card("then").join(groups)
    if len(sequence.elements) == 1:
        text = together
    else:
        alike = len(groups) == 1 and not sequence.elements[0].run
        text = language.card("row" if alike else "sequence", groups=together)
    before, after = sequence.before, sequence.after
    if before is None and after is None:
        return text
    if before is None:
        key = "flank_after"
    elif after is None:
        key = "flank_before"
    else:
        key = "flank_both" if before == after else "flank_each"
    return language.card(key, sequence=text, before=before, after=after)


def _describe_group(element: SequenceElement, number: int, language: Language) -> str:
    """Describe equal elements side by side, as one phrase."""
    if element.run:
        run = language.card("any_run" if element.colour is None else "run", colour=element.colour)
        return language.card("then").join([run] * number)
    key = "any_group" if element.colour is None else "group"
    return language.card(key, number, colour=element.colour)


def _join_items(items: list[str], language: Language) -> str:
    *most, last = items
    if not most:
        return last
    return language.card("comma").join(most) + language.card("and") + last


def list_card_rules(card: Card) -> list[tuple[str, str]]:
    """List the rules that a card is read by: the key of a label, and the number of the rule."""
    parts = split_requirement(card.requirement)
    rows = [part for part in parts if isinstance(part, PieceSequence)]
    counts = isinstance(card.requirement, CountableRequirement)
    applies = [
        ("web_cards_rule_parts", "4.7", isinstance(card.requirement, Several)),
        ("web_cards_rule_kinds", "4.1", counts or any(isinstance(part, Equal) for part in parts)),
        ("web_cards_rule_row", "4.3", any(len(row.elements) > 1 for row in rows)),
        ("web_cards_rule_anywhere", "10.1", any(isinstance(part, Multiset) for part in parts)),
        ("web_cards_rule_run", "4.4", any(element.run for row in rows for element in row.elements)),
        ("web_cards_rule_crossed", "4.5", any(map(_has_crossed_neighbour, rows))),
        ("web_cards_rule_once", "4.2", counts and not isinstance(card.requirement, ColourCount)),
        ("web_cards_rule_beside", "10.1", depends_on_cards(card.requirement)),
        ("web_cards_rule_highest", "4.7", len(card.levels) > 1),
    ]
    return [(key, number) for key, number, does in applies if does]


def _has_crossed_neighbour(row: PieceSequence) -> bool:
    return row.before is not None or row.after is not None
