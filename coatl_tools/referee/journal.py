"""The file of a table: its lines, and how it is created, opened, replayed and appended to.

Lines are only ever appended; a line counts once it is whole and on the disk. The first one is
the header, every other one an entry:

    {"coatl-table": 1, "options": {…}, "box": {…}, "base_cards": "…", "more_cards": […], …}
    {"n": 1, "do": "fill 1 R B"}
    {"n": 41, "do": "begin R", "more": 1}                written together with the next line
    {"n": 42, "do": "end", "check": "89a1…"}             the last event of a turn
    {"n": 43, "back": 41, "check": "…"}                  undo: 41 events are left
    {"n": 44, "correct": 17, "do": "fill 3 R G", "check": "…"}
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import load_base_cards, restore_deck, serialize_extra_cards
from coatl_tools.errors import CoatlError, FileError, JournalError, OptionError
from coatl_tools.files.atomic_writes import wrap_os_errors, write_file_atomically
from coatl_tools.files.json_files import FieldTypes, check_fields, parse_json_object
from coatl_tools.rules.constants import BOX_COUNTS
from coatl_tools.rules.events import format_event, parse_event
from coatl_tools.rules.history import CorrectEvent, DoEvent, History, HistoryEntry, UndoTo
from coatl_tools.rules.position.position import Position, build_state
from coatl_tools.rules.setup import SECRET_SEED_BITS, new_game
from coatl_tools.rules.state import GameState, digest_state
from coatl_tools.rules.table_options import TableOptions

try:
    import fcntl
except ImportError:  # a system without it still notices that somebody else has written
    fcntl = None  # type: ignore[assignment] # a module's name cannot be declared to be optional

FORMAT_VERSION = 1
FORMAT_KEY = "coatl-table"
MAX_SEED = 2**SECRET_SEED_BITS - 1
MAX_FILE_BYTES = 1 << 26
MAX_LINE_BYTES = 1 << 21


@dataclass(frozen=True, slots=True)
class TableHeader:
    """What a table is made of, before anything happens; OptionError for an impossible seed."""

    options: TableOptions
    cards: tuple[Card, ...]
    seed: int | None = None
    bots: tuple[str, ...] = ()  # which bot plays each seat, empty for a person; or none at all
    start: Position | None = None  # of a game joined midway

    def __post_init__(self) -> None:
        seed = self.seed
        if seed is not None and (type(seed) is not int or not 0 <= seed <= MAX_SEED):
            raise OptionError("options.seed", value=str(seed)[:40], most=MAX_SEED)
        if seed is not None and self.options.hidden_hands:
            raise OptionError("options.hidden_virtual")
        if self.bots and len(self.bots) != len(self.options.players):
            raise OptionError("options.bots", n=len(self.bots), players=len(self.options.players))
        if any(self.bots) and seed is None:
            raise OptionError("options.bots_virtual")

    def build_first_state(self) -> GameState:
        """Build the first state of the table: of a new game, or of one joined midway.

        OptionError or PositionError if options, cards and position make no game.
        """
        state = new_game(self.options, self.cards)
        return state if self.start is None else build_state(state.game, self.start)


@dataclass(frozen=True, slots=True)
class JournalLine:
    """An entry with its number, and the fingerprint of the state after it, where there is one.

    `lines_to_follow` is how many lines still follow that were written together with this one: all
    of them count, or none.
    """

    number: int
    entry: HistoryEntry
    state_hash: str = ""
    lines_to_follow: int = 0


# The types that each field may have.
_HEADER_FIELDS: FieldTypes = {
    FORMAT_KEY: (int,),
    "options": (dict,),
    "box": (dict,),
    "base_cards": (str,),
    "more_cards": (list,),
    "seed": (int, NoneType),
    "bots": (list,),
    "start": (dict,),
    "check": (str,),
}
_LINE_FIELDS: FieldTypes = {
    "n": (int,),
    "do": (str,),
    "back": (int,),
    "correct": (int,),
    "check": (str,),
    "more": (int,),
}


def serialize_header(header: TableHeader) -> bytes:
    """Serialize the first line of a journal; it holds all cards beyond the base game, whole."""
    data: dict[str, object] = {
        FORMAT_KEY: FORMAT_VERSION,
        "options": header.options.data(),
        "box": BOX_COUNTS,
        "base_cards": load_base_cards()[1],
        "more_cards": serialize_extra_cards(header.cards),
        "seed": header.seed,
    }
    if any(header.bots):
        data["bots"] = list(header.bots)
    if header.start is not None:
        from coatl_tools.referee.position_file import serialize_position  # noqa: PLC0415 (it takes long to load)

        data["start"] = serialize_position(header.start, header.options)
    return _encode_line(data | {"check": _hash_header(data)})


def _hash_header(data: dict[str, object]) -> str:
    """Compute the fingerprint of a header."""
    text = json.dumps(data, sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()


def parse_header(line: bytes, path: object) -> TableHeader:
    """Parse the header of a journal; JournalError if it is none, or of another version."""
    with _wrap_header_errors(path):
        data = parse_json_object(line)
        if FORMAT_KEY not in data:
            raise JournalError("journal.no_mark", mark=FORMAT_KEY)
    if type(data[FORMAT_KEY]) is not int or data[FORMAT_KEY] != FORMAT_VERSION:
        shown = str(data[FORMAT_KEY])[:20]
        raise JournalError("journal.version", path=path, version=shown, known=FORMAT_VERSION)
    with _wrap_header_errors(path):
        check_fields(data, _HEADER_FIELDS, optional=("box", "bots", "start"))
    _check_box(data.get("box", BOX_COUNTS), path)
    with _wrap_header_errors(path):
        options = TableOptions.from_data(data["options"])
    ours = load_base_cards()[1]
    if data["base_cards"] != ours:
        theirs = data["base_cards"][:20]
        raise JournalError("journal.cards", path=path, theirs=theirs, ours=ours)
    with _wrap_header_errors(path):
        if data["check"] != _hash_header({key: data[key] for key in data if key != "check"}):
            raise JournalError("journal.header_changed")
        cards = restore_deck(data["more_cards"])
        start = _parse_start(data["start"], options, cards) if "start" in data else None
        return TableHeader(options, cards, data["seed"], _parse_bots(data.get("bots", [])), start)


def _check_box(theirs: dict[str, object], path: object) -> None:
    """Raise JournalError for a table whose box has another number of anything."""
    for field in sorted({*BOX_COUNTS, *theirs}):
        if theirs.get(field) != BOX_COUNTS.get(field):
            then, now = (str(box.get(field, "–"))[:20] for box in (theirs, BOX_COUNTS))
            raise JournalError("journal.box", path=path, field=field, theirs=then, ours=now)


def _parse_start(data: dict[str, Any], options: TableOptions, cards: tuple[Card, ...]) -> Position:
    from coatl_tools.referee.position_file import parse_position  # noqa: PLC0415 (it takes long to load)

    return parse_position(data, options, cards)


def _parse_bots(names: list[Any]) -> tuple[str, ...]:
    if not all(isinstance(name, str) for name in names):
        raise JournalError("journal.field_wrong", field="bots")
    return tuple(names)


@contextlib.contextmanager
def _wrap_header_errors(path: object) -> Iterator[None]:
    """Turn any error about a header into a JournalError: the file is no table."""
    try:
        yield
    except CoatlError as error:
        raise JournalError("journal.not_one", path=path, reason=error.spoken) from error


def serialize_line(line: JournalLine) -> bytes:
    """Write one entry as a line."""
    data: dict[str, object] = {"n": line.number, **_serialize_entry(line.entry)}
    if line.state_hash:
        data["check"] = line.state_hash
    if line.lines_to_follow:
        data["more"] = line.lines_to_follow
    return _encode_line(data)


def _serialize_entry(entry: HistoryEntry) -> dict[str, object]:
    match entry:
        case DoEvent(event):
            return {"do": format_event(event)}
        case UndoTo(to):
            return {"back": to}
        case CorrectEvent(number, event):
            return {"correct": number, "do": format_event(event)}


def parse_line(text: bytes) -> JournalLine:
    """Read one entry from a line; CoatlError says what is wrong with it."""
    data = parse_json_object(text)
    check_fields(data, _LINE_FIELDS, optional=("do", "back", "correct", "check", "more"))
    more = data.get("more", 0)
    if more < 0:
        raise JournalError("journal.field_wrong", field="more")
    return JournalLine(data["n"], _parse_entry(data), data.get("check", ""), more)


def _parse_entry(data: dict[str, Any]) -> HistoryEntry:
    match data:
        case {"back": to} if not {"do", "correct"} & set(data):
            return UndoTo(to)
        case {"do": event, "correct": corrected} if "back" not in data:
            return CorrectEvent(corrected, parse_event(event))
        case {"do": event} if "back" not in data:
            return DoEvent(parse_event(event))
    raise JournalError("journal.no_entry")


def copy_entry(entry: HistoryEntry) -> HistoryEntry:
    """Return the entry as it will be read back from a file; CoatlError if it cannot be."""
    data = _serialize_entry(entry)
    check_fields({"n": 0, **data}, _LINE_FIELDS, optional=tuple(_LINE_FIELDS))
    return _parse_entry(data)


def is_whole_line(line: bytes) -> bool:
    """Tell whether a last line without its newline is all there: a whole JSON object."""
    try:
        parse_json_object(line)
    except JournalError:
        return False
    return True


def _encode_line(data: dict[str, object]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": ")).encode() + b"\n"


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
