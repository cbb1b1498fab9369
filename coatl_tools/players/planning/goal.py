"""What a plan is to be good for, as whole numbers that add up over Cóatls."""

from __future__ import annotations

from dataclasses import dataclass

POINT = 10_000  # far more than all that breaks ties can come to


@dataclass(frozen=True, slots=True)
class Goal:
    """Weights of an assembly: a point gained, and what else there is to it.

    `closed[n]` is for a Cóatl completed with n Prophecy cards. The goal `NOW` is the advice to
    people: points alone, and of equal assemblies the one that keeps most open. It completes no
    Cóatl in vain, uses the fewest pieces, and of these rather body segments than heads and tails.
    """

    point: int = POINT
    piece: int = -20
    end: int = -5  # more for a head or a tail
    card: int = -1
    closed: tuple[int, int, int, int, int] = (-200,) * 5


NOW = Goal()
# Nothing comes after a last turn: ties are broken by cards beside complete Cóatls (rule 5.2).
LAST = Goal(closed=(0, 100, 200, 300, 400))
