"""A table in progress: the file that its game is kept in, and what people type at it.

>>> import tempfile
>>> from coatl_tools import load_cards
>>> from coatl_tools.referee import Header, Journal, replay
>>> from coatl_tools.rules import Back, Do, TableOptions, read
>>> folder = tempfile.TemporaryDirectory()
>>> options, cards = TableOptions(players=("Ana", "Bo")), load_cards().deck()
>>> table = Journal.create(f"{folder.name}/evening.jsonl", Header(options, cards, seed=1))
>>> history = table.deal()
>>> history = table.append(Do(read("keep")), Do(read("keep")), Do(read("take 3")))
>>> history = table.append(Back(len(history.events) - 1))
>>> replay(table.path).history.state == history.state
True
>>> folder.cleanup()
"""

from coatl_tools.referee.journal import Journal, Reading, replay
from coatl_tools.referee.lines import Header
from coatl_tools.referee.table import Table

__all__ = ["Header", "Journal", "Reading", "Table", "replay"]
