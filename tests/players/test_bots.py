"""Computer players: what they do is legal, the same for the same seed, and comes to an end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import strategies as st

from coatl_tools.errors import OptionError
from coatl_tools.players import BOTS, Move, bot_named, decide
from coatl_tools.rules.box import ADAM
from coatl_tools.rules.dealer import deal
from coatl_tools.rules.engine import apply, legal_actions
from coatl_tools.rules.events import AdamTurn, Event, Reveal
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.state import Stage, State, joined, replaced, without
from coatl_tools.rules.views import View
from tests.rules.games import NAMES, first, games, many_games, solo_tables, tables

SEEDS = st.integers(0, 2**64 - 1)
MOST_EVENTS = 1000


def seat_of(state: State) -> int:
    return 0 if state.adam else state.turn


def bots_play(
    options: TableOptions, seed: int, name: str = "random"
) -> Iterator[tuple[State, Event]]:
    """Every moment of a game that bots play, up to and with its end."""
    state, bot = first(options), bot_named(name)
    for _ in range(MOST_EVENTS):
        if state.stage is Stage.OVER:
            return
        event = deal(state, seed) if state.draws else decide(state, seat_of(state), bot, seed)
        yield state, event
        state = apply(state, event)
    raise AssertionError("the game does not end")


def bots_bring_a_game_to_its_end(options: TableOptions, seed: int) -> None:
    for name in BOTS:
        for state, event in bots_play(options, seed, name):
            assert state.draws or event in legal_actions(state)
            assert not isinstance(event, Reveal)


test_bots_bring_a_game_to_its_end = games(6, bots_bring_a_game_to_its_end, tables(), SEEDS)
test_bots_bring_a_solo_game_to_its_end = games(
    4, bots_bring_a_game_to_its_end, solo_tables(), SEEDS
)
test_bots_whose_cards_are_known_play_where_hands_may_be_hidden = games(
    4, bots_bring_a_game_to_its_end, tables(hidden=True), SEEDS
)
test_bots_bring_many_games_to_their_end = many_games(
    bots_bring_a_game_to_its_end, tables() | solo_tables(), SEEDS
)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_games_of_random_bots_have_a_length_that_people_can_follow(players: int) -> None:
    options = TableOptions(players=NAMES[:players])
    lengths = sorted(len(list(bots_play(options, seed))) for seed in range(4))
    assert lengths[len(lengths) // 2] < 150 * max(players, 2)


def test_the_same_seed_gives_the_same_game_and_another_one_does_not() -> None:
    options = TableOptions(players=NAMES[:3])
    one = [event for _, event in bots_play(options, 5)]
    assert one == [event for _, event in bots_play(options, 5)]
    assert one != [event for _, event in bots_play(options, 6)]


def test_what_a_bot_cannot_see_changes_nothing() -> None:
    """Another hand behind the opponent's backs of cards, the same decision."""
    bot, compared = bot_named("random"), 0
    for state, _ in bots_play(TableOptions(tokens=False), 3):
        opponent = state.players[other := 1 - state.turn]
        hidden = [card for card in opponent.hand if card not in opponent.shown]
        if state.draws or not hidden or len(state.free) > 1 or state.stage is Stage.KEEPING:
            continue
        gone, come = hidden[0], state.free[0][-1]
        hand = joined(without(opponent.hand, gone), come)
        changed = state._replace(
            players=replaced(state.players, other, opponent._replace(hand=hand)),
            free=(joined(without(state.free[0], come), gone),),
        )
        assert changed != state or gone == come
        assert decide(changed, state.turn, bot, 3) == decide(state, state.turn, bot, 3)
        compared += 1
    assert compared > 20


def test_a_bot_moves_adam_too_and_somebody_elses_turn_is_not_for_it() -> None:
    options = TableOptions(players=NAMES[:1])
    state = next(state for state, _ in bots_play(options, 1) if state.turn == ADAM)
    assert decide(state, 0, bot_named("random"), 1) == AdamTurn()
    two = next(s for s, _ in bots_play(TableOptions(), 1) if s.stage is Stage.READY)
    with pytest.raises(ValueError, match="nothing to decide"):
        decide(two, 1 - two.turn, bot_named("random"), 1)


def test_a_bot_reveals_a_card_only_if_there_is_nothing_else() -> None:
    class Noting:
        seen: View | None = None

        def choose(self, seen: View, number: int) -> Move:
            self.seen = seen
            return Move(seen.legal[:1])

    noting = Noting()
    state = next(s for s, _ in bots_play(TableOptions(), 1) if s.stage is Stage.READY)
    decide(state, 0, noting, 1)
    assert noting.seen
    reveal = Reveal(0, "P01")
    mixed = replace(noting.seen, legal=(reveal, *noting.seen.legal))
    alone = replace(noting.seen, legal=(reveal,))
    bot = bot_named("random")
    assert all(bot.choose(mixed, number).events != (reveal,) for number in range(200))
    assert bot.choose(alone, 7).events == (reveal,)


def test_an_unknown_bot_is_refused_with_the_known_names() -> None:
    with pytest.raises(OptionError, match=r"“clever”.*random"):
        bot_named("clever")
