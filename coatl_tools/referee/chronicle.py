"""All that happened at a table, line by line: what was taken back or corrected leaves its trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coatl_tools.errors import Phrase
from coatl_tools.language import load_language
from coatl_tools.referee.table import Table
from coatl_tools.referee.undo import Grade, grade
from coatl_tools.rules.event_words import Viewer, told
from coatl_tools.rules.history import Back, Correct, Do, History
from coatl_tools.rules.state import OVER
from coatl_tools.rules.views import seen_event

_BACK = {
    Grade.FREE: "log.back",
    Grade.TURN: "log.back_turn",
    Grade.SEEN: "log.back_seen",
}


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the log. `number` is the event's, 0 for an undo or a correction."""

    number: int
    kind: str  # "do", "back", "correct", or "start" of a game joined midway
    event: str  # in the notation, as far as it may be known
    text: str
    corrects: int = 0  # the number of the event that a correction is about

    def data(self) -> dict[str, Any]:
        """The line, for programs."""
        data = {"number": self.number, self.kind: self.event, "text": self.text}
        return data | ({"corrects": self.corrects} if self.corrects else {})


def chronicle(table: Table, seat: int | None, language: str) -> list[Told]:
    """The log as this player, or (None) everybody, may know it."""
    everything = not table.virtual or table.state.stage is OVER
    viewer: Viewer = "all" if everything else seat
    words = load_language(language)
    history = History(table.history.states[:1])
    lines: list[Told] = []
    if table.journal.header.start is not None:
        lines.append(Told(0, "start", "", words.sentence("log.joined", {})))
    for entry in table.journal.log:
        before = history
        history = history.after(entry)
        match entry:
            case Do(event):
                seen = event if everything else seen_event(before.state, event, seat)
                text = told(before.state, event, viewer, language)
                lines.append(Told(len(history.events), "do", str(seen), text))
            case Back(to):
                undone: Phrase = _BACK[grade(before, to)], {"n": len(before.events) - to}
                lines.append(Told(0, "back", str(to), words.sentence(*undone)))
            case Correct(number, event):
                really = told(history.states[number - 1], event, viewer, language)
                text = words.sentence("log.corrected", {"number": number, "text": really})
                lines.append(Told(0, "correct", str(event), text, corrects=number))
    return lines
