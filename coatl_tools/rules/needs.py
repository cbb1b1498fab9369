"""What a card needs for A.D.A.M.: the pieces it shows at its highest level (rule 7.3)."""

from __future__ import annotations

from typing import TypeAlias

from coatl_tools.cards.card import Card
from coatl_tools.cards.requirement import Count, Equal, Multiset, Sequence, Several, Single
from coatl_tools.pieces import Colour
from coatl_tools.rules.box import COLOURS, Piece, Pieces

Needs: TypeAlias = tuple[int, ...]  # how many pieces of each colour, then of any colour (white)
ANY = len(COLOURS)
NOTHING: Needs = (0,) * (ANY + 1)

# The place of each piece's colour in `Needs`.
COLOUR_OF: dict[Piece, int] = {
    piece: place
    for place, colour in enumerate(COLOURS)
    for piece in (colour, f"<{colour}", f"{colour}>")
}


def needs_of(card: Card) -> Needs | None:
    """The pieces that a card shows at its highest level; None where it shows none of its own.

    A run is one piece, crossed-out pieces and conditions (a colour absent, an exact length) are
    none, `equal` is one of each colour. Of several requirements, the highest level must ask for
    all: if it asks for some, nobody can tell whose pieces.

    >>> from coatl_tools import load_cards
    >>> needs_of(load_cards()["P11"]), needs_of(load_cards()["P45"])
    ((0, 0, 0, 6, 0, 0), (0, 0, 0, 2, 2, 1))
    """
    top, requirement = card.levels[-1].count, card.requirement
    if isinstance(requirement, Several):
        if top < len(requirement.parts):
            return None
        shown = [colour for part in requirement.parts for colour in _shown(part)]
    else:
        shown = _shown(requirement) * (1 if isinstance(requirement, Equal) else top)
    if not shown:
        return None
    return (*(shown.count(Colour[colour]) for colour in COLOURS), shown.count(None))


def _shown(part: Single) -> list[Colour | None]:
    """The colours of the pieces that a requirement shows; None is any colour."""
    match part:
        case Count(colour):
            return [colour]
        case Sequence(tokens):
            return [token.colour for token in tokens]
        case Multiset(needs):
            return [colour for colour, number in needs for _ in range(number)]
        case Equal(first, second):
            return [first, second]
        case _:
            return []


def lacking(needs: Needs, pieces: Pieces) -> Needs:
    """What is lacking when these pieces lie on a card: a colour's own needs go first (9.5).

    >>> lacking((2, 0, 0, 0, 0, 2), ("R", "<B"))
    (1, 0, 0, 0, 0, 1)
    """
    left = list(needs)
    for piece in pieces:
        place = COLOUR_OF[piece]
        left[place if left[place] else ANY] -= 1
    return tuple(left)


def wants(lacks: Needs, piece: Piece) -> bool:
    """Whether a card that lacks this has a use for a piece (ruling 9.5)."""
    return bool(lacks[COLOUR_OF[piece]] or lacks[ANY])
