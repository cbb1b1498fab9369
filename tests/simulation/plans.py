"""Plans for small simulations, and what lies in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coatl_tools import load_cards
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.simulation.plan import SimulationPlan, make_seat_names


def make_plan(
    *players: str,
    games: int = 1,
    seed: int = 7,
    levels: tuple[tuple[int, ...], ...] = ((),),
    **options: Any,
) -> SimulationPlan:
    """A plan for random players, two of them if none are named."""
    bots = players or ("random", "random")
    table = TableOptions(players=make_seat_names(bots), **options)
    return SimulationPlan(games, bots, table, load_cards().deck(table.promo), seed, levels)


def make_solo_plan(games: int = 1, **more: Any) -> SimulationPlan:
    """A plan for games against A.D.A.M.: the shortest games there are."""
    return make_plan("random", games=games, **more)


def list_visible_files(folder: Path) -> dict[str, bytes]:
    """All that a folder holds, but for what begins with a point."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name[0] != "."
    }
