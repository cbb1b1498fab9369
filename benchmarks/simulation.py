"""How fast games are simulated, and in how much memory their tables are written.

Random players, one process and two. For the memory, one part of games is played and copied into
all parts of a large simulation, whose tables the command then writes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from coatl_tools import load_cards
from coatl_tools.files.atomic_writes import write_file_atomically
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.simulation.chunks import (
    GAMES_PER_CHUNK,
    Chunk,
    format_chunk,
    play_chunk,
    split_into_chunks,
)
from coatl_tools.simulation.datasets import GameRows
from coatl_tools.simulation.executors import make_local_executor
from coatl_tools.simulation.folder import SimulationFolder
from coatl_tools.simulation.plan import SimulationPlan, make_seat_names

GAMES = 120
MANY = 20_000
BOTS = ("random", "random")


def main(games: int = GAMES, many: int = MANY) -> None:
    """Print what was measured."""
    cards = load_cards().deck()
    plan = SimulationPlan(games, BOTS, TableOptions(players=make_seat_names(BOTS)), cards, seed=1)
    for processes in (1, 2):
        speed = measure_speed(plan, processes)
        print(f"{processes} processes: {speed:.1f} games/s, two random players")
    solo = SimulationPlan(games, BOTS[:1], TableOptions(players=("1",)), cards, seed=1)
    print(f"1 process: {measure_speed(solo, 1):.1f} games/s, solo")
    seconds, megabytes = measure_datasets(replace(plan, games=many))
    print(f"tables of {many:,} games: {seconds:.1f} s, at most {megabytes} MB of memory")


def measure_speed(plan: SimulationPlan, processes: int) -> float:
    """Games a second, without the time that processes take to start."""
    chunks = make_local_executor(processes)(play_chunk, plan, split_into_chunks(plan.games))
    next(chunks)
    begin, games = time.perf_counter(), 0
    for chunk, _ in chunks:
        games += chunk.games
    return games / (time.perf_counter() - begin)


def measure_datasets(plan: SimulationPlan) -> tuple[float, int]:
    """Seconds and megabytes that `coatl simulate` takes when all parts are there."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "sim"
        SimulationFolder(out).begin(plan)
        games = play_chunk(plan, Chunk(0, GAMES_PER_CHUNK))
        for chunk in split_into_chunks(plan.games):
            shifted = [_shift_games(game, chunk.first) for game in games[: chunk.games]]
            write_file_atomically(
                out / "parts" / chunk.file_name, format_chunk(plan, chunk, shifted)
            )
        command = [sys.executable, "-m", "coatl_tools", "simulate", "--json"]
        command += ["--games", str(plan.games), "--players", ",".join(plan.players)]
        begin = time.perf_counter()
        quiet = os.environ | {"XDG_CONFIG_HOME": os.devnull}
        started = subprocess.Popen([*command, "--out", out], stdout=subprocess.DEVNULL, env=quiet)
        _, status, used = os.wait4(started.pid, 0)  # the memory of this one alone
        started.returncode = os.waitstatus_to_exitcode(status)
        if started.returncode:
            raise subprocess.CalledProcessError(started.returncode, command)
        return time.perf_counter() - begin, used.ru_maxrss // 1024


def _shift_games(played: GameRows, first: int) -> GameRows:
    """Return the same games with other numbers."""
    return GameRows(
        tuple(replace(row, game=first + row.game) for row in played.games),
        tuple(replace(row, game=first + row.game) for row in played.players),
        tuple(replace(row, game=first + row.game) for row in played.coatls),
        tuple(replace(row, game=first + row.game) for row in played.cards),
    )
