"""Whole games played at random, tables of every kind, and what must hold at every moment."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards, parse_coatl
from coatl_tools.cards.card import CardKind
from coatl_tools.rules import events
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.constants import (
    BODIES,
    FEATHER,
    HEADS,
    PIECES_OF_KIND,
    PIECES_PER_SPACE,
    TAILS,
)
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import UNKNOWN_CARD, Event
from coatl_tools.rules.hidden_cards import list_known_or_possible_hand
from coatl_tools.rules.setup import deal_draw, new_game
from coatl_tools.rules.state import GameState, Stage
from coatl_tools.rules.table_options import TableOptions
from tests.strategies import example_count

MOST_EVENTS = 3000
NAMES = ("North", "East", "South", "West")


def _common(draw: st.DrawFn) -> dict[str, Any]:
    """Options of tables of every size."""
    return {
        "edition": draw(st.sampled_from(["en", "fr", "pl"])),
        "promo": draw(st.booleans()),
        "temple_required": draw(st.booleans()),
        "space_kinds": draw(st.sampled_from(["bbbbbbhhtt", "htbbbbbbth", "tthhbbbbbb"])),
        "closed_ends": draw(st.booleans()),
    }


@st.composite
def tables(draw: st.DrawFn, hidden: bool = False) -> TableOptions:
    size = draw(st.integers(2, 4))
    return TableOptions(
        players=NAMES[:size],
        tokens=draw(st.booleans()),
        fewer_bodies=size < 4 and draw(st.booleans()),
        golden_feathers=draw(st.booleans()),
        hidden_hands=hidden,
        **_common(draw),
    )


@st.composite
def solo_tables(draw: st.DrawFn, hidden: bool = False) -> TableOptions:
    return TableOptions(
        players=NAMES[:1],
        levels=tuple(draw(st.sets(st.integers(1, 5)))),
        level5_refill=draw(st.sampled_from([3, 4])),
        solo_final_turns=draw(st.booleans()),
        solo_temple_in_hand=draw(st.booleans()),
        hidden_hands=hidden,
        **_common(draw),
    )


def games(number: int, check: Callable[..., None], *given_by: st.SearchStrategy[Any]) -> Any:
    """A test that plays so many games."""
    return settings(max_examples=number)(given(*given_by)(check))


def many_games(check: Callable[..., None], *given_by: st.SearchStrategy[Any]) -> Any:
    """The same as a soak test, in a thousand games."""
    return pytest.mark.soak(games(example_count(20_000) // 20, check, *given_by))


def start_state(options: TableOptions, few: bool = False) -> GameState:
    """The beginning of a game; with few cards, the deck is soon rebuilt."""
    cards = load_cards().deck(options.promo)
    if few:
        needed = 6 + sum((3, 4, 5, 6)[: len(options.players)])
        if options.solo:
            needed = 6 + (4 if 5 in options.levels else 3) + 5
        prophecies = [card for card in cards if card.kind is CardKind.PROPHECY]
        cards = (*prophecies[: needed - 2], *(c for c in cards if c.kind is CardKind.TEMPLE))
    return new_game(options, cards)


Choice = Callable[[random.Random, GameState, list[Event]], Event]


def choose_anything(rng: random.Random, state: GameState, legal: list[Event]) -> Event:
    return rng.choice(legal)


def choose_builder(rng: random.Random, state: GameState, legal: list[Event]) -> Event:
    """Somebody who builds with a plan of sorts: pieces where cards want them, then a close."""
    return rng.choices(legal, [_liking(state, event) for event in legal])[0]


def _liking(state: GameState, event: Event) -> float:
    liking = _LIKING.get(type(event), 1)
    if isinstance(event, events.AttachPiece):
        player = state.players[state.current_player]
        before = player.coatls[event.coatl - 1]
        after = event.piece + before.text if event.end == "head" else before.text + event.piece
        fits = state.game.fitting(
            after, list_known_or_possible_hand(state, player), before.prophecies
        )
        closes = after[0] == "<" and after[-1] == ">"
        enough = len(before.prophecies) + len(fits) > 1
        return 60 if closes and enough else 0.2 if closes else 8 if fits else 1
    return liking


def choose_collector(rng: random.Random, state: GameState, legal: list[Event]) -> Event:
    """Somebody who takes pieces while there is room, and builds without end: bags run out."""
    bodies = [
        e for e in legal if isinstance(e, events.TakePieces) and len(state.spaces[e.space - 1]) > 1
    ]
    grows = [
        e
        for e in legal
        if isinstance(e, events.AttachPiece | events.BeginCoatl) and e.piece in BODIES
    ]
    for likes in (bodies, grows):
        if likes and rng.random() < 0.95:
            return rng.choice(likes)
    return choose_builder(rng, state, legal)


_LIKING = {
    events.PlaceProphecy: 40,
    events.PlaceTemple: 12,
    events.TakePieces: 4,
    events.Keep: 1,
    events.PerfectPick: 0.15,
    events.AttachPiece: 1,
    events.BeginCoatl: 0.4,
    events.EndTurn: 6,
    events.LayGolden: 0.5,
}


def play_random_game(
    options: TableOptions, seed: int, choice: Choice = choose_anything, few: bool = False
) -> Iterator[tuple[GameState, Event]]:
    """Every moment of a game and what happens then, the dealer's answers included."""
    rng, state = random.Random(seed), start_state(options, few)
    for _ in range(MOST_EVENTS):
        if state.stage is Stage.OVER:
            return
        event = (
            deal_draw(state, seed) if state.draws else choice(rng, state, list_legal_actions(state))
        )
        yield state, event
        state = apply_event(state, event)
    raise AssertionError("the game does not end")


