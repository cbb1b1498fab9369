"""What requirements ask of many words at once, as far as the numbers of their colours tell."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import (
    Absent,
    Count,
    Equal,
    Length,
    Multiset,
    NoProphecy,
    Sequence,
    Several,
    Single,
    parts_of,
)

Numbers: TypeAlias = NDArray[np.integer[Any]]


def rows_of(card: Card) -> list[tuple[Sequence, int]]:
    """The sequences of a card, and how far each is counted."""
    most = 1 if isinstance(card.requirement, Several) else card.levels[-1].count
    return [(part, most) for part in parts_of(card.requirement) if isinstance(part, Sequence)]


def met_by_colours(part: Single, counts: Numbers) -> Numbers:
    """How often words meet a requirement, from a row of colour counts for each.

    ValueError for what colours do not tell: a sequence, or cards beside the Cóatl.
    """
    met: NDArray[np.bool_]
    match part:
        case Count(colour):
            return counts[:, colour]
        case Multiset(needs):
            times: Numbers = np.min([counts[:, colour] // n for colour, n in needs], axis=0)
            return times
        case Absent(colour):
            met = counts[:, colour] == 0
        case Equal(first, second):
            met = (counts[:, first] == counts[:, second]) & (counts[:, first] > 0)
        case Length(pieces):
            met = counts.sum(axis=1) == pieces
        case Sequence() | NoProphecy():
            raise ValueError("the colours alone do not tell")
    return met.astype(np.int64)
