"""A plan: the steps of an assembly in the order in which they can be played."""

from __future__ import annotations

from dataclasses import dataclass

from coatl_tools.rules.box import Pieces
from coatl_tools.rules.events import Action
from coatl_tools.rules.state import Built


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step: an event as the referee reads it, and by how much it changes the points."""

    event: Action
    points: int


@dataclass(frozen=True, slots=True)
class Plan:
    """An assembly. No steps: whatever is built now, nothing is gained.

    `points` is what all steps bring: the cards beside the player's Cóatls at the levels that they
    then have, less what they are worth before. In a last turn (`Situation.last`) the cards of
    incomplete Cóatls count as in the end, for nothing or half (rule 8.1).
    """

    steps: tuple[PlanStep, ...]
    points: int
    coatls: tuple[Built, ...]  # as they are then
    board: Pieces  # what is left on it
    hand: tuple[str, ...]
