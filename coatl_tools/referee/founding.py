"""Beginning a table: from what somebody has chosen to its first moment."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from coatl_tools.cards.catalog import Catalog
from coatl_tools.players import bot_named
from coatl_tools.referee.folder import begin_table
from coatl_tools.referee.lines import Header
from coatl_tools.referee.table import Table
from coatl_tools.rules.dealer import SECRET_BITS
from coatl_tools.rules.options import TableOptions


def chosen_options(names: Sequence[str], virtual: bool, chosen: Mapping[str, Any]) -> TableOptions:
    """The options of a table: hands are hidden from the program where it does not deal.

    OptionError if they make no table.
    """
    return TableOptions.from_data({"players": tuple(names), "hidden_hands": not virtual, **chosen})


def virtual_header(
    options: TableOptions, catalog: Catalog, bots: Sequence[str] = (), seed: int | None = None
) -> Header:
    """A table where the program deals, from a secret seed if none is given.

    CommandError for a bot that there is not.
    """
    for bot in filter(None, bots):
        bot_named(bot)
    if seed is None:  # one that cannot be worked out from the cards on the table
        seed = 1 << (SECRET_BITS - 1) | secrets.randbits(SECRET_BITS - 1)
    return Header(options, catalog.deck(options.promo), seed, tuple(bots) if any(bots) else ())


def unused_name(name: str, names: Sequence[str]) -> str:
    """A name for a bot that nobody at the table has: the same one, or with a number.

    >>> unused_name("bot greedy", ["Ana", "bot greedy"])
    'bot greedy 2'
    """
    number = 1 + sum(other.startswith(name) for other in names)
    return name if number == 1 else f"{name} {number}"


def found_table(folder: Path, name: str, header: Header) -> Table:
    """Begin a table, up to the first thing that somebody decides or reports.

    CommandError for a bad name, FileError if there is such a table already.
    """
    table = Table(begin_table(folder, name, header))
    table.go_on(bots=bool(table.people))
    return table
