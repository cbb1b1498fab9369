"""A game joined midway goes on like the real one; what cannot be is refused, and it is said why."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.errors import PositionError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.constants import ADAM_INDEX, TOKENS
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import UNKNOWN_CARD
from coatl_tools.rules.game import Game
from coatl_tools.rules.position.position import (
    Position,
    PositionSeat,
    build_state,
)
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import Adam, Built, Ending, GameState, Stage, Turn, Wanted
from coatl_tools.rules.table_options import TableOptions
from tests.positions import extract_position
from tests.rules.positions import table
from tests.rules.random_games import (
    Choice,
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
from tests.rules.test_properties import as_told

SEEDS = st.integers(0, 2**32)
CHOICES = st.sampled_from([choose_anything, choose_builder, choose_collector])
TURN_STARTS = (Stage.READY, Stage.ADAMS_TURN)


def is_start_of_turn(state: GameState) -> bool:
    return state.stage in TURN_STARTS and not state.draws


def as_entered(state: GameState) -> GameState:
    """A state without what nobody can see: draws and turns so far, and the ages of hidden cards."""
    players = tuple(
        player._replace(
            hand=tuple(card[:1] if card[0] == UNKNOWN_CARD else card for card in player.hand),
            discarded=tuple(
                card[:1] if card[0] == UNKNOWN_CARD else card for card in player.discarded
            ),
            among=(),
        )
        for player in state.players
    )
    among = sum((player.among for player in state.players), ())
    free = tuple(sorted(sum(state.unlocated_prophecies, ()) + among))
    return state._replace(
        turns_ended=0, draws_answered=0, unlocated_prophecies=(free,), players=players
    )


def a_game_joined_midway_goes_on(
    options: TableOptions, seed: int, choice: Choice, few: bool
) -> None:
    rng, joined = random.Random(seed), None
    for state, event in play_random_game(options, seed, choice, few):
        if is_start_of_turn(state) and (joined is None or rng.random() < 0.2):
            joined = build_state(state.game, extract_position(state))
            assert joined == as_entered(state)
            assert list_legal_actions(joined) == list_legal_actions(state)
        if joined is not None:
            check_state(joined)
            joined = apply_event(joined, event)
    assert joined is not None
    assert joined.stage is Stage.OVER


def a_table_with_hidden_hands_joined_midway_goes_on(
    options: TableOptions, seed: int, choice: Choice, few: bool
) -> None:
    rng = random.Random(seed)
    told = rng.choice([0.0, 0.3, 0.9])
    referee, joined = start_state(options, few), False
    for state, event in play_random_game(known_table(options), seed, choice, few):
        if is_start_of_turn(referee) and rng.random() < 0.2:
            before = referee
            referee, joined = build_state(referee.game, extract_position(referee)), True
            assert referee == as_entered(before)
            assert set(list_legal_actions(before)) <= set(list_legal_actions(referee))
        if joined:
            check_state(referee)
        assert [len(p.hand) for p in referee.players] == [len(p.hand) for p in state.players]
        referee = apply_event(referee, as_told(rng, referee, event, told))
    assert referee.stage is Stage.OVER


def forgotten_discards_are_found_again(options: TableOptions, seed: int, few: bool) -> None:
    """Nobody remembers any discard: what really happens is possible all the same."""
    rng, referee = random.Random(seed), start_state(options, few)
    for _, event in play_random_game(known_table(options), seed, choose_builder, few):
        if is_start_of_turn(referee) and rng.random() < 0.2:
            position = extract_position(referee)
            number = len(position.discards) + sum(len(s.discarded) for s in position.seats)
            position = replace(
                position,
                discards=(UNKNOWN_CARD,) * number,
                seats=tuple(replace(seat, discarded=()) for seat in position.seats),
            )
            joined = build_state(referee.game, position)
            assert joined.deck == referee.deck
            referee = joined
            check_state(referee)
        referee = apply_event(referee, as_told(rng, referee, event, 0.3))
    assert referee.stage is Stage.OVER


JOINED = (tables(), SEEDS, CHOICES, st.booleans())
HIDDEN = (tables(hidden=True), SEEDS, CHOICES, st.booleans())
SOLO = (solo_tables(), SEEDS, CHOICES, st.booleans())
SOLO_HIDDEN = (solo_tables(hidden=True), SEEDS, CHOICES, st.booleans())

test_a_game_joined_midway_goes_on = games(7, a_game_joined_midway_goes_on, *JOINED)
test_a_solo_game_joined_midway_goes_on = games(6, a_game_joined_midway_goes_on, *SOLO)
test_a_table_with_hidden_hands_joined_midway_goes_on = games(
    6, a_table_with_hidden_hands_joined_midway_goes_on, *HIDDEN
)
test_a_solo_table_with_hidden_hands_joined_midway_goes_on = games(
    8, a_table_with_hidden_hands_joined_midway_goes_on, *SOLO_HIDDEN
)
test_forgotten_discards_are_found_again = games(
    6, forgotten_discards_are_found_again, tables(hidden=True), SEEDS, st.booleans()
)
test_many_games_joined_midway_go_on = many_games(a_game_joined_midway_goes_on, *JOINED)
test_many_solo_games_joined_midway_go_on = many_games(a_game_joined_midway_goes_on, *SOLO)
test_many_hidden_tables_joined_midway_go_on = many_games(
    a_table_with_hidden_hands_joined_midway_goes_on, *HIDDEN
)
test_in_many_games_forgotten_discards_are_found_again = many_games(
    forgotten_discards_are_found_again, tables(hidden=True), SEEDS, st.booleans()
)

SPACES = tuple(
    tuple(word.split("+"))
    for word in ("R+R", "G+G", "B+B", "Y+Y", "K+K", "R+G", "<R", "<G", "R>", "G>")
)
SUPPLY = ("P30", "P31", "P32", "P33", "P34", "P35")


def built(text: str, cards: str = "", temple: str = "") -> Built:
    return Built(text, tuple(cards.split()), temple)


def game(players: int = 2, **options: Any) -> Game:
    return new_game(table(players, **options), load_cards().deck(options.get("promo", False))).game


def position(*seats: PositionSeat, **changes: Any) -> Position:
    seats = (*seats, *(PositionSeat() for _ in range(2 - len(seats))))
    values: dict[str, Any] = {
        "turn": 0,
        "spaces": SPACES,
        "supply": SUPPLY,
        "tops": ("T14", "T15"),
        "seats": seats,
    }
    return Position(**values | changes)


def test_bags_decks_and_piles_are_what_is_left() -> None:
    seat = PositionSeat(
        board=("<B", "R"),
        coatls=(built("<RBBR>", "P29", "T03"), built("YG")),
        hand=("P01",),
        temples=("T01",),
        tokens=TOKENS,
    )
    state = build_state(game(), position(seat, discards=("P02",)))
    assert state.stage is Stage.READY
    assert (state.current_player, state.actions_left) == (0, 1)
    assert state.bodies == (24 - 4, 24 - 4, 24 - 4, 24 - 3, 24 - 2, 0)
    assert state.heads == (1, 2, 2, 3, 3)
    assert state.tails == (1, 2, 3, 3, 3)
    assert state.deck == len(state.unlocated_prophecies[0]) == 54 - 6 - 3
    assert "P01" in state.unlocated_prophecies[0]  # there is a second copy
    assert "P29" not in state.unlocated_prophecies[0]
    assert [pile.below for pile in state.piles] == [6, 5]  # as equal as possible
    assert [coatl.complete for coatl in state.players[0].coatls] == [True, False]
    check_state(state)


def test_counted_piles_stay_as_they_were_counted() -> None:
    one = build_state(game(), position(below=(2, None)))
    assert [pile.below for pile in one.piles] == [2, 11]
    emptied = build_state(game(), position(tops=("", "T15")))
    assert [pile.below for pile in emptied.piles] == [0, 14]


THREE = (built("<RRR>", "P02"), built("<GGG>", "P13"), built("<BBB>", "P29"))


def ended(turn: int, ender: int) -> GameState:
    """A table of four, one of whom has three complete Cóatls."""
    seats = [PositionSeat(coatls=THREE if index == ender else ()) for index in range(4)]
    return build_state(game(4), position(*seats, turn=turn, ending=Ending("third", ender)))


@pytest.mark.parametrize(
    ("turn", "actions", "last"),
    [
        (2, 2, (Turn(3, 2), Turn(0, 1))),
        (3, 2, (Turn(0, 1),)),
        (0, 1, ()),
    ],
)
def test_rule_6_1_final_turns_follow_from_whose_turn_it_is(
    turn: int, actions: int, last: tuple[Turn, ...]
) -> None:
    state = ended(turn, 1)
    assert (state.actions_left, state.final_turns) == (actions, last)


def test_rule_6_1_who_triggered_the_end_does_not_play_again() -> None:
    with pytest.raises(PositionError, match=r"Rule 6\.1.*East"):
        ended(1, 1)


def no_bodies_left(turn: int, ender: int, final: bool | None) -> GameState:
    """A table of two, all 70 body segments of which are built into long Cóatls."""
    spaces = ((),) * 6 + SPACES[6:]
    long = tuple(built(colour * 14) for colour in "RGBY")
    seats = (
        PositionSeat(coatls=long[:2], board=("K",) * 7),
        PositionSeat(coatls=long[2:], board=("K",) * 7),
    )
    changes: dict[str, Any] = {"turn": turn, "ending": Ending("bodies", ender), "final": final}
    return build_state(game(fewer_bodies=True), position(*seats, spaces=spaces, **changes))


def test_rule_6_2_everybody_has_equal_turns_then_a_final_one() -> None:
    assert no_bodies_left(1, 0, final=False).final_turns == (Turn(0, 1), Turn(1, 1))
    assert no_bodies_left(1, 0, final=True).final_turns == ()
    assert no_bodies_left(0, 0, final=None).final_turns == (Turn(1, 1),)
    with pytest.raises(PositionError, match=r"Rule 6\.2.*final turn of East"):
        no_bodies_left(1, 0, final=None)


def seat_of(**changes: Any) -> Callable[[], GameState]:
    return lambda: build_state(game(), position(PositionSeat(**changes)))


def at(options: dict[str, Any], **changes: Any) -> Callable[[], GameState]:
    return lambda: build_state(game(**options), position(**changes))


def solo(adam: Adam | None) -> Callable[[], GameState]:
    seats = (PositionSeat(),)
    return lambda: build_state(game(1), replace(position(), seats=seats, adam=adam))


ROW = (Wanted("P06"), Wanted("P07"), Wanted("P08"))
LEVEL = (PositionSeat(coatls=(built("<RRR>", "P02"),)),)

REFUSED: dict[str, tuple[Callable[[], GameState], str, str]] = {
    "a board of nine": (seat_of(board=("R",) * 9), "1.5", "North"),
    "a piece that is none": (seat_of(board=("Q",)), "1.1", "“Q”"),
    "gold without the variant": (seat_of(board=("F",)), "10.3", "North"),
    "gold beside the board": (seat_of(golden=1), "10.3", "North"),
    "six cards in hand": (seat_of(hand=("P01", *SUPPLY[:5])), "3.4", "North"),
    "a hidden card at an open table": (seat_of(hand=("?",)), "9.17", "North"),
    "an unknown card": (seat_of(hand=("X99",)), "1.3", "X99"),
    "a Temple among Prophecies": (seat_of(hand=("T01",)), "1.3", "T01"),
    "a Prophecy among Temples": (seat_of(temples=("P01",)), "1.3", "P01"),
    "two Temples without a token": (seat_of(temples=("T01", "T02"), tokens=TOKENS), "3.16", "2"),
    "an unknown token": (seat_of(tokens=("wand",)), "1.5", "wand"),
    "three open Cóatls": (seat_of(coatls=(built("R"), built("G"), built("B"))), "3.6", "North"),
    "a head on a tail": (seat_of(coatls=(built("<RG>", "P02"),)), "3.7", "North, Cóatl 1"),
    "complete without a card": (seat_of(coatls=(built("<RRR>"),)), "3.10", "North, Cóatl 1"),
    "five Prophecies": (
        seat_of(coatls=(built("RR", "P01 P02 P03 P04 P05"),)),
        "3.9",
        "North, Cóatl 1",
    ),
    "identical Prophecies": (seat_of(coatls=(built("RR", "P01 P01"),)), "3.9", "P01"),
    "a Temple beside an open Cóatl": (
        seat_of(coatls=(built("<RR", "P01", "T01"),)),
        "3.11",
        "North, Cóatl 1",
    ),
    "four red heads": (
        seat_of(board=("<R", "<R", "<R")),
        "1.2",
        "In the game: 3; seen: on space 7, on the board of North ×3",
    ),
    "a card there twice": (seat_of(hand=("P30",)), "1.3", "in the face-up supply, in the hand of"),
    "three complete without an end": (seat_of(coatls=THREE), "6.1", "North"),
    "nine spaces": (at({}, spaces=SPACES[:9]), "1.4", "9"),
    "a head on a body space": (at({}, spaces=(("<R",), *SPACES[1:])), "1.4", "space 1"),
    "one piece on a body space": (at({}, spaces=(("R",), *SPACES[1:])), "1.4", "space 1"),
    "no body on the board": (at({}, spaces=((),) * 6 + SPACES[6:]), "3.2", "replenished"),
    "no head and no tail": (at({}, spaces=SPACES[:6] + ((),) * 4), "3.2", "replenished"),
    "five cards in the supply": (at({}, supply=SUPPLY[:5]), "3.5", "49"),
    "seven cards in the supply": (at({}, supply=(*SUPPLY, "P36")), "2.4", "7"),
    "an unknown discard at an open table": (at({}, discards=("?",)), "9.17", "discards"),
    "too many cards below": (at({}, below=(7, 7)), "2.3", "13"),
    "a Temple pile without a top": (at({}, tops=("", "T15"), below=(3, None)), "2.3", "14"),
    "no such player": (at({}, turn=2), "2.2", "player 3"),
    "a seat too many": (
        at({}, seats=(PositionSeat(),) * 3),
        "2.2",
        "The table has 2 players, but there are 3 here",
    ),
    "everybody passed": (at({}, passes=2), "9.2", "2"),
    "bodies are there": (at({}, ending=Ending("bodies", 0)), "6.2", "body segments"),
    "nobody has three": (at({}, ending=Ending("third", 1)), "6.1", "East"),
    "the third is incomplete": (
        at(
            {},
            seats=(PositionSeat(), PositionSeat(coatls=(*THREE[:2], built("B")))),
            ending=Ending("third", 1),
        ),
        "6.1",
        "East",
    ),
    "four Cóatls in French": (
        at(
            {"edition": "fr"},
            seats=(PositionSeat(coatls=(*THREE, built("Y"))), PositionSeat()),
        ),
        "8.2",
        "North",
    ),
    "A.D.A.M. among several": (at({}, adam=Adam(ROW)), "7.1", "A.D.A.M."),
    "solo without A.D.A.M.": (solo(None), "7.1", "A.D.A.M."),
    "a long row": (solo(Adam((*ROW, Wanted("P09")))), "7.1", "A.D.A.M."),
    "a short row": (solo(Adam(ROW[:2])), "7.7", "A.D.A.M."),
    "pieces that a card does not need": (
        solo(Adam((Wanted("P06", ("K", "K", "K", "K", "K", "K", "K", "K")), *ROW[1:]))),
        "7.5",
        "P06",
    ),
    "a Temple card in a solo hand": (
        lambda: build_state(
            game(1),
            replace(position(), seats=(PositionSeat(temples=("T01",)),), adam=Adam(ROW)),
        ),
        "9.9",
        "North",
    ),
    "level 4": (
        lambda: build_state(game(1, levels=(4,)), replace(position(), seats=LEVEL, adam=Adam(ROW))),
        "7.10",
        "North, Cóatl 1",
    ),
    "a solo game that is over": (
        lambda: build_state(
            game(1), replace(position(), seats=(PositionSeat(coatls=THREE),), adam=Adam(ROW))
        ),
        "7.9",
        "over",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_with_rule_and_place(name: str) -> None:
    make, rule, said = REFUSED[name]
    with pytest.raises(PositionError) as caught:
        make()
    error = caught.value
    assert error.rule == rule
    assert said in str(error)
    assert len({error.text(language) for language in LANGUAGE_CODES}) == len(LANGUAGE_CODES)
    assert all(rule in error.text(language) for language in LANGUAGE_CODES)


def test_ruling_9_12_a_card_that_was_broken_may_lie_there() -> None:
    state = build_state(game(), position(PositionSeat(coatls=(built("<GGG>", "P02"),))))
    assert state.players[0].coatls[0].complete


def test_solo_begins_with_whose_turn_it_is() -> None:
    adams = replace(position(), seats=(PositionSeat(),), adam=Adam(ROW), turn=ADAM_INDEX)
    assert build_state(game(1), adams).stage is Stage.ADAMS_TURN
    assert build_state(game(1), replace(adams, turn=0)).stage is Stage.READY


def test_hidden_cards_are_counted() -> None:
    hidden = PositionSeat(hand=("?", "?", "P01"), temples=("?",))
    state = build_state(game(hidden_hands=True), position(hidden, discards=("?", "P02")))
    assert state.players[0].hand == ("?", "?", "P01")
    assert state.deck == 54 - 6 - 2 - 3
    assert len(state.unlocated_prophecies[0]) == 54 - 6 - 2
    assert sum(pile.below for pile in state.piles) == 15 - 2 - 1
    check_state(state)
    with pytest.raises(PositionError, match=r"Rule 1\.3"):
        build_state(game(hidden_hands=True), position(discards=("?",) * 49))
