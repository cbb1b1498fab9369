"""The best assembly of a turn: exactly, over all ways to build and to share out pieces and cards.

Each Cóatl is looked at alone first: every word that pieces of the board can make of it, as far as
the cards can tell words apart (`words`), and for every use of pieces and cards what they are worth
at best (`offers`). Then one offer is chosen for each Cóatl, so that nothing is used twice
(`sharing`).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from coatl_tools.players.planning.goal import LAST, NOW, Goal
from coatl_tools.players.planning.offers import NONE, Forge, Made, Offers, Reach
from coatl_tools.players.planning.plan import Plan
from coatl_tools.players.planning.sharing import Sharing, arrangements
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
    return best_assemblies(situation, (goal,))[0]


def best_assemblies(situation: Situation, goals: Iterable[Goal]) -> list[Plan]:
    """The best assembly for each of several goals."""
    stock = Stock(situation.board)
    reach = Reach(
        tuple(sorted(situation.hand)),
        (*sorted(situation.temples), *filter(None, situation.tops)),
    )
    existing = [
        Forge(situation, coatl, reach, stock, must=number == situation.closing)
        for number, coatl in enumerate(situation.coatls, start=1)
        if not coatl.complete
    ]
    room = situation.game.coatl_limit - len(situation.coatls)
    new = (
        Forge(situation, Built(""), reach, stock) if reach.hand and stock.pieces and room else None
    )
    limits = np.array([*stock.counts, *(1 for _ in reach.hand + reach.temples)], dtype=np.int64)
    sharing = Sharing(limits)
    return [
        laid_out(situation, reach, _chosen(sharing, existing, new, room, goal)) for goal in goals
    ]


def _chosen(
    sharing: Sharing, existing: list[Forge], new: Forge | None, room: int, goal: Goal
) -> list[tuple[Forge, Made]]:
    """What is best to do with each Cóatl."""
    best, most = None, NONE
    offers = [forge.offers(goal) for forge in existing]
    begun = _with_cards(new.offers(goal)) if new else []
    for found in arrangements(sharing, offers, begun, room):
        worth, row = found.best()
        if worth > most:
            best, most = (found, row), worth
    assert best is not None, "a Cóatl that was closed can be completed"
    found, row = best
    return [
        (share.forge, share.forge.made(share.takes, share.closed)) for share in found.shares(row)
    ]


def _with_cards(new: list[Offers]) -> list[Offers]:
    """The offers of a new Cóatl that place cards beside it: without, it would gain nothing."""
    found = []
    for offers in new:
        placed = offers.takes[:, len(offers.coatl.stock.pieces) :].any(axis=1)
        if placed.any():
            takes, worth, unless = (
                rows[placed] for rows in (offers.takes, offers.worth, offers.unless)
            )
            found.append(Offers(offers.coatl, offers.closed, takes, worth, unless))
    return found
