"""The best assembly of a turn."""

from __future__ import annotations

from coatl_tools.players.planning.plan import Plan
from coatl_tools.players.planning.situation import Situation


def best_assembly(situation: Situation) -> Plan:
    """The assembly that gains most points now; of equal ones, the one that keeps most open."""
    return Plan((), 0, situation.coatls, situation.board, situation.hand)
