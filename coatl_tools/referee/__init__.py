"""A table in progress: its file, what people type at it, and the record of its game.

>>> import tempfile
>>> from coatl_tools import load_cards
>>> from coatl_tools.referee import Journal, TableHeader
>>> from coatl_tools.referee import format_record, parse_record, replay_journal
>>> from coatl_tools.rules import DoEvent, TableOptions, UndoTo, parse_event
>>> folder = tempfile.TemporaryDirectory()
>>> options, cards = TableOptions(players=("Ana", "Bo")), load_cards().deck()
>>> table = Journal.create(f"{folder.name}/evening.jsonl", TableHeader(options, cards, seed=1))
>>> history = table.append_dealt_events()
>>> typed = [DoEvent(parse_event(text)) for text in ("keep", "keep", "take 3")]
>>> history = table.append(*typed)
>>> history = table.append(UndoTo(len(history.events) - 1))
>>> replay_journal(table.path).history.state == history.state
True
>>> text = format_record("evening", replay_journal(table.path), "en")
>>> parse_record(text) == ("evening", table.header, list(history.events))
True
>>> folder.cleanup()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coatl_tools.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from coatl_tools.referee.game_record import format_record, parse_record
    from coatl_tools.referee.journal import Journal, JournalContents, TableHeader, replay_journal
    from coatl_tools.referee.table import Table

__all__ = [
    "Journal",
    "JournalContents",
    "Table",
    "TableHeader",
    "format_record",
    "parse_record",
    "replay_journal",
]

# Imported on first use, so that a shell can complete names of tables without loading the game.
if not TYPE_CHECKING:  # a type checker has seen the imports above
    __getattr__ = make_lazy_getattr(
        __name__,
        __all__,
        (
            "journal",
            "game_record",
            "table",
        ),
    )
