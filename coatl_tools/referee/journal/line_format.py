"""The lines of a journal file: values of a game as JSON, and back.

The first line is the header, every other one an entry:

    {"coatl-table": 1, "options": {…}, "base_cards": "…", "more_cards": […], "seed": 7, …}
    {"n": 1, "do": "fill 1 R B"}
    {"n": 41, "do": "begin R", "more": 1}                written together with the next line
    {"n": 42, "do": "end", "check": "89a1…"}             the last event of a turn
    {"n": 43, "back": 41, "check": "…"}                  undo: 41 events are left
    {"n": 44, "correct": 17, "do": "fill 3 R G", "check": "…"}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from types import NoneType
from typing import Any

from coatl_tools.cards.card import Card
from coatl_tools.cards.deck_storage import load_base_cards, restore_deck, serialize_extra_cards
from coatl_tools.errors import CoatlError, JournalError, OptionError
from coatl_tools.files import FieldTypes, check_fields, parse_json_object
from coatl_tools.rules.engine import CorrectEvent, DoEvent, HistoryEntry, UndoTo
from coatl_tools.rules.events import format_event, parse_event
from coatl_tools.rules.game import TableOptions
from coatl_tools.rules.position import Position, build_state
from coatl_tools.rules.setup import SECRET_SEED_BITS, new_game
from coatl_tools.rules.state import GameState

FORMAT_VERSION = 1
FORMAT_KEY = "coatl-table"
MAX_SEED = 2**SECRET_SEED_BITS - 1


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
        check_fields(data, _HEADER_FIELDS, optional=("bots", "start"))
        options = TableOptions.from_data(data["options"])
    ours = load_base_cards()[1]
    if data["base_cards"] != ours:
        theirs = data["base_cards"][:20]
        raise JournalError("journal.cards", path=path, theirs=theirs, ours=ours)
    with _wrap_header_errors(path):
        if data["check"] != _hash_header({key: data[key] for key in data if key != "check"}):
            raise JournalError("journal.header_changed")
    with _wrap_header_errors(path):
        cards = restore_deck(data["more_cards"])
        start = _parse_start(data["start"], options, cards) if "start" in data else None
        return TableHeader(options, cards, data["seed"], _parse_bots(data.get("bots", [])), start)


def _parse_start(data: dict[str, Any], options: TableOptions, cards: tuple[Card, ...]) -> Position:
    from coatl_tools.referee.position_file import parse_position  # noqa: PLC0415 (it takes long to load)

    return parse_position(data, options, cards)


def _parse_bots(names: list[Any]) -> tuple[str, ...]:
    if not all(isinstance(name, str) for name in names):
        raise JournalError("journal.field_wrong", field="bots")
    return tuple(names)


@contextmanager
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
