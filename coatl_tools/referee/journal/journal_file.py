"""The file of a table: create, open, replay and append to a journal.

Lines are only ever appended; a line counts once it is whole and on the disk."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from coatl_tools.errors import CoatlError, FileError, JournalError
from coatl_tools.files import wrap_os_errors, write_file_atomically
from coatl_tools.referee.journal.line_format import (
    JournalLine,
    TableHeader,
    copy_entry,
    is_whole_line,
    parse_header,
    parse_line,
    serialize_header,
    serialize_line,
)
from coatl_tools.rules.engine import DoEvent, History, HistoryEntry
from coatl_tools.rules.state import GameState, digest_state

try:
    import fcntl
except ImportError:  # a system without it still notices that somebody else has written
    fcntl = None  # type: ignore[assignment] # a module's name cannot be declared to be optional

MAX_FILE_BYTES = 1 << 26
MAX_LINE_BYTES = 1 << 21


@dataclass(frozen=True, slots=True)
class JournalContents:
    """What a file holds: its game, how many entries and bytes are whole, and a torn rest."""

    header: TableHeader
    history: History
    size: int
    torn_tail: bytes
    ends_with_newline: bool
    file_stamp: tuple[int, ...]  # tells whether the file is still as it was
    entries: tuple[HistoryEntry, ...] = ()  # every entry, undone ones too
    warning: JournalError | None = None


class AppliedEntry(NamedTuple):
    """An entry, and the history with it."""

    entry: HistoryEntry
    history: History


class Journal:
    """A table that is being played, and its file.

    `warning` is set when a torn last line was found; it was put into a file beside this one.
    """

    def __init__(self, path: Path, contents: JournalContents) -> None:
        self.path = path
        self.header = contents.header
        self.history = contents.history
        self.entries = contents.entries
        self.warning: JournalError | None = None
        self._size = contents.size
        self._ends_with_newline = contents.ends_with_newline
        self._file_stamp = contents.file_stamp

    @classmethod
    def create(cls, path: Path | str, header: TableHeader) -> Journal:
        """Begin a table; FileError if the file is there already or cannot be written.

        OptionError if these options and cards make no game, PositionError if no game can lead
        to the position that it starts from.
        """
        path = Path(path)
        header.build_first_state()
        line = serialize_header(header)
        _build_first_state(parse_header(line, path), path)  # what cannot be read is not written
        if not path.parent.is_dir():
            raise FileError("file.no_folder", path=path.parent)
        try:
            write_file_atomically(path, line, overwrite=False)
        except FileExistsError as error:
            raise FileError("journal.exists", path=path) from error
        with wrap_os_errors(path):
            _sync_folder(path)
        return cls(path, replay_journal(path))

    @classmethod
    def open(cls, path: Path | str) -> Journal:
        """Open a table to go on with it; a torn last line is set aside. JournalError if damaged."""
        path = Path(path)
        with _lock_file(path):
            reading = replay_journal(path)
            if not reading.torn_tail:
                return cls(path, reading)
            aside = path.with_name(f"{path.name}.torn")
            with wrap_os_errors(aside), aside.open("ab") as file:
                file.write(reading.torn_tail + b"\n")
                file.flush()
                os.fsync(file.fileno())
            with wrap_os_errors(path):
                os.truncate(path, reading.size)
                journal = cls(path, replace(reading, file_stamp=_get_file_stamp(path.stat())))
            journal.warning = JournalError("journal.torn", path=path, aside=aside)
        return journal

    def append(self, *entries: HistoryEntry) -> History:
        """Apply these entries and write them, all or none; return when they are on the disk.

        What is applied is what will be read back from the lines. Raises IllegalActionError or
        HistoryError for what may not be, and what `append_applied` raises.
        """
        history, applied = self.history, []
        for entry in map(copy_entry, entries):
            history = history.after(entry)
            applied.append(AppliedEntry(entry, history))
        return self.append_applied(applied)

    def append_applied(self, applied: Sequence[AppliedEntry]) -> History:
        """Write entries that were applied to this journal's history, all or none of them.

        Raises FileError for a disk that does not take it, JournalError if somebody else has written
        meanwhile or the file grows too large.
        """
        history, last = self.history, len(self.entries) + len(applied)
        written = b"" if self._ends_with_newline else b"\n"
        for number, (entry, after) in enumerate(applied, start=len(self.entries) + 1):
            check = _compute_check(history, entry, after)
            written += serialize_line(
                JournalLine(number, entry, check, lines_to_follow=last - number)
            )
            history = after
        if self._size + len(written) > MAX_FILE_BYTES:
            raise JournalError("journal.large", most=MAX_FILE_BYTES)
        self._write(written)
        self.history, self._ends_with_newline = history, True
        self.entries += tuple(entry for entry, _ in applied)
        return history

    def has_changed_on_disk(self) -> bool:
        """Tell whether somebody else has written to the file since."""
        with wrap_os_errors(self.path, "file.unreadable"):
            return _get_file_stamp(self.path.stat()) != self._file_stamp

    def _write(self, written: bytes) -> None:
        # unbuffered: what a full disk refused must not be written when the file is closed
        with (
            _lock_file(self.path),
            wrap_os_errors(self.path),
            self.path.open("ab", buffering=0) as file,
        ):
            if _get_file_stamp(os.fstat(file.fileno())) != self._file_stamp:
                raise JournalError("journal.moved_on", path=self.path)
            try:
                rest = written
                while rest:
                    rest = rest[file.write(rest) :]
                os.fsync(file.fileno())
            except BaseException:
                with contextlib.suppress(OSError):
                    file.truncate(self._size)
                    self._file_stamp = _get_file_stamp(os.fstat(file.fileno()))
                raise
            self._file_stamp = _get_file_stamp(os.fstat(file.fileno()))
        self._size += len(written)

    def append_dealt_events(self) -> History:
        """Have the dealer answer all awaited draws; the table must have a seed."""
        if self.header.seed is None:
            raise JournalError("journal.no_seed")
        _, events = self.history.dealt(self.header.seed)
        return self.append(*map(DoEvent, events)) if events else self.history


def replay_journal(path: Path | str) -> JournalContents:
    """Read a journal and play it again, checking everything; the file is not touched.

    Raises FileError if it cannot be read, JournalError, with the line, if it is damaged.
    """
    path = Path(path)
    data, mark = _read_bytes(path)
    *lines, rest = data.split(b"\n")
    ended = not rest
    if rest and is_whole_line(rest):
        lines.append(rest)
    if not lines:
        raise JournalError("journal.not_one", path=path, reason=("journal.empty", {}))
    header = parse_header(lines[0], path)
    history = History((_build_first_state(header, path),))
    size = len(lines[0]) + 1
    finished = (history, 0, size)  # with its entries and bytes
    log: list[HistoryEntry] = []
    for number, text in enumerate(lines[1:], start=1):
        try:
            line, history = _replay_line(history, text, number)
        except CoatlError as error:
            raise JournalError(
                "journal.line", path=path, line=number + 1, reason=error.spoken
            ) from error
        size += len(text) + 1
        log.append(line.entry)
        if not line.lines_to_follow:
            finished = (history, number, size)
    history, entry_count, size = finished
    torn = data[size:]
    warning = JournalError("journal.torn_unread", path=path) if torn else None
    return JournalContents(
        header,
        history,
        size=min(size, len(data)),
        torn_tail=torn,
        ends_with_newline=bool(torn) or ended,
        file_stamp=mark,
        entries=tuple(log[:entry_count]),
        warning=warning,
    )


def _build_first_state(header: TableHeader, path: Path) -> GameState:
    try:
        return header.build_first_state()
    except CoatlError as error:
        raise JournalError("journal.not_one", path=path, reason=error.spoken) from error


def _replay_line(history: History, text: bytes, number: int) -> tuple[JournalLine, History]:
    """Parse and apply a line; return it, and the history with it. CoatlError if it does not fit."""
    line = parse_line(text)
    if line.number != number:
        raise JournalError("journal.order", theirs=line.number, ours=number)
    after = history.after(line.entry)
    expected = _compute_check(history, line.entry, after)
    if line.state_hash != expected:
        raise JournalError("journal.hash", theirs=line.state_hash[:20] or "–", ours=expected or "–")
    return line, after


def _compute_check(before: History, entry: HistoryEntry, after: History) -> str:
    """Compute the fingerprint of the state after an entry, "" if none is written.

    It is written at the end of a turn, after an undo and after a correction.
    """
    if isinstance(entry, DoEvent) and after.state.turns_ended == before.state.turns_ended:
        return ""
    return digest_state(after.state)


def _read_bytes(path: Path) -> tuple[bytes, tuple[int, ...]]:
    """Read a file, and its stamp, which tells later whether it has changed."""
    with wrap_os_errors(path, "file.unreadable"), path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
        mark = _get_file_stamp(os.fstat(file.fileno()))
    if len(data) > MAX_FILE_BYTES:
        reason = ("journal.large", {"most": MAX_FILE_BYTES})
        raise JournalError("journal.not_one", path=path, reason=reason)
    if max(map(len, data.split(b"\n"))) > MAX_LINE_BYTES:
        reason = ("journal.long", {"most": MAX_LINE_BYTES})
        raise JournalError("journal.not_one", path=path, reason=reason)
    return data, mark


def _get_file_stamp(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


@contextlib.contextmanager
def _lock_file(path: Path) -> Iterator[None]:
    """Lock the file of a table, so that nobody else writes to it meanwhile."""
    if fcntl is None:
        yield
        return
    with wrap_os_errors(path, "file.unreadable"):
        handle = path.open("rb")
    with handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _sync_folder(path: Path) -> None:
    if os.name != "posix":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
