"""The history of a game: the events so far and the states they led to, with undo and corrections.

A history is immutable; each entry gives another one.

>>> from coatl_tools import load_cards
>>> from coatl_tools.rules.events import parse_event
>>> from coatl_tools.rules.setup import new_game
>>> from coatl_tools.rules.table_options import TableOptions
>>> state = new_game(TableOptions(), load_cards().deck())
>>> fill = DoEvent(parse_event("fill 1 R B"))
>>> history = build_history(state, [fill, CorrectEvent(1, parse_event("fill 1 R Y"))])
>>> history.state.spaces[0]
('R', 'Y')
>>> history.after(UndoTo(0)).state == state
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from coatl_tools.errors import CoatlError, HistoryError
from coatl_tools.rules.engine import apply_event
from coatl_tools.rules.events import AdamTurn, Event, Reveal
from coatl_tools.rules.setup import deal_draw
from coatl_tools.rules.state import GameState


@dataclass(frozen=True, slots=True)
class DoEvent:
    """Something happened."""

    event: Event


@dataclass(frozen=True, slots=True)
class UndoTo:
    """Undo: keep only the first `to` events."""

    to: int


@dataclass(frozen=True, slots=True)
class CorrectEvent:
    """Event number `number` was really this one; what came after stays."""

    number: int
    event: Event


HistoryEntry: TypeAlias = DoEvent | UndoTo | CorrectEvent


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Events, numbered from 1, and the states before and after each."""

    states: tuple[GameState, ...]  # the first is before all events
    events: tuple[Event, ...] = ()

    @property
    def state(self) -> GameState:
        """The game as it is now."""
        return self.states[-1]

    def after(self, entry: HistoryEntry) -> History:
        """Return the history with one more entry; raises IllegalActionError or HistoryError."""
        match entry:
            case DoEvent(event):
                state = apply_event(self.states[-1], event)
                return History((*self.states, state), (*self.events, event))
            case UndoTo(to):
                return self._undo_to(to)
            case CorrectEvent(number, event):
                return self._correct_event(number, event)

    def dealt(self, seed: int) -> tuple[History, tuple[Event, ...]]:
        """Return the history with all awaited draws answered by the dealer, and these answers."""
        history, events = self, []
        while history.state.draws:
            event = deal_draw(history.state, seed)
            history = history.after(DoEvent(event))
            events.append(event)
        return history, tuple(events)

    def _undo_to(self, to: int) -> History:
        if not 0 <= to <= len(self.events):
            raise HistoryError("history.no_number", number=to, events=len(self.events))
        return History(self.states[: to + 1], self.events[:to])

    def _correct_event(self, number: int, event: Event) -> History:
        """Replay all events, with another one in that place; HistoryError names one that breaks."""
        if not 1 <= number <= len(self.events):
            raise HistoryError("history.no_number", number=number, events=len(self.events))
        before = self.events[number - 1]
        drawn = bool(self.states[number - 1].draws)
        if isinstance(before, AdamTurn):
            raise HistoryError("history.adam", number=number)
        if not drawn and not isinstance(before, Reveal):
            raise HistoryError("history.same_draw", number=number, event=str(before))
        if not drawn and not isinstance(event, Reveal):
            raise HistoryError("history.reveal_only", number=number, event=str(before))
        history = self._undo_to(number - 1).after(DoEvent(event))
        for later, following in enumerate(self.events[number:], start=number + 1):
            try:
                history = history.after(DoEvent(following))
            except CoatlError as error:
                raise HistoryError(
                    "history.broken", number=later, event=str(following), reason=error.spoken
                ) from error
        return history


def build_history(state: GameState, entries: Iterable[HistoryEntry]) -> History:
    """Build the history of a game from its first moment."""
    history = History((state,))
    for entry in entries:
        history = history.after(entry)
    return history
