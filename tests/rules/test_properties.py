"""What holds in every game: nothing is lost, nothing is exceeded, everything ends."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import strategies as st

from coatl_tools.errors import IllegalActionError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import (
    UNKNOWN_CARD,
    DealProphecy,
    DealTemple,
    Discard,
    DrawnCard,
    Event,
    Keep,
    Reveal,
    format_event,
    parse_event,
)
from coatl_tools.rules.history import DoEvent, UndoTo, build_history
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import GameState, Player, Stage, digest_state
from coatl_tools.rules.table_options import TableOptions
from tests.rules.random_games import (
    Choice,
    any_event,
    check_state,
    choose_anything,
    choose_builder,
    choose_collector,
    games,
    known_table,
    many_games,
    play_random_game,
    solo_tables,
    start_state,
    tables,
)

SEEDS = st.integers(0, 2**32)
CHOICES = st.sampled_from([choose_anything, choose_builder, choose_collector])


def nothing_is_lost_and_no_limit_is_exceeded(
    options: TableOptions, seed: int, choice: Choice
) -> None:
    *_, last = moments = list(play_random_game(options, seed, choice))
    state = apply_event(*last)
    for moment in (*(before for before, _ in moments), state):
        check_state(moment)
    assert state.stage is Stage.OVER
    assert list_legal_actions(state) == []
    assert compute_result(state).winners


def what_is_listed_is_accepted_and_nothing_else(options: TableOptions, seed: int) -> None:
    rng = random.Random(seed)
    for state, _ in play_random_game(options, seed):
        if rng.random() < 0.15:
            agree(rng, state)


def agree(rng: random.Random, state: GameState) -> None:
    listed = list_legal_actions(state)
    legal = set(listed)
    assert len(legal) == len(listed), "something is listed twice"
    for event in rng.sample(listed, min(len(listed), 60)):
        apply_event(state, event)
    for _ in range(25):
        event = any_event(rng, state)
        if event in legal:
            apply_event(state, event)
        else:
            refused(state, event, legal)


def refused(state: GameState, event: Event, legal: set[Event]) -> None:
    with pytest.raises(IllegalActionError) as caught:
        apply_event(state, event)
    error = caught.value
    assert error.rule
    for code in LANGUAGE_CODES:
        assert error.rule in error.text(code)
    if error.alternative:
        assert parse_event(error.alternative) in legal


def a_game_read_back_is_the_same_game(options: TableOptions, seed: int, choice: Choice) -> None:
    moments = list(play_random_game(options, seed, choice))
    fingerprints = [digest_state(state) for state, _ in moments]
    texts = [format_event(event) for _, event in moments]
    history = build_history(start_state(options), (DoEvent(parse_event(text)) for text in texts))
    assert [digest_state(state) for state in history.states[:-1]] == fingerprints
    # undo gives back exactly what was there, and a past state never changes
    for number in (0, len(moments) // 3, len(moments) - 1):
        back = history.after(UndoTo(number))
        assert back.state == moments[number][0]
        assert digest_state(back.state) == fingerprints[number]
    assert pickle.loads(pickle.dumps(history.state)) == history.state


def what_is_possible_is_possible_with_hidden_cards(
    options: TableOptions, seed: int, choice: Choice, few: bool
) -> None:
    """A real game, and what a referee sees of it who is told only some of the cards."""
    rng = random.Random(seed)
    told = rng.choice([0.0, 0.3, 0.9])
    referee = start_state(options, few)
    for state, event in play_random_game(known_table(options), seed, choice, few):
        check_state(referee)
        assert (referee.current_player, referee.stage, referee.draws) == (
            state.current_player,
            state.stage,
            state.draws,
        )
        assert [len(p.hand) for p in referee.players] == [len(p.hand) for p in state.players]
        if rng.random() < 0.02:
            agree(rng, referee)
        referee = apply_event(referee, as_told(rng, referee, event, told))
    assert referee.stage is Stage.OVER or not referee.draws


def as_told(rng: random.Random, referee: GameState, event: Event, told: float) -> Event:
    """An event as the people at the table report it."""
    player = referee.players[min(referee.current_player, len(referee.players) - 1)]
    match event:
        case DealProphecy(index, _) if rng.random() >= told:
            return DealProphecy(index, UNKNOWN_CARD)
        case DealTemple(index, _) if rng.random() >= told:
            return DealTemple(index, UNKNOWN_CARD)
        case DrawnCard(_) if rng.random() >= told:
            return DrawnCard(UNKNOWN_CARD)
        case Keep(cards):
            return Keep(as_known(player, cards))
        case Discard(cards):
            unseen = UNKNOWN_CARD in "".join(player.hand) and rng.random() >= told
            return Discard((UNKNOWN_CARD,) * len(cards) if unseen else as_known(player, cards))
    return event


def as_known(player: Player, cards: tuple[str, ...]) -> tuple[str, ...]:
    """These cards of a real hand, as far as the referee knows them."""
    hand, found = list(player.hand), []
    for card in cards:
        if card in hand:
            hand.remove(card)
            found.append(card)
        else:
            found.append(UNKNOWN_CARD)
    return tuple(found)


def hidden_cards_that_are_told_are_what_they_were(
    options: TableOptions, seed: int, few: bool
) -> None:
    """Reveals of the true cards are always possible, and lead to the true game."""
    rng = random.Random(seed)
    referee = start_state(options, few)
    for state, event in play_random_game(known_table(options), seed, choose_builder, few):
        for index, real in enumerate(state.players):
            hidden = list(real.hand)
            for card in referee.players[index].hand:
                if card in hidden:
                    hidden.remove(card)
            if hidden and not referee.draws and rng.random() < 0.1:
                referee = apply_event(referee, Reveal(index, rng.choice(hidden)))
                check_state(referee)
        referee = apply_event(referee, as_told(rng, referee, event, 0.2))


# Each in a few games in the suite, in many in `make soak`.
test_nothing_is_lost_and_no_limit_is_exceeded = games(
    15, nothing_is_lost_and_no_limit_is_exceeded, tables(), SEEDS, CHOICES
)
test_what_is_listed_is_accepted_and_nothing_else = games(
    5, what_is_listed_is_accepted_and_nothing_else, tables(), SEEDS
)
test_a_game_read_back_is_the_same_game = games(
    8, a_game_read_back_is_the_same_game, tables(), SEEDS, CHOICES
)
test_what_is_possible_is_possible_with_hidden_cards = games(
    7,
    what_is_possible_is_possible_with_hidden_cards,
    tables(hidden=True),
    SEEDS,
    CHOICES,
    st.booleans(),
)
test_hidden_cards_that_are_told_are_what_they_were = games(
    8, hidden_cards_that_are_told_are_what_they_were, tables(hidden=True), SEEDS, st.booleans()
)

test_in_many_games_nothing_is_lost_and_no_limit_is_exceeded = many_games(
    nothing_is_lost_and_no_limit_is_exceeded, tables(), SEEDS, CHOICES
)
test_in_many_games_what_is_listed_is_accepted_and_nothing_else = many_games(
    what_is_listed_is_accepted_and_nothing_else, tables(), SEEDS
)
test_in_many_games_a_game_read_back_is_the_same_game = many_games(
    a_game_read_back_is_the_same_game, tables(), SEEDS, CHOICES
)
test_in_many_games_what_is_possible_is_possible_with_hidden_cards = many_games(
    what_is_possible_is_possible_with_hidden_cards,
    tables(hidden=True),
    SEEDS,
    CHOICES,
    st.booleans(),
)
test_in_many_games_hidden_cards_that_are_told_are_what_they_were = many_games(
    hidden_cards_that_are_told_are_what_they_were, tables(hidden=True), SEEDS, st.booleans()
)

# The same against A.D.A.M.
test_solo_nothing_is_lost_and_no_limit_is_exceeded = games(
    12, nothing_is_lost_and_no_limit_is_exceeded, solo_tables(), SEEDS, CHOICES
)
test_solo_what_is_listed_is_accepted_and_nothing_else = games(
    4, what_is_listed_is_accepted_and_nothing_else, solo_tables(), SEEDS
)
test_solo_a_game_read_back_is_the_same_game = games(
    6, a_game_read_back_is_the_same_game, solo_tables(), SEEDS, CHOICES
)
test_solo_what_is_possible_is_possible_with_hidden_cards = games(
    6,
    what_is_possible_is_possible_with_hidden_cards,
    solo_tables(hidden=True),
    SEEDS,
    CHOICES,
    st.booleans(),
)
test_solo_hidden_cards_that_are_told_are_what_they_were = games(
    8,
    hidden_cards_that_are_told_are_what_they_were,
    solo_tables(hidden=True),
    SEEDS,
    st.booleans(),
)

test_in_many_solo_games_nothing_is_lost_and_no_limit_is_exceeded = many_games(
    nothing_is_lost_and_no_limit_is_exceeded, solo_tables(), SEEDS, CHOICES
)
test_in_many_solo_games_what_is_listed_is_accepted_and_nothing_else = many_games(
    what_is_listed_is_accepted_and_nothing_else, solo_tables(), SEEDS
)
test_in_many_solo_games_what_is_possible_is_possible_with_hidden_cards = many_games(
    what_is_possible_is_possible_with_hidden_cards,
    solo_tables(hidden=True),
    SEEDS,
    CHOICES,
    st.booleans(),
)
