"""The benchmarks run, on few things, and say what they measured."""

from __future__ import annotations

import pytest


def test_the_benchmark_of_the_command_runs(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import scoring

    scoring.measure_command(scoring.random_lines(50))
    assert "coatls/s" in capsys.readouterr().out


def test_the_benchmark_of_the_rules_runs(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import rules
    from coatl_tools import load_cards
    from coatl_tools.rules import Game, TableOptions

    game = Game(TableOptions(), load_cards().deck())
    assert min(rules.play(game, range(1))) > 0
    rules.measure_thirds(game, 1)
    rules.measure_solo(1, 1, 1)
    shown = capsys.readouterr().out
    assert "moves/s" in shown
    assert "solo: " in shown


@pytest.mark.soak  # it compiles everything first, as an installation does
def test_the_benchmark_of_a_table_runs(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import table

    table.main(rounds=1, events=60, answers=3)
    shown = capsys.readouterr().out
    assert "first prompt, virtual: " in shown
    assert "answer, physical: " in shown


def test_the_benchmark_of_simulations_runs() -> None:
    from benchmarks import simulation
    from coatl_tools import load_cards
    from coatl_tools.rules import TableOptions
    from coatl_tools.simulation.plan import SimulationPlan

    plan = SimulationPlan(
        12, ("random",), TableOptions(players=("1",)), load_cards().deck(), seed=1
    )
    assert simulation.measure_speed(plan, 1) > 0
    seconds, megabytes = simulation.measure_datasets(plan)
    assert seconds > 0
    assert megabytes > 0  # a child's figure begins with what its parent has: no limit holds here


def test_the_benchmark_of_playing_runs(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import play, strength

    play.measure_planner(3, 1)
    play.measure_bot("greedy", 1)
    strength.measure(("greedy", "random"), 1)
    shown = capsys.readouterr().out
    assert "planner: median" in shown
    assert "greedy against random: 1 games" in shown
