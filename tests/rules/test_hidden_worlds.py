"""Hidden hands against all that may be true: every hand, discard pile and deck is kept in mind.

A world is one way in which the hidden cards may lie. What some world allows must be possible;
until the deck is rebuilt, nothing else may be (ruling 9.17).
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import pytest

from coatl_tools import load_cards
from coatl_tools.cards.card import CardKind
from coatl_tools.rules import events
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import UNKNOWN_CARD, Event
from coatl_tools.rules.game import Game
from coatl_tools.rules.setup import make_opening_state
from coatl_tools.rules.state import PROPHECY_DRAWS, DealDraw, DeckDraw, GameState, Stage
from coatl_tools.rules.table_options import TableOptions
from tests.strategies import example_count

MOST_WORLDS = 1500
MOST_EVENTS = 250
LIKING = {
    events.AttachPiece: 6,
    events.BeginCoatl: 6,
    events.TakePieces: 5,
    events.PlaceProphecy: 3,
}


class World(NamedTuple):
    """Where the hidden cards lie; each tuple is sorted."""

    hand: tuple[str, ...]
    discarded: tuple[str, ...]
    deck: tuple[str, ...]


def less(cards: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    return tuple(sorted((Counter(cards) - Counter(gone)).elements()))


def more(cards: tuple[str, ...], *added: str) -> tuple[str, ...]:
    return tuple(sorted((*cards, *added)))


class Table:
    """A solo table of few cards, and every world that it may be."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        levels = tuple(level for level in range(1, 6) if self.rng.random() < 0.5)
        options = TableOptions(players=("Solo",), levels=levels, hidden_hands=True)
        prophecies = [card for card in load_cards().deck() if card.kind is CardKind.PROPHECY]
        single = self.rng.sample(prophecies[5:], self.rng.randint(10, 24))
        cards = (*self.rng.sample(prophecies[:5], 3), *single)  # the first five are there twice
        temples = [card for card in load_cards().deck() if card.kind is CardKind.TEMPLE]
        self.state = make_opening_state(Game(options, (*cards, *temples[:4])))
        self.known = Game(replace(options, hidden_hands=False), self.state.game.cards)
        self.worlds = {World((), (), self.state.game.prophecies)}
        self.rebuilt = False

    def told(self, world: World) -> GameState:
        """The same moment, if this were known."""
        player = self.state.players[0]._replace(
            hand=world.hand, discarded=world.discarded, among=()
        )
        return self.state._replace(
            game=self.known,
            players=(player,),
            unlocated_prophecies=(world.deck,),
            deck=len(world.deck),
        )

    def check(self) -> list[Event]:
        """What may really happen next; it must be what the program says."""
        listed, expected = list_legal_actions(self.state), self.possible()
        assert expected <= set(listed), "something that may be true is refused"
        if not self.rebuilt:
            assert expected == set(listed), "something that cannot be true is accepted"
        return [event for event in listed if event in expected]

    def possible(self) -> set[Event]:
        state = self.state
        if state.stage is Stage.KEEPING and not state.draws:
            return set(list_legal_actions(state))
        found = {event for world in self.worlds for event in list_legal_actions(self.told(world))}
        if state.draws:
            hidden: dict[type, Event] = {
                DealDraw: events.DealProphecy(0, UNKNOWN_CARD),
                DeckDraw: events.DrawnCard(UNKNOWN_CARD),
            }
            asked = type(state.draws[0])
            return found | ({hidden[asked]} if asked in hidden else set())
        seen = Counter(card for card in state.players[0].hand if card[0] != UNKNOWN_CARD)
        for world in self.worlds:
            if state.stage is not Stage.CLOSING or list_legal_actions(self.told(world)):
                found |= {events.Reveal(0, card) for card in Counter(world.hand) - seen}
        return found

    def happens(self, event: Event) -> None:
        before, self.state = self.state, apply_event(self.state, event)
        if not before.draws and before.stage is not Stage.KEEPING:
            self.worlds = {
                world
                for world in self.worlds
                if isinstance(event, events.Reveal)
                or event in list_legal_actions(Table.told(self._at(before), world))
            }
        self.worlds = {after for world in self.worlds for after in self.after(before, event, world)}
        if self.state.draws and isinstance(self.state.draws[0], PROPHECY_DRAWS):
            self.rebuild()
        if self.state.stage is Stage.CLOSING:
            self.worlds = {world for world in self.worlds if list_legal_actions(self.told(world))}
        assert self.worlds

    def _at(self, state: GameState) -> Table:
        past = object.__new__(Table)
        past.state, past.known = state, self.known
        return past

    def after(self, before: GameState, event: Event, world: World) -> list[World]:
        """What a world may become."""
        hand, discarded, deck = world
        match event:
            case events.TurnUpProphecy(card) | events.DealAdam(card):
                return [World(hand, discarded, less(deck, card))] if card in deck else []
            case events.DealProphecy(_, card) | events.DrawnCard(card):
                drawn = set(deck) if card == UNKNOWN_CARD else {card} & set(deck)
                return [World(more(hand, one), discarded, less(deck, one)) for one in drawn]
            case events.Keep(cards):
                named = [card for card in cards if card != UNKNOWN_CARD]
                rest = less(hand, *named)
                return [
                    World(more(tuple(named), *kept), less(rest, *kept), deck)
                    for kept in set(combinations(rest, len(cards) - len(named)))
                ]
            case events.ChooseCard(card):
                return [World(more(hand, card), discarded, deck)]
            case events.PlaceProphecy(card, _):
                return [World(less(hand, card), discarded, deck)]
            case events.Reveal(_, card):
                seen = Counter(
                    known for known in before.players[0].hand if known[0] != UNKNOWN_CARD
                )
                return [world] if card in Counter(hand) - seen else []
        return [world]

    def rebuild(self) -> None:
        if all(world.deck for world in self.worlds):
            return
        self.rebuilt = True
        self.worlds = {World(world.hand, (), world.discarded) for world in self.worlds}


def every_world_is_possible_and_nothing_else(seed: int) -> int:
    table = Table(seed)
    hiding = table.rng.choice([0.2, 0.4, 0.8])
    for number in range(MOST_EVENTS):
        if table.state.stage is Stage.OVER or len(table.worlds) > MOST_WORLDS:
            return number
        try:
            found = table.check()
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, event {number}: {error}") from error
        untold = [event for event in found if str(event).endswith(UNKNOWN_CARD)]
        if table.state.draws and untold and table.rng.random() < hiding:
            table.happens(untold[0])
        else:
            liking = [LIKING.get(type(event), 1) for event in found]
            table.happens(table.rng.choices(found, liking)[0])
    return MOST_EVENTS


@pytest.mark.parametrize("part", range(2))
def test_every_world_is_possible_and_nothing_else(part: int) -> None:
    seeds = range(part * 12, (part + 1) * 12)
    assert sum(map(every_world_is_possible_and_nothing_else, seeds)) > 12 * 50


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_in_many_games_every_world_is_possible_and_nothing_else(part: int) -> None:
    size = example_count(20_000) // 400
    for seed in range(1000 + part * size, 1000 + (part + 1) * size):
        every_world_is_possible_and_nothing_else(seed)
