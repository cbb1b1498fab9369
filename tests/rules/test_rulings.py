"""Rulings where the rulebooks are silent (9.1 to 9.4, 9.6, 9.11 to 9.14), and their options."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from typing import Any

import pytest

from coatl_tools import load_cards
from coatl_tools.errors import OptionError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import apply_event, get_awaited
from coatl_tools.rules.events import ChooseCard, DrawCard, Pass, parse_event
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import Built, FillDraw, Player, Stage, SupplyDraw, Turn
from coatl_tools.rules.table_options import TableOptions
from tests.rules.positions import (
    EAST,
    NORTH,
    SOUTH,
    answer_draws,
    complete,
    expect_refusal,
    final_turn,
    is_legal,
    play,
    scene,
    seat,
    start_game,
    table,
)

DEFAULTS: dict[str, Any] = {
    "players": ("North", "South"),
    "edition": "en",
    "tokens": True,
    "promo": False,
    "fewer_bodies": False,
    "golden_feathers": False,
    "hidden_hands": False,
    "temple_required": False,  # ruling 9.3
    "space_kinds": "bbbbbbhhtt",  # ruling 9.6
    "levels": (),
    "level5_refill": 4,  # ruling 9.7
    "solo_final_turns": False,  # ruling 9.8
    "solo_temple_in_hand": False,  # ruling 9.9
    "closed_ends": False,  # ruling 9.11
}


@pytest.mark.rule("9.1")
def test_an_empty_deck_is_rebuilt_from_the_discards() -> None:
    state = apply_event(scene(deck=0), parse_event("draw"))
    discarded = 54 - 6
    assert (state.deck, state.discards) == (discarded, ())
    state = apply_event(state, parse_event("drawn P40"))
    assert state.players[NORTH].hand == ("P40",)
    assert state.deck == discarded - 1


@pytest.mark.rule("9.1")
def test_hand_discards_come_back_too() -> None:
    north = seat(hand="P16")._replace(discarded=("P40", "P41"))
    state = scene(north, discards="P40 P41", deck=0)
    state = state._replace(discards=tuple(c for c in state.discards if c not in ("P40", "P41")))
    state = apply_event(state, parse_event("draw"))
    assert state.players[NORTH].discarded == ()
    assert is_legal(state, "drawn P41")
    assert not is_legal(state, "drawn P16")


@pytest.mark.rule("9.1")
def test_cards_discarded_in_the_setup_are_cards_to_draw() -> None:
    cards = "P01 P02 P03 P04 P05 P30 P31 P32 T14 T15"  # 13 Prophecy cards: all are dealt
    deck = [card for card in load_cards().deck() if card.id in cards.split()]
    state = play(answer_draws(new_game(table(2), deck)), "keep", "keep")
    assert (state.deck, state.discards) == (0, ())
    state = play(state, "draw", "end")
    assert len(state.players[NORTH].hand) == 1
    assert state.deck == 6


@pytest.mark.rule("9.1")
def test_the_supply_is_refilled_from_cards_discarded_in_the_setup() -> None:
    cards = "P01 P02 P03 P04 P05 P30 P31 P32 T14 T15"
    deck = [card for card in load_cards().deck() if card.id in cards.split()]
    state = play(answer_draws(new_game(table(2), deck)), "keep", "keep")
    state = play(state, f"choose {state.supply[0]}", "end")
    assert (len(state.supply), state.deck) == (6, 6)


@pytest.mark.rule("9.1")
def test_the_deck_is_rebuilt_only_when_a_card_is_needed() -> None:
    state = play(scene(deck=1), "draw")
    assert state.deck == 0
    assert len(state.discards) == 54 - 6 - 1
    state = apply_event(play(state, "choose P30"), parse_event("end"))
    assert state.discards == ()
    assert get_awaited(state) == SupplyDraw()


@pytest.mark.rule("9.1")
def test_what_see_the_future_just_discarded_comes_back() -> None:
    state = scene(deck=2)
    rest = 54 - 6 - 2
    state = apply_event(state, parse_event("future"))
    assert len(state.discards) == rest + 6
    state = apply_event(apply_event(state, parse_event("supply P48")), parse_event("supply P49"))
    assert state.deck == rest + 6
    assert is_legal(state, "supply P30")


@pytest.mark.rule("9.1")
def test_without_discards_the_supply_stays_short() -> None:
    cards = "P01 P02 P03 P04 P05 P30 P31 P32 T14 T15"  # 13 of them
    state = scene(
        seat(hand="P03 P04"),
        seat(hand="P01 P02 P03 P04 P05", temples="T14"),
        supply="P30 P31 P32 P05 P01",
        cards=cards,
        piles=("T15", ""),
    )
    assert state.deck == 1
    state = play(state, "choose P30", "choose P31", "end")
    assert state.supply == ("P32", "P05", "P01", "P02")
    assert state.current_player == EAST


NO_TAILS = "RR GG BB YY KK RG <R <G - -"


def stuck(board: str = "R> R> R> G> G> G> B> B>", other: str = "<GK") -> Player:
    """A player who can do nothing: no room, no piece to attach, no card to place, no token."""
    return seat(board, ["<RY", other], "P06 P07 P08 P09 P10", tokens=())


@pytest.mark.rule("9.2")
def test_whoever_can_do_nothing_else_passes() -> None:
    state = scene(stuck(), spaces=NO_TAILS)
    assert list_legal_actions(state) == [Pass()]
    state = play(state, "pass")
    assert state.current_player == EAST
    assert state.ending is None


@pytest.mark.rule("9.2")
@pytest.mark.parametrize(
    "player",
    [
        stuck()._replace(tokens=("see_the_future",)),
        stuck()._replace(tokens=("priest_commitment",)),
        stuck()._replace(hand=("P06", "P07")),
        stuck("R> R> R> G> G> G> B>"),
        stuck("R> R> R> G> G> G> B> B", other="GK>"),
    ],
)
def test_nobody_else_may_pass(player: Player) -> None:
    state = scene(player, spaces=NO_TAILS)
    error = expect_refusal(state, "pass")
    assert error.rule == "9.2"


@pytest.mark.rule("9.2")
def test_a_token_that_cannot_be_used_does_not_forbid_passing() -> None:
    state = scene(stuck()._replace(tokens=("perfect_pick",)), spaces=NO_TAILS)
    assert list_legal_actions(state) == [Pass()]


@pytest.mark.rule("9.2")
def test_when_all_pass_one_after_the_other_the_game_is_over() -> None:
    east = seat("Y> Y> Y> K> K> K> B> <Y", ["<BR", "<KR"], "P11 P12 P13 P14 P15", tokens=())
    state = scene(stuck(), east, spaces=NO_TAILS)
    state = play(state, "pass")
    assert state.stage is Stage.READY
    state = play(state, "pass")
    assert state.stage is Stage.OVER
    assert get_awaited(state) is None
    assert compute_result(state).winners == (NORTH, EAST)


@pytest.mark.rule("9.2")
def test_passes_count_only_one_after_the_other() -> None:
    state = scene(stuck(), seat("R G"), spaces=NO_TAILS)
    state = play(state, "pass", "begin R", "end", "pass")
    assert state.stage is Stage.READY


@pytest.mark.rule("9.3")
def test_placing_a_temple_may_be_made_mandatory() -> None:
    north = seat("B>", [Built("<GK", ("P20",))], temples="T01")
    for temple_required in (False, True):
        state = scene(north, temple_required=temple_required)
        state = play(state, "add B> to 1 tail")
        if not temple_required:
            assert is_legal(state, "complete")
            continue
        error = expect_refusal(state, "complete")
        assert error.rule == "9.3"
        assert is_legal(state, "temple T01 on 1")


@pytest.mark.rule("9.3")
def test_a_mandatory_temple_is_placed_only_if_one_fits() -> None:
    north = seat("B>", [Built("<YYGGK", ("P16",))], temples="T01")
    state = scene(north, temple_required=True, piles=("T02", "T03"))
    state = play(state, "add B> to 1 tail")
    assert is_legal(state, "complete")


@pytest.mark.rule("9.4")
def test_see_the_future_with_a_full_hand_and_no_discard_chooses_nothing() -> None:
    state = play(scene(seat(hand="P01 P02 P16 P40 P41")), "future", "discard")
    assert state.current_player == EAST
    assert state.players[NORTH].hand == ("P01", "P02", "P16", "P40", "P41")


@pytest.mark.rule("9.4")
def test_see_the_future_with_room_takes_a_card_at_least() -> None:
    state = play(scene(seat(hand="P01 P02 P16 P40 P41")), "future", "discard P01")
    assert expect_refusal(state, "end").rule == "9.4"
    assert expect_refusal(state, "take 1").rule == "9.4"
    kinds = {type(event) for event in list_legal_actions(state)}
    assert kinds == {ChooseCard, DrawCard}
    assert play(state, "draw", "end").current_player == EAST


@pytest.mark.rule("9.4")
def test_see_the_future_with_no_card_left_in_the_game_takes_none() -> None:
    cards = "P01 P02 P03 P04 P05 P30 P31 P32 T14 T15"
    long = Built("RRBBBYYYKKYYGGRR", ("P05", "P01", "P30", "P31"))
    longer = Built("GGRRR", ("P32",))
    east = seat(coatls=[long, longer], hand="P01 P02 P03 P04 P05", temples="T14")
    north = seat(hand="P02 P03 P04")
    state = scene(north, east, supply="", cards=cards, piles=("T15", ""))
    assert state.deck == 0
    state = play(state, "future", "discard")
    assert state.current_player == EAST


@pytest.mark.rule("9.6")
def test_spaces_have_numbers_bodies_first_then_heads_then_tails() -> None:
    state = answer_draws(start_game())
    kinds = ["h" if s[0][0] == "<" else "t" if s[0][-1] == ">" else "b" for s in state.spaces]
    assert "".join(kinds) == "bbbbbbhhtt"


@pytest.mark.rule("9.6")
def test_a_table_may_number_its_spaces_otherwise() -> None:
    state = start_game(space_kinds="hbbbtbbbht")
    assert get_awaited(state) == FillDraw(1)
    assert expect_refusal(state, "fill 1 R G").rule == "1.4"
    state = answer_draws(state)
    assert state.spaces[0][0].startswith("<")
    assert state.spaces[4][0].endswith(">")
    assert all(state.spaces)
    with pytest.raises(OptionError):
        table(space_kinds="bbbbbbbhtt")


@pytest.mark.rule("9.11")
def test_closed_ends_is_off_unless_chosen() -> None:
    player = seat("", ["YY"], hand="P06")
    assert is_legal(scene(player), "play P06 on 1")
    assert expect_refusal(scene(player, closed_ends=True), "play P06 on 1").rule == "3.9"


@pytest.mark.rule("9.12")
def test_a_broken_card_still_is_the_one_that_a_coatl_needs() -> None:
    state = scene(seat("Y B>", ["<RRYY"], hand="P06"))
    state = play(state, "play P06 on 1", "add Y to 1 tail", "add B> to 1 tail", "complete")
    coatl = compute_result(state).players[NORTH].coatls[0]
    assert (coatl.complete, coatl.points) == (True, 0)


@pytest.mark.rule("9.12")
def test_a_broken_card_still_counts_for_the_limit_of_four_and_for_ties() -> None:
    north = seat("Y", [Built("YYGBYBYKG", ("P16", "P19", "P18"))], hand="P06 P21")
    state = play(scene(north), "play P06 on 1", "add Y to 1 head")
    assert expect_refusal(state, "play P21 on 1").rule == "3.9"
    players = seat("", [complete("<YYYR>", "P11 P06")]), seat("", [complete("<RRRK>", "P12")])
    assert compute_result(scene(*players)).winners == (NORTH,)


@pytest.mark.rule("9.13")
def test_in_a_turn_of_two_actions_the_supply_is_refilled_at_its_end() -> None:
    state = final_turn(scene(seat(), seat("R"), seat(), turn=EAST))._replace(
        final_turns=(Turn(SOUTH, 2),)
    )
    state = apply_event(state, parse_event("choose P30"))
    state = apply_event(state, parse_event("begin R"))
    assert len(state.supply) == 5
    state = apply_event(state, parse_event("end"))
    assert state.draws == (SupplyDraw(),)


@pytest.mark.rule("2.1")
def test_a_refusal_always_says_what_could_be_done() -> None:
    state = scene()
    for text in ("pass", "end", "complete", "supply P01", "keep"):
        assert expect_refusal(state, text).alternative
    setup = start_game(2)
    error = expect_refusal(setup, "take 1")
    assert error.rule == "2.1"
    assert error.alternative.startswith("fill 1 ")


@pytest.mark.rule("3.5")
def test_nothing_is_drawn_any_more_when_the_game_is_over() -> None:
    state = final_turn(scene(seat(), seat("R"), turn=EAST))
    state = apply_event(
        apply_event(state, parse_event("choose P30")), parse_event("end")
    )  # rule 3.5 has no use any more
    assert state.stage is Stage.OVER
    assert not state.draws


@pytest.mark.rule("9.13")
def test_the_same_action_may_be_done_twice() -> None:
    state = play(final_turn(scene(turn=EAST)), "take 1", "take 2")
    assert state.players[EAST].board == ("G", "G", "R", "R")


@pytest.mark.rule("9.14")
def test_halved_coatls_do_not_break_ties() -> None:
    north = seat("", [complete("<YYYR>", "P11")])
    east = seat("", [complete("<YYYK>", "P01"), Built("RKB", ("P17", "P02"))])
    polish = compute_result(scene(north, east, edition="pl"))
    assert [player.points for player in polish.players] == [3, 2]
    east = seat("", [complete("<YYYK>", "P01"), Built("RKBRK", ("P17",))])  # 2 + 3 // 2
    polish = compute_result(scene(north, east, edition="pl"))
    assert [player.rank for player in polish.players] == [(3, 1, 3), (3, 1, 2)]
    assert polish.winners == (NORTH,)


@pytest.mark.rule("9.14")
def test_what_the_tie_breaks_leave_is_shared() -> None:
    north = seat("", [complete("<YYYR>", "P11")])
    east = seat("", [complete("<KKKR>", "P13")])
    assert compute_result(scene(north, east)).winners == (NORTH, EAST)


@pytest.mark.rule("9.3")
def test_every_option_has_its_default() -> None:
    options = TableOptions()
    assert {f.name: getattr(options, f.name) for f in fields(options)} == DEFAULTS


@pytest.mark.parametrize(
    "options",
    [
        {"players": ("North", "north")},
        {"players": ("North", " ")},
        {"players": ("North", "S" * 31)},
        {"players": ("North", "South\x1b[2J")},
        {"players": "NS"},
        {"edition": 3},
        {"tokens": "yes"},
        {"closed_ends": 1},
        {"level5_refill": 5},
        {"level5_refill": True},
        {"space_kinds": "bbbbbbhhht"},
        {"players": ("North",), "levels": (0,)},
        {"players": ("North",), "levels": (6,)},
        {"players": ("North",), "levels": (2, 2)},
        {"players": ("North",), "levels": (True,)},
        {"players": ("North",), "levels": ("2",)},
        {"players": ("North",), "levels": 2},
        {"levels": (2,)},
        {"players": ("North",), "golden_feathers": True},
        {"players": ("North",), "fewer_bodies": True},
        {"players": ("a.d.a.m.",)},
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        TableOptions(**options)
    with pytest.raises(OptionError):
        TableOptions.from_data(options)


def test_options_survive_json() -> None:
    options = table(3, edition="pl", tokens=False, closed_ends=True)
    assert TableOptions.from_data(json.loads(json.dumps(options.data()))) == options
    with pytest.raises(OptionError):
        TableOptions.from_data({"house_rules": True})


@pytest.mark.rule("9.1", "9.17")
@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_every_option_and_every_fixed_ruling_is_listed(language: str) -> None:
    lines = TableOptions().list_rules(language)
    assert {line.name for line in lines} - {""} == set(DEFAULTS)
    rulings = {line.rule for line in lines if line.rule.startswith("9.")}
    assert rulings == {f"9.{number}" for number in range(1, 18)}
    assert all(line.text.strip() for line in lines)
    assert all(line.value for line in lines if line.name)


def test_the_listing_is_different_in_each_language() -> None:
    listings = [TableOptions().list_rules(language) for language in LANGUAGE_CODES]
    for lines in zip(*listings, strict=True):
        assert len({line.text for line in lines}) == len(LANGUAGE_CODES)


def test_the_listing_shows_what_the_table_chose() -> None:
    shown = {line.name: line.value for line in table(4, edition="fr", tokens=False).list_rules()}
    assert shown["edition"] == "fr"
    assert shown["players"] == "North, East, South, West"
    assert shown["tokens"] == "no"
    assert {line.name: line.value for line in table().list_rules()}["tokens"] == "yes"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"players": "Ana"}, 'a list of 1 to 4 names, not “"Ana"”'),
        ({"players": ["A.D.A.M."]}, "the name of the automaton"),
        ({"players": ["Ana"], "levels": ["1"]}, 'not “["1"]”'),
        ({"players": ["Ana"], "levels": [10**5000]}, "not “…”"),
        ({"level5_refill": "3"}, 'not “"3"”'),
    ],
)
def test_a_refused_option_shows_what_stands_there(data: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=re.escape(said)):
        TableOptions.from_data(data)
