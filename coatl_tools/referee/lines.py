"""The lines of a journal: the border between JSON and the values of a game.

The first line is the header, every other one an entry:

    {"coatl-table": 1, "options": {…}, "base_cards": "…", "more_cards": […], "seed": 7, …}
    {"n": 1, "do": "fill 1 R B"}
    {"n": 42, "do": "take 3", "check": "89a1…"}          the last event of a turn
    {"n": 43, "back": 41, "check": "…"}                  undo: 41 events are left
    {"n": 44, "correct": 17, "do": "fill 3 R G", "check": "…"}
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from coatl_tools.cards.card import Card
from coatl_tools.cards.catalog import BASE, load_cards
from coatl_tools.cards.fingerprint import fingerprint
from coatl_tools.cards.model import CardFile, StrictModel, card_data
from coatl_tools.errors import CoatlError, JournalError
from coatl_tools.rules.event_text import read, write
from coatl_tools.rules.history import Back, Correct, Do, Entry
from coatl_tools.rules.options import TableOptions

VERSION = 1
MARK = "coatl-table"


@dataclass(frozen=True, slots=True)
class Header:
    """What a table is made of, before anything happens."""

    options: TableOptions
    cards: tuple[Card, ...]
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """An entry with its number, and the fingerprint of the state after it, where there is one."""

    number: int
    entry: Entry
    check: str = ""


class _HeaderModel(StrictModel):
    model_config = ConfigDict(populate_by_name=True)

    version: int = Field(alias="coatl-table")
    options: dict[str, Any]
    base_cards: str
    more_cards: list[CardFile]
    seed: int | None
    check: str


class _LineModel(StrictModel):
    n: int
    do: str | None = None
    back: int | None = None
    correct: int | None = None
    check: str = ""


@lru_cache(maxsize=1)
def base_cards() -> tuple[tuple[Card, ...], str]:
    """The cards of the base game as this program has them, and their fingerprint."""
    cards = tuple(card for card in load_cards() if card.set == BASE)
    return cards, fingerprint(cards)


def write_header(header: Header) -> bytes:
    """The first line of a journal. Cards that are not of the base game stand in it, whole."""
    base, ours = base_cards()
    if not set(base) <= set(header.cards):
        raise ValueError("a table has all cards of the base game")
    more = sorted(set(header.cards).difference(base), key=lambda card: (card.set, card.id))
    data = {
        MARK: VERSION,
        "options": header.options.data(),
        "base_cards": ours,
        "more_cards": [
            {"set": name, "cards": [card_data(card) for card in cards]}
            for name, cards in groupby(more, key=lambda card: card.set)
        ],
        "seed": header.seed,
    }
    return _line(data | {"check": _header_check(data)})


def _header_check(data: dict[str, object]) -> str:
    """The fingerprint of a header."""
    text = json.dumps(data, sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()


def read_header(line: bytes, path: object) -> Header:
    """The header of a journal; JournalError if it is none, or of another version."""
    data = read_json(line, path)
    if not isinstance(data, dict) or MARK not in data:
        raise JournalError("journal.not_one", path=path, reason=("journal.no_mark", {"mark": MARK}))
    if data[MARK] != VERSION or isinstance(data[MARK], bool):
        shown = str(data[MARK])[:20]
        raise JournalError("journal.version", path=path, version=shown, known=VERSION)
    try:
        model = _HeaderModel.model_validate(data)
        options = TableOptions.from_data(model.options)
    except ValidationError as error:
        raise JournalError("journal.not_one", path=path, reason=_first(error)) from error
    except CoatlError as error:
        raise JournalError("journal.not_one", path=path, reason=error.spoken) from error
    base, ours = base_cards()
    if model.base_cards != ours:
        raise JournalError("journal.cards", path=path, theirs=model.base_cards[:20], ours=ours)
    if model.check != _header_check({key: data[key] for key in data if key != "check"}):
        raise JournalError("journal.not_one", path=path, reason=("journal.header_changed", {}))
    more = [card.card(file.set) for file in model.more_cards for card in file.cards]
    return Header(options, _together(base, more), model.seed)


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
    return _line(data | ({"check": line.check} if line.check else {}))


def read_line(text: bytes) -> Line:
    """One entry from a line; raises CoatlError saying what is wrong with it."""
    try:
        model = _LineModel.model_validate(_loads(text))
    except ValidationError as error:
        raise JournalError("journal.no_json", reason=_first(error)) from error
    except ValueError as error:
        raise JournalError("journal.no_json", reason=str(error)[:80]) from error
    match model:
        case _LineModel(do=str(event), back=None, correct=None):
            return Line(model.n, Do(read(event)), model.check)
        case _LineModel(do=None, back=int(to), correct=None):
            return Line(model.n, Back(to), model.check)
        case _LineModel(do=str(event), back=None, correct=int(number)):
            return Line(model.n, Correct(number, read(event)), model.check)
    raise JournalError("journal.no_entry")


def whole(line: bytes) -> bool:
    """Whether a last line without its newline is all there: an object ends with its brace."""
    try:
        return isinstance(_loads(line), dict)
    except ValueError:
        return False


def read_json(line: bytes, path: object) -> Any:
    """The JSON of a first line; JournalError if it is none."""
    try:
        return _loads(line)
    except ValueError as error:
        reason = ("journal.no_json", {"reason": str(error)[:80]})
        raise JournalError("journal.not_one", path=path, reason=reason) from error


def _loads(line: bytes) -> Any:
    try:
        return json.loads(line, object_pairs_hook=_object)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, in which nothing stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("the same name twice")
    return found


def _first(error: ValidationError) -> tuple[str, dict[str, object]]:
    """The first thing that is wrong, and where."""
    found = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, found["loc"])) or MARK
    return "journal.header", {"field": where[:60], "reason": found["msg"][:120]}


def _line(data: dict[str, object]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": ")).encode() + b"\n"
