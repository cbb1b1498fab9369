"""Tables for the tests of the journal, and what an editor makes of their files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from coatl_tools import load_cards
from coatl_tools.referee.journal import Journal, TableHeader
from coatl_tools.rules.events import FillSpace
from coatl_tools.rules.history import CorrectEvent, DoEvent, UndoTo
from coatl_tools.rules.table_options import TableOptions
from tests.rules.random_games import choose_builder, play_random_game

OPTIONS = TableOptions(players=("Zoë", "Łucja"), golden_feathers=True)


def begin_journal(path: Path, options: TableOptions = OPTIONS, seed: int | None = 7) -> Journal:
    return Journal.create(path, TableHeader(options, load_cards().deck(options.promo), seed))


def play_some_turns(path: Path, events: int = 60) -> Journal:
    """A table with a real beginning, an undo and a correction."""
    journal = begin_journal(path)
    for _, event in list(play_random_game(OPTIONS, 3, choose_builder))[:events]:
        journal.append(DoEvent(event))
    journal.append(UndoTo(len(journal.history.events) - 2))
    first = journal.history.events[0]
    assert isinstance(first, FillSpace)
    journal.append(CorrectEvent(1, FillSpace(1, first.pieces[::-1])))
    return journal


def read_lines(journal: Journal) -> list[str]:
    return journal.path.read_text("utf-8").splitlines()


def rewrite_journal(journal: Journal, change: Callable[[list[str]], None]) -> Path:
    """The file as somebody's editor left it."""
    text = read_lines(journal)
    change(text)
    journal.path.write_text("\n".join(text) + "\n", "utf-8")
    return journal.path
