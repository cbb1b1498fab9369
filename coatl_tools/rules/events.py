"""One small value for each thing that can happen. `str()` is the notation of `event_text`.

Spaces, Temple piles and Cóatls have numbers from 1, as on the table; a player is an index into
the table's players. A card that stays hidden is `?`. Where an order means nothing, it is sorted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from coatl_tools.rules.box import Pieces

UNKNOWN = "?"
HAND = 0  # where a Temple card comes from: the hand, or pile 1 or 2


class Happening:
    """The base of all events."""

    __slots__ = ()

    def __str__(self) -> str:
        from coatl_tools.rules.event_text import write  # noqa: PLC0415 (it knows all events)

        return write(self)


# What a player decides.


@dataclass(frozen=True, slots=True)
class Keep(Happening):
    """Keep these of the Prophecy cards dealt at the start (rule 2.4)."""

    cards: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class TakePieces(Happening):
    """Empty a space of the Supply board onto the own board (rule 3.1)."""

    space: int


@dataclass(frozen=True, slots=True)
class ChooseCard(Happening):
    """Take a Prophecy card from the face-up supply (rule 3.4).

    In a solo game the supply is a row: `copy` tells identical cards in it apart, from the left.
    """

    card: str
    copy: int = 1


@dataclass(frozen=True, slots=True)
class DrawCard(Happening):
    """Take a Prophecy card blind from the deck (rule 3.4)."""


@dataclass(frozen=True, slots=True)
class Begin(Happening):
    """Begin a new Cóatl with a piece (rule 3.6)."""

    piece: str


@dataclass(frozen=True, slots=True)
class Attach(Happening):
    """Attach a piece to the head end or the tail end of a Cóatl (rules 3.6, 3.7)."""

    piece: str
    coatl: int
    end: str


@dataclass(frozen=True, slots=True)
class PlaceProphecy(Happening):
    """Place a Prophecy card from the hand beside a Cóatl (rules 3.6, 3.9)."""

    card: str
    coatl: int


@dataclass(frozen=True, slots=True)
class PlaceTemple(Happening):
    """Place a Temple card beside the Cóatl just closed; that completes it (rule 3.11)."""

    card: str
    coatl: int
    source: int = HAND


@dataclass(frozen=True, slots=True)
class Complete(Happening):
    """Complete the Cóatl just closed without a Temple card (rules 3.10, 3.12)."""


@dataclass(frozen=True, slots=True)
class PerfectPick(Happening):
    """Sacrifice a token for pieces of one's choice from a bag (rule 3.14)."""

    pieces: Pieces

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(sorted(self.pieces)))


@dataclass(frozen=True, slots=True)
class SeeTheFuture(Happening):
    """Sacrifice a token for a new Prophecy supply (rule 3.15)."""


@dataclass(frozen=True, slots=True)
class Discard(Happening):
    """Discard cards from the hand, or none: the second part of See the Future (rule 3.15)."""

    cards: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class PriestCommitment(Happening):
    """Sacrifice a token for the top card of a Temple pile (rule 3.16)."""

    pile: int


@dataclass(frozen=True, slots=True)
class LayGolden(Happening):
    """Lay a golden segment beside an opponent's board for body segments from it (rule 10.3)."""

    player: int
    pieces: Pieces

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(sorted(self.pieces)))


@dataclass(frozen=True, slots=True)
class Pass(Happening):
    """Do nothing, because nothing can be done (ruling 9.2)."""


@dataclass(frozen=True, slots=True)
class EndTurn(Happening):
    """Be done with this turn."""


@dataclass(frozen=True, slots=True)
class Reveal(Happening):
    """A hidden card of a hand becomes known to the program (ruling 9.17)."""

    player: int
    card: str


@dataclass(frozen=True, slots=True)
class AdamTurn(Happening):
    """A.D.A.M. plays its turn, in which it has no choice (rules 7.4 to 7.7)."""


# What chance brings.


@dataclass(frozen=True, slots=True)
class Fill(Happening):
    """These pieces come out of a bag onto a space of the Supply board (rules 2.1, 3.2)."""

    space: int
    pieces: Pieces

    def __post_init__(self) -> None:
        if type(self.pieces) is not tuple:  # a list could be changed later
            object.__setattr__(self, "pieces", tuple(self.pieces))


@dataclass(frozen=True, slots=True)
class DealTemple(Happening):
    """A player is dealt this Temple card (rule 2.3)."""

    player: int
    card: str


@dataclass(frozen=True, slots=True)
class TurnUpTemple(Happening):
    """This card shows on top of a Temple pile (rule 2.3)."""

    pile: int
    card: str


@dataclass(frozen=True, slots=True)
class TurnUpProphecy(Happening):
    """This card joins the face-up Prophecy supply (rules 2.4, 3.5)."""

    card: str


@dataclass(frozen=True, slots=True)
class DealAdam(Happening):
    """This card joins A.D.A.M.'s row at its right end, in the setup (rule 7.1)."""

    card: str


@dataclass(frozen=True, slots=True)
class DealProphecy(Happening):
    """A player is dealt this Prophecy card (rule 2.4)."""

    player: int
    card: str


@dataclass(frozen=True, slots=True)
class Drawn(Happening):
    """The player who draws blind gets this card (rule 3.4)."""

    card: str


Action: TypeAlias = (
    Keep
    | TakePieces
    | ChooseCard
    | DrawCard
    | Begin
    | Attach
    | PlaceProphecy
    | PlaceTemple
    | Complete
    | PerfectPick
    | SeeTheFuture
    | Discard
    | PriestCommitment
    | LayGolden
    | Pass
    | EndTurn
    | Reveal
    | AdamTurn
)
Answer: TypeAlias = (
    Fill | DealTemple | TurnUpTemple | TurnUpProphecy | DealAdam | DealProphecy | Drawn
)
Event: TypeAlias = Action | Answer
