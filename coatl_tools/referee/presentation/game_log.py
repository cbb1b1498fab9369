"""The log of a table: every event, with what was taken back or corrected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coatl_tools.errors import Phrase
from coatl_tools.language import load_language
from coatl_tools.referee.table import Table, UndoConsent, find_needed_consent
from coatl_tools.rules.event_messages import describe_event
from coatl_tools.rules.history import CorrectEvent, DoEvent, History, UndoTo
from coatl_tools.rules.views import mask_event

_UNDO_MESSAGES = {
    UndoConsent.FREE: "log.back",
    UndoConsent.TURN: "log.back_turn",
    UndoConsent.SEEN: "log.back_seen",
}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line of the log. `number` is the event's, 0 for an undo or a correction."""

    number: int
    kind: str  # "do", "back", "correct", or "start" of a game joined midway
    event: str  # in the notation, as far as it may be known
    text: str
    corrects: int = 0  # the number of the event that a correction is about

    def to_data(self) -> dict[str, Any]:
        """Return the line as JSON data."""
        data = {"number": self.number, self.kind: self.event, "text": self.text}
        return data | ({"corrects": self.corrects} if self.corrects else {})


def build_game_log(table: Table, seat: int | None, lang: str) -> list[LogEntry]:
    """Build the log as this player, or (None) everybody, may know it."""
    viewer = table.get_viewer(seat)
    language = load_language(lang)
    history = History(table.history.states[:1])
    lines: list[LogEntry] = []
    if table.journal.header.start is not None:
        lines.append(LogEntry(0, "start", "", language.sentence("log.joined", {})))
    for entry in table.journal.entries:
        before = history
        history = history.after(entry)
        match entry:
            case DoEvent(event):
                seen = event if viewer == "all" else mask_event(before.state, event, seat)
                text = describe_event(before.state, event, viewer, lang, history.state)
                lines.append(LogEntry(len(history.events), "do", str(seen), text))
            case UndoTo(to):
                undone: Phrase = (
                    _UNDO_MESSAGES[find_needed_consent(before, to)],
                    {"n": len(before.events) - to},
                )
                lines.append(LogEntry(0, "back", str(to), language.sentence(*undone)))
            case CorrectEvent(number, event):
                then, after = history.states[number - 1 : number + 1]
                really = describe_event(then, event, viewer, lang, after)
                text = language.sentence("log.corrected", {"number": number, "text": really})
                lines.append(LogEntry(0, "correct", str(event), text, corrects=number))
    return lines
