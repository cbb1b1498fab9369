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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from typing import Any

from pydantic import ConfigDict, Field

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import BASE, load_cards
from coatl_tools.cards.fingerprint import fingerprint
from coatl_tools.cards.model import CardFile, StrictModel, card_data
from coatl_tools.errors import CoatlError, JournalError, OptionError
from coatl_tools.referee.documents import loads, validated
from coatl_tools.referee.position import position_data, read_position
from coatl_tools.rules.event_text import read, write
from coatl_tools.rules.history import Back, Correct, Do, Entry
from coatl_tools.rules.midway import Position, midway
from coatl_tools.rules.options import TableOptions
from coatl_tools.rules.setup import new_game
from coatl_tools.rules.state import State

VERSION = 1
MARK = "coatl-table"
MAX_SEED = 2**64 - 1


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


class _HeaderModel(StrictModel):
    model_config = ConfigDict(populate_by_name=True)

    version: int = Field(alias="coatl-table")
    options: dict[str, Any]
    base_cards: str
    more_cards: list[CardFile]
    seed: int | None
    bots: list[str] = Field(default_factory=list)
    start: dict[str, Any] | None = None
    check: str


class _LineModel(StrictModel):
    n: int
    do: str | None = None
    back: int | None = None
    correct: int | None = None
    check: str = ""
    more: int = Field(0, ge=0)


@lru_cache(maxsize=1)
def base_cards() -> tuple[tuple[Card, ...], str]:
    """The cards of the base game as this program has them, and their fingerprint."""
    cards = tuple(card for card in load_cards() if card.set == BASE)
    return cards, fingerprint(cards)


def write_header(header: Header) -> bytes:
    """The first line of a journal. Cards that are not of the base game stand in it, whole."""
    base, ours = base_cards()
    if not set(base) <= set(header.cards):
        raise JournalError("journal.base_cards")
    more = sorted(set(header.cards).difference(base), key=lambda card: (card.set, card.id))
    data: dict[str, object] = {
        MARK: VERSION,
        "options": header.options.data(),
        "base_cards": ours,
        "more_cards": [
            {"set": name, "cards": [card_data(card) for card in cards]}
            for name, cards in groupby(more, key=lambda card: card.set)
        ],
        "seed": header.seed,
    }
    if any(header.bots):
        data["bots"] = list(header.bots)
    if header.start is not None:
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
        model = validated(_HeaderModel, data)
        options = TableOptions.from_data(model.options)
    base, ours = base_cards()
    if model.base_cards != ours:
        raise JournalError("journal.cards", path=path, theirs=model.base_cards[:20], ours=ours)
    with _no_table(path):
        if model.check != _header_check({key: data[key] for key in data if key != "check"}):
            raise JournalError("journal.header_changed")
    more = [card.card(file.set) for file in model.more_cards for card in file.cards]
    cards = _together(base, more)
    with _no_table(path):
        start = None if model.start is None else read_position(model.start, options, cards)
        return Header(options, cards, model.seed, tuple(model.bots), start)


@contextmanager
def _no_table(path: object) -> Iterator[None]:
    """Whatever is wrong with a header makes the file no table."""
    try:
        yield
    except CoatlError as error:
        raise JournalError("journal.not_one", path=path, reason=error.spoken) from error


def _together(base: Iterable[Card], more: Iterable[Card]) -> tuple[Card, ...]:
    """All cards, each id once: the first one counts."""
    known: dict[str, Card] = {}
    for card in (*base, *more):
        known.setdefault(card.id, card)
    return tuple(known.values())


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
    model = validated(_LineModel, loads(text))
    match model:
        case _LineModel(do=str(event), back=None, correct=None):
            return Line(model.n, Do(read(event)), model.check, model.more)
        case _LineModel(do=None, back=int(to), correct=None):
            return Line(model.n, Back(to), model.check, model.more)
        case _LineModel(do=str(event), back=None, correct=int(number)):
            return Line(model.n, Correct(number, read(event)), model.check, model.more)
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
