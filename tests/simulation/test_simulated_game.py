"""One game of a simulation: its rows say what the engine says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.rules.constants import ADAM_INDEX, FEATHER_POINTS
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import Event
from coatl_tools.rules.result import compute_result
from coatl_tools.rules.state import KEEPING, GameState
from coatl_tools.simulation.datasets import ADAM_BOT, CardDataRow, GameRows
from coatl_tools.simulation.plan import SimulationPlan
from coatl_tools.simulation.simulated_game import build_rows, play_game, play_recorded_game
from tests.simulation.plans import make_plan, make_solo_plan
from tests.strategies import example_count


def tables() -> st.SearchStrategy[SimulationPlan]:
    """Every kind of table."""
    flags = st.fixed_dictionaries(
        {"promo": st.booleans(), "temple_required": st.booleans(), "closed_ends": st.booleans()}
    )
    edition = st.sampled_from(["en", "fr", "pl"])

    def several(
        size: int, edition: str, flags: dict[str, Any], kind: str, tokens: bool
    ) -> SimulationPlan:
        fewer, golden = kind == "fewer" and size < 4, kind == "golden"
        more = flags | {"fewer_bodies": fewer, "golden_feathers": golden, "tokens": tokens}
        return make_plan(*["random"] * size, edition=edition, **more)

    def alone(edition: str, flags: dict[str, Any], levels: set[int], final: bool) -> SimulationPlan:
        more = flags | {"solo_final_turns": final, "solo_temple_in_hand": final}
        return make_solo_plan(edition=edition, levels=(tuple(sorted(levels)),), **more)

    kinds = st.sampled_from(["usual", "fewer", "golden"])
    return st.one_of(
        st.builds(several, st.integers(2, 4), edition, flags, kinds, st.booleans()),
        st.builds(alone, edition, flags, st.sets(st.integers(1, 5)), st.booleans()),
    )


@settings(max_examples=example_count(30))
@given(tables(), st.integers(0, 10**6), st.integers(0, 2**64 - 1))
def test_the_rows_agree_with_the_engine(plan: SimulationPlan, index: int, seed: int) -> None:
    plan = replace(plan, seed=seed)
    state, watch = play_recorded_game(plan, index)
    played = build_rows(plan, index, state, watch)
    check_players(played, state)
    check_coatls(played, state)
    check_cards(played.cards, state)


def check_players(played: GameRows, state: GameState) -> None:
    (game,), found = played.games, compute_result(state)
    assert game.winners == len(found.winners)
    assert game.turns == state.turns_ended == sum(row.turns for row in played.players)
    assert sum(row.won for row in played.players) == pytest.approx(1)
    assert [row.seat - 1 for row in played.players if row.won] == list(found.winners)
    for row, player, scored in zip(played.players, state.players, found.players, strict=False):
        assert (row.points, row.cards, row.best) == scored.rank
        assert row.temples == scored.temples
        assert (row.coatls, row.unfinished) == (player.completed, len(player.coatls) - row.coatls)
        assert row.hand == len(player.hand)
        earned = sum(card.points for card in played.cards if card.seat == row.seat)
        half = sum(
            coatl.points for coatl in played.coatls if coatl.seat == row.seat and not coatl.complete
        )
        assert row.points == earned + half + FEATHER_POINTS * player.feathers
    if found.adam:
        adam = played.players[-1]
        assert (adam.bot, adam.points) == (ADAM_BOT, found.adam.points)
        earned = sum(card.points for card in played.cards if card.outcome == "fulfilled")
        assert adam.points == earned
    best = sorted(row.points for row in played.players)
    assert max(row.margin for row in played.players) == best[-1] - best[-2]
    if game.ending == "third":
        assert game.ended_by is not None
        assert played.players[game.ended_by - 1].coatls >= 3


def check_coatls(played: GameRows, state: GameState) -> None:
    rows = iter(played.coatls)
    for seat, (player, scored) in enumerate(
        zip(state.players, compute_result(state).players, strict=True), start=1
    ):
        turns = played.players[seat - 1].turns
        for number, (built, worth) in enumerate(
            zip(player.coatls, scored.coatls, strict=True), start=1
        ):
            row = next(rows)
            assert (row.seat, row.coatl, row.text) == (seat, number, built.text)
            assert (row.points, row.complete) == (worth.points, built.complete)
            assert (row.prophecies, row.temple) == (len(built.prophecies), built.temple)
            assert row.pieces == sum(letter in "RGBYK" for letter in built.text)
            assert 1 <= row.begun <= (row.completed or turns) <= turns
            assert (row.completed is not None) == row.complete
    assert next(rows, None) is None


def check_cards(rows: tuple[CardDataRow, ...], state: GameState) -> None:
    """Every copy that is not in a deck any more is in one row, where the last state has it."""

    def cards(outcome: str, kind: str = "prophecy", seat: int | None = None) -> Counter[str]:
        return Counter(
            row.card
            for row in rows
            if (row.outcome, row.kind) == (outcome, kind) and row.seat == seat
        )

    placed: Counter[tuple[str, int | None, int | None]] = Counter()
    for seat, player in enumerate(state.players, start=1):
        assert cards("held", seat=seat) == Counter(player.hand)
        assert cards("held", "temple", seat) == Counter(player.temples)
        for number, built in enumerate(player.coatls, start=1):
            beside = (*built.prophecies, *filter(None, [built.temple]))
            placed.update((card, seat, number) for card in beside)
    assert placed == Counter(
        (row.card, row.seat, row.coatl) for row in rows if row.outcome == "placed"
    )
    if state.adam:
        assert cards("held", seat=ADAM_INDEX + 1) == Counter(
            wanted.card for wanted in state.adam.row
        )
        assert cards("fulfilled", seat=ADAM_INDEX + 1) == Counter(state.adam.fulfilled)
    assert cards("open") >= Counter(state.supply)
    tops = Counter(pile.top for pile in state.piles if pile.top)
    assert cards("open", "temple") == tops
    seen = Counter(row.card for row in rows)
    once = (
        seen if len(state.unlocated_prophecies) == 1 else Counter(dict.fromkeys(seen, 1))
    )  # nothing came back
    assert once <= Counter(state.game.prophecies + state.game.temples)
    below = sum(pile.below for pile in state.piles)
    assert sum(row.kind == "temple" for row in rows) == len(state.game.temples) - below


KINDS = {
    "take": "takes",
    "choose": "choices",
    "draw": "choices",
    "begin": "assemblies",
    "add": "assemblies",
    "play": "assemblies",
    "pick": "tokens",
    "future": "tokens",
    "priest": "tokens",
}


@pytest.mark.parametrize("edition", ["en", "fr"])
def test_every_turn_is_counted_as_what_it_was_used_for(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn is one action, but for a final one of two: the first word of each turn tells."""
    words: dict[int, list[str]] = {}

    def noting(state: GameState, event: Event) -> GameState:
        if not state.draws and state.stage is not KEEPING:
            words.setdefault(state.turns_ended, [str(state.current_player)]).append(
                str(event).split()[0]
            )
        return apply_event(state, event)

    monkeypatch.setattr("coatl_tools.simulation.simulated_game.apply_event", noting)
    played = play_game(make_plan(edition=edition, seed=3), 1)
    first = Counter(
        (int(turn[0]) + 1, KINDS[turn[1]]) for turn in words.values() if turn[1] in KINDS
    )
    found = Counter(
        {(row.seat, kind): getattr(row, kind) for row in played.players for kind in KINDS.values()}
    )
    assert {kind for _, kind in first} == set(KINDS.values())
    assert first <= found
    assert (found - first).total() <= 1  # the second action of the final turn
    assert len(words) == played.games[0].turns


