"""The planner: nothing that the rules allow brings more, and its steps can be played."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.cards.card import Card, CardKind
from coatl_tools.pieces import Colour
from coatl_tools.players.planning import AssemblyPlan, Situation, find_best_assembly, make_situation
from coatl_tools.rules.actions.legal import list_legal_actions
from coatl_tools.rules.game import Game
from coatl_tools.rules.state import CLOSING, Built, GameState
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import make_view
from tests.players.exhaustive_planner import after, most_points, position, random_steps, worth
from tests.strategies import example_count, make_card, own_prophecies

LETTERS = ("RG", "RGB", "RBY", "RGBYK")
SEEDS = st.integers(0, 2**32)


def planned(state: GameState) -> tuple[AssemblyPlan, GameState]:
    """The plan of whoever is to play, and the state that its steps lead to."""
    plan = find_best_assembly(make_situation(make_view(state, state.current_player)))
    for step in plan.steps:
        assert step.event in list_legal_actions(state)
        before = worth(
            state.game, state.players[state.current_player].coatls, state.ending is not None
        )
        state = after(state, step.event)
        points = worth(
            state.game, state.players[state.current_player].coatls, state.ending is not None
        )
        assert points - before == step.points
    me = state.players[state.current_player]
    assert (me.coatls, me.board, me.hand) == (plan.coatls, plan.board, tuple(sorted(plan.hand)))
    assert plan.points == sum(step.points for step in plan.steps)
    return plan, state


def check_against_everything(state: GameState) -> None:
    last = state.ending is not None
    before = worth(state.game, state.players[state.current_player].coatls, last)
    plan, _ = planned(state)
    assert before + plan.points == most_points(state, last)


@pytest.mark.parametrize("part", range(8))
def test_no_assembly_of_a_small_board_gains_more(part: int) -> None:
    for seed in range(part * 40, part * 40 + 20):
        rng = random.Random(seed)
        check_against_everything(position(rng, rng.choice([2, 3, 3, 4]), rng.choice(LETTERS)))


@settings(max_examples=40)
@given(SEEDS, own_prophecies(3))
def test_nor_with_cards_that_somebody_made_up(seed: int, own: tuple[Card, ...]) -> None:
    rng = random.Random(seed)
    check_against_everything(position(rng, rng.choice([2, 3]), rng.choice(LETTERS), own))


@pytest.mark.soak
@settings(max_examples=example_count(20_000) // 4)
@given(SEEDS, own_prophecies(2))
def test_no_assembly_of_many_boards_gains_more(seed: int, own: tuple[Card, ...]) -> None:
    rng = random.Random(seed)
    check_against_everything(position(rng, rng.choice([2, 3, 4, 4, 5]), rng.choice(LETTERS), own))


def check_against_chance(seed: int, tries: int) -> None:
    rng = random.Random(seed)
    state = position(rng, rng.choice([6, 7, 8]), rng.choice(LETTERS))
    last = state.ending is not None
    plan, _ = planned(state)
    best = worth(state.game, state.players[0].coatls, last) + plan.points
    for _ in range(tries):
        tried = random_steps(state, rng)
        if tried.stage is not CLOSING:
            assert worth(state.game, tried.players[0].coatls, last) <= best


@pytest.mark.parametrize("seed", range(10))
def test_chance_never_builds_better_on_a_large_board(seed: int) -> None:
    check_against_chance(seed, 60)


@pytest.mark.soak
@settings(max_examples=example_count(20_000) // 20)
@given(SEEDS)
def test_chance_never_builds_better_in_very_many_tries(seed: int) -> None:
    check_against_chance(seed, 300)


@pytest.mark.parametrize("seed", range(0, 300, 3))
def test_a_plan_can_be_made_while_a_coatl_is_being_closed(seed: int) -> None:
    """After every step of a random assembly, the best way on is found again."""
    rng = random.Random(seed)
    state = position(rng, 3, rng.choice(LETTERS))
    closing = [s for s in _moments(state, rng) if s.stage is CLOSING]
    for moment in closing[:1]:
        check_against_everything(moment)


def _moments(state: GameState, rng: random.Random) -> list[GameState]:
    found = []
    for _ in range(12):
        events = [
            e for e in list_legal_actions(state) if str(e).split()[0] in ("begin", "add", "play")
        ]
        if not events:
            break
        state = after(state, rng.choice(events))
        found.append(state)
    return found


def situation(board: str, *coatls: str, hand: str = "", **more: Any) -> Situation:
    built = tuple(Built(text, tuple(cards)) for text, *cards in (c.split() for c in coatls))
    game = Game(TableOptions(), load_cards().deck())
    known = Situation(game, tuple(sorted(board.split())), built, tuple(sorted(hand.split())))
    return replace(known, **more)


def steps(plan: AssemblyPlan) -> list[str]:
    return [str(step.event) for step in plan.steps]


def test_nothing_is_built_where_nothing_is_gained() -> None:
    plan = find_best_assembly(situation("R G B", "<YY", hand="P33"))
    assert plan == AssemblyPlan((), 0, plan.coatls, ("B", "G", "R"), ("P33",))


def test_of_equal_assemblies_the_one_with_fewer_pieces_is_taken() -> None:
    assert steps(find_best_assembly(situation("Y G B K", hand="P16"))) == [
        "begin Y",
        "add G to 1 tail",
        "play P16 on 1",
    ]


def test_a_body_is_used_rather_than_a_head_or_a_tail() -> None:
    plan = find_best_assembly(situation("B B Y Y <B Y>", hand="P29"))
    assert steps(plan)[0] == "begin B"
    assert plan.board == ("<B", "Y>")


def test_a_coatl_is_not_closed_in_vain_but_in_a_last_turn_it_must_be() -> None:
    board = situation("B B>", "<RB P05", hand="P10")
    assert not any(coatl.complete for coatl in find_best_assembly(board).coatls)
    last = find_best_assembly(replace(board, last=True))
    assert last.coatls[0].complete
    assert [step.points for step in last.steps][-1] == last.points  # all of it when it is complete


def test_a_card_is_placed_before_it_breaks_if_only_so_a_temple_can_be_had() -> None:
    """`P10` asks for a pair of blue that is no longer; the closing tail makes it longer."""
    plan = find_best_assembly(situation("B> <R", "BB", hand="P10", tops=("T03", "")))
    assert steps(plan)[0] == "play P10 on 1"
    assert plan.coatls == (Built("<RBBB>", ("P10",), "T03", complete=True),)
    assert [step.points for step in plan.steps] == [2, 0, -2, 3]


def test_a_card_with_one_crossed_out_neighbour_is_placed_before_it_breaks() -> None:
    asked = ("sequence", ("B", "B", "!Y"))
    own = replace(make_card(asked), kind=CardKind.PROPHECY, colour=Colour.B)
    game = Game(TableOptions(), (*load_cards().deck(), own))
    plan = find_best_assembly(situation("Y> <R", "BB", hand="X01", tops=("T03", ""), game=game))
    assert plan.coatls == (Built("<RBBY>", ("X01",), "T03", complete=True),)


def test_a_temple_card_is_taken_from_the_pile_where_it_lies() -> None:
    plan = find_best_assembly(situation("B> <R", "BB", hand="P10", tops=("", "T03")))
    assert steps(plan)[-1] == "temple T03 on 1 from pile 2"


def test_no_more_coatls_are_begun_than_may_be_incomplete_at_once() -> None:
    """Two new ones would gain 6 points, but beside the one that is there only one may begin."""
    plan = find_best_assembly(situation("R R R R R R R R", "K P05 P10 P16 P29", hand="P02 P02"))
    assert (len(plan.coatls), plan.points) == (2, 5)


def test_a_temple_card_that_a_placed_card_forbids_is_not_taken() -> None:
    """`T20` asks for no yellow card beside the Cóatl, or for no green piece."""
    game = Game(TableOptions(promo=True), load_cards().deck(promo=True))
    for placed, points in (("P32", 0), ("P10", 3)):
        board = situation("R>", f"<GRR {placed}", tops=("T20", ""), game=game)
        plan = find_best_assembly(board)
        assert (plan.points, bool(plan.steps)) == (points, points > 0)


def test_in_a_last_turn_a_card_goes_where_it_counts() -> None:
    """Beside the open Cóatl it would be worth 5, of which 2 are left in the Polish edition."""
    for options, coatl, points in (
        (TableOptions(edition="en"), 2, 1),
        (TableOptions(edition="pl"), 1, 2),
    ):
        game = Game(options, load_cards().deck())
        board = situation("B>", "YGYGYGYG", "<YG", hand="P16", last=True, game=game)
        plan = find_best_assembly(board)
        assert f"play P16 on {coatl}" in steps(plan)
        assert plan.points == points


def test_a_coatl_is_completed_before_another_one_takes_its_place() -> None:
    full = "K P05 P10 P11 P29"
    plan = find_best_assembly(situation("B> K G", "<YG P01 P02 P16", full, hand="P19 P20"))
    assert plan.points == 2
    assert steps(plan) == [
        "add B> to 1 tail",
        "play P19 on 1",
        "complete",
        "begin K",
        "add G to 3 tail",
        "play P20 on 3",
    ]


def test_a_card_that_is_there_twice_goes_to_two_coatls() -> None:
    plan = find_best_assembly(situation("R R", "RR", "GRR", hand="P02 P02"))
    assert plan.points == 4
    assert [coatl.prophecies for coatl in plan.coatls] == [("P02",), ("P02",)]


def test_the_french_edition_begins_no_fourth() -> None:
    french = Game(TableOptions(edition="fr"), load_cards().deck())
    done = Built("<RRR>", ("P02",), "", complete=True)
    three = situation("Y G", hand="P16", game=french, coatls=(done, done, Built("K")))
    assert find_best_assembly(three).points == 1  # on the third one: Y G behind it
    assert len(find_best_assembly(three).coatls) == 3


def test_with_nothing_to_build_with_nothing_is_built() -> None:
    """No pieces, no cards: the question what is missing is asked all the same."""
    for coatls in (("BBB P05",), ("<RBBB P05", "BB"), ()):
        plan = find_best_assembly(situation("", *coatls))
        assert (plan.steps, plan.points) == ((), 0)
