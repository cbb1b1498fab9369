"""The peer to beat: the scorer that one writes first, with regular expressions.

It leaves out what regular expressions make hard: runs of any colours take the shortest way,
which is right for the published cards, and it explains nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import (
    Absent,
    ColourCount,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    PieceSequence,
    Several,
    SingleRequirement,
)

Counter = Callable[[str], int]


def make_scorer(cards: list[Card]) -> Callable[[str], list[int]]:
    """Make a function from a line of text to the points of every card."""
    counters = [(_list_payments(card), _make_counter(card)) for card in cards]

    def score_line(line: str) -> list[int]:
        word = line.strip("<>\n")
        return [paid[min(count(word), len(paid) - 1)] for paid, count in counters]

    return score_line


def _list_payments(card: Card) -> list[int]:
    paid = [0] * (card.levels[-1].count + 1)
    for level in card.levels:
        paid[level.count :] = [level.points] * (len(paid) - level.count)
    return paid


def _make_counter(card: Card) -> Counter:
    if isinstance(card.requirement, Several):
        parts = [_count_single(part) for part in card.requirement.parts]
        return lambda word: sum(part(word) > 0 for part in parts)
    return _count_single(card.requirement)


def _count_single(part: SingleRequirement) -> Counter:
    match part:
        case ColourCount(colour):
            return lambda word: word.count(colour.name)
        case PieceSequence():
            return _count_sequence(part)
        case Multiset(needs):
            return lambda word: min(word.count(colour.name) // n for colour, n in needs)
        case Absent(colour):
            return lambda word: colour.name not in word
        case Equal(first, second):
            return lambda word: 0 < word.count(first.name) == word.count(second.name)
        case Length(pieces):
            return lambda word: len(word) == pieces
        case NoProphecy():
            return lambda word: 1


def _count_sequence(sequence: PieceSequence) -> Counter:
    pattern = "".join(
        ("." if element.colour is None else element.colour.name) + ("+?" if element.run else "")
        for element in sequence.elements
    )
    if sequence.before is not None:
        pattern = f"(?<!{sequence.before.name}){pattern}"
    if sequence.after is not None:
        pattern = f"{pattern}(?!{sequence.after.name})"
    find = re.compile(pattern).findall
    return lambda word: len(find(word))
