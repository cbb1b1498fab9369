"""Components and setup (rules 1.1 to 2.4)."""

from __future__ import annotations

from collections import Counter

import pytest

from coatl_tools.errors import OptionError
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.engine import Decision, apply_event, get_awaited
from coatl_tools.rules.events import FillSpace, Keep, PriestCommitment, parse_event
from coatl_tools.rules.state import (
    DealDraw,
    FillDraw,
    PileDraw,
    Stage,
    SupplyDraw,
    TempleDraw,
)
from coatl_tools.rules.table_options import TableOptions
from tests.rules.positions import (
    NAMES,
    NORTH,
    answer_draws,
    expect_refusal,
    first_turn,
    is_legal,
    play,
    scene,
    seat,
    start_game,
    table,
)


@pytest.mark.rule("1.1")
def test_pieces_of_five_colours_are_drawn() -> None:
    state = start_game()
    for space in range(1, 7):
        state = apply_event(state, FillSpace(space, ("R", "R")))
    drawn = [event.pieces for event in list_legal_actions(state) if isinstance(event, FillSpace)]
    assert sorted(drawn) == [("<B",), ("<G",), ("<K",), ("<R",), ("<Y",)]


@pytest.mark.rule("1.2")
def test_the_bags_hold_150_pieces_at_first() -> None:
    state = start_game(4)
    assert state.bodies == (24, 24, 24, 24, 24, 0)
    assert state.heads == state.tails == (3, 3, 3, 3, 3)


@pytest.mark.rule("1.2")
def test_a_fourth_head_of_a_colour_is_never_drawn() -> None:
    state = scene(seat(board="<R <R"), spaces="RR GG BB YY KK RG <R - R> G>")
    state = apply_event(state, parse_event("pick R R"))
    assert get_awaited(state) == FillDraw(8)
    assert expect_refusal(state, "fill 8 <R").rule == "1.2"
    assert is_legal(state, "fill 8 <G")


@pytest.mark.rule("1.3")
def test_54_prophecies_of_which_the_red_ones_are_there_twice_and_15_temples() -> None:
    state = start_game()
    assert state.deck == 54
    counted = Counter(state.game.prophecies)
    assert len(counted) == 49
    assert [card for card, n in counted.items() if n == 2] == ["P01", "P02", "P03", "P04", "P05"]
    assert len(set(state.game.temples)) == len(state.game.temples) == 15


@pytest.mark.rule("1.3")
def test_a_card_that_lies_elsewhere_cannot_be_turned_up() -> None:
    state = start_game()
    while not isinstance(get_awaited(state), SupplyDraw):
        state = apply_event(state, list_legal_actions(state)[0])
    state = apply_event(state, parse_event("supply P30"))
    error = expect_refusal(state, "supply P30")
    assert error.rule == "1.3"
    assert "in the face-up supply" in str(error)
    assert is_legal(apply_event(state, parse_event("supply P05")), "supply P05")
    assert expect_refusal(state, "supply T01").rule == "1.3"
    assert expect_refusal(state, "supply P99").rule == "1.3"


@pytest.mark.rule("1.4")
def test_six_spaces_hold_two_bodies_two_a_head_and_two_a_tail() -> None:
    state = answer_draws(start_game())
    kinds = [len(pieces) for pieces in state.spaces]
    assert kinds == [2, 2, 2, 2, 2, 2, 1, 1, 1, 1]
    assert all(space[0].startswith("<") for space in state.spaces[6:8])
    assert all(space[0].endswith(">") for space in state.spaces[8:])


@pytest.mark.rule("1.4")
@pytest.mark.parametrize("line", ["fill 1 R", "fill 1 R G B", "fill 1 <R", "fill 1 R R>"])
def test_a_body_space_gets_two_bodies_and_nothing_else(line: str) -> None:
    assert expect_refusal(start_game(), line).rule == "1.4"