def test_cards_that_were_dealt_and_not_kept_are_left() -> None:
    rows = play_game(make_plan("random", "random", "random", "random"), 0).cards
    dealt = Counter(row.seat for row in rows if row.shown == "dealt" and row.kind == "prophecy")
    left = Counter(row.seat for row in rows if row.outcome == "left")
    assert dealt == {1: 3, 2: 4, 3: 5, 4: 6}
    assert all(dealt[seat] - left[seat] <= 3 for seat in dealt)


def test_seats_rotate_so_that_nobody_is_always_first() -> None:
    plan = make_plan("random", "random", "random")
    assert [plan.seat_players(index) for index in range(4)] == [
        (0, 1, 2),
        (1, 2, 0),
        (2, 0, 1),
        (0, 1, 2),
    ]
    rows = play_game(plan, 1).players
    assert [(row.seat, row.player) for row in rows] == [(1, 2), (2, 3), (3, 1)]


def test_solo_games_take_turns_with_the_levels() -> None:
    plan = make_solo_plan(levels=((1, 3), (), (5,)))
    assert [plan.game(index).options.levels for index in range(4)] == [(1, 3), (), (5,), (1, 3)]
    assert play_game(plan, 3).games[0].levels == "1+3"
    assert play_game(plan, 1).games[0].levels == ""


def test_the_same_plan_and_number_play_the_same_game_and_others_another() -> None:
    plan = make_solo_plan()
    assert play_game(plan, 3) == play_game(replace(plan, games=1000), 3)
    others = [play_game(plan, 4), play_game(replace(plan, seed=8), 3)]
    assert play_game(plan, 3).cards not in [other.cards for other in others]
    seeds = {make_plan(seed=seed).game_seed(index) for seed in range(9) for index in range(99)}
    assert len(seeds) == 9 * 99
    assert max(seeds) < 2**63
