"""A card: its requirement, and what each level of it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from coatl_tools.cards.requirement import Requirement
from coatl_tools.pieces import Colour

MAX_PROPHECIES_PER_COATL = 4  # rule 3.9


class CardKind(Enum):
    """Prophecy or Temple (rule 1.3)."""

    PROPHECY = "prophecy"
    TEMPLE = "temple"


@dataclass(frozen=True, slots=True)
class Level:
    """From `count` occurrences on, the card pays `points`."""

    count: int
    points: int


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the game, or of a player's own making."""

    id: str
    kind: CardKind
    requirement: Requirement
    levels: tuple[Level, ...]
    colour: Colour | None = None  # a Temple card has none
    copies: int = 1
    set: str = "base"

    def level(self, count: int) -> int:
        """Return the level that `count` occurrences reach: 1 is the first, 0 none (rule 4.7)."""
        reached = 0
        for level in self.levels:
            if count < level.count:
                break
            reached += 1
        return reached