def known_table(options: TableOptions) -> TableOptions:
    """The same table, where every card is known."""
    return replace(options, hidden_hands=False)


def pieces_of(coatl: str) -> Iterator[str]:
    """The pieces of a Cóatl as they are written on a board."""
    letters = coatl.strip("<>")
    for place, letter in enumerate(letters):
        head = "<" if place == 0 and coatl[0] == "<" else ""
        tail = ">" if place == len(letters) - 1 and coatl[-1] == ">" else ""
        yield head + letter + tail


def all_pieces(state: GameState) -> Counter[str]:
    """Every piece, wherever it is."""
    found = Counter(piece for space in state.spaces for piece in space)
    for kind, bag in (("b", state.bodies), ("h", state.heads), ("t", state.tails)):
        found.update(dict(zip(PIECES_OF_KIND[kind], bag, strict=True)))
    for player in state.players:
        found.update(player.board)
        found[FEATHER] += player.feathers
        for coatl in player.coatls:
            found.update(pieces_of(coatl.text))
    if state.adam:
        found.update(state.adam.discarded)
        for wanted in state.adam.row:
            found.update(wanted.pieces)
    return +found


def expected_pieces(options: TableOptions) -> Counter[str]:
    size = len(options.players)
    bodies, golden = 16 if options.solo else 24, 0
    if options.fewer_bodies:
        bodies = {2: 14, 3: 18}[size]
    if options.golden_feathers:
        bodies, golden = {2: 14, 3: 18, 4: 24}[size], {2: 4, 3: 5, 4: 6}[size]
    found = Counter(dict.fromkeys(BODIES, bodies))
    found.update(dict.fromkeys(HEADS + TAILS, 3))
    found[FEATHER] = golden
    return +found


def list_known_cards(cards: tuple[str, ...]) -> list[str]:
    return [card for card in cards if card[0] != UNKNOWN_CARD]


def check_state(state: GameState) -> None:
    """What must hold at every moment of every game."""
    options, game = state.game.options, state.game
    assert all_pieces(state) == expected_pieces(options)
    prophecies = [*state.supply, *state.discards, *sum(state.unlocated_prophecies, ())]
    temples = [*state.unlocated_temples, *(pile.top for pile in state.piles if pile.top)]
    hidden, hidden_temples = state.deck, sum(pile.below for pile in state.piles)
    undealt = sum(type(draw).__name__ == "TempleDraw" for draw in state.draws)
    for player in state.players:
        prophecies += list_known_cards(player.hand + player.discarded)
        hidden += len(player.hand + player.discarded) - len(
            list_known_cards(player.hand + player.discarded)
        )
        hidden -= len(player.among)
        prophecies += player.among
        temples += list_known_cards(player.temples)
        hidden_temples += player.temples.count(UNKNOWN_CARD)
        assert Counter(player.shown) <= Counter(player.hand)
        assert Counter(player.temples_shown) <= Counter(player.temples)
        assert len(player.board) <= 8
        limit = 4 if 2 in options.levels else 5
        assert len(player.hand) <= (6 if state.stage is Stage.KEEPING else limit)
        assert list(player.board) == sorted(player.board)
        assert list(player.hand) == sorted(player.hand)
        assert sum(not coatl.complete for coatl in player.coatls) <= 2
        assert options.edition != "fr" or len(player.coatls) <= 3
        for number, coatl in enumerate(player.coatls, start=1):
            shape = parse_coatl(coatl.text)
            assert str(shape) == coatl.text
            prophecies += coatl.prophecies
            temples += [coatl.temple] if coatl.temple else []
            assert len(set(coatl.prophecies)) == len(coatl.prophecies) <= 4
            closing = state.stage is Stage.CLOSING and state.closing == number
            if closing and player is state.players[state.current_player]:
                assert shape.complete
                assert not coatl.complete
            else:
                assert shape.complete == coatl.complete
            assert not coatl.complete or coatl.prophecies
            colours = {game.by_id[card].colour for card in coatl.prophecies}
            assert 3 not in options.levels or len(colours) == len(coatl.prophecies)
            assert 4 not in options.levels or not coatl.complete or len(coatl.prophecies) == 4
            assert coatl.complete or not coatl.temple
    if state.adam:
        prophecies += check_adam(state)
    assert sorted(prophecies) == list(game.prophecies)
    assert sorted(temples) == list(game.temples)
    assert len(sum(state.unlocated_prophecies, ())) == hidden
    assert len(state.unlocated_temples) == hidden_temples + undealt
    assert len(state.supply) <= 6
    for kind, pieces in zip(options.space_kinds, state.spaces, strict=True):
        assert len(pieces) in (0, PIECES_PER_SPACE[kind])


