"""Whether a card may be placed: its lowest level (rule 3.9), tested on the notation itself.

A game asks this far more often than it asks for points, and always of a Cóatl written down as
`<RBBY`. So each requirement becomes a test of that text: counting letters, or a regular
expression. What has no such form goes through the automaton.
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
    depends_on_cards,
)
from coatl_tools.pieces import Colour
from coatl_tools.scoring.automata import compile_sequence

PlacementTest = Callable[[str], object]  # only the truth of the result matters
# With more runs, a regular expression may try all ways to share out the pieces among them.
MAX_REGEX_RUNS = 2
_COLOUR_NUMBERS = bytes.maketrans(
    "".join(colour.name for colour in Colour).encode(), bytes(range(len(Colour)))
)


def build_placement_test(card: Card, closed_ends: bool = False) -> PlacementTest | None:
    """Build a test of a Cóatl's notation; None if the cards beside the Cóatl matter too.

    >>> from coatl_tools import load_cards
    >>> test = build_placement_test(load_cards()["P16"])
    >>> bool(test("<RYG")), bool(test("<RGY"))
    (True, False)
    """
    requirement, needed = card.requirement, card.levels[0].count
    if depends_on_cards(requirement):
        return None
    if not isinstance(requirement, Several):
        return _build_requirement_test(requirement, needed, closed_ends)
    tests = [_build_requirement_test(part, 1, closed_ends) for part in requirement.parts]
    return lambda text: sum([bool(test(text)) for test in tests]) >= needed


def _build_requirement_test(
    requirement: SingleRequirement, needed: int, closed_ends: bool
) -> PlacementTest:
    """Build a test of whether the requirement is met at least `needed` times."""
    match requirement:
        case ColourCount(colour):
            letter = colour.name
            return lambda text: text.count(letter) >= needed
        case PieceSequence():
            return _build_sequence_test(requirement, needed, closed_ends)
        case Multiset(needs):
            asked = [(colour.name, number * needed) for colour, number in needs]
            return lambda text: all(text.count(letter) >= number for letter, number in asked)
    if needed > 1:  # a condition is met or not
        return lambda text: False
    match requirement:
        case Absent(colour):
            letter = colour.name
            return lambda text: letter not in text
        case Equal(first, second):
            one, other = first.name, second.name
            return lambda text: 0 < text.count(one) == text.count(other)
        case Length(pieces):
            return lambda text: len(text) - text.count("<") - text.count(">") == pieces
        case NoProphecy():
            raise ValueError("it depends on the cards beside the Cóatl")


def _build_sequence_test(sequence: PieceSequence, needed: int, closed_ends: bool) -> PlacementTest:
    if needed == 1 and sum(element.run for element in sequence.elements) <= MAX_REGEX_RUNS:
        return re.compile(_build_pattern(sequence, closed_ends)).search
    automaton = compile_sequence(sequence)

    def count(text: str) -> bool:
        colours = text.strip("<>").encode().translate(_COLOUR_NUMBERS)
        head, tail = text[0] == "<" or not closed_ends, text[-1] == ">" or not closed_ends
        return automaton.count(colours, head, tail) >= needed

    return count


def _build_pattern(sequence: PieceSequence, closed_ends: bool) -> str:
    """Build a regular expression that finds the sequence in the notation.

    A crossed-out neighbour must not be there; with `closed_ends` (ruling 9.11), something else
    must be: another colour, or the mark of a head or tail.
    """
    body = "".join(
        ("[RGBYK]" if element.colour is None else element.colour.name)
        + ("+" if element.run else "")
        for element in sequence.elements
    )
    before, after = sequence.before, sequence.after
    if before is not None:
        body = (f"(?<=[^{before.name}])" if closed_ends else f"(?<!{before.name})") + body
    if after is not None:
        body += f"(?=[^{after.name}])" if closed_ends else f"(?!{after.name})"
    return body
