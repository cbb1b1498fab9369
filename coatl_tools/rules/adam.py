"""A.D.A.M.'s turn: one function of the state, as steps that a person can follow (section 7).

`adam_turn` works out the whole turn and changes nothing. `play_adam` is what the event does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from coatl_tools.errors import IllegalActionError
from coatl_tools.rules.box import Piece, Pieces
from coatl_tools.rules.events import AdamTurn, DealAdam
from coatl_tools.rules.flow import after_draw, end_turn, other_draw
from coatl_tools.rules.hidden import from_deck
from coatl_tools.rules.needs import NOTHING, Needs, lacking, wants
from coatl_tools.rules.state import (
    ADAMS_TURN,
    Adam,
    AdamDraw,
    Draw,
    State,
    Wanted,
    joined,
)
from coatl_tools.rules.supply_board import replenished


class Spot(NamedTuple):
    """A card of its row, and its place there when the turn began: 1 is the leftmost."""

    card: str
    place: int


@dataclass(frozen=True, slots=True)
class Search:
    """It looks for what a card lacks, and takes the first space with such a piece (rule 7.4).

    `space` is 0, and `pieces` empty, if no space has any.
    """

    on: Spot
    lacks: Needs
    space: int
    pieces: Pieces


@dataclass(frozen=True, slots=True)
class TakeLowest:
    """It takes the lowest numbered space, because no card can be helped or it has none (7.4)."""

    space: int
    pieces: Pieces
    cards: int  # in its row


@dataclass(frozen=True, slots=True)
class NothingToTake:
    """All spaces are empty."""


@dataclass(frozen=True, slots=True)
class Put:
    """A piece goes on the leftmost card that needs it (rules 7.5, 7.6).

    `white` if it meets a white need (ruling 9.5); `source` is the card that it lay on, if any.
    """

    piece: Piece
    on: Spot
    white: bool
    lacks: Needs  # what the card lacks afterwards
    source: Spot | None


@dataclass(frozen=True, slots=True)
class PutAway:
    """No card needs a piece: it leaves the game (rules 7.4 to 7.6, ruling 9.10)."""

    piece: Piece
    source: Spot | None


@dataclass(frozen=True, slots=True)
class Fulfil:
    """A card has all its pieces: it scores its highest level, its pieces are passed on (7.6)."""

    on: Spot
    points: int
    pieces: Pieces


@dataclass(frozen=True, slots=True)
class ToPile:
    """All cards fulfilled in this turn leave the row for the fulfilled pile (rule 7.6)."""

    cards: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Refill:
    """The rightmost card of the Prophecy row joins its own row at the right end (rule 7.7)."""

    card: str
    needs: Needs


@dataclass(frozen=True, slots=True)
class RowStaysShort:
    """The Prophecy row is empty: A.D.A.M. plays on with fewer cards (ruling 9.15)."""

    cards: int


Step: TypeAlias = (
    Search | TakeLowest | NothingToTake | Put | PutAway | Fulfil | ToPile | Refill | RowStaysShort
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole turn of A.D.A.M.: its steps, and what they lead to."""

    before: tuple[Wanted, ...]  # its row when the turn began
    steps: tuple[Step, ...]
    space: int  # the one that it empties; 0 for none
    row: tuple[Wanted, ...]
    fulfilled: tuple[str, ...]  # in this turn
    discarded: Pieces  # in this turn
    supply: tuple[str, ...]  # what is left of the Prophecy row


def adam_turn(state: State) -> Plan:
    """What A.D.A.M. does, or would do if it were its turn; ValueError at a table without it."""
    if state.adam is None:
        raise ValueError("A.D.A.M. plays at solo tables only")
    return _Turn(state, state.adam).plan()


