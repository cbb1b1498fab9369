"""Computer players: what they do is legal, the same for the same seed, and comes to an end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.errors import OptionError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.players import Move, choose_event, choose_move, get_bot
from coatl_tools.players.expert_bot import determinize_state
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import AdamTurn, Discard, Event, Reveal
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.setup import deal_draw
from coatl_tools.rules.state import GameState, Stage, add_sorted, remove_item, replace_item
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import View, make_view
from tests.rules.positions import first_turn, play
from tests.rules.random_games import NAMES, games, many_games, solo_tables, start_state, tables
from tests.strategies import example_count

SEEDS = st.integers(0, 2**64 - 1)
MOST_EVENTS = 1000


def seat_of(state: GameState) -> int:
    return 0 if state.adam else state.current_player


def bots_play(
    options: TableOptions, seed: int, name: str = "random"
) -> Iterator[tuple[GameState, Event]]:
    """Every moment of a game that bots play, up to and with its end."""
    state, bot = start_state(options), get_bot(name)
    planned: list[Event] = []
    for _ in range(MOST_EVENTS):
        if state.stage is Stage.OVER:
            return
        if state.draws:
            event: Event = deal_draw(state, seed)
            planned = []
        else:
            planned = planned or [*choose_move(state, seat_of(state), bot, seed).events]
            event = planned.pop(0)
        yield state, event
        state = apply_event(state, event)
    raise AssertionError("the game does not end")


def bots_bring_a_game_to_its_end(options: TableOptions, seed: int) -> None:
    for name in ("random", "greedy"):
        a_bot_brings_a_game_to_its_end(options, seed, name)


def a_bot_brings_a_game_to_its_end(options: TableOptions, seed: int, name: str) -> None:
    for state, event in bots_play(options, seed, name):
        assert state.draws or event in list_legal_actions(state)
        assert not isinstance(event, Reveal)


test_bots_bring_a_game_to_its_end = games(3, bots_bring_a_game_to_its_end, tables(), SEEDS)
test_bots_bring_a_solo_game_to_its_end = games(
    4, bots_bring_a_game_to_its_end, solo_tables(), SEEDS
)
test_bots_whose_cards_are_known_play_where_hands_may_be_hidden = games(
    3, bots_bring_a_game_to_its_end, tables(hidden=True), SEEDS
)
test_bots_bring_many_games_to_their_end = many_games(
    bots_bring_a_game_to_its_end, tables() | solo_tables(), SEEDS
)


@pytest.mark.soak
def test_an_expert_brings_a_game_to_its_end() -> None:
    options = TableOptions(promo=True, golden_feathers=True, edition="fr")
    a_bot_brings_a_game_to_its_end(options, 3, "expert:2")


@pytest.mark.soak
@settings(max_examples=example_count(20_000) // 400)
@given(tables() | solo_tables(), SEEDS)
def test_experts_bring_many_games_to_their_end(options: TableOptions, seed: int) -> None:
    a_bot_brings_a_game_to_its_end(options, seed, "expert:2")


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


@pytest.mark.parametrize(("name", "least"), [("random", 20), ("greedy", 20), ("expert:2", 8)])
def test_what_a_bot_cannot_see_changes_nothing(name: str, least: int) -> None:
    """Another hand behind the opponent's backs of cards, the same move."""
    bot, compared = get_bot(name), 0
    for state, _ in bots_play(TableOptions(tokens=False), 3, name.partition(":")[0]):
        opponent = state.players[other := 1 - state.current_player]
        hidden = [card for card in opponent.hand if card not in opponent.shown]
        if (
            state.draws
            or not hidden
            or len(state.unlocated_prophecies) > 1
            or state.stage is Stage.KEEPING
        ):
            continue
        gone, come = hidden[0], state.unlocated_prophecies[0][-1]
        temple, other_temple = opponent.temples[0], state.unlocated_temples[0]
        changed = opponent._replace(
            hand=add_sorted(remove_item(opponent.hand, gone), come),
            temples=add_sorted(remove_item(opponent.temples, temple), other_temple),
        )
        swapped = state._replace(
            players=replace_item(state.players, other, changed),
            unlocated_prophecies=(
                add_sorted(remove_item(state.unlocated_prophecies[0], come), gone),
            ),
            unlocated_temples=add_sorted(
                remove_item(state.unlocated_temples, other_temple), temple
            ),
        )
        assert swapped != state
        assert choose_move(swapped, state.current_player, bot, 3) == choose_move(
            state, state.current_player, bot, 3
        )
        compared += 1
        if compared == 2 * least:
            break
    assert compared >= least


