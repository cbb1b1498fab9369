"""Who beats whom, and at what price: `python -m benchmarks strength`, some quarter of an hour.

Seats alternate from game to game. A shared victory counts half. Intervals are of 95 % (Wilson).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from coatl_tools import load_cards
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.simulation.chunks import split_into_chunks
from coatl_tools.simulation.executors import count_cores, make_local_executor
from coatl_tools.simulation.plan import SimulationPlan, make_seat_names
from coatl_tools.simulation.statistics import SimulationSummary, summarize_chunk

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
    options = TableOptions(players=make_seat_names(bots))
    plan = SimulationPlan(games, bots, options, load_cards().deck(), seed=SEED)
    begin, tally = time.perf_counter(), SimulationSummary()
    processes = count_cores()
    chunks = split_into_chunks(games)
    for chunk, counted in make_local_executor(processes)(summarize_chunk, plan, chunks):
        tally += counted
        print(f"\r{chunk.first}", end="", file=sys.stderr)
    seconds = (time.perf_counter() - begin) * processes / games
    first, second = tally.data(plan)["players"]
    low, high = first["win_interval"]
    print(
        f"\r{first['bot']} against {second['bot']}: {games} games, wins {first['win_rate']:.1%} "
        f"[{low:.1%}–{high:.1%}], points {first['mean_score']:.1f} to {second['mean_score']:.1f}, "
        f"{seconds:.2f} core seconds a game"
    )
