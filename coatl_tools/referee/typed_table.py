"""A player's own things as somebody types them: a view of a table of which nothing else is known.

>>> from coatl_tools import load_cards
>>> from coatl_tools.rules import TableOptions
>>> seen = typed_view(TypedSeat(board="R <K", hand="P10"), TableOptions(), load_cards())
>>> seen.seats[0].board, seen.seats[0].hand
(('<K', 'R'), ('P10',))
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import PositionError
from coatl_tools.referee.position import at
from coatl_tools.referee.written import NOTHING, read_cards, read_coatl, read_pieces
from coatl_tools.rules.events import UNKNOWN
from coatl_tools.rules.midway import laid_out
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.position import Position, PositionSeat
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import Adam, Built
from coatl_tools.rules.views import View, view


@dataclass(frozen=True, slots=True)
class TypedSeat:
    """What was typed, each as in `written`; `seen` are Cóatls that come from elsewhere, first."""

    board: str = ""
    coatls: tuple[str, ...] = ()
    hand: str = ""
    temples: str = ""
    piles: str = ""
    supply: str = ""
    seen: tuple[Built, ...] = ()


def typed_view(typed: TypedSeat, options: TableOptions, catalog: Catalog) -> View:
    """What the first player of such a table sees, as its turn begins.

    PositionError says what cannot be, and in which option or Cóatl; OptionError as for any table.
    """
    with at("--board"):
        board = read_pieces(typed.board)
    coatls = [*typed.seen]
    for text in typed.coatls:
        with at("--coatl"):
            coatls.append(read_coatl(text, catalog))
    with at("--hand"):
        hand = read_cards(typed.hand, catalog)
    with at("--temple"):
        temples = read_cards(typed.temples, catalog)
    with at("--supply"):
        supply = read_cards(typed.supply, catalog)
    with at("--piles"):
        tops = _tops(typed.piles, catalog)
    if UNKNOWN in hand + temples:
        options = replace(options, hidden_hands=True)
    game = new_game(options, catalog).game
    seat = PositionSeat(board=board, coatls=tuple(coatls), hand=hand, temples=temples)
    position = Position(
        turn=0,
        spaces=((),) * len(options.space_kinds),
        supply=supply,
        tops=tops,
        seats=(seat, *[PositionSeat()] * (game.size - 1)),
        adam=Adam() if game.solo else None,
    )
    return view(laid_out(game, position), 0)


def _tops(text: str, catalog: Catalog) -> tuple[str, str]:
    """The cards on the Temple piles, `-` for an empty one; one alone lies on the first pile."""
    words = [word for word in re.split(r"[\s,;]+", text.strip()) if word]
    if len(words) > 2:
        raise PositionError("written.piles", n=len(words))
    one, other = ("" if word in NOTHING else catalog[word].id for word in (*words, "", "")[:2])
    return one, other
