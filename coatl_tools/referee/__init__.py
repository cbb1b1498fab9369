"""A table in progress: its file, what people type at it, and the record of its game.

>>> import tempfile
>>> from coatl_tools import load_cards
>>> from coatl_tools.referee import Header, Journal, read_record, replay, write_record
>>> from coatl_tools.rules import Back, Do, TableOptions, read
>>> folder = tempfile.TemporaryDirectory()
>>> options, cards = TableOptions(players=("Ana", "Bo")), load_cards().deck()
>>> table = Journal.create(f"{folder.name}/evening.jsonl", Header(options, cards, seed=1))
>>> history = table.deal()
>>> history = table.append(Do(read("keep")), Do(read("keep")), Do(read("take 3")))
>>> history = table.append(Back(len(history.events) - 1))
>>> replay(table.path).history.state == history.state
True
>>> text = write_record("evening", replay(table.path), "en")
>>> read_record(text) == ("evening", table.header, list(history.events))
True
>>> folder.cleanup()
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coatl_tools.referee.journal import Journal, Reading, replay
    from coatl_tools.referee.lines import Header
    from coatl_tools.referee.record import read_record, write_record
    from coatl_tools.referee.table import Table

__all__ = ["Header", "Journal", "Reading", "Table", "read_record", "replay", "write_record"]

# Imported on first use: the names of tables are told to a shell without the whole game.
_HOMES = {
    "Header": "lines",
    "Journal": "journal",
    "Reading": "journal",
    "Table": "table",
    "read_record": "record",
    "replay": "journal",
    "write_record": "record",
}


if not TYPE_CHECKING:  # so that a type checker still knows a name that is not there

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
