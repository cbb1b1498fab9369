"""What a card needs for A.D.A.M.: the pieces it shows at its highest level (rule 7.3)."""

from __future__ import annotations

from typing import TypeAlias

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import (
    ColourCount,
    Equal,
    Multiset,
    PieceSequence,
    Several,
    SingleRequirement,
)
from coatl_tools.pieces import Colour
from coatl_tools.rules.constants import COLOURS, Piece, Pieces

Needs: TypeAlias = tuple[int, ...]  # how many pieces of each colour, then of any colour (white)
ANY_INDEX = len(COLOURS)
NO_NEEDS: Needs = (0,) * (ANY_INDEX + 1)

# The place of each piece's colour in `Needs`.
COLOUR_INDEX: dict[Piece, int] = {
    piece: place
    for place, colour in enumerate(COLOURS)
    for piece in (colour, f"<{colour}", f"{colour}>")
}


def find_needs(card: Card) -> Needs | None:
    """Find the pieces that a card shows at its highest level; None where it shows none of its own.

    A run is one piece, crossed-out pieces and conditions (a colour absent, an exact length) are
    none, `equal` is one of each colour. Of several requirements, the highest level must ask for
    all: if it asks for some, nobody can tell whose pieces.

    >>> from coatl_tools import load_cards
    >>> find_needs(load_cards()["P11"]), find_needs(load_cards()["P45"])
    ((0, 0, 0, 6, 0, 0), (0, 0, 0, 2, 2, 1))
    """
    top, requirement = card.levels[-1].count, card.requirement
    if isinstance(requirement, Several):
        if top < len(requirement.parts):
            return None
        shown = [colour for part in requirement.parts for colour in _list_shown_colours(part)]
    else:
        shown = _list_shown_colours(requirement) * (1 if isinstance(requirement, Equal) else top)
    if not shown:
        return None
    return (*(shown.count(Colour[colour]) for colour in COLOURS), shown.count(None))


def _list_shown_colours(part: SingleRequirement) -> list[Colour | None]:
    """List the colours of the pieces that a requirement shows; None is any colour."""
    match part:
        case ColourCount(colour):
            return [colour]
        case PieceSequence(elements):
            return [element.colour for element in elements]
        case Multiset(needs):
            return [colour for colour, number in needs for _ in range(number)]
        case Equal(first, second):
            return [first, second]
        case _:
            return []


def find_open_needs(needs: Needs, pieces: Pieces) -> Needs:
    """Find the needs still open once these pieces lie on a card; a colour's own go first (9.5).

    >>> find_open_needs((2, 0, 0, 0, 0, 2), ("R", "<B"))
    (1, 0, 0, 0, 0, 1)
    """
    left = list(needs)
    for piece in pieces:
        place = COLOUR_INDEX[piece]
        left[place if left[place] else ANY_INDEX] -= 1
    return tuple(left)


def needs_piece(lacks: Needs, piece: Piece) -> bool:
    """Tell whether a card that lacks this has a use for a piece (ruling 9.5)."""
    return bool(lacks[COLOUR_INDEX[piece]] or lacks[ANY_INDEX])
