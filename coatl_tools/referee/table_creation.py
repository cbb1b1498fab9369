"""Create a table: from chosen options, from a record, or from the file of another table."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CommandError, FileError, RecordError
from coatl_tools.files.atomic_writes import wrap_os_errors
from coatl_tools.players import get_bot
from coatl_tools.referee.game_record import parse_record
from coatl_tools.referee.journal import (
    FORMAT_KEY,
    MAX_FILE_BYTES,
    Journal,
    TableHeader,
    replay_journal,
)
from coatl_tools.referee.table import Table
from coatl_tools.referee.table_folder import get_table_path
from coatl_tools.rules.history import DoEvent, HistoryEntry
from coatl_tools.rules.position.position import Position
from coatl_tools.rules.setup import SECRET_SEED_BITS
from coatl_tools.rules.table_options import TableOptions


def create_journal(folder: Path, name: str, header: TableHeader) -> Journal:
    """Create the journal of a table, and its folder if need be; FileError if there is one."""
    path = get_table_path(folder, name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError("file.unwritable", path=folder, reason=error.strerror) from error
    return Journal.create(path, header)


def make_table_options(
    names: Sequence[str], virtual: bool, chosen: Mapping[str, Any]
) -> TableOptions:
    """Make the options of a table: hands are hidden from the program where it does not deal.

    OptionError if they make no table.
    """
    return TableOptions.from_data({"players": tuple(names), "hidden_hands": not virtual, **chosen})


def make_virtual_header(
    options: TableOptions, catalog: Catalog, bots: Sequence[str] = (), seed: int | None = None
) -> TableHeader:
    """Make the header of a table where the program deals, from a secret seed if none is given.

    OptionError for a bot that does not exist.
    """
    _check_bots(bots)
    if seed is None:  # one that cannot be worked out from the cards on the table
        seed = 1 << (SECRET_SEED_BITS - 1) | secrets.randbits(SECRET_SEED_BITS - 1)
    return TableHeader(options, catalog.deck(options.promo), seed, tuple(bots) if any(bots) else ())


def make_physical_header(
    options: TableOptions, catalog: Catalog, bots: Sequence[str], start: Position | None = None
) -> TableHeader:
    """Make the header of a real table, whose game may have been joined midway at `start`.

    OptionError for a bot that does not exist.
    """
    _check_bots(bots)
    cards = catalog.deck(options.promo)
    return TableHeader(options, cards, None, tuple(bots) if any(bots) else (), start)


def _check_bots(bots: Sequence[str]) -> None:
    for bot in filter(None, bots):
        get_bot(bot)


def name_seats(seats: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the bots that have no name; takes and returns names, and bots ("" for a person).

    >>> name_seats([("Ana", ""), ("", "greedy"), ("", "greedy")])
    (('Ana', 'bot greedy', 'bot greedy 2'), ('', 'greedy', 'greedy'))
    """
    names: list[str] = []
    bots: list[str] = []
    for name, bot in seats:
        names.append(find_unused_name(f"bot {bot}", names) if bot and not name else name)
        bots.append(bot)
    return tuple(names), tuple(bots)


def find_unused_name(name: str, names: Sequence[str]) -> str:
    """Find a name for a bot that nobody at the table has: the same one, or with a number.

    >>> find_unused_name("bot greedy", ["Ana", "bot greedy"])
    'bot greedy 2'
    """
    number = 1 + sum(other.startswith(name) for other in names)
    return name if number == 1 else f"{name} {number}"


def create_table(folder: Path, name: str, header: TableHeader) -> Table:
    """Create a table, and play it up to the first thing that somebody decides or reports.

    CommandError for a bad name, FileError if there is such a table already.
    """
    table = Table(create_journal(folder, name, header))
    table.advance_automatically(bots=bool(table.human_seats))
    return table


def import_table(folder: Path, file: Path, name: str | None) -> Journal:
    """Create a new table with all that a record or a table's file holds.

    Nothing is made if anything is wrong: RecordError or JournalError with the line, FileError if
    there is a table of that name already.
    """
    with wrap_os_errors(file, "file.unreadable"), file.open("rb") as opened:
        data = opened.read(MAX_FILE_BYTES + 1)
    entries: list[HistoryEntry]
    if data.lstrip(b"\xef\xbb\xbf \n").startswith(f'{{"{FORMAT_KEY}"'.encode()):
        reading = replay_journal(file)
        named, header, entries = file.stem, reading.header, list(reading.entries)
    else:
        try:
            named, header, events = parse_record(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise RecordError("record.no_table") from error
        entries = [DoEvent(event) for event in events]
    target = _choose_target_path(folder, name, named)
    journal = create_journal(folder, target.stem, header)
    try:
        journal.append(*entries)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    return journal


def _choose_target_path(folder: Path, name: str | None, named: str) -> Path:
    """Choose where the table is stored; CommandError if its old name cannot be used."""
    try:
        return get_table_path(folder, name or named)
    except CommandError as error:
        if name is not None:
            raise
        raise CommandError("table.import_name", reason=error.spoken) from error