class _Turn:
    """One turn on its way."""

    def __init__(self, state: State, adam: Adam) -> None:
        self.state = state
        self.steps: list[Step] = []
        self.discarded: list[Piece] = []
        self.before = adam.row
        self.spots = [Spot(wanted.card, place) for place, wanted in enumerate(adam.row, start=1)]
        self.pieces = [wanted.pieces for wanted in adam.row]
        self.lacks = [lacking(state.game.needs[card], pieces) for card, pieces in adam.row]
        self.fulfilled: list[Spot] = []
        self.supply = state.supply

    def plan(self) -> Plan:
        space = self.search()
        for piece in self.state.spaces[space - 1] if space else ():
            self.give(piece)
        self.fulfil()
        row = self.refill(
            [
                Wanted(spot.card, pieces)
                for spot, pieces in zip(self.spots, self.pieces, strict=True)
                if spot not in self.fulfilled
            ]
        )
        return Plan(
            before=self.before,
            steps=tuple(self.steps),
            space=space,
            row=row,
            fulfilled=tuple(spot.card for spot in self.fulfilled),
            discarded=tuple(self.discarded),
            supply=self.supply,
        )

    def search(self) -> int:
        """The number of the space that it empties (rule 7.4)."""
        for spot, lacks in zip(self.spots, self.lacks, strict=True):
            for space, pieces in enumerate(self.state.spaces, start=1):
                if any(wants(lacks, piece) for piece in pieces):
                    self.steps.append(Search(spot, lacks, space, pieces))
                    return space
            self.steps.append(Search(spot, lacks, 0, ()))
        for space, pieces in enumerate(self.state.spaces, start=1):
            if pieces:
                self.steps.append(TakeLowest(space, pieces, len(self.spots)))
                return space
        self.steps.append(NothingToTake())
        return 0

    def give(self, piece: Piece, source: Spot | None = None) -> None:
        """The leftmost card that needs a piece gets it (rules 7.5, 7.6; ruling 9.5)."""
        for place, lacks in enumerate(self.lacks):
            if wants(lacks, piece):
                after = lacking(lacks, (piece,))
                white = after[-1] < lacks[-1]
                self.lacks[place] = after
                self.pieces[place] += (piece,)
                self.steps.append(Put(piece, self.spots[place], white, after, source))
                return
        self.discarded.append(piece)
        self.steps.append(PutAway(piece, source))

    def fulfil(self) -> None:
        """Completed cards from the left, those completed on the way too (7.6, ruling 9.15)."""
        while True:
            spot = next(filter(self.is_ready, self.spots), None)
            if spot is None:
                break
            self.fulfilled.append(spot)
            pieces = self.pieces[spot.place - 1]
            self.steps.append(Fulfil(spot, self.state.game.top_points(spot.card), pieces))
            for piece in pieces:
                self.give(piece, spot)
        if self.fulfilled:
            self.steps.append(ToPile(tuple(self.fulfilled)))

    def is_ready(self, spot: Spot) -> bool:
        """Whether a card has all its pieces, and they have not been passed on yet."""
        return self.lacks[spot.place - 1] == NOTHING and spot not in self.fulfilled

    def refill(self, row: list[Wanted]) -> tuple[Wanted, ...]:
        """Cards from the right end of the Prophecy row (rule 7.7)."""
        game = self.state.game
        while len(row) < game.adam_refill:
            if not self.supply:
                if self.fulfilled:  # else it was said before
                    self.steps.append(RowStaysShort(len(row)))
                break
            *rest, card = self.supply
            self.supply = tuple(rest)
            row.append(Wanted(card))
            self.steps.append(Refill(card, game.needs[card]))
        return tuple(row)


def play_adam(state: State, _: AdamTurn) -> State:
    """A.D.A.M. plays its turn; then what it took is replenished, like for everybody."""
    if state.adam is None:
        raise IllegalActionError("rules.no_adam", "7.1")
    if state.stage is not ADAMS_TURN:
        raise IllegalActionError("rules.not_adams_turn", "7.4")
    plan, adam = adam_turn(state), state.adam
    state = state._replace(
        actions=0,
        supply=plan.supply,
        adam=Adam(
            plan.row,
            adam.fulfilled + plan.fulfilled,
            joined(adam.discarded, *plan.discarded),
        ),
    )
    if not plan.space:
        return end_turn(state, passes=state.passes + 1)  # ruling 9.2
    emptied = plan.space - 1
    spaces = (*state.spaces[:emptied], (), *state.spaces[emptied + 1 :])
    return end_turn(replenished(state._replace(spaces=spaces)))


def answer_adam(state: State, draw: Draw, event: DealAdam) -> State:
    """A card joins A.D.A.M.'s row in the setup, at its right end (rule 7.1)."""
    if not isinstance(draw, AdamDraw) or state.adam is None:
        raise other_draw(state)
    adam = state.adam._replace(row=(*state.adam.row, Wanted(event.card)))
    return after_draw(
        state._replace(
            draws=state.draws[1:],
            drawn=state.drawn + 1,
            deck=state.deck - 1,
            free=from_deck(state, event.card),
            adam=adam,
        )
    )
