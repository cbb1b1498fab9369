"""Reading a record back: strict about the game, lenient about the text around and inside it.

Lines may be broken anew, quoted with `>`, or stand between other text; see `record` for the form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from coatl_tools.errors import CoatlError, JournalError, Phrase, RecordError, visible
from coatl_tools.referee.lines import MARK, Header, read_header
from coatl_tools.rules.engine import apply
from coatl_tools.rules.event_text import read
from coatl_tools.rules.events import Event
from coatl_tools.rules.state import State

MAX_SIZE = 1 << 22
MAX_LINES = 1 << 16
_SHOWN = 60  # of an event that cannot be

_STRING = r'"(?:[^"\\]|\\.)*"'
_TABLE = re.compile(rf"^[ \t]*\[Table\s+({_STRING})\s*\]", re.MULTILINE)
_QUOTED_TABLE = re.compile(r"^[ \t]*>[ \t>]*\[Table\s", re.MULTILINE)
_TAG = re.compile(rf"\s*\[\w+\s+{_STRING}\s*\]")
_LAST = re.compile(rf'^[ \t]*(\{{"{MARK}")', re.MULTILINE)
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_REMARK = re.compile(r"\{[^{}]*\}")
_NO_LINE_END = re.compile(r"[^\n]")


def read_record(text: str) -> tuple[str, Header, list[Event]]:
    """The table's name, its header, and all that happened; text around the record is left out.

    The events are played, so that a record which was changed into something impossible is refused.
    Raises RecordError with the line and the reason, and the rule if there is one.
    """
    text = _with_plain_line_ends(text)
    if _QUOTED_TABLE.search(text):  # then every line is
        text = _QUOTED.sub("", text)
    table = _TABLE.search(text)
    if table is None:
        raise RecordError("record.no_table")
    last = _LAST.search(text, table.end())
    if last is None:
        raise RecordError("record.no_header", mark=f'{{"{MARK}"')
    name = _name(text, table)
    header, state = _header(text, last.start(1), name)
    begin = table.end()
    while tag := _TAG.match(text, begin, last.start()):
        begin = tag.end()
    return name, header, _played(state, text, begin, last.start())


def _with_plain_line_ends(text: str) -> str:
    """The text; RecordError if it is longer than any game."""
    if len(text) > MAX_SIZE:
        raise RecordError("record.large", most=MAX_SIZE)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MAX_LINES:
        raise RecordError("record.lines", most=MAX_LINES)
    return text


def _name(text: str, table: re.Match[str]) -> str:
    try:
        return str(json.loads(table[1].replace("\n", " "), strict=False))
    except ValueError as error:
        raise _wrong(text, table.start(1), ("record.table", {})) from error


def _header(text: str, begin: int, name: str) -> tuple[Header, State]:
    """The header in the last line, and the game that begins with it.

    The line may have been broken into several, at its spaces or anywhere.
    """
    whole = text[begin:]
    try:
        try:
            header = _header_from(whole.replace("\n", " "), name)
        except JournalError:
            if "\n" not in whole.rstrip("\n"):
                raise
            header = _header_from(whole.replace("\n", ""), name)
        return header, header.first_state()
    except CoatlError as error:
        # “this is no table” has its own reason; here it is one line that is wrong
        reason = error.details["reason"] if error.key == "journal.not_one" else error.spoken
        raise _wrong(text, begin, ("record.header", {"reason": reason})) from error


def _header_from(text: str, name: str) -> Header:
    """The header that this text begins with."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):  # what is wrong with it is said below
        end = len(text)
    return read_header(text[:end].encode("utf-8", "replace"), name)


def _played(state: State, text: str, begin: int, end: int) -> list[Event]:
    """The events that stand there, each of them possible where it stands."""
    body = _REMARK.sub(_blank, text[begin:end])
    if "{" in body:
        raise _wrong(text, begin + body.index("{"), ("record.comment", {}))
    body = _heading(state.game.names).sub(lambda found: _blank(found)[:-1] + ";", body)
    events: list[Event] = []
    for written in re.finditer(r"[^;\s][^;]*", body):
        event = " ".join(written[0].split())
        try:
            events.append(read(event))
            state = apply(state, events[-1])
        except CoatlError as error:
            shown: dict[str, object] = {"event": visible(event[:_SHOWN]), "reason": error.spoken}
            raise _wrong(text, begin + written.start(), ("record.event", shown)) from error
    return events


def _heading(names: Iterable[str]) -> re.Pattern[str]:
    """What a turn begins with: its number, and its player's name. The setup has no name."""
    longest_first = sorted(map(without_braces, names), key=len, reverse=True)
    known = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    return re.compile(rf"(?<![^\s;])\d{{1,6}}\.(?:\s+(?:{known})\s*:)?(?=\s|$)")


def without_braces(text: str) -> str:
    """A text as it stands in a record, where braces are for remarks alone."""
    return text.replace("{", "(").replace("}", ")")


def _blank(found: re.Match[str]) -> str:
    """As much room, with the same line ends, and nothing in it."""
    return _NO_LINE_END.sub(" ", found[0])


def _wrong(text: str, place: int, reason: Phrase) -> RecordError:
    return RecordError("record.line", line=text.count("\n", 0, place) + 1, reason=reason)
