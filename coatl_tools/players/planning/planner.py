"""The best assembly of a turn: exactly, over all ways to build and to share out pieces and cards.

Each Cóatl is looked at alone first: every word that pieces of the board can make of it, as far as
the cards can tell words apart (`words`), and for every use of pieces and cards what they are worth
at best (`offers`). Then one offer is chosen for each Cóatl, so that nothing is used twice
(`sharing`).
"""

from __future__ import annotations

import numpy as np

from coatl_tools.players.planning.goal import LAST, NOW, Goal
from coatl_tools.players.planning.offers import NONE, Forge, Made, Offers, Reach
from coatl_tools.players.planning.plan import Plan
from coatl_tools.players.planning.sharing import Shared, Sharing, arrangements
from coatl_tools.players.planning.situation import Situation
from coatl_tools.players.planning.steps import laid_out
from coatl_tools.players.planning.stock import Stock
from coatl_tools.rules.state import Built


def best_assembly(situation: Situation, goal: Goal | None = None) -> Plan:
    """The assembly that gains most points now; of equal ones, the one that keeps most open.

    Only cards that are known count: whatever a Temple pile turns up next is not planned with.
    """
    if goal is None:
        goal = LAST if situation.last else NOW
    stock = Stock(situation.board)
    reach = Reach(
        tuple(sorted(situation.hand)),
        (*sorted(situation.temples), *filter(None, situation.tops)),
    )
    existing = [
        Forge(situation, coatl, reach, stock, goal, number == situation.closing)
        for number, coatl in enumerate(situation.coatls, start=1)
        if not coatl.complete
    ]
    limits = np.array([*stock.counts, *(1 for _ in reach.hand + reach.temples)], dtype=np.int64)
    offers = [forge.offers() for forge in existing]
    new = _new(situation, reach, stock, goal)
    best, most = None, NONE
    for found in arrangements(
        Sharing(limits), offers, new, len(situation.coatls), situation.game.coatl_limit
    ):
        worth, row = found.best()
        if worth > most:
            best, most = (found, row), worth
    assert best is not None, "a Cóatl that was closed can be completed"
    return laid_out(situation, reach, _shares(*best))


def _shares(found: Shared, row: int) -> list[tuple[Forge, Made]]:
    return [
        (share.forge, share.forge.made(share.takes, share.closed)) for share in found.shares(row)
    ]


def _new(situation: Situation, reach: Reach, stock: Stock, goal: Goal) -> list[Offers]:
    """What can be made of a new Cóatl with cards beside it: without, it would gain nothing."""
    if not reach.hand or not stock.pieces or situation.game.coatl_limit <= len(situation.coatls):
        return []
    found = []
    for offers in Forge(situation, Built(""), reach, stock, goal, must=False).offers():
        placed = offers.takes[:, len(stock.pieces) :].any(axis=1)
        if placed.any():
            found.append(
                Offers(
                    offers.coatl,
                    offers.closed,
                    offers.takes[placed],
                    offers.worth[placed],
                    offers.unless[placed],
                )
            )
    return found
