"""Who beats whom, and at what price: `python -m benchmarks strength`, some quarter of an hour.

Seats alternate from game to game. A shared victory counts half. Intervals are of 95 % (Wilson).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from coatl_tools import load_cards
from coatl_tools.rules.options import TableOptions
from coatl_tools.simulation.parts import parts_of
from coatl_tools.simulation.plan import Plan, seat_names
from coatl_tools.simulation.summary import Tally, part_tally
from coatl_tools.simulation.workers import cores, on_cores

MATCHES = (
    (("greedy", "random"), 400),
    (("expert", "greedy"), 400),
    (("expert",), 200),
    (("greedy",), 200),
)
SEED = 2026


def main(arguments: Sequence[str] = ()) -> None:
    """Print a line for each match; a number divides how many games are played."""
    share = int(arguments[0]) if arguments else 1
    for bots, games in MATCHES:
        measure(bots, max(1, games // share))


def measure(bots: tuple[str, ...], games: int) -> None:
    """One match; a bot alone plays against A.D.A.M., without levels."""
    options = TableOptions(players=seat_names(bots))
    plan = Plan(games, bots, options, load_cards().deck(), seed=SEED)
    begin, tally = time.perf_counter(), Tally()
    jobs = cores()
    for part, counted in on_cores(jobs)(part_tally, plan, parts_of(games)):
        tally += counted
        print(f"\r{part.first}", end="", file=sys.stderr)
    seconds = (time.perf_counter() - begin) * jobs / games
    first, second = tally.data(plan)["players"]
    low, high = first["win_interval"]
    print(
        f"\r{first['bot']} against {second['bot']}: {games} games, wins {first['win_rate']:.1%} "
        f"[{low:.1%}–{high:.1%}], points {first['mean_score']:.1f} to {second['mean_score']:.1f}, "
        f"{seconds:.2f} core seconds a game"
    )