def test_a_world_that_might_be_looks_the_same_to_whoever_imagines_it() -> None:
    """Hidden cards are dealt anew, everything else is as it was."""
    options, worlds = TableOptions(players=NAMES[:3]), 0
    for state, _ in bots_play(options, 5, "greedy"):
        if state.draws or state.stage is Stage.KEEPING:
            continue
        seen = make_view(state, state.current_player)
        imagined = determinize_state(seen, Random(worlds))
        assert make_view(imagined, state.current_player) == seen
        assert len(imagined.unlocated_prophecies[0]) == imagined.deck == state.deck
        worlds += 1
    assert worlds > 50


def test_an_expert_is_the_same_for_the_same_seed_and_budget() -> None:
    states = [s for s, _ in bots_play(TableOptions(), 4, "greedy") if s.stage is Stage.READY]
    for state in states[4:16:4]:
        found = [choose_move(state, state.current_player, get_bot("expert:6"), 9) for _ in range(2)]
        assert found[0] == found[1]


@pytest.mark.parametrize("name", ["random", "greedy", "expert:2"])
def test_every_move_says_why_in_every_language(name: str) -> None:
    state, bot, told = start_state(TableOptions()), get_bot(name), set()
    for state, _ in bots_play(TableOptions(), 2, "greedy"):
        if not state.draws and (state.turns_ended % 12 == 0 or state.stage is Stage.CLOSING):
            for phrase in choose_move(state, state.current_player, bot, 2).why:
                told.add(phrase[0])
                for language in LANGUAGE_CODES:
                    assert load_language(language).sentence(*phrase).endswith(".")
    assert told


def test_greedy_beats_random() -> None:
    """A small sample: `python -m benchmarks strength` measures it."""
    points = [_points("greedy", seed) for seed in range(6)]
    assert all(mine > other for mine, other in points)


def _points(name: str, seed: int) -> tuple[int, int]:
    """What a bot and the random one score, the seats alternating."""
    state, seat = start_state(TableOptions()), seed % 2
    bots = [get_bot("random"), get_bot("random")]
    bots[seat] = get_bot(name)
    while state.stage is not Stage.OVER:
        if state.draws:
            state = apply_event(state, deal_draw(state, seed))
        else:
            state = apply_event(
                state, choose_event(state, state.current_player, bots[state.current_player], seed)
            )
    scores = [player.points for player in compute_result(state).players]
    return scores[seat], scores[1 - seat]


def test_a_bot_moves_adam_too_and_somebody_elses_turn_is_not_for_it() -> None:
    options = TableOptions(players=NAMES[:1])
    state = next(state for state, _ in bots_play(options, 1) if state.current_player == ADAM_INDEX)
    assert choose_event(state, 0, get_bot("random"), 1) == AdamTurn()
    two = next(s for s, _ in bots_play(TableOptions(), 1) if s.stage is Stage.READY)
    with pytest.raises(ValueError, match="nothing to decide"):
        choose_event(two, 1 - two.current_player, get_bot("random"), 1)


def test_a_bot_reveals_a_card_only_if_there_is_nothing_else() -> None:
    class Noting:
        seen: View | None = None

        def choose(self, view: View, number: int) -> Move:
            self.seen = view
            return Move(view.legal[:1])

    noting = Noting()
    state = next(s for s, _ in bots_play(TableOptions(), 1) if s.stage is Stage.READY)
    choose_event(state, 0, noting, 1)
    assert noting.seen
    reveal = Reveal(0, "P01")
    mixed = replace(noting.seen, legal=(reveal, *noting.seen.legal))
    alone = replace(noting.seen, legal=(reveal,))
    bot = get_bot("random")
    assert all(bot.choose(mixed, number).events != (reveal,) for number in range(200))
    assert bot.choose(alone, 7).events == (reveal,)


def test_the_greedy_bot_gives_no_card_away() -> None:
    state = play(first_turn(), "future")
    assert choose_event(state, 0, get_bot("greedy"), 1) == Discard(())


def test_an_unknown_bot_is_refused_with_the_known_names() -> None:
    with pytest.raises(OptionError, match=r"“clever”.*random, greedy, expert"):
        get_bot("clever")


@pytest.mark.parametrize("name", ["greedy:5", "expert:", "expert:0", "expert:-3", "expert:9e9"])
def test_a_budget_is_a_number_and_only_for_who_can_use_it(name: str) -> None:
    with pytest.raises(OptionError, match="expert"):
        get_bot(name)
