"""Hidden hands at a physical table (ruling 9.17): what the program does not know, it counts."""

from __future__ import annotations

from typing import Any

import pytest

from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import Decision, apply_event, get_awaited
from coatl_tools.rules.events import Pass, Reveal, parse_event
from coatl_tools.rules.state import Built, DealDraw, GameState, Stage, TempleDraw
from coatl_tools.rules.views import make_view
from tests.rules.positions import (
    EAST,
    NORTH,
    answer_draws,
    complete,
    expect_refusal,
    first_turn,
    is_legal,
    play,
    scene,
    seat,
    start_game,
)


def hidden(state: GameState, *lines: str) -> GameState:
    """The state after these events, where whatever may stay unknown does."""
    for line in lines:
        state = answer_draws(apply_event(state, parse_event(line)), hidden=True)
    return state


@pytest.mark.rule("9.17")
def test_cards_are_dealt_unknown() -> None:
    state = start_game(2, hidden_hands=True)
    while not isinstance(get_awaited(state), TempleDraw):
        state = apply_event(state, list_legal_actions(state)[0])
    assert is_legal(state, "deal-temple 1 ?")
    assert is_legal(state, "deal-temple 1 T03")
    while not isinstance(get_awaited(state), DealDraw):
        state = apply_event(state, list_legal_actions(state)[-1])
    assert is_legal(state, "deal 1 ?")
    state = answer_draws(state, hidden=True)
    assert [player.hand for player in state.players] == [("?",) * 3, ("?",) * 4]
    assert [player.temples for player in state.players] == [("?",), ("?",)]
    assert state.deck == 54 - 6 - 3 - 4


@pytest.mark.rule("9.17")
def test_without_the_option_every_card_is_named() -> None:
    state = start_game(2)
    while not isinstance(get_awaited(state), TempleDraw):
        state = apply_event(state, list_legal_actions(state)[0])
    assert expect_refusal(state, "deal-temple 1 ?").rule == "9.17"
    while not isinstance(get_awaited(state), DealDraw):
        state = apply_event(state, list_legal_actions(state)[0])
    assert expect_refusal(state, "deal 1 ?").rule == "9.17"


@pytest.mark.rule("2.4", "9.17")
def test_what_is_kept_is_counted() -> None:
    state = answer_draws(start_game(2, hidden_hands=True), hidden=True)
    state = apply_event(state, parse_event("keep ? ?"))
    assert expect_refusal(state, "keep ? ? ? ?").rule == "2.4"
    assert expect_refusal(state, "keep P01").rule == "2.4"
    state = apply_event(state, parse_event("keep ? ? ?"))
    assert [len(player.hand) for player in state.players] == [2, 3]
    assert [len(player.discarded) for player in state.players] == [1, 1]
    assert get_awaited(state) == Decision(NORTH, Stage.READY)


@pytest.mark.rule("9.17")
def test_unknown_cards_count_for_the_hand_limit() -> None:
    state = hidden(scene(seat(hand="? ? ?"), hidden_hands=True), "draw", "choose P30")
    assert len(state.players[NORTH].hand) == 5
    assert expect_refusal(state, "draw").rule == "3.4"
    assert expect_refusal(state, "choose P31").rule == "3.4"


@pytest.mark.rule("9.3", "9.17")
@pytest.mark.parametrize(("free", "may_be_left_out"), [("T01 T02", True), ("T01 T05", False)])
def test_an_unknown_temple_is_mandatory_only_if_it_must_fit(
    free: str, may_be_left_out: bool
) -> None:
    """Of two cards, of which one is in the hand, `T01` and `T05` fit, and `T02` does not."""
    north = seat("B>", [Built("<GK", ("P20",))], temples="?")
    prophecies = "P20 " + " ".join(f"P{number}" for number in range(30, 56))
    options: dict[str, Any] = {"temple_required": True, "hidden_hands": True}
    state = scene(north, cards=f"{prophecies} {free}", piles=("", ""), **options)
    state = apply_event(state, parse_event("add B> to 1 tail"))
    assert is_legal(state, "complete") == may_be_left_out


@pytest.mark.rule("9.17")
def test_a_card_drawn_blind_stays_unknown_one_from_the_supply_is_known() -> None:
    state = hidden(scene(hidden_hands=True), "draw", "choose P30")
    assert state.players[NORTH].hand == ("?", "P30")
    assert state.deck == 54 - 6 - 1


