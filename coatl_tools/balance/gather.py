"""From folders to figures: every game read once, and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from coatl_tools.balance.figures import Figures
from coatl_tools.balance.source import Source, check_together, open_source, unfinished
from coatl_tools.balance.tables import played_games
from coatl_tools.balance.tally import Tally

Notice = Callable[[int], None]  # told how much of the tables has been read, in characters


def open_sources(folders: Iterable[Path]) -> tuple[Source, ...]:
    """Folders whose games can be counted together; CoatlError says why they cannot."""
    sources = tuple(open_source(folder) for folder in folders)
    check_together(sources)
    return sources


def size_of(sources: Sequence[Source]) -> int:
    """How many bytes there are to read."""
    return sum(path.stat().st_size for source in sources for path in source.tables.values())


def gather(sources: Sequence[Source], notice: Notice) -> Figures:
    """What all games of these folders say; BalanceError or FileError if a table is damaged."""
    tally, before = Tally(sources[0].plan.cards), 0
    for source in sources:
        games = 0
        for played in played_games(source, partial(_notice, notice, before)):
            tally.add(played)
            games += 1
        if games != source.plan.games:
            raise unfinished(source, games)
        before += size_of([source])
    return tally.figures()


def _notice(notice: Notice, before: int, read: int) -> None:
    notice(before + read)
