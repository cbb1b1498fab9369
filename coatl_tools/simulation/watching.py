"""Somebody who watches a game and writes down what the tables want to know of it.

What can be read off the last state is left to it; here is only what would be forgotten: where each
card came from and went to, when Cóatls were begun and completed, what turns were used for.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from coatl_tools.rules import events
from coatl_tools.rules.box import ADAM
from coatl_tools.rules.events import HAND, Event
from coatl_tools.rules.state import ASSEMBLING, CHOOSING, CLOSING, MUST_CHOOSE, State

# What the events are that may begin an action, and where the action only goes on.
_ACTIONS: dict[type, str] = {
    events.TakePieces: "takes",
    events.ChooseCard: "choices",
    events.DrawCard: "choices",
    events.Begin: "assemblies",
    events.Attach: "assemblies",
    events.PlaceProphecy: "assemblies",
    events.PerfectPick: "tokens",
    events.SeeTheFuture: "tokens",
    events.PriestCommitment: "tokens",
}
_GOES_ON = {"choices": (CHOOSING, MUST_CHOOSE), "assemblies": (ASSEMBLING, CLOSING)}


@dataclass(slots=True, eq=False)
class Appearance:
    """A copy of a card from when somebody could have it; seats and Cóatls are numbered from 1."""

    card: str
    shown: str
    seat: int | None = None
    outcome: str = "open"
    coatl: int | None = None

    def held_by(self, player: int) -> None:
        """It is in somebody's hand, or in A.D.A.M.'s row."""
        self.seat, self.outcome = player + 1, "held"


@dataclass(slots=True)
class Tenure:
    """When a Cóatl was begun and completed, in its player's own turns."""

    begun: int
    completed: int | None = None


@dataclass(slots=True)
class Watch:
    """All that was seen so far; `seats` counts A.D.A.M. too."""

    seats: int
    appeared: list[Appearance] = field(default_factory=list)
    turns: Counter[int] = field(default_factory=Counter)
    actions: Counter[tuple[int, str]] = field(default_factory=Counter)
    _supply: list[Appearance] = field(default_factory=list)
    _tops: dict[int, Appearance] = field(default_factory=dict)
    _hands: list[list[Appearance]] = field(init=False)  # Temple cards too
    coatls: list[list[Tenure]] = field(init=False)

    def __post_init__(self) -> None:
        self._hands = [[] for _ in range(self.seats)]
        self.coatls = [[] for _ in range(self.seats)]

    def see(self, before: State, event: Event, after: State) -> None:
        """Write down one event."""
        player = before.turn
        self._cards(before, event, after)
        kind = _ACTIONS.get(type(event))
        if kind and before.stage not in _GOES_ON.get(kind, ()):
            self.actions[player, kind] += 1
        now = self.turns[player] + 1
        match event:
            case events.Begin():
                self.coatls[player].append(Tenure(now))
            case events.PlaceTemple() | events.Complete():
                self.coatls[player][before.closing - 1].completed = now
            case events.AdamTurn() if after.spaces != before.spaces:
                self.actions[player, "takes"] += 1
        if after.turns > before.turns:
            self.turns[player] += 1

    def _cards(self, before: State, event: Event, after: State) -> None:
        """Follow the cards from place to place; of identical ones in a place, any will do."""
        player = before.turn
        hand = self._hands[player]
        match event:
            case events.TurnUpProphecy(card):
                self._supply.append(self._appears(card, "supply"))
            case events.TurnUpTemple(pile, card):
                self._tops[pile] = self._appears(card, "pile")
            case events.DealProphecy(dealt, card) | events.DealTemple(dealt, card):
                self._goes_to(dealt, self._appears(card, "dealt"))
            case events.DealAdam(card):
                self._goes_to(ADAM, self._appears(card, "dealt"))
            case events.Drawn(card):
                self._goes_to(player, self._appears(card, "deck"))
            case events.ChooseCard(card):
                self._goes_to(player, _out_of(self._supply, card))
            case events.PriestCommitment(pile):
                self._goes_to(player, self._tops.pop(pile))
            case events.Keep(kept):
                prophecies = before.players[player].hand
                for card in (Counter(prophecies) - Counter(kept)).elements():
                    _out_of(hand, card).outcome = "left"
            case events.Discard(cards):
                for card in cards:
                    _out_of(hand, card).outcome = "discarded"
            case events.SeeTheFuture():
                self._supply.clear()
            case events.PlaceProphecy(card, coatl):
                _lies_beside(_out_of(hand, card), player, coatl)
            case events.PlaceTemple(card, coatl, source):
                found = _out_of(hand, card) if source == HAND else self._tops.pop(source)
                _lies_beside(found, player, coatl)
            case events.AdamTurn():
                self._adam(before, after)

    def _adam(self, before: State, after: State) -> None:
        """Cards that A.D.A.M. has fulfilled leave its row, others join it (rules 7.6, 7.7)."""
        if before.adam is None or after.adam is None:
            return
        for card in after.adam.fulfilled[len(before.adam.fulfilled) :]:
            _out_of(self._hands[ADAM], card).outcome = "fulfilled"
        for wanted in after.adam.row[len(self._hands[ADAM]) :]:
            self._goes_to(ADAM, _out_of(self._supply, wanted.card))

    def _appears(self, card: str, where: str) -> Appearance:
        appearance = Appearance(card, where)
        self.appeared.append(appearance)
        return appearance

    def _goes_to(self, player: int, appearance: Appearance) -> None:
        appearance.held_by(player)
        self._hands[player].append(appearance)


def _out_of(place: list[Appearance], card: str) -> Appearance:
    """The first copy of a card in a place, which it leaves."""
    found = next(appearance for appearance in place if appearance.card == card)
    place.remove(found)
    return found


def _lies_beside(appearance: Appearance, player: int, coatl: int) -> None:
    appearance.seat, appearance.outcome, appearance.coatl = player + 1, "placed", coatl