@pytest.mark.rule("9.17")
def test_placing_an_unknown_card_reveals_it() -> None:
    state = scene(seat("R", ["YG"], hand="? ?"), hidden_hands=True)
    state = play(state, "play P16 on 1", "end")
    assert state.players[NORTH].hand == ("?",)
    assert state.players[NORTH].coatls == (Built("YG", ("P16",)),)
    assert "P16" not in state.unlocated_prophecies[0]


@pytest.mark.rule("3.9")
def test_an_unknown_card_must_satisfy_like_any_other() -> None:
    state = scene(seat("R", ["YG"], hand="?"), hidden_hands=True)
    assert expect_refusal(state, "play P18 on 1").rule == "3.9"
    assert expect_refusal(state, "play ? on 1").rule == "1.3"


@pytest.mark.rule("3.6")
def test_a_hand_plays_no_more_cards_than_it_has() -> None:
    state = scene(seat("R", ["YGB"], hand="?"), hidden_hands=True)
    state = play(state, "play P16 on 1")
    assert expect_refusal(state, "play P19 on 1").rule == "3.6"


@pytest.mark.rule("9.17")
@pytest.mark.parametrize(
    ("state", "where"),
    [
        (
            scene(seat("R", ["YG"], hand="?"), supply="P16 P30 P31 P32 P33 P34", hidden_hands=True),
            "in the face-up supply",
        ),
        (
            scene(seat("R", ["YG"], hand="?"), seat(hand="P16"), hidden_hands=True),
            "in the hand of East",
        ),
        (
            scene(seat("R", ["YG"], hand="?"), discards="P16", hidden_hands=True),
            "among the discards",
        ),
        (
            scene(
                seat("R", ["YG"], hand="?"),
                seat("", ["R", complete("<YGB>", "P16")]),
                hidden_hands=True,
            ),
            "beside Cóatl 2 of East",
        ),
    ],
    ids=["supply", "hand", "discards", "coatl"],
)
def test_a_card_that_is_elsewhere_is_refused_and_it_is_said_where(
    state: GameState, where: str
) -> None:
    error = expect_refusal(state, "play P16 on 1")
    assert error.rule == "1.3"
    assert where in str(error)


@pytest.mark.rule("9.17")
def test_of_a_red_card_there_is_a_second_copy() -> None:
    north = seat("R", ["YYY"], hand="?")
    one_seen = scene(north, supply="P01 P30 P31 P32 P33 P34", hidden_hands=True)
    assert is_legal(one_seen, "play P01 on 1")
    both_seen = scene(north, seat(hand="P01"), supply="P01 P30 P31 P32 P33 P34", hidden_hands=True)
    error = expect_refusal(both_seen, "play P01 on 1")
    assert error.rule == "1.3"
    assert "in the face-up supply" in str(error)
    assert "in the hand of East" in str(error)


@pytest.mark.rule("3.9", "9.17")
def test_two_unknown_cards_may_be_the_two_copies_but_not_on_one_coatl() -> None:
    state = scene(seat("R", ["YYY", "YYYG"], hand="? ? ?"), hidden_hands=True)
    state = play(state, "play P01 on 1")
    assert expect_refusal(state, "play P01 on 1").rule == "3.9"
    state = play(state, "play P01 on 2")
    assert state.players[NORTH].hand == ("?",)


@pytest.mark.rule("9.17")
def test_a_known_card_is_placed_before_an_unknown_one_of_the_same_name() -> None:
    state = scene(seat("R", ["YYY"], hand="P01 ?"), hidden_hands=True)
    state = play(state, "play P01 on 1")
    assert state.players[NORTH].hand == ("?",)
    assert is_legal(state, "reveal 1 P01")


@pytest.mark.rule("9.17")
def test_revealing_makes_a_card_known() -> None:
    state = scene(seat(hand="?"), seat(hand="? P40", temples="?"), hidden_hands=True)
    assert is_legal(state, "reveal 2 T03")
    assert expect_refusal(state, "reveal 1 T03").rule == "9.17"
    state = play(state, "reveal 2 P16", "reveal 2 T03")
    assert state.players[EAST].hand == ("P16", "P40")
    assert state.players[EAST].temples == ("T03",)
    assert state.current_player == NORTH
    assert expect_refusal(state, "reveal 2 P17").rule == "9.17"
    assert expect_refusal(state, "reveal 2 T04").rule == "9.17"
    assert "in the hand of East" in str(expect_refusal(state, "reveal 1 P16"))
    assert expect_refusal(state, "reveal 3 P17").rule == "9.17"
    assert expect_refusal(state, "reveal 1 P99").rule == "1.3"


