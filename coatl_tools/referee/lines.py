"""The lines of a journal: the border between JSON and the values of a game.

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
from coatl_tools.cards.kept import base_cards, more_cards_data, with_base_cards
from coatl_tools.documents import Shape, loads, shaped
from coatl_tools.errors import CoatlError, JournalError, OptionError
from coatl_tools.rules.dealer import SECRET_BITS
from coatl_tools.rules.event_text import read, write
from coatl_tools.rules.history import Back, Correct, Do, Entry
from coatl_tools.rules.midway import Position, midway
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import State

VERSION = 1
MARK = "coatl-table"
MAX_SEED = 2**SECRET_BITS - 1


@dataclass(frozen=True, slots=True)
class Header:
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

    def first_state(self) -> State:
        """The first moment of the table: of a new game, or of one joined midway.

        OptionError or PositionError if options, cards and position make no game.
        """
        state = new_game(self.options, self.cards)
        return state if self.start is None else midway(state.game, self.start)


@dataclass(frozen=True, slots=True)
class Line:
    """An entry with its number, and the fingerprint of the state after it, where there is one.

    `more` is how many lines still follow that were written together with this one: all of them
    count, or none.
    """

    number: int
    entry: Entry
    check: str = ""
    more: int = 0


# What each field holds. A field with a default need not be there.
_HEADER: Shape = {
    MARK: (int,),
    "options": (dict,),
    "base_cards": (str,),
    "more_cards": (list,),
    "seed": (int, NoneType),
    "bots": (list,),
    "start": (dict,),
    "check": (str,),
}
_LINE: Shape = {
    "n": (int,),
    "do": (str,),
    "back": (int,),
    "correct": (int,),
    "check": (str,),
    "more": (int,),
}


def write_header(header: Header) -> bytes:
    """The first line of a journal. Cards that are not of the base game stand in it, whole."""
    data: dict[str, object] = {
        MARK: VERSION,
        "options": header.options.data(),
        "base_cards": base_cards()[1],
        "more_cards": more_cards_data(header.cards),
        "seed": header.seed,
    }
    if any(header.bots):
        data["bots"] = list(header.bots)
    if header.start is not None:
        from coatl_tools.referee.position import position_data  # noqa: PLC0415 (it takes long to load)

        data["start"] = position_data(header.start, header.options)
    return _line(data | {"check": _header_check(data)})


def _header_check(data: dict[str, object]) -> str:
    """The fingerprint of a header."""
    text = json.dumps(data, sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()


def read_header(line: bytes, path: object) -> Header:
    """The header of a journal; JournalError if it is none, or of another version."""
    with _no_table(path):
        data = loads(line)
        if MARK not in data:
            raise JournalError("journal.no_mark", mark=MARK)
    if type(data[MARK]) is not int or data[MARK] != VERSION:
        shown = str(data[MARK])[:20]
        raise JournalError("journal.version", path=path, version=shown, known=VERSION)
    with _no_table(path):
        shaped(data, _HEADER, optional=("bots", "start"))
        options = TableOptions.from_data(data["options"])
    ours = base_cards()[1]
    if data["base_cards"] != ours:
        theirs = data["base_cards"][:20]
        raise JournalError("journal.cards", path=path, theirs=theirs, ours=ours)
    with _no_table(path):
        if data["check"] != _header_check({key: data[key] for key in data if key != "check"}):
            raise JournalError("journal.header_changed")
    with _no_table(path):
        cards = with_base_cards(data["more_cards"])
        start = _start(data["start"], options, cards) if "start" in data else None
        return Header(options, cards, data["seed"], _bots(data.get("bots", [])), start)


def _start(data: dict[str, Any], options: TableOptions, cards: tuple[Card, ...]) -> Position:
    from coatl_tools.referee.position import read_position  # noqa: PLC0415 (it takes long to load)

    return read_position(data, options, cards)


def _bots(names: list[Any]) -> tuple[str, ...]:
    if not all(isinstance(name, str) for name in names):
        raise JournalError("journal.field_wrong", field="bots")
    return tuple(names)


@contextmanager
def _no_table(path: object) -> Iterator[None]:
    """Whatever is wrong with a header makes the file no table."""
    try:
        yield
    except CoatlError as error:
        raise JournalError("journal.not_one", path=path, reason=error.spoken) from error


def write_line(line: Line) -> bytes:
    """One entry as a line."""
    data: dict[str, object] = {"n": line.number}
    match line.entry:
        case Do(event):
            data["do"] = write(event)
        case Back(to):
            data["back"] = to
        case Correct(number, event):
            data |= {"correct": number, "do": write(event)}
    if line.check:
        data["check"] = line.check
    if line.more:
        data["more"] = line.more
    return _line(data)


def read_line(text: bytes) -> Line:
    """One entry from a line; raises CoatlError saying what is wrong with it."""
    data = loads(text)
    shaped(data, _LINE, optional=("do", "back", "correct", "check", "more"))
    number, check, more = data["n"], data.get("check", ""), data.get("more", 0)
    if more < 0:
        raise JournalError("journal.field_wrong", field="more")
    match data:
        case {"back": to} if not {"do", "correct"} & set(data):
            return Line(number, Back(to), check, more)
        case {"do": event, "correct": corrected} if "back" not in data:
            return Line(number, Correct(corrected, read(event)), check, more)
        case {"do": event} if "back" not in data:
            return Line(number, Do(read(event)), check, more)
    raise JournalError("journal.no_entry")


def whole(line: bytes) -> bool:
    """Whether a last line without its newline is all there: an object ends with its brace."""
    try:
        loads(line)
    except JournalError:
        return False
    return True


def _line(data: dict[str, object]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": ")).encode() + b"\n"