@pytest.mark.rule("1.5", "2.1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_begins_with_an_empty_board_and_three_tokens(players: int) -> None:
    state = first_turn(players)
    for player in state.players:
        assert player.board == ()
        assert player.tokens == (
            "perfect_pick",
            "see_the_future",
            "priest_commitment",
        )


@pytest.mark.rule("2.1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_supply_board_is_filled_from_the_bags(players: int) -> None:
    state = start_game(players)
    assert [get_awaited(state)] == [FillDraw(1)]
    state = answer_draws(state)
    assert all(state.spaces)
    assert (sum(state.bodies), sum(state.heads), sum(state.tails)) == (108, 13, 13)


@pytest.mark.rule("2.1")
@pytest.mark.parametrize("line", ["pick <R", "future", "priest 1"])
def test_a_table_may_play_without_tokens(line: str) -> None:
    assert is_legal(first_turn(), line)
    assert expect_refusal(first_turn(tokens=False), line).rule == "2.1"


@pytest.mark.rule("2.2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_round_from_the_first_player(players: int) -> None:
    state = first_turn(players)
    order = []
    for space in (1, 2, 3, 4, 5):
        order.append(state.current_player)
        state = play(state, f"take {space}")
    assert order == [turn % players for turn in range(5)]


@pytest.mark.rule("2.2")
@pytest.mark.parametrize("names", [(), (*NAMES, "Fifth")])
def test_one_to_four_play(names: tuple[str, ...]) -> None:
    with pytest.raises(OptionError) as caught:
        TableOptions(players=names)
    assert str(len(names)) in str(caught.value)


@pytest.mark.rule("2.3")
@pytest.mark.parametrize(("players", "sizes"), [(2, (7, 6)), (3, (6, 6)), (4, (6, 5))])
def test_one_temple_each_and_the_rest_in_two_equal_piles(
    players: int, sizes: tuple[int, int]
) -> None:
    state = first_turn(players)
    assert [len(player.temples) for player in state.players] == [1] * players
    assert all(pile.top for pile in state.piles)
    assert tuple(1 + pile.below for pile in state.piles) == sizes


@pytest.mark.rule("2.3")
def test_the_next_temple_of_a_pile_shows_at_once() -> None:
    state = first_turn()
    taken = state.piles[0].top
    state = apply_event(state, PriestCommitment(1))
    assert get_awaited(state) == PileDraw(1)
    assert expect_refusal(state, f"pile 2 {state.unlocated_temples[0]}").rule == "2.3"
    assert expect_refusal(state, f"pile 1 {taken}").rule == "1.3"
    assert expect_refusal(state, "pile 1 P40").rule == "1.3"
    state = answer_draws(state)
    assert state.piles[0].top not in ("", taken)
    assert state.piles[0].below == 5


@pytest.mark.rule("2.3")
def test_an_emptied_pile_stays_empty() -> None:
    cards = "T01 T02 T03 T04 P01 P02 P03 P04 P05 P30 P31 P32 P33 P34 P35"
    south = seat(temples="T02")
    state = scene(seat(temples="T01"), south, piles=("T03", "T04"), cards=cards)
    state = play(state, "priest 1")
    assert state.piles[0] == ("", 0)
    assert expect_refusal(state, "priest 1").rule == "3.16"
    assert is_legal(state, "priest 2")


@pytest.mark.rule("2.4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_six_cards_are_revealed_and_each_player_is_dealt_one_more(players: int) -> None:
    draws = start_game(players).draws
    assert [draws.count(TempleDraw(player)) for player in range(players)] == [1] * players
    assert draws.count(SupplyDraw()) == 6
    dealt = [draws.count(DealDraw(player)) for player in range(players)]
    assert dealt == [3, 4, 5, 6][:players]
    state = answer_draws(start_game(players))
    assert len(state.supply) == 6
    assert [len(player.hand) for player in state.players] == dealt
    assert state.deck == 54 - 6 - sum(dealt)


@pytest.mark.rule("2.4")
def test_three_of_the_cards_dealt_are_kept_at_most() -> None:
    state = answer_draws(start_game(4))
    assert get_awaited(state) == Decision(NORTH, Stage.KEEPING)
    for player in range(4):
        hand = state.players[player].hand
        if len(hand) > 3:
            assert expect_refusal(state, f"keep {' '.join(hand[:4])}").rule == "2.4"
        state = play(state, f"keep {' '.join(hand[:3])}")
        assert state.players[player].hand == hand[:3]
        assert state.players[player].discarded == hand[3:]
    assert get_awaited(state) == Decision(NORTH, Stage.READY)


@pytest.mark.rule("2.4")
def test_fewer_cards_or_none_may_be_kept() -> None:
    state = answer_draws(start_game(2))
    one = state.players[0].hand[1]
    state = play(state, f"keep {one}", "keep")
    assert [player.hand for player in state.players] == [(one,), ()]
    assert [len(player.discarded) for player in state.players] == [2, 4]


@pytest.mark.rule("2.4")
def test_every_choice_of_up_to_three_cards_is_listed() -> None:
    state = play(answer_draws(start_game(2)), "keep")
    hand = state.players[1].hand
    assert len(set(hand)) == 4
    kept = [event.cards for event in list_legal_actions(state) if isinstance(event, Keep)]
    assert len(kept) == len(set(kept)) == 1 + 4 + 6 + 4
    assert is_legal(state, f"keep {hand[0]} {hand[3]}")


@pytest.mark.rule("2.4")
def test_each_card_goes_to_the_player_whose_turn_it_is_to_get_one() -> None:
    state = start_game(2)
    while not isinstance(get_awaited(state), DealDraw):
        state = apply_event(state, list_legal_actions(state)[0])
    assert expect_refusal(state, "deal 2 P40").rule == "2.4"
    assert expect_refusal(state, "supply P40").rule == "2.4"
    assert is_legal(state, "deal 1 P40")


@pytest.mark.rule("2.4")
def test_cards_are_kept_only_once() -> None:
    assert expect_refusal(first_turn(), "keep").rule == "2.4"


@pytest.mark.rule("2.4")
def test_only_cards_that_were_dealt_are_kept() -> None:
    state = answer_draws(start_game(2))
    other = state.players[1].hand[0]
    assert expect_refusal(state, f"keep {other}").rule == "2.4"


@pytest.mark.rule("2.4")
def test_nobody_acts_before_all_have_kept_their_cards() -> None:
    state = play(answer_draws(start_game(2)), "keep")
    assert expect_refusal(state, "take 1").rule == "2.4"
    assert is_legal(play(state, "keep"), "take 1")


@pytest.mark.rule("2.2")
def test_the_first_player_is_the_first_of_the_table() -> None:
    assert table(3).players[first_turn(3).current_player] == "North"