@pytest.mark.rule("9.17")
def test_there_is_nothing_to_reveal_when_all_hands_are_known() -> None:
    state = first_turn()
    assert not any(isinstance(event, Reveal) for event in list_legal_actions(state))
    assert expect_refusal(state, "reveal 1 P16").rule == "9.17"


@pytest.mark.rule("9.17")
def test_a_card_revealed_in_a_hand_cannot_be_drawn_any_more() -> None:
    state = play(scene(seat(), seat(hand="?"), hidden_hands=True), "reveal 2 P16")
    state = apply_event(state, parse_event("draw"))
    assert "in the hand of East" in str(expect_refusal(state, "drawn P16"))


@pytest.mark.rule("9.17")
def test_a_closing_piece_is_legal_if_some_hand_could_place_a_card() -> None:
    state = scene(seat("B>", ["<RG"], hand="?"), hidden_hands=True)
    state = apply_event(
        state, parse_event("add B> to 1 tail")
    )  # ruling 9.17: P19 may be in the hand
    assert state.stage is Stage.CLOSING
    assert expect_refusal(state, "complete").rule == "3.10"
    state = play(state, "play P19 on 1", "complete")
    assert state.players[NORTH].coatls == (complete("<RGB>", "P19"),)


@pytest.mark.rule("9.17")
def test_a_closing_piece_is_illegal_if_all_fitting_cards_are_elsewhere() -> None:
    north = seat("B>", ["<RG"], hand="?")
    state = scene(north, seat(hand="P19"), hidden_hands=True)
    assert expect_refusal(state, "add B> to 1 tail").rule == "3.10"
    none = scene(seat("B>", ["<RG"]), hidden_hands=True)
    assert expect_refusal(none, "add B> to 1 tail").rule == "3.10"


@pytest.mark.rule("9.17")
def test_an_unknown_temple_may_be_any_that_is_not_seen() -> None:
    north = seat("B>", [Built("<GK", ("P20",))], temples="?")
    state = scene(north, seat(temples="T05"), hidden_hands=True)
    state = play(state, "add B> to 1 tail")
    assert is_legal(state, "temple T01 on 1")
    assert expect_refusal(state, "temple T03 on 1").rule == "3.11"
    error = expect_refusal(state, "temple T05 on 1")
    assert error.rule == "1.3"
    assert "in the hand of East" in str(error)
    assert "on top of Temple pile 1" in str(expect_refusal(state, "temple T14 on 1"))
    state = play(state, "temple T01 on 1")
    assert state.players[NORTH].temples == ()


@pytest.mark.rule("9.17")
def test_a_mandatory_temple_is_not_asked_of_a_hand_that_may_lack_it() -> None:
    north = seat("B>", [Built("<YYGGK", ("P16",))], temples="?")
    options: dict[str, Any] = {"temple_required": True, "hidden_hands": True}
    state = play(scene(north, piles=("T02", "T03"), **options), "add B> to 1 tail")
    assert is_legal(state, "complete")
    assert is_legal(state, "temple T05 on 1")
    state = play(scene(north, piles=("T05", "T03"), **options), "add B> to 1 tail")
    assert expect_refusal(state, "complete").rule == "9.3"


NO_TAILS = "RR GG BB YY KK RG <R <G - -"
EIGHT_TAILS = "R> R> R> G> G> G> B> B>"


@pytest.mark.rule("9.17")
def test_a_hand_that_may_have_nothing_to_place_may_pass() -> None:
    north = seat(EIGHT_TAILS, ["YGY>", "KRK>"], hand="? ? ? ? ?", tokens=())
    state = scene(north, spaces=NO_TAILS, hidden_hands=True)
    assert is_legal(state, "play P16 on 1")
    assert is_legal(state, "pass")
    known = scene(north._replace(hand=("?", "P01", "P02", "P03", "P16")), spaces=NO_TAILS)
    assert expect_refusal(known, "pass").rule == "9.2"


