"""Tables from elsewhere: a record that people posted, or another table's file."""

from __future__ import annotations

from pathlib import Path

from coatl_tools.documents import file_errors
from coatl_tools.errors import CommandError, RecordError
from coatl_tools.referee.folder import begin_table, table_path
from coatl_tools.referee.journal import MAX_FILE, Journal, replay
from coatl_tools.referee.lines import MARK
from coatl_tools.referee.record_reader import read_record
from coatl_tools.rules.history import Do, Entry


def import_table(folder: Path, file: Path, name: str | None) -> Journal:
    """A new table with all that a record or a table's file holds.

    Nothing is made if anything is wrong: RecordError or JournalError with the line, FileError if
    there is a table of that name already.
    """
    with file_errors(file, "file.unreadable"), file.open("rb") as opened:
        data = opened.read(MAX_FILE + 1)
    entries: list[Entry]
    if data.lstrip(b"\xef\xbb\xbf \n").startswith(f'{{"{MARK}"'.encode()):
        reading = replay(file)
        named, header, entries = file.stem, reading.header, list(reading.log)
    else:
        try:
            named, header, events = read_record(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise RecordError("record.no_table") from error
        entries = [Do(event) for event in events]
    target = _target(folder, name, named)
    journal = begin_table(folder, target.stem, header)
    try:
        journal.append(*entries)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    return journal


def _target(folder: Path, name: str | None, named: str) -> Path:
    """Where the table will be; if what it was called can be no name, another one is asked for."""
    try:
        return table_path(folder, name or named)
    except CommandError as error:
        if name is not None:
            raise
        raise CommandError("table.import_name", reason=error.spoken) from error