def check_adam(state: GameState) -> list[str]:
    """What must hold for A.D.A.M.; the cards that it has."""
    adam, options = state.adam, state.game.options
    assert adam is not None
    assert len(adam.row) <= (4 if 5 in options.levels else 3)
    for card, pieces in adam.row:
        colours, white = Counter(piece.strip("<>") for piece in pieces), 0
        *needs, most_white = state.game.needs[card]
        for colour, need in zip("RGBYK", needs, strict=True):
            white += max(0, colours[colour] - need)
        assert white <= most_white
        assert len(pieces) < sum(state.game.needs[card]), "it should have been fulfilled"
    dealt = state.stage is not Stage.KEEPING
    assert len(adam.row) >= 3 or not state.supply or not dealt or state.draws
    return [*adam.fulfilled, *(wanted.card for wanted in adam.row)]


def any_event(rng: random.Random, state: GameState) -> Event:
    """Something that may or may not be possible, not too far from what is."""
    cards = [*state.game.by_id, UNKNOWN_CARD, "X99"]
    near = [*state.supply, *sum((player.hand for player in state.players), ()), *cards[:3]]
    near += [card for player in state.players for card in player.temples]
    pieces = [*BODIES, *HEADS, *TAILS, FEATHER]

    def card() -> str:
        return rng.choice(near if rng.random() < 0.7 else cards)[:5]

    def some(things: list[str], most: int) -> tuple[str, ...]:
        return tuple(rng.choice(things) for _ in range(rng.randint(0, most)))

    number, player = rng.randint(0, 4), rng.randint(-1, 4)
    owner = state.players[min(state.current_player, len(state.players) - 1)]
    hand = [card[:1] if card[0] == UNKNOWN_CARD else card for card in owner.hand]
    makers: list[Callable[[], Event]] = [
        lambda: events.Keep(
            tuple(rng.sample(hand, min(len(hand), rng.randint(0, 4)))) or (card(),)
        ),
        lambda: events.Discard(some([*hand, UNKNOWN_CARD], 3)),
        lambda: events.Keep(some([*hand, UNKNOWN_CARD], 3)),
        lambda: events.TakePieces(rng.randint(0, 11)),
        lambda: events.ChooseCard(card()),
        lambda: events.ChooseCard(card(), rng.randint(0, 3)),
        events.AdamTurn,
        events.DrawCard,
        lambda: events.BeginCoatl(rng.choice(pieces)),
        lambda: events.AttachPiece(
            rng.choice(pieces), number, rng.choice(["head", "tail", "side"])
        ),
        lambda: events.PlaceProphecy(card(), number),
        lambda: events.PlaceTemple(card(), number, rng.randint(0, 3)),
        events.CompleteCoatl,
        lambda: events.PerfectPick(some(pieces, 3)),
        events.SeeTheFuture,
        lambda: events.Discard(tuple(rng.sample(hand, rng.randint(0, len(hand)))) or (card(),)),
        lambda: events.PriestCommitment(rng.randint(0, 3)),
        lambda: events.LayGolden(player, some(pieces, 3)),
        events.Pass,
        events.EndTurn,
        lambda: events.Reveal(player, card()),
        lambda: events.FillSpace(rng.randint(0, 11), some(pieces, 3)),
        lambda: events.DealTemple(player, card()),
        lambda: events.TurnUpTemple(number, card()),
        lambda: events.TurnUpProphecy(card()),
        lambda: events.DealAdam(card()),
        lambda: events.DealProphecy(player, card()),
        lambda: events.DrawnCard(card()),
    ]
    return rng.choice(makers)()
