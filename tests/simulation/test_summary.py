"""The summary, against games made by hand."""

from __future__ import annotations

import json

import pytest

from coatl_tools.simulation.datasets import ADAM_BOT, GameDataRow, GameRows, PlayerDataRow
from coatl_tools.simulation.statistics import (
    SimulationSummary,
    compute_wilson_interval,
    summarize_games,
)
from tests.simulation.plans import make_plan, make_solo_plan


def game(
    number: int, *seats: tuple[int, int, float], ending: str = "third", levels: str = ""
) -> GameRows:
    """A game by each seat's player, points and part of the victory; two of them by default."""
    winners = sum(won > 0 for _, _, won in seats)
    alone = any(player < 0 for player, _, _ in seats)
    return GameRows(
        games=(
            GameDataRow(
                number, 1, len(seats) - alone, "en", levels, 40 + number, ending, 1, winners
            ),
        ),
        players=tuple(
            PlayerDataRow(
                game=number,
                seat=seat,
                player=seat if alone else player,
                bot=ADAM_BOT if player < 0 else f"bot{player}",
                points=points,
                won=won,
                margin=points - max(other[1] for other in seats if other is not me),
                cards=3,
                temples=1,
                best=points,
                coatls=seat,
                unfinished=0,
                turns=20,
                takes=10,
                choices=5,
                assemblies=5,
                tokens=0,
                hand=0,
            )
            for seat, me in enumerate(seats, start=1)
            for player, points, won in [me]
        ),
        coatls=(),
        cards=(),
    )


GAMES = [
    game(0, (1, 50, 1.0), (2, 40, 0.0)),
    game(1, (2, 44, 0.0), (1, 48, 1.0), ending="bodies"),
    game(2, (1, 30, 0.0), (2, 60, 1.0)),
    game(3, (2, 42, 0.5), (1, 42, 0.5), ending="passed"),
]


def test_victories_points_and_endings_are_counted() -> None:
    found = summarize_games(GAMES).data(make_plan(seed=5))
    assert (found["games"], found["seed"], found["edition"]) == (4, 5, "en")
    one, two = found["players"]
    assert (one["player"], one["bot"], one["wins"], one["shared"]) == (1, "bot1", 2, 1)
    assert (two["player"], two["bot"], two["wins"], two["shared"]) == (2, "bot2", 1, 1)
    assert (one["win_rate"], two["win_rate"]) == (0.625, 0.375)
    assert one["win_interval"] == [
        pytest.approx(bound, abs=1e-6) for bound in compute_wilson_interval(2.5, 4)
    ]
    assert (one["mean_score"], two["mean_score"]) == (42.5, 46.5)
    # 50, 48, 30, 42: standard deviation 9, of four values Student's factor is 3.18
    assert one["score_interval"] == [pytest.approx(28.2, abs=0.2), pytest.approx(56.8, abs=0.2)]
    assert (one["mean_margin"], two["mean_margin"]) == (-4, 4)
    assert found["endings"] == {"third": 2, "bodies": 1, "passed": 1}
    assert found["mean_turns"] == 41.5
    first, second = found["seats"]
    assert (first["wins"], first["shared"], second["wins"]) == (1, 1, 2)
    assert (first["mean_score"], second["mean_score"]) == (41.5, 47.5)
    assert (first["mean_coatls"], second["mean_coatls"]) == (1, 2)
    assert "adam" not in found


def test_solo_games_are_counted_by_levels() -> None:
    games = [
        game(0, (1, 50, 1.0), (-1, 40, 0.0), levels="1+3"),
        game(1, (1, 30, 0.0), (-1, 60, 1.0)),
        game(2, (1, 40, 0.0), (-1, 50, 1.0), levels="1+3"),
    ]
    found = summarize_games(games).data(make_solo_plan())
    assert [one["bot"] for one in found["players"]] == ["bot1", "adam"]
    assert [one["wins"] for one in found["players"]] == [1, 2]
    none, some = found["adam"]
    assert (none["levels"], none["games"], none["wins"], none["mean_score"]) == ("", 1, 0, 30)
    assert (some["levels"], some["games"], some["wins"], some["mean_score"]) == ("1+3", 2, 1, 45)
    assert (none["adam_mean_score"], some["adam_mean_score"]) == (60, 45)
    assert none["score_interval"] == [None, None]  # of one game


def test_portions_give_the_same_summary_and_it_is_json() -> None:
    plan = make_plan()
    whole = json.dumps(summarize_games(GAMES).data(plan), allow_nan=False)
    assert (
        json.dumps(
            (summarize_games(GAMES[2:]) + SimulationSummary() + summarize_games(GAMES[:2])).data(
                plan
            )
        )
        == whole
    )
