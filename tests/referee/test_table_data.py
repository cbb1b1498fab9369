"""A view as JSON: all of it, readable back, and nothing that is not in the view."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from typing import Any

from hypothesis import strategies as st

from coatl_tools.referee.presentation.table_data import serialize_view
from coatl_tools.rules.events import UNKNOWN_CARD, parse_event
from coatl_tools.rules.state import GameState
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.rules.views import View, make_open_view, make_view
from tests.rules.positions import start_game
from tests.rules.random_games import (
    choose_anything,
    choose_builder,
    games,
    many_games,
    play_random_game,
    solo_tables,
    tables,
)
from tests.rules.test_views import scrambled
from tests.sample_tables import (
    make_finished_game,
    make_midgame,
    make_physical_table,
    make_solo_table,
)

SEEDS = st.integers(0, 2**32)


def data_of(state: GameState, viewer: int | None = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        json.dumps(serialize_view(make_view(state, viewer), state.game))
    )
    return found


def named(data: dict[str, Any], game_cards: set[str]) -> Counter[str]:
    """How often each card of the game is named, but for `unseen` and `legal`."""
    shown = {key: value for key, value in data.items() if key not in ("unseen", "legal")}
    words = re.findall(r'"([^"]*)"', json.dumps(shown))
    return Counter(word for word in words if word in game_cards)


def seen_in(view: View) -> Counter[str]:
    """How often a view shows each card."""
    found = Counter([*view.supply, *view.discards, *(pile.top for pile in view.piles)])
    for seat in view.seats:
        found.update([*seat.hand, *seat.temples, *seat.discarded])
        for coatl in seat.coatls:
            found.update([*coatl.prophecies, coatl.temple])
            found[coatl.temple] += 1  # it is named among the cards, and as the Temple
    if view.adam:
        found.update([*view.adam.fulfilled, *(wanted.card for wanted in view.adam.row)])
    return Counter({card: n for card, n in found.items() if card not in ("", UNKNOWN_CARD)})


def tells_no_more_than_the_view(options: TableOptions, seed: int) -> None:
    rng = random.Random(seed)
    for state, _ in play_random_game(options, seed, rng.choice([choose_anything, choose_builder])):
        if rng.random() < 0.1:
            viewer = rng.choice([None, *range(len(options.players))])
            data, shown = data_of(state, viewer), make_view(state, viewer)
            assert named(data, set(state.game.by_id)) == seen_in(shown)
            assert data == data_of(scrambled(rng, state, viewer), viewer)
            assert [parse_event(event) for event in data["legal"]] == [*shown.legal]
            whole = serialize_view(make_open_view(state), state.game)
            assert json.loads(json.dumps(whole)) == whole


test_no_card_leaks_that_is_not_in_the_view = games(8, tells_no_more_than_the_view, tables(), SEEDS)
test_nor_with_hidden_hands = games(5, tells_no_more_than_the_view, tables(hidden=True), SEEDS)
test_nor_in_solo_games = games(5, tells_no_more_than_the_view, solo_tables(), SEEDS)
test_in_many_games_no_card_leaks = many_games(
    tells_no_more_than_the_view, tables() | tables(hidden=True) | solo_tables(), SEEDS
)


def test_a_midgame_for_programs() -> None:
    data = data_of(make_midgame())
    assert data["viewer"] == 1
    assert data["turn"] == {"number": 23, "player": 1, "name": "North", "actions": 1}
    assert data["awaited"] == {"decision": True, "player": 1, "stage": "ready"}
    assert data["supply_board"][6] == {"space": 7, "kind": "h", "pieces": ["<R"]}
    assert data["supply_board"][7]["pieces"] == []
    assert data["bags"]["bodies"] == {"R": 5, "G": 7, "B": 2, "Y": 7, "K": 5, "F": 2}
    assert data["temples"][0] == {"pile": 1, "top": "T14", "below": 5}
    one, other = data["players"]
    assert (one["points"], other["points"]) == (14, 10)
    assert other["hand"] == ["?", "?", "P40"]
    assert one["coatls"][0] == {
        "number": 1,
        "coatl": "<BBRBBKRBBYY>",
        "complete": True,
        "points": 14,
        "cards": [
            {"card": "P29", "points": 4},
            {"card": "P10", "points": 5},
            {"card": "P41", "points": 2},
            {"card": "T03", "points": 3},
        ],
        "temple": "T03",
    }
    assert "take 3" in data["legal"]
    assert data_of(make_midgame(), 1)["legal"] == []


def test_draws_name_the_event_that_answers_them() -> None:
    answers = set()
    moments = [
        *play_random_game(TableOptions(players=("Solo",)), 3, choose_builder),
        *play_random_game(TableOptions(), 5),
    ]
    for state, event in moments:
        awaited = data_of(state)["awaited"]
        if state.draws:
            assert str(event).startswith(awaited["draw"])
            answers.add(str(event).split()[0])
        else:
            assert awaited["decision"]
    assert answers == {"fill", "deal-temple", "pile", "supply", "deal-adam", "deal", "drawn"}
    assert data_of(start_game())["setup"]
    assert data_of(start_game())["awaited"] == {"draw": "fill 1"}


def test_adam_and_the_end_of_a_game() -> None:
    data = data_of(make_solo_table())
    assert data["turn"]["name"] == "A.D.A.M."
    assert data["adam"]["points"] == 10
    assert data["adam"]["row"][2] == {
        "card": "P45",
        "pieces": ["K"],
        "lacks": {"Y": 2, "K": 1, "*": 1},
    }
    over = data_of(make_finished_game())
    assert over["over"]
    assert over["winners"] == [2]
    assert over["awaited"] is None
    assert over["turn"]["number"] == 122


def test_a_table_of_real_cards_shows_what_was_told() -> None:
    data = serialize_view(make_open_view(make_physical_table()), make_physical_table().game)
    assert data["viewer"] is None
    assert [player["hand"].count("?") for player in data["players"]] == [3, 3, 2]
    assert "end" in data["legal"]