@pytest.mark.rule("9.17")
def test_a_hand_that_may_be_unable_to_close_a_coatl_may_pass() -> None:
    north = seat(EIGHT_TAILS, ["<YB", "<KR"], hand="P26 P27 P28 P29 ?", tokens=())
    state = scene(north, spaces=NO_TAILS, hidden_hands=True)
    assert is_legal(state, "add G> to 1 tail")  # the hidden card may be P38 ...
    assert is_legal(state, "pass")  # ruling 9.17: ... or one that fits nothing


@pytest.mark.rule("9.17")
def test_a_hand_that_must_have_a_card_to_place_does_not_pass() -> None:
    # The deck was rebuilt from cards that all had been seen: North's can only be the other one.
    hand = "P01 P02 P03 P04 ?"
    north = seat(EIGHT_TAILS, ["RBGBRY>", "KRK>"], hand=hand, tokens=())
    state = scene(north, deck=0, turn=EAST, spaces=NO_TAILS, hidden_hands=True)
    assert state.unlocated_prophecies == (("P49",),)
    state = hidden(state, "draw", "end")
    assert is_legal(state, "play P49 on 1")
    assert expect_refusal(state, "pass").rule == "9.2"


@pytest.mark.rule("3.10")
def test_a_reveal_that_leaves_nothing_to_complete_with_is_refused() -> None:
    state = scene(seat("R>", ["<RR"], hand="?"), hidden_hands=True)
    state = apply_event(
        state, parse_event("add R> to 1 tail")
    )  # rule 3.10: the hidden card may be P02
    assert is_legal(state, "reveal 1 P02")
    assert expect_refusal(state, "reveal 1 P05").rule == "3.10"
    assert is_legal(apply_event(state, parse_event("reveal 1 P02")), "play P02 on 1")


@pytest.mark.rule("9.17")
def test_a_card_taken_openly_may_be_discarded_unseen() -> None:
    state = scene(seat(hand="P40 ?"), hidden_hands=True)
    state = hidden(state, "future", "discard ?")
    assert make_view(state, NORTH).seats[NORTH].hand == ("?",)  # ruling 9.17: P40, or the other one
    assert is_legal(state, "reveal 1 P40")
    assert is_legal(state, "reveal 1 P41")
    told = hidden(scene(seat(hand="P40 ?"), hidden_hands=True), "future", "discard P40")
    assert not is_legal(told, "reveal 1 P40")


@pytest.mark.rule("9.17")
def test_what_was_known_stays_with_who_had_it() -> None:
    state = scene(seat(hand="P40 P41 ?"), seat(hand="?"), hidden_hands=True)
    state = hidden(state, "future", "discard ?")
    assert is_legal(state, "reveal 1 P40")  # ruling 9.17: in North's hand, or discarded by North
    error = expect_refusal(state, "reveal 2 P40")
    assert "in the hand or among the discards of North" in str(error)
    assert not is_legal(apply_event(state, parse_event("draw")), "drawn P40")
    state = play(state, "reveal 1 P40", "reveal 1 P41")  # so the hidden one was discarded
    assert state.players[NORTH].hand == ("P40", "P41")
    assert is_legal(state, "reveal 2 P42")


@pytest.mark.rule("9.17")
def test_a_card_drawn_later_is_none_of_those_that_were_mixed_up() -> None:
    state = scene(seat(hand="P06 P08 P09"), hidden_hands=True)
    state = hidden(state, "future", "discard ? ?", "draw")
    assert is_legal(state, "reveal 1 P08")  # ruling 9.17: one of the three is still there
    state = play(state, "reveal 1 P08")
    assert not is_legal(state, "reveal 1 P09")
    assert is_legal(state, "reveal 1 P10")
    for player in (NORTH, EAST):
        assert parse_event("reveal 1 P09") not in make_view(state, player).legal


@pytest.mark.rule("9.17")
def test_a_card_that_is_there_twice_may_be_the_one_drawn_later() -> None:
    state = scene(seat(hand="P05 P08 P09"), hidden_hands=True)
    state = hidden(state, "future", "discard ? ?", "draw")
    assert is_legal(state, "reveal 1 P05")
    state = play(state, "reveal 1 P05")  # ruling 9.17: which of the two is not known
    assert is_legal(state, "reveal 1 P08")
    assert is_legal(state, "reveal 1 P10")


