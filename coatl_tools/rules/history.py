"""The game as a fold of events, with undo and correction. Nothing is ever rewritten.

A history is what happened so far: events and the states they led to. It is immutable; each method
gives another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from coatl_tools.errors import CoatlError, HistoryError
from coatl_tools.rules.dealer import deal
from coatl_tools.rules.engine import apply
from coatl_tools.rules.events import AdamTurn, Event, Reveal
from coatl_tools.rules.state import State


@dataclass(frozen=True, slots=True)
class Do:
    """Something happened."""

    event: Event


@dataclass(frozen=True, slots=True)
class Back:
    """Back to the moment when so many events had happened: undo."""

    to: int


@dataclass(frozen=True, slots=True)
class Correct:
    """Event number `number` was really this one; what came after stays."""

    number: int
    event: Event


Entry: TypeAlias = Do | Back | Correct


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Events, numbered from 1, and the states before and after each."""

    states: tuple[State, ...]  # the first is before all events
    events: tuple[Event, ...] = ()

    @property
    def state(self) -> State:
        """The game as it is now."""
        return self.states[-1]

    def after(self, entry: Entry) -> History:
        """The history with one more entry; raises IllegalActionError or HistoryError."""
        match entry:
            case Do(event):
                state = apply(self.states[-1], event)
                return History((*self.states, state), (*self.events, event))
            case Back(to):
                return self._back(to)
            case Correct(number, event):
                return self._corrected(number, event)

    def dealt(self, seed: int) -> tuple[History, tuple[Event, ...]]:
        """The history with all awaited draws answered by the dealer, and these answers."""
        history, events = self, []
        while history.state.draws:
            event = deal(history.state, seed)
            history = history.after(Do(event))
            events.append(event)
        return history, tuple(events)

    def _back(self, to: int) -> History:
        if not 0 <= to <= len(self.events):
            raise HistoryError("history.no_number", number=to, events=len(self.events))
        return History(self.states[: to + 1], self.events[:to])

    def _corrected(self, number: int, event: Event) -> History:
        """All events again, with another one in that place; HistoryError says which breaks."""
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
        history = self._back(number - 1).after(Do(event))
        for later, following in enumerate(self.events[number:], start=number + 1):
            try:
                history = history.after(Do(following))
            except CoatlError as error:
                raise HistoryError(
                    "history.broken", number=later, event=str(following), reason=error.spoken
                ) from error
        return history


def fold(state: State, entries: Iterable[Entry]) -> History:
    """The history of a game from its first moment."""
    history = History((state,))
    for entry in entries:
        history = history.after(entry)
    return history
