"""What is kept of a simulated game: rows of four tidy tables, one value a column.

Games are numbered from 0, seats, Cóatls and turns from 1. A field is a column; what does not apply
is None. `TABLES` names the tables; their files are `games.csv`, `games.parquet` and so on.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, TypeAlias

ADAM_BOT = "adam"  # in the column `bot` of A.D.A.M.'s row of a solo game


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game."""

    game: int
    seed: int  # of its dealer and its players
    size: int  # how many players, without A.D.A.M.
    edition: str
    levels: str  # of a solo game, as "1+3"; empty for none
    turns: int  # of all players, A.D.A.M.'s too
    ending: str  # "third" (rule 6.1), "bodies" (6.2) or "passed" (ruling 9.2)
    ended_by: int | None  # the seat that triggered the end
    winners: int  # how many share the victory


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player of a game; A.D.A.M. has the seat behind the only player's."""

    game: int
    seat: int
    player: int  # the place in the list of players, from 1: seats rotate from game to game
    bot: str
    points: int
    won: float  # 1 for a victory, a share of 1 for a shared one, 0 else
    margin: int  # points ahead of the best other player; below 0 if behind
    cards: int  # beside completed Cóatls
    temples: int  # of these, Temple cards; for A.D.A.M. 0
    best: int  # points of the best completed Cóatl
    coatls: int  # completed
    unfinished: int  # Cóatls begun and not completed
    turns: int
    takes: int  # turns or actions of each kind
    choices: int
    assemblies: int
    tokens: int
    hand: int  # Prophecy cards left in hand


@dataclass(frozen=True, slots=True)
class CoatlRow:
    """A Cóatl that a player began."""

    game: int
    seat: int
    coatl: int
    text: str
    complete: bool
    pieces: int
    prophecies: int
    temple: str  # the id of its card; empty for none
    points: int  # as they count in the end: 0 for an incomplete one, or half (rule 8.1)
    begun: int  # the player's own turn, counted from 1
    completed: int | None


@dataclass(frozen=True, slots=True)
class CardRow:
    """One appearance of one copy of a card: from when somebody could have it until the game's end.

    A card that comes back from the rebuilt deck appears anew.
    """

    game: int
    card: str
    kind: str  # "prophecy" or "temple"
    shown: str  # where it appeared: "supply", "pile", "dealt" (at the start) or "deck" (blind)
    seat: int | None  # who had it; None if nobody took it
    # "open" (never taken; See the Future may have swept it away), "left" (dealt, not kept),
    # "discarded", "held" (in hand at the end), "placed"; A.D.A.M.'s: "fulfilled" or "held"
    outcome: str
    coatl: int | None  # that it was placed on
    complete: bool  # that Cóatl, in the end
    level: int  # reached in the end, 0 for none
    points: int  # that it brought in the end; beside an incomplete Cóatl 0, also by rule 8.1


Row: TypeAlias = GameRow | PlayerRow | CoatlRow | CardRow
TABLES: Final = MappingProxyType(
    {"games": GameRow, "players": PlayerRow, "coatls": CoatlRow, "cards": CardRow}
)
_VALUES: Final = {
    kind: attrgetter(*(column.name for column in fields(kind))) for kind in TABLES.values()
}


def values(row: Row) -> tuple[Any, ...]:
    """The values of a row, in the order of its columns."""
    found: tuple[Any, ...] = _VALUES[type(row)](row)
    return found
