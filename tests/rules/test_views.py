"""A view holds what its player may know, and nothing that hidden cards could change."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    AdamTurn,
    ChooseCard,
    Discard,
    Event,
    PlaceProphecy,
)
from coatl_tools.rules.state import GameState, Player, add_sorted, replace_item
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import make_open_view, make_view, mask_event
from tests.rules.positions import first_turn, play
from tests.rules.random_games import (
    check_state,
    choose_anything,
    choose_builder,
    games,
    many_games,
    play_random_game,
    solo_tables,
    tables,
)


def scrambled(rng: random.Random, state: GameState, viewer: int | None) -> GameState:
    """The same game to the viewer: all cards that the viewer cannot see have changed places."""
    others = [index for index in range(len(state.players)) if index != viewer]
    hidden = [card for level in state.unlocated_prophecies for card in level]
    hidden_temples = list(state.unlocated_temples)
    for index in others:
        player = state.players[index]
        hidden += minus(player.hand, player.shown) + list(player.discarded) + list(player.among)
        hidden_temples += minus(player.temples, player.temples_shown)
    # a card that the program does not know is none of those it could put elsewhere
    hidden = [card for card in hidden if card[0] != UNKNOWN_CARD]
    hidden_temples = [card for card in hidden_temples if card != UNKNOWN_CARD]
    rng.shuffle(hidden)
    rng.shuffle(hidden_temples)
    players = list(state.players)
    for index in others:
        players[index] = redealt(players[index], hidden, hidden_temples)
    free: list[tuple[str, ...]] = []
    for level in state.unlocated_prophecies:
        free.append(tuple(sorted(hidden[: len(level)])))
        del hidden[: len(level)]
    assert not hidden
    return state._replace(
        players=tuple(players),
        unlocated_prophecies=tuple(free),
        unlocated_temples=tuple(sorted(hidden_temples)),
    )


def minus(cards: tuple[str, ...], shown: tuple[str, ...]) -> list[str]:
    left = list(cards)
    for card in shown:
        left.remove(card)
    return left


def redealt(player: Player, hidden: list[str], hidden_temples: list[str]) -> Player:
    def swap(cards: list[str], pool: list[str]) -> list[str]:
        return [card if card[0] == UNKNOWN_CARD else pool.pop() for card in cards]

    hand = swap(minus(player.hand, player.shown), hidden)
    temples = swap(minus(player.temples, player.temples_shown), hidden_temples)
    return player._replace(
        hand=tuple(sorted([*hand, *player.shown])),
        temples=tuple(sorted([*temples, *player.temples_shown])),
        discarded=tuple(sorted(swap(list(player.discarded), hidden))),
        among=tuple(sorted(swap(list(player.among), hidden))),
    )


def leaks_nothing(options: TableOptions, seed: int) -> None:
    rng = random.Random(seed)
    for state, _ in play_random_game(options, seed, rng.choice([choose_anything, choose_builder])):
        if rng.random() < 0.25:
            viewer = rng.choice([None, *range(len(options.players))])
            other = scrambled(rng, state, viewer)
            check_state(other)
            assert make_view(other, viewer) == make_view(state, viewer)


SEEDS = st.integers(0, 2**32)
test_what_a_player_may_not_see_never_changes_their_view = games(15, leaks_nothing, tables(), SEEDS)
test_nor_does_it_with_hidden_hands = games(10, leaks_nothing, tables(hidden=True), SEEDS)
test_nor_does_it_in_solo_games = games(10, leaks_nothing, solo_tables(), SEEDS)
test_in_many_games_views_leak_nothing = many_games(leaks_nothing, tables(), SEEDS)
test_in_many_games_nor_with_hidden_hands = many_games(leaks_nothing, tables(hidden=True), SEEDS)


def test_a_scramble_does_change_what_others_see() -> None:
    """The proof above would be worth nothing if scrambling changed nothing."""
    rng = random.Random(0)
    changed = 0
    for state, _ in play_random_game(TableOptions(), 5):
        other = scrambled(rng, state, 0)
        changed += make_view(other, 1) != make_view(state, 1)
    assert changed > 50


def moments(seed: int = 11) -> list[tuple[GameState, Event]]:
    found = list(play_random_game(TableOptions(), seed, choose_builder))
    assert len(found) > 100
    return found


def test_a_card_taken_from_the_open_supply_is_known_to_all() -> None:
    taken = [(s, e) for s, e in moments() if isinstance(e, ChooseCard)]
    assert taken
    for state, event in taken:
        assert isinstance(event, ChooseCard)
        after = apply_event(state, event)
        for viewer in (None, 0, 1):
            assert event.card in make_view(after, viewer).seats[state.current_player].hand


def test_a_card_that_is_played_is_no_longer_in_the_hand_that_others_see() -> None:
    placed = [(s, e) for s, e in moments() if isinstance(e, PlaceProphecy)]
    assert placed
    for state, event in placed:
        before, after = state.players[state.current_player].hand, apply_event(state, event)
        for viewer in (None, 0, 1):
            hand = make_view(after, viewer).seats[state.current_player].hand
            assert len(hand) == len(before) - 1
            assert isinstance(event, PlaceProphecy)
            assert hand.count(event.card) < before.count(event.card)


def test_after_a_discard_nobody_else_knows_which_cards_are_left() -> None:
    before = first_turn()
    taken = before.supply[0]
    player = before.players[before.current_player]
    state = before._replace(
        players=replace_item(
            before.players,
            before.current_player,
            player._replace(hand=add_sorted(player.hand, taken), shown=(taken,)),
        ),
        supply=before.supply[1:],
    )
    state = play(state, "future")
    assert make_view(state, 1).seats[0].hand == (*(UNKNOWN_CARD,) * 3, taken)
    unseen = next(card for card in state.players[0].hand if card != taken)
    state = play(state, f"discard {unseen}")
    assert taken in state.players[0].hand
    assert make_view(state, 1).seats[0].hand == (UNKNOWN_CARD,) * 3


def test_only_the_player_sees_which_cards_they_discard() -> None:
    state = play(first_turn(), "future")
    cards = state.players[state.current_player].hand[:2]
    for viewer in (None, 0, 1):
        seen = cards if viewer == state.current_player else (UNKNOWN_CARD,) * 2
        assert mask_event(state, Discard(cards), viewer) == Discard(seen)


def test_only_the_player_to_move_has_something_to_decide() -> None:
    for state, _ in moments():
        for viewer in (None, 0, 1):
            legal = make_view(state, viewer).legal
            decides = not state.draws and viewer == state.current_player
            assert bool(legal) == decides


def test_all_that_adam_has_lies_open_and_the_player_moves_it() -> None:
    solo = list(play_random_game(TableOptions(players=("Solo",)), 11, choose_builder))
    assert any(isinstance(event, AdamTurn) for _, event in solo)
    for state, event in solo:
        for viewer in (None, 0):
            seen = make_view(state, viewer)
            assert seen.adam == state.adam
            assert state.adam is not None
            assert not {wanted.card for wanted in state.adam.row} & set(seen.unseen) - TWICE
        if isinstance(event, AdamTurn):
            assert make_view(state, 0).legal == (AdamTurn(),)
            assert make_view(state, None).legal == ()


TWICE = {"P01", "P02", "P03", "P04", "P05"}


class TestAnOpenTable:
    def test_every_hand_is_shown_as_its_owner_sees_it(self) -> None:
        for state, _ in moments()[::5]:
            seen = make_open_view(state)
            assert seen.player is None
            for index, seat in enumerate(seen.seats):
                assert seat == make_view(state, index).seats[index]

    def test_what_nobody_told_stays_hidden(self) -> None:
        state = first_turn(2, hidden=True)
        state = play(state, f"choose {state.supply[0]}")
        seen = make_open_view(state)
        assert [seat.hand.count(UNKNOWN_CARD) for seat in seen.seats] == [3, 3]
        assert [seat.temples for seat in seen.seats] == [(UNKNOWN_CARD,), (UNKNOWN_CARD,)]

    def test_all_decisions_are_listed_and_no_draw(self) -> None:
        for state, _ in moments()[::5]:
            expected = () if state.draws else tuple(list_legal_actions(state))
            assert make_open_view(state).legal == expected
