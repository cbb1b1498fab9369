"""Whether two requirements ask the same, however they are written."""

from __future__ import annotations

from collections.abc import Hashable

from coatl_tools.cards.requirement import (
    Count,
    Equal,
    Multiset,
    Requirement,
    Sequence,
    Several,
    Token,
)
from coatl_tools.scoring.automaton import changes


def meaning(requirement: Requirement) -> Hashable:
    """A value that is equal for requirements that count the same on every Cóatl (rule 4.5).

    `R R+` means `R+ R`, one red in sequence means a count of red, and "R = Y" means "Y = R".
    """
    match requirement:
        case Count(colour) | Multiset(((colour, 1),)):
            return changes(Sequence((Token(colour),)))
        case Sequence():
            return changes(requirement)
        case Multiset(needs):
            return Multiset(tuple(sorted(needs)))
        case Equal(first, second):
            return Equal(min(first, second), max(first, second))
        case Several(parts):
            return frozenset(meaning(part) for part in parts)
        case _:
            return requirement
