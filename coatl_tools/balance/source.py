"""Where games come from: folders that `coatl simulate --out` has filled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from coatl_tools.errors import BalanceError, FileError, visible
from coatl_tools.rules.options import TableOptions
from coatl_tools.simulation.folder import PLAN, SimulationFolder
from coatl_tools.simulation.plan import Plan
from coatl_tools.simulation.rows import TABLES


@dataclass(frozen=True, slots=True)
class Source:
    """A folder of simulated games."""

    folder: Path
    plan: Plan

    @property
    def name(self) -> str:
        """The folder's own name."""
        return visible(self.folder.resolve().name)

    @property
    def tables(self) -> dict[str, Path]:
        """The files of the tables, by name."""
        return {name: self.folder / f"{name}.csv" for name in TABLES}

    def unusual(self, language: str) -> list[tuple[str, str]]:
        """The options that are not as they are if nobody says anything, with their values."""
        usual, mine = TableOptions(players=self.plan.options.players).data(), self.plan.options
        found = [
            (line.name, line.value)
            for line in mine.listing(language)
            if line.name and mine.data()[line.name] != usual[line.name]
        ]
        levels = ["+".join(map(str, chosen)) or "0" for chosen in self.plan.levels]
        return found if levels == ["0"] else [*found, ("levels", ", ".join(levels))]


def open_source(folder: Path) -> Source:
    """A folder of simulated games; CoatlError says why it is none, or that it is not finished."""
    if not folder.is_dir():
        raise FileError("export.no_folder" if folder.exists() else "file.no_folder", path=folder)
    if not (folder / PLAN).exists():
        raise BalanceError("balance.no_games", path=folder)
    source = Source(folder, SimulationFolder(folder).plan())
    if not all(path.exists() for path in source.tables.values()):
        raise unfinished(source, 0)
    return source


def unfinished(source: Source, games: int) -> BalanceError:
    """The error for tables that do not hold all games of their plan."""
    return BalanceError(
        "balance.unfinished", path=source.folder, done=games, games=source.plan.games
    )


def check_together(sources: Sequence[Source]) -> None:
    """Raise BalanceError for sources that cannot be counted together: other cards, same games."""
    first, *others = sources
    for other in others:
        differing = set(first.plan.cards) ^ set(other.plan.cards)
        if differing:
            ids = ", ".join(sorted({card.id for card in differing}))
            raise BalanceError(
                "balance.cards_differ", first=first.folder, second=other.folder, cards=ids
            )
    for one, another in combinations(sources, 2):
        if one.plan.digest == another.plan.digest:
            raise BalanceError("balance.same_games", first=one.folder, second=another.folder)