@pytest.mark.rule("9.17")
def test_a_player_is_offered_only_what_the_own_hand_may_hold() -> None:
    state = answer_draws(start_game(1, hidden_hands=True))
    kept = state.players[NORTH].hand[:2]
    state = apply_event(state, parse_event(f"keep {' '.join(kept)} ?"))
    assert make_view(state, NORTH).legal == tuple(list_legal_actions(state))


@pytest.mark.rule("9.17")
def test_no_more_cards_come_to_light_than_there_is_room_for() -> None:
    state = scene(seat(hand="P40 P41"), hidden_hands=True)
    state = hidden(state, "future", "discard ?")
    assert is_legal(state, "reveal 1 P40")  # ruling 9.17: one of the two is left, and nothing else
    assert not is_legal(state, "reveal 1 P42")


@pytest.mark.rule("9.17")
def test_a_card_that_may_be_hidden_is_revealed_before_it_is_named_in_a_discard() -> None:
    state = hidden(scene(seat(hand="? P40"), hidden_hands=True), "future")
    error = expect_refusal(state, "discard P41")
    assert error.rule == "3.15"
    assert "reveal it first" in str(error)
    assert is_legal(play(state, "reveal 1 P41"), "discard P41")


@pytest.mark.rule("9.17")
def test_all_cards_of_a_hand_are_discarded_without_doubt() -> None:
    state = hidden(scene(seat(hand="P40 ?"), hidden_hands=True), "future", "discard ? ?")
    assert state.players[NORTH].discarded == ("?", "P40")


@pytest.mark.rule("9.17")
def test_passing_is_still_refused_to_who_can_act_for_certain() -> None:
    state = scene(seat(hand="?"), hidden_hands=True)
    assert expect_refusal(state, "pass").rule == "9.2"
    assert Pass() not in list_legal_actions(state)


@pytest.mark.rule("9.1", "9.17")
def test_discarded_unknown_cards_come_back_with_the_rebuilt_deck() -> None:
    state = scene(seat(hand="? ? P40"), deck=7, hidden_hands=True)
    seen = len(state.discards)
    unseen = state.unlocated_prophecies[0]
    state = hidden(state, "future", "discard ? P40", "draw", "end")
    assert len(state.players[NORTH].hand) == 2
    assert state.players[NORTH].discarded == ("?", "P40")
    assert state.deck == 0
    state = apply_event(state, parse_event("draw"))
    assert state.deck == seen + 6 + 2
    assert state.players[NORTH].discarded == ()
    left = [card for card in unseen if card not in state.supply]
    assert len(left) == 3  # ruling 9.17: in North's hand, or discarded and in the deck again
    assert all(is_legal(state, f"drawn {card}") for card in (*left, "P40", "P30", "?"))


@pytest.mark.rule("9.1", "9.17")
def test_a_deck_rebuilt_from_cards_all_seen_gives_only_those() -> None:
    state = scene(seat(hand="?"), deck=0, hidden_hands=True)
    assert state.unlocated_prophecies == (
        ("P49",),
    )  # the one that nobody has seen: it is in the hand
    state = apply_event(state, parse_event("draw"))
    assert state.deck == 54 - 6 - 1
    assert is_legal(state, "drawn P16")
    assert is_legal(state, "drawn ?")
    assert expect_refusal(state, "drawn P49").rule == "9.17"


@pytest.mark.rule("9.1", "9.17")
def test_a_card_seen_among_the_discards_is_in_no_older_hand_but_may_be_drawn_again() -> None:
    state = scene(seat("R", ["YG"], hand="?"), deck=0, turn=EAST, hidden_hands=True)
    state = hidden(state, "draw", "end")
    error = expect_refusal(state, "play P16 on 1")
    assert error.rule == "1.3"
    assert "in the rebuilt deck" in str(error)
    state = hidden(state, "draw", "end", "take 1")
    assert is_legal(state, "play P16 on 1")


@pytest.mark.rule("9.17")
def test_which_unknown_card_was_discarded_stays_open() -> None:
    # North has one card from before the deck was rebuilt, out of cards that all had been seen,
    # and one from after it. One of the two is discarded: what is left may be either.
    state = scene(seat(hand="?"), deck=0, hidden_hands=True)
    state = hidden(state, "draw", "end", "take 1", "future", "discard ?")
    assert state.players[NORTH].discarded
    assert is_legal(state, "reveal 1 P16")
    assert is_legal(state, "reveal 1 P49")
